//===- ShaderObject.cpp - VkShaderEXT -------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/shader/ShaderObject.h"
#include "icd_glue/device/Device.h"
#include "icd_glue/key/PipelineKey.h"
#include "icd_glue/key/StageKey.h"
#include "icd_glue/loader/Entrypoints.h"
#include "icd_glue/pipeline/PipelineCode.h"
#include "icd_glue/pipeline/ShaderStage.h"
#include "icd_glue/shader/DrawVariants.h"
#include <algorithm>
#include <cstring>

namespace icd {
namespace {

constexpr VkShaderStageFlags knownStages =
    VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_VERTEX_BIT |
    VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT |
    VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT |
    VK_SHADER_STAGE_FRAGMENT_BIT;
/// Part of the first draws and of the binary. Further ones are made for draws that need them.
constexpr PrimitiveClass firstClass = PrimitiveClass::Triangles;

/// The same stage of a pipeline, with the SPIR-V in its chain.
struct PipelineStage {
  explicit PipelineStage(const ShaderSource &source) {
    module.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    module.codeSize = source.spirv.size();
    module.pCode = reinterpret_cast<const uint32_t *>(source.spirv.data());
    subgroup.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
    subgroup.requiredSubgroupSize = source.requiredSubgroupSize;
    if (source.requiredSubgroupSize)
      module.pNext = &subgroup;
    constants = {static_cast<uint32_t>(source.constants.size()), source.constants.data(),
                 source.values.size(), source.values.data()};
    stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    stage.pNext = &module;
    stage.stage = source.stage;
    stage.pName = source.entry.c_str();
    stage.pSpecializationInfo = source.constants.empty() ? nullptr : &constants;
    if (source.flags & VK_SHADER_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT_EXT)
      stage.flags |= VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT;
    if (source.flags & VK_SHADER_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT)
      stage.flags |= VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  }
  PipelineStage(const PipelineStage &) = delete;

  VkShaderModuleCreateInfo module = {};
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup = {};
  VkSpecializationInfo constants = {};
  VkPipelineShaderStageCreateInfo stage = {};
};

ShaderSource sourceOf(const VkShaderCreateInfoEXT &info) {
  const auto *code = static_cast<const uint8_t *>(info.pCode);
  ShaderSource source{info.stage, info.flags, 0, info.pName, {}, {}, {code, code + info.codeSize}};
  if (auto *size = findInChain<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO))
    source.requiredSubgroupSize = size->requiredSubgroupSize;
  if (const VkSpecializationInfo *constants = info.pSpecializationInfo) {
    const auto *values = static_cast<const uint8_t *>(constants->pData);
    source.constants.assign(constants->pMapEntries,
                            constants->pMapEntries + constants->mapEntryCount);
    source.values.assign(values, values + constants->dataSize);
  }
  return source;
}

void applyConditions(GraphicsState &state, const ShaderConditions &conditions) {
  state.formats.viewMask = conditions.isMultiview;
  state.fixed.raster.provokingVertexLast = conditions.provokingVertexLast;
}

/// Is its part compiled when it is created? Others are compiled together with the vertex shader, or
/// mesh and task shader, of a draw.
bool isAloneOf(const ShaderSource &source) {
  if (source.stage == VK_SHADER_STAGE_MESH_BIT_EXT)
    return source.flags & VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT;
  return source.stage & (VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT);
}

bool hasEntry(const llpc::PipelineShaderInfo &shader) {
  return llvm::any_of(shader.module.entries(), [&](const llpc::ShaderEntryName &entry) {
    return entry.stage == shader.entryStage && entry.name == shader.entryTarget;
  });
}

} // namespace

//===--- Creation ---------------------------------------------------------===//

