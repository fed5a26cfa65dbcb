//===- Compiler.h - the compiler's interface ------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What an ICD, a tool or a test calls: create a Compiler for a GPU target, build shader modules
/// from SPIR-V, build pipelines from modules. Structures carry the names that AMD's compiler
/// interface made known, so that a driver written for it finds its way.
///
///     auto compiler = Compiler::create({.target = "gfx1100"});
///     auto module = (*compiler)->buildShaderModule(spirvBytes);
///     ComputePipelineBuildInfo info;
///     info.cs.module = *module;
///     info.resourceMapping = *Compiler::buildAutoLayout(*module, info.cs);   // or the ICD's own
///     auto result = (*compiler)->buildComputePipeline(info);
///     use(result->elf.bytes());
///
/// Threads: every member function of Compiler may be called by any number of threads at once.
/// ShaderModule is an immutable value: copies share the parsed module and may cross threads.
/// Several compilers with different targets and options live side by side; nothing is global.
///
/// Memory: code objects come from `pfnOutputAlloc` when it is set, else the result owns them.
/// Determinism: equal inputs give equal bytes, whatever the thread, the order or the process.
///
/// No LLVM IR and no Vulkan header is needed to use this file.
#pragma once

#include "lgc/CompileError.h"
#include "lgc/Pipeline.h"
#include "llpc/Result.h"
#include "llpc/SpecConstant.h"
#include "pal_shim/abi/AbiNames.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lgc {
class Part;
enum class PartKind : uint8_t;
struct LinkConstant;
} // namespace lgc

namespace llpc {

struct EntryReflection;
struct LayoutGuess;
struct StageEnds;
enum class SpecializedAt : uint8_t;
struct PartResult;
struct RayTracingPipelineBuildInfo;
struct RayTracingPipelineResult;
struct ShaderModuleDataEx;

namespace spirv {
class Module;
}

/// Memory of an output: \p size bytes, aligned for any scalar; \p instance and \p userData as in
/// the build info. Null makes the build fail with an error.
using OutputAllocFunc = void *(*)(void *instance, void *userData, size_t size);

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
/// "compute" ...; "unknown" for Count and beyond.
llvm::StringRef shaderStageName(ShaderStage stage);

/// XXH3-128, most significant dword first.
using Hash128 = std::array<uint32_t, 4>;
/// 32 hexadecimal digits.
std::string toString(const Hash128 &hash);

using ResourceMappingData = lgc::ResourceMapping;
using PipelineOptions = lgc::PipelineOptions;

//===--- Shader modules ---------------------------------------------------===//

struct ShaderModuleOptions {
  /// Leave debug instructions out of cacheHash, so that builds that differ in them share results.
  bool trimDebugInfo = true;
};

/// What the module's declarations say about its code.
struct ShaderModuleUsage {
  bool enableVarPtrStorageBuf = false; ///< VariablePointersStorageBuffer
  bool enableVarPtr = false;           ///< VariablePointers
  bool useSubgroupSize = false;        ///< some code depends on the subgroup size
  bool useHelpInvocation = false;      ///< HelperInvocation is read or lanes are demoted
  bool useSpecConstant = false;
  bool keepUnusedFunctions = false; ///< exports functions (Linkage)
  bool enableRayQuery = false;

  bool operator==(const ShaderModuleUsage &) const = default;
};

/// An entry point of a module.
struct ShaderEntryName {
  ShaderStage stage;
  std::string name;
};

/// A parsed, checked and hashed SPIR-V module. Default-constructed: none.
class ShaderModule {
public:
  ShaderModule() = default;
  explicit operator bool() const { return data != nullptr; }

