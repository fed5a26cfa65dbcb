// SPDX-License-Identifier: MIT
// Pipelines out of caches of Vulkan SC with all kinds of resources: what kiln-pcc makes of layouts
// in JSON must be what the driver makes of the application's.
#include "OfflineCompiler.h"
#include "PipelineJson.h"
#include "test/vulkan/GraphicsInfo.h"
#include <cstring>

namespace api {
namespace {

using namespace icd::sc;

class OfflineSceneApi : public ApiTest {
protected:
  void SetUp() override {
    if (const char *reason = OfflineCompiler::reasonToSkip(gpu))
      GTEST_SKIP() << reason;
  }
  void TearDown() override {
    gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
    gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
    ApiTest::TearDown();
  }

  /// Compiles the one pipeline of the folder, whose identifier is 7 and zeros.
  const OfflineInfo *compile() {
    data = compiler.compileForDevice();
    cache = compiler.open(data);
    offline.pipelineIdentifier[0] = 7;
    offline.poolEntrySize = 1 << 20;
    return &offline;
  }

  OfflineCompiler compiler{gpu};
  std::vector<uint8_t> data;
  OfflineInfo offline;
  VkPipelineCache cache = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
};
API_TESTS_ON_ALL_DEVICES(OfflineSceneApi);

constexpr Identifier identifier = {7};

//===--- Compute ----------------------------------------------------------===//

const char *const resourceShader = R"(#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint result[]; };
layout(set = 0, binding = 1) uniform Dynamic { uvec4 moved; };
layout(set = 0, binding = 3) uniform sampler2D image;
layout(set = 2, binding = 2) readonly buffer In { uint b[]; } inputs[2];
layout(set = 2, binding = 5) uniform Block { uvec4 block; };
layout(push_constant) uniform Push { layout(offset = 4) uint pushed; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uint grey = uint(texture(image, vec2(0.5, 0.5)).x * 100.0 + 0.5);
  result[i] = pushed * 1000000u + grey * 10000u + moved.y * 1000u + block.z * 100u + inputs[1].b[i];
})";

const char *const resourceSampler = R"("ImmutableSamplers": [{"linear": {
  "sType": "VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO",
  "pNext": "NULL", "flags": 0, "magFilter": "VK_FILTER_LINEAR", "minFilter": "VK_FILTER_LINEAR",
  "mipmapMode": "VK_SAMPLER_MIPMAP_MODE_NEAREST",
  "addressModeU": "VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE",
  "addressModeV": "VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE",
  "addressModeW": "VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE", "mipLodBias": 0,
  "anisotropyEnable": "VK_FALSE", "maxAnisotropy": 0, "compareEnable": "VK_FALSE",
  "compareOp": "VK_COMPARE_OP_NEVER", "minLod": 0, "maxLod": 0,
  "borderColor": "VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK",
  "unnormalizedCoordinates": "VK_FALSE"}}], )";

std::string resourceJson() {
  return computeJson(
      identifier,
      resourceSampler +
          layoutJson(
              {{"first",
                {bindingJson(0, "STORAGE_BUFFER"), bindingJson(1, "UNIFORM_BUFFER_DYNAMIC"),
                 bindingJson(3, "COMBINED_IMAGE_SAMPLER", 1, "[\"linear\"]")}},
               {"nothing", {}},
               {"third",
                {bindingJson(2, "STORAGE_BUFFER", 2), bindingJson(5, "INLINE_UNIFORM_BLOCK", 16)}}},
              pushJson("COMPUTE", 8)),
      "resources.spv", stageJson("COMPUTE"));
}

