//===- Structures.cpp - the scene as acceleration structures --------------===//
// SPDX-License-Identifier: MIT
#include "Structures.h"
#include <algorithm>

const std::vector<Sphere> spheres = {
    {0, 1, -0.6f, 1, {0.9f, 0.9f, 0.95f}, 0.85f},
    {-1.75f, 0.6f, 0.5f, 0.6f, {0.85f, 0.2f, 0.15f}, 0.15f},
    {1.2f, 0.45f, 1.3f, 0.45f, {0.95f, 0.75f, 0.2f}, 0.3f},
    {-0.5f, 0.3f, 1.9f, 0.3f, {0.2f, 0.5f, 0.85f}, 0.2f},
    {-3.1f, 0.8f, -2.2f, 0.8f, {0.3f, 0.7f, 0.35f}, 0.1f},
};

namespace {

constexpr VkBufferUsageFlags inputUsage =
    VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR |
    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;

VkAccelerationStructureGeometryKHR geometryOf(VkGeometryTypeKHR type) {
  VkAccelerationStructureGeometryKHR geometry = {
      VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR};
  geometry.geometryType = type;
  geometry.flags = VK_GEOMETRY_OPAQUE_BIT_KHR;
  return geometry;
}

VkAccelerationStructureGeometryKHR trianglesOf(const Buffer &corners, uint32_t count) {
  auto geometry = geometryOf(VK_GEOMETRY_TYPE_TRIANGLES_KHR);
  auto &triangles = geometry.geometry.triangles;
  triangles = {VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR};
  triangles.vertexFormat = VK_FORMAT_R32G32B32_SFLOAT;
  triangles.vertexData.deviceAddress = corners.address;
  triangles.vertexStride = 3 * sizeof(float);
  triangles.maxVertex = 3 * count - 1;
  triangles.indexType = VK_INDEX_TYPE_NONE_KHR;
  return geometry;
}

/// Builds a structure of one geometry and waits for it.
Structure build(const Device &d, VkAccelerationStructureTypeKHR type,
                const VkAccelerationStructureGeometryKHR &geometry, uint32_t count) {
  VkAccelerationStructureBuildGeometryInfoKHR info = {
      VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR};
  info.type = type;
  info.flags = VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_TRACE_BIT_KHR;
  info.geometryCount = 1;
  info.pGeometries = &geometry;
  VkAccelerationStructureBuildSizesInfoKHR sizes = {
      VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
  d.GetAccelerationStructureBuildSizesKHR(d.device, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR,
                                          &info, &count, &sizes);
  Structure made = {};
  made.memory = createBuffer(d, sizes.accelerationStructureSize,
                             VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR);
  VkAccelerationStructureCreateInfoKHR createInfo = {
      VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR};
  createInfo.buffer = made.memory.buffer;
  createInfo.size = sizes.accelerationStructureSize;
  createInfo.type = type;
  CHECK(d.CreateAccelerationStructureKHR(d.device, &createInfo, nullptr, &made.structure));
  constexpr VkDeviceSize alignment = 256; // of scratch memory, at most
  Buffer scratch =
      createBuffer(d, sizes.buildScratchSize + alignment, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  info.dstAccelerationStructure = made.structure;
  info.scratchData.deviceAddress = (scratch.address + alignment - 1) / alignment * alignment;
  VkAccelerationStructureBuildRangeInfoKHR range = {count, 0, 0, 0};
  const VkAccelerationStructureBuildRangeInfoKHR *ranges = &range;
  run(d, [&](VkCommandBuffer commands) {
    d.CmdBuildAccelerationStructuresKHR(commands, 1, &info, &ranges);
  });
  destroy(d, scratch);
  VkAccelerationStructureDeviceAddressInfoKHR addressInfo = {
      VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR};
  addressInfo.accelerationStructure = made.structure;
  made.address = d.GetAccelerationStructureDeviceAddressKHR(d.device, &addressInfo);
  return made;
}

VkAccelerationStructureInstanceKHR instanceOf(const Structure &structure, float x, float y, float z,
                                              float scale, uint32_t record) {
  VkAccelerationStructureInstanceKHR instance = {};
  instance.transform = {{{scale, 0, 0, x}, {0, scale, 0, y}, {0, 0, scale, z}}};
  instance.mask = 0xff;
  instance.instanceShaderBindingTableRecordOffset = record;
  instance.accelerationStructureReference = structure.address;
  return instance;
}

Structure buildTop(const Device &d, Scene &s) {
  std::vector<VkAccelerationStructureInstanceKHR> instances = {
      instanceOf(s.groundStructure, 0, 0, 0, 1, groundRecord),
      instanceOf(s.pyramidStructure, 2.3f, 0, -1.4f, 1.3f, pyramidRecord)};
  for (uint32_t i = 0; i < spheres.size(); ++i)
    instances.push_back(instanceOf(s.sphereStructure, spheres[i].x, spheres[i].y, spheres[i].z,
                                   spheres[i].radius, firstSphereRecord + i));
  s.instances =
      createBuffer(d, instances.size() * sizeof(instances[0]), inputUsage, instances.data());
  auto geometry = geometryOf(VK_GEOMETRY_TYPE_INSTANCES_KHR);
  auto &data = geometry.geometry.instances;
  data = {VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR};
  data.data.deviceAddress = s.instances.address;
  return build(d, VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR, geometry,
               uint32_t(instances.size()));
}

} // namespace

Scene createScene(const Device &d) {
  constexpr auto bottom = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR;
  constexpr float g = 60;
  const float ground[] = {-g, 0, -g, g, 0, -g, g, 0, g, -g, 0, -g, g, 0, g, -g, 0, g};
  const float pyramid[] = {-1, 0, 1,  1,  0, 1,  0, 1.6f, 0, 1,  0, 1,  1,  0, -1, 0, 1.6f, 0,
                           1,  0, -1, -1, 0, -1, 0, 1.6f, 0, -1, 0, -1, -1, 0, 1,  0, 1.6f, 0};
  const VkAabbPositionsKHR box = {-1, -1, -1, 1, 1, 1};
  Scene s = {};
  s.ground = createBuffer(d, sizeof(ground), inputUsage, ground);
  s.pyramid = createBuffer(d, sizeof(pyramid), inputUsage, pyramid);
  s.box = createBuffer(d, sizeof(box), inputUsage, &box);
  s.groundStructure = build(d, bottom, trianglesOf(s.ground, 2), 2);
  s.pyramidStructure = build(d, bottom, trianglesOf(s.pyramid, 4), 4);
  auto boxes = geometryOf(VK_GEOMETRY_TYPE_AABBS_KHR);
  boxes.geometry.aabbs = {VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR};
  boxes.geometry.aabbs.data.deviceAddress = s.box.address;
  boxes.geometry.aabbs.stride = sizeof(box);
  s.sphereStructure = build(d, bottom, boxes, 1);
  s.top = buildTop(d, s);
  return s;
}

void destroy(const Device &d, const Scene &s) {
  for (const Structure &structure :
       {s.groundStructure, s.pyramidStructure, s.sphereStructure, s.top}) {
    d.DestroyAccelerationStructureKHR(d.device, structure.structure, nullptr);
    destroy(d, structure.memory);
  }
  for (const Buffer &buffer : {s.ground, s.pyramid, s.box, s.instances})
    destroy(d, buffer);
}
