//===- OptInlineOnce.cpp - functions with one call move into their caller -===//
// SPDX-License-Identifier: MIT
/// \file
/// A function that is called once needs no copy: its blocks move to where the call is. LLVM's
/// always-inline, which copies each instruction, is 5 % of a cold compile of graphics pipelines
/// whose shaders consist of functions; it is left with those that are called more often.
///
/// Behind lgc-lower-calls, which marks what may be inlined and refuses recursion. With debug
/// information, lines get to know what they are inlined at, as LLVM's pass has it.
///   before: %a = call float @f(float %x); store %a        @f(%y): %r = fneg %y; ret %r
///   after:  %r = fneg %x; store %r
#include "lgc/lowering/Passes.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {
namespace {

/// Parameters that are values, and ends that are ordinary returns.
bool isPlain(const Function &function) {
  return none_of(function.args(),
                 [](const Argument &a) { return a.hasPassPointeeByValueCopyAttr(); }) &&
         none_of(function, [](const BasicBlock &b) { return b.getTerminatingMustTailCall(); });
}

/// The only call of a function that may move, or null.
CallInst *onlyCall(Function &function) {
  if (function.isDeclaration() || !function.hasLocalLinkage() ||
      !function.hasFnAttribute(Attribute::AlwaysInline) || !function.hasOneUse() ||
      !isPlain(function))
    return nullptr;
  auto *call = dyn_cast<CallInst>(*function.user_begin());
  const bool mayMove = call && call->getCalledFunction() == &function &&
                       call->getFunction() != &function && !call->hasOperandBundles() &&
                       call->getFunctionType() == function.getFunctionType() &&
                       !call->isMustTailCall();
  return mayMove ? call : nullptr;
}

/// Lines, and what is said of variables, of a function that moves to where \p call is.
void moveLines(Function &function, const CallInst &call) {
  const bool isKnown = call.getFunction()->getSubprogram() && call.getDebugLoc();
  if (!isKnown && !function.getSubprogram())
    return;
  LLVMContext &context = function.getContext();
  DILocation *const at =
      isKnown ? DILocation::getDistinct(context, call.getDebugLoc().getLine(),
                                        call.getDebugLoc().getCol(), call.getDebugLoc().getScope(),
                                        call.getDebugLoc().getInlinedAt())
              : nullptr;
  DenseMap<const MDNode *, MDNode *> cache;
  auto moved = [&](const DebugLoc &line) {
    if (!line || !at)
      return DebugLoc();
    return DebugLoc(DILocation::get(context, line.getLine(), line.getCol(), line.getScope(),
                                    DebugLoc::appendInlinedAt(line, at, context, cache)));
  };
  for (Instruction &inst : instructions(function)) {
    inst.setDebugLoc(moved(inst.getDebugLoc()));
    for (DbgVariableRecord &variable : filterDbgVars(inst.getDbgRecordRange())) {
      variable.setDebugLoc(moved(variable.getDebugLoc()));
      for (auto [parameter, argument] : zip_equal(function.args(), call.args()))
        variable.replaceVariableLocationOp(&parameter, argument, /*AllowEmpty=*/true);
    }
  }
}

/// Variables of a function live as long as the one that it moves to.
void moveVariables(Function &from, Function &to) {
  const auto place = to.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  for (Instruction &inst : make_early_inc_range(from.getEntryBlock()))
    if (auto *variable = dyn_cast<AllocaInst>(&inst); variable && variable->isStaticAlloca())
      variable->moveBefore(to.getEntryBlock(), place);
}

/// "tail" says that what is called knows none of the function's variables; it may know the
/// caller's.
void dropTailMarks(Function &function) {
  for (Instruction &inst : instructions(function))
    if (auto *inner = dyn_cast<CallInst>(&inst); inner && inner->isTailCall())
      inner->setTailCallKind(CallInst::TCK_None);
}

/// Ends \p block with what \p next consists of, which nothing else leads to.
void append(BasicBlock &block, BasicBlock &next) {
  block.splice(block.end(), &next);
  block.replaceSuccessorsPhiUsesWith(&next, &block);
  next.eraseFromParent();
}

/// In no more steps than the shorter one has.
bool isShorter(const BasicBlock &block, const BasicBlock &other) {
  auto at = block.begin(), otherAt = other.begin();
  for (; at != block.end() && otherAt != other.end(); ++at, ++otherAt)
    ;
  return at == block.end() && otherAt != other.end();
}

/// Joins two blocks, of which nothing but the end of the first, which it lacks, leads to the
/// second. The shorter one moves: a caller grows with each function that moves into it.
void join(BasicBlock &first, BasicBlock &second) {
  if (first.isEntryBlock() || !isShorter(first, second))
    return append(first, second);
  second.splice(second.begin(), &first);
  second.takeName(&first);
  first.replaceAllUsesWith(&second);
  first.eraseFromParent();
}

/// What a function of a single block consists of goes in front of the call, and nothing else moves.
void moveBlock(BasicBlock &only, CallInst &call) {
  auto *end = cast<ReturnInst>(only.getTerminator());
  Value *result = end->getReturnValue();
  end->eraseFromParent();
  call.getParent()->splice(call.getIterator(), &only);
  if (!call.getType()->isVoidTy()) // only unreachable code has a value that comes from itself
    call.replaceAllUsesWith(result && result != &call ? result : PoisonValue::get(call.getType()));
  call.eraseFromParent();
}

void moveIntoCaller(Function &function, CallInst &call) {
  Function &caller = *call.getFunction();
  moveLines(function, call);
  dropTailMarks(function);
  for (auto [parameter, argument] : zip_equal(function.args(), call.args()))
    parameter.replaceAllUsesWith(argument);
  moveVariables(function, caller);
  if (function.size() == 1 && isa<ReturnInst>(function.front().getTerminator()))
    return moveBlock(function.front(), call);
  BasicBlock &before = *call.getParent();
  BasicBlock &behind = *before.splitBasicBlock(call.getIterator());
  before.getTerminator()->eraseFromParent();
  BasicBlock &entry = function.getEntryBlock();
  caller.splice(behind.getIterator(), &function);
  SmallVector<ReturnInst *, 4> returns;
  for (auto block = entry.getIterator(); &*block != &behind; ++block)
    if (auto *end = dyn_cast<ReturnInst>(block->getTerminator()))
      returns.push_back(end);
  append(before, entry);
  Value *result = nullptr;
  if (!call.getType()->isVoidTy() && returns.size() > 1) {
    auto *merged = PHINode::Create(call.getType(), returns.size(), "", behind.begin());
    for (ReturnInst *end : returns)
      merged->addIncoming(end->getReturnValue(), end->getParent());
    result = merged;
  } else if (!call.getType()->isVoidTy() && returns.size() == 1) {
    result = returns[0]->getReturnValue();
  }
  if (!call.getType()->isVoidTy()) // only unreachable code has a value that comes from itself
    call.replaceAllUsesWith(result && result != &call ? result : PoisonValue::get(call.getType()));
  call.eraseFromParent();
  BasicBlock *const last = returns.size() == 1 ? returns[0]->getParent() : nullptr;
  for (ReturnInst *end : returns) {
    if (!last)
      BranchInst::Create(&behind, end->getIterator())->setDebugLoc(end->getDebugLoc());
    end->eraseFromParent();
  }
  if (last)
    join(*last, behind);
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
