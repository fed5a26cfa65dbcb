// SPDX-License-Identifier: MIT
// State of draws with shader objects: what code depends on changes between draws of the same
// shaders, and code must change with it.
#include "ShaderScene.h"
#include <algorithm>
#include <cstring>

namespace api {
namespace {

using Picture = ShaderScene::Picture;
using Vertex = ShaderScene::Vertex;
constexpr uint32_t side = ShaderScene::side;

class ShaderStateApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_EXT_SHADER_OBJECT_EXTENSION_NAME))
      GTEST_SKIP() << "no VK_EXT_shader_object";
  }

  VkShaderEXT shader(ShaderScene &scene, const std::string &glsl, const std::string &stage) {
    ShaderSource source(gpu, glsl, stage);
    scene.setLayouts(source.info);
    return scene.shaders.create(source.info);
  }
  static VkVertexInputBindingDescription2EXT binding(uint32_t number, uint32_t stride) {
    auto made = vkStruct<VkVertexInputBindingDescription2EXT>(
        VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT);
    made.binding = number;
    made.stride = stride;
    made.divisor = 1;
    return made;
  }
  static VkVertexInputAttributeDescription2EXT attribute(uint32_t location, uint32_t binding,
                                                         VkFormat format, uint32_t offset) {
    auto made = vkStruct<VkVertexInputAttributeDescription2EXT>(
        VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT);
    made.location = location;
    made.binding = binding;
    made.format = format;
    made.offset = offset;
    return made;
  }
  static uint32_t count(const Picture &picture) {
    return uint32_t(side * side -
                    std::count(picture.begin(), picture.end(), ShaderScene::background));
  }
};
API_TESTS_ON_ALL_DEVICES(ShaderStateApi);

/// Triangles of the whole target, at a depth and with a colour that push constants say.
const char *const coverGlsl = R"(#version 460
layout(push_constant) uniform Push { float depth; float x; };
void main() {
  gl_Position = vec4(vec2(gl_VertexIndex & 2, gl_VertexIndex << 1 & 2) * 2.0 - 1.0 + vec2(x, 0),
                     depth, 1);
})";
const char *const colorGlsl = R"(#version 460
layout(push_constant) uniform Push { layout(offset = 16) vec4 value; };
layout(location = 0) out vec4 color;
void main() { color = value; })";

ShaderScene::Push pushOf(float depth, std::array<float, 4> color, float x = 0) {
  ShaderScene::Push push;
  const float values[8] = {depth, x, 0, 0, color[0], color[1], color[2], color[3]};
  std::memcpy(&push, values, sizeof(values));
  return push;
}

TEST_P(ShaderStateApi, VertexInput) {
  ShaderScene scene(gpu);
  const VkShaderEXT vertex = scene.shaders.create(scene.vertex.info);
  const VkShaderEXT fragment = scene.shaders.create(scene.fragment.info);
  // The same shader reads bytes and shorts of two buffers, one of which has a stride of its own.
  Buffer bytes = gpu.buffer(64), shorts = gpu.buffer(64);
  const uint8_t pixels[] = {0, 40, 0, 41, 0, 42};
  const uint16_t numbers[] = {0, 0, 7, 0, 0, 8, 0, 0, 9};
  std::memcpy(bytes.data, pixels, sizeof(pixels));
  std::memcpy(shorts.data, numbers, sizeof(numbers));
  const Picture picture = scene.draw([&](VkCommandBuffer c) {
    scene.setState(c);
    scene.bind(c, vertex, fragment);
    gpu.vk.CmdDraw(c, 4, 1, 0, 0);
    const VkVertexInputBindingDescription2EXT bindings[] = {binding(1, 2), binding(3, 40)};
    const VkVertexInputAttributeDescription2EXT attributes[] = {
        attribute(0, 1, VK_FORMAT_R8_UINT, 1), attribute(1, 3, VK_FORMAT_R16_UINT, 4)};
    gpu.vk.CmdSetVertexInputEXT(c, 2, bindings, 2, attributes);
    // Both strides are said again: lavapipe forgets what vkCmdSetVertexInputEXT said of the others.
    const VkDeviceSize offset = 0, strides[] = {2, 6};
    gpu.vk.CmdBindVertexBuffers2(c, 1, 1, &bytes.handle, &offset, nullptr, &strides[0]);
    gpu.vk.CmdBindVertexBuffers2(c, 3, 1, &shorts.handle, &offset, nullptr, &strides[1]);
    gpu.vk.CmdDraw(c, 3, 1, 0, 0);
  });
  Picture expected = ShaderScene::expected(scene.points, {});
  for (uint32_t i = 0; i < 3; ++i)
    expected.at(40 + i + ShaderScene::shift) = ShaderScene::pixelOf({0, 7 + i}, i, {});
  EXPECT_EQ(picture, expected);
}

