//===- StagePlan.cpp - API stages -> hardware stages, wave sizes ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// The decisions that every pass must take alike: which hardware stage runs which shader, and with
/// how many lanes.
///
///   pipeline              gfx10 legacy      NGG (gfx10.3 by choice, gfx11+ always)
///   VS, FS                VS | PS           GS | PS
///   VS, TCS, TES, FS      HS, VS | PS       HS, GS | PS
///   VS, GS, FS            GS, VS | PS       GS | PS            (VS + GS merged; VS copies)
///   mesh, FS              -                 GS | PS            (task: CS)
#include "lgc/Shader.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace lgc {

using pal::abi::HardwareStage;

namespace {

bool choosesNgg(const PipelineState &state, const StagePlan &plan) {
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
  if (!target || target->major >= 11 || plan.hasMesh)
    return true;
  const NggState &ngg = state.graphics.nggState;
  // HW(gfx10): stream-out by hardware needs the legacy path, and so does counting of primitives; we
  // have no other there.
  if (state.graphics.xfb.enabled || state.options.primitivesGeneratedQuery)
    return false;
  if (plan.hasGs && !ngg.enableGsUse)
    return false;
  // HW(gfx10.1): NGG has defects that need workarounds in the driver.
  return ngg.force || (ngg.enable && target->minor >= 3);
}

} // namespace

StagePlan planStages(const PipelineState &state) {
  const GraphicsState &graphics = state.graphics;
  StagePlan plan;
  plan.hasTess = graphics.has(ShaderStage::TessControl) || graphics.has(ShaderStage::TessEval);
  plan.hasGs = graphics.has(ShaderStage::Geometry);
  plan.hasMesh = graphics.has(ShaderStage::Mesh);
  plan.ngg = choosesNgg(state, plan);
  plan.legacyGs = plan.hasGs && !plan.ngg;
  plan.lastVertexStage = plan.hasMesh   ? ShaderStage::Mesh
                         : plan.hasGs   ? ShaderStage::Geometry
                         : plan.hasTess ? ShaderStage::TessEval
                                        : ShaderStage::Vertex;
  return plan;
}

HardwareStage hardwareStageOf(ShaderStage stage, const StagePlan &plan) {
  HardwareStage last = plan.ngg || plan.hasGs ? HardwareStage::Gs : HardwareStage::Vs;
  switch (stage) {
  case ShaderStage::Vertex:
    return plan.hasTess ? HardwareStage::Hs : last;
  case ShaderStage::TessControl:
    return HardwareStage::Hs;
  case ShaderStage::TessEval:
    return last;
  case ShaderStage::Geometry:
  case ShaderStage::Mesh:
    return HardwareStage::Gs;
  case ShaderStage::Fragment:
    return HardwareStage::Ps;
  default:
    return HardwareStage::Cs; // compute and task
  }
}

SmallVector<ShaderStage, 2> shadersIn(HardwareStage stage, const PipelineState &state) {
  if (!state.isGraphics())
    return {ShaderStage::Compute};
  StagePlan plan = planStages(state);
  SmallVector<ShaderStage, 2> shaders;
  for (unsigned i = 0; i < state.graphics.shaders.size(); ++i) {
    auto shader = static_cast<ShaderStage>(i);
    if (!state.graphics.has(shader))
      continue;
    bool copies = plan.legacyGs && shader == ShaderStage::Geometry && stage == HardwareStage::Vs;
    if (copies || hardwareStageOf(shader, plan) == stage)
      shaders.push_back(shader);
  }
  return shaders;
}

static void mergeMode(FloatMode &mode, const FloatMode &other) {
  // Where both demand something it is the same, see lgc-lower-attributes.
  if (mode.demandsDenorms == other.demandsDenorms)
    mode.flushDenorms &= other.flushDenorms;
  else if (other.demandsDenorms)
    mode.flushDenorms = other.flushDenorms;
  mode.demandsDenorms |= other.demandsDenorms;
  mode.preserveSpecials |= other.preserveSpecials;
}

/// The smaller limit; 0 is none.
static uint32_t stricter(uint32_t a, uint32_t b) { return a && b ? std::min(a, b) : a + b; }

