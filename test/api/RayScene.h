//===- RayScene.h - a ray tracing pipeline to create and launch -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Four invocations: the first one's ray hits a triangle, the second's a box with an intersection
/// shader, the third's nothing, the fourth calls a callable shader. Each writes what the shader
/// that answers has in its record, plus what the ray generation shader has in its own.
#pragma once

#include "Pipelines.h"
#include <array>

namespace api {

/// Are ray tracing pipelines and acceleration structures there?
bool hasRays(const Gpu &gpu);

class RayScene {
public:
  static constexpr uint32_t launches = 4;
  using Numbers = std::array<uint32_t, launches>;
  enum Group : uint32_t { rayGen, miss, triangle, box, callable, groupCount };

  /// What a launch is of.
  struct Tables {
    VkStridedDeviceAddressRegionKHR rayGen, miss, hit, callable;
  };

  explicit RayScene(Gpu &gpu);

  /// Valid until the next call. \p number: a specialization constant that the miss shader adds.
  VkRayTracingPipelineCreateInfoKHR &info(Source source = Source::Module,
                                          const void *next = nullptr, uint32_t number = 0);
  /// The groups of info(), for what changes them.
  std::vector<VkRayTracingShaderGroupCreateInfoKHR> groups;

  /// Null unless the result is \p expected. It lives until the device dies.
  VkPipeline create(const VkRayTracingPipelineCreateInfoKHR &info,
                    VkPipelineCache cache = VK_NULL_HANDLE, VkResult expected = VK_SUCCESS);
  /// Of all groups, one behind another.
  std::vector<uint8_t> handles(VkPipeline pipeline);
  /// Records with the numbers of a group as data: 10 * (group + 1).
  Tables tables(VkPipeline pipeline);
  /// The memory of tables().
  Buffer records;

  /// What the invocations write; \p trace records the launch, by default with \p tables.
  Numbers run(VkPipeline pipeline, const Tables &tables,
              const std::function<void(VkCommandBuffer)> &trace = nullptr);
  /// The same, by who expects that the device may be lost.
  VkResult tryRun(VkPipeline pipeline, const std::function<void(VkCommandBuffer)> &trace);
  void trace(VkCommandBuffer commands, const Tables &tables) const;
  /// What run() gives.
  static Numbers expected(uint32_t number = 0) { return {40, 50, 30 + number, 60}; }

  /// A structure with memory of its own; null geometry: only the memory.
  struct Structure {
    VkAccelerationStructureKHR handle;
    VkDeviceAddress address;
    VkDeviceSize size;
  };
  Structure structure(VkAccelerationStructureTypeKHR type, VkDeviceSize size);
  void bindTop(VkAccelerationStructureKHR structure) { bindTop(structure, set); }
  /// To binding 0 of \p into.
  void bindTop(VkAccelerationStructureKHR structure, VkDescriptorSet into);

  Gpu &gpu;
  VkPhysicalDeviceRayTracingPipelinePropertiesKHR limits;
  Structure triangles, boxes, top;

private:
  Structure build(VkAccelerationStructureTypeKHR type,
                  const VkAccelerationStructureGeometryKHR &geometry, uint32_t count);
  void buildScene();

  std::vector<std::unique_ptr<Shader>> shaders;
  std::vector<VkPipelineShaderStageCreateInfo> stages;
  uint32_t value = 0;
  VkSpecializationMapEntry entry = {5, 0, sizeof(value)};
  VkSpecializationInfo specialization = {1, &entry, sizeof(value), &value};
  VkRayTracingPipelineCreateInfoKHR create_;
  VkPipelineLayout layout;
  VkDescriptorSet set;
  Buffer results;
};

} // namespace api
