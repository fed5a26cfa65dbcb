//===- PartInput.cpp - what of a build info a part is made of -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A part is compiled before the pipeline is known, and found again when it is. Both sides have a
/// build info: a guess and the real one. What is done here makes one of both, provided that they
/// agree in what code depends on; the part's key is the hash of the result, and the part is
/// compiled from the result, so equal keys cannot mean different code.
///  - Of the pipeline's shaders, those of the part are left. Whatever stands before a fragment
///    shader counts as a vertex shader, and there is always a fragment shader behind the others, so
///    their outputs stay.
///  - The resource mapping becomes that of PartLayout.cpp.
///  - Vertex input and colour targets go: linking puts code for them in front and behind.
///  - Other state stays where the shader may see it (EntryTraits), the rest becomes the default.
///  - Shaders that may ask for the subgroup size have the size that the driver reports, unless the
///    pipeline demands another: one that leaves the choice to the compiler may get any.
///  - The robustness options change no code except for vertex fetch. nullDescriptor does.
///  - A name that the caller has for the shader (clientHash) gives way to the module's own, over
///  the
///    module without debug instructions: builds that differ in these only share parts.
/// docs/keys.md has the table.
///
///   before: fragment part; fs "main" constants {0: 1 (as in the module)}, topology line list,
///           target 0 B8G8R8A8_UNORM, 4 samples, sets 0 and 3 in the mapping, the shader uses 3
///   after:  fs "main", stages vertex and fragment, triangle list, no targets, 1 sample, set 3
#include "llpc/context/PartInput.h"
#include "lgc/FieldCopy.h"
#include "lgc/TaskView.h"
#include "lgc/UberFetch.h"
#include "llpc/StateFields.h"
#include "llpc/context/PartLayout.h"
#include "llpc/context/PipelineBuild.h"
#include "llpc/context/ShaderModule.h"
#include "llpc/context/WholeInput.h"
#include "llpc/reflect/ConstantEval.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace llpc {

using lgc::PartKind;
using lgc::Topology;
using llvm::Error;

