//===- PartsForTest.h - a device that compiles in the background ----------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/cache/RecordsForTest.h"
#include "icd_glue/device/TestDevice.h"
#include "icd_glue/partial/PartialPipeline.h"
#include "icd_glue/pipeline/Pipeline.h"
#include "test/vulkan/GraphicsInfo.h"
#include <cstdlib>
#include <utility>

namespace icd {

using Spirv = std::vector<uint8_t>;

/// Adds \p number and constant 0 to binding 1 of set 0. \p more: other declarations.
inline Spirv linkableShader(unsigned number = 1, const std::string &more = {}) {
  return spirvOfGlsl("#version 450\nlayout(local_size_x = 32) in;\n"
                     "layout(constant_id = 0) const uint k = 3;\n" +
                         more +
                         "layout(set = 0, binding = 1) buffer B { uint b[]; };\n"
                         "void main() { b[gl_GlobalInvocationID.x] += k + " +
                         std::to_string(number) + "; }",
                     "comp");
}
/// The constant is a size, too, which linking cannot fill in: vectors of three have several
/// layouts.
inline Spirv computeShader(unsigned number = 1) {
  return linkableShader(number, "shared uvec3 values[k];\n");
}

/// A 32-bit constant 0.
struct ConstantZero {
  explicit ConstantZero(uint32_t value) : value(value) {}
  uint32_t value;
  VkSpecializationMapEntry entry = {0, 0, 4};
  VkSpecializationInfo info = {1, &entry, 4, &value};
};

inline const char *const vertexShader = R"(#version 450
layout(location = 0) in vec4 position;
layout(location = 0) out vec2 place;
void main() { gl_Position = position; place = position.xy; })";
inline const char *const fragmentShader = R"(#version 450
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;
void main() { color = vec4(place, 0.5, 1); })";

using Settings = std::vector<std::pair<const char *, const char *>>;

class Parts : public TestDevice {
protected:
  void SetUp() override {}
  void TearDown() override {
    if (instance)
      end();
  }

  void begin(const Settings &settings) {
    for (const auto &[name, value] : settings)
      setenv(name, value, 1); // read when an instance is created
    TestDevice::SetUp();
    for (const auto &[name, value] : settings)
      unsetenv(name);
  }

  /// Destroys the device, as it is.
  void end() {
    for (VkDescriptorSetLayout layout : std::exchange(setLayouts, {}))
      DestroyDescriptorSetLayout(device, layout, nullptr);
    for (VkPipelineLayout layout : std::exchange(layouts, {}))
      DestroyPipelineLayout(device, layout, nullptr);
    for (VkPipeline pipeline : std::exchange(pipelines, {}))
      DestroyPipeline(device, pipeline, nullptr);
    TestDevice::TearDown();
    instance = VK_NULL_HANDLE;
  }

  VkShaderModule module(const Spirv &spirv) {
    auto info = vkStruct<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    info.codeSize = spirv.size();
    info.pCode = reinterpret_cast<const uint32_t *>(spirv.data());
    VkShaderModule made = VK_NULL_HANDLE;
    EXPECT_EQ(CreateShaderModule(device, &info, nullptr, &made), VK_SUCCESS);
    return made;
  }
  void destroy(VkShaderModule shaderModule) { DestroyShaderModule(device, shaderModule, nullptr); }

  /// A layout whose set 0 has storage buffers at these bindings.
  VkPipelineLayout layout(const std::vector<uint32_t> &numbers,
                          VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER) {
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    for (uint32_t number : numbers)
      bindings.push_back({number, type, 1, VK_SHADER_STAGE_ALL, nullptr});
    auto setInfo = vkStruct<VkDescriptorSetLayoutCreateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
    setInfo.bindingCount = static_cast<uint32_t>(bindings.size());
    setInfo.pBindings = bindings.data();
    VkDescriptorSetLayout set = VK_NULL_HANDLE;
    EXPECT_EQ(CreateDescriptorSetLayout(device, &setInfo, nullptr, &set), VK_SUCCESS);
    setLayouts.push_back(set);
    auto info = vkStruct<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    info.setLayoutCount = 1;
    info.pSetLayouts = &set;
    VkPipelineLayout made = VK_NULL_HANDLE;
    EXPECT_EQ(CreatePipelineLayout(device, &info, nullptr, &made), VK_SUCCESS);
    layouts.push_back(made);
    return made;
  }

  VkResult create(VkShaderModule shaderModule, VkPipelineLayout with, VkPipeline &made,
                  VkPipelineCreateFlags flags = 0,
                  const VkSpecializationInfo *specialization = nullptr) {
    auto info =
        vkStruct<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
    info.flags = flags;
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = shaderModule;
    info.stage.pName = "main";
    info.stage.pSpecializationInfo = specialization;
    info.layout = with;
    return CreateComputePipelines(device, pipelineCache, 1, &info, nullptr, &made);
  }
  /// One that must succeed and that the device must be able to execute.
  const PipelineData &pipeline(VkShaderModule shaderModule, VkPipelineLayout with,
                               VkPipelineCreateFlags flags = 0) {
    VkPipeline made = VK_NULL_HANDLE;
    EXPECT_EQ(create(shaderModule, with, made, flags), VK_SUCCESS);
    return keep(made);
  }
  const PipelineData &keep(VkPipeline made) {
    pipelines.push_back(made);
    const PipelineData &data = *fromHandle<Pipeline>(made)->data;
    EXPECT_NE(data.program(object()), nullptr);
    return data;
  }

  VkResult createDraw(VkShaderModule vertex, VkShaderModule fragment, VkFormat attribute,
                      VkFormat target, VkPipeline &made, uint32_t viewMask = 0);
  const PipelineData &drawPipeline(VkShaderModule vertex, VkShaderModule fragment,
                                   VkFormat attribute, VkFormat target, uint32_t viewMask = 0) {
    VkPipeline made = VK_NULL_HANDLE;
    EXPECT_EQ(createDraw(vertex, fragment, attribute, target, made, viewMask), VK_SUCCESS);
    return keep(made);
  }

  VkPipelineCache pipelineCache = VK_NULL_HANDLE; ///< of create()
  /// Of createDraw().
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  VkProvokingVertexModeEXT provokingVertex = VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT;
  PartCounters &counters() { return object().counters(); }
  PartialPipeline &partial() { return *object().partial(); }

  std::vector<VkDescriptorSetLayout> setLayouts;
  std::vector<VkPipelineLayout> layouts;
  std::vector<VkPipeline> pipelines;
};

inline VkResult Parts::createDraw(VkShaderModule vertex, VkShaderModule fragment,
                                  VkFormat attribute, VkFormat target, VkPipeline &made,
                                  uint32_t viewMask) {
  vktest::GraphicsInfo graphics;
  graphics.addStage(VK_SHADER_STAGE_VERTEX_BIT, vertex);
  graphics.addStage(VK_SHADER_STAGE_FRAGMENT_BIT, fragment);
  graphics.bindings = {{0, 16, VK_VERTEX_INPUT_RATE_VERTEX}};
  graphics.attributes = {{0, 0, attribute, 0}};
  graphics.formats = {target};
  graphics.rendering.viewMask = viewMask;
  graphics.assembly.topology = topology;
  auto provoking = vkStruct<VkPipelineRasterizationProvokingVertexStateCreateInfoEXT>(
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT);
  provoking.provokingVertexMode = provokingVertex;
  graphics.raster.pNext = &provoking;
  return CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &graphics.done(), nullptr, &made);
}

} // namespace icd
