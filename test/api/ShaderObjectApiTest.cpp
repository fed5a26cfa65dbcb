// SPDX-License-Identifier: MIT
// VK_EXT_shader_object: shaders without pipelines, what they compute and draw, linked and unlinked,
// with state that changes between draws. Binaries: ShaderBinaryApiTest.cpp.
#include "ShaderScene.h"
#include <cstring>

namespace api {
namespace {

using Picture = ShaderScene::Picture;
using Push = ShaderScene::Push;
using Vertex = ShaderScene::Vertex;

class ShaderObjectApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_EXT_SHADER_OBJECT_EXTENSION_NAME))
      GTEST_SKIP() << "no VK_EXT_shader_object";
  }
};
API_TESTS_ON_ALL_DEVICES(ShaderObjectApi);

//===--- Compute ----------------------------------------------------------===//

TEST_P(ShaderObjectApi, ComputeShader) {
  const std::vector<Binding> bindings = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};
  const VkDescriptorSetLayout setLayout = gpu.setLayout(bindings);
  const VkPipelineLayout layout = gpu.pipelineLayout({setLayout}, 4);
  const VkDescriptorSet set = gpu.set(setLayout, bindings);
  Buffer buffer = gpu.buffer(64 * 4);
  gpu.write(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {buffer});
  ShaderSource source(gpu, R"(#version 460
layout(local_size_x = 64) in;
layout(constant_id = 5) const uint constant = 1;
layout(binding = 0) buffer Data { uint data[]; };
layout(push_constant) uniform Push { uint add; };
void main() { data[gl_GlobalInvocationID.x] += gl_LocalInvocationIndex * constant + add; })",
                      "comp");
  const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
  const uint32_t value = 3;
  const VkSpecializationMapEntry entry = {5, 0, sizeof(value)};
  const VkSpecializationInfo specialization = {1, &entry, sizeof(value), &value};
  source.info.setLayoutCount = 1;
  source.info.pSetLayouts = &setLayout;
  source.info.pushConstantRangeCount = 1;
  source.info.pPushConstantRanges = &range;
  Shaders shaders(gpu);
  VkShaderCreateInfoEXT specialized = source.info;
  specialized.pSpecializationInfo = &specialization;
  specialized.flags = VK_SHADER_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT |
                      VK_SHADER_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT_EXT;
  const auto made = shaders.create({source.info, specialized});
  gpu.run([&](VkCommandBuffer c) {
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    const uint32_t add[] = {1000, 20000};
    gpu.vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
    for (unsigned i = 0; i < 2; ++i) {
      gpu.vk.CmdBindShadersEXT(c, 1, &stage, &made[i]);
      gpu.vk.CmdPushConstants(c, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &add[i]);
      gpu.vk.CmdDispatch(c, 1, 1, 1);
      gpu.barrier(c);
    }
    // A pipeline takes its place, and the other way round.
    gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE,
                           gpu.pipeline(R"(#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { uint data[]; };
void main() { data[gl_GlobalInvocationID.x] *= 2; })",
                                        layout));
    gpu.vk.CmdDispatch(c, 1, 1, 1);
    gpu.barrier(c);
    gpu.vk.CmdBindShadersEXT(c, 1, &stage, &made[0]);
    gpu.vk.CmdDispatch(c, 1, 1, 1);
    gpu.barrier(c);
  });
  for (uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(buffer.data[i], (i + 1000 + 3 * i + 20000) * 2 + i + 20000) << i;
}

