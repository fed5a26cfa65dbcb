// SPDX-License-Identifier: MIT
// Registers of hand-made programs, and moves that need none.
#include "lgc/direct/shader/Allocate.h"
#include "lgc/direct/shader/CheckAllocation.h"
#include "lgc/direct/shader/Coalesce.h"
#include "lgc/direct/shader/ProgramForTest.h"
#include "lgc/direct/shader/RemoveDead.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace lgc::direct;

namespace {

using Made = ProgramForTest;

Operand at(const Operand &unit, unsigned index) { return Operand::unit(unit.value, index); }

TEST(Allocate, RegistersAreUsedAgain) {
  Made m;
  const Operand a = m.vgpr(), b = m.vgpr(), c = m.vgpr();
  m.add(Opcode::VMov, {a, Operand::constant(1)});
  m.store(a);
  m.add(Opcode::VMov, {b, Operand::constant(2)});
  m.add(Opcode::VAdd32, {c, b, b});
  m.store(c);
  ASSERT_TRUE(allocateRegisters(m.program));
  EXPECT_EQ(m.program.vgprs, 1u);
}

TEST(Allocate, ScalarRowsAreAligned) {
  Made m;
  const Operand one = m.sgpr(), four = m.sgpr(4, 4), pair = m.sgpr(2, 2);
  m.add(Opcode::SMov, {one, Operand::constant(1)});
  m.add(Opcode::SGetPc, {pair});
  m.add(Opcode::SLoad4, {four, pair, Operand::number(0)});
  m.add(Opcode::BufLoad1Off, {m.vgpr(), four, one, Operand::number(0)});
  ASSERT_TRUE(allocateRegisters(m.program));
  EXPECT_EQ((*m.ops)[1].operands[0].value % 2, 0u);
  EXPECT_EQ((*m.ops)[2].operands[0].value % 4, 0u);
}

/// HW: with XNACK, a scalar load may be repeated.
TEST(Allocate, ScalarLoadsKeepTheirAddresses) {
  Made m;
  const Operand pair = m.sgpr(2, 2), loaded = m.sgpr(2, 2);
  m.add(Opcode::SGetPc, {pair});
  m.add(Opcode::SLoad2, {loaded, pair, Operand::number(0)});
  m.add(Opcode::SMov, {m.sgpr(), loaded});
  ASSERT_TRUE(allocateRegisters(m.program));
  EXPECT_NE((*m.ops)[1].operands[0], (*m.ops)[1].operands[1]);
}

/// It is shorter then.
TEST(Allocate, FusedMultiplyAddsReplaceTheirSummand) {
  Made m;
  const Operand other = m.vgpr(), row = m.vgpr(2), result = m.vgpr();
  m.add(Opcode::VMov, {other, Operand::constant(1)});
  m.add(Opcode::DsLoad2, {row, other, Operand::number(0)});
  m.add(Opcode::VFma, {result, other, other, at(row, 1)});
  m.store(other);
  m.store(result);
  ASSERT_TRUE(allocateRegisters(m.program));
  EXPECT_EQ((*m.ops)[2].operands[0], (*m.ops)[2].operands[3]);
}

/// A row that is taken apart, as what is loaded for several phis.
TEST(Allocate, CopiesOfARowStayInIt) {
  Made m;
  const Operand row = m.vgpr(2), first = m.vgpr(), second = m.vgpr(), other = m.vgpr();
  m.add(Opcode::VMov, {other, Operand::constant(1)});
  m.add(Opcode::DsLoad2, {row, other, Operand::number(0)});
  m.add(Opcode::VMov, {first, at(row, 0)});
  m.add(Opcode::VMov, {second, at(row, 1)});
  m.add(Opcode::VMov, {other, Operand::constant(2)});
  m.store(first);
  m.store(second);
  m.store(other);
  const Program program = m.program;
  ASSERT_TRUE(allocateRegisters(m.program));
  EXPECT_EQ(m.ops->size(), 6u);
  EXPECT_EQ(m.program.vgprs, 3u);
  EXPECT_EQ(checkAllocation(program, m.program.units), "");
}

/// Or whose register is written before its last one is read.
TEST(Allocate, CopiesOfARowThatIsReadLaterLeaveIt) {
  for (int what = 0; what < 3; ++what) {
    SCOPED_TRACE(what);
    Made m;
    const Operand row = m.vgpr(2), first = m.vgpr(), second = m.vgpr();
    m.add(Opcode::DsLoad2, {row, m.vgpr(), Operand::number(0)});
    if (what == 0) // begins before
      m.add(Opcode::VMov, {first, Operand::constant(2)});
    m.add(Opcode::VMov, {first, at(row, 0)});
    if (what == 1)
      m.add(Opcode::VAdd32, {first, first, first});
    m.add(Opcode::VMov, {second, at(row, 1)});
    m.store(first);
    m.store(second);
    if (what == 2)
      m.store(at(row, 0));
    const Program program = m.program;
    const size_t before = m.ops->size();
    ASSERT_TRUE(allocateRegisters(m.program));
    EXPECT_EQ(checkAllocation(program, m.program.units), "");
    EXPECT_EQ(m.ops->size(), what == 2 ? before : before - 1); // of the last copy
  }
}

/// What comes from outside of a loop is still there in the next iteration.
TEST(Allocate, LoopsKeepWhatTheyRead) {
  Made m;
  const Operand outside = m.vgpr(), inside = m.vgpr();
  m.add(Opcode::VMov, {outside, Operand::constant(1)});
  m.program.blocks.push_back({{}, 0});
  m.program.loops.push_back({1, 1, noLoop});
  m.ops = &m.program.blocks.back().ops;
  m.store(outside);
  m.add(Opcode::VMov, {inside, Operand::constant(2)});
  m.store(inside);
  m.add(Opcode::SBranch, {Operand::block(1)});
  ASSERT_TRUE(allocateRegisters(m.program));
  const std::vector<MachineOp> &ops = m.program.blocks[1].ops;
  EXPECT_NE(ops[0].operands[0], ops[1].operands[0]);
}

TEST(Allocate, TooManyAreRefused) {
  Made m;
  std::vector<Operand> all;
  for (unsigned i = 0; i < 257; ++i) {
    all.push_back(m.vgpr());
    m.add(Opcode::VMov, {all.back(), Operand::constant(i)});
  }
  for (const Operand &unit : all)
    m.store(unit);
  EXPECT_FALSE(allocateRegisters(m.program));
}

TEST(Coalesce, ResultsGoWhereTheyAreWanted) {
  Made m;
  const Operand a = m.vgpr(), copy = m.vgpr(), row = m.vgpr(2), b = m.vgpr();
  m.add(Opcode::VFloatOfInt, {a, Operand::constant(3)});
  m.add(Opcode::VFloatOfInt, {b, Operand::constant(4)});
  m.add(Opcode::VMov, {copy, a});
  m.add(Opcode::VMov, {at(row, 0), copy});
  m.add(Opcode::VMov, {at(row, 1), b});
  m.add(Opcode::DsStore2, {at(row, 0), row, Operand::number(0)});
  coalesceMoves(m.program);
  ASSERT_EQ(m.ops->size(), 3u);
  EXPECT_EQ((*m.ops)[0].operands[0], at(row, 0));
  EXPECT_EQ((*m.ops)[1].operands[0], at(row, 1));
}

/// The register is still read, or its lanes are others, or the source is needed as well.
TEST(Coalesce, NotWhereSomethingStandsBetween) {
  for (unsigned what = 0; what < 4; ++what) {
    SCOPED_TRACE(what);
    Made m;
    const Operand phi = m.vgpr(), next = m.vgpr();
    m.add(Opcode::VMov, {phi, Operand::constant(0)});
    m.add(Opcode::VAdd32, {next, Operand::constant(1), phi});
    if (what == 0)
      m.store(phi);
    if (what == 1)
      m.add(Opcode::SMov, {Operand::sgpr(regExec), Operand::constant(1)});
    if (what == 2)
      m.add(Opcode::SBranchScc0, {Operand::block(0)});
    m.add(Opcode::VMov, {phi, next});
    m.store(what == 3 ? next : phi);
    const size_t before = m.ops->size();
    coalesceMoves(m.program);
    EXPECT_EQ(m.ops->size(), before);
  }
}

TEST(RemoveDead, WhatFeedsNothingGoes) {
  Made m;
  const Operand used = m.vgpr(), a = m.vgpr(), b = m.vgpr();
  m.add(Opcode::VMov, {used, Operand::constant(1)});
  m.add(Opcode::VMov, {a, Operand::constant(2)});
  m.add(Opcode::VAdd32, {b, a, a});
  m.store(used);
  removeDead(m.program);
  ASSERT_EQ(m.ops->size(), 2u);
  EXPECT_EQ((*m.ops)[1].opcode, Opcode::DsStore1);
}

/// Which instructions are left.
std::vector<Opcode> leftOf(Made &m) {
  removeDead(m.program);
  std::vector<Opcode> left;
  for (const MachineOp &op : *m.ops)
    left.push_back(op.opcode);
  return left;
}

TEST(RemoveDead, ScalarResultsGoButNotTheirCarry) {
  Made m;
  const Operand a = m.sgpr(), unread = m.sgpr(), low = m.sgpr(), high = m.sgpr(), used = m.vgpr();
  m.add(Opcode::SMov, {a, Operand::constant(3)});
  m.add(Opcode::SShiftLeft32, {unread, a, Operand::constant(1)});
  m.add(Opcode::SAdd, {low, a, a});
  m.add(Opcode::SAddCarry, {high, a, a});
  m.add(Opcode::VMov, {used, high});
  m.store(used);
  EXPECT_EQ(leftOf(m), (std::vector{Opcode::SMov, Opcode::SAdd, Opcode::SAddCarry, Opcode::VMov,
                                    Opcode::DsStore1}));
}

TEST(RemoveDead, WhatM0HoldsIsNotPutThereAgain) {
  Made m;
  const Operand mask = m.sgpr(), other = m.sgpr(), m0 = Operand::sgpr(m.program.m0());
  m.add(Opcode::SMov, {mask, Operand::constant(1)});
  m.add(Opcode::SMov, {other, Operand::constant(2)});
  auto use = [&](const Operand &what) {
    const Operand result = m.vgpr();
    m.add(Opcode::SMov, {m0, what});
    m.add(Opcode::LoadParameter, {result, Operand::number(0), Operand::number(0)});
    m.store(result);
  };
  use(mask);
  use(mask); // repeated
  use(other);
  use(mask);
  m.add(Opcode::SMov, {mask, Operand::constant(4)});
  use(mask);
  const std::vector<Opcode> left = leftOf(m);
  EXPECT_EQ(llvm::count(left, Opcode::SMov), 3 + 4);
}

// --- CheckAllocation

/// A unit is read behind a branch, in which another one has a register.
Made withBranch(Operand &kept, Operand &other) {
  Made m;
  kept = m.vgpr();
  other = m.vgpr();
  m.program.blocks.resize(3);
  m.program.blocks[0].ops = {MachineOp(Opcode::VMov, {kept, Operand::constant(1)}),
                             MachineOp(Opcode::SBranchExecZero, {Operand::block(2)})};
  m.program.blocks[1].ops = {MachineOp(Opcode::VMov, {other, Operand::constant(2)}),
                             MachineOp(Opcode::DsStore1, {other, other, Operand::number(0)})};
  m.program.blocks[2].ops = {MachineOp(Opcode::DsStore1, {kept, kept, Operand::number(0)}),
                             MachineOp(Opcode::SEndPgm, {})};
  return m;
}

TEST(CheckAllocation, WhatIsOverwrittenOnOnePathIsFound) {
  Operand kept, other;
  Made m = withBranch(kept, other);
  std::vector<Unit> units = m.program.units;
  units[kept.value].place = 3;
  units[other.value].place = 4;
  EXPECT_EQ(checkAllocation(m.program, units), "");
  units[other.value].place = 3;
  EXPECT_EQ(checkAllocation(m.program, units),
            "block 2, instruction 0 reads unit 0, register 0, which something has overwritten");
}

TEST(CheckAllocation, RegistersThatNobodyReadsAgainAreFree) {
  Operand kept, other;
  Made m = withBranch(kept, other);
  m.program.blocks[2].ops.erase(m.program.blocks[2].ops.begin());
  std::vector<Unit> units = m.program.units;
  units[kept.value].place = units[other.value].place = 3;
  EXPECT_EQ(checkAllocation(m.program, units), "");
}

TEST(CheckAllocation, MovesWithinARegisterKeepWhatTheyCopy) {
  Made m;
  const Operand a = m.vgpr(), b = m.vgpr();
  m.add(Opcode::VMov, {a, Operand::constant(1)});
  m.add(Opcode::VMov, {b, a});
  m.store(a);
  m.store(b);
  std::vector<Unit> units = m.program.units;
  units[0].place = units[1].place = 3;
  EXPECT_EQ(checkAllocation(m.program, units), "");
  (*m.ops)[1] = MachineOp(Opcode::VAdd32, {b, a, a});
  EXPECT_EQ(checkAllocation(m.program, units),
            "block 0, instruction 2 reads unit 0, register 0, which something has overwritten");
}

/// Around a loop.
TEST(CheckAllocation, JumpsBackAreFollowed) {
  Made m;
  const Operand outer = m.vgpr(), inner = m.vgpr();
  m.program.blocks.resize(3);
  m.program.blocks[0].ops = {MachineOp(Opcode::VMov, {outer, Operand::constant(1)})};
  m.program.blocks[1].ops = {MachineOp(Opcode::DsStore1, {outer, outer, Operand::number(0)}),
                             MachineOp(Opcode::VMov, {inner, Operand::constant(2)}),
                             MachineOp(Opcode::DsStore1, {inner, inner, Operand::number(0)}),
                             MachineOp(Opcode::SBranch, {Operand::block(1)})};
  std::vector<Unit> units = m.program.units;
  units[0].place = units[1].place = 3;
  EXPECT_EQ(checkAllocation(m.program, units),
            "block 1, instruction 0 reads unit 0, register 0, which something has overwritten");
}

} // namespace
