//===- ShaderState.h - stages and what one shader declares ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// API stages, and the state that a shader of whatever stage has. The modes of single stages are in
/// GraphicsState.h. Plain data, as all of Pipeline.h.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace lgc {

/// API stages in pipeline order.
enum class ShaderStage : uint8_t {
  Task,
  Vertex,
  TessControl,
  TessEval,
  Geometry,
  Mesh,
  Fragment,
  Compute,
  RayGen,
  Intersect,
  AnyHit,
  ClosestHit,
  Miss,
  Callable,
  Count
};
/// Stages that have a function, a state and metadata of their own: all but those of ray tracing,
/// which share the compute shader's.
inline constexpr unsigned shaderStageCount = static_cast<unsigned>(ShaderStage::Compute) + 1;
inline constexpr bool isRayStage(ShaderStage stage) {
  return stage > ShaderStage::Compute && stage < ShaderStage::Count;
}
/// "task", "vertex", "tessellation control" ...
const char *shaderStageName(ShaderStage stage);

/// Denormal and rounding behaviour of one float width (SPIR-V float controls).
struct FloatMode {
  bool flushDenorms = false;
  bool roundTowardZero = false;
  bool preserveSpecials = false; ///< SignedZeroInfNanPreserve
  /// The shader demands flushDenorms as it is. Otherwise denormals may be kept or flushed: what a
  /// shader in the same waves demands counts.
  bool demandsDenorms = false;

  bool operator==(const FloatMode &) const = default;
};

/// What the caller says about one shader. 0: the compiler decides.
struct ShaderOptions {
  uint32_t vgprLimit = 0;
  uint32_t sgprLimit = 0;
  uint32_t wavesPerEu = 0;   ///< minimum occupancy to compile for
  uint32_t waveSize = 0;     ///< 32 or 64: native wave size
  uint32_t subgroupSize = 0; ///< 32 or 64: what SubgroupSize reports; 0 is the wave size
  bool requireFullSubgroups = false;
  bool disableLoopUnroll = false;
  /// A workgroup may have both compute units of a workgroup processor; false: one of them ("CU
  /// mode"). Of shaders that are merged into one hardware stage, one that has it decides.
  bool wgpMode = true;
  /// Fragment shaders. Depth and stencil tests stand behind the shader, unless it declares that
  /// they do not: it reads what they write (attachment feedback loops).
  bool forceLateZ = false;
  /// What is computed of the result of an instruction that may not be contracted is added as it
  /// stands, too.
  bool forwardPropagateNoContract = false;
  /// And so is what the operands of such an instruction are computed by.
  bool backwardPropagateNoContract = false;
  bool allowReZ = false; ///< fragment shaders, gfx10 and gfx11: early tests may be repeated late

  bool operator==(const ShaderOptions &) const = default;
};

/// State of one shader. Filled by the front end, read by lgc.
struct ShaderState : ShaderOptions {
  std::string entryName; ///< API name, for messages
  /// Compute, task and mesh shaders.
  std::array<uint32_t, 3> workgroupSize = {1, 1, 1};
  bool usesSubgroupOps = false; ///< results depend on which lanes share a wave
  enum class Derivatives : uint8_t { None, Quads, Linear };
  Derivatives derivatives = Derivatives::None; ///< quad layout of invocations of a workgroup
  FloatMode fp16, fp32{true, false, false, false}, fp64;
  uint64_t shaderHash[2] = {0, 0}; ///< `.api_shader_hash`

  bool operator==(const ShaderState &) const = default;
};
using ComputeShaderState = ShaderState;

} // namespace lgc