TEST_P(ShaderObjectApi, RequiredSubgroupSize) {
  VkPhysicalDeviceSubgroupSizeControlProperties sizes = {};
  sizes.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES;
  VkPhysicalDeviceProperties2 properties = {};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = &sizes;
  gpu.vk.GetPhysicalDeviceProperties2(gpu.physicalDevice, &properties);
  if (!(sizes.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT))
    GTEST_SKIP() << "sizes cannot be required";
  const std::vector<Binding> bindings = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};
  const VkDescriptorSetLayout setLayout = gpu.setLayout(bindings);
  const VkPipelineLayout layout = gpu.pipelineLayout({setLayout});
  const VkDescriptorSet set = gpu.set(setLayout, bindings);
  Buffer buffer = gpu.buffer(16);
  gpu.write(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {buffer});
  ShaderSource source(gpu, R"(#version 460
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { uint data[]; };
void main() { data[0] = gl_SubgroupSize; data[1] = gl_NumSubgroups; })",
                      "comp");
  source.info.setLayoutCount = 1;
  source.info.pSetLayouts = &setLayout;
  Shaders shaders(gpu);
  for (uint32_t size = sizes.minSubgroupSize; size <= sizes.maxSubgroupSize; size *= 2) {
    auto required = vkStruct<VkShaderRequiredSubgroupSizeCreateInfoEXT>(
        VK_STRUCTURE_TYPE_SHADER_REQUIRED_SUBGROUP_SIZE_CREATE_INFO_EXT);
    required.requiredSubgroupSize = size;
    source.info.pNext = &required;
    const VkShaderEXT shader = shaders.create(source.info);
    gpu.run([&](VkCommandBuffer c) {
      const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
      gpu.vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                   nullptr);
      gpu.vk.CmdBindShadersEXT(c, 1, &stage, &shader);
      gpu.vk.CmdDispatch(c, 1, 1, 1);
      gpu.barrier(c);
    });
    EXPECT_EQ(buffer.data[0], size);
    EXPECT_EQ(buffer.data[1], (64 + size - 1) / size);
  }
}

//===--- Draws ------------------------------------------------------------===//

TEST_P(ShaderObjectApi, UnlinkedShaders) {
  ShaderScene scene(gpu);
  const VkShaderEXT vertex = scene.shaders.create(scene.vertex.info);
  const VkShaderEXT fragment = scene.shaders.create(scene.fragment.info);
  const Push push = {5, {}, 3, {}};
  const Picture picture = scene.draw([&](VkCommandBuffer c) {
    scene.setState(c);
    scene.push(c, push);
    scene.bind(c, vertex, fragment);
    gpu.vk.CmdDraw(c, 4, 1, 0, 0);
  });
  EXPECT_EQ(picture, ShaderScene::expected(scene.points, push));
}

TEST_P(ShaderObjectApi, LinkedShadersWithSpecialization) {
  ShaderScene scene(gpu);
  const uint32_t value = 77;
  const VkSpecializationMapEntry entry = {0, 0, sizeof(value)};
  const VkSpecializationInfo specialization = {1, &entry, sizeof(value), &value};
  VkShaderCreateInfoEXT fragment = scene.fragment.info;
  fragment.pSpecializationInfo = &specialization;
  std::vector<VkShaderCreateInfoEXT> infos = {scene.vertex.info, fragment};
  for (VkShaderCreateInfoEXT &info : infos)
    info.flags = VK_SHADER_CREATE_LINK_STAGE_BIT_EXT;
  const auto linked = scene.shaders.create(infos);
  const Picture picture = scene.draw([&](VkCommandBuffer c) {
    scene.setState(c);
    scene.bind(c, linked[0], linked[1]);
    gpu.vk.CmdDraw(c, 2, 1, 1, 0);
  });
  EXPECT_EQ(picture, ShaderScene::expected({scene.points[1], scene.points[2]}, {}, value, 1));
}

