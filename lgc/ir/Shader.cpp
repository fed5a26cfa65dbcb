//===- Shader.cpp - module set-up and wave size ---------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/Shader.h"
#include "lgc/CompileError.h"
#include "lgc/StateMetadata.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace lgc {

StringRef targetTriple() { return "amdgcn-amd-amdpal"; }

StringRef dataLayoutString() {
  // LLVM 22's AMDGPU layout, as Triple::computeDataLayout() gives it (ShaderTest checks that).
  return "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-"
         "p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-"
         "v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9";
}

Function *findEntryFunction(Module &module) {
  Function *function = module.getFunction(entryFunctionName);
  if (!function)
    function = module.getFunction(pal::abi::entryPointSymbol(pal::abi::HardwareStage::Cs));
  return function && !function->isDeclaration() ? function : nullptr;
}

Error prepareModule(Module &module, const PipelineState &state) {
  if (!pal::abi::findTarget(state.target))
    return invalidInput("unknown target '" + state.target + "'");
  const Function *entry = findEntryFunction(module);
  if (!entry || !entry->arg_empty() || !entry->getReturnType()->isVoidTy())
    return invalidInput("module has no entry function 'void @" + entryFunctionName + "()'");
  module.setTargetTriple(Triple(targetTriple()));
  module.setDataLayout(dataLayoutString());
  writeState(module, state);
  return Error::success();
}

uint32_t chooseWaveSize(const PipelineState &state) {
  const ComputeShaderState &compute = state.compute;
  if (compute.waveSize)
    return compute.waveSize;
  if (compute.subgroupSize == 32 || compute.subgroupSize == 64)
    return compute.subgroupSize;
  // Why: a workgroup of at most 32 invocations would leave half of a wave64 idle.
  uint64_t threads = 1;
  for (uint32_t size : compute.workgroupSize)
    threads *= size;
  if (threads <= 32)
    return 32;
  // Why 64 on every generation: it is what AMD's driver reports as subgroup size and what
  // applications are tuned for; a wave64 instruction issues over two cycles, so half as many waves
  // hide the same latency with one copy of the scalar work.
  return 64;
}

} // namespace lgc
