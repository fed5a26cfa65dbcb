// SPDX-License-Identifier: MIT
// VK_EXT_mesh_shader: task and mesh shaders in pipelines, libraries and shader objects draw the
// same.
#include "ShaderScene.h"
#include <cstdlib>
#include <optional>

namespace api {
namespace {

using Picture = ShaderScene::Picture;

const char *const taskGlsl = R"(#version 460
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 3) in;
taskPayloadSharedEXT uint base;
void main() {
  if (gl_LocalInvocationIndex == 2)
    base = 16 * gl_WorkGroupID.x;
  EmitMeshTasksEXT(2, 1, 1);
})";

/// BASE: number of the first pixel of the workgroups that were launched together.
const char *const meshGlsl = R"(
layout(local_size_x = 40) in;
layout(points, max_vertices = 3, max_primitives = 3) out;
layout(constant_id = 0) const uint constant = 5;
layout(location = 1) flat out uint value[];
layout(location = 2) perprimitiveEXT flat out uint own[];
void main() {
  SetMeshOutputsEXT(3, 3);
  uint i = gl_LocalInvocationIndex, pixel = BASE + gl_WorkGroupID.x * 4 + i;
  if (i >= 3)
    return;
  gl_MeshVerticesEXT[i].gl_Position =
      vec4((vec2(pixel % 8, pixel / 8) + 0.5) / 4.0 - 1.0, 0.5, 1);
  gl_MeshVerticesEXT[i].gl_PointSize = 1;
  value[i] = pixel * 10;
  own[i] = constant + i;
  gl_PrimitivePointIndicesEXT[i] = i;
})";

const char *const fragmentGlsl = R"(#version 460
#extension GL_EXT_mesh_shader : require
layout(location = 1) flat in uint value;
layout(location = 2) perprimitiveEXT flat in uint own;
layout(location = 0) out uvec4 color;
void main() { color = uvec4(value, own, 3, 4); })";

std::string meshText(bool hasTask) {
  std::string head = "#version 460\n#extension GL_EXT_mesh_shader : require\n";
  return head +
         (hasTask ? "taskPayloadSharedEXT uint base;\n#define BASE base\n" : "#define BASE 0\n") +
         meshGlsl;
}

/// Of two workgroups.
Picture expected(bool hasTask) {
  Picture picture;
  picture.fill(ShaderScene::background);
  for (uint32_t group = 0; group < 2; ++group)
    for (uint32_t launched = 0; launched < (hasTask ? 2u : 1u); ++launched)
      for (uint32_t i = 0; i < 3; ++i) {
        uint32_t pixel = (hasTask ? 16 * group + 4 * launched : 4 * group) + i;
        picture.at(pixel) = {pixel * 10, 5 + i, 3, 4};
      }
  return picture;
}

class MeshApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_EXT_MESH_SHADER_EXTENSION_NAME))
      GTEST_SKIP() << "no VK_EXT_mesh_shader";
    features = vkStruct<VkPhysicalDeviceMeshShaderFeaturesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT);
    device.emplace(GetParam(), &features);
  }
  void TearDown() override {
    if (device) {
      EXPECT_EQ(device->validationMessages, 0u);
    }
  }

  /// The stages of one of the subsets that have shaders.
  std::vector<VkPipelineShaderStageCreateInfo> stages(bool hasTask, bool isFragment) {
    std::vector<VkPipelineShaderStageCreateInfo> all;
    auto add = [&](VkShaderStageFlagBits stage, const std::string &glsl, const char *name) {
      all.push_back(vkStruct<VkPipelineShaderStageCreateInfo>(
          VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO));
      all.back().stage = stage;
      all.back().module = device->module(glsl, name);
      all.back().pName = "main";
    };
    if (isFragment) {
      add(VK_SHADER_STAGE_FRAGMENT_BIT, fragmentGlsl, "frag");
      return all;
    }
    if (hasTask)
      add(VK_SHADER_STAGE_TASK_BIT_EXT, taskGlsl, "task");
    add(VK_SHADER_STAGE_MESH_BIT_EXT, meshText(hasTask), "mesh");
    return all;
  }

  VkPipeline pipeline(bool hasTask, VkGraphicsPipelineLibraryFlagsEXT subsets,
                      const std::vector<VkPipeline> &libraries = {},
                      VkPipelineCreateFlags flags = 0);
  Picture draw(VkPipeline pipeline) {
    ShaderScene scene(*device);
    return scene.draw([&](VkCommandBuffer c) {
      device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      device->vk.CmdDrawMeshTasksEXT(c, 2, 1, 1);
    });
  }

  VkPhysicalDeviceMeshShaderFeaturesEXT features = {};
  std::optional<Gpu> device;
};
API_TESTS_ON_ALL_DEVICES(MeshApi);

constexpr VkGraphicsPipelineLibraryFlagsEXT
    shadersBefore = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
    fragmentShader = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT,
    fragmentOutput = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT,
    allSubsets = shadersBefore | fragmentShader | fragmentOutput;

