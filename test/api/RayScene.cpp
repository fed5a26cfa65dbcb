//===- RayScene.cpp - a ray tracing pipeline to create and launch ---------===//
// SPDX-License-Identifier: MIT
#include "RayScene.h"
#include <cstring>

namespace api {

namespace {

struct ShaderText {
  const char *stage, *text;
};
/// In the order of the stages of the create info.
constexpr ShaderText shaderTexts[] = {{"rgen", R"(
layout(set = 0, binding = 0) uniform accelerationStructureEXT top;
layout(set = 0, binding = 1) buffer Result { uint results[]; };
layout(location = 0) rayPayloadEXT uint payload;
layout(location = 1) callableDataEXT uint data;
void main() {
  payload = data = 0;
  if (gl_LaunchIDEXT.x < 3)
    traceRayEXT(top, 0, 0xff, 0, 0, 0, vec3(gl_LaunchIDEXT.x + 0.25, 0.25, 2), 0.0, vec3(0, 0, -1), 10.0, 0);
  else
    executeCallableEXT(0, 1);
  results[gl_LaunchIDEXT.x] = number + payload + data;
}
)"},
                                      {"rmiss", R"(
layout(location = 0) rayPayloadInEXT uint payload;
layout(constant_id = 5) const uint more = 0;
void main() { payload = number + more; }
)"},
                                      {"rchit", R"(
layout(location = 0) rayPayloadInEXT uint payload;
void main() { payload = number; }
)"},
                                      {"rint", "void main() { reportIntersectionEXT(1.5, 0); }\n"},
                                      {"rcall", R"(
layout(location = 1) callableDataInEXT uint data;
void main() { data = number; }
)"}};
constexpr uint32_t missStage = 1;

std::string sourceOf(const ShaderText &shader) {
  return std::string("#version 460\n#extension GL_EXT_ray_tracing : require\n"
                     "layout(shaderRecordEXT) buffer Record { uint number; };\n") +
         shader.text;
}

VkRayTracingShaderGroupCreateInfoKHR groupOf(VkRayTracingShaderGroupTypeKHR type, uint32_t general,
                                             uint32_t closestHit = VK_SHADER_UNUSED_KHR,
                                             uint32_t intersection = VK_SHADER_UNUSED_KHR) {
  auto group = vkStruct<VkRayTracingShaderGroupCreateInfoKHR>(
      VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR);
  group.type = type;
  group.generalShader = general;
  group.closestHitShader = closestHit;
  group.anyHitShader = VK_SHADER_UNUSED_KHR;
  group.intersectionShader = intersection;
  return group;
}

VkAccelerationStructureGeometryKHR geometryOf(VkGeometryTypeKHR type) {
  auto geometry = vkStruct<VkAccelerationStructureGeometryKHR>(
      VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR);
  geometry.geometryType = type;
  return geometry;
}

constexpr VkBufferUsageFlags inputUsage =
    VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR;
constexpr VkDeviceSize scratchAlignment = 256; // at most

} // namespace

bool hasRays(const Gpu &gpu) {
  return gpu.hasExtension(VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME) && gpu.canExecute();
}

RayScene::RayScene(Gpu &gpu) : gpu(gpu) {
  limits = vkStruct<VkPhysicalDeviceRayTracingPipelinePropertiesKHR>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR);
  auto properties = vkStruct<VkPhysicalDeviceProperties2>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &limits);
  gpu.vk.GetPhysicalDeviceProperties2(gpu.physicalDevice, &properties);
  constexpr auto general = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR;
  constexpr uint32_t none = VK_SHADER_UNUSED_KHR;
  groups = {groupOf(general, 0), groupOf(general, missStage),
            groupOf(VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR, none, 2),
            groupOf(VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR, none, 2, 3),
            groupOf(general, 4)};
  for (const ShaderText &text : shaderTexts)
    shaders.push_back(std::make_unique<Shader>(gpu, sourceOf(text), text.stage));
  const std::vector<Binding> bindings = {{0, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR},
                                         {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};
  const VkDescriptorSetLayout setLayout = gpu.setLayout(bindings);
  layout = gpu.pipelineLayout({setLayout});
  set = gpu.set(setLayout, bindings);
  results = gpu.buffer(sizeof(Numbers));
  gpu.write(set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {results});
  buildScene();
}

//===--- Structures -------------------------------------------------------===//

RayScene::Structure RayScene::structure(VkAccelerationStructureTypeKHR type, VkDeviceSize size) {
  const Buffer memory = gpu.buffer(size, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR);
  auto info = vkStruct<VkAccelerationStructureCreateInfoKHR>(
      VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR);
  info.buffer = memory.handle;
  info.size = size;
  info.type = type;
  Structure made = {VK_NULL_HANDLE, 0, size};
  VK_OK(gpu.vk.CreateAccelerationStructureKHR(gpu.device, &info, nullptr, &made.handle));
  gpu.destroyLater(made.handle);
  auto address = vkStruct<VkAccelerationStructureDeviceAddressInfoKHR>(
      VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR);
  address.accelerationStructure = made.handle;
  made.address = gpu.vk.GetAccelerationStructureDeviceAddressKHR(gpu.device, &address);
  return made;
}

RayScene::Structure RayScene::build(VkAccelerationStructureTypeKHR type,
                                    const VkAccelerationStructureGeometryKHR &geometry,
                                    uint32_t count) {
  auto info = vkStruct<VkAccelerationStructureBuildGeometryInfoKHR>(
      VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR);
  info.type = type;
  info.geometryCount = 1;
  info.pGeometries = &geometry;
  auto sizes = vkStruct<VkAccelerationStructureBuildSizesInfoKHR>(
      VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR);
  gpu.vk.GetAccelerationStructureBuildSizesKHR(
      gpu.device, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &info, &count, &sizes);
  const Structure made = structure(type, sizes.accelerationStructureSize);
  const Buffer scratch = gpu.buffer(sizes.buildScratchSize + scratchAlignment);
  info.dstAccelerationStructure = made.handle;
  info.scratchData.deviceAddress =
      (scratch.address + scratchAlignment - 1) / scratchAlignment * scratchAlignment;
  const VkAccelerationStructureBuildRangeInfoKHR range = {count, 0, 0, 0}, *ranges = &range;
  gpu.run([&](VkCommandBuffer c) {
    gpu.vk.CmdBuildAccelerationStructuresKHR(c, 1, &info, &ranges);
    gpu.barrier(c);
  });
  return made;
}

void RayScene::buildScene() {
  constexpr auto bottom = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR;
  auto input = [&](const void *data, size_t bytes) {
    const Buffer buffer = gpu.buffer(bytes, inputUsage);
    std::memcpy(buffer.data, data, bytes);
    return buffer.address;
  };
  const float corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  auto geometry = geometryOf(VK_GEOMETRY_TYPE_TRIANGLES_KHR);
  auto &data = geometry.geometry.triangles;
  data = vkStruct<VkAccelerationStructureGeometryTrianglesDataKHR>(
      VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR);
  data.vertexFormat = VK_FORMAT_R32G32B32_SFLOAT;
  data.vertexData.deviceAddress = input(corners, sizeof(corners));
  data.vertexStride = 3 * sizeof(float);
  data.maxVertex = 2;
  data.indexType = VK_INDEX_TYPE_NONE_KHR;
  triangles = build(bottom, geometry, 1);

  const VkAabbPositionsKHR extent = {1, 0, 0, 2, 1, 1};
  geometry = geometryOf(VK_GEOMETRY_TYPE_AABBS_KHR);
  geometry.geometry.aabbs = vkStruct<VkAccelerationStructureGeometryAabbsDataKHR>(
      VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR);
  geometry.geometry.aabbs.data.deviceAddress = input(&extent, sizeof(extent));
  geometry.geometry.aabbs.stride = sizeof(extent);
  boxes = build(bottom, geometry, 1);

  VkAccelerationStructureInstanceKHR instances[2] = {};
  for (uint32_t i = 0; i < 2; ++i) {
    for (uint32_t axis = 0; axis < 3; ++axis)
      instances[i].transform.matrix[axis][axis] = 1;
    instances[i].mask = 0xff;
    instances[i].instanceShaderBindingTableRecordOffset = i;
    instances[i].accelerationStructureReference = i ? boxes.address : triangles.address;
  }
  geometry = geometryOf(VK_GEOMETRY_TYPE_INSTANCES_KHR);
  geometry.geometry.instances = vkStruct<VkAccelerationStructureGeometryInstancesDataKHR>(
      VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR);
  geometry.geometry.instances.data.deviceAddress = input(instances, sizeof(instances));
  top = build(VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR, geometry, 2);
  bindTop(top.handle);
}

void RayScene::bindTop(VkAccelerationStructureKHR structure, VkDescriptorSet into) {
  auto chained = vkStruct<VkWriteDescriptorSetAccelerationStructureKHR>(
      VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR);
  chained.accelerationStructureCount = 1;
  chained.pAccelerationStructures = &structure;
  auto write = vkStruct<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, &chained);
  write.dstSet = into;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR;
  gpu.vk.UpdateDescriptorSets(gpu.device, 1, &write, 0, nullptr);
}