  const Hash128 &hash() const;      ///< of the SPIR-V words as given
  const Hash128 &cacheHash() const; ///< of the words without debug instructions
  const ShaderModuleUsage &usage() const;
  const spirv::Module &spirvModule() const;
  llvm::ArrayRef<ShaderEntryName> entries() const;
  /// What the entry point uses (llpc/EntryReflection.h); null when there is none. Found out
  /// at the first call and kept, whichever thread calls.
  const EntryReflection *reflection(ShaderStage stage, llvm::StringRef entryName) const;
  double readMs() const; ///< time that buildShaderModule took

private:
  friend class Compiler;
  friend struct ShaderModuleAccess;
  struct Data;
  std::shared_ptr<const Data> data;
};

//===--- Pipelines --------------------------------------------------------===//

/// What becomes of denormals, as AMD's compiler interface numbers it.
enum class DenormalMode : uint8_t { Auto, FlushToZero, Preserve };

struct PipelineShaderOptions : lgc::ShaderOptions {
  uint64_t clientHash[2] = {0, 0}; ///< replaces the module hash in `.api_shader_hash` if not 0
  bool viewIndexFromDeviceIndex = false; ///< ViewIndex is DeviceIndex, not the view
  /// Floats of 32 bits, for applications that rely on it. Preserve counts whatever the shader
  /// declares, FlushToZero where it does not declare the opposite.
  DenormalMode fp32DenormalMode = DenormalMode::Auto;
  bool disableFMA = false;      ///< Fma of GLSL.std.450 rounds twice, as a product and a sum
  bool noContractOpDot = false; ///< sums of OpDot are rounded as they stand
  uint32_t forceMemoryBarrierScope = 0; ///< SPIR-V's number, of all barriers; 0: what they say

  bool operator==(const PipelineShaderOptions &) const = default;
};

struct PipelineShaderInfo {
  ShaderModule module;
  std::string entryTarget = "main";
  ShaderStage entryStage = ShaderStage::Compute;
  std::vector<SpecConstant> specialization;
  PipelineShaderOptions options;
};

/// Receives a title ("LGC IR", ...) and a text, from the thread that builds, in compile order.
using DumpFunc = std::function<void(llvm::StringRef title, llvm::StringRef text)>;

/// What a build produces. Everything but Elf is for people and tools, and is not verified.
enum class OutputKind : uint8_t { Elf, Assembly, LlvmIr, LlvmBitcode, LgcIr };

/// What build infos of all kinds of pipelines hold.
struct PipelineBuildInfo {
  void *instance = nullptr; ///< passed to pfnOutputAlloc
  void *userData = nullptr; ///< passed to pfnOutputAlloc
  OutputAllocFunc pfnOutputAlloc = nullptr;

  uint32_t deviceIndex = 0;
  ResourceMappingData resourceMapping;
  uint64_t pipelineLayoutApiHash = 0; ///< identifies resourceMapping if not 0; for hashing only
  PipelineOptions options;            ///< pipelineHash is filled in by the build when it is 0

  OutputKind output = OutputKind::Elf;
  bool verifyIr = false;   ///< run the IR verifiers after every step
  DumpFunc dump;           ///< null: nothing is printed, which costs nothing
  bool dumpPasses = false; ///< dump gets the IR behind each step ("pass NAME"), no assembly
};

struct ComputePipelineBuildInfo : PipelineBuildInfo {
  PipelineShaderInfo cs;
};

/// Bytes of a build, in the caller's or in its own memory. Move-only.
class PipelineBinary {
public:
  PipelineBinary() = default;
  PipelineBinary(PipelineBinary &&) = default;
  PipelineBinary &operator=(PipelineBinary &&) = default;
  /// Copies \p bytes to memory from \p alloc. Error: the allocation gave null.
  static llvm::Expected<PipelineBinary> copyTo(llvm::ArrayRef<uint8_t> bytes, OutputAllocFunc alloc,
                                               void *instance, void *userData);
  /// Takes the vector over.
  static PipelineBinary own(std::vector<uint8_t> bytes);

  llvm::ArrayRef<uint8_t> bytes() const;

private:
  std::vector<uint8_t> owned;
  llvm::ArrayRef<uint8_t> external;
};

/// Resources that the code of one shader takes. Only set when the output is an ELF.
struct ShaderStatistics {
  uint32_t vgprs = 0;        ///< per lane
  uint32_t sgprs = 0;        ///< per wave
  uint32_t ldsBytes = 0;     ///< per workgroup
  uint32_t scratchBytes = 0; ///< per lane
  uint32_t codeBytes = 0;    ///< machine code without padding after the last instruction
  uint32_t instructions = 0; ///< of that code
  uint32_t wavesPerSimd = 0; ///< occupancy limit of these resources
  uint32_t waveSize = 0;     ///< 32 or 64
  std::array<uint32_t, 3> workgroupSize = {0, 0, 0};
};

/// Milliseconds of each phase; the sum is CPU time of the thread (lgc/PhaseClock.h).
struct PhaseTimes {
  double read = 0; ///< of buildShaderModule
  double translate = 0;
  double lgc = 0;
  double optimise = 0;
  double codegen = 0;
  double link = 0; ///< statistics, metadata and ELF checks

