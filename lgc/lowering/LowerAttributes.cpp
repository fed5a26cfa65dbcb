//===- LowerAttributes.cpp - pipeline state -> function attributes --------===//
// SPDX-License-Identifier: MIT
/// \file
/// What LLVM wants to know about the target and the shader modes it reads from function attributes.
/// Runs first, because analyses (target costs, subtarget) ask for them.
///   before: define void @lgc.shader.CS()            !lgc.target = !{!{!"gfx1100"}}
///   after:  define void @lgc.shader.CS() "target-cpu"="gfx1100"
///   "target-features"="+wavefrontsize64,-real-true16"
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {
namespace {

StringRef denormalMode(bool flush) { return flush ? "preserve-sign,preserve-sign" : "ieee,ieee"; }

bool hasWorkgroups(ShaderStage stage) {
  return stage == ShaderStage::Compute || stage == ShaderStage::Task || stage == ShaderStage::Mesh;
}

/// Attributes of the shader `stage`, compiled for `waveSize`.
AttrBuilder shaderAttributes(LLVMContext &context, const PipelineState &state, ShaderStage stage,
                             uint32_t waveSize) {
  const ShaderState &shader = state.shader(stage);
  AttrBuilder attrs(context);
  attrs.addAttribute("target-cpu", state.target);
  // Why -real-true16 (gfx11 and later have it by default): LLVM 22 loses uniform 16-bit values that
  // cross basic blocks with it; see docs/hw-notes.md. Why nothing else: LLVM caches a subtarget per
  // string, 1.3 ms each.
  attrs.addAttribute("target-features", waveSize == 32 ? "+wavefrontsize32,-real-true16"
                                                       : "+wavefrontsize64,-real-true16");
  attrs.addAttribute("denormal-fp-math-f32", denormalMode(shader.fp32.flushDenorms));
  // fp16 and fp64 share one hardware mode (.float_mode).
  attrs.addAttribute("denormal-fp-math",
                     denormalMode(shader.fp16.flushDenorms || shader.fp64.flushDenorms));
  if (hasWorkgroups(stage)) {
    const auto &size = shader.workgroupSize;
    std::string threads = std::to_string(size[0] * size[1] * size[2]);
    attrs.addAttribute("amdgpu-flat-work-group-size", threads + "," + threads);
    attrs.addAttribute("uniform-work-group-size", "true");
  }
  if (shader.vgprLimit)
    attrs.addAttribute("amdgpu-num-vgpr", std::to_string(shader.vgprLimit));
  if (shader.sgprLimit)
    attrs.addAttribute("amdgpu-num-sgpr", std::to_string(shader.sgprLimit));
  if (shader.wavesPerEu)
    attrs.addAttribute("amdgpu-waves-per-eu", std::to_string(shader.wavesPerEu));
  return attrs;
}

/// Gives `attrs` to `function` and to everything that it calls. A front end makes callees for each
/// shader apart, so none has two callers of different stages.
void addAttributes(Function &function, const AttrBuilder &attrs, DenseSet<Function *> &done) {
  SmallVector<Function *, 8> worklist{&function};
  while (!worklist.empty()) {
    Function *next = worklist.pop_back_val();
    if (!done.insert(next).second)
      continue;
    next->addFnAttrs(attrs);
    for (Instruction &inst : instructions(*next))
      if (auto *call = dyn_cast<CallBase>(&inst))
        if (Function *callee = call->getCalledFunction(); callee && !callee->isDeclaration())
          worklist.push_back(callee);
  }
}

} // namespace

PreservedAnalyses LowerAttributesPass::run(Module &module, ModuleAnalysisManager &mam) {
  const StateAnalysis::Result &state = mam.getResult<StateAnalysis>(module);
  DenseSet<Function *> done;
  for (Function *entry : entryFunctions(module)) {
    std::optional<ShaderStage> stage = shaderStageOf(*entry);
    addAttributes(*entry,
                  shaderAttributes(module.getContext(), state.state,
                                   stage.value_or(ShaderStage::Compute),
                                   waveSizeOf(*entry, state.state)),
                  done);
  }
  return PreservedAnalyses::none();
}

} // namespace lgc
