//===- LowerReconverge.cpp - a condition that LLVM cannot fold ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// lgc.reconverge.true closes loops that SPIR-V wants kept as they are. It becomes a comparison of
/// the program counter with zero. Runs after everything that could fold the condition or move code
/// out of the loop; until then the operation itself is the better opaque value.
///   before: %t = call i1 @lgc.reconverge.true__i1()
///   after:  %pc = call i64 @llvm.amdgcn.s.getpc()
///           %t = icmp ne i64 %pc, 0
#include "lgc/Ops.h"
#include "lgc/lowering/Passes.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {

PreservedAnalyses LowerReconvergePass::run(Module &module, ModuleAnalysisManager &) {
  if (!hasOp(module, OpId::ReconvergeTrueOp))
    return PreservedAnalyses::all();
  forEachOp(module, OpId::ReconvergeTrueOp, [&](CallInst &call) {
    IRBuilder<> b(&call);
    Value *counter = b.CreateIntrinsic(b.getInt64Ty(), Intrinsic::amdgcn_s_getpc, {});
    call.replaceAllUsesWith(b.CreateICmpNE(counter, b.getInt64(0)));
    call.eraseFromParent();
  });
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace lgc
