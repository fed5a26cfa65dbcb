//===- WholeInput.cpp - what of a build info a whole pipeline is made of --===//
// SPDX-License-Identifier: MIT
/// \file
/// Pipelines that differ in what code does not depend on have the same code. So what is hashed and
/// compiled is another build info:
///  - Topologies that are the same to shaders become the list. State of stages that the pipeline
///    does not have becomes the default.
///  - Samples stay where the fragment shader can tell (EntryTraits); culling of small primitives
///    asks for one or several.
///  - A colour target has the first of the formats that are exported alike, without blending, and
///    the components that the shader can write (as glue has it, GlueInput.cpp).
///  - Of the resource mapping, what no shader uses goes. The rest stays where it is.
///  - Specialization constants are those that change something (partSpecialization).
///  - Vertex bindings without an attribute go, and attributes that no shader reads, unless they
///    tell how their binding is aligned.
/// IR that is asked for has the state as it is given. Where a module is missing, as in keys that a
/// driver makes of state alone, or with an error, what depends on it stays.
///
///   before: triangle strip, target 0 B8G8R8A8_SRGB with blending, 4 samples, 5 control points
///   after:  triangle list, target 0 R16G16B16A16_SFLOAT, 1 sample
#include "llpc/context/WholeInput.h"
#include "lgc/TaskView.h"
#include "lgc/VertexFormats.h"
#include "llpc/Formats.h"
#include "llpc/StateKey.h"
#include "llpc/context/GlueInput.h"
#include "llpc/context/PartInput.h"
#include "llpc/context/ShaderModule.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/STLExtras.h"

