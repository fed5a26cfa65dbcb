//===- Seam.cpp - where glue and part meet --------------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/glue/Seam.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {

namespace {

// Fields of the operand of s_waitcnt_depctr, each 0 where it waits: bit 0 sa_sdst (scalar results),
// bits 2 to 4 vm_vsrc (operands of vector memory instructions), bits 12 to 15 va_vdst (vector
// results).
constexpr StringLiteral waitForOperands = "s_waitcnt_depctr 0xffe2";
constexpr StringLiteral waitForResults = "s_waitcnt_depctr 0xffe";
constexpr StringLiteral waitForStores = "s_waitcnt_vscnt null, 0";

bool isGfx101(const pal::abi::GpuTarget &gpu) { return gpu.major == 10 && gpu.minor < 3; }

bool needsResults(const pal::abi::GpuTarget &gpu, unsigned waveSize) {
  return gpu.major == 11 && (gpu.minor == 0 || waveSize == 64);
}

/// Nothing is moved across them.
void emit(IRBuilder<> &b, ArrayRef<StringRef> instructions) {
  b.CreateIntrinsic(Intrinsic::amdgcn_sched_barrier, {b.getInt32(0)});
  FunctionType *type = FunctionType::get(b.getVoidTy(), false);
  for (StringRef instruction : instructions)
    b.CreateCall(InlineAsm::get(type, instruction, "", /*hasSideEffects=*/true));
  b.CreateIntrinsic(Intrinsic::amdgcn_sched_barrier, {b.getInt32(0)});
}

} // namespace

void endInFrontOfPart(IRBuilder<> &b, StringRef target, unsigned waveSize,
                      MutableArrayRef<Value *> values) {
  const pal::abi::GpuTarget *gpu = pal::abi::findTarget(target);
  if (!gpu)
    return;
  if (isGfx101(*gpu))
    return emit(b, {waitForStores, waitForOperands});
  if (!needsResults(*gpu, waveSize))
    return;
  for (Value *&value : values)
    if (isa<Constant>(value) && !isa<UndefValue>(value)) {
      FunctionType *keep = FunctionType::get(value->getType(), {value->getType()}, false);
      value = b.CreateCall(InlineAsm::get(keep, "", "=v,0", /*hasSideEffects=*/true), {value});
    }
  emit(b, {waitForResults});
}

void beginBehindPart(IRBuilder<> &b, StringRef target, unsigned waveSize, bool writesScalars) {
  const pal::abi::GpuTarget *gpu = pal::abi::findTarget(target);
  if (!gpu)
    return;
  if (needsResults(*gpu, waveSize))
    return emit(b, {waitForResults});
  if (!writesScalars)
    return;
  if (isGfx101(*gpu))
    return emit(b, {waitForOperands});
  // After so many of them the hardware has forgotten which SGPRs were read.
  if (gpu->major >= 12)
    emit(b, SmallVector<StringRef, 8>(waveSize == 64 ? 8 : 4, "ds_nop"));
}

} // namespace lgc