  double total() const { return read + translate + lgc + optimise + codegen + link; }
  void scaleTo(double ms); ///< what follows reading becomes \p ms
};

/// Keys of a pipeline; see docs for what each contains.
struct PipelineHashes {
  Hash128 pipelineHash = {}; ///< stable name of the pipeline: over the module as given
  Hash128 cacheHash = {};    ///< equal exactly when the code may be shared
};

/// What results of all kinds of pipelines hold.
struct PipelineResult {
  PipelineBinary elf; ///< or what PipelineBuildInfo::output asked for
  PhaseTimes times;
  PipelineHashes hashes;
  std::vector<std::string> warnings; ///< what of the shaders is ignored, with its place
  bool isDirect = false;             ///< by the direct tier, without LLVM's code generator
  /// Why not, when options.tier asked for it: words for counting, not of this shader alone.
  std::string directRefusal;
};

struct ComputePipelineResult : PipelineResult {
  ShaderStatistics statistics;
};

//===--- Graphics pipelines -----------------------------------------------===//

/// A vertex attribute. Formats are VkFormat numbers everywhere (llpc/Formats.h).
struct VertexAttributeInfo {
  uint32_t location = 0;
  uint32_t binding = 0;
  uint32_t format = 0;
  uint32_t offset = 0; ///< bytes

  bool operator==(const VertexAttributeInfo &) const = default;
};

struct VertexInputInfo {
  std::vector<lgc::VertexBinding> bindings; ///< divisors are part of their bindings
  std::vector<VertexAttributeInfo> attributes;

  bool operator==(const VertexInputInfo &) const = default;
};

using InputAssemblyState = lgc::InputAssemblyState;
using ViewportState = lgc::ViewportState;
using ProvokingVertexMode = lgc::ProvokingVertexMode;
using RasterizerState = lgc::RasterizerState;
using NggState = lgc::NggState;

struct ColorTargetState {
  bool blendEnable = false;
  bool blendSrcAlphaToColor = false; ///< a colour blend factor is the source's alpha
  uint32_t channelWriteMask = 0xF;   ///< bit 0: red
  uint32_t format = 0;               ///< VkFormat; 0: no attachment

  bool operator==(const ColorTargetState &) const = default;
};
inline constexpr unsigned maxColorTargets = 8;

struct ColorBlendState : lgc::ColorExportState {
  std::array<ColorTargetState, maxColorTargets> target;

  bool operator==(const ColorBlendState &) const = default;
};

/// State besides that of all kinds of pipelines.
struct GraphicsPipelineState {
  VertexInputInfo vertexInput;
  InputAssemblyState iaState;
  ViewportState vpState;
  RasterizerState rsState;
  ColorBlendState cbState;
  NggState nggState;
  bool dynamicVertexStride = false; ///< strides come from the descriptors, not from vertexInput
  bool enableRobustUnboundVertex = false; ///< unbound vertex buffers read (0, 0, 0, 1)
  bool unalignedVertexFetch = false;      ///< attributes lie anywhere, but for those of 64 bits
  bool useSoftwareVertexBufferDescriptors = false; ///< tables have addresses, sizes and strides
  bool enableUberFetchShader = false; ///< without vertexInput, memory has it (lgc/UberFetch.h)
};

/// A graphics pipeline, or a part of one. Shaders without a module are absent. stageMask names
/// further stages that the pipeline has although they are not compiled here: their side of the
/// interface is unknown, so nothing that they may read is removed. A fragment shader alone:
///     info.fs.module = m; info.stageMask = stageBit(ShaderStage::Vertex);
struct GraphicsPipelineBuildInfo : PipelineBuildInfo, GraphicsPipelineState {
  PipelineShaderInfo task, vs, tcs, tes, gs, mesh, fs;
  uint32_t stageMask = 0; ///< stageBit() of stages besides those with a module

  GraphicsPipelineBuildInfo(); ///< sets entryStage of each shader

