//===- RayPipeline.cpp - ray tracing pipelines and launches of a job ------===//
// SPDX-License-Identifier: MIT
#include "Resources.h"
#include "pal_shim/abi/Try.h"
#include <algorithm>
#include <cstring>

using llvm::Error;
using llvm::Expected;

namespace exec {

namespace {

uint64_t alignUp(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

VkRayTracingPipelineCreateInfoKHR infoOf(const RaysSpec &spec, const RayPieces &pieces,
                                         VkPipelineLayout layout) {
  VkRayTracingPipelineCreateInfoKHR info = {};
  info.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR;
  info.flags = spec.flags;
  if (spec.replays)
    info.flags |= VK_PIPELINE_CREATE_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR;
  info.stageCount = pieces.stages.size();
  info.pStages = pieces.stages.data();
  info.groupCount = pieces.groups.size();
  info.pGroups = pieces.groups.data();
  info.maxPipelineRayRecursionDepth = spec.depth;
  info.layout = layout;
  info.basePipelineIndex = -1;
  return info;
}

} // namespace

VkPhysicalDeviceRayTracingPipelinePropertiesKHR JobObjects::rayProperties() const {
  VkPhysicalDeviceRayTracingPipelinePropertiesKHR rays = {};
  rays.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR;
  VkPhysicalDeviceProperties2 all = {};
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  all.pNext = &rays;
  device.instanceApi().GetPhysicalDeviceProperties2(device.physical().handle, &all);
  return rays;
}

/// What the library of that number, or the pipeline, has. \p handles: of all groups, to be the same
/// again; or empty.
RayPieces JobObjects::rayPiecesOf(uint32_t library, llvm::ArrayRef<uint8_t> handles,
                                  const VkSpecializationInfo *constants) {
  const RaysSpec &spec = *job.rays;
  RayPieces pieces;
  std::vector<uint32_t> placeOf(spec.shaders.size(), VK_SHADER_UNUSED_KHR);
  auto add = [&](uint32_t shader) {
    if (shader == VK_SHADER_UNUSED_KHR || placeOf[shader] != VK_SHADER_UNUSED_KHR)
      return;
    placeOf[shader] = pieces.stages.size();
    VkPipelineShaderStageCreateInfo &stage = pieces.stages.emplace_back();
    stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    stage.stage = spec.shaders[shader].stage;
    stage.module = rayModules[shader];
    stage.pName = job.entry.c_str();
    stage.pSpecializationInfo = constants;
  };
  constexpr std::pair<uint32_t RayGroupSpec::*, uint32_t VkRayTracingShaderGroupCreateInfoKHR::*>
      members[] = {
          {&RayGroupSpec::general, &VkRayTracingShaderGroupCreateInfoKHR::generalShader},
          {&RayGroupSpec::closestHit, &VkRayTracingShaderGroupCreateInfoKHR::closestHitShader},
          {&RayGroupSpec::anyHit, &VkRayTracingShaderGroupCreateInfoKHR::anyHitShader},
          {&RayGroupSpec::intersection, &VkRayTracingShaderGroupCreateInfoKHR::intersectionShader}};
  for (uint32_t shader = 0; library && shader < spec.shaders.size(); ++shader)
    if (spec.shaders[shader].library == library)
      add(shader);
  for (const RayGroupSpec &group : spec.groups)
    for (auto [from, to] : members)
      if (group.library == library &&
          (library || group.*from == VK_SHADER_UNUSED_KHR || !spec.shaders[group.*from].library))
        add(group.*from);
  const uint32_t ownCount = pieces.stages.size();
  for (uint32_t shader = 0; shader < spec.shaders.size(); ++shader)
    if (library && placeOf[shader] != VK_SHADER_UNUSED_KHR)
      rayLibraryPlaces[shader] = rayLibraryStages + placeOf[shader];
    else if (!library && spec.shaders[shader].library)
      placeOf[shader] = ownCount + rayLibraryPlaces[shader]; // behind the pipeline's own
  if (library)
    rayLibraryStages += ownCount;
  for (uint32_t i = 0; i < spec.groups.size(); ++i) {
    const RayGroupSpec &group = spec.groups[i];
    if (group.library != library)
      continue;
    VkRayTracingShaderGroupCreateInfoKHR &made = pieces.groups.emplace_back();
    made.sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR;
    made.type = group.type;
    for (auto [from, to] : members)
      made.*to = group.*from == VK_SHADER_UNUSED_KHR ? VK_SHADER_UNUSED_KHR : placeOf[group.*from];
    if (!handles.empty())
      made.pShaderGroupCaptureReplayHandle = handles.data() + i * rayCaptureSize;
    pieces.numbers.push_back(i);
  }
  return pieces;
}

/// Creates the library of that number, or the pipeline, of those before.
Expected<VkPipeline> JobObjects::createRayPiece(uint32_t library,
                                                llvm::ArrayRef<VkPipeline> libraries,
                                                std::vector<uint32_t> &order,
                                                llvm::ArrayRef<uint8_t> handles) {
  const RaysSpec &spec = *job.rays;
  const SpecializationData constants(job.specialization);
  const RayPieces pieces = rayPiecesOf(library, handles, constants.pointer());
  order.insert(order.end(), pieces.numbers.begin(), pieces.numbers.end());
  VkRayTracingPipelineCreateInfoKHR info = infoOf(spec, pieces, layout);
  VkPipelineLibraryCreateInfoKHR libraryInfo = {};
  libraryInfo.sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR;
  libraryInfo.libraryCount = libraries.size();
  libraryInfo.pLibraries = libraries.data();
  VkRayTracingPipelineInterfaceCreateInfoKHR interfaceInfo = {};
  interfaceInfo.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_INTERFACE_CREATE_INFO_KHR;
  interfaceInfo.maxPipelineRayPayloadSize = spec.payloadBytes;
  interfaceInfo.maxPipelineRayHitAttributeSize = spec.attributeBytes;
  const VkDynamicState stack = VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR;
  VkPipelineDynamicStateCreateInfo dynamic = {};
  dynamic.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO;
  dynamic.dynamicStateCount = 1;
  dynamic.pDynamicStates = &stack;
  if (library || !libraries.empty())
    info.pLibraryInterface = &interfaceInfo;
  if (library)
    info.flags |= VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
  if (!libraries.empty())
    info.pLibraryInfo = &libraryInfo;
  if (spec.stackBytes)
    info.pDynamicState = &dynamic;
  if (!spec.captureFolder.empty()) {
    std::string hash = KILN_TRY(captureRays(info, library ? llvm::ArrayRef<std::string>()
                                                          : llvm::ArrayRef(rayLibraryHashes)));
    if (library)
      rayLibraryHashes.push_back(std::move(hash));
  }
  VkPipeline made = VK_NULL_HANDLE;
  KILN_TRY(check(api.CreateRayTracingPipelinesKHR(device.handle(), VK_NULL_HANDLE, VK_NULL_HANDLE,
                                                  1, &info, nullptr, &made),
                 "vkCreateRayTracingPipelinesKHR"));
  return made;
}

/// What \p get says of all groups, \p size bytes each, in the order of the job.
Expected<Bytes> JobObjects::rayHandles(PFN_vkGetRayTracingShaderGroupHandlesKHR get,
                                       const char *name, uint32_t size) {
  Bytes given(rayOrder.size() * size), sorted(given.size());
  KILN_TRY(
      check(get(device.handle(), pipeline, 0, rayOrder.size(), given.size(), given.data()), name));
  for (size_t i = 0; i < rayOrder.size(); ++i)
    std::copy_n(given.begin() + i * size, size, sorted.begin() + rayOrder[i] * size);
  return sorted;
}

/// The pipeline, and the handles of all groups, in the order of the job.
Expected<Bytes> JobObjects::createRayPipelineOnce(llvm::ArrayRef<uint8_t> handles) {
  const RaysSpec &spec = *job.rays;
  uint32_t libraryCount = 0;
  for (const RayGroupSpec &group : spec.groups)
    libraryCount = std::max(libraryCount, group.library);
  for (const RayShaderSpec &shader : spec.shaders)
    libraryCount = std::max(libraryCount, shader.library);
  rayLibraryPlaces.assign(spec.shaders.size(), 0);
  rayLibraryStages = 0;
  std::vector<uint32_t> ofLibraries;
  rayOrder.clear();
  for (uint32_t i = 1; i <= libraryCount; ++i) {
    VkPipeline library = KILN_TRY(createRayPiece(i, {}, ofLibraries, handles));
    rayLibraries.push_back(library);
  }
  VkPipeline made = KILN_TRY(createRayPiece(0, rayLibraries, rayOrder, handles));
  pipeline = made;
  rayOrder.insert(rayOrder.end(), ofLibraries.begin(), ofLibraries.end());
  return rayHandles(api.GetRayTracingShaderGroupHandlesKHR, "vkGetRayTracingShaderGroupHandlesKHR",
                    rayHandleSize);
}

void JobObjects::destroyRayPipelines() {
  for (VkPipeline library : rayLibraries)
    api.DestroyPipeline(device.handle(), library, nullptr);
  rayLibraries.clear();
  rayLibraryHashes.clear();
}

Error JobObjects::createRayPipeline() {
  if (!device.hasFeature("rayTracingPipeline"))
    return failure("the device has no ray tracing pipelines");
  const VkPhysicalDeviceRayTracingPipelinePropertiesKHR properties = rayProperties();
  rayHandleSize = properties.shaderGroupHandleSize;
  rayCaptureSize = properties.shaderGroupHandleCaptureReplaySize;
  for (const RayShaderSpec &shader : job.rays->shaders) {
    VkShaderModule module = KILN_TRY(createModule(shader.spirv));
    rayModules.push_back(module);
  }
  Bytes handles = KILN_TRY(createRayPipelineOnce({}));
  if (job.rays->replays) {
    Bytes captured =
        KILN_TRY(rayHandles(api.GetRayTracingCaptureReplayShaderGroupHandlesKHR,
                            "vkGetRayTracingCaptureReplayShaderGroupHandlesKHR", rayCaptureSize));
    destroyRayPipelines();
    api.DestroyPipeline(device.handle(), std::exchange(pipeline, VK_NULL_HANDLE), nullptr);
    Bytes again = KILN_TRY(createRayPipelineOnce(captured));
    if (again != handles)
      return failure("handles are not those that were captured");
  }
  return createTables(handles, properties);
}

/// Shader binding tables of all records, in one buffer.
Error JobObjects::createTables(llvm::ArrayRef<uint8_t> handles,
                               const VkPhysicalDeviceRayTracingPipelinePropertiesKHR &properties) {
  const RaysSpec &spec = *job.rays;
  uint64_t end = 0;
  for (unsigned table = 0; table < rayTableCount; ++table) {
    uint64_t dataBytes = 0;
    for (const RayRecordSpec &record : spec.records[table])
      dataBytes = std::max<uint64_t>(dataBytes, record.data.size());
    // Each ray generation record is a region of its own.
    const uint32_t alignment =
        table == 0 ? properties.shaderGroupBaseAlignment : properties.shaderGroupHandleAlignment;
    RayRegion &region = rayRegions[table];
    region.stride = alignUp(rayHandleSize + dataBytes, alignment);
    region.offset = end = alignUp(end, properties.shaderGroupBaseAlignment);
    region.size = region.stride * spec.records[table].size();
    end += region.size;
  }
  BufferObject buffer = KILN_TRY(createBuffer(end + properties.shaderGroupBaseAlignment,
                                              VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR |
                                                  VK_BUFFER_USAGE_STORAGE_BUFFER_BIT));
  staging.push_back(buffer);
  const uint64_t base = alignUp(buffer.address, properties.shaderGroupBaseAlignment);
  auto *host = static_cast<uint8_t *>(buffer.mapped) + (base - buffer.address);
  for (unsigned table = 0; table < rayTableCount; ++table) {
    rayRegions[table].address = base + rayRegions[table].offset;
    uint8_t *to = host + rayRegions[table].offset;
    for (const RayRecordSpec &record : spec.records[table]) {
      std::memset(to, 0, rayHandleSize);
      if (record.group)
        std::memcpy(to, handles.data() + *record.group * rayHandleSize, rayHandleSize);
      std::copy(record.data.begin(), record.data.end(), to + rayHandleSize);
      to += rayRegions[table].stride;
    }
  }
  return createTraceArguments();
}

VkStridedDeviceAddressRegionKHR JobObjects::regionOf(RayTable table, uint32_t rayGen) const {
  const RayRegion &region = rayRegions[static_cast<unsigned>(table)];
  if (region.size == 0)
    return {};
  if (table == RayTable::RayGen)
    return {region.address + rayGen * region.stride, region.stride, region.stride};
  return {region.address, region.stride, region.size};
}

/// What indirect launches read: of each a VkTraceRaysIndirectCommand2KHR, whose last words are a
/// VkTraceRaysIndirectCommandKHR.
Error JobObjects::createTraceArguments() {
  const RaysSpec &spec = *job.rays;
  BufferObject buffer =
      KILN_TRY(createBuffer(spec.traces.size() * sizeof(VkTraceRaysIndirectCommand2KHR) + 8,
                            VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT));
  staging.push_back(buffer);
  traceArguments = buffer.address;
  auto *to = static_cast<uint8_t *>(buffer.mapped);
  for (const TraceSpec &trace : spec.traces) {
    const auto rayGen = regionOf(RayTable::RayGen, trace.rayGen), miss = regionOf(RayTable::Miss),
               hit = regionOf(RayTable::Hit), callable = regionOf(RayTable::Callable);
    const VkTraceRaysIndirectCommand2KHR command = {rayGen.deviceAddress,
                                                    rayGen.size,
                                                    miss.deviceAddress,
                                                    miss.size,
                                                    miss.stride,
                                                    hit.deviceAddress,
                                                    hit.size,
                                                    hit.stride,
                                                    callable.deviceAddress,
                                                    callable.size,
                                                    callable.stride,
                                                    trace.size[0],
                                                    trace.size[1],
                                                    trace.size[2]};
    std::memcpy(to, &command, sizeof(command));
    to += sizeof(command);
  }
  return Error::success();
}

void JobObjects::recordTraces(VkCommandBuffer commands) {
  constexpr auto point = VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR;
  const RaysSpec &spec = *job.rays;
  api.CmdBindPipeline(commands, point, pipeline);
  if (!sets.empty())
    api.CmdBindDescriptorSets(commands, point, layout, 0, sets.size(), sets.data(),
                              dynamicOffsets.size(), dynamicOffsets.data());
  if (!push.empty())
    api.CmdPushConstants(commands, layout, shaderStages(), 0, push.size(), push.data());
  if (spec.stackBytes)
    api.CmdSetRayTracingPipelineStackSizeKHR(commands, *spec.stackBytes);
  VkDeviceAddress arguments = traceArguments;
  for (const TraceSpec &trace : spec.traces) {
    const auto rayGen = regionOf(RayTable::RayGen, trace.rayGen), miss = regionOf(RayTable::Miss),
               hit = regionOf(RayTable::Hit), callable = regionOf(RayTable::Callable);
    if (trace.from == TraceSpec::From::Command)
      api.CmdTraceRaysKHR(commands, &rayGen, &miss, &hit, &callable, trace.size[0], trace.size[1],
                          trace.size[2]);
    else if (trace.from == TraceSpec::From::Indirect)
      api.CmdTraceRaysIndirectKHR(commands, &rayGen, &miss, &hit, &callable,
                                  arguments + offsetof(VkTraceRaysIndirectCommand2KHR, width));
    else
      api.CmdTraceRaysIndirect2KHR(commands, arguments);
    arguments += sizeof(VkTraceRaysIndirectCommand2KHR);
    barrier(commands);
  }
}

} // namespace exec
