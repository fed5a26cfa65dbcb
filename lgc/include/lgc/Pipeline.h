//===- Pipeline.h - pipeline state that code generation depends on --------===//
// SPDX-License-Identifier: MIT
/// \file
/// Plain data: resource mapping, options and per-shader modes. lgc/ir/StateWriter turns it into
/// named metadata of the module and back, so that every pass reads its state from the IR alone.
/// No Vulkan, no SPIR-V, no LLVM IR headers.
#pragma once

#include "lgc/GraphicsState.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lgc {

/// Numbering as AMD's compiler interface has it (.pipe files carry the names).
enum class ResourceNodeType : uint8_t {
  Unknown,
  DescriptorResource,        ///< sampled image, 8 dwords
  DescriptorSampler,         ///< 4 dwords
  DescriptorCombinedTexture, ///< image then sampler, 12 dwords
  DescriptorTexelBuffer,     ///< typed buffer V#, 4 dwords
  DescriptorFmask,           ///< 8 dwords
  DescriptorBuffer,          ///< buffer V#, 4 dwords
  DescriptorTableVaPtr,      ///< root: low 32 bits of the address of a descriptor set
  IndirectUserDataVaPtr,     ///< root: low 32 bits of the address of user data
  PushConst,                 ///< root (or in an indirect table): push constant bytes
  DescriptorBufferCompact,   ///< 64-bit address only, 2 dwords
  StreamOutTableVaPtr,       ///< root
  Reserved12,
  DescriptorYCbCrSampler,       ///< sampler plus conversion words, sizeInDwords decides
  DescriptorConstBuffer,        ///< uniform buffer V#, 4 dwords
  DescriptorConstBufferCompact, ///< 64-bit address only, 2 dwords
  DescriptorImage,              ///< storage image, 8 dwords
  DescriptorConstTexelBuffer,   ///< uniform texel buffer, 4 dwords
  InlineBuffer,                 ///< inline uniform block bytes in place
  DescriptorMutable,            ///< any of the above, strideInDwords decides
  DescriptorAtomicCounter,
  Count
};

/// One entry of the root layout or of a descriptor table.
struct ResourceNode {
  ResourceNodeType type = ResourceNodeType::Unknown;
  uint32_t sizeInDwords = 0;   ///< whole array
  uint32_t offsetInDwords = 0; ///< in the root or in the table
  uint32_t set = 0;
  uint32_t binding = 0;
  uint32_t strideInDwords = 0;     ///< of one array element; 0 = the type's default stride
  std::vector<ResourceNode> table; ///< DescriptorTableVaPtr and IndirectUserDataVaPtr: content

  bool operator==(const ResourceNode &) const = default;
};

/// Immutable sampler contents (4 dwords an element; for DescriptorYCbCrSampler 4 sampler dwords
/// followed by YCbCr conversion words, see lgc/Ycbcr.h).
struct StaticDescriptor {
  ResourceNodeType type = ResourceNodeType::DescriptorSampler;
  uint32_t set = 0;
  uint32_t binding = 0;
  uint32_t arraySize = 1;
  std::vector<uint32_t> dwords;

  bool operator==(const StaticDescriptor &) const = default;
};

struct ResourceMapping {
  std::vector<ResourceNode> roots;
  std::vector<StaticDescriptor> staticDescriptors;

  bool operator==(const ResourceMapping &) const = default;
};

enum class OptLevel : uint8_t { None, Quick, Default, Fast };

/// What makes machine code of shaders (docs/direct-tier.md).
enum class Tier : uint8_t {
  Llvm,
  Direct, ///< lgc/direct/shader, in some microseconds; LLVM where that does not know something
};

/// Options of the whole pipeline.
struct PipelineOptions {
  bool robustBufferAccess = false;  ///< bounds-check uniform/storage/texel buffers
  bool robustBufferAccess2 = false; ///< VK_EXT_robustness2 rules for buffers
  bool robustImageAccess2 = false;  ///< VK_EXT_robustness2 rules for images
  bool nullDescriptor = false;      ///< all-zero descriptors are legal
  bool scalarBlockLayout = false;
  /// Primitives of each vertex stream are counted, captured or not
  /// (VK_EXT_primitives_generated_query)
  bool primitivesGeneratedQuery = false;
  bool meshShaderQueries = false; ///< invocations of task and mesh shaders, primitives, are counted
  bool includeIr = false;         ///< add `.AMDGPU.comment.llvmir`
  bool includeDisassembly = false; ///< add `.AMDGPU.disasm`
  bool debugInfo = false;          ///< keep source locations as LLVM debug locations
  OptLevel optLevel = OptLevel::Default;
  Tier tier = Tier::Llvm;
  uint64_t pipelineHash[2] = {0, 0}; ///< `.internal_pipeline_hash`: stable, unique

  bool operator==(const PipelineOptions &) const = default;
};

/// What of the pipeline is left to linking (lgc/Part.h). All false: a monolithic pipeline.
struct PartState {
  bool relocatable = false;         ///< the mapping's order holds, its offsets are placeholders
  bool separateVertexFetch = false; ///< attributes arrive in VGPRs
  bool separateColorExport = false; ///< outputs leave in VGPRs
  bool linksConstants = false;      ///< specialization constants become relocations
  /// Of a whole graphics pipeline that is linked across stages first: which of its code is
  /// generated here, so that another thread can generate the rest.
  enum class Half : uint8_t { Both, PreRasterization, Fragment };
  Half half = Half::Both;

  bool any() const {
    return relocatable || separateVertexFetch || separateColorExport || linksConstants ||
           half != Half::Both;
  }
  bool operator==(const PartState &) const = default;
};

/// Of ray tracing pipelines (Shader.h says what their modules look like).
struct RayTracingState {
  /// First of two dwords of user data with the address of the launch block (RayLaunch.h).
  uint32_t launchUserData = 0;
  uint32_t maxRecursionDepth = 1; ///< what is traced deeper has no effect
  bool skipTriangles = false;     ///< as if every ray had the flag
  bool skipAabbs = false;

  bool operator==(const RayTracingState &) const = default;
};

/// Everything besides the code. `target` is an LLVM processor name such as "gfx1100".
struct PipelineState {
  std::string target;
  uint32_t deviceIndex = 0;
  PipelineOptions options;
  PartState part;
  ResourceMapping mapping;
  ComputeShaderState compute;
  GraphicsState graphics; ///< stageMask is 0 for compute pipelines
  RayTracingState rays;

  bool isGraphics() const { return graphics.stageMask != 0; }
  const ShaderState &shader(ShaderStage stage) const {
    return stage >= ShaderStage::Compute ? compute : graphics.shader(stage);
  }
  ShaderState &shader(ShaderStage stage) {
    return stage >= ShaderStage::Compute ? compute : graphics.shader(stage);
  }

  bool operator==(const PipelineState &) const = default;
};

/// Default dword size of one descriptor of this type; 0 when the node's size decides.
uint32_t defaultStrideInDwords(ResourceNodeType type);
/// "DescriptorBuffer" ...; empty for numbers out of range.
const char *resourceNodeTypeName(ResourceNodeType type);

} // namespace lgc
