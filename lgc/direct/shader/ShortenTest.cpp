// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/Shorten.h"
#include "lgc/direct/shader/EncodeForTest.h"
#include "lgc/direct/shader/OpEffects.h"

using namespace lgc::direct;
using namespace lgc::direct::test;

namespace {

const MachineOp end(Opcode::SEndPgm, {});
const Operand exec = s(regExec);
MachineOp move(uint32_t to) { return {Opcode::VMov, {v(to), c(1)}}; }
MachineOp skipTo(uint32_t block) { return {Opcode::SBranchExecZero, {Operand::block(block)}}; }
MachineOp save(uint32_t to) { return {Opcode::SMov64, {s(to), exec}}; }
MachineOp narrow(uint32_t lanes) { return {Opcode::SAnd64, {exec, exec, s(lanes)}}; }

/// What is left, with 64 lanes.
Program shortened(const std::vector<Ops> &blocks) {
  Program program = programOf("gfx1100", blocks);
  program.waveSize = 64;
  shortenCode(program);
  return program;
}

std::vector<Opcode> opcodesOf(const Program &program, size_t block = 0) {
  std::vector<Opcode> opcodes;
  for (const MachineOp &op : program.blocks[block].ops)
    opcodes.push_back(op.opcode);
  return opcodes;
}

TEST(Shorten, JumpsOverLittleGo) {
  EXPECT_TRUE(opcodesOf(shortened({{skipTo(2)}, {move(1), move(2)}, {end}})).empty());
  const MachineOp compare(Opcode::VCmpEqU, {s(4), v(1), v(2)});
  const MachineOp load(Opcode::DsLoad1, {v(1), v(2), n(0)});
  const MachineOp scalar(Opcode::SMov, {s(4), c(1)});
  const Ops many = {move(1), move(2), move(3), move(4), move(5), move(6), move(7)};
  for (const Ops &skipped : {Ops{compare}, Ops{load}, Ops{scalar}, many})
    EXPECT_EQ(opcodesOf(shortened({{skipTo(2)}, skipped, {end}})).size(), 1u);
  // Back, out of the program, over a block with a jump.
  EXPECT_EQ(opcodesOf(shortened({{skipTo(0)}, {end}})).size(), 1u);
  EXPECT_EQ(opcodesOf(shortened({{skipTo(2)}, {end}})).size(), 1u);
  EXPECT_EQ(opcodesOf(shortened({{skipTo(2)}, {skipTo(2)}, {end}})).size(), 1u);
}

TEST(Shorten, MasksAreSavedWhereExecIsNarrowed) {
  const Program program =
      shortened({{save(2), {Opcode::SAndNot64, {s(6), exec, s(8)}}, narrow(8), end}});
  EXPECT_EQ(opcodesOf(program),
            (std::vector{Opcode::SAndNot64, Opcode::SAndSaveExec64, Opcode::SEndPgm}));
  EXPECT_EQ(program.blocks[0].ops[1].operands[0], s(2));
  EXPECT_EQ(program.blocks[0].ops[1].operands[1], s(8));
  EXPECT_EQ(opcodesOf(shortened({{save(2), {Opcode::SAndNot64, {exec, exec, s(8)}}}})),
            std::vector{Opcode::SAndNotSaveExec64});
}

TEST(Shorten, MasksThatSomethingReadsBeforeStay) {
  const std::vector<Ops> cases = {
      {save(2), {Opcode::SOr64, {s(6), s(2), s(8)}}, narrow(8)},
      {save(2), {Opcode::SMov, {s(3), c(0)}}, narrow(8)},
      {save(2), narrow(2)},
      {save(2), {Opcode::SMov64, {exec, s(4)}}, narrow(8)},
      {save(2), move(1), narrow(8)},
  };
  for (const Ops &ops : cases)
    EXPECT_EQ(opcodesOf(shortened({ops})).size(), ops.size());
}

TEST(Shorten, RepeatedWaitsGo) {
  const MachineOp wait(Opcode::WaitCounters, {n(0x3F7)}), other(Opcode::WaitCounters, {n(0)});
  const MachineOp barrier(Opcode::SBarrier, {});
  EXPECT_EQ(opcodesOf(shortened({{wait, barrier, wait}})).size(), 2u);
  EXPECT_EQ(opcodesOf(shortened({{wait, barrier, other, wait}})).size(), 3u);
  EXPECT_EQ(opcodesOf(shortened({{wait, move(1), wait}})).size(), 3u);
}

/// HW: instructions that name EXEC nowhere.
TEST(Shorten, WhatSavesExecReadsAndWritesIt) {
  Program program = programOf("gfx1100", {});
  program.waveSize = 64;
  const OpEffects effects = effectsOf(program, {Opcode::SAndSaveExec64, {s(2), s(8)}});
  EXPECT_TRUE(effects.reads[regExec] && effects.writes[regExec] && effects.writes[regExec + 1]);
}

} // namespace
