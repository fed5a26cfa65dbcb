// SPDX-License-Identifier: MIT
// Units of hand-made programs that have no registers.
#include "lgc/direct/shader/Spill.h"
#include "lgc/direct/shader/CheckSpills.h"
#include "lgc/direct/shader/ProgramForTest.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace lgc::direct;

namespace {

struct Made : ProgramForTest {
  using ProgramForTest::ProgramForTest;
  void loadFrom(const Operand &value) {
    add(Opcode::DsLoad1, {value, vgprArgument(), Operand::number(0)});
  }
  Operand vgprArgument() {
    if (!argument.isUnit()) {
      argument = vgpr();
      program.units[argument.value].fixed = 0;
    }
    return argument;
  }
  void beginBlock(uint32_t loop = noLoop) {
    program.blocks.push_back({{}, loop});
    ops = &program.blocks.back().ops;
  }
  size_t count(Opcode opcode, uint32_t block = 0) const {
    return llvm::count_if(program.blocks[block].ops,
                          [&](const MachineOp &op) { return op.opcode == opcode; });
  }
  bool allocate() {
    const bool isDone = allocateAll(program, /*isVerified=*/true, refusal);
    ops = &program.blocks.back().ops;
    return isDone;
  }

  Operand argument;
  std::string refusal;
};

/// Values that come from memory and are needed together.
std::vector<Operand> loadMany(Made &m, unsigned count) {
  std::vector<Operand> all;
  for (unsigned i = 0; i < count; ++i) {
    all.push_back(m.vgpr());
    m.loadFrom(all.back());
  }
  return all;
}

TEST(Spill, NothingWhereRegistersSuffice) {
  Made m;
  for (const Operand &unit : loadMany(m, 200))
    m.store(unit);
  ASSERT_TRUE(m.allocate());
  EXPECT_EQ(m.ops->size(), 400u);
  EXPECT_EQ(m.program.scratchBytes, 0u);
}

TEST(Spill, VectorsGoToScratch) {
  Made m;
  m.program.scratchBytes = 32; // of variables
  for (const Operand &unit : loadMany(m, 300))
    m.store(unit);
  ASSERT_TRUE(m.allocate()) << m.refusal;
  EXPECT_LE(m.program.vgprs, 256u);
  EXPECT_GT(m.program.scratchBytes, 32u + 4 * 44);
  EXPECT_EQ(m.count(Opcode::ScratchStore1Off), m.count(Opcode::ScratchLoad1Off));
  for (const MachineOp &op : *m.ops)
    if (op.opcode == Opcode::ScratchStore1Off) {
      EXPECT_GE(op.operands[1].value, 32u);
    }
}

TEST(Spill, ScalarsGoToLanes) {
  Made m;
  const Operand base = m.sgpr(2, 2);
  m.add(Opcode::SGetPc, {base});
  std::vector<Operand> all;
  for (unsigned i = 0; i < 150; ++i) {
    all.push_back(m.sgpr());
    m.add(Opcode::SAdd, {all.back(), base, Operand::constant(i)});
  }
  const Operand sum = m.sgpr();
  m.add(Opcode::SMov, {sum, base});
  for (const Operand &unit : all)
    m.add(Opcode::SXor32, {sum, sum, unit});
  const Operand result = m.vgpr();
  m.add(Opcode::VMov, {result, sum});
  m.store(result);
  ASSERT_TRUE(m.allocate()) << m.refusal;
  EXPECT_LE(m.program.sgprs, sgprsMax);
  EXPECT_GE(m.count(Opcode::VWriteLane), 44u);
  EXPECT_EQ(m.count(Opcode::VWriteLane), m.count(Opcode::VReadLane));
  EXPECT_EQ(m.program.scratchBytes, 0u);
}

/// A constant needs no memory.
TEST(Spill, ConstantsAreMadeAgain) {
  Made m;
  std::vector<Operand> all;
  for (unsigned i = 0; i < 300; ++i) {
    all.push_back(m.vgpr());
    m.add(Opcode::VMov, {all.back(), Operand::constant(1000 + i)});
  }
  for (const Operand &unit : all)
    m.store(unit);
  ASSERT_TRUE(m.allocate()) << m.refusal;
  EXPECT_EQ(m.program.scratchBytes, 0u);
  EXPECT_EQ(m.count(Opcode::VMov), 300u);
}

/// Descriptors are loaded again: their addresses are fewer registers.
TEST(Spill, DescriptorsAreLoadedAgain) {
  Made m;
  std::vector<Operand> all;
  for (unsigned i = 0; i < 16; ++i) {
    const Operand address = m.sgpr(2, 2);
    m.add(Opcode::SGetPc, {address});
    all.push_back(m.sgpr(8, 4));
    m.add(Opcode::SLoad8, {all.back(), address, Operand::number(32 * i)});
  }
  const Operand sum = m.sgpr();
  m.add(Opcode::SMov, {sum, Operand::constant(0)});
  for (const Operand &unit : all)
    for (unsigned i = 0; i < 8; ++i)
      m.add(Opcode::SXor32, {sum, sum, Operand::unit(unit.value, i)});
  const Operand result = m.vgpr();
  m.add(Opcode::VMov, {result, sum});
  m.store(result);
  ASSERT_TRUE(m.allocate()) << m.refusal;
  EXPECT_GE(m.count(Opcode::SLoad8), 16u);
  EXPECT_LE(m.count(Opcode::VWriteLane), 2 * 16u); // addresses
}

/// A clock says something else later.
TEST(Spill, ClocksAreNotReadAgain) {
  Made m("gfx1030");
  m.program.sgprLimit = 26;
  std::vector<Operand> all;
  for (unsigned i = 0; i < 14; ++i) {
    all.push_back(m.sgpr(2, 2));
    m.add(Opcode::SMemTime, {all.back()});
  }
  const Operand sum = m.sgpr(2, 2);
  m.add(Opcode::SMov64, {sum, Operand::constant(0)});
  for (const Operand &unit : all)
    m.add(Opcode::SXor64, {sum, sum, unit});
  const Operand result = m.vgpr();
  m.add(Opcode::VMov, {result, sum});
  m.store(result);
  ASSERT_TRUE(m.allocate()) << m.refusal;
  EXPECT_EQ(m.count(Opcode::SMemTime), 14u);
  EXPECT_GT(m.count(Opcode::VWriteLane), 0u);
}

/// What was loaded for some lanes is not there for others.
TEST(Spill, LanesThatComeBackLoadAgain) {
  Made m;
  m.program.vgprLimit = 16;
  std::vector<Operand> all = loadMany(m, 20);
  m.add(Opcode::SMov, {Operand::sgpr(regExec), Operand::constant(1)});
  for (const Operand &unit : all)
    m.store(unit);
  const size_t few = m.ops->size();
  m.add(Opcode::SMov, {Operand::sgpr(regExec), Operand::constant(3)});
  for (const Operand &unit : all)
    m.store(unit);
  ASSERT_TRUE(m.allocate()) << m.refusal;
  EXPECT_LE(m.program.vgprs, 16u);
  const size_t spilled = m.count(Opcode::ScratchStore1Off);
  EXPECT_GE(spilled, 5u);
  EXPECT_EQ(m.count(Opcode::ScratchLoad1Off), 2 * spilled);
  EXPECT_GT(m.ops->size(), few);
}

/// What only comes by a loop leaves its register, rather than what is used in it.
TEST(Spill, LoopsKeepWhatTheyUse) {
  Made m;
  m.program.vgprLimit = 24;
  std::vector<Operand> around = loadMany(m, 14), inside = loadMany(m, 9);
  m.program.loops.push_back({1, 1, noLoop});
  m.beginBlock(0);
  for (const Operand &unit : inside)
    m.store(unit);
  m.add(Opcode::SBranchScc1, {Operand::block(1)});
  m.add(Opcode::SBranch, {Operand::block(1)});
  m.beginBlock();
  for (const Operand &unit : around)
    m.store(unit);
  ASSERT_TRUE(m.allocate()) << m.refusal;
  EXPECT_EQ(m.count(Opcode::ScratchLoad1Off, 1), 0u);
}

/// HW(gfx10): scratch has a descriptor, which comes from the global table.
TEST(Spill, Gfx10NeedsTheTable) {
  Made m("gfx1030");
  for (const Operand &unit : loadMany(m, 300))
    m.store(unit);
  Made with = m;
  EXPECT_FALSE(m.allocate());
  EXPECT_EQ(m.refusal, "scratch without a global table");
  ScratchBase &base = with.program.scratchBase;
  base.table = with.program.addUnit(Bank::Scalar);
  with.program.units[base.table].fixed = 0;
  base.wave = with.program.addUnit(Bank::Scalar);
  with.program.units[base.wave].fixed = 1;
  ASSERT_TRUE(with.allocate()) << with.refusal;
  EXPECT_EQ(with.count(Opcode::SLoad4), 1u);
  EXPECT_GE(with.count(Opcode::BufStore1Off), 44u);
  EXPECT_EQ(with.count(Opcode::BufStore1Off), with.count(Opcode::BufLoad1Off));
}

/// HW: an instruction has 12 bits of an offset.
TEST(Spill, FarSlotsHaveAnAddress) {
  Made m;
  m.program.scratchBytes = 4096;
  for (const Operand &unit : loadMany(m, 300))
    m.store(unit);
  ASSERT_TRUE(m.allocate()) << m.refusal;
  EXPECT_EQ(m.count(Opcode::ScratchStore1Off), 0u);
  EXPECT_GE(m.count(Opcode::ScratchStore1), 44u);
}

TEST(Spill, WhatOneInstructionNeedsMustBeThere) {
  Made m;
  m.program.vgprLimit = 12;
  const Operand row = m.vgpr(16);
  for (unsigned i = 0; i < 16; ++i)
    m.loadFrom(Operand::unit(row.value, i));
  for (unsigned i = 0; i < 16; i += 4)
    m.add(Opcode::DsStore4, {row, Operand::unit(row.value, 4), Operand::number(0)});
  m.program.units[row.value].isPinned = true;
  EXPECT_FALSE(m.allocate());
  EXPECT_EQ(m.refusal, "too many registers");
}

// --- CheckSpills

struct Rewritten {
  Program before, after;
  SpillChoice choice;
  SpillTrace trace;