TEST_P(ShaderStateApi, InstanceRates) {
  ShaderScene scene(gpu);
  const VkShaderEXT vertex = scene.shaders.create(scene.vertex.info);
  const VkShaderEXT fragment = scene.shaders.create(scene.fragment.info);
  const Picture picture = scene.draw([&](VkCommandBuffer c) {
    scene.setState(c);
    scene.bind(c, vertex, fragment);
    scene.setInput(c, VK_VERTEX_INPUT_RATE_INSTANCE);
    gpu.vk.CmdDraw(c, 1, 3, 0, 0);
  });
  Picture expected = ShaderScene::expected({}, {});
  for (uint32_t i = 0; i < 3; ++i) // the shader moves instances a row down
    expected.at(scene.points[i].pixel + ShaderScene::shift + 8 * i) =
        ShaderScene::pixelOf(scene.points[i], 0, {});
  EXPECT_EQ(picture, expected);
}

TEST_P(ShaderStateApi, Topologies) {
  ShaderScene scene(gpu);
  const VkShaderEXT vertex = shader(scene, R"(#version 460
layout(location = 3) flat out uvec2 value;
void main() {
  // Corners of the square of 4 x 4 pixels around the middle of the target.
  vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) - 0.5;
  gl_Position = vec4(corner + 1.0 / 32.0, 0, 1);
  gl_PointSize = 1;
  value = uvec2(gl_VertexIndex, 0);
})",
                                    "vert");
  const VkShaderEXT fragment = scene.shaders.create(scene.fragment.info);
  struct Case {
    VkPrimitiveTopology topology;
    uint32_t vertices, least, most;
  };
  const Case cases[] = {{VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 3, 6, 10},
                        {VK_PRIMITIVE_TOPOLOGY_POINT_LIST, 4, 4, 4},
                        {VK_PRIMITIVE_TOPOLOGY_LINE_LIST, 2, 4, 5},
                        {VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, 4, 11, 14},
                        {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, 4, 16, 16}};
  for (const Case &test : cases) {
    const Picture picture = scene.draw([&](VkCommandBuffer c) {
      scene.setState(c);
      gpu.vk.CmdSetVertexInputEXT(c, 0, nullptr, 0, nullptr);
      gpu.vk.CmdSetPrimitiveTopology(c, test.topology);
      scene.bind(c, vertex, fragment);
      gpu.vk.CmdDraw(c, test.vertices, 1, 0, 0);
    });
    EXPECT_GE(count(picture), test.least) << test.topology;
    EXPECT_LE(count(picture), test.most) << test.topology;
  }
}