TEST_P(ShaderObjectApi, ShadersChangeBetweenDraws) {
  ShaderScene scene(gpu);
  const VkShaderEXT vertex = scene.shaders.create(scene.vertex.info);
  const VkShaderEXT fragment = scene.shaders.create(scene.fragment.info);
  ShaderSource other(gpu, R"(#version 460
layout(location = 3) flat in uvec2 value;
layout(location = 0) out uvec4 color;
void main() { color = uvec4(1, 2, value.y, 4); })",
                     "frag");
  scene.setLayouts(other.info);
  const VkShaderEXT otherFragment = scene.shaders.create(other.info);
  ShaderSource fixed(gpu, R"(#version 460
layout(location = 3) flat out uvec2 value;
void main() {
  gl_Position = vec4(vec2(7, 7.0 - gl_VertexIndex) / 4.0 - 0.875, 0, 1);
  gl_PointSize = 1;
  value = uvec2(1, gl_VertexIndex);
})",
                     "vert");
  scene.setLayouts(fixed.info);
  const VkShaderEXT fixedVertex = scene.shaders.create(fixed.info);
  const Picture picture = scene.draw([&](VkCommandBuffer c) {
    scene.setState(c);
    scene.bind(c, vertex, fragment);
    gpu.vk.CmdDraw(c, 2, 1, 0, 0);
    const VkShaderStageFlagBits stages[] = {VK_SHADER_STAGE_FRAGMENT_BIT,
                                            VK_SHADER_STAGE_VERTEX_BIT};
    gpu.vk.CmdBindShadersEXT(c, 1, stages, &otherFragment);
    gpu.vk.CmdDraw(c, 2, 1, 2, 0);
    gpu.vk.CmdSetVertexInputEXT(c, 0, nullptr, 0, nullptr);
    const VkShaderEXT both[] = {fragment, fixedVertex};
    gpu.vk.CmdBindShadersEXT(c, 2, stages, both);
    gpu.vk.CmdDraw(c, 2, 1, 0, 0);
  });
  Picture expected = ShaderScene::expected({scene.points[0], scene.points[1]}, {});
  for (uint32_t i : {2, 3})
    expected.at(scene.points[i].pixel + ShaderScene::shift) = {1, 2, i, 4};
  for (uint32_t i : {0, 1})
    expected.at((7 - i) * 8 + 7) = {ShaderScene::factor, i, 0, 7};
  EXPECT_EQ(picture, expected);
}

TEST_P(ShaderObjectApi, GeometryShaders) {
  auto features = vkStruct<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  gpu.vk.GetPhysicalDeviceFeatures2(gpu.physicalDevice, &features);
  if (!features.features.geometryShader)
    GTEST_SKIP() << "no geometry shaders";
  ShaderScene scene(gpu);
  VkShaderCreateInfoEXT vertexInfo = scene.vertex.info;
  vertexInfo.nextStage |= VK_SHADER_STAGE_GEOMETRY_BIT;
  const VkShaderEXT vertex = scene.shaders.create(vertexInfo);
  const VkShaderEXT fragment = scene.shaders.create(scene.fragment.info);
  // Each point twice, the second one `factor` - 6 rows below, with another number.
  ShaderSource twice(gpu, R"(#version 460
layout(points) in;
layout(points, max_vertices = 2) out;
layout(set = 1, binding = 0) uniform Factor { uint factor; };
layout(location = 3) flat in uvec2 value[];
layout(location = 3) flat out uvec2 valueOut;
void main() {
  for (uint i = 0; i < 2; ++i) {
    gl_Position = gl_in[0].gl_Position + vec4(0, float(i * (factor - 6)) / 4.0, 0, 0);
    gl_PointSize = 1;
    valueOut = value[0] + uvec2(1000, 0) * i;
    EmitVertex();
  }
})",
                     "geom");
  scene.setLayouts(twice.info);
  const VkShaderEXT geometry = scene.shaders.create(twice.info);
  const auto bytes = scene.shaders.binary(geometry);
  const VkShaderEXT fromBinary = scene.shaders.create(twice.of(bytes));
  constexpr VkShaderStageFlagBits stage = VK_SHADER_STAGE_GEOMETRY_BIT;
  for (const VkShaderEXT bound : {geometry, fromBinary}) {
    const Picture picture = scene.draw([&](VkCommandBuffer c) {
      scene.setState(c);
      scene.bind(c, vertex, fragment);
      gpu.vk.CmdBindShadersEXT(c, 1, &stage, &bound);
      gpu.vk.CmdDraw(c, 2, 1, 0, 0);
      gpu.vk.CmdBindShadersEXT(c, 1, &stage, nullptr); // the others alone
      gpu.vk.CmdDraw(c, 2, 1, 2, 0);
    });
    Picture expected = ShaderScene::expected(scene.points, {});
    for (uint32_t i : {0, 1})
      expected.at(scene.points[i].pixel + ShaderScene::shift + 4 * 8) =
          ShaderScene::pixelOf({0, scene.points[i].number + 1000}, i, {});
    EXPECT_EQ(picture, expected);
  }
}