ShaderData::Created
ShaderData::createCompute(Device &device, const VkPipelineShaderStageCreateInfo &stageInfo,
                          const std::shared_ptr<const PipelineLayoutData> &layout,
                          const ShaderBinary *binary) {
  VkComputePipelineCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage = stageInfo;
  const CodePlaces places{pipelineKeyOf(device, info, *layout), nullptr,
                          VK_SHADER_STAGE_COMPUTE_BIT};
  codeKey = places.key.value_or(llpc::Hash128());
  auto data = std::make_shared<PipelineData>(PipelineData::Kind::Compute, layout);
  computeData = data;
  if (binary && places.key && binary->key == *places.key) {
    auto code = CodeObject::fromRecord(binary->record, device.target());
    llvm::Error error = code ? (*code)->unpack() : code.takeError();
    if (error || (*code)->stages() != VK_SHADER_STAGE_COMPUTE_BIT) {
      llvm::consumeError(std::move(error));
      return false;
    }
    data->setCode(std::move(*code));
    return true;
  }
  if (auto found = findCode(device, places).code) {
    data->setCode(std::move(found));
    return true;
  }
  auto shader = shaderInfoOf(device, stageInfo);
  if (!shader)
    return shader.takeError();
  llpc::ComputePipelineBuildInfo build;
  build.cs = std::move(*shader);
  build.options = pipelineOptionsOf(device, nullptr, stageInfo, 0);
  build.resourceMapping = layout->mapping;
  auto found = codeOf(
      {.device = device, .places = places, .layout = layout, .name = build.cs.entryTarget}, build);
  if (!found)
    return found.takeError();
  data->setCode(std::move(found->code));
  if (found->program)
    data->setProgram(std::move(found->program));
  return true;
}

ShaderData::Created
ShaderData::createGraphics(Device &device, const VkPipelineShaderStageCreateInfo &stageInfo,
                           const std::shared_ptr<const PipelineLayoutData> &layout,
                           const ShaderBinary *binary) {
  auto piece = std::make_shared<ShaderPiece>();
  piece->state.subsets =
      stage == VK_SHADER_STAGE_FRAGMENT_BIT ? fragmentShaderSubset : preRasterizationSubset;
  piece->state.stages = stage;
  piece->layout = layout;
  piece->options = pipelineOptionsOf(device, nullptr, stageInfo, 0);
  auto shader = graphicsShaderOf(device, stageInfo);
  if (!shader)
    return shader.takeError();
  const bool isAlone = isAloneOf(this->source);
  if (!isAlone && !hasEntry(*shader))
    return lgc::invalidInput("no " + llvm::Twine(llpc::shaderStageName(shader->entryStage)) +
                             " shader '" + shader->entryTarget + "' in the module");
  piece->shaders.push_back(std::move(*shader));
  const llpc::Hash128 module = hashBytes(source.spirv);
  KeyWriter key;
  encodeStage(key, module, stageInfo);
  piece->stageKeys.push_back({stage, module, key.encoding().vec()});
  pieces.add({}, piece);
  if (!isAlone)
    return true;
  codeKey = partNameOf(device, *piece, firstClass).value_or(llpc::Hash128());
  if (binary && !binary->record.empty() && binary->key == codeKey) {
    auto object = PartObject::fromRecord(binary->record, device.target());
    if (!object) {
      llvm::consumeError(object.takeError());
      return false;
    }
    return adoptPart(device, *piece, firstClass, std::move(*object));
  }
  auto part = partOf(device, *piece, firstClass, /*mayCompile=*/true);
  if (!part)
    return part.takeError();
  return true;
}

llvm::Expected<std::shared_ptr<const ShaderData>>
ShaderData::create(Device &device, const VkShaderCreateInfoEXT &info, const ShaderBinary *binary) {
  if (!(info.stage & knownStages) || (info.stage & (info.stage - 1)))
    return lgc::unsupported("shader objects of stage " + llvm::Twine(info.stage));
  const auto layout =
      PipelineLayoutData::ofHandles({info.pSetLayouts, info.setLayoutCount},
                                    {info.pPushConstantRanges, info.pushConstantRangeCount});
  if (!layout)
    return lgc::limitExceeded(
        "more sets, dynamic buffers and push constants than the limits allow");
  const std::shared_ptr<ShaderData> data(new ShaderData(device.drawVariants().nextShaderId(),
                                                        binary ? binary->source : sourceOf(info)));
  const PipelineStage pipelineStage(data->source);
  Created created = info.stage == VK_SHADER_STAGE_COMPUTE_BIT
                        ? data->createCompute(device, pipelineStage.stage, layout, binary)
                        : data->createGraphics(device, pipelineStage.stage, layout, binary);
  if (!created)
    return created.takeError();
  return *created ? data : nullptr;
}

