//===- KeepVariables.cpp - variables that debuggers can find ---------------===//
// SPDX-License-Identifier: MIT
#include "lgc/pipeline/KeepVariables.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {

namespace {

/// All accesses through a pointer, and through those that it leads to, are made.
void keepAccesses(Value &variable) {
  SmallVector<Value *, 16> pointers = {&variable};
  SmallPtrSet<Value *, 16> seen;
  while (!pointers.empty()) {
    Value *pointer = pointers.pop_back_val();
    if (!seen.insert(pointer).second)
      continue;
    for (User *user : pointer->users())
      if (auto *load = dyn_cast<LoadInst>(user))
        load->setVolatile(true);
      else if (auto *store = dyn_cast<StoreInst>(user))
        store->setVolatile(true);
      else if (auto *block = dyn_cast<MemIntrinsic>(user))
        block->setVolatile(ConstantInt::getTrue(block->getContext()));
      else if (isa<GetElementPtrInst, PHINode, SelectInst>(user))
        pointers.push_back(user);
  }
}

/// A statement begins where the line is another one than before, and where its block begins.
bool beginsStatement(const DebugLoc &line, const DebugLoc &before) {
  return line && line.getLine() &&
         (!before || line.getLine() != before.getLine() || line.getScope() != before.getScope() ||
          line.getInlinedAt() != before.getInlinedAt());
}

void markStatements(Function &function) {
  // The number only tells marks apart, so that no pass makes one of two.
  uint16_t number = 0;
  for (BasicBlock &block : function) {
    DebugLoc before;
    for (Instruction &inst : make_early_inc_range(block)) {
      const DebugLoc &line = inst.getDebugLoc();
      if (isa<PHINode, AllocaInst>(inst) || !line)
        continue;
      if (beginsStatement(line, before)) {
        IRBuilder<> b(&inst);
        b.CreateIntrinsic(Intrinsic::amdgcn_s_ttracedata_imm, {}, {b.getInt16(number++)});
      }
      before = line;
    }
  }
}

} // namespace

bool isForDebugger(const Function &function, bool isOptimized) {
  return !isOptimized && function.getSubprogram();
}

PreservedAnalyses KeepVariablesPass::run(Function &function, FunctionAnalysisManager &) {
  if (!function.getSubprogram())
    return PreservedAnalyses::all();
  if (isOptimized) {
    for (Instruction &inst : instructions(function))
      inst.dropDbgRecords();
    return PreservedAnalyses::all();
  }
  for (Instruction &inst : instructions(function))
    if (isa<AllocaInst>(inst) && !findDVRDeclares(&inst).empty())
      keepAccesses(inst);
  markStatements(function);
  return PreservedAnalyses::none();
}

} // namespace lgc
