//===- Seam.cpp - where glue and part meet --------------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/glue/Seam.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {

void waitAtSeam(IRBuilder<> &b, StringRef target, unsigned waveSize,
                MutableArrayRef<Value *> values) {
  const pal::abi::GpuTarget *gpu = pal::abi::findTarget(target);
  if (!gpu || gpu->major != 11 || (gpu->minor != 0 && waveSize != 64))
    return;
  for (Value *&value : values)
    if (isa<Constant>(value) && !isa<UndefValue>(value)) {
      FunctionType *keep = FunctionType::get(value->getType(), {value->getType()}, false);
      value = b.CreateCall(InlineAsm::get(keep, "", "=v,0", /*hasSideEffects=*/true), {value});
    }
  b.CreateIntrinsic(Intrinsic::amdgcn_sched_barrier, {b.getInt32(0)});
  // va_vdst(0), sa_sdst(0)
  FunctionType *type = FunctionType::get(b.getVoidTy(), false);
  b.CreateCall(InlineAsm::get(type, "s_waitcnt_depctr 0xffe", "", /*hasSideEffects=*/true));
  b.CreateIntrinsic(Intrinsic::amdgcn_sched_barrier, {b.getInt32(0)});
}

} // namespace lgc