TEST_P(ShaderObjectApi, TessellationShaders) {
  auto features = vkStruct<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  gpu.vk.GetPhysicalDeviceFeatures2(gpu.physicalDevice, &features);
  if (!features.features.tessellationShader)
    GTEST_SKIP() << "no tessellation shaders";
  ShaderScene scene(gpu);
  VkShaderCreateInfoEXT vertexInfo = scene.vertex.info;
  vertexInfo.nextStage |= VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
  const VkShaderEXT vertex = scene.shaders.create(vertexInfo);
  const VkShaderEXT fragment = scene.shaders.create(scene.fragment.info);
  ShaderSource control(gpu, R"(#version 460
layout(vertices = 1) out;
layout(location = 3) in uvec2 value[];
layout(location = 3) out uvec2 valueOut[];
void main() {
  int last = gl_PatchVerticesIn - 1;
  gl_out[gl_InvocationID].gl_Position = gl_in[last].gl_Position;
  valueOut[gl_InvocationID] = value[last];
  gl_TessLevelOuter = float[](1, 1, 1, 1);
  gl_TessLevelInner = float[](1, 1);
})",
                       "tesc");
  // The last point of each patch twice, the second one `factor` - 6 rows below, with another
  // number.
  ShaderSource evaluation(gpu, R"(#version 460
layout(quads, point_mode) in;
layout(set = 1, binding = 0) uniform Factor { uint factor; };
layout(location = 3) in uvec2 value[];
layout(location = 3) flat out uvec2 valueOut;
void main() {
  gl_Position = gl_in[0].gl_Position + vec4(0, gl_TessCoord.y * float(factor - 6) / 4.0, 0, 0);
  gl_PointSize = 1;
  valueOut = value[0] + uvec2(1000, 0) * uint(gl_TessCoord.y);
})",
                          "tese");
  scene.setLayouts(control.info);
  scene.setLayouts(evaluation.info);
  constexpr VkShaderStageFlagBits stages[] = {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                                              VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT};
  std::vector<VkShaderEXT> bound = scene.shaders.create({control.info, evaluation.info});
  const auto controlBytes = scene.shaders.binary(bound[0]);
  const auto evaluationBytes = scene.shaders.binary(bound[1]);
  bound.push_back(scene.shaders.create(control.of(controlBytes)));
  bound.push_back(scene.shaders.create(evaluation.of(evaluationBytes)));
  for (uint32_t first : {0, 2})
    for (uint32_t points : {1, 2}) {
      const Picture picture = scene.draw([&](VkCommandBuffer c) {
        scene.setState(c);
        scene.bind(c, vertex, fragment);
        gpu.vk.CmdBindShadersEXT(c, 2, stages, &bound[first]);
        gpu.vk.CmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST);
        gpu.vk.CmdSetPatchControlPointsEXT(c, points);
        gpu.vk.CmdSetTessellationDomainOriginEXT(c, VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT);
        gpu.vk.CmdDraw(c, 2, 1, 0, 0);
        gpu.vk.CmdBindShadersEXT(c, 2, stages, nullptr); // the others alone
        gpu.vk.CmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
        gpu.vk.CmdDraw(c, 2, 1, 2, 0);
      });
      Picture expected =
          ShaderScene::expected({scene.points[2], scene.points[3]}, {}, /*constant=*/0, 2);
      for (uint32_t i = points - 1; i < 2; ++i)
        for (uint32_t row : {0, 4})
          expected.at(scene.points[i].pixel + ShaderScene::shift + row * 8) =
              ShaderScene::pixelOf({0, scene.points[i].number + row * 250}, i, {});
      EXPECT_EQ(picture, expected);
    }
}

