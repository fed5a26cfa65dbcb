// SPDX-License-Identifier: MIT
// Draw commands: what numbers shaders get from each of them, what vertex buffers give, state that
// commands set. What is drawn and how it looks is tested in test/exec.
#include "Gpu.h"
#include "test/vulkan/GraphicsInfo.h"
#include <algorithm>
#include <array>
#include <cstring>

namespace api {
namespace {

constexpr uint32_t side = 8; ///< pixels of the target, each way
using Pixel = std::array<uint32_t, 4>;
constexpr Pixel background = {~0u, ~0u, ~0u, ~0u};

using vktest::vkStruct;

/// Every vertex is a point: attribute 0 is its pixel, and the pixel becomes what the shader got.
const char *const pointVertexShader = R"(#version 460
layout(location = 0) in uint pixel;
layout(location = 1) in uint number;
layout(location = 0) flat out uvec4 value;
void main() {
  uvec2 place = uvec2(pixel % 8, pixel / 8 + gl_InstanceIndex);
  gl_Position = vec4((vec2(place) + 0.5) / 4.0 - 1.0, 0, 1);
  gl_PointSize = 1;
  value = uvec4(gl_VertexIndex, gl_InstanceIndex + 100 * gl_BaseInstance,
                gl_BaseVertex + 100 * gl_DrawID, number);
})";
/// The same as triangles of three vertices, which cover the whole target.
const char *const coverVertexShader = R"(#version 460
layout(location = 0) in uint pixel;
layout(location = 0) flat out uvec4 value;
void main() {
  gl_Position = vec4(vec2(gl_VertexIndex & 2, gl_VertexIndex << 1 & 2) * 2.0 - 1.0, 0, 1);
  value = uvec4(pixel, 0, 0, 0);
})";
const char *const fragmentShader = R"(#version 460
layout(location = 0) flat in uvec4 value;
layout(location = 0) out uvec4 color;
void main() { color = value; })";

/// A target of four integers a pixel, and pipelines that draw to it.
struct Canvas {
  explicit Canvas(Gpu &gpu) : gpu(gpu) {
    target = gpu.target(VK_FORMAT_R32G32B32A32_UINT, side, side);
    result = gpu.buffer(side * side * sizeof(Pixel));
    layout = gpu.pipelineLayout({});
  }

  VkPipeline pipeline(const char *vertexShader, VkPrimitiveTopology topology,
                      std::vector<VkDynamicState> dynamicStates = {},
                      std::vector<VkVertexInputBindingDescription> bindings = {
                          {0, 8, VK_VERTEX_INPUT_RATE_VERTEX}}) {
    vktest::GraphicsInfo graphics(side);
    graphics.addStage(VK_SHADER_STAGE_VERTEX_BIT, gpu.module(vertexShader, "vert"));
    graphics.addStage(VK_SHADER_STAGE_FRAGMENT_BIT, gpu.module(fragmentShader, "frag"));
    graphics.attributes = {{0, 0, VK_FORMAT_R32_UINT, 0}};
    if (vertexShader == pointVertexShader)
      graphics.attributes.push_back(
          {1, bindings.back().binding, VK_FORMAT_R32_UINT, bindings.size() > 1 ? 0u : 4u});
    graphics.bindings = std::move(bindings);
    graphics.assembly.topology = topology;
    if (std::count(dynamicStates.begin(), dynamicStates.end(), VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT))
      graphics.viewports.viewportCount = graphics.viewports.scissorCount = 0;
    graphics.dynamics = std::move(dynamicStates);
    graphics.formats = {VK_FORMAT_R32G32B32A32_UINT};
    graphics.info.layout = layout;
    return gpu.pipeline(graphics.done());
  }

  VkPipeline points() { return pipeline(pointVertexShader, VK_PRIMITIVE_TOPOLOGY_POINT_LIST); }

  /// Clears, draws with \p record, and reads the picture back.
  void draw(const std::function<void(VkCommandBuffer)> &record, VkRenderingFlags flags = 0) {
    gpu.run([&](VkCommandBuffer c) {
      auto color = vkStruct<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
      color.imageView = target.view;
      color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
      color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
      color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
      std::copy(background.begin(), background.end(), color.clearValue.color.uint32);
      auto rendering = vkStruct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
      rendering.flags = flags;
      rendering.renderArea = {{0, 0}, {side, side}};
      rendering.layerCount = 1;
      rendering.colorAttachmentCount = 1;
      rendering.pColorAttachments = &color;
      gpu.barrier(c);
      gpu.vk.CmdBeginRendering(c, &rendering);
      record(c);
      gpu.vk.CmdEndRendering(c);
      gpu.readBack(c, target, result, side);
    });
  }

