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
#include "llpc/SpecConstant.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace llpc {

namespace spirv {
class Module;
}

/// Result codes for C-like callers. Negative ones are errors.
enum class Result : int {
  Success = 0,
  Delayed = 1,
  Unsupported = 2,
  NotReady = 3,
  NotFound = 4,
  RequireFullPipeline = 5,
  ErrorUnavailable = -1,
  ErrorOutOfMemory = -2,
  ErrorInvalidShader = -3,
  ErrorInvalidValue = -4,
  ErrorInvalidPointer = -5,
  ErrorUnknown = -6,
};

/// InvalidInput -> ErrorInvalidShader, Unsupported -> Unsupported, LimitExceeded ->
/// ErrorUnavailable, Internal -> ErrorUnknown.
Result resultOf(lgc::ErrorKind kind);

/// Memory of an output: \p size bytes, aligned for any scalar. Null makes the build fail with an
/// error. \p instance and \p userData are passed on from the build info.
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
  double readMs() const; ///< time that buildShaderModule took

private:
  friend class Compiler;
  struct Data;
  std::shared_ptr<const Data> data;
};

//===--- Pipelines --------------------------------------------------------===//

/// Tuning of one shader. 0 means: the compiler decides.
struct PipelineShaderOptions {
  uint64_t clientHash[2] = {0, 0}; ///< replaces the module hash in `.api_shader_hash` if not 0
  uint32_t vgprLimit = 0;
  uint32_t sgprLimit = 0;
  uint32_t wavesPerEu = 0;   ///< minimum occupancy to compile for
  uint32_t waveSize = 0;     ///< 32 or 64: native wave size
  uint32_t subgroupSize = 0; ///< 32 or 64: required subgroup size (VK subgroup size control)
  bool requireFullSubgroups = false;
  bool disableLoopUnroll = false;

  bool operator==(const PipelineShaderOptions &) const = default;
};

struct PipelineShaderInfo {
  ShaderModule module;
  std::string entryTarget = "main";
  ShaderStage entryStage = ShaderStage::Compute;
  std::vector<SpecConstant> specialization;
  PipelineShaderOptions options;
};

/// Receives one piece of intermediate text: a title ("LGC IR", ...) and the text. Called by the
/// thread that builds, in compile order.
using DumpFunc = std::function<void(llvm::StringRef title, llvm::StringRef text)>;

/// What a build produces. Everything but Elf is for people and tools, and is not verified.
enum class OutputKind : uint8_t { Elf, Assembly, LlvmIr, LlvmBitcode, LgcIr };

struct ComputePipelineBuildInfo {
  void *instance = nullptr; ///< passed to pfnOutputAlloc
  void *userData = nullptr; ///< passed to pfnOutputAlloc
  OutputAllocFunc pfnOutputAlloc = nullptr;

  uint32_t deviceIndex = 0;
  PipelineShaderInfo cs;
  ResourceMappingData resourceMapping;
  uint64_t pipelineLayoutApiHash = 0; ///< identifies resourceMapping if not 0; for hashing only
  PipelineOptions options;            ///< pipelineHash is filled in by the build when it is 0
  bool unlinked = false;              ///< the layout is a guess; the result will be relinked

  OutputKind output = OutputKind::Elf;
  bool verifyIr = false; ///< run the IR verifiers after every step
  DumpFunc dump;         ///< null: nothing is printed, which costs nothing
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

/// Milliseconds of CPU time of each phase.
struct PhaseTimes {
  double read = 0; ///< of buildShaderModule
  double translate = 0;
  double lgc = 0;
  double optimise = 0;
  double codegen = 0;
  double link = 0; ///< statistics, metadata and ELF checks

  double total() const { return read + translate + lgc + optimise + codegen + link; }
};

/// Keys of a pipeline; see docs for what each contains.
struct PipelineHashes {
  Hash128 pipelineHash = {}; ///< stable name of the pipeline: over the module as given
  Hash128 cacheHash = {};    ///< equal exactly when the code may be shared
};

struct ComputePipelineResult {
  PipelineBinary elf; ///< or what ComputePipelineBuildInfo::output asked for
  ShaderStatistics statistics;
  PhaseTimes times;
  PipelineHashes hashes;
  std::vector<std::string> warnings; ///< what of the shader is ignored, with its place
};

//===--- Compiler ---------------------------------------------------------===//

struct CompilerOptions {
  std::string target = "gfx1100"; ///< LLVM's name, or a version as -gfxip= takes it: "11.0.0"
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
  llvm::Expected<ShaderModule> buildShaderModule(llvm::ArrayRef<uint8_t> spirv,
                                                 const ShaderModuleOptions &options = {}) const;

  /// A layout made of what the entry point uses: a table per set, packed by binding, and push
  /// constants last. Errors: InvalidInput when there is no such entry point.
  static llvm::Expected<ResourceMappingData> buildAutoLayout(const ShaderModule &module,
                                                             const PipelineShaderInfo &shader);

  /// Compiles one compute pipeline. Errors of every kind; Internal when the result breaks a rule
  /// of the PAL ABI.
  llvm::Expected<ComputePipelineResult>
  buildComputePipeline(const ComputePipelineBuildInfo &info) const;

  /// The keys that buildComputePipeline() would report, without compiling.
  PipelineHashes hashComputePipeline(const ComputePipelineBuildInfo &info) const;

private:
  Compiler();
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace llpc