namespace llpc {

using lgc::Topology;

namespace {

bool isForPeople(const PipelineBuildInfo &info) {
  return info.output != OutputKind::Elf && info.output != OutputKind::Assembly;
}

/// Null: there is no such entry point, or something is wrong with it.
const EntryReflection *reflectionOf(const PipelineShaderInfo &shader) {
  if (!shader.module)
    return nullptr;
  const EntryReflection *reflection =
      shader.module.reflection(shader.entryStage, shader.entryTarget);
  return reflection && !reflection->error ? reflection : nullptr;
}

/// Does \p reflection have other locations than the shader, whose arrays are of other lengths?
bool locationsDiffer(const PipelineShaderInfo &shader, const EntryReflection &reflection) {
  return reflection.usage.isSpecialized && !shader.specialization.empty();
}

void normalizeShader(PipelineShaderInfo &shader) {
  const EntryReflection *reflection = reflectionOf(shader);
  if (!reflection)
    return;
  shader.specialization = partSpecialization(shader);
  shader.options.requireFullSubgroups = false; // no code follows from it
  shader.options.viewIndexFromDeviceIndex &= reflection->traits.has(EntryTrait::ReadsViewIndex);
  dropFragmentOptions(shader);
}

bool mayReadDevice(const PipelineShaderInfo &shader) {
  if (!shader.module)
    return false;
  const EntryReflection *reflection = reflectionOf(shader);
  return !reflection || shader.options.viewIndexFromDeviceIndex ||
         reflection->traits.has(EntryTrait::ReadsDeviceIndex);
}

/// Is \p node, or for tables something in it, of a resource that \p isUsed?
template <typename IsUsed> bool keepUsed(lgc::ResourceNode &node, IsUsed isUsed) {
  using Type = lgc::ResourceNodeType;
  switch (node.type) {
  case Type::DescriptorTableVaPtr:
    llvm::erase_if(node.table, [&](const lgc::ResourceNode &each) { return !isUsed(each); });
    return !node.table.empty();
  case Type::PushConst:
  case Type::DescriptorBuffer:
  case Type::DescriptorConstBuffer:
  case Type::DescriptorBufferCompact:
  case Type::DescriptorConstBufferCompact:
    return isUsed(node);
  default:
    return true; // of the driver, or what nobody makes
  }
}

void dropUnusedResources(ResourceMappingData &mapping,
                         llvm::ArrayRef<const PipelineShaderInfo *> shaders) {
  llvm::SmallVector<const ResourceUsage *, graphicsStageCount> usages;
  for (const PipelineShaderInfo *shader : shaders) {
    if (!shader->module)
      continue;
    const EntryReflection *reflection = reflectionOf(*shader);
    if (!reflection)
      return;
    usages.push_back(&reflection->usage);
  }
  auto isUsedAt = [&](uint32_t set, uint32_t binding) {
    return set >= lgc::internalSet || llvm::any_of(usages, [&](const ResourceUsage *usage) {
             return llvm::any_of(usage->nodes, [&](const ResourceNodeData &used) {
               return used.set == set && used.binding == binding;
             });
           });
  };
  auto isUsed = [&](const lgc::ResourceNode &node) {
    if (node.type == lgc::ResourceNodeType::PushConst)
      return llvm::any_of(usages, [](const auto *usage) { return usage->pushConstSize != 0; });
    return isUsedAt(node.set, node.binding);
  };
  llvm::erase_if(mapping.roots, [&](lgc::ResourceNode &node) { return !keepUsed(node, isUsed); });
  llvm::erase_if(mapping.staticDescriptors, [&](const lgc::StaticDescriptor &fixed) {
    return !isUsedAt(fixed.set, fixed.binding);
  });
}

/// Of every kind of pipeline.
void normalizeCommon(PipelineBuildInfo &info, llvm::ArrayRef<const PipelineShaderInfo *> shaders) {
  // The hardware checks, or descriptors say it; vertex fetch has an option of its own.
  info.options.robustBufferAccess = PipelineOptions().robustBufferAccess;
  info.options.robustBufferAccess2 = PipelineOptions().robustBufferAccess2;
  info.options.robustImageAccess2 = PipelineOptions().robustImageAccess2;
  info.options.scalarBlockLayout = PipelineOptions().scalarBlockLayout;
  if (llvm::none_of(shaders, [](const auto *shader) { return mayReadDevice(*shader); }))
    info.deviceIndex = 0;
  dropUnusedResources(info.resourceMapping, shaders);
}

//===--- Vertex input -----------------------------------------------------===//

/// As lgc-lower-vertex-fetch concludes it.
uint32_t alignmentFrom(const VertexAttributeInfo &attribute) {
  const uint32_t alignment =
      lgc::vertexFormatInfo(texelFormatOf(attribute.format).value_or(lgc::TexelFormat()))
          .alignment();
  return alignment && attribute.offset % alignment == 0 ? alignment : 1;
}

/// Nothing is fetched.
void dropFetchOptions(GraphicsPipelineBuildInfo &info) {
  info.dynamicVertexStride = info.enableRobustUnboundVertex = info.unalignedVertexFetch = false;
  info.useSoftwareVertexBufferDescriptors = info.enableUberFetchShader = false;
}

void normalizeVertexInput(GraphicsPipelineBuildInfo &info) {
  // Attributes that are given are not read anywhere else.
  info.enableUberFetchShader &= isUberFetch(info);
  std::vector<VertexAttributeInfo> &attributes = info.vertexInput.attributes;
  if (const EntryReflection *reflection = reflectionOf(info.vs)) {
    auto isRead = [&](const VertexAttributeInfo &attribute) {
      if (locationsDiffer(info.vs, *reflection))
        return true;
      // Three and four channels of 64 bits take two locations.
      return llvm::any_of(reflection->inputs, [&](const InterfaceSlot &input) {
        return input.location == attribute.location || input.location == attribute.location + 1;
      });
    };
    const std::vector<VertexAttributeInfo> given = attributes;
    auto tellsAlignment = [&](const VertexAttributeInfo &attribute) {
      uint32_t known = 0;
      for (const VertexAttributeInfo &other : given)
        if (isRead(other) && other.binding == attribute.binding)
          known = std::max(known, alignmentFrom(other));
      return known && known < alignmentFrom(attribute) && !info.unalignedVertexFetch;
    };
    llvm::erase_if(attributes, [&](const VertexAttributeInfo &attribute) {
      return !isRead(attribute) && !tellsAlignment(attribute);
    });
  }
  std::vector<lgc::VertexBinding> &bindings = info.vertexInput.bindings;
  llvm::erase_if(bindings, [&](const lgc::VertexBinding &binding) {
    return llvm::none_of(attributes, [&](const VertexAttributeInfo &attribute) {
      return attribute.binding == binding.binding;
    });
  });
  for (lgc::VertexBinding &binding : bindings) {
    if (binding.inputRate != lgc::VertexInputRate::Instance)
      binding.divisor = lgc::VertexBinding().divisor;
    if (info.dynamicVertexStride || info.unalignedVertexFetch)
      binding.stride = 0;
  }
  llvm::sort(attributes, [](const auto &a, const auto &b) { return a.location < b.location; });
  llvm::sort(bindings, [](const auto &a, const auto &b) { return a.binding < b.binding; });
  const EntryReflection *reflection = reflectionOf(info.vs);
  if (attributes.empty() &&
      (!info.enableUberFetchShader || (reflection && reflection->inputs.empty())))
    dropFetchOptions(info);
}

void normalizeAssembly(InputAssemblyState &assembly, uint32_t stages) {
  const bool hasTess =
      stages & (stageBit(ShaderStage::TessControl) | stageBit(ShaderStage::TessEval));
  assembly.topology =
      stages & stageBit(ShaderStage::Vertex)
          ? topologyClass(assembly.topology, stages & stageBit(ShaderStage::Geometry))
          : InputAssemblyState().topology;
  if (!hasTess || assembly.dynamicPatchControlPoints)
    assembly.patchControlPoints = 0;
  assembly.dynamicPatchControlPoints &= hasTess;
  assembly.switchWinding &= hasTess;
}

//===--- Samples and colour targets ---------------------------------------===//

void normalizeSamples(GraphicsPipelineBuildInfo &info, bool hasFragment) {
  const RasterizerState given = info.rsState;
  const EntryReflection *reflection = reflectionOf(info.fs);
  if (hasFragment && !reflection)
    return;
  RasterizerState &raster = info.rsState;
  raster.numSamples = raster.pixelShaderSamples = 1;
  raster.samplePatternIdx = 0;
  raster.dynamicSampleInfo = false;
  if (hasFragment)
    takeSamples(raster, given, reflection->traits);
  const bool hasSeveral = given.numSamples > 1 || given.dynamicSampleInfo;
  // An invocation for each, as with one: sample masks are the same then.
  if (info.nggState.smallPrimitiveFilter && hasSeveral && !raster.dynamicSampleInfo &&
      raster.numSamples == 1)
    raster.numSamples = raster.pixelShaderSamples = 2;
}

void normalizeTargets(GraphicsPipelineBuildInfo &info, const pal::abi::GpuTarget &gpu) {
  std::array<uint32_t, maxColorTargets> written;
  written.fill(0xF);
  bool writesDepth = true; // or may
  if (const EntryReflection *reflection = reflectionOf(info.fs)) {
    if (!locationsDiffer(info.fs, *reflection))
      written.fill(0);
    info.cbState.dualSourceBlendDynamic &= llvm::any_of(
        reflection->outputs, [](const InterfaceSlot &output) { return output.index != 0; });
    for (const InterfaceSlot &output : reflection->outputs)
      if (output.location < maxColorTargets)
        written[output.location] |= (1u << output.components) - 1;
    writesDepth = reflection->traits.hasAny(
        {EntryTrait::WritesDepth, EntryTrait::WritesStencilRef, EntryTrait::WritesSampleMask});
  } else if (info.fs.module) {
    return;
  }
  ColorBlendState &blend = info.cbState;
  for (unsigned i = 0; i < maxColorTargets; ++i) {
    // Where coverage takes its alpha from, and what becomes of a second source, the compile says.
    const bool isOwn = i == 0 && (blend.dualSourceBlendEnable || blend.dualSourceBlendDynamic ||
                                  (blend.alphaToCoverageEnable && writesDepth));
    if (!isOwn)
      blend.target[i] =
          exportClass(blend.target[i], written[i], i == 0 && blend.alphaToCoverageEnable, gpu);
  }
}

} // namespace

bool isUberFetch(const GraphicsPipelineBuildInfo &info) {
  return info.enableUberFetchShader && info.vertexInput == VertexInputInfo();
}

void dropFragmentOptions(PipelineShaderInfo &shader) {
  if (shader.entryStage != ShaderStage::Fragment)
    shader.options.forceLateZ = shader.options.allowReZ = false;
}

Topology topologyClass(Topology topology, bool adjacency) {
  switch (topology) {
  case Topology::LineList:
  case Topology::LineStrip:
    return Topology::LineList;
  case Topology::LineListAdjacency:
  case Topology::LineStripAdjacency:
    return adjacency ? Topology::LineListAdjacency : Topology::LineList;
  case Topology::TriangleList:
  case Topology::TriangleStrip:
  case Topology::TriangleFan:
    return Topology::TriangleList;
  case Topology::TriangleListAdjacency:
  case Topology::TriangleStripAdjacency:
    return adjacency ? Topology::TriangleListAdjacency : Topology::TriangleList;
  case Topology::PointList:
  case Topology::PatchList:
    break;
  }
  return topology;
}

void takeSamples(RasterizerState &to, const RasterizerState &from, EntryTraits traits) {
  if (traits.hasAny({EntryTrait::ReadsSamplePosition, EntryTrait::InterpolatesAtSample})) {
    to.samplePatternIdx = from.samplePatternIdx;
    to.dynamicSampleInfo = from.dynamicSampleInfo;
    to.numSamples = from.dynamicSampleInfo ? 1 : from.numSamples;
    // The positions of samples do not depend on how many invocations there are.
    to.pixelShaderSamples = to.numSamples;
  }
  // An invocation for several samples has the bits of all of them in its mask.
  const uint32_t shaded = std::max(from.pixelShaderSamples, 1u);
  if (traits.has(EntryTrait::ReadsSampleMask) && from.perSampleShading && !from.dynamicSampleInfo &&
      shaded < from.numSamples) {
    to.numSamples = from.numSamples;
    to.pixelShaderSamples = shaded;
  }
}

ComputePipelineBuildInfo wholeInput(const ComputePipelineBuildInfo &info) {
  ComputePipelineBuildInfo input = info;
  if (isForPeople(info))
    return input;
  normalizeShader(input.cs);
  normalizeCommon(input, &input.cs);
  return input;
}

void normalizeState(GraphicsPipelineBuildInfo &info, const pal::abi::GpuTarget &target) {
  const uint32_t stages = info.allStages();
  const bool hasFragment = stages & stageBit(ShaderStage::Fragment);
  if (stages & stageBit(ShaderStage::Vertex)) {
    normalizeVertexInput(info);
  } else {
    info.vertexInput = {};
    dropFetchOptions(info);
    info.iaState.dynamicTopology = false;
  }
  normalizeAssembly(info.iaState, stages);
  info.vpState = {}; // the driver's registers
  if (!(stages & stageBit(ShaderStage::Geometry))) {
    info.rsState.rasterStream = 0;
    // It also decides which vertex gets a primitive's number.
    const EntryReflection *fragment = reflectionOf(info.fs);
    if (!hasFragment || (fragment && !fragment->traits.has(EntryTrait::ReadsPrimitiveId)))
      info.rsState.provokingVertexMode = ProvokingVertexMode::First;
  }
  normalizeSamples(info, hasFragment);
  if (hasFragment)
    normalizeTargets(info, target);
  else
    info.cbState = {};
}

GraphicsPipelineBuildInfo wholeInput(const GraphicsPipelineBuildInfo &info,
                                     llvm::StringRef target) {
  GraphicsPipelineBuildInfo input = info;
  if (isForPeople(info))
    return input;
  llvm::SmallVector<const PipelineShaderInfo *, graphicsStageCount> shaders;
  for (unsigned i = 0; i < graphicsStageCount; ++i) {
    PipelineShaderInfo &shader = input.shader(static_cast<ShaderStage>(i));
    normalizeShader(shader);
    shaders.push_back(&shader);
  }
  normalizeCommon(input, shaders);
  const pal::abi::GpuTarget *gpu = pal::abi::findTarget(target);
  KILN_CHECK(gpu, "a compiler's target");
  normalizeState(input, *gpu);
  return input;
}

} // namespace llpc
