//===- Pipeline.cpp - the ray tracing pipeline and its tables -------------===//
// SPDX-License-Identifier: MIT
#include "Pipeline.h"
#include <cstring>

namespace {

#include "camera_rgen.spv.h"
#include "light_rmiss.spv.h"
#include "mesh_rchit.spv.h"
#include "sky_rmiss.spv.h"
#include "sphere_rchit.spv.h"
#include "sphere_rint.spv.h"

enum Shader : uint32_t { camera, sky, light, mesh, sphereCode, sphereColour };
enum Group : uint32_t { cameraGroup, skyGroup, lightGroup, meshGroup, sphereGroup, groupCount };

/// The camera's ray, three reflections, and a ray to the light.
constexpr uint32_t recursionDepth = 5;

/// What records hold behind the handle.
struct MeshRecord {
  VkDeviceAddress corners;
  float colour[3], otherColour[3];
};
struct SphereRecord {
  float colour[3], mirror;
};

void createLayouts(const Device &d, Pipeline &p) {
  constexpr VkShaderStageFlags tracing =
      VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR;
  const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 1, tracing, nullptr},
      {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_RAYGEN_BIT_KHR, nullptr}};
  VkDescriptorSetLayoutCreateInfo setInfo = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  setInfo.bindingCount = 2;
  setInfo.pBindings = bindings;
  CHECK(vkCreateDescriptorSetLayout(d.device, &setInfo, nullptr, &p.setLayout));
  VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = 1;
  info.pSetLayouts = &p.setLayout;
  CHECK(vkCreatePipelineLayout(d.device, &info, nullptr, &p.layout));
}

VkRayTracingShaderGroupCreateInfoKHR groupOf(VkRayTracingShaderGroupTypeKHR type, uint32_t general,
                                             uint32_t closestHit, uint32_t intersection) {
  VkRayTracingShaderGroupCreateInfoKHR group = {
      VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR};
  group.type = type;
  group.generalShader = general;
  group.closestHitShader = closestHit;
  group.anyHitShader = VK_SHADER_UNUSED_KHR;
  group.intersectionShader = intersection;
  return group;
}

void createPipelineItself(const Device &d, Pipeline &p) {
  const struct {
    VkShaderStageFlagBits stage;
    const uint32_t *words;
    size_t bytes;
  } shaders[] = {
      {VK_SHADER_STAGE_RAYGEN_BIT_KHR, camera_rgen_spirv, sizeof(camera_rgen_spirv)},
      {VK_SHADER_STAGE_MISS_BIT_KHR, sky_rmiss_spirv, sizeof(sky_rmiss_spirv)},
      {VK_SHADER_STAGE_MISS_BIT_KHR, light_rmiss_spirv, sizeof(light_rmiss_spirv)},
      {VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR, mesh_rchit_spirv, sizeof(mesh_rchit_spirv)},
      {VK_SHADER_STAGE_INTERSECTION_BIT_KHR, sphere_rint_spirv, sizeof(sphere_rint_spirv)},
      {VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR, sphere_rchit_spirv, sizeof(sphere_rchit_spirv)}};
  std::vector<VkPipelineShaderStageCreateInfo> stages;
  for (const auto &shader : shaders) {
    VkShaderModuleCreateInfo moduleInfo = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    moduleInfo.codeSize = shader.bytes;
    moduleInfo.pCode = shader.words;
    VkPipelineShaderStageCreateInfo stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
    stage.stage = shader.stage;
    stage.pName = "main";
    CHECK(vkCreateShaderModule(d.device, &moduleInfo, nullptr, &stage.module));
    stages.push_back(stage);
  }
  constexpr auto general = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR;
  constexpr uint32_t none = VK_SHADER_UNUSED_KHR;
  const VkRayTracingShaderGroupCreateInfoKHR groups[groupCount] = {
      groupOf(general, camera, none, none), groupOf(general, sky, none, none),
      groupOf(general, light, none, none),
      groupOf(VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR, none, mesh, none),
      groupOf(VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR, none, sphereColour,
              sphereCode)};
  VkRayTracingPipelineCreateInfoKHR info = {VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR};
  info.stageCount = uint32_t(stages.size());
  info.pStages = stages.data();
  info.groupCount = groupCount;
  info.pGroups = groups;
  info.maxPipelineRayRecursionDepth = recursionDepth;
  info.layout = p.layout;
  CHECK(d.CreateRayTracingPipelinesKHR(d.device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, nullptr,
                                       &p.pipeline));
  for (const VkPipelineShaderStageCreateInfo &stage : stages)
    vkDestroyShaderModule(d.device, stage.module, nullptr);
}