  /// In pipeline order. \p stage must be a graphics stage.
  PipelineShaderInfo &shader(ShaderStage stage);
  const PipelineShaderInfo &shader(ShaderStage stage) const;
  /// stageMask with the stages that have a module.
  uint32_t allStages() const;
};
inline constexpr unsigned graphicsStageCount = 7; ///< Task to Fragment
inline constexpr uint32_t stageBit(ShaderStage stage) { return 1u << static_cast<unsigned>(stage); }

/// One of the hardware's stages and the shaders that were merged into it.
struct HardwareStageStatistics {
  pal::abi::HardwareStage stage = pal::abi::HardwareStage::Cs;
  std::vector<ShaderStage> shaders; ///< empty: made by the compiler (copy shader, null fragment)
  ShaderStatistics statistics;
};

struct GraphicsPipelineResult : PipelineResult {
  std::vector<HardwareStageStatistics> stages; ///< in the order of execution; only for an ELF
};

//===--- Compiler ---------------------------------------------------------===//

struct CompilerOptions {
  std::string target = "gfx1100"; ///< LLVM's name, or a version as -gfxip= takes it: "11.0.0"
  /// 1: a graphics pipeline is compiled monolithically, by the thread that asks for it. 2: its
  /// halves are compiled at once where that can be done. The code of the two is not the same.
  unsigned threadsPerPipeline = 2;
  /// Glue between parts is generated without LLVM where that can be done. The code is not the same.
  bool directGlue = true;
};

class Compiler {
public:
  /// Errors: Unsupported for an unknown target (the message lists the known ones).
  static llvm::Expected<std::unique_ptr<Compiler>> create(const CompilerOptions &options);
  ~Compiler();
  Compiler(const Compiler &) = delete;
  Compiler &operator=(const Compiler &) = delete;

  /// The target's LLVM name, "gfx1100".
  llvm::StringRef target() const;

  /// Parses and hashes a module; no LLVM IR work. \p spirv need not be aligned and is not kept.
  /// Errors: InvalidInput, Unsupported, LimitExceeded, all with opcode, id and word offset.
  static llvm::Expected<ShaderModule> buildShaderModule(llvm::ArrayRef<uint8_t> spirv,
                                                        const ShaderModuleOptions &options = {});

  /// The module of a block that relocateShaderModuleData() has checked (llpc/ShaderModuleData.h).
  /// Its SPIR-V is read and checked like any other; hashes and reflection come from the block.
  /// Errors: as buildShaderModule(), and InvalidInput when the block does not fit its SPIR-V.
  static llvm::Expected<ShaderModule> loadShaderModule(const ShaderModuleDataEx &data);

  /// A layout made of what the entry point uses: a table per set, packed by binding, and push
  /// constants last. Errors: InvalidInput when there is no such entry point.
  static llvm::Expected<ResourceMappingData> buildAutoLayout(const ShaderModule &module,
                                                             const PipelineShaderInfo &shader);

  /// Errors of every kind; Internal when the result breaks a rule of the PAL ABI.
  llvm::Expected<ComputePipelineResult>
  buildComputePipeline(const ComputePipelineBuildInfo &info) const;

  /// The keys that buildComputePipeline() would report, without compiling.
  PipelineHashes hashComputePipeline(const ComputePipelineBuildInfo &info) const;

  /// For shaders that come without a pipeline: fills resourceMapping with what all stages use, and
  /// of what is still empty the vertex input (a binding per input location, formats after the
  /// types), the colour targets (after the types of the outputs), topology and patchControlPoints.
  /// Errors: InvalidInput for a missing entry point or a resource without set and binding.
  static llvm::Error applyAutoLayout(GraphicsPipelineBuildInfo &info);

  /// What a draw with the stages of \p info hands to them: patches, or the primitives that the
  /// geometry shader declares (Vulkan, "Geometry Shader Input Primitives"); else triangles.
  static lgc::Topology takenTopology(const GraphicsPipelineBuildInfo &info);
  /// The streams that the module of a geometry shader emits vertices to, a bit each.
  static uint32_t emittedStreams(const PipelineShaderInfo &shader);
  /// Whether code depends on provokingVertexMode, with this geometry shader, or with this fragment
  /// shader and no geometry shader.
  static bool dependsOnProvokingVertex(const PipelineShaderInfo &shader);

  /// Compiles the stages that \p info holds: a whole graphics pipeline, or a part of one. Errors as
  /// buildComputePipeline().
  llvm::Expected<GraphicsPipelineResult>
  buildGraphicsPipeline(const GraphicsPipelineBuildInfo &info) const;

  /// The keys that buildGraphicsPipeline() would report, without compiling.
  PipelineHashes hashGraphicsPipeline(const GraphicsPipelineBuildInfo &info) const;