  explicit Rewritten(const Made &m) : before(m.program), after(m.program) {
    LiveIntervals live(before);
    choice = chooseSpills(before, live, Bank::Vector, 8);
    EXPECT_EQ(rewriteSpills(after, live, choice, Bank::Vector, 16, &trace), 0u);
  }
  std::string check() const { return checkSpills(before, after, choice, trace); }
  size_t find(SpillStep::Kind kind) const {
    return static_cast<size_t>(
        llvm::find_if(trace[0], [&](const SpillStep &step) { return step.kind == kind; }) -
        trace[0].begin());
  }
  void remove(size_t index) {
    trace[0].erase(trace[0].begin() + static_cast<std::ptrdiff_t>(index));
    std::vector<MachineOp> &ops = after.blocks[0].ops;
    ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(index));
  }
};

Made withMany() {
  Made m;
  for (const Operand &unit : loadMany(m, 20))
    m.store(unit);
  return m;
}

TEST(CheckSpills, WhatIsNotStoredIsFound) {
  const Made m = withMany();
  Rewritten r(m);
  EXPECT_EQ(r.check(), "");
  r.remove(r.find(SpillStep::Kind::Store));
  EXPECT_NE(r.check().find("which is not in memory"), std::string::npos) << r.check();
}

TEST(CheckSpills, WhatIsNotLoadedIsFound) {
  const Made m = withMany();
  Rewritten r(m);
  r.remove(r.find(SpillStep::Kind::Load));
  EXPECT_NE(r.check().find("does not read unit"), std::string::npos) << r.check();
}

