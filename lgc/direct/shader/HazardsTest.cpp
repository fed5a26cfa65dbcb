//===- HazardsTest.cpp - what mends each hazard, and where ----------------===//
// SPDX-License-Identifier: MIT
// test/direct has what an independent checker says of random programs.
#include "lgc/direct/shader/Hazards.h"
#include "lgc/direct/shader/EncodeForTest.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace lgc::direct;
using namespace lgc::direct::test;

namespace {

MachineOp move(uint32_t to, Operand from) { return {Opcode::VMov, {v(to), from}}; }
MachineOp add(uint32_t to, uint32_t a, uint32_t b) { return {Opcode::VAdd32, {v(to), v(a), v(b)}}; }
MachineOp rcp(uint32_t to) { return {Opcode::VRcpF32, {v(to), v(1)}}; }
MachineOp compare(uint32_t to) { return {Opcode::VCmpEqU, {s(to), v(30), v(31)}}; }
MachineOp select(uint32_t mask) { return {Opcode::VSelect, {v(40), v(30), v(31), s(mask)}}; }
MachineOp scalarMove(uint32_t to, Operand from) { return {Opcode::SMov, {s(to), from}}; }
MachineOp scalarMove64(uint32_t to, Operand from) { return {Opcode::SMov64, {s(to), from}}; }
MachineOp scalarLoad(uint32_t to) { return {Opcode::SLoad1, {s(to), s(2), n(0)}}; }
MachineOp store() { return {Opcode::BufStore1, {v(20), v(21), s(4), s(30), n(0)}}; }
MachineOp ldsStore() { return {Opcode::DsStore1, {v(20), v(21), n(0)}}; }
MachineOp branch(Opcode opcode, uint32_t block) { return {opcode, Operand::block(block)}; }
MachineOp exec() { return scalarMove64(regExec, s(50)); }

/// What is added to the program, "BLOCK.INDEX: WHAT".
Lines mendsOf(const char *target, unsigned waveSize, const std::vector<Ops> &blocks) {
  Program program = programOf(target, blocks);
  program.waveSize = waveSize;
  mendHazards(program);
  return addedTo(program, blocks, [](const MachineOp &op) -> std::string {
    switch (op.opcode) {
    case Opcode::WaitDepctr:
    case Opcode::WaitAlu12:
      return llvm::utohexstr(op.operands[0].value, true);
    case Opcode::WaitStores:
      return "stores";
    case Opcode::SMovToNull:
      return "move";
    default:
      return "?";
    }
  });
}

TEST(DirectHazards, MemoryReadsThenScalarWrite) {
  EXPECT_EQ(mendsOf("gfx1010", 32, {{store(), scalarMove(5, c(0)), scalarMove(30, c(0))}}),
            Lines{"0.1: ffe3"});
  EXPECT_EQ(mendsOf("gfx1010", 32, {{store(), scalarMove(8, c(0)), scalarLoad(4)}}),
            Lines{"0.2: ffe3"});
  EXPECT_EQ(mendsOf("gfx1010", 32, {{ldsStore(), scalarMove(regExec, s(8))}}), Lines{"0.1: ffe3"});
  // A vector instruction, or a wait for everything, ends it.
  EXPECT_EQ(mendsOf("gfx1010", 32, {{store(), move(0, s(9)), scalarMove(5, c(0))}}), Lines{});
  EXPECT_EQ(mendsOf("gfx1010", 32, {{store(), {Opcode::WaitCounters, n(0)}, scalarMove(5, c(0))}}),
            Lines{});
  EXPECT_EQ(mendsOf("gfx1030", 32, {{store(), scalarMove(5, c(0))}}), Lines{});
}

TEST(DirectHazards, ScalarLoadThenVectorWrite) {
  const MachineOp read(Opcode::VReadFirstLane, {s(3), v(0)});
  EXPECT_EQ(mendsOf("gfx1010", 32, {{scalarLoad(8), read, compare(2)}}), Lines{"0.1: move"});
  EXPECT_EQ(mendsOf("gfx1010", 32, {{scalarLoad(8), scalarMove(9, c(0)), read}}), Lines{});
  EXPECT_EQ(mendsOf("gfx1010", 32, {{scalarLoad(8), {Opcode::WaitScalarLoads, {}}, read}}),
            Lines{});
  EXPECT_EQ(mendsOf("gfx1010", 32, {{scalarLoad(8), {Opcode::WaitVectorLoads, {}}, read}}),
            Lines{"0.2: move"});
  // Round a loop.
  EXPECT_EQ(mendsOf("gfx1010", 32, {{read, scalarLoad(8), branch(Opcode::SBranchScc0, 0)}}),
            Lines{"0.0: move"});
}

TEST(DirectHazards, MemoryBranchLds) {
  const MachineOp skip = branch(Opcode::SBranchScc0, 1);
  EXPECT_EQ(mendsOf("gfx1010", 32, {{store(), skip}, {ldsStore(), store()}}), Lines{"1.0: stores"});
  EXPECT_EQ(mendsOf("gfx1010", 32, {{ldsStore(), skip}, {ldsStore(), store()}}), Lines{});
  EXPECT_EQ(mendsOf("gfx1010", 32, {{store(), {Opcode::WaitStores, {}}, skip}, {ldsStore()}}),
            Lines{});
  EXPECT_EQ(mendsOf("gfx1010", 32, {{store()}, {ldsStore()}}), Lines{}); // no branch
  EXPECT_EQ(mendsOf("gfx1030", 32, {{store(), skip}, {ldsStore()}}), Lines{});
  // A loop with both.
  EXPECT_EQ(mendsOf("gfx1010", 32, {{ldsStore(), store(), branch(Opcode::SBranchScc0, 0)}}),
            Lines{"0.0: stores"});
  // With one of them nothing, until it has been left.
  EXPECT_EQ(mendsOf("gfx1010", 32, {{store(), branch(Opcode::SBranchScc0, 0)}, {ldsStore()}}),
            Lines{"1.0: stores"});
}

TEST(DirectHazards, TranscendentalResults) {
  EXPECT_EQ(mendsOf("gfx1100", 32, {{rcp(0), add(2, 0, 0), add(3, 0, 0)}}), Lines{"0.1: fff"});
  EXPECT_EQ(mendsOf("gfx1150", 32, {{rcp(0), add(2, 0, 0)}}), Lines{});
  auto after = [](unsigned others) {
    Ops ops = {rcp(0)};
    ops.insert(ops.end(), others, move(9, c(0)));
    ops.push_back(add(2, 0, 0));
    return mendsOf("gfx1100", 32, {ops});
  };
  EXPECT_EQ(after(5), Lines{"0.6: fff"});
  EXPECT_EQ(after(6), Lines{});
  EXPECT_EQ(mendsOf("gfx1100", 32, {{rcp(0), rcp(5), add(2, 0, 0)}}), Lines{"0.2: fff"});
  EXPECT_EQ(mendsOf("gfx1100", 32, {{rcp(0), rcp(5), rcp(6), add(2, 0, 0)}}), Lines{});
  // Memory instructions wait for results.
  EXPECT_EQ(mendsOf("gfx1100", 32, {{rcp(0), store(), add(2, 0, 0)}}), Lines{});
  // Across blocks, and round a loop.
  EXPECT_EQ(mendsOf("gfx1100", 32, {{rcp(0)}, {add(2, 0, 0)}}), Lines{"1.0: fff"});
  EXPECT_EQ(mendsOf("gfx1100", 32, {{add(2, 0, 0), rcp(0), branch(Opcode::SBranchScc0, 0)}}),
            Lines{"0.0: fff"});
}

TEST(DirectHazards, ResultsFromBothSidesOfExec) {
  const Ops ops = {move(0, s(9)), exec(), move(1, s(9)), add(2, 0, 1), add(2, 0, 1)};
  EXPECT_EQ(mendsOf("gfx1100", 64, {ops}), Lines{"0.3: fff"});
  EXPECT_EQ(mendsOf("gfx1150", 64, {ops}), Lines{"0.3: fff"});
  EXPECT_EQ(mendsOf("gfx1100", 32, {ops}), Lines{});
  EXPECT_EQ(mendsOf("gfx1201", 64, {ops}), Lines{});
  auto between = [](unsigned first, unsigned second) {
    Ops ops = {move(0, s(9)), exec()};
    ops.insert(ops.end(), first, move(8, s(9)));
    ops.push_back(move(1, s(9)));
    ops.insert(ops.end(), second, move(8, s(9)));
    ops.push_back(add(2, 0, 1));
    return mendsOf("gfx1100", 64, {ops}).size();
  };
  EXPECT_EQ(between(2, 4), 1u);
  EXPECT_EQ(between(3, 4), 0u);
  EXPECT_EQ(between(2, 5), 0u);
  // The older one was written again; only one is read; both are of one side.
  EXPECT_EQ(
      mendsOf("gfx1100", 64, {{move(0, s(9)), exec(), move(1, s(9)), move(0, s(9)), add(2, 0, 1)}}),
      Lines{});
  EXPECT_EQ(mendsOf("gfx1100", 64, {{move(0, s(9)), exec(), move(1, s(9)), add(2, 0, 0)}}),
            Lines{});
  EXPECT_EQ(mendsOf("gfx1100", 64, {{move(0, s(9)), move(1, s(9)), exec(), add(2, 0, 1)}}),
            Lines{});
}

TEST(DirectHazards, MasksThatAreWritten) {
  EXPECT_EQ(mendsOf("gfx1150", 64, {{select(10), scalarMove64(10, s(50)), select(10)}}),
            Lines{"0.2: fffe"});
  EXPECT_EQ(mendsOf("gfx1150", 64, {{select(10), scalarMove(11, s(50)), move(0, s(11))}}),
            Lines{"0.2: fffe"});
  EXPECT_EQ(mendsOf("gfx1150", 64, {{select(10), compare(10), select(10)}}), Lines{"0.2: f1ff"});
  EXPECT_EQ(mendsOf("gfx1150", 64, {{select(regVcc), compare(regVcc), select(regVcc)}}),
            Lines{"0.2: fffd"});
  const MachineOp fmas(Opcode::VDivFmas, {v(0), v(1), v(2), v(3)});
  EXPECT_EQ(mendsOf("gfx1100", 64, {{fmas, compare(regVcc), fmas}}), Lines{"0.2: fffd"});
  EXPECT_EQ(mendsOf("gfx1150", 64, {{select(10), scalarMove64(12, s(50)), select(12)}}), Lines{});
  EXPECT_EQ(mendsOf("gfx1150", 32, {{select(10), compare(10), select(10)}}), Lines{});
  // One wait per write.
  EXPECT_EQ(mendsOf("gfx1150", 64,
                    {{select(10), scalarMove(10, c(1)), move(0, s(10)), scalarMove(10, c(2)),
                      move(0, s(10))}}),
            Lines{"0.2: fffe"});
}

TEST(DirectHazards, ScalarsThatAreReadAgain) {
  EXPECT_EQ(mendsOf("gfx1201", 32, {{move(0, s(4)), scalarMove(4, c(0)), move(1, s(4))}}),
            Lines{"0.2: fffe"});
  // Pairs; vector writes; VCC.
  EXPECT_EQ(mendsOf("gfx1201", 32, {{move(0, s(4)), compare(5), select(5)}}), Lines{"0.2: f1ff"});
  EXPECT_EQ(mendsOf("gfx1201", 32, {{select(regVcc), compare(regVcc), select(regVcc)}}),
            Lines{"0.2: fffd"});
  // Several at once.
  EXPECT_EQ(mendsOf("gfx1201", 32,
                    {{move(0, s(4)),
                      move(0, s(6)),
                      compare(4),
                      scalarMove(6, c(0)),
                      {Opcode::VFma, {v(0), v(1), s(4), s(6)}}}}),
            Lines{"0.4: f1fe"});
  // Nothing read it before; a scalar instruction reads what a vector one writes; loads.
  EXPECT_EQ(mendsOf("gfx1201", 32, {{scalarMove(4, c(0)), move(1, s(4))}}), Lines{});
  EXPECT_EQ(mendsOf("gfx1201", 32, {{select(4), compare(4), scalarMove(9, s(4)), select(4)}}),
            Lines{});
  EXPECT_EQ(mendsOf("gfx1201", 32, {{move(0, s(4)), scalarMove(4, c(0)), store(), move(1, s(4))}}),
            Lines{});
  EXPECT_EQ(mendsOf("gfx1100", 32, {{move(0, s(4)), scalarMove(4, c(0)), move(1, s(4))}}), Lines{});
  // Round a loop.
  EXPECT_EQ(mendsOf("gfx1201", 32,
                    {{move(0, s(4)), scalarMove(4, c(0)), branch(Opcode::SBranchScc0, 0)}}),
            Lines{"0.0: fffe"});
}

} // namespace