TEST_P(ShaderObjectApi, PipelinesAndShadersTakeTurns) {
  ShaderScene scene(gpu);
  const VkShaderEXT vertex = scene.shaders.create(scene.vertex.info);
  const VkShaderEXT fragment = scene.shaders.create(scene.fragment.info);
  DrawCase filled(gpu); // fills a target of 4 x 4 pixels of the same format
  VkGraphicsPipelineCreateInfo info = filled.info(6);
  const VkPipeline pipeline = gpu.pipeline(info);
  const Picture picture = scene.draw([&](VkCommandBuffer c) {
    scene.setState(c);
    scene.bind(c, vertex, fragment);
    gpu.vk.CmdDraw(c, 4, 1, 0, 0);
    gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    gpu.vk.CmdDraw(c, 3, 1, 0, 0);
    // The pipeline's static state has undone the dynamic one.
    scene.setState(c);
    scene.bind(c, vertex, fragment);
    gpu.vk.CmdDraw(c, 1, 1, 0, 0);
  });
  const Picture expected = ShaderScene::expected(scene.points, {});
  for (uint32_t i = 0; i < picture.size(); ++i) {
    const bool isFilled = i % 8 < 4 && i / 8 < 4 && i != scene.points[0].pixel + ShaderScene::shift;
    EXPECT_EQ(picture[i] == expected[i], !isFilled) << i;
  }
}

TEST_P(ShaderObjectApi, NothingIsDrawnWithoutVertexShader) {
  if (!gpu.isKiln()) // not valid usage
    GTEST_SKIP();
  allowsMessages = true;
  ShaderScene scene(gpu);
  const VkShaderEXT vertex = scene.shaders.create(scene.vertex.info);
  const VkShaderEXT fragment = scene.shaders.create(scene.fragment.info);
  const Picture picture = scene.draw([&](VkCommandBuffer c) {
    scene.setState(c);
    scene.bind(c, vertex, fragment);
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_VERTEX_BIT;
    gpu.vk.CmdBindShadersEXT(c, 1, &stage, nullptr);
    gpu.vk.CmdDraw(c, 4, 1, 0, 0);
  });
  EXPECT_EQ(picture, ShaderScene::expected({}, {}));
}

TEST_P(ShaderObjectApi, SecondaryCommandBuffersInheritFormats) {
  ShaderScene scene(gpu);
  const VkShaderEXT vertex = scene.shaders.create(scene.vertex.info);
  const VkShaderEXT fragment = scene.shaders.create(scene.fragment.info);
  const VkFormat format = VK_FORMAT_R32G32B32A32_UINT;
  auto rendering = vkStruct<VkCommandBufferInheritanceRenderingInfo>(
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO);
  rendering.colorAttachmentCount = 1;
  rendering.pColorAttachmentFormats = &format;
  rendering.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  auto inheritance = vkStruct<VkCommandBufferInheritanceInfo>(
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, &rendering);
  auto begin = vkStruct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  begin.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
  begin.pInheritanceInfo = &inheritance;
  VkCommandBuffer secondary = gpu.commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  VK_OK(gpu.vk.BeginCommandBuffer(secondary, &begin));
  scene.setState(secondary);
  scene.bind(secondary, vertex, fragment);
  gpu.vk.CmdDraw(secondary, 4, 1, 0, 0);
  VK_OK(gpu.vk.EndCommandBuffer(secondary));
  VkClearColorValue value;
  std::copy(ShaderScene::background.begin(), ShaderScene::background.end(), value.uint32);
  scene.clear(scene.target, value);
  scene.render([&](VkCommandBuffer c) { gpu.vk.CmdExecuteCommands(c, 1, &secondary); },
               {scene.target}, VK_NULL_HANDLE, 0,
               VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
  Picture picture;
  const std::vector<uint32_t> words = scene.read(scene.target, 4);
  std::memcpy(picture.data(), words.data(), sizeof(picture));
  EXPECT_EQ(picture, ShaderScene::expected(scene.points, {}));
}

} // namespace
} // namespace api
