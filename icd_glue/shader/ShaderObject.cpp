//===- ShaderObject.cpp - VkShaderEXT -------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/shader/ShaderObject.h"
#include "icd_glue/Entrypoints.h"
#include "icd_glue/assemble/PipelineCode.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/partial/PartialPipeline.h"
#include "icd_glue/pipeline/GlobalKey.h"
#include "icd_glue/pipeline/PipelineKey.h"
#include "icd_glue/shader/DrawVariants.h"
#include "icd_glue/state/ShaderStage.h"
#include "icd_glue/state/StageKey.h"
#include "lgc/FieldCount.h"
#include "llpc/StateKey.h"
#include "pal_shim/abi/Try.h"
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
  static_assert(
      lgc::fieldCount<ShaderConditions>() == 2,
      "a field was added: which of them fragment shaders get says DrawVariants::obtain()");
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

ShaderData::Created ShaderData::createCompute(Device &device,
                                              const VkPipelineShaderStageCreateInfo &stageInfo,
                                              const ShaderBinary *binary) {
  VkComputePipelineCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage = stageInfo;
  const CodePlaces places{pipelineKeyOf(device, info, *layout), nullptr,
                          VK_SHADER_STAGE_COMPUTE_BIT};
  auto data = std::make_shared<PipelineData>(PipelineData::Kind::Compute, layout);
  computeData = data;
  const llpc::PipelineOptions options = pipelineOptionsOf(device, nullptr, stageInfo, 0);
  if (const auto *record = binary ? binary->find(codeKeyOf(device, options)) : nullptr) {
    auto code = CodeObject::fromRecord(*record, device.target());
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
  auto shader = KILN_TRY(shaderInfoOf(device, stageInfo));
  llpc::ComputePipelineBuildInfo build;
  build.cs = std::move(shader);
  build.options = options;
  build.resourceMapping = layout->mapping;
  auto found = KILN_TRY(codeOf(
      {.device = device, .places = places, .layout = layout, .name = build.cs.entryTarget}, build));
  data->setCode(std::move(found));
  return true;
}

ShaderData::Created ShaderData::createGraphics(Device &device,
                                               const VkPipelineShaderStageCreateInfo &stageInfo,
                                               const ShaderBinary *binary) {
  auto piece = std::make_shared<ShaderPiece>();
  piece->state.subsets =
      stage == VK_SHADER_STAGE_FRAGMENT_BIT ? fragmentShaderSubset : preRasterizationSubset;
  piece->state.stages = stage;
  piece->layout = layout;
  piece->takesStandIns = true;
  piece->options = pipelineOptionsOf(device, nullptr, stageInfo, 0);
  auto shader = graphicsShaderOf(device, stageInfo);
  if (!shader)
    return shader.takeError();
  const bool isAlone = isAloneOf(this->source);
  if (!isAlone && !hasEntry(*shader))
    return lgc::invalidInput("no " + llvm::Twine(llpc::shaderStageName(shader->entryStage)) +
                             " shader '" + shader->entryTarget + "' in the module");
  piece->shaders.push_back(std::move(*shader));
  const llpc::Hash128 module = llpc::hashBytes(source.spirv);
  llpc::Hasher key;
  encodeStage(key, module, stageInfo);
  piece->stageKeys.push_back({stage, module, key.encoding().vec()});
  pieces.add({}, piece);
  if (!isAlone)
    return true;
  if (const auto *record = binary ? binary->find(codeKeyOf(device, piece->options)) : nullptr) {
    auto object = PartObject::fromRecord(*record, device.target());
    if (!object) {
      llvm::consumeError(object.takeError());
      return false;
    }
    return adoptPart(device, *piece, firstClass, std::move(*object));
  }
  KILN_TRY(partOf(device, *piece, firstClass, /*mayCompile=*/true));
  return true;
}

llvm::Expected<std::shared_ptr<const ShaderData>>
ShaderData::create(Device &device, const VkShaderCreateInfoEXT &info, const ShaderBinary *binary) {
  if (!(info.stage & knownStages) || (info.stage & (info.stage - 1)))
    return lgc::unsupported("shader objects of stage " + llvm::Twine(info.stage));
  auto layout =
      PipelineLayoutData::ofHandles({info.pSetLayouts, info.setLayoutCount},
                                    {info.pPushConstantRanges, info.pushConstantRangeCount});
  if (!layout)
    return lgc::limitExceeded(
        "more sets, dynamic buffers and push constants than the limits allow");
  const std::shared_ptr<ShaderData> data(new ShaderData(device.drawVariants().nextShaderId(),
                                                        binary ? binary->source : sourceOf(info)));
  data->layout = std::move(layout);
  const PipelineStage pipelineStage(data->source);
  Created created = info.stage == VK_SHADER_STAGE_COMPUTE_BIT
                        ? data->createCompute(device, pipelineStage.stage, binary)
                        : data->createGraphics(device, pipelineStage.stage, binary);
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

void ShaderData::expectDraws(Device &device, const ShaderObject &object) const {
  PartialPipeline *partial = device.partial();
  if (!partial || computeData)
    return;
  for (const llpc::PipelineShaderInfo &shader : (*pieces.find({}))->shaders)
    partial->shaderCreated(object, shader, layout, source.spirv.size());
}

//===--- Binaries ---------------------------------------------------------===//

/// What of \p options the code of a shader depends on.
static llpc::PipelineOptions optionsOfCode(const llpc::PipelineOptions &options,
                                           VkShaderStageFlagBits stage) {
  static_assert(lgc::fieldCount<llpc::PipelineOptions>() == 13, "a field was added: in code?");
  constexpr VkShaderStageFlags behind = VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
  llpc::PipelineOptions kept;
  kept.optLevel = options.optLevel;
  if (stage == VK_SHADER_STAGE_COMPUTE_BIT) // others are made of parts, which have none
    kept.tier = options.tier;
  kept.nullDescriptor = options.nullDescriptor;
  kept.primitivesGeneratedQuery = options.primitivesGeneratedQuery && !(stage & behind);
  kept.meshShaderQueries = options.meshShaderQueries && !(stage & behind);
  return kept;
}

llpc::Hash128 ShaderData::codeKeyOf(Device &device, const llpc::PipelineOptions &options) const {
  const PipelineStage pipelineStage(source);
  llpc::Hasher key("shader-binary", 1);
  key.hash(buildKeyOf(device));
  key.hash(layout->hash);
  encode(key, optionsOfCode(options, stage));
  encodeStage(key, llpc::hashBytes(source.spirv), pipelineStage.stage);
  return key.finish();
}

std::vector<uint8_t> ShaderData::recordFor(Device &device,
                                           const llpc::PipelineOptions &options) const {
  if (!computeData) {
    const auto piece = (*pieces.find({}))->withoutParts();
    piece->options = options;
    piece->takesStandIns = false; // an application keeps it
    auto part = partOf(device, *piece, firstClass, /*mayCompile=*/true);
    if (part)
      return *part && **part ? (**part)->record() : std::vector<uint8_t>();
    llvm::consumeError(part.takeError());
    return {};
  }
  const PipelineStage pipelineStage(source);
  auto shader = shaderInfoOf(device, pipelineStage.stage);
  if (!shader) {
    llvm::consumeError(shader.takeError());
    return {};
  }
  llpc::ComputePipelineBuildInfo build;
  build.cs = std::move(*shader);
  build.options = options;
  build.resourceMapping = layout->mapping;
  auto code = compileAlone(device, build, build.cs.entryTarget);
  if (code)
    return (*code)->record();
  llvm::consumeError(code.takeError());
  return {};
}

llvm::ArrayRef<uint8_t> ShaderData::binary(Device &device) const {
  std::call_once(binaryOnce, [&] {
    ShaderBinary binary{source, {}};
    for (bool areEnabled : {false, true}) {
      if (!computeData && !isAloneOf(source))
        break;
      llpc::PipelineOptions options = pipelineOptionsOf(device, nullptr, {}, 0);
      options.nullDescriptor = options.primitivesGeneratedQuery = options.meshShaderQueries =
          areEnabled;
      options = optionsOfCode(options, stage);
      std::vector<uint8_t> record = recordFor(device, options);
      if (!record.empty())
        binary.codes.push_back({codeKeyOf(device, options), std::move(record)});
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
  if (made)
    made->data->expectDraws(device, *made);
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
  if (PartialPipeline *partial = device->partial(); partial && shader)
    partial->shaderDestroyed(*shader);
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
