//===- ForwardWalk.h - one walk over a program that adds instructions -----===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/direct/shader/Program.h"
#include <optional>

namespace lgc::direct {

/// The block that the instruction may jump to; noBlock: it does not jump.
inline uint32_t targetOf(const MachineOp &op) {
  for (const Operand &operand : op.all())
    if (operand.kind == Operand::Kind::Block)
      return operand.value;
  return noBlock;
}

/// Does what stands behind the instruction have to be reached by a jump?
inline bool endsFlow(const MachineOp &op) {
  return op.opcode == Opcode::SBranch || op.opcode == Opcode::SEndPgm;
}

/// Goes through all blocks in the order of memory with what is known of the code that was executed
/// before, and joins that where forward jumps meet. Jumps back join nothing: \p pass knows in front
/// of them, or at the block where they go, what to do about it. \p pass has
///   State                 what is known; State::join(const State &): either may hold
///   begin(block, state)   at the beginning of a block
///   step(op, jumpsBack, state, ops)
///                         \p op comes next; appends to \p ops what has to be in front of it, which
///                         is of its place in the source
template <typename Pass> void walkForward(Program &program, Pass &pass) {
  using State = typename Pass::State;
  std::vector<std::optional<State>> states(program.blocks.size());
  auto enter = [&](uint32_t block, const State &state) {
    if (block >= states.size())
      return;
    if (states[block])
      states[block]->join(state);
    else
      states[block] = state;
  };
  std::vector<MachineOp> ops;
  for (uint32_t block = 0; block < program.blocks.size(); ++block) {
    std::vector<MachineOp> &old = program.blocks[block].ops;
    State state = states[block] ? std::move(*states[block]) : State();
    states[block].reset();
    pass.begin(block, state);
    ops.clear();
    for (const MachineOp &op : old) {
      const uint32_t target = targetOf(op);
      const size_t before = ops.size();
      pass.step(op, target <= block, state, ops);
      for (size_t i = before; i < ops.size(); ++i)
        ops[i].place = op.place;
      ops.push_back(op);
      if (target != noBlock && target > block)
        enter(target, state);
    }
    if (old.empty() || !endsFlow(old.back()))
      enter(block + 1, state);
    if (ops.size() != old.size())
      old.assign(ops.begin(), ops.end());
  }
}

} // namespace lgc::direct