  //===--- Ray tracing pipelines (llpc/RayTracing.h) ---===//
  /// Compiles all shaders that \p info holds to one kernel. Errors as buildComputePipeline().
  llvm::Expected<RayTracingPipelineResult>
  buildRayTracingPipeline(const RayTracingPipelineBuildInfo &info) const;

  /// The keys that buildRayTracingPipeline() would report, without compiling.
  PipelineHashes hashRayTracingPipeline(const RayTracingPipelineBuildInfo &info) const;

  //===--- Parts (llpc/Parts.h) ---===//
  /// A layout for a shader whose pipeline layout is not known: table pointers by set, dynamic
  /// buffers, push constants. Errors: InvalidInput as buildAutoLayout().
  static llvm::Expected<ResourceMappingData> guessLayout(const ShaderModule &module,
                                                         const PipelineShaderInfo &shader,
                                                         const LayoutGuess &guess);
  /// One for all these \p shaders together.
  static llvm::Expected<ResourceMappingData> guessLayout(llvm::ArrayRef<PipelineShaderInfo> shaders,
                                                         const LayoutGuess &guess);

  /// None: there is no such entry point, something is wrong with it, or it has more locations than
  /// the device gives to one (128).
  static std::optional<StageEnds> stageEnds(const PipelineShaderInfo &shader);
  /// Whether two entry points may be neighbours, which a pipeline alone says: \p before gives all
  /// that \p after takes. The number of locations that it gives to nobody, so that 0 is the best;
  /// none if they do not fit.
  static std::optional<unsigned> guessFollows(const StageEnds &before, const StageEnds &after);
  /// Topology and control points as the shaders of \p info suggest: takenTopology(), and as many
  /// points as a patch has when tessellation control is done.
  static void guessAssembly(GraphicsPipelineBuildInfo &info);

  /// Whether pipelines with this entry point are likely to have several views: it reads which one
  /// it is. False when there is no such entry point.
  static bool guessMultiView(const PipelineShaderInfo &shader);

  /// The key of the part that buildPart() would make of \p info. Errors: Unsupported when the
  /// shaders or the state cannot be a part (the message names why, as "part: YCbCr sampler").
  llvm::Expected<Hash128> partKey(const ComputePipelineBuildInfo &info,
                                  SpecializedAt at = {}) const;
  llvm::Expected<Hash128> partKey(const GraphicsPipelineBuildInfo &info, lgc::PartKind kind,
                                  SpecializedAt at = {}) const;

  /// Compiles a part: compute, or the pre-rasterization or fragment stages of \p info. A fragment
  /// part of an info without fragment shader is the one that does nothing.
  llvm::Expected<PartResult> buildPart(const ComputePipelineBuildInfo &info,
                                       SpecializedAt at = {}) const;
  llvm::Expected<PartResult> buildPart(const GraphicsPipelineBuildInfo &info, lgc::PartKind kind,
                                       SpecializedAt at = {}) const;

  /// All constants of \p shader's module that SpecializedAt::Link leaves to linking, with the
  /// values of \p shader or the module's own, by constantId, and the sizes of the arrays in
  /// workgroup memory that are made of them. Errors: InvalidInput when data has another size than
  /// the constant, or an array no length.
  static llvm::Expected<std::vector<lgc::LinkConstant>>
  linkedConstants(const PipelineShaderInfo &shader);

  /// Glue for \p part, which must have the signature: VertexFetch with the vertex input of
  /// \p info, ColorExport with its colour targets and blend state.
  Hash128 glueKey(const lgc::Part &part, const GraphicsPipelineBuildInfo &info,
                  lgc::PartKind kind) const;
  llvm::Expected<PartResult> buildGlue(const lgc::Part &part, const GraphicsPipelineBuildInfo &info,
                                       lgc::PartKind kind) const;
  /// The same without LLVM's code generation, in some 50 us; none if that cannot make it.
  llvm::Expected<std::optional<PartResult>> generateGlue(const lgc::Part &part,
                                                         const GraphicsPipelineBuildInfo &info,
                                                         lgc::PartKind kind) const;

private:
  Compiler();
  template <typename Compile>
  llvm::Expected<std::optional<PartResult>> makeGlue(const lgc::Part &part,
                                                     const GraphicsPipelineBuildInfo &info,
                                                     lgc::PartKind kind, Compile compile) const;
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace llpc