namespace {

/// Vulkan's property subgroupSize, which shaders may rely on when the application allows no other.
constexpr uint32_t partSubgroupSize = 64;
constexpr uint32_t fragmentBit = stageBit(ShaderStage::Fragment);
constexpr uint32_t tessBits = stageBit(ShaderStage::TessControl) | stageBit(ShaderStage::TessEval);

const LinkedConstants &linkedConstantsOf(const PipelineShaderInfo &shader) {
  return ShaderModuleAccess::data(shader.module).linkedConstants();
}

Error checkOutput(const PipelineBuildInfo &info) {
  if (info.options.debugInfo)
    return lgc::unsupported("part: debug information");
  if (info.options.includeIr || info.options.includeDisassembly)
    return lgc::unsupported("part: IR or disassembly in the code object");
  return Error::success();
}

/// What all kinds of parts take over, besides the mapping.
void takeCommon(PipelineBuildInfo &input, const PipelineBuildInfo &info) {
  lgc::copyFields(input.options, info.options,
                  [](const lgc::Field &field) { return field.isInPart; });
  input.output = info.output;
}

/// What the part of \p half has of the fixed function as it is.
void takeFixedFunction(GraphicsPipelineState &input, const GraphicsPipelineState &info,
                       lgc::FieldHalf half) {
  lgc::copyFields(input, info, [half](const lgc::Field &field) {
    return field.isInPart && (static_cast<uint8_t>(field.half) & static_cast<uint8_t>(half));
  });
}

const EntryReflection &reflectionOf(const PipelineShaderInfo &shader) {
  const EntryReflection *reflection =
      shader.module.reflection(shader.entryStage, shader.entryTarget);
  KILN_CHECK(reflection, "entry point was checked before");
  return *reflection;
}

Error checkSize(const SpecDefault &constant, const SpecConstant &given) {
  if (constant.size == 0 || constant.size == given.size)
    return Error::success();
  return lgc::invalidInput("specialization constant " + llvm::Twine(constant.constantId) +
                           ": the data has " + llvm::Twine(given.size) +
                           " bytes, the constant has " + llvm::Twine(constant.size));
}

Error dropLinkedConstants(PipelineShaderInfo &input) {
  const LinkedConstants &linked = linkedConstantsOf(input);
  for (const SpecConstant &given : input.specialization)
    if (const SpecDefault *constant = linked.find(given.constantId))
      KILN_TRY(checkSize(*constant, given));
  llvm::erase_if(input.specialization,
                 [&](const SpecConstant &given) { return linked.find(given.constantId); });
  return Error::success();
}

Error takeShader(PipelineBuildInfo &common, PipelineShaderInfo &input,
                 const PipelineBuildInfo &info, const PipelineShaderInfo &shader, ShaderStage stage,
                 SpecializedAt at) {
  KILN_TRY(checkShader(shader, stage));
  input.module = shader.module;
  input.entryTarget = shader.entryTarget;
  input.entryStage = stage;
  input.specialization = partSpecialization(shader);
  if (at == SpecializedAt::Link)
    KILN_TRY(dropLinkedConstants(input));
  input.options = shader.options;
  const std::array<uint64_t, 2> hash = halves(shader.module.cacheHash());
  llvm::copy(hash, input.options.clientHash);
  input.options.requireFullSubgroups = false; // no code follows from it
  // A pipeline that lets the compiler choose gets what others demand, and shares their part.
  if (!input.options.subgroupSize && !input.options.waveSize &&
      shader.module.usage().useSubgroupSize)
    input.options.subgroupSize = partSubgroupSize;
  const EntryTraits &traits = reflectionOf(shader).traits;
  input.options.viewIndexFromDeviceIndex &= traits.has(EntryTrait::ReadsViewIndex);
  dropFragmentOptions(input);
  if (input.options.viewIndexFromDeviceIndex || traits.has(EntryTrait::ReadsDeviceIndex))
    common.deviceIndex = info.deviceIndex;
  return Error::success();
}

// --- Graphics

bool hasMode(const PipelineShaderInfo &shader, llvm::ArrayRef<spv::ExecutionMode> wanted) {
  const spirv::EntryPoint *entry = shader.module.spirvModule().findEntryPoint(
      executionModelOf(shader.entryStage), shader.entryTarget);
  return entry && llvm::any_of(entry->modes, [&](const spirv::ExecutionMode &mode) {
           return llvm::is_contained(wanted, mode.mode);
         });
}

/// The topology that a vertex shader alone would need to be followed by the primitives that this
/// pipeline's fragment shader is run for.
Error takeRasterPrimitive(GraphicsPipelineBuildInfo &input, const GraphicsPipelineBuildInfo &info) {
  using Mode = spv::ExecutionMode;
  const uint32_t stages = info.allStages();
  ShaderStage last = ShaderStage::Vertex;
  for (ShaderStage stage : {ShaderStage::TessEval, ShaderStage::Geometry, ShaderStage::Mesh})
    if (stages & stageBit(stage))
      last = stage;
  if (last == ShaderStage::Vertex) {
    input.iaState.dynamicTopology = info.iaState.dynamicTopology;
    input.iaState.topology = info.iaState.dynamicTopology
                                 ? Topology::TriangleList
                                 : topologyClass(info.iaState.topology, /*adjacency=*/false);
    return Error::success();
  }
  auto declared = [&](ShaderStage stage, llvm::ArrayRef<Mode> modes) {
    const PipelineShaderInfo &shader = info.shader(stage);
    return shader.module && hasMode(shader, modes);
  };
  const bool isTess = last == ShaderStage::TessEval;
  if (!info.shader(last).module || (isTess && !info.tcs.module))
    return lgc::unsupported("part: barycentric coordinates, and no shader that makes primitives");
  auto isMade = [&](llvm::ArrayRef<Mode> modes) {
    return declared(last, modes) || (isTess && declared(ShaderStage::TessControl, modes));
  };
  if (isMade({Mode::OutputPoints, Mode::PointMode}))
    input.iaState.topology = Topology::PointList;
  else if (isMade({Mode::OutputLineStrip, Mode::OutputLinesEXT, Mode::Isolines}))
    input.iaState.topology = Topology::LineList;
  return Error::success();
}

bool hasOutputs(const PipelineShaderInfo &fs) {
  const EntryReflection &reflection = reflectionOf(fs);
  return !reflection.outputs.empty() ||
         reflection.traits.hasAny(
             {EntryTrait::WritesDepth, EntryTrait::WritesStencilRef, EntryTrait::WritesSampleMask});
}

Error takeFragmentState(GraphicsPipelineBuildInfo &input, const GraphicsPipelineBuildInfo &info) {
  input.stageMask = stageBit(ShaderStage::Vertex) | fragmentBit;
  if (!info.fs.module)
    return Error::success();
  const EntryReflection &reflection = reflectionOf(info.fs);
  const EntryTraits traits = reflection.traits;
  takeFixedFunction(input, info, lgc::FieldHalf::Fragment);
  takeSamples(input.rsState, info.rsState, traits);
  input.iaState.enableMultiView =
      info.iaState.enableMultiView &&
      traits.hasAny({EntryTrait::ReadsViewIndex, EntryTrait::ReadsLayer});
  input.cbState.dualSourceBlendEnable =
      llvm::any_of(reflection.outputs, [](const InterfaceSlot &slot) { return slot.index != 0; });
  return traits.has(EntryTrait::ReadsBaryCoord) ? takeRasterPrimitive(input, info)
                                                : Error::success();
}

/// Does the vertex shader read attributes that memory describes? Whoever knows what attributes
/// there are has glue; nobody does here. Without a read the mapping need not have that memory.
bool readsDescribed(const GraphicsPipelineBuildInfo &info) {
  return info.vs.module && isUberFetch(info) && readsInputs(info.vs);
}

/// Does the code of the vertex shader look at the vertices of primitives?
bool assemblesPrimitives(const GraphicsPipelineBuildInfo &info) {
  const lgc::NggState &ngg = info.nggState;
  return ngg.backfaceCulling || ngg.frustumCulling || ngg.smallPrimitiveFilter ||
         ngg.cullDistanceCulling || reflectionOf(info.vs).traits.has(EntryTrait::CapturesXfb);
}

Error takePreRasterizationState(GraphicsPipelineBuildInfo &input,
                                const GraphicsPipelineBuildInfo &info) {
  const uint32_t stages = info.allStages() & ~fragmentBit;
  input.stageMask = fragmentBit;
  for (unsigned i = 0; i < graphicsStageCount; ++i) {
    auto stage = static_cast<ShaderStage>(i);
    if (stages >> i & 1 && !info.shader(stage).module)
      return lgc::unsupported("part: pre-rasterization stages without their " +
                              shaderStageName(stage) + " shader");
  }
  if (readsDescribed(info)) {
    input.enableUberFetchShader = true;
    input.useSoftwareVertexBufferDescriptors = info.useSoftwareVertexBufferDescriptors;
  }
  if (!(stages & (stageBit(ShaderStage::Vertex) | stageBit(ShaderStage::Mesh))))
    return lgc::invalidInput("part: pre-rasterization stages need a vertex or a mesh shader");
  const InputAssemblyState &assembly = info.iaState;
  const bool hasTess = stages & tessBits;
  const bool hasGs = stages & stageBit(ShaderStage::Geometry);
  if (stages & stageBit(ShaderStage::Vertex)) {
    // A draw's own topology must be what these stages take.
    const bool isTaken = assembly.dynamicTopology && (hasTess || hasGs);
    input.iaState.topology =
        isTaken ? Compiler::takenTopology(info) : topologyClass(assembly.topology, hasGs);
    input.iaState.dynamicTopology = assembly.dynamicTopology && !isTaken;
    // Else a register says it, which linking fills in (LinkOptions::outputPrimitive).
    if (!hasTess && !hasGs && !assemblesPrimitives(info)) {
      input.iaState.topology = Topology::TriangleList;
      input.iaState.dynamicTopology = false;
    }
  }
  if (hasTess) {
    input.iaState.dynamicPatchControlPoints = assembly.dynamicPatchControlPoints;
    if (!assembly.dynamicPatchControlPoints)
      input.iaState.patchControlPoints = assembly.patchControlPoints;
    input.iaState.switchWinding = assembly.switchWinding;
  }
  takeFixedFunction(input, info, lgc::FieldHalf::PreRasterization);
  input.iaState.enableMultiView = assembly.enableMultiView;
  input.options.primitivesGeneratedQuery = info.options.primitivesGeneratedQuery;
  input.options.meshShaderQueries = info.options.meshShaderQueries;
  input.rsState.rasterStream = hasGs ? info.rsState.rasterStream : 0;
  // It also decides which vertex gets a primitive's number, which parts do not export.
  if (hasGs)
    input.rsState.provokingVertexMode = info.rsState.provokingVertexMode;
  // Culling of primitives that hit no sample: with one sample, or with several.
  if (info.nggState.smallPrimitiveFilter && info.rsState.numSamples > 1)
    input.rsState.numSamples = 2;
  if (info.nggState.smallPrimitiveFilter && info.rsState.dynamicSampleInfo)
    input.rsState.numSamples = 2;
  return Error::success();
}

} // namespace

