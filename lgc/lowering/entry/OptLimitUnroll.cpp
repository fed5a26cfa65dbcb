//===- OptLimitUnroll.cpp - unrolling only where it pays ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Gives loops that touch no private array an unroll threshold of our own. LLVM's AMDGPU target
/// raises its threshold to 1,000 for loops with LDS accesses, and a shader's hint raises it to
/// 16,384, which makes sorting networks many times larger and slower to compile than they need be.
/// Loops over private arrays keep LLVM's thresholds: unrolling turns the array into registers. With
/// arrays of 33 to 64 dwords, as the schedule of SHA-256, they get a higher one: nothing else does.
/// Around another loop and a barrier a hint is a bad trade altogether: iterations cannot overlap,
/// and each copy brings an inner loop, which is many basic blocks. There it is dropped. A graphics
/// shader that wants no unrolling at all says so with a function attribute (a module holds several
/// shaders). Runs before the loop unroller.
///   before: br i1 %c, label %loop, label %exit
///   after:  br i1 %c, label %loop, label %exit, !llvm.loop !0
///           !0 = distinct !{!0, !1}   !1 = !{!"amdgpu.loop.unroll.threshold", i32 N}
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/entry/HardwareFunction.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace lgc {
namespace {

/// In LLVM's code size units; about one machine instruction each.
constexpr uint32_t barrierThreshold = 100, defaultThreshold = 300, hintedThreshold = 1000,
                   arrayThreshold = 4000;

bool hasBarrier(const Loop &loop) {
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &inst : *block)
      if (const auto *call = dyn_cast<IntrinsicInst>(&inst))
        if (call->getIntrinsicID() == Intrinsic::amdgcn_s_barrier)
          return true;
  return false;
}

/// Whether the loop accesses private memory, and an array there that is too large for what makes
/// registers of arrays with computed indices, but not for registers.
struct PrivateUse {
  bool any = false, largeArray = false;
};

PrivateUse privateUseOf(const Loop &loop) {
  constexpr uint64_t leastBytes = 32 * 4 + 1, mostBytes = 64 * 4;
  PrivateUse use;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &inst : *block) {
      const Value *pointer = getLoadStorePointerOperand(&inst);
      if (!pointer || pointer->getType()->getPointerAddressSpace() != 5)
        continue;
      use.any = true;
      const auto *array = dyn_cast<AllocaInst>(getUnderlyingObject(pointer));
      const auto size = array ? array->getAllocationSize(inst.getDataLayout()) : std::nullopt;
      use.largeArray |= size && *size >= leastBytes && *size <= mostBytes;
    }
  return use;
}

} // namespace

PreservedAnalyses OptLimitUnrollPass::run(Function &function, FunctionAnalysisManager &fam) {
  LLVMContext &context = function.getContext();
  if (function.hasFnAttribute(noUnrollAttribute)) {
    for (Loop *loop : fam.getResult<LoopAnalysis>(function).getLoopsInPreorder())
      loop->setLoopAlreadyUnrolled(); // the unroller's own mark
    return PreservedAnalyses::all();
  }
  for (Loop *loop : fam.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    bool hinted = findOptionMDForLoop(loop, "llvm.loop.unroll.enable") != nullptr;
    const bool aroundBarrier = !loop->isInnermost() && hasBarrier(*loop);
    if (hinted && aroundBarrier) {
      loop->setLoopID(nullptr);
      hinted = false;
    }
    const PrivateUse use = privateUseOf(*loop);
    if ((loop->getLoopID() && !hinted) || (use.any && !use.largeArray))
      continue;
    const uint32_t threshold = use.largeArray  ? arrayThreshold
                               : hinted        ? hintedThreshold
                               : aroundBarrier ? barrierThreshold
                                               : defaultThreshold;
    Metadata *limit[] = {
        MDString::get(context, "amdgpu.loop.unroll.threshold"),
        ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), threshold))};
    MDNode *id = MDNode::getDistinct(context, {nullptr, MDNode::get(context, limit)});
    id->replaceOperandWith(0, id);
    loop->setLoopID(id);
  }
  return PreservedAnalyses::all();
}

} // namespace lgc
