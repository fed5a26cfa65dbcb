//===- LowerWorkgroupGlobals.cpp - zero initialisation of LDS -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// LDS has no initial content. A Workgroup variable with a zero initializer is cleared at the start
/// of the entry function that uses it by all invocations together, then a barrier follows. Runs
/// before lgc-lower-builtins (asks for LocalInvocationIndex).
///   before: @v = internal addrspace(3) global [256 x i32] zeroinitializer
///   after:  @v = internal addrspace(3) global [256 x i32] poison
///           for (i = local index; i < 256; i += invocations) store 0 to dword i; barrier
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/memory/GlobalUses.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace lgc {
namespace {

/// Clears `dwords` dwords from `variable` on, before `next`. One invocation clears every
/// `threads`-th dword; when all have the same few to clear there is no loop.
void emitClear(Instruction *next, GlobalVariable *variable, Value *index, uint64_t dwords,
               uint64_t threads) {
  IRBuilder<> b(next);
  auto store = [&](IRBuilder<> &at, Value *dword) {
    at.CreateAlignedStore(at.getInt32(0), at.CreateGEP(at.getInt32Ty(), variable, dword), Align(4));
  };
  uint64_t rounds = dwords / threads;
  constexpr uint64_t unrollLimit = 4;
  if (rounds > unrollLimit) {
    BasicBlock *before = next->getParent();
    BasicBlock *after = before->splitBasicBlock(next->getIterator(), "cleared");
    BasicBlock *body = BasicBlock::Create(b.getContext(), "clear", before->getParent(), after);
    before->getTerminator()->setSuccessor(0, body);
    IRBuilder<> loop(body);
    PHINode *dword = loop.CreatePHI(loop.getInt32Ty(), 2);
    store(loop, dword);
    Value *following = loop.CreateAdd(dword, loop.getInt32(static_cast<uint32_t>(threads)));
    dword->addIncoming(index, before);
    dword->addIncoming(following, body);
    loop.CreateCondBr(loop.CreateICmpULT(following, loop.getInt32(static_cast<uint32_t>(dwords))),
                      body, after);
    return;
  }
  for (uint64_t i = 0; i < rounds; ++i)
    store(b, b.CreateAdd(index, b.getInt32(static_cast<uint32_t>(i * threads))));
  if (dwords == rounds * threads)
    return;
  Value *last = b.CreateAdd(index, b.getInt32(static_cast<uint32_t>(rounds * threads)));
  Value *inside = b.CreateICmpULT(last, b.getInt32(static_cast<uint32_t>(dwords)));
  Instruction *then = SplitBlockAndInsertIfThen(inside, next->getIterator(), false);
  IRBuilder<> guarded(then);
  store(guarded, last);
}

/// Moves all allocas of `block` to its top and returns the instruction behind them. Why: the block
/// is split, and an alloca outside the entry block is a dynamic one, which no pass promotes to
/// registers and whose scratch grows with every execution.
Instruction *gatherAllocas(BasicBlock &block) {
  Instruction *next = &*block.getFirstNonPHIOrDbgOrAlloca();
  for (Instruction &inst : make_early_inc_range(make_range(next->getIterator(), block.end())))
    if (auto *alloca = dyn_cast<AllocaInst>(&inst); alloca && isa<Constant>(alloca->getArraySize()))
      alloca->moveBefore(next->getIterator());
  return next;
}

/// Makes `variables` poison and clears them at the start of `entry`, which all invocations do
/// together.
void clearAll(ArrayRef<GlobalVariable *> variables, Function &entry, const ShaderState &shader) {
  const Module &module = *entry.getParent();
  const auto &size = shader.workgroupSize;
  uint64_t threads = std::max<uint64_t>(uint64_t(size[0]) * size[1] * size[2], 1);
  Instruction *next = gatherAllocas(entry.getEntryBlock());
  IRBuilder<> b(next);
  Value *index =
      createOp(b, OpId::BuiltinOp, b.getInt32Ty(),
               {b.getInt32(static_cast<uint32_t>(BuiltIn::LocalInvocationIndex))}, "local.index");
  for (GlobalVariable *variable : variables) {
    uint64_t bytes = module.getDataLayout().getTypeAllocSize(variable->getValueType());
    // Why: dword stores; what lies behind an odd size is padding or equally undefined.
    variable->setAlignment(std::max(variable->getAlign().valueOrOne(), Align(4)));
    emitClear(next, variable, index, (bytes + 3) / 4, threads);
  }
  b.SetInsertPoint(next);
  SyncScope::ID workgroup = entry.getContext().getOrInsertSyncScopeID("workgroup");
  b.CreateFence(AtomicOrdering::Release, workgroup);
  b.CreateIntrinsic(Intrinsic::amdgcn_s_barrier, {});
  b.CreateFence(AtomicOrdering::Acquire, workgroup);
}

} // namespace

PreservedAnalyses LowerWorkgroupGlobalsPass::run(Module &module, ModuleAnalysisManager &mam) {
  SmallVector<GlobalVariable *, 4> variables;
  for (GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() != AddrSpace::Local || !variable.hasInitializer() ||
        isa<UndefValue>(variable.getInitializer()))
      continue;
    if (!variable.getInitializer()->isNullValue())
      reportError(module.getContext(), internalError("workgroup variable '" + variable.getName() +
                                                     "' has an initializer other than zero"));
    else
      variables.push_back(&variable);
  }
  if (variables.empty())
    return PreservedAnalyses::all();
  const StateAnalysis::Result &state = mam.getResult<StateAnalysis>(module);
  for (GlobalVariable *variable : variables)
    variable->setInitializer(PoisonValue::get(variable->getValueType()));
  for (Function *entry : entryFunctions(module)) {
    std::optional<ShaderStage> stage = shaderStageOf(*entry);
    if (!stage || !hasWorkgroups(*stage))
      continue;
    SmallVector<GlobalVariable *, 4> used;
    for (GlobalVariable *variable : variables)
      if (isUsedIn(*variable, *entry))
        used.push_back(variable);
    if (!used.empty())
      clearAll(used, *entry, state->shader(*stage));
  }
  return PreservedAnalyses::none();
}

} // namespace lgc
