//===- Parts.cpp - keys and builds of parts -------------------------------===//
// SPDX-License-Identifier: MIT
#include "llpc/Parts.h"
#include "lgc/TaskView.h"
#include "lgc/UberFetch.h"
#include "llpc/context/AutoLayout.h"
#include "llpc/context/CompilerImpl.h"
#include "llpc/context/GraphicsChecks.h"
#include "llpc/context/PartInput.h"
#include "llpc/context/PartLayout.h"
#include "llpc/context/PipelineBuild.h"
#include "llpc/context/PipelineKey.h"
#include "llpc/context/ShaderModule.h"
#include "llpc/context/WholeInput.h"
#include "llpc/reflect/StageInterface.h"
#include "pal_shim/abi/Try.h"

namespace llpc {

using lgc::PartKind;
using lgc::ResourceNode;
using lgc::ResourceNodeType;

namespace {

/// What a build takes from the caller besides what the part is made of.
void takeCallbacks(PipelineBuildInfo &input, const PipelineBuildInfo &info) {
  input.instance = info.instance;
  input.userData = info.userData;
  input.pfnOutputAlloc = info.pfnOutputAlloc;
  input.verifyIr = info.verifyIr;
  input.dump = info.dump;
}

PartResult partResult(PipelineResult &&result, const Hash128 &key) {
  PartResult part;
  part.elf = std::move(result.elf);
  part.key = key;
  part.times = result.times;
  part.warnings = std::move(result.warnings);
  part.isDirect = result.isDirect;
  part.directRefusal = std::move(result.directRefusal);
  return part;
}

bool isDynamic(ResourceNodeType type, const LayoutGuess &guess) {
  return (type == ResourceNodeType::DescriptorConstBuffer && guess.uniformBuffersDynamic) ||
         (type == ResourceNodeType::DescriptorBuffer && guess.storageBuffersDynamic);
}

/// Moves dynamic buffers from their tables to the root.
void moveDynamicBuffers(ResourceMappingData &mapping, const LayoutGuess &guess) {
  std::vector<ResourceNode> roots, buffers;
  for (ResourceNode &root : mapping.roots) {
    const bool isTable = root.type == ResourceNodeType::DescriptorTableVaPtr;
    std::vector<ResourceNode> table;
    for (ResourceNode &node : root.table)
      (isDynamic(node.type, guess) ? buffers : table).push_back(std::move(node));
    root.table = std::move(table);
    // Push constants are last.
    if (!isTable)
      roots.insert(roots.end(), buffers.begin(), buffers.end());
    if (!isTable || !root.table.empty())
      roots.push_back(std::move(root));
    if (!isTable)
      buffers.clear();
  }
  roots.insert(roots.end(), buffers.begin(), buffers.end());
  uint32_t next = 0;
  for (ResourceNode &root : roots) {
    root.offsetInDwords = next;
    next += root.sizeInDwords;
  }
  mapping.roots = std::move(roots);
}

/// The memory that describes vertex attributes, alone in a table.
ResourceNode vertexDescriptionNode() {
  ResourceNode memory;
  memory.type = ResourceNodeType::InlineBuffer;
  memory.set = lgc::internalSet;
  memory.binding = lgc::uberFetchBinding;
  memory.sizeInDwords =
      (lgc::uberfetch::maskBytes + lgc::uberfetch::locations * lgc::uberfetch::attributeBytes) / 4;
  ResourceNode table;
  table.type = ResourceNodeType::DescriptorTableVaPtr;
  table.set = lgc::internalSet;
  table.sizeInDwords = 1;
  table.table = {memory};
  return table;
}

/// More than any device has: the work of comparing stays small.
constexpr size_t maxHandedSlots = 128;

/// None: as Compiler::stageEnds().
std::optional<std::vector<StageEnds::Slot>>
handedBy(const spirv::Module &module, const spirv::EntryPoint &entry, spv::StorageClass storage) {
  auto handed = collectHanded(module, entry, storage);
  if (!handed) {
    llvm::consumeError(handed.takeError());
    return std::nullopt;
  }
  std::vector<StageEnds::Slot> slots;
  for (bool ofPatch : {false, true})
    for (const InterfaceSlot &slot : ofPatch ? handed->ofPatches : handed->ofVertices) {
      const bool isIndex = // of one location, which only fragment shaders have
          !slots.empty() && slots.back().ofPatch == ofPatch &&
          slots.back().location == slot.location;
      if (isIndex || slots.size() == maxHandedSlots)
        return std::nullopt;
      slots.push_back(
          {ofPatch, slot.location, static_cast<uint8_t>(slot.base), slot.bits, slot.components});
    }
  return slots;
}

/// Of a task shader, or of a mesh shader behind one.
bool hasPayload(const spirv::Module &module, const spirv::EntryPoint &entry) {
  return llvm::any_of(entry.interfaceIds, [&](spirv::Id id) {
    const spirv::Inst *variable = module.definition(id);
    return variable && variable->opcode == spv::Op::OpVariable && variable->size() &&
           static_cast<spv::StorageClass>((*variable)[0]) ==
               spv::StorageClass::TaskPayloadWorkgroupEXT;
  });
}

} // namespace

bool Compiler::guessMultiView(const PipelineShaderInfo &shader) {
  const EntryReflection *reflection =
      shader.module.reflection(shader.entryStage, shader.entryTarget);
  return reflection && reflection->traits.has(EntryTrait::ReadsViewIndex);
}

std::optional<StageEnds> Compiler::stageEnds(const PipelineShaderInfo &shader) {
  const spirv::Module &module = shader.module.spirvModule();
  const spirv::EntryPoint *entry =
      module.findEntryPoint(executionModelOf(shader.entryStage), shader.entryTarget);
  if (!entry)
    return std::nullopt;
  auto taken = handedBy(module, *entry, spv::StorageClass::Input);
  auto given = handedBy(module, *entry, spv::StorageClass::Output);
  if (!taken || !given)
    return std::nullopt;
  return StageEnds{std::move(*taken), std::move(*given), hasPayload(module, *entry)};
}

std::optional<unsigned> Compiler::guessFollows(const StageEnds &before, const StageEnds &after) {
  if (before.hasPayload != after.hasPayload)
    return std::nullopt;
  const auto *given = before.given.data(), *end = given + before.given.size();
  for (const StageEnds::Slot &slot : after.taken) {
    auto place = [](const StageEnds::Slot &of) { return std::tuple(of.ofPatch, of.location); };
    while (given != end && place(*given) < place(slot))
      ++given;
    if (given == end || place(*given) != place(slot) || given->base != slot.base ||
        given->bits != slot.bits || given->components < slot.components)
      return std::nullopt;
  }
  return static_cast<unsigned>(before.given.size() - after.taken.size());
}

llvm::Expected<ResourceMappingData> Compiler::guessLayout(const ShaderModule &module,
                                                          const PipelineShaderInfo &shader,
                                                          const LayoutGuess &guess) {
  PipelineShaderInfo used = shader;
  used.module = module;
  return guessLayout(used, guess);
}

llvm::Expected<ResourceMappingData>
Compiler::guessLayout(llvm::ArrayRef<PipelineShaderInfo> shaders, const LayoutGuess &guess) {
  ResourceUsage usage;
  for (const PipelineShaderInfo &shader : shaders) {
    KILN_TRY(checkShader(shader, shader.entryStage));
    ResourceUsage storage;
    auto used = KILN_TRY(shaderUsage(shader, storage));
    mergeResourceUsage(usage, *used);
  }
  const bool isDescribed =
      guess.describesVertexInput && llvm::any_of(shaders, [](const PipelineShaderInfo &shader) {
        return shader.entryStage == ShaderStage::Vertex && readsInputs(shader);
      });
  const ResourceUsage ofShaders = usage;
  if (isDescribed)
    addVertexDescription(usage);
  for (const ResourceMappingData *known : guess.known) {
    auto fitting = partMapping(*known, usage);
    if (fitting)
      return fitting;
    llvm::consumeError(fitting.takeError()); // does not fit
  }
  auto mapping = KILN_TRY(llpc::buildAutoLayout(ofShaders));
  if (isDescribed)
    mapping.roots.push_back(vertexDescriptionNode());
  if (guess.uniformBuffersDynamic || guess.storageBuffersDynamic)
    moveDynamicBuffers(mapping, guess);
  return partMapping(mapping, usage);
}

std::optional<lgc::OutputPrimitive> outputPrimitiveOf(const GraphicsPipelineBuildInfo &info) {
  constexpr uint32_t makers = stageBit(ShaderStage::TessEval) | stageBit(ShaderStage::Geometry) |
                              stageBit(ShaderStage::Mesh);
  if (info.allStages() & makers)
    return std::nullopt;
  switch (topologyClass(info.iaState.topology, /*adjacency=*/false)) {
  case lgc::Topology::PointList:
    return lgc::OutputPrimitive::Points;
  case lgc::Topology::LineList:
    return lgc::OutputPrimitive::Lines;
  default:
    return lgc::OutputPrimitive::Triangles;
  }
}

llvm::Expected<Hash128> Compiler::partKey(const ComputePipelineBuildInfo &info,
                                          SpecializedAt at) const {
  auto input = KILN_TRY(partInput(info, at));
  return partHash(input, partStateOf(input, at), impl->target.name);
}

llvm::Expected<Hash128> Compiler::partKey(const GraphicsPipelineBuildInfo &info, PartKind kind,
                                          SpecializedAt at) const {
  auto input = KILN_TRY(partInput(info, kind, at));
  return partHash(input, kind, partStateOf(input, kind, at), impl->target.name);
}

llvm::Expected<PartResult> Compiler::buildPart(const ComputePipelineBuildInfo &info,
                                               SpecializedAt at) const {
  auto input = KILN_TRY(partInput(info, at));
  const lgc::PartState state = partStateOf(input, at);
  const Hash128 key = partHash(input, state, impl->target.name);
  takeCallbacks(input, info);
  auto result = buildCompute(input, state, {key, key}, impl->target.name, impl->backend);
  if (!result)
    return result.takeError();
  return partResult(std::move(*result), key);
}

llvm::Expected<PartResult> Compiler::buildPart(const GraphicsPipelineBuildInfo &info, PartKind kind,
                                               SpecializedAt at) const {
  auto input = KILN_TRY(partInput(info, kind, at));
  const lgc::PartState state = partStateOf(input, kind, at);
  const Hash128 key = partHash(input, kind, state, impl->target.name);
  takeCallbacks(input, info);
  const bool isNull = kind == PartKind::Fragment && !input.fs.module;
  if (!isNull)
    KILN_TRY(checkGraphicsInfo(input));
  auto result = KILN_TRY(buildGraphics(input, state, {key, key}, impl->target.name, impl->backend));
  return partResult(std::move(result), key);
}

} // namespace llpc