llvm::Expected<const ResourceUsage *> shaderUsage(const PipelineShaderInfo &shader,
                                                  ResourceUsage &storage) {
  const EntryReflection &reflection = reflectionOf(shader);
  if (reflection.error)
    return lgc::makeError(reflection.error->kind,
                          "entry point '" + shader.entryTarget + "': " + reflection.error->message);
  if (shader.specialization.empty() || !reflection.usage.isSpecialized)
    return &reflection.usage;
  const spirv::Module &module = shader.module.spirvModule();
  storage = KILN_TRY(collectResourceUsage(
      module, *module.findEntryPoint(executionModelOf(shader.entryStage), shader.entryTarget),
      shader.specialization));
  return &storage;
}

std::vector<SpecConstant> partSpecialization(const PipelineShaderInfo &shader) {
  std::vector<SpecConstant> result = shader.specialization;
  if (result.empty())
    return result;
  auto byId = [](const auto &a, const auto &b) { return a.constantId < b.constantId; };
  llvm::sort(result, byId);
  auto sameId = [](const auto &a, const auto &b) { return a.constantId == b.constantId; };
  // Not valid, and which one counts is not for us to say.
  if (std::adjacent_find(result.begin(), result.end(), sameId) != result.end())
    return shader.specialization;
  llvm::ArrayRef<SpecDefault> declared = ShaderModuleAccess::data(shader.module).specDefaults();
  const LinkedConstants &linked = linkedConstantsOf(shader);
  llvm::erase_if(result, [&](SpecConstant &given) {
    if (llvm::binary_search(linked.unused, given.constantId))
      return true;
    const auto [first, end] =
        std::equal_range(declared.begin(), declared.end(), SpecDefault{given.constantId}, byId);
    if (end - first != 1)
      return first == end; // what several constants share has several defaults
    if (first->size == 0) {
      given.size = 4;
      given.value = given.value != 0;
      return given.value == first->value;
    }
    const uint64_t mask = first->size < 8 ? (1ull << (8 * first->size)) - 1 : ~0ull;
    given.value &= mask;
    return given.size == first->size && given.value == (first->value & mask);
  });
  return result;
}