TEST_P(OfflineSceneApi, ResourcesOfEveryKindAreWhereTheLayoutPutsThem) {
  compiler.addModule("resources.spv", resourceShader, "comp");
  compiler.addPipeline("resources.json", resourceJson());
  const VkSampler linear = gpu.sampler(VK_FILTER_LINEAR);
  const std::vector<Binding> firstBindings = {
      {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
      {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC},
      {3, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, 0, &linear}};
  const std::vector<Binding> thirdBindings = {{2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2},
                                              {5, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 16}};
  VkDescriptorSetLayout firstLayout = gpu.setLayout(firstBindings), empty = gpu.setLayout({}),
                        thirdLayout = gpu.setLayout(thirdBindings);
  VkPipelineLayout layout = gpu.pipelineLayout({firstLayout, empty, thirdLayout}, 8);
  VkDescriptorSet sets[] = {gpu.set(firstLayout, firstBindings),
                            gpu.set(thirdLayout, thirdBindings)};
  Buffer out = gpu.buffer(64), uniforms = gpu.buffer(1024),
         in[2] = {gpu.buffer(64), gpu.buffer(64)};
  gpu.write(sets[0], 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {out});
  gpu.writeRange(sets[0], 1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, uniforms, 256, 16);
  const uint32_t dynamicOffset = 256;
  uniforms.data[512 / 4 + 1] = 6;
  // Black and white: half of the way is grey, if the sampler is linear.
  Image image = gpu.image(VK_FORMAT_R8G8B8A8_UNORM, 2, 1);
  Buffer texels = gpu.buffer(8);
  texels.data[1] = 0xFFFFFFFF;
  gpu.upload(image, VK_IMAGE_ASPECT_COLOR_BIT, 2, 1, texels);
  gpu.writeImage(sets[0], 3, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, image.view);
  gpu.write(sets[1], 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {in[0], in[1]});
  for (uint32_t i = 0; i < 8; ++i)
    in[1].data[i] = 10 + i;
  const uint32_t values[4] = {1, 2, 3, 4};
  auto block = vkStruct<VkWriteDescriptorSetInlineUniformBlock>(
      VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK);
  block.dataSize = sizeof(values);
  block.pData = values;
  auto write = vkStruct<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, &block);
  write.dstSet = sets[1];
  write.dstBinding = 5;
  write.descriptorCount = sizeof(values);
  write.descriptorType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
  gpu.vk.UpdateDescriptorSets(gpu.device, 1, &write, 0, nullptr);

  auto info = vkStruct<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                                    compile());
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.layout = layout;
  pipeline = create(gpu, info, cache);
  gpu.run([&](VkCommandBuffer c) {
    gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    gpu.vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &sets[0], 1,
                                 &dynamicOffset);
    gpu.vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 2, 1, &sets[1], 0,
                                 nullptr);
    const uint32_t pushed[2] = {99, 9};
    gpu.vk.CmdPushConstants(c, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(pushed), pushed);
    gpu.vk.CmdDispatch(c, 1, 1, 1);
  });
  for (uint32_t i = 0; i < 8; ++i)
    EXPECT_EQ(out.data[i], 9000000 + 50 * 10000 + 6 * 1000 + 3 * 100 + 10 + i) << i;
}

//===--- Draw -------------------------------------------------------------===//

const char *const sceneVertex = R"(#version 450
layout(location = 0) in vec2 position;
layout(location = 2) in vec4 instanceColor;
layout(set = 0, binding = 4) uniform Move { vec2 move; };
layout(location = 0) flat out vec4 color;
void main() {
  gl_Position = vec4(position + move, 0.5, 1.0);
  color = instanceColor;
})";
const char *const sceneFragment = R"(#version 450
layout(location = 0) flat in vec4 color;
layout(push_constant) uniform Push { vec4 add; };
layout(location = 0) out vec4 result;
void main() { result = color + add; })";

std::string sceneJson() {
  GraphicsJson json;
  json.layout = layoutJson({{"0", {bindingJson(4, "UNIFORM_BUFFER")}}}, pushJson("FRAGMENT", 16));
  json.vertexFile = "scene.vert.spv";
  json.fragmentFile = "scene.frag.spv";
  json.pass = R"("attachmentCount": 1, "pAttachments": [{"flags": 0,
      "format": "VK_FORMAT_R8G8B8A8_UNORM", "samples": "VK_SAMPLE_COUNT_1_BIT",
      "loadOp": "VK_ATTACHMENT_LOAD_OP_CLEAR", "storeOp": "VK_ATTACHMENT_STORE_OP_STORE",
      "stencilLoadOp": "VK_ATTACHMENT_LOAD_OP_LOAD",
      "stencilStoreOp": "VK_ATTACHMENT_STORE_OP_STORE", "initialLayout": "VK_IMAGE_LAYOUT_GENERAL",
      "finalLayout": "VK_IMAGE_LAYOUT_GENERAL"}],
    "subpassCount": 1, "pSubpasses": [{"flags": 0,
      "pipelineBindPoint": "VK_PIPELINE_BIND_POINT_GRAPHICS", "inputAttachmentCount": 0,
      "pInputAttachments": "NULL", "colorAttachmentCount": 1, "pColorAttachments": [
        {"attachment": 0, "layout": "VK_IMAGE_LAYOUT_GENERAL"}], "pResolveAttachments": "NULL",
      "pDepthStencilAttachment": "NULL", "preserveAttachmentCount": 0,
      "pPreserveAttachments": "NULL"}])";
  json.vertexInput = R"("vertexBindingDescriptionCount": 2, "pVertexBindingDescriptions": [
      {"binding": 1, "stride": 8, "inputRate": "VK_VERTEX_INPUT_RATE_VERTEX"},
      {"binding": 3, "stride": 4, "inputRate": "VK_VERTEX_INPUT_RATE_INSTANCE"}],
    "vertexAttributeDescriptionCount": 2, "pVertexAttributeDescriptions": [
      {"location": 0, "binding": 1, "format": "VK_FORMAT_R32G32_SFLOAT", "offset": 0},
      {"location": 2, "binding": 3, "format": "VK_FORMAT_R8G8B8A8_UNORM", "offset": 0}])";
  json.topology = "TRIANGLE_STRIP";
  json.viewports = "\"NULL\"";
  json.isBlending = true;
  json.blendFactor = "ONE";
  json.writeMask =
      "\"VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT\"";
  json.dynamicState = "VIEWPORT";
  return json.text(identifier);
}

