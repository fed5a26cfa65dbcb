//===- Shader.h - shape of the module that lgc takes ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The contract between a front end and lgc about the module itself:
///  - one function without internal linkage that has a body per shader stage: `void
///    @lgc.shader.CS()`, or for graphics any of TS, VS, TCS, TES, GS, MS and FS
///    (entryFunctionName). All others are internal and are called from one of them, without
///    recursion. A module holds the stages that are compiled together: a whole pipeline or a part.
///    Ray tracing pipelines have any number of shaders instead, `void @lgc.shader.rays.N()` from 0
///    on, each with a mark (RayShader); lgc-lower-ray-tracing makes one kernel of them.
///  - triple and data layout: a front end gives its module both with setTarget(); prepareModule
///  sets
///    them, too, and writes the state.
///  - Private and Output variables are internal globals in addrspace(5), with an initializer or
///    undef; Workgroup variables are internal globals in addrspace(3), undef or zeroinitializer
///    (which asks for zero initialisation at run time).
///  - everything else is ordinary IR and the operations of Ops.def.
#pragma once

#include "lgc/Pipeline.h"
#include "pal_shim/abi/AbiNames.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace lgc {

/// Name of the entry function that a front end defines: "lgc.shader.CS".
llvm::StringRef entryFunctionName(ShaderStage stage);
/// Name of the function that the lowering makes for a hardware stage out of one or several shaders,
/// before lgc-lower-entry-point turns it into `_amdgpu_gs_main`: "lgc.hw.GS". Compute and fragment
/// shaders keep the name of the shader.
llvm::StringRef hardwareFunctionName(pal::abi::HardwareStage stage);

/// Name of the entry function of a ray tracing shader, "lgc.shader.rays.N".
std::string rayShaderName(unsigned number);
/// What a shader of a ray tracing pipeline is called by (RayLaunch.h).
struct RayShader {
  ShaderStage stage = ShaderStage::RayGen;
  uint32_t id = 0; ///< not 0
};
/// Notes it as an attribute of the function.
void markRayShader(llvm::Function &function, RayShader shader);
/// None for functions without such a mark.
std::optional<RayShader> rayShaderOf(const llvm::Function &function);

/// "amdgcn-amd-amdpal"
llvm::StringRef targetTriple();
/// LLVM's AMDGPU data layout; the same for all targets.
llvm::StringRef dataLayoutString();
/// Gives both to a module.
void setTarget(llvm::Module &module);

/// Sets triple and data layout. Errors: InvalidInput when the target is unknown or the module has
/// no usable entry function.
llvm::Error checkModule(llvm::Module &module, const PipelineState &state);
/// The same, and writes `state` (StateMetadata.h).
llvm::Error prepareModule(llvm::Module &module, const PipelineState &state);

/// The shader of a stage as the front end made it; null when the module has none.
llvm::Function *findShader(llvm::Module &module, ShaderStage stage);
/// All functions that are entered from outside: shaders, hardware stages, and after
/// lgc-lower-entry-point the entry points. In the order of the stages.
llvm::SmallVector<llvm::Function *, 4> entryFunctions(llvm::Module &module);
/// The stage of a shader function; none for hardware functions and internal ones.
std::optional<ShaderStage> shaderStageOf(const llvm::Function &function);
/// The hardware stage that the function becomes or is merged into; none for internal functions.
std::optional<pal::abi::HardwareStage> hardwareStageOf(const llvm::Function &function,
                                                       const PipelineState &state);

/// Which hardware stages a graphics pipeline has.
struct StagePlan {
  bool ngg = false;      ///< vertex processing is a primitive shader (HW GS without a ring)
  bool legacyGs = false; ///< HW GS writes the GS-VS ring, HW VS copies from it
  bool hasTess = false;
  bool hasGs = false;
  bool hasMesh = false;
  /// The API stage whose outputs are rasterised: vertex, evaluation, geometry or mesh.
  ShaderStage lastVertexStage = ShaderStage::Vertex;
};
StagePlan planStages(const PipelineState &state);
/// The hardware stage that an API stage runs in.
pal::abi::HardwareStage hardwareStageOf(ShaderStage stage, const StagePlan &plan);

/// The API stages of the pipeline that run in a hardware stage, in the order of the pipeline. The
/// copy shader of the legacy path (HW VS) is a part of geometry processing.
llvm::SmallVector<ShaderStage, 2> shadersIn(pal::abi::HardwareStage stage,
                                            const PipelineState &state);
/// What the shaders of a hardware stage ask for together. A stage has one mode register: denormals
/// are flushed where all halves want that, and limits are the strictest of all.
ShaderState hardwareShaderState(pal::abi::HardwareStage stage, const PipelineState &state);

/// True for shaders whose invocations stand in quads, so that implicit derivatives exist.
bool hasDerivatives(const llvm::Function &function, const PipelineState &state);
/// True for compute, task and mesh shaders.
bool hasWorkgroups(ShaderStage stage);

/// Lanes that LLVM is told a group of HS or GS waves has: several waves, so that it keeps barriers.
inline constexpr uint32_t mergedGroupThreads = 128;

/// The wave size to compile a hardware stage for, 32 or 64: what the state forces, else a default
/// (ir/StagePlan.cpp).
uint32_t chooseWaveSize(const PipelineState &state, pal::abi::HardwareStage stage);
/// The same for the stage that `function` belongs to. Internal functions: lgc-lower-attributes has
/// written the size of their callers' stage into "target-features".
uint32_t waveSizeOf(const llvm::Function &function, const PipelineState &state);

} // namespace lgc
