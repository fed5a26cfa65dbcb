//===- SpillUses.cpp - uses of spilled units in a region ------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/SpillUses.h"
#include "lgc/direct/shader/ForwardWalk.h"

using namespace llvm;

namespace lgc::direct {

std::vector<bool> SpillUses::findTargets() const {
  std::vector<bool> targets(program.blocks.size() + 1);
  for (const MachineBlock &block : program.blocks)
    for (const MachineOp &op : block.ops)
      if (const uint32_t target = targetOf(op); target < targets.size())
        targets[target] = true;
  return targets;
}

void SpillUses::collect(uint32_t firstBlock, uint32_t endBlock) {
  uses.clear();
  taken = 0;
  uint32_t op = live.firstOp(firstBlock);
  for (uint32_t block = firstBlock; block < endBlock; ++block)
    for (const MachineOp &each : program.blocks[block].ops) {
      const ArrayRef<OperandInfo> infos = operandInfo(each.opcode);
      for (const bool written : {false, true})
        for (unsigned i = 0; i < each.count; ++i)
          if (const Operand &operand = each.operands[i];
              choice.isOfSpilled(operand) && infos[i].isRead() != written)
            uses.push_back({operand.value, op, operand.index,
                            static_cast<uint8_t>(program.registersOf(operand, infos[i])),
                            infos[i].isRead(), noUse});
      ++op;
    }
  for (const SpillUse &use : uses)
    nextUse[use.unit] = noUse;
  for (size_t i = uses.size(); i-- > 0;) {
    uses[i].next = nextUse[uses[i].unit];
    nextUse[uses[i].unit] = static_cast<uint32_t>(i);
  }
}

} // namespace lgc::direct