constexpr VkFormat sceneFormat = VK_FORMAT_R8G8B8A8_UNORM;
constexpr uint32_t side = 4;

/// What the JSON says of the scene, for Vulkan.
struct SceneInfo : vktest::GraphicsInfo {
  SceneInfo() : GraphicsInfo(side) {
    addStage(VK_SHADER_STAGE_VERTEX_BIT, VK_NULL_HANDLE);
    addStage(VK_SHADER_STAGE_FRAGMENT_BIT, VK_NULL_HANDLE);
    bindings = {{1, 8, VK_VERTEX_INPUT_RATE_VERTEX}, {3, 4, VK_VERTEX_INPUT_RATE_INSTANCE}};
    attributes = {{0, 1, VK_FORMAT_R32G32_SFLOAT, 0}, {2, 3, VK_FORMAT_R8G8B8A8_UNORM, 0}};
    assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    attachments = {{VK_TRUE, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD,
                    VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD, 7}};
    dynamics = {VK_DYNAMIC_STATE_VIEWPORT};
  }
};

/// Two instances of a rectangle over the right half, added to the clear colour and one another.
TEST_P(OfflineSceneApi, DrawsWithBuffersBlendingAndARenderPass) {
  compiler.addModule("scene.vert.spv", sceneVertex, "vert");
  compiler.addModule("scene.frag.spv", sceneFragment, "frag");
  compiler.addPipeline("scene.json", sceneJson());
  const std::vector<Binding> bindings = {{4, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER}};
  VkDescriptorSetLayout setLayout = gpu.setLayout(bindings);
  VkPipelineLayout layout = gpu.pipelineLayout({setLayout}, 16, VK_SHADER_STAGE_FRAGMENT_BIT);
  VkDescriptorSet set = gpu.set(setLayout, bindings);
  Buffer move = gpu.buffer(16), corners = gpu.buffer(64), colors = gpu.buffer(16),
         picture = gpu.buffer(side * side * 4);
  gpu.write(set, 4, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, {move});
  const float moved[2] = {1, 0};
  std::memcpy(move.data, moved, sizeof(moved));
  const float places[8] = {-1, -1, 0, -1, -1, 1, 0, 1};
  std::memcpy(corners.data, places, sizeof(places));
  colors.data[0] = 0x00000A14; // red 20, green 10
  colors.data[1] = 0xFF1E0000; // blue 30
  const Image target = gpu.target(sceneFormat, side, side);
  const VkRenderPass pass = gpu.renderPass(sceneFormat);
  const VkFramebuffer framebuffer = gpu.framebuffer(pass, target.view, side, side);
  SceneInfo scene;
  scene.info.pNext = compile();
  scene.info.layout = layout;
  scene.info.renderPass = pass;
  pipeline = create(gpu, scene.done(), cache);
  gpu.run([&](VkCommandBuffer c) {
    VkClearValue clear = {};
    clear.color = {{1 / 255.0f, 2 / 255.0f, 3 / 255.0f, 4 / 255.0f}};
    auto begin = vkStruct<VkRenderPassBeginInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO);
    begin.renderPass = pass;
    begin.framebuffer = framebuffer;
    begin.renderArea = scene.scissor;
    begin.clearValueCount = 1;
    begin.pClearValues = &clear;
    gpu.vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
    gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    const VkViewport viewport = {0, 0, side, side, 0, 1};
    gpu.vk.CmdSetViewport(c, 0, 1, &viewport);
    const VkDeviceSize zero = 0;
    gpu.vk.CmdBindVertexBuffers(c, 1, 1, &corners.handle, &zero);
    gpu.vk.CmdBindVertexBuffers(c, 3, 1, &colors.handle, &zero);
    gpu.vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0,
                                 nullptr);
    const float add[4] = {0, 0, 5 / 255.0f, 0};
    gpu.vk.CmdPushConstants(c, layout, VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof(add), add);
    gpu.vk.CmdDraw(c, 4, 2, 0, 0);
    gpu.vk.CmdEndRenderPass(c);
    gpu.readBack(c, target, picture, side);
  });
  for (uint32_t i = 0; i < side * side; ++i) {
    // Alpha is not written. Blue: 3, twice 5, 30.
    const uint32_t expected = i % side < side / 2 ? 0x04030201 : 0x042B0C15;
    EXPECT_EQ(picture.data[i], expected) << i;
  }
}

} // namespace
} // namespace api