  Pixel at(uint32_t x, uint32_t y) const {
    Pixel pixel;
    std::memcpy(pixel.data(), result.data + (y * side + x) * 4, sizeof(pixel));
    return pixel;
  }
  /// How many pixels were drawn to.
  uint32_t drawn() const {
    uint32_t count = 0;
    for (uint32_t i = 0; i < side * side; ++i)
      count += at(i % side, i / side) != background;
    return count;
  }

  Gpu &gpu;
  Image target;
  Buffer result;
  VkPipelineLayout layout;
};

class DrawApi : public ApiTest {
protected:
  /// Elements {pixel, attribute}: pixel i, attribute 1000 + i.
  Buffer vertices(uint32_t count) {
    Buffer made = gpu.buffer(count * 8);
    for (uint32_t i = 0; i < count; ++i) {
      made.data[2 * i] = i;
      made.data[2 * i + 1] = 1000 + i;
    }
    return made;
  }
  void bind(VkCommandBuffer c, VkPipeline pipeline, const Buffer &buffer, VkDeviceSize offset = 0) {
    gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    gpu.vk.CmdBindVertexBuffers(c, 0, 1, &buffer.handle, &offset);
  }

  Canvas canvas{gpu};
};
API_TESTS_ON_ALL_DEVICES(DrawApi);

TEST_P(DrawApi, DirectDraw) {
  VkPipeline points = canvas.points();
  Buffer buffer = vertices(8);
  canvas.draw([&](VkCommandBuffer c) {
    bind(c, points, buffer);
    gpu.vk.CmdDraw(c, 2, 3, 4, 1); // two vertices from 4 on, instances 1 to 3
  });
  EXPECT_EQ(canvas.drawn(), 6u);
  for (uint32_t instance = 1; instance < 4; ++instance)
    for (uint32_t vertex = 4; vertex < 6; ++vertex)
      EXPECT_EQ(canvas.at(vertex, instance), (Pixel{vertex, instance + 100, 4, 1000 + vertex}));
}

TEST_P(DrawApi, IndexedDraw) {
  VkPipeline points = canvas.points();
  Buffer buffer = vertices(8);
  Buffer indices = gpu.buffer(32);
  const uint16_t values[] = {9, 9, 9, 3, 0, 2};
  std::memcpy(indices.data, values, sizeof(values));
  canvas.draw([&](VkCommandBuffer c) {
    bind(c, points, buffer);
    gpu.vk.CmdBindIndexBuffer(c, indices.handle, 2, VK_INDEX_TYPE_UINT16);
    gpu.vk.CmdDrawIndexed(c, 3, 1, 2, 2, 0); // indices 3, 0, 2, and 2 is added
  });
  EXPECT_EQ(canvas.drawn(), 3u);
  for (uint32_t vertex : {5u, 2u, 4u})
    EXPECT_EQ(canvas.at(vertex, 0), (Pixel{vertex, 0, 2, 1000 + vertex}));
}

TEST_P(DrawApi, IndirectDraws) {
  VkPipeline points = canvas.points();
  Buffer buffer = vertices(8);
  Buffer arguments = gpu.buffer(256);
  const VkDrawIndirectCommand commands[] = {{1, 1, 6, 0}, {2, 1, 0, 1}, {1, 1, 3, 2}};
  for (uint32_t i = 0; i < 3; ++i)
    std::memcpy(arguments.data + 4 + i * 5, &commands[i], sizeof(commands[i]));
  arguments.data[1] = 2; // how many
  canvas.draw([&](VkCommandBuffer c) {
    bind(c, points, buffer);
    gpu.vk.CmdDrawIndirect(c, arguments.handle, 16, 3, 20);
  });
  EXPECT_EQ(canvas.drawn(), 4u);
  EXPECT_EQ(canvas.at(6, 0), (Pixel{6, 0, 6, 1006}));
  EXPECT_EQ(canvas.at(0, 1), (Pixel{0, 101, 100, 1000}));
  EXPECT_EQ(canvas.at(1, 1), (Pixel{1, 101, 100, 1001}));
  EXPECT_EQ(canvas.at(3, 2), (Pixel{3, 202, 203, 1003}));
  canvas.draw([&](VkCommandBuffer c) {
    bind(c, points, buffer);
    const bool isAmds = gpu.hasExtension(VK_AMD_DRAW_INDIRECT_COUNT_EXTENSION_NAME);
    (isAmds ? gpu.vk.CmdDrawIndirectCountAMD
            : gpu.vk.CmdDrawIndirectCount)(c, arguments.handle, 16, arguments.handle, 4, 3, 20);
  });
  EXPECT_EQ(canvas.drawn(), 3u);
  EXPECT_EQ(canvas.at(1, 1), (Pixel{1, 101, 100, 1001}));
}

