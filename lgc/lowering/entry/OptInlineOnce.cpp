//===- OptInlineOnce.cpp - functions with one call move into their caller -===//
// SPDX-License-Identifier: MIT
/// \file
/// A function that is called once needs no copy: its blocks move to where the call is. LLVM's
/// always-inline, which copies each instruction, is 5 % of a cold compile of graphics pipelines
/// whose shaders consist of functions; it is left with those that are called more often.
///
/// Behind lgc-lower-calls, which marks what may be inlined and refuses recursion. Functions with
/// debug information are left alone: their lines need to know what they are inlined at.
///   before: entry: %a = call float @f(float %x)            @f(%y): %r = fneg %y; ret %r
///           ret void
///   after:  entry: br label %0     0: %r = fneg %x; br label %1     1: ret void
#include "lgc/lowering/Passes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {
namespace {

/// The only call of a function that may move, or null.
CallInst *onlyCall(Function &function) {
  if (function.isDeclaration() || !function.hasLocalLinkage() ||
      !function.hasFnAttribute(Attribute::AlwaysInline) || function.getSubprogram() ||
      !function.hasOneUse())
    return nullptr;
  auto *call = dyn_cast<CallInst>(*function.user_begin());
  const bool isPlain = call && call->getCalledFunction() == &function &&
                       call->getFunction() != &function && !call->hasOperandBundles() &&
                       call->getFunctionType() == function.getFunctionType() &&
                       !call->isMustTailCall();
  return isPlain ? call : nullptr;
}

/// Variables of a function live as long as the one that it moves to.
void moveVariables(Function &from, Function &to) {
  const auto place = to.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  for (Instruction &inst : make_early_inc_range(from.getEntryBlock()))
    if (auto *variable = dyn_cast<AllocaInst>(&inst); variable && variable->isStaticAlloca())
      variable->moveBefore(to.getEntryBlock(), place);
}

void moveIntoCaller(Function &function, CallInst &call) {
  Function &caller = *call.getFunction();
  for (auto [parameter, argument] : zip_equal(function.args(), call.args()))
    parameter.replaceAllUsesWith(argument);
  moveVariables(function, caller);
  BasicBlock *before = call.getParent();
  BasicBlock *behind = before->splitBasicBlock(call.getIterator());
  before->getTerminator()->setSuccessor(0, &function.getEntryBlock());
  SmallVector<ReturnInst *, 4> returns;
  for (BasicBlock &block : function)
    if (auto *end = dyn_cast<ReturnInst>(block.getTerminator()))
      returns.push_back(end);
  caller.splice(behind->getIterator(), &function);
  Value *result = nullptr;
  if (!call.getType()->isVoidTy() && returns.size() > 1) {
    auto *merged = PHINode::Create(call.getType(), returns.size(), "", behind->begin());
    for (ReturnInst *end : returns)
      merged->addIncoming(end->getReturnValue(), end->getParent());
    result = merged;
  } else if (!call.getType()->isVoidTy()) {
    result = returns.empty() ? PoisonValue::get(call.getType()) : returns[0]->getReturnValue();
  }
  for (ReturnInst *end : returns) {
    BranchInst::Create(behind, end->getIterator());
    end->eraseFromParent();
  }
  if (result)
    call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

} // namespace

PreservedAnalyses OptInlineOncePass::run(Module &module, ModuleAnalysisManager &) {
  bool changed = false;
  for (Function &function : make_early_inc_range(module))
    if (CallInst *call = onlyCall(function)) {
      moveIntoCaller(function, *call);
      function.eraseFromParent();
      changed = true;
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace lgc
