//===- RayTracingPipeline.cpp - vkCreateRayTracingPipelinesKHR ------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/assemble/PipelineCode.h"
#include "icd_glue/pipeline/PipelineBinary.h"
#include "icd_glue/pipeline/PipelineCreation.h"
#include "icd_glue/pipeline/RayTracingState.h"
#include "pal_shim/abi/Try.h"

namespace icd {
namespace {

llpc::RayTracingPipelineBuildInfo buildInfoOf(const RayTracingState &state,
                                              const PipelineLayoutData &layout) {
  llpc::RayTracingPipelineBuildInfo build;
  for (const RayShader &shader : state.shaders) {
    llpc::RayTracingShaderInfo &info = build.shaders.emplace_back();
    static_cast<llpc::PipelineShaderInfo &>(info) = shader.info;
    info.id = shader.id;
  }
  build.options = state.options;
  build.resourceMapping = layout.mapping;
  build.launchUserData = launchDword(layout.userData);
  build.maxRecursionDepth = state.maxRecursionDepth;
  build.skipTriangles = state.flags & VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR;
  build.skipAabbs = state.flags & VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_AABBS_BIT_KHR;
  return build;
}

llvm::Expected<std::shared_ptr<const PipelineData>>
buildPipeline(const PipelineCreation &creation, const VkRayTracingPipelineCreateInfoKHR &info) {
  Device &device = creation.device;
  auto data =
      std::make_shared<PipelineData>(PipelineData::Kind::RayTracing, layoutDataOf(info.layout));
  auto made = KILN_TRY(rayTracingStateOf(device, info));
  const auto state = std::make_shared<const RayTracingState>(std::move(made));
  data->setRays(state);
  if (creation.flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR)
    return data; // what is linked of it is compiled
  if (auto *binaries = pipelineBinariesOf(info.pNext))
    return finishData(std::move(data), codeOf(*binaries, state->stages()));
  const PipelineLayoutData &layout = data->layout();
  const CodePlaces places =
      creation.places(pipelineKeyOf(device, *state, layout.hash), state->stages());
  auto code = findCode(creation, places);
  if (!code) {
    if (!state->canCompile())
      return nullptr;
    const CodeRequest request{.device = device,
                              .places = places,
                              .layout = data->sharedLayout(),
                              .name = "rays",
                              .mayCompile = creation.mayCompile()};
    return finishData(std::move(data), codeOf(request, buildInfoOf(*state, layout)));
  }
  data->setCode(std::move(code));
  return data;
}

} // namespace

VKAPI_ATTR VkResult VKAPI_CALL CreateRayTracingPipelinesKHR(
    VkDevice deviceHandle, VkDeferredOperationKHR deferred, VkPipelineCache cache, uint32_t count,
    const VkRayTracingPipelineCreateInfoKHR *infos, const VkAllocationCallbacks *allocator,
    VkPipeline *pipelines) {
  const VkResult result =
      createPipelines(*fromHandle<Device>(deviceHandle), "vkCreateRayTracingPipelinesKHR", cache,
                      count, infos, allocator, pipelines, buildPipeline);
  // The work is done (rays/DeferredOperation.cpp).
  return result == VK_SUCCESS && deferred ? VK_OPERATION_NOT_DEFERRED_KHR : result;
}

//===--- Groups -----------------------------------------------------------===//

VKAPI_ATTR VkResult VKAPI_CALL GetRayTracingShaderGroupHandlesKHR(VkDevice, VkPipeline pipeline,
                                                                  uint32_t firstGroup,
                                                                  uint32_t groupCount, size_t size,
                                                                  void *data) {
  const RayTracingState *rays = fromHandle<Pipeline>(pipeline)->data->rays();
  auto *to = static_cast<uint8_t *>(data);
  for (uint32_t i = 0; rays && i < groupCount; ++i, to += rayHandleBytes) {
    const uint64_t group = uint64_t(firstGroup) + i;
    if (group >= rays->groups.size() || (i + 1) * uint64_t(rayHandleBytes) > size)
      break;
    const RayHandle handle = rays->groups[group].handle();
    std::copy(handle.begin(), handle.end(), to);
  }
  return VK_SUCCESS;
}

/// Handles are the same wherever the shaders are.
VKAPI_ATTR VkResult VKAPI_CALL GetRayTracingCaptureReplayShaderGroupHandlesKHR(
    VkDevice device, VkPipeline pipeline, uint32_t firstGroup, uint32_t groupCount, size_t size,
    void *data) {
  return GetRayTracingShaderGroupHandlesKHR(device, pipeline, firstGroup, groupCount, size, data);
}

VKAPI_ATTR VkDeviceSize VKAPI_CALL GetRayTracingShaderGroupStackSizeKHR(
    VkDevice, VkPipeline pipeline, uint32_t group, VkShaderGroupShaderKHR shader) {
  const PipelineData &data = *fromHandle<Pipeline>(pipeline)->data;
  if (!data.rays() || group >= data.rays()->groups.size())
    return 0;
  const RayGroup &ids = data.rays()->groups[group];
  const uint32_t id = shader == VK_SHADER_GROUP_SHADER_ANY_HIT_KHR        ? ids.anyHit
                      : shader == VK_SHADER_GROUP_SHADER_INTERSECTION_KHR ? ids.intersection
                                                                          : ids.general;
  return data.stackBytes(id);
}

} // namespace icd
