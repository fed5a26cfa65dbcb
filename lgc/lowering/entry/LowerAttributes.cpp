//===- LowerAttributes.cpp - pipeline state -> function attributes --------===//
// SPDX-License-Identifier: MIT
/// \file
/// What LLVM wants to know about the target and the shader modes it reads from function attributes.
/// Runs first, because analyses (target costs, subtarget) ask for them.
///   before: define void @lgc.shader.CS()            !lgc.target = !{!{!"gfx1100"}}
///   after:  define void @lgc.shader.CS() "target-cpu"="gfx1100"
///   "target-features"="+wavefrontsize64,-real-true16,-dot7-insts"
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/arithmetic/NoContraction.h"
#include "lgc/lowering/entry/HardwareFunction.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {

using pal::abi::HardwareStage;

namespace {

StringRef denormalMode(bool flush) { return flush ? "preserve-sign,preserve-sign" : "ieee,ieee"; }

/// Lanes of the groups in which the hardware starts a stage: exactly for workgroups, else large
/// enough that LLVM keeps the barriers between waves. 0: waves have no group.
uint32_t groupLanes(const PipelineState &state, HardwareStage stage, const ShaderState &shader) {
  const auto &size = shader.workgroupSize;
  const uint32_t workgroup = size[0] * size[1] * size[2];
  if (stage == HardwareStage::Cs)
    return workgroup;
  if (stage == HardwareStage::Gs && planStages(state).hasMesh) {
    // Vertices and primitives are exported by lanes, which may be more than the invocations.
    const MeshModes &mesh = state.graphics.mesh;
    return std::max({workgroup, mesh.outputVertices, mesh.outputPrimitives});
  }
  return stage == HardwareStage::Hs || stage == HardwareStage::Gs ? mergedGroupThreads : 0;
}

} // namespace

StringRef targetFeatures(uint32_t waveSize, bool wgpMode) {
  // -real-true16 (gfx11 and later have it by default): LLVM 22 loses uniform 16-bit values that
  // cross basic blocks with it. -dot7-insts: it takes whatever stands between products of bytes for
  // an addition and makes v_dot4_u32_u8 of it (docs/hw-notes.md). Nothing that depends on the
  // shader: LLVM caches a subtarget per string, 1.3 ms each.
  if (!wgpMode)
    return waveSize == 32 ? "+wavefrontsize32,+cumode,-real-true16,-dot7-insts"
                          : "+wavefrontsize64,+cumode,-real-true16,-dot7-insts";
  return waveSize == 32 ? "+wavefrontsize32,-real-true16,-dot7-insts"
                        : "+wavefrontsize64,-real-true16,-dot7-insts";
}

AttrBuilder hardwareAttributes(LLVMContext &context, const PipelineState &state,
                               HardwareStage stage) {
  const ShaderState shader = hardwareShaderState(stage, state);
  AttrBuilder attrs(context);
  attrs.addAttribute("target-cpu", state.target);
  attrs.addAttribute("target-features",
                     targetFeatures(chooseWaveSize(state, stage), shader.wgpMode));
  attrs.addAttribute("denormal-fp-math-f32", denormalMode(shader.fp32.flushDenorms));
  // fp16 and fp64 share one hardware mode (.float_mode).
  attrs.addAttribute("denormal-fp-math",
                     denormalMode(shader.fp16.flushDenorms || shader.fp64.flushDenorms));
  if (uint32_t lanes = groupLanes(state, stage, shader)) {
    std::string threads = std::to_string(lanes);
    attrs.addAttribute("amdgpu-flat-work-group-size", threads + "," + threads);
    attrs.addAttribute("uniform-work-group-size", "true");
  }
  if (shader.disableLoopUnroll && state.isGraphics())
    attrs.addAttribute(noUnrollAttribute);
  if (shader.vgprLimit)
    attrs.addAttribute("amdgpu-num-vgpr", std::to_string(shader.vgprLimit));
  if (shader.sgprLimit)
    attrs.addAttribute("amdgpu-num-sgpr", std::to_string(shader.sgprLimit));
  if (shader.wavesPerEu)
    attrs.addAttribute("amdgpu-waves-per-eu", std::to_string(shader.wavesPerEu));
  return attrs;
}