//===--- Pipelines --------------------------------------------------------===//

VkRayTracingPipelineCreateInfoKHR &RayScene::info(Source source, const void *next,
                                                  uint32_t number) {
  value = number;
  stages.clear();
  for (const auto &shader : shaders)
    stages.push_back(shader->stage(source));
  stages[missStage].pSpecializationInfo = &specialization;
  create_ = vkStruct<VkRayTracingPipelineCreateInfoKHR>(
      VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR, next);
  create_.stageCount = static_cast<uint32_t>(stages.size());
  create_.pStages = stages.data();
  create_.groupCount = static_cast<uint32_t>(groups.size());
  create_.pGroups = groups.data();
  create_.maxPipelineRayRecursionDepth = 1;
  create_.layout = layout;
  create_.basePipelineIndex = -1;
  return create_;
}

VkPipeline RayScene::create(const VkRayTracingPipelineCreateInfoKHR &info, VkPipelineCache cache,
                            VkResult expected) {
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(gpu.vk.CreateRayTracingPipelinesKHR(gpu.device, VK_NULL_HANDLE, cache, 1, &info,
                                                nullptr, &pipeline),
            expected);
  gpu.destroyLater(pipeline);
  return pipeline;
}

std::vector<uint8_t> RayScene::handles(VkPipeline pipeline) {
  std::vector<uint8_t> bytes(size_t(groupCount) * limits.shaderGroupHandleSize);
  VK_OK(gpu.vk.GetRayTracingShaderGroupHandlesKHR(gpu.device, pipeline, 0, groupCount, bytes.size(),
                                                  bytes.data()));
  return bytes;
}