TEST_P(ShaderStateApi, FormatsAndBlending) {
  ShaderScene scene(gpu);
  const VkShaderEXT vertex = shader(scene, coverGlsl, "vert");
  const VkShaderEXT fragment = shader(scene, colorGlsl, "frag");
  const Image unorm = gpu.target(VK_FORMAT_R8G8B8A8_UNORM, side, side);
  const Image floats = gpu.target(VK_FORMAT_R32G32B32A32_SFLOAT, side, side);
  const Image swapped = gpu.target(VK_FORMAT_B8G8R8A8_UNORM, side, side);
  const VkClearColorValue half = {{0, 0, 1, 1}};
  for (const Image &image : {unorm, floats, swapped})
    scene.clear(image, half);
  const std::array<float, 4> color = {1, 0.2F, 0, 0.2F};
  auto draw = [&](const Image &image, VkBool32 blend, VkColorComponentFlags mask) {
    scene.render(
        [&](VkCommandBuffer c) {
          scene.setState(c);
          gpu.vk.CmdSetVertexInputEXT(c, 0, nullptr, 0, nullptr);
          gpu.vk.CmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
          scene.push(c, pushOf(0, color));
          const VkColorBlendEquationEXT equation = {
              VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
              VK_BLEND_OP_ADD,           VK_BLEND_FACTOR_ONE,
              VK_BLEND_FACTOR_ZERO,      VK_BLEND_OP_ADD};
          gpu.vk.CmdSetColorBlendEnableEXT(c, 0, 1, &blend);
          gpu.vk.CmdSetColorBlendEquationEXT(c, 0, 1, &equation);
          gpu.vk.CmdSetColorWriteMaskEXT(c, 0, 1, &mask);
          scene.bind(c, vertex, fragment);
          gpu.vk.CmdDraw(c, 3, 1, 0, 0);
        },
        {image});
  };
  draw(unorm, VK_FALSE, 0xF);
  EXPECT_EQ(scene.read(unorm, 1)[27], 0x330033FFu);
  draw(swapped, VK_FALSE, 0x5); // red and blue
  EXPECT_EQ(scene.read(swapped, 1)[27], 0xFFFF0000u);
  draw(floats, VK_TRUE, 0xF);
  const std::vector<uint32_t> words = scene.read(floats, 4);
  float pixel[4];
  std::memcpy(pixel, &words[27 * 4], sizeof(pixel));
  EXPECT_NEAR(pixel[0], 0.2, 1e-6);
  EXPECT_NEAR(pixel[1], 0.04, 1e-6);
  EXPECT_NEAR(pixel[2], 0.8, 1e-6);
  EXPECT_NEAR(pixel[3], 0.2, 1e-6);
}

TEST_P(ShaderStateApi, TwoBlendSources) {
  ShaderScene scene(gpu);
  const VkShaderEXT vertex = shader(scene, coverGlsl, "vert");
  const VkShaderEXT fragment = shader(scene, R"(#version 460
layout(location = 0, index = 0) out vec4 first;
layout(location = 0, index = 1) out vec4 second;
void main() { first = vec4(1, 1, 0, 1); second = vec4(0, 1, 1, 1); })",
                                      "frag");
  const Image image = gpu.target(VK_FORMAT_R8G8B8A8_UNORM, side, side);
  for (VkBlendFactor factor : {VK_BLEND_FACTOR_SRC1_COLOR, VK_BLEND_FACTOR_ONE}) {
    scene.clear(image, {});
    scene.render(
        [&](VkCommandBuffer c) {
          scene.setState(c);
          gpu.vk.CmdSetVertexInputEXT(c, 0, nullptr, 0, nullptr);
          gpu.vk.CmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
          scene.push(c, pushOf(0, {}));
          const VkBool32 blend = VK_TRUE;
          const VkColorBlendEquationEXT equation = {factor,
                                                    VK_BLEND_FACTOR_ZERO,
                                                    VK_BLEND_OP_ADD,
                                                    VK_BLEND_FACTOR_ONE,
                                                    VK_BLEND_FACTOR_ZERO,
                                                    VK_BLEND_OP_ADD};
          gpu.vk.CmdSetColorBlendEnableEXT(c, 0, 1, &blend);
          gpu.vk.CmdSetColorBlendEquationEXT(c, 0, 1, &equation);
          scene.bind(c, vertex, fragment);
          gpu.vk.CmdDraw(c, 3, 1, 0, 0);
        },
        {image});
    EXPECT_EQ(scene.read(image, 1)[20], factor == VK_BLEND_FACTOR_ONE ? 0xFF00FFFFu : 0xFF00FF00u);
  }
}

