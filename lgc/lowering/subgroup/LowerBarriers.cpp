//===- LowerBarriers.cpp - control.barrier -> barrier instructions --------===//
// SPDX-License-Identifier: MIT
/// \file
/// Lowers execution barriers; memory ordering stands next to them as LLVM fences. A barrier of a
/// workgroup that is one wave costs nothing: LLVM sees that from amdgpu-flat-work-group-size. Runs
/// before the optimiser, which must not move it either way (convergent, with side effects).
///   before: call void @lgc.control.barrier__void_i32(i32 1)      ; ExecScope::Workgroup
///   after:  call void @llvm.amdgcn.s.barrier()
#include "lgc/Ops.h"
#include "lgc/lowering/Passes.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {

PreservedAnalyses LowerBarriersPass::run(Module &module, ModuleAnalysisManager &) {
  if (!hasOp(module, OpId::ControlBarrierOp))
    return PreservedAnalyses::all();
  forEachOp(module, OpId::ControlBarrierOp, [&](CallInst &call) {
    IRBuilder<> b(&call);
    switch (static_cast<ExecScope>(cast<ControlBarrierOp>(call).constArg(0))) {
    case ExecScope::Subgroup:
      // The lanes of a wave run in lock step; only the compiler must not reorder.
      b.CreateIntrinsic(Intrinsic::amdgcn_wave_barrier, {});
      break;
    case ExecScope::Workgroup:
      b.CreateIntrinsic(Intrinsic::amdgcn_s_barrier, {});
      break;
    default:
      reportError(module.getContext(),
                  invalidInput("control barrier of a scope wider than the workgroup"));
    }
    call.eraseFromParent();
  });
  return PreservedAnalyses::none();
}

} // namespace lgc