void createSet(const Device &d, Pipeline &p, const Scene &s, const Buffer &pixels) {
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 1},
                                        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};
  VkDescriptorPoolCreateInfo poolInfo = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  poolInfo.maxSets = 1;
  poolInfo.poolSizeCount = 2;
  poolInfo.pPoolSizes = sizes;
  CHECK(vkCreateDescriptorPool(d.device, &poolInfo, nullptr, &p.pool));
  VkDescriptorSetAllocateInfo allocateInfo = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  allocateInfo.descriptorPool = p.pool;
  allocateInfo.descriptorSetCount = 1;
  allocateInfo.pSetLayouts = &p.setLayout;
  CHECK(vkAllocateDescriptorSets(d.device, &allocateInfo, &p.set));
  VkWriteDescriptorSetAccelerationStructureKHR structure = {
      VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR};
  structure.accelerationStructureCount = 1;
  structure.pAccelerationStructures = &s.top.structure;
  const VkDescriptorBufferInfo buffer = {pixels.buffer, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet writes[2] = {{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, &structure},
                                    {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET}};
  for (uint32_t i = 0; i < 2; ++i) {
    writes[i].dstSet = p.set;
    writes[i].dstBinding = i;
    writes[i].descriptorCount = 1;
    writes[i].descriptorType = sizes[i].type;
  }
  writes[1].pBufferInfo = &buffer;
  vkUpdateDescriptorSets(d.device, 2, writes, 0, nullptr);
}

uint64_t alignUp(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// A table for each kind of shader, one behind another; all records as large as the largest.
void createTables(const Device &d, Pipeline &p, const Scene &s) {
  const uint32_t handle = d.rays.shaderGroupHandleSize, base = d.rays.shaderGroupBaseAlignment;
  std::vector<uint8_t> handles(size_t(groupCount) * handle);
  CHECK(d.GetRayTracingShaderGroupHandlesKHR(d.device, p.pipeline, 0, groupCount, handles.size(),
                                             handles.data()));
  const uint64_t stride = alignUp(handle + sizeof(MeshRecord), base);
  const uint64_t hits = firstSphereRecord + spheres.size();
  p.tables = createBuffer(d, base + (3 + hits) * stride,
                          VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR |
                              VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const VkDeviceAddress begin = alignUp(p.tables.address, base);
  auto *to = static_cast<uint8_t *>(p.tables.mapped) + (begin - p.tables.address);
  auto record = [&](Group group, const void *data = nullptr, size_t bytes = 0) {
    std::memcpy(to, handles.data() + size_t(group) * handle, handle);
    if (bytes)
      std::memcpy(to + handle, data, bytes);
    to += stride;
  };
  record(cameraGroup);
  record(skyGroup);
  record(lightGroup);
  const MeshRecord ground = {s.ground.address, {0.82f, 0.8f, 0.76f}, {0.24f, 0.26f, 0.3f}};
  const MeshRecord pyramid = {s.pyramid.address, {0.7f, 0.35f, 0.75f}, {0.65f, 0.3f, 0.7f}};
  record(meshGroup, &ground, sizeof(ground));
  record(meshGroup, &pyramid, sizeof(pyramid));
  for (const Sphere &sphere : spheres) {
    const SphereRecord data = {{sphere.colour[0], sphere.colour[1], sphere.colour[2]},
                               sphere.mirror};
    record(sphereGroup, &data, sizeof(data));
  }
  p.rayGen = {begin, stride, stride};
  p.miss = {begin + stride, stride, 2 * stride};
  p.hit = {begin + 3 * stride, stride, hits * stride};
}

} // namespace

Pipeline createPipeline(const Device &d, const Scene &s, const Buffer &pixels) {
  if (d.rays.maxRayRecursionDepth < recursionDepth)
    check(VK_ERROR_FEATURE_NOT_PRESENT, "finding a device whose rays recur");
  Pipeline p = {};
  createLayouts(d, p);
  createPipelineItself(d, p);
  createSet(d, p, s, pixels);
  createTables(d, p, s);
  return p;
}

void destroy(const Device &d, const Pipeline &p) {
  destroy(d, p.tables);
  vkDestroyDescriptorPool(d.device, p.pool, nullptr);
  vkDestroyPipeline(d.device, p.pipeline, nullptr);
  vkDestroyPipelineLayout(d.device, p.layout, nullptr);
  vkDestroyDescriptorSetLayout(d.device, p.setLayout, nullptr);
}