TEST_P(ShaderStateApi, SeveralTargets) {
  ShaderScene scene(gpu);
  const VkShaderEXT vertex = shader(scene, coverGlsl, "vert");
  const VkShaderEXT fragment = shader(scene, R"(#version 460
layout(location = 0) out uvec4 first;
layout(location = 1) out vec4 second;
void main() { first = uvec4(1, 2, 3, 4); second = vec4(1, 0, 0, 1); })",
                                      "frag");
  const Image second = gpu.target(VK_FORMAT_R8G8B8A8_UNORM, side, side);
  scene.clear(second, {});
  scene.render(
      [&](VkCommandBuffer c) {
        scene.setState(c);
        gpu.vk.CmdSetVertexInputEXT(c, 0, nullptr, 0, nullptr);
        gpu.vk.CmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
        scene.push(c, pushOf(0, {}));
        scene.bind(c, vertex, fragment);
        gpu.vk.CmdDraw(c, 3, 1, 0, 0);
      },
      {scene.target, second});
  const std::vector<uint32_t> words = scene.read(scene.target, 4);
  for (uint32_t i = 0; i < 4; ++i)
    EXPECT_EQ(words[i], i + 1);
  EXPECT_EQ(scene.read(second, 1)[0], 0xFF0000FFu);
}

TEST_P(ShaderStateApi, DepthWithoutFragmentShader) {
  ShaderScene scene(gpu);
  const VkShaderEXT vertex = shader(scene, coverGlsl, "vert");
  const VkShaderEXT fragment = shader(scene, colorGlsl, "frag");
  const Image color = gpu.target(VK_FORMAT_R8G8B8A8_UNORM, side, side);
  const Image depth = gpu.attachment(VK_FORMAT_D32_SFLOAT, VK_IMAGE_ASPECT_DEPTH_BIT, side, side);
  scene.clear(color, {});
  scene.render(
      [&](VkCommandBuffer c) {
        scene.setState(c);
        gpu.vk.CmdSetVertexInputEXT(c, 0, nullptr, 0, nullptr);
        gpu.vk.CmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
        gpu.vk.CmdSetDepthTestEnable(c, VK_TRUE);
        gpu.vk.CmdSetDepthWriteEnable(c, VK_TRUE);
        scene.bind(c, vertex, VK_NULL_HANDLE);
        scene.push(c, pushOf(0.75F, {}));
        gpu.vk.CmdDraw(c, 3, 1, 0, 0);
        // The left half becomes nearer.
        scene.push(c, pushOf(0.25F, {}, -1));
        const VkRect2D left = {{0, 0}, {side / 2, side}}, all = {{0, 0}, {side, side}};
        gpu.vk.CmdSetScissorWithCount(c, 1, &left);
        scene.push(c, pushOf(0.25F, {}));
        gpu.vk.CmdDraw(c, 3, 1, 0, 0);
        gpu.vk.CmdSetScissorWithCount(c, 1, &all);
        scene.bind(c, vertex, fragment);
        gpu.vk.CmdSetDepthCompareOp(c, VK_COMPARE_OP_LESS);
        scene.push(c, pushOf(0.5F, {0, 1, 0, 1}));
        gpu.vk.CmdDraw(c, 3, 1, 0, 0);
      },
      {color}, depth.view);
  const std::vector<uint32_t> pixels = scene.read(color, 1);
  for (uint32_t i = 0; i < side * side; ++i)
    EXPECT_EQ(pixels[i], i % side < side / 2 ? 0u : 0xFF00FF00u) << i;
}

