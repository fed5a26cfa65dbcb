//===- HoistGuard.cpp - what structurizing may hoist ----------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/HoistGuard.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Pass.h"

using namespace llvm;

namespace lgc {
namespace {

/// One of two blocks that a branch leads to and that both lead to `join` alone.
bool isPlainElse(const BasicBlock &block, const BasicBlock &join) {
  const BasicBlock *head = block.getSinglePredecessor();
  if (!head || !join.hasNPredecessors(2))
    return false;
  return all_of(predecessors(&join), [&](const BasicBlock *other) {
    return other->getSingleSuccessor() == &join && other->getSinglePredecessor() == head;
  });
}

class HoistGuardPass : public FunctionPass {
public:
  static char ID;
  HoistGuardPass() : FunctionPass(ID) {}

  bool runOnFunction(Function &function) override {
    const TargetTransformInfo &costs =
        getAnalysis<TargetTransformInfoWrapperPass>().getTTI(function);
    bool changed = false;
    for (BasicBlock &join : function)
      for (PHINode &phi : join.phis())
        for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
          changed |= guard(phi, i, costs);
    return changed;
  }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.addRequired<TargetTransformInfoWrapperPass>();
    usage.setPreservesCFG();
  }
  StringRef getPassName() const override { return "keep values from being hoisted"; }

private:
  static bool guard(PHINode &phi, unsigned index, const TargetTransformInfo &costs) {
    BasicBlock &block = *phi.getIncomingBlock(index);
    auto *value = dyn_cast<Instruction>(phi.getIncomingValue(index));
    if (!value || value->getParent() != &block || isa<PHINode>(value) ||
        block.getSingleSuccessor() != phi.getParent() ||
        costs.getInstructionCost(value, TargetTransformInfo::TCK_Latency) != 0 ||
        isPlainElse(block, *phi.getParent()))
      return false;
    IRBuilder<> b(block.getTerminator());
    phi.setIncomingValue(index, b.CreateFreeze(value));
    return true;
  }
};
char HoistGuardPass::ID = 0;

} // namespace

FunctionPass *createHoistGuardPass() { return new HoistGuardPass(); }

} // namespace lgc