ShaderState hardwareShaderState(HardwareStage stage, const PipelineState &state) {
  SmallVector<ShaderStage, 2> shaders = shadersIn(stage, state);
  if (shaders.empty())
    return ShaderState();
  ShaderState result = state.shader(shaders.back());
  for (ShaderStage shader : ArrayRef(shaders).drop_back()) {
    const ShaderState &other = state.shader(shader);
    mergeMode(result.fp16, other.fp16);
    mergeMode(result.fp32, other.fp32);
    mergeMode(result.fp64, other.fp64);
    result.vgprLimit = stricter(result.vgprLimit, other.vgprLimit);
    result.sgprLimit = stricter(result.sgprLimit, other.sgprLimit);
    result.wavesPerEu = std::max(result.wavesPerEu, other.wavesPerEu);
    result.disableLoopUnroll |= other.disableLoopUnroll;
    result.wgpMode |= other.wgpMode;
  }
  return result;
}

bool hasWorkgroups(ShaderStage stage) {
  return stage == ShaderStage::Compute || stage == ShaderStage::Task || stage == ShaderStage::Mesh;
}

bool hasDerivatives(const Function &function, const PipelineState &state) {
  ShaderStage stage = shaderStageOf(function).value_or(ShaderStage::Compute);
  if (hasWorkgroups(stage))
    return state.shader(stage).derivatives != ShaderState::Derivatives::None;
  return stage == ShaderStage::Fragment;
}

static uint32_t computeWaveSize(const ShaderState &shader) {
  // Why: a workgroup of at most 32 invocations would leave half of a wave64 idle.
  uint64_t threads = 1;
  for (uint32_t size : shader.workgroupSize)
    threads *= size;
  if (threads <= 32)
    return 32;
  // Why 64 on every generation: it is what AMD's driver reports as subgroup size and what
  // applications are tuned for; a wave64 instruction issues over two cycles, so half as many waves
  // hide the same latency with one copy of the scalar work.
  return 64;
}

/// What API or options force on a shader; 0 = nothing.
static uint32_t forcedWaveSize(const ShaderState &shader) {
  if (shader.waveSize)
    return shader.waveSize;
  return shader.subgroupSize == 32 || shader.subgroupSize == 64 ? shader.subgroupSize : 0;
}

uint32_t chooseWaveSize(const PipelineState &state, HardwareStage stage) {
  if (!state.isGraphics())
    return forcedWaveSize(state.compute) ? forcedWaveSize(state.compute)
                                         : computeWaveSize(state.compute);
  StagePlan plan = planStages(state);
  uint32_t forced = 0;
  for (unsigned i = 0; i <= static_cast<unsigned>(ShaderStage::Fragment); ++i) {
    auto api = static_cast<ShaderStage>(i);
    if (state.graphics.has(api) && hardwareStageOf(api, plan) == stage)
      forced = std::max(forced, forcedWaveSize(state.graphics.shader(api))); // the larger of a pair
  }
  if (forced)
    return forced;
  if (stage == HardwareStage::Cs)
    return computeWaveSize(state.graphics.shader(ShaderStage::Task));
  if (stage == HardwareStage::Gs && plan.hasMesh)
    return computeWaveSize(state.graphics.shader(ShaderStage::Mesh));
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
  if (stage == HardwareStage::Ps || (target && target->major >= 11))
    return 64;
  // The ring of the legacy geometry stage is laid out for 64 lanes; its copy shader goes with it.
  return plan.legacyGs && stage != HardwareStage::Hs ? 64 : 32;
}

uint32_t waveSizeOf(const Function &function, const PipelineState &state) {
  if (std::optional<HardwareStage> stage = hardwareStageOf(function, state))
    return chooseWaveSize(state, *stage);
  StringRef features = function.getFnAttribute("target-features").getValueAsString();
  if (features.contains("+wavefrontsize32"))
    return 32;
  if (features.contains("+wavefrontsize64"))
    return 64;
  return chooseWaveSize(state, HardwareStage::Cs);
}

} // namespace lgc