RayScene::Tables RayScene::tables(VkPipeline pipeline) {
  const uint32_t handle = limits.shaderGroupHandleSize, base = limits.shaderGroupBaseAlignment;
  const uint64_t stride = (handle + sizeof(uint32_t) + base - 1) / base * base;
  if (!records.data)
    records = gpu.buffer(base + stride * groupCount, VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR);
  const VkDeviceAddress begin = (records.address + base - 1) / base * base;
  const std::vector<uint8_t> bytes = handles(pipeline);
  for (uint32_t group = 0; group < groupCount; ++group) {
    auto *to =
        reinterpret_cast<uint8_t *>(records.data) + (begin - records.address) + group * stride;
    std::memcpy(to, bytes.data() + size_t(group) * handle, handle);
    const uint32_t number = 10 * (group + 1);
    std::memcpy(to + handle, &number, sizeof(number));
  }
  auto region = [&](Group first, uint32_t count) -> VkStridedDeviceAddressRegionKHR {
    return {begin + first * stride, stride, count * stride};
  };
  return {region(rayGen, 1), region(miss, 1), region(triangle, 2), region(callable, 1)};
}

//===--- Launches ---------------------------------------------------------===//

void RayScene::trace(VkCommandBuffer commands, const Tables &tables) const {
  gpu.vk.CmdTraceRaysKHR(commands, &tables.rayGen, &tables.miss, &tables.hit, &tables.callable,
                         launches, 1, 1);
}

VkResult RayScene::tryRun(VkPipeline pipeline, const std::function<void(VkCommandBuffer)> &trace) {
  VkCommandBuffer commands = gpu.begin();
  gpu.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, pipeline);
  gpu.vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, layout, 0, 1, &set,
                               0, nullptr);
  trace(commands);
  gpu.barrier(commands);
  return gpu.finish(commands);
}

RayScene::Numbers RayScene::run(VkPipeline pipeline, const Tables &tables,
                                const std::function<void(VkCommandBuffer)> &trace) {
  std::memset(results.data, 0xee, sizeof(Numbers));
  VK_OK(tryRun(pipeline, trace ? trace : [&](VkCommandBuffer c) { this->trace(c, tables); }));
  Numbers numbers;
  std::memcpy(numbers.data(), results.data, sizeof(numbers));
  return numbers;
}

} // namespace api
