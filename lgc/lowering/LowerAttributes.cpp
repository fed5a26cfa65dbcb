//===- LowerAttributes.cpp - pipeline state -> function attributes --------===//
// SPDX-License-Identifier: MIT
/// \file
/// What LLVM wants to know about the target and the shader modes it reads from function attributes.
/// Runs first, because analyses (target costs, subtarget) ask for them.
///   before: define void @lgc.shader.CS()            !lgc.target = !{!{!"gfx1100"}}
///   after:  define void @lgc.shader.CS() "target-cpu"="gfx1100"
///   "target-features"="+wavefrontsize64,-real-true16"
#include "lgc/lowering/Passes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {
namespace {

StringRef denormalMode(bool flush) { return flush ? "preserve-sign,preserve-sign" : "ieee,ieee"; }

} // namespace

PreservedAnalyses LowerAttributesPass::run(Module &module, ModuleAnalysisManager &mam) {
  const StateAnalysis::Result &state = mam.getResult<StateAnalysis>(module);
  const ComputeShaderState &compute = state->compute;
  AttrBuilder attrs(module.getContext());
  attrs.addAttribute("target-cpu", state->target);
  // Why -real-true16 (gfx11 and later have it by default): LLVM 22 loses uniform 16-bit values that
  // cross basic blocks with it; see docs/hw-notes.md. Why nothing else: LLVM caches a subtarget per
  // string, 1.3 ms each.
  attrs.addAttribute("target-features", state.waveSize == 32 ? "+wavefrontsize32,-real-true16"
                                                             : "+wavefrontsize64,-real-true16");
  attrs.addAttribute("denormal-fp-math-f32", denormalMode(compute.fp32.flushDenorms));
  // fp16 and fp64 share one hardware mode (.float_mode).
  attrs.addAttribute("denormal-fp-math",
                     denormalMode(compute.fp16.flushDenorms || compute.fp64.flushDenorms));
  const auto &size = compute.workgroupSize;
  std::string threads = std::to_string(size[0] * size[1] * size[2]);
  attrs.addAttribute("amdgpu-flat-work-group-size", threads + "," + threads);
  attrs.addAttribute("uniform-work-group-size", "true");
  if (compute.vgprLimit)
    attrs.addAttribute("amdgpu-num-vgpr", std::to_string(compute.vgprLimit));
  if (compute.sgprLimit)
    attrs.addAttribute("amdgpu-num-sgpr", std::to_string(compute.sgprLimit));
  if (compute.wavesPerEu)
    attrs.addAttribute("amdgpu-waves-per-eu", std::to_string(compute.wavesPerEu));
  for (Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttrs(attrs);
  return PreservedAnalyses::none();
}

} // namespace lgc
