//===- MergedStage.cpp - two shaders in one hardware stage ----------------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/entry/MergedStage.h"
#include "lgc/CompileError.h"
#include "lgc/lowering/entry/HardwareFunction.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/MemoryModelRelaxationAnnotations.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace lgc {
namespace {

/// A subprogram that the halves' locations are inlined into; null without debug information.
DISubprogram *createSubprogram(Function &function, ArrayRef<Function *> halves) {
  for (Function *half : halves) {
    DISubprogram *inner = half->getSubprogram();
    if (!inner)
      continue;
    DIBuilder builder(*function.getParent(), /*AllowUnresolved=*/false, inner->getUnit());
    DISubprogram *outer =
        builder.createFunction(inner->getUnit(), function.getName(), "", inner->getFile(), 0,
                               builder.createSubroutineType(builder.getOrCreateTypeArray({})), 0,
                               DINode::FlagArtificial, DISubprogram::SPFlagDefinition);
    builder.finalizeSubprogram(outer);
    return outer;
  }
  return nullptr;
}

} // namespace

Function *createMergedFunction(Module &module, const PipelineState &state,
                               pal::abi::HardwareStage stage, ArrayRef<Function *> halves) {
  Function &result = createHardwareFunction(module, state, stage);
  // At the place of what it is made of: stages keep their order in the code.
  result.removeFromParent();
  module.getFunctionList().insert(halves.front()->getIterator(), &result);
  result.setSubprogram(createSubprogram(result, halves));
  IRBuilder<> b(BasicBlock::Create(module.getContext(), "entry", &result));
  b.CreateIntrinsic(Intrinsic::amdgcn_init_exec, {}, {b.getInt64(~0ull)});
  b.CreateRetVoid();
  return &result;
}

void inlineHalf(IRBuilder<> &b, Function &half) {
  Instruction *next = &*b.GetInsertPoint();
  CallInst *call = b.CreateCall(&half);
  if (DISubprogram *outer = next->getFunction()->getSubprogram())
    call->setDebugLoc(DILocation::get(b.getContext(), 0, 0, outer));
  // Convergence: InlineFunction keeps the calls of the half as they are.
  InlineFunctionInfo info;
  InlineResult result = InlineFunction(*call, info);
  KILN_CHECK(result.isSuccess(), "a half of a merged stage cannot be inlined");
  KILN_CHECK(half.use_empty(), "a shader of a merged stage is called");
  half.eraseFromParent();
  b.SetInsertPoint(next);
}

Instruction *beginGuarded(IRBuilder<> &b, Value *condition, const char *name) {
  Instruction *next = &*b.GetInsertPoint();
  Instruction *then = SplitBlockAndInsertIfThen(condition, next->getIterator(), false);
  then->getParent()->setName(name);
  next->getParent()->setName(Twine(name) + ".end");
  b.SetInsertPoint(then);
  return next;
}

Value *createLaneId(IRBuilder<> &b, unsigned waveSize) {
  CallInst *lane =
      b.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_lo, {}, {b.getInt32(~0u), b.getInt32(0)});
  if (waveSize == 64)
    lane = b.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_hi, {}, {b.getInt32(~0u), lane});
  lane->addRangeRetAttr(ConstantRange(APInt(32, 0), APInt(32, waveSize)));
  lane->setName("lane");
  return lane;
}

Value *createHasThread(IRBuilder<> &b, Value *info, unsigned shift, Value *lane) {
  Value *threads = b.CreateAnd(shift ? b.CreateLShr(info, shift) : info, 0xFF);
  return b.CreateICmpULT(lane, threads);
}

void createLdsBarrier(IRBuilder<> &b, bool wholeGroup) {
  LLVMContext &context = b.getContext();
  SyncScope::ID scope = context.getOrInsertSyncScopeID(wholeGroup ? "workgroup" : "wavefront");
  // Only LDS: stores to rings may still be under way.
  MDNode *onlyLds = MMRAMetadata::getTagMD(context, "amdgpu-synchronize-as", "local");
  auto fence = [&](AtomicOrdering ordering) {
    b.CreateFence(ordering, scope)->setMetadata(LLVMContext::MD_mmra, onlyLds);
  };
  fence(AtomicOrdering::Release);
  b.CreateIntrinsic(wholeGroup ? Intrinsic::amdgcn_s_barrier : Intrinsic::amdgcn_wave_barrier, {});
  fence(AtomicOrdering::Acquire);
}

} // namespace lgc