/// How large the arrays are that linking places.
static llvm::Error addWorkgroupBytes(const PipelineShaderInfo &shader,
                                     std::vector<lgc::LinkConstant> &constants) {
  const std::vector<LinkedArray> &arrays = linkedConstantsOf(shader).workgroupArrays;
  if (arrays.empty())
    return llvm::Error::success();
  ConstantEval eval(shader.module.spirvModule(), shader.specialization);
  for (const auto &[number, array] : llvm::enumerate(arrays)) {
    const std::optional<uint64_t> length = eval.evaluate(array.length);
    if (!length || *length == 0 || *length > UINT32_MAX / array.stride)
      return lgc::invalidInput("array in workgroup memory %" + llvm::Twine(array.variable) +
                               ": no length that linking knows");
    constants.push_back({lgcStage(shader.entryStage), static_cast<uint32_t>(number),
                         static_cast<uint32_t>(*length * array.stride),
                         lgc::LinkConstant::Kind::WorkgroupBytes});
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<lgc::LinkConstant>>
Compiler::linkedConstants(const PipelineShaderInfo &shader) {
  std::vector<lgc::LinkConstant> result;
  const lgc::ShaderStage stage = lgcStage(shader.entryStage);
  std::map<uint32_t, const SpecConstant *> given;
  for (const SpecConstant &one : shader.specialization)
    given[one.constantId] = &one;
  for (const SpecDefault &constant : linkedConstantsOf(shader).constants) {
    uint64_t value = constant.value;
    if (auto it = given.find(constant.constantId); it != given.end()) {
      KILN_TRY(checkSize(constant, *it->second));
      value = constant.size ? it->second->value : it->second->value != 0;
    }
    const uint64_t mask = constant.size ? (1ull << 8 * constant.size) - 1 : 1;
    result.push_back({stage, constant.constantId, static_cast<uint32_t>(value & mask)});
  }
  KILN_TRY(addWorkgroupBytes(shader, result));
  return result;
}

llvm::Expected<ComputePipelineBuildInfo> partInput(const ComputePipelineBuildInfo &info,
                                                   SpecializedAt at) {
  KILN_TRY(checkOutput(info));
  ComputePipelineBuildInfo input;
  takeCommon(input, info);
  KILN_TRY(takeShader(input, input.cs, info, info.cs, ShaderStage::Compute, at));
  ResourceUsage storage;
  auto usage = KILN_TRY(shaderUsage(input.cs, storage));
  input.resourceMapping = KILN_TRY(partMapping(info.resourceMapping, *usage));
  return input;
}

llvm::Expected<GraphicsPipelineBuildInfo> partInput(const GraphicsPipelineBuildInfo &info,
                                                    PartKind kind, SpecializedAt at) {
  if (kind != PartKind::PreRasterization && kind != PartKind::Fragment)
    return lgc::invalidInput("part: graphics pipelines have pre-rasterization and fragment parts");
  KILN_TRY(checkOutput(info));
  GraphicsPipelineBuildInfo input;
  takeCommon(input, info);
  ResourceUsage merged;
  const ResourceUsage *usage = &merged;
  bool isFirst = true;
  for (unsigned i = 0; i < graphicsStageCount; ++i) {
    auto stage = static_cast<ShaderStage>(i);
    const PipelineShaderInfo &shader = info.shader(stage);
    if (!shader.module || (stage == ShaderStage::Fragment) != (kind == PartKind::Fragment))
      continue;
    KILN_TRY(takeShader(input, input.shader(stage), info, shader, stage, at));
    ResourceUsage storage;
    auto used = KILN_TRY(shaderUsage(input.shader(stage), storage));
    // Most parts have one shader.
    if (std::exchange(isFirst, false) && used != &storage) {
      usage = used;
      continue;
    }
    if (usage != &merged)
      merged = *std::exchange(usage, &merged);
    mergeResourceUsage(merged, *used);
  }
  if (kind == PartKind::PreRasterization && readsDescribed(info)) {
    if (usage != &merged)
      merged = *std::exchange(usage, &merged);
    addVertexDescription(merged);
  }
  input.resourceMapping = KILN_TRY(partMapping(info.resourceMapping, *usage));
  KILN_TRY(kind == PartKind::Fragment ? takeFragmentState(input, info)
                                      : takePreRasterizationState(input, info));
  return input;
}

bool readsInputs(const PipelineShaderInfo &shader) { return !reflectionOf(shader).inputs.empty(); }

void addVertexDescription(ResourceUsage &usage) {
  usage.nodes.push_back({.type = lgc::ResourceNodeType::DescriptorConstBuffer,
                         .set = lgc::internalSet, // the last one
                         .binding = lgc::uberFetchBinding});
}

lgc::PartState partStateOf(const ComputePipelineBuildInfo &input, SpecializedAt at) {
  lgc::PartState state;
  state.relocatable = true;
  state.linksConstants =
      at == SpecializedAt::Link && !linkedConstantsOf(input.cs).constants.empty();
  return state;
}

lgc::PartState partStateOf(const GraphicsPipelineBuildInfo &input, PartKind kind,
                           SpecializedAt at) {
  lgc::PartState state;
  state.relocatable = true;
  state.separateVertexFetch =
      kind == PartKind::PreRasterization && input.vs.module && !input.enableUberFetchShader;
  // What exports nothing ends by itself.
  state.separateColorExport = kind == PartKind::Fragment && input.fs.module && hasOutputs(input.fs);
  for (unsigned i = 0; at == SpecializedAt::Link && i < graphicsStageCount; ++i) {
    const PipelineShaderInfo &shader = input.shader(static_cast<ShaderStage>(i));
    state.linksConstants |= shader.module && !linkedConstantsOf(shader).constants.empty();
  }
  return state;
}

} // namespace llpc
