//===- BuildInput.cpp - what an acceleration structure is built of --------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/rays/BuildInput.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/memory/StructureVertices.h"
#include "lgc/AccelerationStructure.h"

namespace icd {

const VkAccelerationStructureGeometryKHR &
geometryOf(const VkAccelerationStructureBuildGeometryInfoKHR &info, uint32_t index) {
  return info.pGeometries ? info.pGeometries[index] : *info.ppGeometries[index];
}

static uint32_t kindOf(VkGeometryTypeKHR type) {
  switch (type) {
  case VK_GEOMETRY_TYPE_AABBS_KHR:
    return lgc::accel::kindAabbs;
  case VK_GEOMETRY_TYPE_INSTANCES_KHR:
    return lgc::accel::kindInstances;
  default:
    return lgc::accel::kindTriangles;
  }
}

BuildShape shapeOf(const Device &device, const VkAccelerationStructureBuildGeometryInfoKHR &info,
                   const uint32_t *maxPrimitives) {
  BuildShape shape;
  shape.isWide = lgc::accel::hasWideStructures(device.target().major);
  for (uint32_t i = 0; i < info.geometryCount; ++i)
    shape.leafCount += maxPrimitives[i];
  if (info.geometryCount)
    shape.kind = kindOf(geometryOf(info, 0).geometryType);
  else if (info.type == VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR)
    shape.kind = lgc::accel::kindInstances;
  return shape;
}

Kernel leafKernelOf(const VkAccelerationStructureGeometryKHR &geometry) {
  switch (kindOf(geometry.geometryType)) {
  case lgc::accel::kindAabbs:
    return Kernel::aabbs;
  case lgc::accel::kindInstances:
    return Kernel::instances;
  default:
    return Kernel::triangles;
  }
}

static uint32_t kernelFormatOf(StructureVertex vertex) {
  static_assert(scratch::formatFloat2 == 1 && scratch::formatHalf4 == 2 &&
                scratch::formatHalf2 == 3 && scratch::formatSnorm16x4 == 4 &&
                scratch::formatSnorm16x2 == 5);
  return static_cast<uint32_t>(vertex.type) * 2 + vertex.isFlat;
}

static uint32_t indexBytesOf(VkIndexType type) {
  switch (type) {
  case VK_INDEX_TYPE_UINT32:
    return 4;
  case VK_INDEX_TYPE_UINT16:
    return 2;
  case VK_INDEX_TYPE_UINT8_KHR:
    return 1;
  default:
    return 0;
  }
}

bool describeGeometry(const VkAccelerationStructureGeometryKHR &geometry,
                      KernelArguments &arguments) {
  switch (kindOf(geometry.geometryType)) {
  case lgc::accel::kindAabbs: {
    const auto &data = geometry.geometry.aabbs;
    arguments.source = data.data.deviceAddress;
    arguments.stride = static_cast<uint32_t>(data.stride);
    return true;
  }
  case lgc::accel::kindInstances: {
    const auto &data = geometry.geometry.instances;
    arguments.source = data.data.deviceAddress;
    arguments.flags = data.arrayOfPointers != VK_FALSE;
    return true;
  }
  default: {
    const auto &data = geometry.geometry.triangles;
    const std::optional<StructureVertex> vertex = structureVertexOf(data.vertexFormat);
    if (!vertex)
      return false;
    arguments.format = kernelFormatOf(*vertex);
    arguments.source = data.vertexData.deviceAddress;
    arguments.stride = static_cast<uint32_t>(data.vertexStride);
    arguments.indexBytes = indexBytesOf(data.indexType);
    arguments.indices = data.indexData.deviceAddress;
    arguments.transform = data.transformData.deviceAddress;
    return true;
  }
  }
}

} // namespace icd