TEST_P(ShaderStateApi, CullingAndDiscard) {
  ShaderScene scene(gpu);
  const VkShaderEXT vertex = shader(scene, coverGlsl, "vert");
  const VkShaderEXT fragment = shader(scene, R"(#version 460
layout(location = 0) out uvec4 color;
void main() { color = uvec4(gl_FrontFacing); })",
                                      "frag");
  auto draw = [&](VkCullModeFlags cull, VkFrontFace face, VkBool32 discard) {
    return scene.draw([&](VkCommandBuffer c) {
      scene.setState(c);
      gpu.vk.CmdSetVertexInputEXT(c, 0, nullptr, 0, nullptr);
      gpu.vk.CmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
      gpu.vk.CmdSetCullMode(c, cull);
      gpu.vk.CmdSetFrontFace(c, face);
      gpu.vk.CmdSetRasterizerDiscardEnable(c, discard);
      scene.push(c, pushOf(0, {}));
      scene.bind(c, vertex, fragment);
      gpu.vk.CmdDraw(c, 3, 1, 0, 0);
    });
  };
  const VkFrontFace clockwise = VK_FRONT_FACE_CLOCKWISE, counter = VK_FRONT_FACE_COUNTER_CLOCKWISE;
  const Picture one = draw(VK_CULL_MODE_NONE, clockwise, VK_FALSE);
  const Picture other = draw(VK_CULL_MODE_NONE, counter, VK_FALSE);
  EXPECT_EQ(count(one), side * side);
  EXPECT_EQ(one[0][0] + other[0][0], 1u);
  EXPECT_EQ(count(draw(VK_CULL_MODE_FRONT_BIT, clockwise, VK_FALSE)), one[0][0] ? 0 : side * side);
  EXPECT_EQ(count(draw(VK_CULL_MODE_BACK_BIT, clockwise, VK_FALSE)), one[0][0] ? side * side : 0);
  EXPECT_EQ(count(draw(VK_CULL_MODE_NONE, clockwise, VK_TRUE)), 0u);
}

TEST_P(ShaderStateApi, ProvokingVertex) {
  if (!gpu.hasExtension(VK_EXT_PROVOKING_VERTEX_EXTENSION_NAME))
    GTEST_SKIP() << "no VK_EXT_provoking_vertex";
  ShaderScene scene(gpu);
  const VkShaderEXT vertex = shader(scene, R"(#version 460
layout(location = 0) flat out uint number;
void main() {
  gl_Position = vec4(vec2(gl_VertexIndex & 2, gl_VertexIndex << 1 & 2) * 2.0 - 1.0, 0, 1);
  number = gl_VertexIndex;
})",
                                    "vert");
  const VkShaderEXT fragment = shader(scene, R"(#version 460
layout(location = 0) flat in uint number;
layout(location = 0) out uvec4 color;
void main() { color = uvec4(number); })",
                                      "frag");
  for (bool last : {false, true, false}) {
    const Picture picture = scene.draw([&](VkCommandBuffer c) {
      scene.setState(c);
      gpu.vk.CmdSetVertexInputEXT(c, 0, nullptr, 0, nullptr);
      gpu.vk.CmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
      gpu.vk.CmdSetProvokingVertexModeEXT(c, last ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT
                                                  : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT);
      scene.bind(c, vertex, fragment);
      gpu.vk.CmdDraw(c, 3, 1, 0, 0);
    });
    EXPECT_EQ(picture[9][0], last ? 2u : 0u);
  }
}

TEST_P(ShaderStateApi, Multiview) {
  ShaderScene scene(gpu);
  const VkShaderEXT vertex = shader(scene, coverGlsl, "vert");
  const VkShaderEXT fragment = shader(scene, R"(#version 460
#extension GL_EXT_multiview : require
layout(location = 0) out uvec4 color;
void main() { color = uvec4(50 + gl_ViewIndex); })",
                                      "frag");
  const Image layers = gpu.attachment(VK_FORMAT_R32_UINT, VK_IMAGE_ASPECT_COLOR_BIT, side, side,
                                      VK_SAMPLE_COUNT_1_BIT, 3);
  scene.clear(layers, {}, 3);
  for (uint32_t viewMask : {0u, 5u}) {
    scene.render(
        [&](VkCommandBuffer c) {
          scene.setState(c);
          gpu.vk.CmdSetVertexInputEXT(c, 0, nullptr, 0, nullptr);
          gpu.vk.CmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
          scene.push(c, pushOf(0, {}));
          scene.bind(c, vertex, fragment);
          gpu.vk.CmdDraw(c, 3, 1, 0, 0);
        },
        {layers}, VK_NULL_HANDLE, viewMask);
    EXPECT_EQ(scene.read(layers, 1, 0)[11], 50u);
    EXPECT_EQ(scene.read(layers, 1, 1)[11], 0u);
    EXPECT_EQ(scene.read(layers, 1, 2)[11], viewMask ? 52u : 0u);
  }
}