TEST(CheckSpills, SlotsOfTwoAreFound) {
  const Made m = withMany();
  Rewritten r(m);
  for (uint32_t &slot : r.choice.slots)
    if (slot != noSlot)
      slot = 0;
  EXPECT_NE(r.check().find("which is not in memory"), std::string::npos) << r.check();
}

/// Behind a change of EXEC.
TEST(CheckSpills, CopiesOfOtherLanesAreFound) {
  const Made m = withMany();
  Rewritten r(m);
  const size_t load = r.find(SpillStep::Kind::Load);
  const MachineOp exec(Opcode::SMov, {Operand::sgpr(regExec), Operand::constant(1)});
  // In front of the instruction that the load was for.
  size_t old = 0;
  for (size_t i = 0; i < load; ++i)
    old += r.trace[0][i].kind == SpillStep::Kind::Old;
  const auto behind = static_cast<std::ptrdiff_t>(load + 1);
  r.before.blocks[0].ops.insert(r.before.blocks[0].ops.begin() + static_cast<std::ptrdiff_t>(old),
                                exec);
  r.after.blocks[0].ops.insert(r.after.blocks[0].ops.begin() + behind, exec);
  r.trace[0].insert(r.trace[0].begin() + behind, SpillStep());
  EXPECT_NE(r.check().find("does not read unit"), std::string::npos) << r.check();
}

} // namespace
