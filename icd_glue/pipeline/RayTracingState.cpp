//===- RayTracingState.cpp - what a ray tracing pipeline consists of ------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/RayTracingState.h"
#include "icd_glue/VulkanError.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/pipeline/Pipeline.h"
#include "icd_glue/state/RayShaderIds.h"
#include "icd_glue/state/ShaderStage.h"
#include "icd_glue/state/StageKey.h"
#include "llpc/StageNames.h"
#include "llpc/StateKey.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

namespace icd {
namespace {

/// Adds what a library has, as if it stood in the create info.
void append(RayTracingState &state, const RayTracingState &library) {
  for (const RayShader &shader : library.shaders)
    if (llvm::none_of(state.shaders, [&](const RayShader &s) { return s.id == shader.id; }))
      state.shaders.push_back(shader);
  llvm::append_range(state.groups, library.groups);
  llvm::append_range(state.stageIds, library.stageIds);
  state.options.robustBufferAccess |= library.options.robustBufferAccess;
  state.options.robustBufferAccess2 |= library.options.robustBufferAccess2;
  state.options.robustImageAccess2 |= library.options.robustImageAccess2;
}

llvm::Expected<RayShader> shaderOf(Device &device, const VkPipelineShaderStageCreateInfo &stage) {
  RayShader shader;
  shader.stage = stage.stage;
  shader.info = KILN_TRY(shaderInfoOf(device, stage));
  shader.info.entryStage = llpc::stageOfVulkan(stage.stage);
  if (!(stage.stage & rayTracingStages) || !llvm::isPowerOf2_32(stage.stage))
    return lgc::invalidInput("shader stage " + llvm::Twine(uint32_t(stage.stage)) +
                             " is no ray tracing stage");
  llpc::Hasher key("ray-shader", 1);
  if (!encodeStage(key, stage))
    return lgc::invalidInput("a stage has an identifier that is not of this driver");
  shader.key = key.finish();
  return shader;
}

/// The shaders of the create info itself, whose ids are not known yet.
llvm::Expected<std::vector<RayShader>> ownShaders(Device &device,
                                                  const VkRayTracingPipelineCreateInfoKHR &info) {
  std::vector<RayShader> shaders;
  for (uint32_t i = 0; i < info.stageCount; ++i) {
    auto shader = KILN_TRY(shaderOf(device, info.pStages[i]));
    shaders.push_back(std::move(shader));
  }
  return shaders;
}

/// The three words of a group's handle, and which of the shaders they name.
struct GroupWord {
  uint32_t RayGroup::*id;
  uint32_t shader;
};

llvm::SmallVector<GroupWord, 3> wordsOf(const VkRayTracingShaderGroupCreateInfoKHR &info) {
  if (info.type == VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR)
    return {{&RayGroup::general, info.generalShader}};
  const bool isProcedural = info.type == VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR;
  return {{&RayGroup::general, info.closestHitShader},
          {&RayGroup::anyHit, info.anyHitShader},
          {&RayGroup::intersection, isProcedural ? info.intersectionShader : VK_SHADER_UNUSED_KHR}};
}

/// 0: there is no such stage.
uint32_t idAt(llvm::ArrayRef<uint32_t> ids, size_t stage) {
  return stage < ids.size() ? ids[stage] : 0;
}

using WantedIds = std::vector<std::pair<llpc::Hash128, uint32_t>>;

/// Adds the ids that shaders of a group have in its captured handle to \p wanted. False: it is no
/// handle, or that of other shaders of libraries, which have their ids.
bool addWantedIds(const VkRayTracingShaderGroupCreateInfoKHR &info,
                  llvm::ArrayRef<RayShader> shaders, llvm::ArrayRef<uint32_t> libraryIds,
                  WantedIds &wanted) {
  RayHandle captured;
  std::memcpy(captured.data(), info.pShaderGroupCaptureReplayHandle, captured.size());
  RayGroup group;
  std::memcpy(&group.general, captured.data() + lgc::launch::recordGeneral, sizeof(uint32_t));
  std::memcpy(&group.anyHit, captured.data() + lgc::launch::recordAnyHit, sizeof(uint32_t));
  std::memcpy(&group.intersection, captured.data() + lgc::launch::recordIntersection,
              sizeof(uint32_t));
  bool fits = group.handle() == captured;
  for (const GroupWord &word : wordsOf(info)) {
    const uint32_t id = group.*word.id;
    if (word.shader < shaders.size())
      wanted.emplace_back(shaders[word.shader].key, id);
    else
      fits &= id == idAt(libraryIds, word.shader - shaders.size());
  }
  return fits;
}

/// Gives the shaders of groups the ids of captured handles, all or none of them.
llvm::Error claimIds(Device &device, llvm::ArrayRef<VkRayTracingShaderGroupCreateInfoKHR> groups,
                     llvm::ArrayRef<RayShader> shaders, llvm::ArrayRef<uint32_t> libraryIds) {
  WantedIds wanted;
  bool fits = true;
  for (const VkRayTracingShaderGroupCreateInfoKHR &group : groups)
    if (group.pShaderGroupCaptureReplayHandle)
      fits &= addWantedIds(group, shaders, libraryIds, wanted);
  if (fits && device.rayShaderIds().claim(wanted))
    return llvm::Error::success();
  return llvm::make_error<VulkanError>(VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS,
                                       "a handle is not that of its group's shaders");
}

/// What the create info says itself, whose groups may name stages of its \p libraries.
llvm::Expected<RayTracingState> ownStateOf(Device &device,
                                           const VkRayTracingPipelineCreateInfoKHR &info,
                                           VkPipelineCreateFlags2KHR flags,
                                           const RayTracingState &libraries) {
  auto shaders = KILN_TRY(ownShaders(device, info));
  RayTracingState own;
  own.shaders = std::move(shaders);
  const llvm::ArrayRef<VkRayTracingShaderGroupCreateInfoKHR> groups(info.pGroups, info.groupCount);
  if (flags & VK_PIPELINE_CREATE_2_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR)
    KILN_TRY(claimIds(device, groups, own.shaders, libraries.stageIds));
  std::vector<uint32_t> ids;
  for (RayShader &shader : own.shaders)
    ids.push_back(shader.id = device.rayShaderIds().idOf(shader.key));
  own.stageIds = ids;
  llvm::append_range(ids, libraries.stageIds);
  for (const VkRayTracingShaderGroupCreateInfoKHR &from : groups) {
    RayGroup &group = own.groups.emplace_back();
    for (const GroupWord &word : wordsOf(from))
      group.*word.id = idAt(ids, word.shader);
  }
  return own;
}

} // namespace

RayHandle RayGroup::handle() const {
  RayHandle bytes = {};
  std::memcpy(bytes.data() + lgc::launch::recordGeneral, &general, sizeof(general));
  std::memcpy(bytes.data() + lgc::launch::recordAnyHit, &anyHit, sizeof(anyHit));
  std::memcpy(bytes.data() + lgc::launch::recordIntersection, &intersection, sizeof(intersection));
  return bytes;
}

VkShaderStageFlags RayTracingState::stages() const {
  VkShaderStageFlags flags = 0;
  for (const RayShader &shader : shaders)
    flags |= shader.stage;
  return flags;
}

bool RayTracingState::canCompile() const {
  return llvm::all_of(shaders, [](const RayShader &shader) { return !!shader.info.module; });
}

llvm::Expected<RayTracingState> rayTracingStateOf(Device &device,
                                                  const VkRayTracingPipelineCreateInfoKHR &info) {
  RayTracingState state;
  state.flags = pipelineFlagsOf(info.flags, info.pNext);
  state.maxRecursionDepth = info.maxPipelineRayRecursionDepth;
  state.options =
      pipelineOptionsOf(device, info.pNext, {info.pStages, info.stageCount}, state.flags);
  if (info.pDynamicState)
    state.hasDynamicStackSize = llvm::is_contained(
        llvm::ArrayRef(info.pDynamicState->pDynamicStates, info.pDynamicState->dynamicStateCount),
        VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR);
  RayTracingState libraries;
  const VkPipelineLibraryCreateInfoKHR *libraryInfo = info.pLibraryInfo;
  for (uint32_t i = 0; libraryInfo && i < libraryInfo->libraryCount; ++i) {
    auto *library = fromHandle<Pipeline>(libraryInfo->pLibraries[i]);
    if (!library || !library->data->rays())
      return lgc::invalidInput("library " + llvm::Twine(i) + " is none of ray tracing pipelines");
    append(libraries, *library->data->rays());
  }
  // Own stages and groups come first.
  auto own = KILN_TRY(ownStateOf(device, info, state.flags, libraries));
  append(state, own);
  append(state, libraries);
  return state;
}

llpc::Hash128 pipelineKeyOf(Device &device, const RayTracingState &state,
                            const llpc::Hash128 &layout) {
  llpc::Hasher key("ray-tracing-pipeline", 1);
  key.hash(device.globalKey());
  key.hash(layout);
  encode(key, state.options);
  key.u32(static_cast<uint32_t>(state.shaders.size()));
  for (const RayShader &shader : state.shaders) {
    key.hash(shader.key);
    key.u32(shader.id);
  }
  key.u32(state.maxRecursionDepth);
  key.boolean(state.flags & VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR);
  key.boolean(state.flags & VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_AABBS_BIT_KHR);
  return key.finish();
}

} // namespace icd
