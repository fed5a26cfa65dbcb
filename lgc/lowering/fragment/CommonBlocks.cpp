//===- CommonBlocks.cpp - blocks that all living invocations pass ----------==//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/fragment/CommonBlocks.h"
#include "lgc/Ops.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace lgc {
namespace {

/// Does a kill end \p block?
bool isKilling(BasicBlock &block) {
  return any_of(block, [](Instruction &instruction) {
    auto *call = dyn_cast<CallInst>(&instruction);
    return call && opIdOf(*call) == OpId::KillOp;
  });
}

/// The blocks from which a way leads to the end without a kill.
using SurvivingBlocks = df_iterator_default_set<BasicBlock *, 16>;
SurvivingBlocks survivingBlocks(Function &function) {
  SurvivingBlocks surviving;
  for (BasicBlock &block : function)
    if (isa<ReturnInst>(block.getTerminator()) && !isKilling(block))
      for (BasicBlock *before : inverse_depth_first_ext(&block, surviving))
        (void)before;
  return surviving;
}

} // namespace

CommonBlocks commonBlocks(Function &function) {
  const SurvivingBlocks surviving = survivingBlocks(function);
  std::vector<std::vector<BasicBlock *>> order;
  for (auto scc = scc_begin(&function); !scc.isAtEnd(); ++scc)
    if (surviving.contains(scc->front()))
      order.push_back(*scc);
  CommonBlocks common;
  DenseMap<BasicBlock *, size_t> numbers;
  for (auto [number, blocks] : enumerate(order))
    for (BasicBlock *block : blocks)
      numbers[block] = number;
  std::vector<size_t> edgesInto(order.size());
  size_t open = 0; // edges from blocks that have been seen to ones that have not
  for (size_t number = order.size(); number-- > 0;) {
    bool isLoop = order[number].size() > 1;
    const bool isCommon = open == edgesInto[number];
    open -= edgesInto[number];
    for (BasicBlock *block : order[number])
      for (BasicBlock *next : successors(block)) {
        auto to = numbers.find(next);
        if (to == numbers.end())
          continue;
        isLoop |= to->second == number;
        edgesInto[to->second] += to->second != number;
        open += to->second != number;
      }
    if (isCommon && !isLoop)
      common.insert(order[number].front());
  }
  return common;
}

} // namespace lgc