VkPipeline MeshApi::pipeline(bool hasTask, VkGraphicsPipelineLibraryFlagsEXT subsets,
                             const std::vector<VkPipeline> &libraries,
                             VkPipelineCreateFlags flags) {
  auto info =
      vkStruct<VkGraphicsPipelineCreateInfo>(VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO);
  std::vector<VkPipelineShaderStageCreateInfo> shaders;
  for (bool isFragment : {false, true})
    if (subsets & (isFragment ? fragmentShader : shadersBefore))
      for (const VkPipelineShaderStageCreateInfo &stage : stages(hasTask, isFragment))
        shaders.push_back(stage);
  auto library = vkStruct<VkGraphicsPipelineLibraryCreateInfoEXT>(
      VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
  library.flags = subsets;
  auto link =
      vkStruct<VkPipelineLibraryCreateInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
  link.libraryCount = uint32_t(libraries.size());
  link.pLibraries = libraries.data();
  auto rendering =
      vkStruct<VkPipelineRenderingCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
  const VkFormat format = VK_FORMAT_R32G32B32A32_UINT;
  rendering.colorAttachmentCount = 1;
  rendering.pColorAttachmentFormats = &format;
  const VkViewport area = {0, 0, ShaderScene::side, ShaderScene::side, 0, 1};
  const VkRect2D scissor = {{0, 0}, {ShaderScene::side, ShaderScene::side}};
  auto viewport = vkStruct<VkPipelineViewportStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO);
  viewport.viewportCount = viewport.scissorCount = 1;
  viewport.pViewports = &area;
  viewport.pScissors = &scissor;
  auto raster = vkStruct<VkPipelineRasterizationStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO);
  raster.lineWidth = 1;
  auto samples = vkStruct<VkPipelineMultisampleStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO);
  samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  const auto depth = vkStruct<VkPipelineDepthStencilStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO);
  VkPipelineColorBlendAttachmentState target = {};
  target.colorWriteMask = 0xF;
  auto blend = vkStruct<VkPipelineColorBlendStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO);
  blend.attachmentCount = 1;
  blend.pAttachments = &target;
  info.flags = flags;
  if (subsets != allSubsets) {
    if (!libraries.empty()) {
      info.pNext = &link;
    } else {
      info.flags |= VK_PIPELINE_CREATE_LIBRARY_BIT_KHR |
                    VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
      library.pNext = &rendering;
      info.pNext = &library;
    }
  } else {
    info.pNext = &rendering;
  }
  info.stageCount = uint32_t(shaders.size());
  info.pStages = shaders.data();
  info.pViewportState = &viewport;
  info.pRasterizationState = &raster;
  info.pMultisampleState = &samples;
  info.pColorBlendState = &blend;
  info.pDepthStencilState = &depth;
  info.layout = device->pipelineLayout({});
  return device->pipeline(info);
}

TEST_P(MeshApi, Pipelines) {
  for (bool hasTask : {false, true}) {
    SCOPED_TRACE(hasTask);
    EXPECT_EQ(draw(pipeline(hasTask, allSubsets)), expected(hasTask));
  }
}

TEST_P(MeshApi, LibrariesWithoutVertexInput) {
  if (!device->hasExtension(VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME))
    GTEST_SKIP();
  if (std::getenv("VK_INSTANCE_LAYERS"))
    GTEST_SKIP() << "the layer (1.3.239) does not find the mesh shader of a library";
  for (bool hasTask : {false, true}) {
    SCOPED_TRACE(hasTask);
    std::vector<VkPipeline> libraries;
    for (auto subset : {shadersBefore, fragmentShader, fragmentOutput})
      libraries.push_back(pipeline(hasTask, subset));
    EXPECT_EQ(draw(pipeline(hasTask, 0, libraries)), expected(hasTask));
    EXPECT_EQ(
        draw(pipeline(hasTask, 0, libraries, VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT)),
        expected(hasTask));
  }
}

TEST_P(MeshApi, ShaderObjects) {
  if (!device->hasExtension(VK_EXT_SHADER_OBJECT_EXTENSION_NAME))
    GTEST_SKIP();
  ShaderScene scene(*device);
  Shaders shaders(*device);
  const ShaderSource task(*device, taskGlsl, "task"), fragment(*device, fragmentGlsl, "frag");
  const VkShaderEXT pixels = shaders.create(fragment.info);
  for (bool hasTask : {false, true}) {
    ShaderSource mesh(*device, meshText(hasTask), "mesh");
    if (!hasTask)
      mesh.info.flags |= VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT;
    const VkShaderEXT made = shaders.create(mesh.info);
    const VkShaderEXT before = hasTask ? shaders.create(task.info) : VK_NULL_HANDLE;
    for (bool isBinary : {false, true}) {
      SCOPED_TRACE(std::to_string(hasTask) + std::to_string(isBinary));
      VkShaderEXT first = before, second = made;
      const std::vector<uint8_t> meshBinary = shaders.binary(made);
      if (isBinary)
        second = shaders.create(mesh.of(meshBinary));
      std::vector<uint8_t> taskBinary;
      if (isBinary && hasTask) {
        taskBinary = shaders.binary(before);
        first = shaders.create(task.of(taskBinary));
      }
      EXPECT_EQ(scene.draw([&](VkCommandBuffer c) {
        scene.setState(c);
        scene.bind(c, VK_NULL_HANDLE, pixels);
        const VkShaderStageFlagBits stages[] = {VK_SHADER_STAGE_TASK_BIT_EXT,
                                                VK_SHADER_STAGE_MESH_BIT_EXT};
        const VkShaderEXT handles[] = {first, second};
        device->vk.CmdBindShadersEXT(c, 2, stages, handles);
        device->vk.CmdDrawMeshTasksEXT(c, 2, 1, 1);
      }),
                expected(hasTask));
    }
  }
}

} // namespace
} // namespace api