Function &createHardwareFunction(Module &module, const PipelineState &state, HardwareStage stage) {
  LLVMContext &context = module.getContext();
  auto *function =
      Function::Create(FunctionType::get(Type::getVoidTy(context), false),
                       GlobalValue::ExternalLinkage, hardwareFunctionName(stage), module);
  function->addFnAttrs(hardwareAttributes(context, state, stage));
  return *function;
}

namespace {

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

/// Of the shader itself: it is merged behind the pass that reads them.
void addRoundingAttribute(Function &entry, const PipelineState &state) {
  const std::optional<ShaderStage> stage = shaderStageOf(entry);
  if (!stage)
    return;
  const ShaderState &shader = state.shader(*stage);
  SmallVector<StringRef, 2> ways;
  if (shader.forwardPropagateNoContract)
    ways.push_back("forward");
  if (shader.backwardPropagateNoContract)
    ways.push_back("backward");
  if (!ways.empty())
    entry.addFnAttr(noContractAttribute, join(ways, ","));
}

Error differentModes(ShaderStage a, ShaderStage b, const char *what) {
  return unsupported(Twine(shaderStageName(a)) + " and " + shaderStageName(b) +
                     " shader run in the same waves and have different " + what);
}

struct Demand {
  bool keep = false, flush = false;
  void add(const FloatMode &mode) {
    keep |= mode.demandsDenorms && !mode.flushDenorms;
    flush |= mode.demandsDenorms && mode.flushDenorms;
  }
};

/// Do the shaders of a stage demand denormals to be kept and to be flushed?
bool denormalsConflict(ArrayRef<ShaderStage> shaders, const PipelineState &state) {
  Demand wide, narrow; // fp16 and fp64 share one hardware mode
  for (ShaderStage shader : shaders) {
    wide.add(state.shader(shader).fp32);
    narrow.add(state.shader(shader).fp16);
    narrow.add(state.shader(shader).fp64);
  }
  return (wide.keep && wide.flush) || (narrow.keep && narrow.flush);
}

/// A wave has one rounding and one denormal mode, and merged shaders share their waves.
Error checkFloatModes(HardwareStage stage, const PipelineState &state) {
  SmallVector<ShaderStage, 2> shaders = shadersIn(stage, state);
  for (ShaderStage shader : shaders) {
    const ShaderState &a = state.shader(shaders.front()), &b = state.shader(shader);
    if (a.fp16.roundTowardZero != b.fp16.roundTowardZero ||
        a.fp32.roundTowardZero != b.fp32.roundTowardZero ||
        a.fp64.roundTowardZero != b.fp64.roundTowardZero)
      return differentModes(shaders.front(), shader, "rounding modes");
  }
  if (shaders.size() > 1 && denormalsConflict(shaders, state))
    return differentModes(shaders.front(), shaders.back(), "denormal modes");
  return Error::success();
}

} // namespace

PreservedAnalyses LowerAttributesPass::run(Module &module, ModuleAnalysisManager &mam) {
  const StateAnalysis::Result &state = mam.getResult<StateAnalysis>(module);
  DenseSet<Function *> done;
  for (Function *entry : entryFunctions(module)) {
    std::optional<HardwareStage> stage = hardwareStageOf(*entry, state.state);
    if (Error error = checkFloatModes(*stage, state.state))
      reportError(module.getContext(), std::move(error));
    addAttributes(*entry, hardwareAttributes(module.getContext(), state.state, *stage), done);
    addRoundingAttribute(*entry, state.state);
  }
  return PreservedAnalyses::none();
}

} // namespace lgc