TEST_P(DrawApi, IndexedIndirectDraws) {
  VkPipeline points = canvas.points();
  Buffer buffer = vertices(8);
  Buffer indices = gpu.buffer(64);
  for (uint32_t i = 0; i < 8; ++i)
    indices.data[i] = 7 - i;
  Buffer arguments = gpu.buffer(256);
  const VkDrawIndexedIndirectCommand commands[] = {{1, 1, 0, 0, 0}, {2, 2, 4, -1, 1}};
  std::memcpy(arguments.data, commands, sizeof(commands));
  arguments.data[32] = 7; // more than the command's limit
  auto check = [&] {
    EXPECT_EQ(canvas.drawn(), 5u);
    EXPECT_EQ(canvas.at(7, 0), (Pixel{7, 0, 0, 1007}));
    for (uint32_t instance = 1; instance < 3; ++instance)
      for (uint32_t vertex = 1; vertex < 3; ++vertex)
        EXPECT_EQ(canvas.at(vertex, instance),
                  (Pixel{vertex, instance + 100, 99, 1000 + vertex})); // draw 1, base vertex -1
  };
  canvas.draw([&](VkCommandBuffer c) {
    bind(c, points, buffer);
    gpu.vk.CmdBindIndexBuffer(c, indices.handle, 0, VK_INDEX_TYPE_UINT32);
    gpu.vk.CmdDrawIndexedIndirect(c, arguments.handle, 0, 2, sizeof(commands[0]));
  });
  check();
  canvas.draw([&](VkCommandBuffer c) {
    bind(c, points, buffer);
    gpu.vk.CmdBindIndexBuffer(c, indices.handle, 0, VK_INDEX_TYPE_UINT32);
    gpu.vk.CmdDrawIndexedIndirectCount(c, arguments.handle, 0, arguments.handle, 128, 2,
                                       sizeof(commands[0]));
  });
  check();
}

TEST_P(DrawApi, VertexBuffersByInstanceAndWithOffsets) {
  VkPipeline points = canvas.pipeline(
      pointVertexShader, VK_PRIMITIVE_TOPOLOGY_POINT_LIST, {},
      {{0, 8, VK_VERTEX_INPUT_RATE_VERTEX}, {5, 12, VK_VERTEX_INPUT_RATE_INSTANCE}});
  Buffer buffer = vertices(8), instances = gpu.buffer(64);
  for (uint32_t i = 0; i < 16; ++i)
    instances.data[i] = i;
  const VkDeviceSize offset = 4;
  canvas.draw([&](VkCommandBuffer c) {
    bind(c, points, buffer, 16); // from element 2 on
    gpu.vk.CmdBindVertexBuffers(c, 5, 1, &instances.handle, &offset);
    gpu.vk.CmdDraw(c, 1, 2, 1, 1);
  });
  EXPECT_EQ(canvas.drawn(), 2u);
  EXPECT_EQ(canvas.at(3, 1), (Pixel{1, 101, 1, 4}));
  EXPECT_EQ(canvas.at(3, 2), (Pixel{1, 102, 1, 7}));
}

TEST_P(DrawApi, StridesThatCommandsSet) {
  VkPipeline points =
      canvas.pipeline(pointVertexShader, VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                      {VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE}, {{0, 99, {}}});
  Buffer buffer = vertices(8);
  canvas.draw([&](VkCommandBuffer c) {
    gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, points);
    for (VkDeviceSize stride : {VkDeviceSize(24), VkDeviceSize(0)}) {
      const VkDeviceSize offset = stride ? 0 : 8, size = 40;
      gpu.vk.CmdBindVertexBuffers2(c, 0, 1, &buffer.handle, &offset, &size, &stride);
      gpu.vk.CmdDraw(c, 2, 1, 0, stride ? 0 : 1);
    }
  });
  EXPECT_EQ(canvas.drawn(), 3u);
  EXPECT_EQ(canvas.at(0, 0), (Pixel{0, 0, 0, 1000}));
  EXPECT_EQ(canvas.at(3, 0), (Pixel{1, 0, 0, 1003}));
  EXPECT_EQ(canvas.at(1, 1)[3], 1001u);
}