//===--- Use --------------------------------------------------------------===//

std::shared_ptr<const ShaderPiece> ShaderData::piece(const ShaderConditions &conditions) const {
  if (const auto *piece = pieces.find(conditions))
    return *piece;
  auto piece = (*pieces.find({}))->withoutParts();
  applyConditions(piece->state, conditions);
  return *pieces.add(conditions, std::move(piece));
}

llvm::ArrayRef<uint8_t> ShaderData::binary(Device &device) const {
  std::call_once(binaryOnce, [&] {
    ShaderBinary binary{source, codeKey, {}};
    if (computeData) {
      if (const CodeObject *code = computeData->code(device))
        binary.record = code->record();
    } else if (const LibraryPart *part = (*pieces.find({}))->parts.find(firstClass);
               part && part->object) {
      binary.record = part->object->record();
    }
    binaryBytes = encodeShaderBinary(binary, device.physicalDevice().properties().shaderBinaryUUID);
  });
  return binaryBytes;
}

//===--- Commands ---------------------------------------------------------===//

static VkResult createShader(Device &device, const VkShaderCreateInfoEXT &info,
                             const VkAllocationCallbacks *allocator, VkShaderEXT &shader) {
  std::optional<ShaderBinary> binary;
  if (info.codeType == VK_SHADER_CODE_TYPE_BINARY_EXT) {
    binary = decodeShaderBinary({static_cast<const uint8_t *>(info.pCode), info.codeSize},
                                device.physicalDevice().properties().shaderBinaryUUID);
    if (!binary || binary->source.stage != info.stage)
      return VK_INCOMPATIBLE_SHADER_BINARY_EXT;
  }
  auto data = ShaderData::create(device, info, binary ? &*binary : nullptr);
  if (!data) {
    device.reportError("KILN-compile", "vkCreateShadersEXT: " + llvm::toString(data.takeError()));
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  if (!*data)
    return VK_INCOMPATIBLE_SHADER_BINARY_EXT;
  auto *made = device.create<ShaderObject>(allocator, std::move(*data));
  shader = toHandle(made);
  return made ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR VkResult VKAPI_CALL CreateShadersEXT(VkDevice device, uint32_t count,
                                                const VkShaderCreateInfoEXT *infos,
                                                const VkAllocationCallbacks *allocator,
                                                VkShaderEXT *shaders) {
  std::fill_n(shaders, count, VkShaderEXT(VK_NULL_HANDLE));
  // The first one without a handle is what the result is about.
  for (uint32_t i = 0; i < count; ++i)
    if (const VkResult result =
            createShader(*fromHandle<Device>(device), infos[i], allocator, shaders[i]))
      return result;
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL DestroyShaderEXT(VkDevice deviceHandle, VkShaderEXT handle,
                                            const VkAllocationCallbacks *allocator) {
  auto *device = fromHandle<Device>(deviceHandle);
  auto *shader = fromHandle<ShaderObject>(handle);
  if (shader)
    device->drawVariants().forget(*shader->data);
  device->destroy(shader, allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL GetShaderBinaryDataEXT(VkDevice device, VkShaderEXT shader,
                                                      size_t *size, void *data) {
  const llvm::ArrayRef<uint8_t> binary =
      fromHandle<ShaderObject>(shader)->data->binary(*fromHandle<Device>(device));
  const size_t capacity = *size;
  if (!data) {
    *size = binary.size();
    return VK_SUCCESS;
  }
  if (capacity < binary.size()) { // a piece of a binary is of no use
    *size = 0;
    return VK_INCOMPLETE;
  }
  *size = binary.size();
  std::memcpy(data, binary.data(), binary.size());
  return VK_SUCCESS;
}

} // namespace icd
