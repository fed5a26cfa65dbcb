//===- Acceleration.cpp - acceleration structures of a job ----------------===//
// SPDX-License-Identifier: MIT
#include "Acceleration.h"
#include "Resources.h"
#include "pal_shim/abi/Try.h"
#include "test/vulkan/StructureCheck.h"
#include <algorithm>
#include <cstring>

using llvm::Error;
using llvm::Expected;

namespace exec {

namespace {

/// What vkCmdBuildAccelerationStructuresKHR and the query of sizes take.
struct BuildInfo {
  std::vector<VkAccelerationStructureGeometryKHR> geometries;
  std::vector<VkAccelerationStructureBuildRangeInfoKHR> ranges;
  VkAccelerationStructureBuildGeometryInfoKHR info = {};

  std::vector<uint32_t> counts() const {
    std::vector<uint32_t> result;
    for (const VkAccelerationStructureBuildRangeInfoKHR &range : ranges)
      result.push_back(range.primitiveCount);
    return result;
  }
};

VkAccelerationStructureGeometryKHR geometryHead(VkGeometryTypeKHR type, VkGeometryFlagsKHR flags) {
  VkAccelerationStructureGeometryKHR geometry = {};
  geometry.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR;
  geometry.geometryType = type;
  geometry.flags = flags;
  return geometry;
}

VkDeviceAddress at(llvm::ArrayRef<BufferObject> buffers, const BufferPlace &place) {
  return buffers[place.buffer].address + place.offset;
}

VkAccelerationStructureGeometryKHR geometryOf(const GeometrySpec &spec,
                                              llvm::ArrayRef<BufferObject> buffers) {
  VkAccelerationStructureGeometryKHR geometry = geometryHead(spec.type, spec.flags);
  if (spec.type == VK_GEOMETRY_TYPE_AABBS_KHR) {
    VkAccelerationStructureGeometryAabbsDataKHR &data = geometry.geometry.aabbs;
    data.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR;
    data.data.deviceAddress = at(buffers, spec.data);
    data.stride = spec.stride;
    return geometry;
  }
  VkAccelerationStructureGeometryTrianglesDataKHR &data = geometry.geometry.triangles;
  data.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR;
  data.vertexFormat = spec.format;
  data.vertexData.deviceAddress = at(buffers, spec.data);
  data.vertexStride = spec.stride;
  const uint64_t bytes = buffers[spec.data.buffer].size - spec.data.offset;
  data.maxVertex =
      static_cast<uint32_t>(std::max<uint64_t>(bytes / std::max<uint64_t>(spec.stride, 1), 1) - 1);
  data.indexType = spec.indexType;
  if (spec.indexType != VK_INDEX_TYPE_NONE_KHR)
    data.indexData.deviceAddress = at(buffers, spec.indices);
  if (spec.transform)
    data.transformData.deviceAddress = at(buffers, *spec.transform);
  return geometry;
}

BuildInfo buildInfoOf(const StructureSpec &spec, llvm::ArrayRef<BufferObject> buffers,
                      VkDeviceAddress instances) {
  BuildInfo build;
  for (const GeometrySpec &geometry : spec.geometries) {
    build.geometries.push_back(geometryOf(geometry, buffers));
    build.ranges.push_back({geometry.count, 0, geometry.firstVertex, 0});
  }
  if (spec.type == VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR) {
    VkAccelerationStructureGeometryKHR geometry = geometryHead(VK_GEOMETRY_TYPE_INSTANCES_KHR, 0);
    VkAccelerationStructureGeometryInstancesDataKHR &data = geometry.geometry.instances;
    data.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR;
    data.arrayOfPointers = spec.pointers;
    data.data.deviceAddress = instances;
    build.geometries.push_back(geometry);
    build.ranges.push_back({static_cast<uint32_t>(spec.instances.size()), 0, 0, 0});
  }
  build.info.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR;
  build.info.type = spec.type;
  build.info.flags = spec.flags;
  build.info.mode = spec.from == StructureSpec::From::Update
                        ? VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR
                        : VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR;
  build.info.geometryCount = build.geometries.size();
  build.info.pGeometries = build.geometries.data();
  return build;
}

bool isCopy(const StructureSpec &spec) {
  return spec.from == StructureSpec::From::Clone || spec.from == StructureSpec::From::Compact ||
         spec.from == StructureSpec::From::Serialize;
}

/// Of scratch memory and of structures in their buffers.
constexpr uint64_t alignment = 256;

} // namespace

/// The instances of \p spec, and behind them an array of pointers to them.
Expected<BufferObject> JobObjects::createInstances(const StructureSpec &spec) {
  constexpr uint64_t bytes = sizeof(VkAccelerationStructureInstanceKHR);
  const uint64_t count = spec.instances.size();
  BufferObject buffer =
      KILN_TRY(createBuffer(std::max<uint64_t>(count, 1) * (bytes + sizeof(uint64_t)),
                            VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR));
  auto *data = static_cast<uint8_t *>(buffer.mapped);
  for (uint64_t i = 0; i < count; ++i) {
    VkAccelerationStructureInstanceKHR words = spec.instances[i].words;
    if (spec.instances[i].structure)
      words.accelerationStructureReference = structures[*spec.instances[i].structure].address;
    std::memcpy(data + i * bytes, &words, bytes);
    const VkDeviceAddress address = buffer.address + i * bytes;
    std::memcpy(data + count * bytes + i * sizeof(address), &address, sizeof(address));
  }
  return buffer;
}

Error JobObjects::createStructure(const StructureSpec &spec) {
  StructureObject object;
  uint64_t scratchBytes = 0, size = 0;
  if (isCopy(spec)) {
    size = structures[spec.source].size;
  } else {
    const BuildInfo build = buildInfoOf(spec, buffers, 0);
    VkAccelerationStructureBuildSizesInfoKHR sizes = {};
    sizes.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR;
    api.GetAccelerationStructureBuildSizesKHR(device.handle(),
                                              VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR,
                                              &build.info, build.counts().data(), &sizes);
    size = sizes.accelerationStructureSize;
    scratchBytes = build.info.mode == VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR
                       ? sizes.updateScratchSize
                       : sizes.buildScratchSize;
  }
  object.size = size;
  BufferObject memory =
      KILN_TRY(createBuffer(size, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR));
  staging.push_back(memory);
  object.memory = static_cast<const uint8_t *>(memory.mapped);
  if (spec.from == StructureSpec::From::Serialize)
    scratchBytes = 2 * size + 4096; // the copy between the two structures
  if (scratchBytes) {
    BufferObject scratch =
        KILN_TRY(createBuffer(scratchBytes + alignment, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT));
    staging.push_back(scratch);
    object.scratch = (scratch.address + alignment - 1) & ~(alignment - 1);
  }
  VkAccelerationStructureCreateInfoKHR info = {};
  info.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR;
  info.buffer = memory.buffer;
  info.size = size;
  info.type = spec.type;
  KILN_TRY(
      check(api.CreateAccelerationStructureKHR(device.handle(), &info, nullptr, &object.structure),
            "vkCreateAccelerationStructureKHR"));
  VkAccelerationStructureDeviceAddressInfoKHR address = {};
  address.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR;
  address.accelerationStructure = object.structure;
  object.address = api.GetAccelerationStructureDeviceAddressKHR(device.handle(), &address);
  structures.push_back(object); // owned from here on
  if (spec.type == VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR && !isCopy(spec)) {
    BufferObject instances = KILN_TRY(createInstances(spec));
    staging.push_back(instances);
    structures.back().instances = instances.address;
    if (spec.pointers)
      structures.back().instances +=
          spec.instances.size() * sizeof(VkAccelerationStructureInstanceKHR);
  }
  return Error::success();
}

Error JobObjects::createStructures() {
  if (!job.structures.empty() && !device.hasFeature("accelerationStructure"))
    return failure("the device has no acceleration structures");
  for (const StructureSpec &spec : job.structures)
    KILN_TRY(createStructure(spec));
  return Error::success();
}

void JobObjects::recordBuild(VkCommandBuffer commands, const StructureSpec &spec,
                             const StructureObject &object) {
  BuildInfo build = buildInfoOf(spec, buffers, object.instances);
  if (spec.from == StructureSpec::From::Update)
    build.info.srcAccelerationStructure = structures[spec.source].structure;
  build.info.dstAccelerationStructure = object.structure;
  build.info.scratchData.deviceAddress = object.scratch;
  const VkAccelerationStructureBuildRangeInfoKHR *ranges = build.ranges.data();
  api.CmdBuildAccelerationStructuresKHR(commands, 1, &build.info, &ranges);
}

void JobObjects::recordCopy(VkCommandBuffer commands, const StructureSpec &spec,
                            const StructureObject &object) {
  VkAccelerationStructureKHR source = structures[spec.source].structure;
  if (spec.from == StructureSpec::From::Serialize) {
    VkCopyAccelerationStructureToMemoryInfoKHR out = {};
    out.sType = VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_TO_MEMORY_INFO_KHR;
    out.src = source;
    out.dst.deviceAddress = object.scratch;
    out.mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_SERIALIZE_KHR;
    api.CmdCopyAccelerationStructureToMemoryKHR(commands, &out);
    barrier(commands);
    VkCopyMemoryToAccelerationStructureInfoKHR in = {};
    in.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_ACCELERATION_STRUCTURE_INFO_KHR;
    in.src.deviceAddress = object.scratch;
    in.dst = object.structure;
    in.mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_DESERIALIZE_KHR;
    api.CmdCopyMemoryToAccelerationStructureKHR(commands, &in);
    return;
  }
  VkCopyAccelerationStructureInfoKHR copy = {};
  copy.sType = VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_INFO_KHR;
  copy.src = source;
  copy.dst = object.structure;
  copy.mode = spec.from == StructureSpec::From::Compact
                  ? VK_COPY_ACCELERATION_STRUCTURE_MODE_COMPACT_KHR
                  : VK_COPY_ACCELERATION_STRUCTURE_MODE_CLONE_KHR;
  api.CmdCopyAccelerationStructureKHR(commands, &copy);
}

void JobObjects::recordStructures(VkCommandBuffer commands) {
  for (size_t i = 0; i < structures.size(); ++i) {
    const StructureSpec &spec = job.structures[i];
    (this->*(isCopy(spec) ? &JobObjects::recordCopy : &JobObjects::recordBuild))(commands, spec,
                                                                                 structures[i]);
    barrier(commands);
  }
}

Error JobObjects::checkStructures() const {
  if (!device.physical().isKiln())
    return Error::success();
  for (const StructureObject &object : structures) {
    const auto problems = vktest::checkStructure({object.memory, object.size});
    if (!problems.empty())
      return failure("structure " + std::to_string(&object - structures.data()) + ": " +
                     problems.front());
  }
  return Error::success();
}

void JobObjects::destroyStructures() {
  for (const StructureObject &object : structures)
    api.DestroyAccelerationStructureKHR(device.handle(), object.structure, nullptr);
}

} // namespace exec