TEST_P(DrawApi, StateThatCommandsSet) {
  VkPipeline cover =
      canvas.pipeline(coverVertexShader, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                      {VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_STATE_FRONT_FACE,
                       VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT,
                       VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE});
  Buffer buffer = vertices(8);
  struct Step {
    VkCullModeFlags cull;
    VkFrontFace front;
    VkBool32 discard;
    uint32_t drawn;
  };
  // The triangle runs (-1, -1), (-1, 3), (3, -1): counter-clockwise where y points down.
  const Step steps[] = {{VK_CULL_MODE_NONE, VK_FRONT_FACE_CLOCKWISE, VK_FALSE, 6},
                        {VK_CULL_MODE_BACK_BIT, VK_FRONT_FACE_COUNTER_CLOCKWISE, VK_FALSE, 6},
                        {VK_CULL_MODE_BACK_BIT, VK_FRONT_FACE_CLOCKWISE, VK_FALSE, 0},
                        {VK_CULL_MODE_FRONT_BIT, VK_FRONT_FACE_CLOCKWISE, VK_FALSE, 6},
                        {VK_CULL_MODE_FRONT_AND_BACK, VK_FRONT_FACE_CLOCKWISE, VK_FALSE, 0},
                        {VK_CULL_MODE_NONE, VK_FRONT_FACE_CLOCKWISE, VK_TRUE, 0}};
  for (const Step &step : steps) {
    canvas.draw([&](VkCommandBuffer c) {
      const VkViewport viewport = {0, 0, side, side, 0, 1};
      const VkRect2D scissor = {{1, 2}, {3, 2}};
      bind(c, cover, buffer);
      gpu.vk.CmdSetCullMode(c, step.cull);
      gpu.vk.CmdSetFrontFace(c, step.front);
      gpu.vk.CmdSetRasterizerDiscardEnable(c, step.discard);
      gpu.vk.CmdSetViewportWithCount(c, 1, &viewport);
      gpu.vk.CmdSetScissorWithCount(c, 1, &scissor);
      gpu.vk.CmdDraw(c, 3, 1, 0, 0);
    });
    EXPECT_EQ(canvas.drawn(), step.drawn) << &step - steps;
  }
}

TEST_P(DrawApi, SecondaryCommandBuffersDrawToTheTargetsOfThePrimary) {
  VkPipeline points = canvas.points();
  Buffer buffer = vertices(8);
  const VkFormat format = VK_FORMAT_R32G32B32A32_UINT;
  auto rendering = vkStruct<VkCommandBufferInheritanceRenderingInfo>(
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO);
  rendering.colorAttachmentCount = 1;
  rendering.pColorAttachmentFormats = &format;
  rendering.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  auto inheritance =
      vkStruct<VkCommandBufferInheritanceInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO);
  inheritance.pNext = &rendering;
  auto info = vkStruct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  info.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
  info.pInheritanceInfo = &inheritance;
  VkCommandBuffer secondary = gpu.commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  VK_OK(gpu.vk.BeginCommandBuffer(secondary, &info));
  bind(secondary, points, buffer);
  gpu.vk.CmdDraw(secondary, 3, 1, 0, 0);
  VK_OK(gpu.vk.EndCommandBuffer(secondary));
  canvas.draw([&](VkCommandBuffer c) { gpu.vk.CmdExecuteCommands(c, 1, &secondary); },
              VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
  EXPECT_EQ(canvas.drawn(), 3u);
}

TEST_P(DrawApi, DrawsThatAreNotValidDoNotEndTheProcess) {
  if (!gpu.isKiln())
    GTEST_SKIP() << "undefined behaviour elsewhere";
  allowsMessages = true;
  VkPipeline points = canvas.points();
  Buffer buffer = vertices(8);
  // Without a pipeline: nothing is drawn.
  canvas.draw([&](VkCommandBuffer c) { gpu.vk.CmdDraw(c, 3, 1, 0, 0); });
  EXPECT_EQ(canvas.drawn(), 0u);
  // Without an index buffer all indices are 0 (VK_KHR_maintenance6).
  canvas.draw([&](VkCommandBuffer c) {
    bind(c, points, buffer);
    gpu.vk.CmdDrawIndexed(c, 3, 1, 0, 0, 0);
  });
  EXPECT_EQ(canvas.drawn(), 1u);
  // Outside of rendering: the device is lost.
  VkCommandBuffer c = gpu.begin();
  bind(c, points, buffer);
  gpu.vk.CmdDraw(c, 3, 1, 0, 0);
  EXPECT_EQ(gpu.finish(c), VK_ERROR_DEVICE_LOST);
}

} // namespace
} // namespace api
