//===- WaitsTest.cpp - where waits are, and for what ----------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/Waits.h"
#include "lgc/direct/DisassembleForTest.h"
#include "lgc/direct/shader/EncodeForTest.h"
#include "gtest/gtest.h"

using namespace lgc::direct;
using namespace lgc::direct::test;

namespace {

MachineOp load(uint32_t to) { return {Opcode::BufLoad1, {v(to), v(20), s(4), s(30), n(0)}}; }
MachineOp store(uint32_t data) { return {Opcode::BufStore1, {v(data), v(20), s(4), s(30), n(0)}}; }
MachineOp scalarLoad(uint32_t to) { return {Opcode::SLoad1, {s(to), s(2), n(0)}}; }
MachineOp ldsLoad(uint32_t to) { return {Opcode::DsLoad1, {v(to), v(20), n(0)}}; }
MachineOp ldsStore() { return {Opcode::DsStore1, {v(20), v(21), n(0)}}; }
MachineOp move(uint32_t to, Operand from) { return {Opcode::VMov, {v(to), from}}; }
MachineOp branch(Opcode opcode, uint32_t block) { return {opcode, Operand::block(block)}; }
MachineOp end() { return {Opcode::SEndPgm, {}}; }

/// Waits of the program as text, "BLOCK.INDEX: TEXT".
Lines waitsOf(const char *target, const std::vector<Ops> &blocks) {
  Program program = programOf(target, blocks);
  insertWaits(program);
  return addedTo(program, blocks, [&](const MachineOp &op) {
    Program one;
    one.target = program.target;
    one.blocks.emplace_back().ops = {op};
    return disassemble(encodeProgram(one), target)[0];
  });
}

TEST(Waits, FieldsAsLlvmReadsThem) {
  for (const char *target : {"gfx1010", "gfx1030", "gfx1100", "gfx1150"}) {
    const unsigned major = pal::abi::findTarget(target)->major;
    for (unsigned vector : {0, 1, 15, 16, 37, 62})
      for (unsigned lds : {0, 1, 9, 32, 62}) {
        LoadWait wait;
        wait[LoadCounter::Vector] = static_cast<uint8_t>(vector);
        wait[LoadCounter::Lds] = static_cast<uint8_t>(lds);
        const MachineOp op(Opcode::WaitCounters, n(encodeWaitCounters(major, wait)));
        llvm::SmallVector<uint32_t> code;
        encode(code, major, op.opcode, op.operands[0].value);
        EXPECT_EQ(test::disassemble(code, target)[0], "s_waitcnt vmcnt(" + std::to_string(vector) +
                                                          ") lgkmcnt(" + std::to_string(lds) + ")");
        const LoadWait back = loadWaitOf(major, op);
        EXPECT_EQ(back[LoadCounter::Vector], vector);
        EXPECT_EQ(back[LoadCounter::Lds], lds);
        EXPECT_EQ(back[LoadCounter::Scalar], lds);
      }
  }
}

TEST(Waits, CountWhatMayStillBeUnderWay) {
  const Ops ops = {load(0),       load(1),       store(3),      load(2),
                   move(9, v(1)), move(9, v(0)), move(9, v(2)), end()};
  EXPECT_EQ(waitsOf("gfx1010", {ops}),
            (Lines{"0.4: s_waitcnt vmcnt(1)", "0.6: s_waitcnt vmcnt(0)"}));
  EXPECT_EQ(waitsOf("gfx1201", {ops}),
            (Lines{"0.4: s_wait_loadcnt 0x1", "0.6: s_wait_loadcnt 0x0"}));
}

TEST(Waits, LdsIsInOrderByItself) {
  const Ops ops = {ldsLoad(0), ldsStore(), move(9, v(0)), move(9, v(0)), end()};
  EXPECT_EQ(waitsOf("gfx1030", {ops}), Lines{"0.2: s_waitcnt lgkmcnt(1)"});
  EXPECT_EQ(waitsOf("gfx1201", {ops}), Lines{"0.2: s_wait_dscnt 0x1"});
}

TEST(Waits, ScalarLoadsComeInAnyOrder) {
  const Ops ops = {scalarLoad(10), scalarLoad(11), ldsLoad(0),     ldsStore(),
                   move(9, v(0)),  move(9, s(10)), move(9, s(11)), end()};
  EXPECT_EQ(waitsOf("gfx1100", {ops}), Lines{"0.4: s_waitcnt lgkmcnt(0)"});
  EXPECT_EQ(waitsOf("gfx1201", {ops}), (Lines{"0.4: s_wait_dscnt 0x1", "0.5: s_wait_kmcnt 0x0"}));
}

TEST(Waits, TestsOfNodesHaveACounterOnGfx12) {
  const MachineOp test(Opcode::ImageBvh64, {v(0), v(20), s(4)});
  EXPECT_EQ(waitsOf("gfx1030", {{test, load(8), move(9, v(3)), end()}}),
            Lines{"0.2: s_waitcnt vmcnt(1)"});
  // The ray is written as well.
  const MachineOp wide(Opcode::ImageBvh8, {v(0), v(20), v(22), v(24), v(27), v(30), s(4)});
  for (uint32_t reg : {9, 24, 29})
    EXPECT_EQ(waitsOf("gfx1201", {{wide, load(40), move(41, v(reg)), end()}}),
              Lines{"0.2: s_wait_bvhcnt 0x0"});
  EXPECT_EQ(waitsOf("gfx1201", {{wide, load(40), move(41, v(30)), end()}}), Lines{});
}

TEST(Waits, OneForSeveralCounters) {
  const Ops ops = {
      load(0), ldsLoad(1), scalarLoad(10), {Opcode::VFma, {v(2), v(0), v(1), s(10)}}, end()};
  EXPECT_EQ(waitsOf("gfx1010", {ops}), Lines{"0.3: s_waitcnt vmcnt(0) lgkmcnt(0)"});
  EXPECT_EQ(waitsOf("gfx1201", {ops}),
            (Lines{"0.3: s_wait_loadcnt 0x0", "0.3: s_wait_dscnt 0x0", "0.3: s_wait_kmcnt 0x0"}));
}

TEST(Waits, WritesAndAddressesAndImplicitOperands) {
  EXPECT_EQ(waitsOf("gfx1100", {{load(0), move(0, s(9)), end()}}),
            Lines{"0.1: s_waitcnt vmcnt(0)"});
  EXPECT_EQ(waitsOf("gfx1100", {{load(20), store(1), end()}}), Lines{"0.1: s_waitcnt vmcnt(0)"});
  // A descriptor whose last register is loaded; VCC of v_div_fmas.
  EXPECT_EQ(waitsOf("gfx1100", {{scalarLoad(7), load(0), end()}}),
            Lines{"0.1: s_waitcnt lgkmcnt(0)"});
  EXPECT_EQ(waitsOf("gfx1100",
                    {{scalarLoad(regVcc), {Opcode::VDivFmas, {v(0), v(1), v(2), v(3)}}, end()}}),
            Lines{"0.1: s_waitcnt lgkmcnt(0)"});
  // Its second half with 64 lanes only.
  EXPECT_EQ(
      waitsOf("gfx1100",
              {{scalarLoad(regVcc + 1), {Opcode::VDivFmas, {v(0), v(1), v(2), v(3)}}, end()}}),
      Lines{});
}

TEST(Waits, ThoseThatAreThereCount) {
  EXPECT_EQ(waitsOf("gfx1100", {{load(0), {Opcode::WaitVectorLoads, {}}, move(9, v(0)), end()}}),
            Lines{});
  EXPECT_EQ(waitsOf("gfx1100", {{ldsLoad(0),
                                 scalarLoad(10),
                                 {Opcode::WaitScalarLoads, {}},
                                 move(9, v(0)),
                                 move(9, s(10)),
                                 end()}}),
            Lines{});
  EXPECT_EQ(waitsOf("gfx1201", {{ldsLoad(0),
                                 scalarLoad(10),
                                 {Opcode::WaitScalarLoads, {}},
                                 move(9, v(0)),
                                 move(9, s(10)),
                                 end()}}),
            Lines{"0.3: s_wait_dscnt 0x0"});
  EXPECT_EQ(
      waitsOf(
          "gfx1201",
          {{load(0), load(1), {Opcode::WaitLoads12, n(1)}, move(9, v(0)), move(9, v(1)), end()}}),
      Lines{"0.4: s_wait_loadcnt 0x0"});
  // vmcnt(1) lgkmcnt(0) of gfx10; vscnt is of no use.
  EXPECT_EQ(waitsOf("gfx1030", {{load(0),
                                 load(1),
                                 scalarLoad(10),
                                 {Opcode::WaitCounters, n(0x0071)},
                                 {Opcode::WaitStores, {}},
                                 move(9, v(0)),
                                 move(9, s(10)),
                                 move(9, v(1)),
                                 end()}}),
            Lines{"0.7: s_waitcnt vmcnt(0)"});
}

TEST(Waits, PathsMeet) {
  // One path has a younger load of v0, or none.
  const std::vector<Ops> blocks = {
      {load(0), load(1), branch(Opcode::SBranchScc0, 2)},
      {move(9, v(0)), load(0), branch(Opcode::SBranch, 2)},
      {move(9, v(1)), move(9, v(0)), end()},
  };
  EXPECT_EQ(waitsOf("gfx1100", blocks),
            (Lines{"1.0: s_waitcnt vmcnt(1)", "2.0: s_waitcnt vmcnt(0)"}));
  // What ends with a jump does not go on behind it.
  EXPECT_EQ(waitsOf("gfx1100", {{branch(Opcode::SBranchScc0, 2)},
                                {load(0), branch(Opcode::SBranch, 3)},
                                {move(9, v(0))},
                                {end()}}),
            Lines{});
  // Jumps in the middle of a block take what is there.
  EXPECT_EQ(waitsOf("gfx1100", {{load(0), branch(Opcode::SBranchScc0, 1), load(1), end()},
                                {move(9, v(1)), move(9, v(0)), end()}}),
            Lines{"1.1: s_waitcnt vmcnt(0)"});
}

TEST(Waits, AllAtJumpsBack) {
  const std::vector<Ops> blocks = {
      {load(0)},
      {move(9, v(0)), load(1), scalarLoad(10), store(5), branch(Opcode::SBranchScc1, 1)},
      {move(9, v(1)), end()},
  };
  EXPECT_EQ(waitsOf("gfx1100", blocks),
            (Lines{"1.0: s_waitcnt vmcnt(0)", "1.4: s_waitcnt vmcnt(0) lgkmcnt(0)"}));
  EXPECT_EQ(waitsOf("gfx1201", blocks),
            (Lines{"1.0: s_wait_loadcnt 0x0", "1.4: s_wait_loadcnt 0x0", "1.4: s_wait_kmcnt 0x0"}));
  // Nothing but stores.
  EXPECT_EQ(waitsOf("gfx1100", {{store(0), ldsStore(), branch(Opcode::SBranchScc1, 0)}, {end()}}),
            Lines{});
}

} // namespace