/// An interface that parts cannot be linked with: such pairs are compiled monolithically.
TEST_P(ShaderStateApi, ClipDistancesThatAreRead) {
  ShaderScene scene(gpu);
  const VkShaderEXT vertex = shader(scene, R"(#version 460
out float gl_ClipDistance[1];
void main() {
  gl_Position = vec4(vec2(gl_VertexIndex & 2, gl_VertexIndex << 1 & 2) * 2.0 - 1.0, 0, 1);
  gl_ClipDistance[0] = gl_Position.x + 0.5;
})",
                                    "vert");
  const VkShaderEXT fragment = shader(scene, R"(#version 460
in float gl_ClipDistance[1];
layout(location = 0) out uvec4 color;
void main() { color = uvec4(round(gl_ClipDistance[0] * 1000.0)); })",
                                      "frag");
  const Picture picture = scene.draw([&](VkCommandBuffer c) {
    scene.setState(c);
    gpu.vk.CmdSetVertexInputEXT(c, 0, nullptr, 0, nullptr);
    gpu.vk.CmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    scene.bind(c, vertex, fragment);
    gpu.vk.CmdDraw(c, 3, 1, 0, 0);
  });
  for (uint32_t x = 0; x < side; ++x) {
    if (x < 2)
      EXPECT_EQ(picture[x], ShaderScene::background) << x;
    else
      EXPECT_EQ(picture[x][0], uint32_t((x + 0.5) / 4 * 1000 - 500)) << x;
  }
}

/// The number of samples, and alpha to coverage, are state of draws.
TEST_P(ShaderStateApi, Samples) {
  ShaderScene scene(gpu);
  const VkShaderEXT vertex = shader(scene, coverGlsl, "vert");
  const VkShaderEXT fragment = shader(scene, colorGlsl, "frag");
  const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  const Image single = gpu.target(format, side, side);
  const Image four =
      gpu.attachment(format, VK_IMAGE_ASPECT_COLOR_BIT, side, side, VK_SAMPLE_COUNT_4_BIT);
  struct Case {
    VkSampleMask mask;
    VkBool32 alphaToCoverage;
    uint32_t covered; ///< samples of each pixel
  };
  for (const Case &test : {Case{~0u, VK_FALSE, 4},
                           {0x5, VK_FALSE, 2},
                           {0x1, VK_FALSE, 1},
                           {~0u, VK_TRUE, 2},
                           {~0u, VK_FALSE, 4}}) {
    scene.clear(four, {});
    scene.clear(single, {});
    auto draw = [&](const Image &image, VkSampleCountFlagBits samples) {
      scene.render(
          [&](VkCommandBuffer c) {
            scene.setState(c);
            gpu.vk.CmdSetVertexInputEXT(c, 0, nullptr, 0, nullptr);
            gpu.vk.CmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
            gpu.vk.CmdSetRasterizationSamplesEXT(c, samples);
            gpu.vk.CmdSetSampleMaskEXT(c, samples, &test.mask);
            gpu.vk.CmdSetAlphaToCoverageEnableEXT(c, test.alphaToCoverage);
            scene.push(c, pushOf(0, {1, 0, 0, test.alphaToCoverage ? 0.5F : 1.0F}));
            scene.bind(c, vertex, fragment);
            gpu.vk.CmdDraw(c, 3, 1, 0, 0);
          },
          {image});
    };
    draw(four, VK_SAMPLE_COUNT_4_BIT);
    scene.resolve(four, single);
    const uint32_t red = scene.read(single, 1)[20] & 0xFF;
    EXPECT_NEAR(red, 255.0 * test.covered / 4, 1) << test.mask << test.alphaToCoverage;
    draw(single, VK_SAMPLE_COUNT_1_BIT);
    if (!test.alphaToCoverage)
      EXPECT_EQ(scene.read(single, 1)[20] & 0xFF, 255u);
  }
}

} // namespace
} // namespace api
