// SPDX-License-Identifier: MIT
// VK_EXT_legacy_vertex_attributes: attributes at any address, with any stride, and of another kind
// than the shader's variable. What they are is computed here from the bytes and the formats.
#include "ShaderScene.h"
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

namespace api {
namespace {

constexpr uint32_t side = ShaderScene::side;
constexpr VkFormat targetFormat = VK_FORMAT_R32G32B32A32_UINT;

enum class Kind : uint8_t { Unorm, Snorm, Uscaled, Sscaled, Uint, Sint, Float };
struct Format {
  VkFormat format;
  Kind kind;
  std::vector<uint32_t> bits; ///< of the channels, from the lowest address or bit on
  bool swapsRedBlue = false;
  bool isInteger() const { return kind == Kind::Uint || kind == Kind::Sint; }
};

const Format formats[] = {
    {VK_FORMAT_R8_UNORM, Kind::Unorm, {8}},
    {VK_FORMAT_R8G8B8A8_UINT, Kind::Uint, {8, 8, 8, 8}},
    {VK_FORMAT_B8G8R8A8_UNORM, Kind::Unorm, {8, 8, 8, 8}, true},
    {VK_FORMAT_R8G8B8_SNORM, Kind::Snorm, {8, 8, 8}},
    {VK_FORMAT_R16_SFLOAT, Kind::Float, {16}},
    {VK_FORMAT_R16G16_UNORM, Kind::Unorm, {16, 16}},
    {VK_FORMAT_R16G16_SINT, Kind::Sint, {16, 16}},
    {VK_FORMAT_R16G16_SSCALED, Kind::Sscaled, {16, 16}},
    {VK_FORMAT_R16G16B16_SFLOAT, Kind::Float, {16, 16, 16}},
    {VK_FORMAT_R16G16B16A16_SNORM, Kind::Snorm, {16, 16, 16, 16}},
    {VK_FORMAT_R16G16B16A16_USCALED, Kind::Uscaled, {16, 16, 16, 16}},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, Kind::Unorm, {10, 10, 10, 2}},
    {VK_FORMAT_A2R10G10B10_SNORM_PACK32, Kind::Snorm, {10, 10, 10, 2}, true},
    {VK_FORMAT_A2B10G10R10_UINT_PACK32, Kind::Uint, {10, 10, 10, 2}},
    {VK_FORMAT_A2B10G10R10_SSCALED_PACK32, Kind::Sscaled, {10, 10, 10, 2}},
    {VK_FORMAT_B10G11R11_UFLOAT_PACK32, Kind::Float, {11, 11, 10}},
    {VK_FORMAT_R32_SINT, Kind::Sint, {32}},
    {VK_FORMAT_R32G32_SFLOAT, Kind::Float, {32, 32}},
    {VK_FORMAT_R32G32B32_UINT, Kind::Uint, {32, 32, 32}},
    {VK_FORMAT_R32G32B32A32_SFLOAT, Kind::Float, {32, 32, 32, 32}},
};

/// Where the attribute of vertex 0 is, and how far it is to the next one.
struct Place {
  uint32_t bufferOffset, attributeOffset, stride;
};
constexpr Place places[] = {{1, 0, 19}, {0, 0, 16}, {2, 1, 16}, {4, 2, 21}, {3, 1, 17}, {0, 4, 20}};

/// A float with an exponent of 5 bits.
float smallFloat(uint32_t word, uint32_t bits) {
  const uint32_t mantissaBits = bits == 16 ? 10 : bits - 5;
  const uint32_t mantissa = word & ((1u << mantissaBits) - 1), exponent = word >> mantissaBits & 31;
  const float sign = bits == 16 && word >> 15 ? -1.0F : 1.0F;
  if (exponent == 31)
    return mantissa ? NAN : sign * INFINITY;
  const auto fraction = static_cast<float>(mantissa) / static_cast<float>(1u << mantissaBits);
  return sign *
         (exponent ? std::ldexp(1 + fraction, int(exponent) - 15) : std::ldexp(fraction, -14));
}

/// A channel as the shader's 32 bits.
uint32_t convert(uint32_t word, uint32_t bits, Kind kind) {
  if (bits == 32)
    return word;
  const int32_t number = static_cast<int32_t>(word << (32 - bits)) >> (32 - bits);
  switch (kind) {
  case Kind::Uint:
    return word;
  case Kind::Sint:
    return static_cast<uint32_t>(number);
  case Kind::Uscaled:
    return std::bit_cast<uint32_t>(static_cast<float>(word));
  case Kind::Sscaled:
    return std::bit_cast<uint32_t>(static_cast<float>(number));
  case Kind::Unorm:
    return std::bit_cast<uint32_t>(static_cast<float>(word) / static_cast<float>((1u << bits) - 1));
  case Kind::Snorm:
    return std::bit_cast<uint32_t>(
        std::max(static_cast<float>(number) / static_cast<float>((1 << (bits - 1)) - 1), -1.0F));
  case Kind::Float:
    return std::bit_cast<uint32_t>(smallFloat(word, bits));
  }
  return 0;
}

std::array<uint32_t, 4> decode(const uint8_t *bytes, const Format &format) {
  std::array<uint32_t, 4> result = {0, 0, 0,
                                    format.isInteger() ? 1 : std::bit_cast<uint32_t>(1.0F)};
  uint32_t bit = 0;
  for (size_t i = 0; i < format.bits.size(); ++i) {
    uint64_t window = 0;
    std::memcpy(&window, bytes + bit / 8, 8);
    const uint64_t mask = (uint64_t(1) << format.bits[i]) - 1;
    result[i] =
        convert(static_cast<uint32_t>(window >> bit % 8 & mask), format.bits[i], format.kind);
    bit += format.bits[i];
  }
  if (format.swapsRedBlue)
    std::swap(result[0], result[2]);
  return result;
}

/// Row by gl_InstanceIndex, pixel by gl_VertexIndex.
std::string vertexGlsl(const char *type, const char *bits) {
  return std::string("#version 460\nlayout(location = 0) in ") + type +
         " a;\nlayout(location = 0) flat out uvec4 value;\nvoid main() {\n"
         "  gl_Position = vec4((vec2(gl_VertexIndex, gl_InstanceIndex) + 0.5) / 4.0 - 1.0, 0, 1);\n"
         "  gl_PointSize = 1;\n  value = " +
         bits + ";\n}\n";
}
const char *const fragmentGlsl = R"(#version 460
layout(location = 0) flat in uvec4 value;
layout(location = 0) out uvec4 color;
void main() { color = value; })";

class LegacyVertexApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_EXT_LEGACY_VERTEX_ATTRIBUTES_EXTENSION_NAME) || !gpu.canExecute())
      GTEST_SKIP() << "no VK_EXT_legacy_vertex_attributes";
    features = vkStruct<VkPhysicalDeviceLegacyVertexAttributesFeaturesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LEGACY_VERTEX_ATTRIBUTES_FEATURES_EXT);
    device.emplace(GetParam(), &features);
    ASSERT_TRUE(features.legacyVertexAttributes);
    scene.emplace(*device);
    vertices = device->buffer(512, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    uint32_t word = 7;
    for (uint32_t i = 0; i < 512 / 4; ++i)
      vertices.data[i] = word = word * 1664525 + 1013904223;
  }
  void TearDown() override {
    if (device) {
      EXPECT_EQ(device->validationMessages, 0u);
    }
  }

  bool canFetch(VkFormat format) {
    VkFormatProperties properties = {};
    device->vk.GetPhysicalDeviceFormatProperties(device->physicalDevice, format, &properties);
    return properties.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT;
  }
  void setInput(VkCommandBuffer c, VkFormat format, const Place &place) {
    auto binding = vkStruct<VkVertexInputBindingDescription2EXT>(
        VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT);
    binding.stride = place.stride;
    binding.divisor = 1;
    auto attribute = vkStruct<VkVertexInputAttributeDescription2EXT>(
        VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT);
    attribute.format = format;
    attribute.offset = place.attributeOffset;
    device->vk.CmdSetVertexInputEXT(c, 1, &binding, 1, &attribute);
    const VkDeviceSize offset = place.bufferOffset;
    device->vk.CmdBindVertexBuffers2(c, 0, 1, &vertices.handle, &offset, nullptr, nullptr);
  }
  /// A row for each place, with what \p bind binds.
  std::vector<uint32_t> draw(VkFormat format, const std::function<void(VkCommandBuffer)> &bind) {
    const Image target = device->target(targetFormat, side, side);
    scene->clear(target, {});
    scene->render(
        [&](VkCommandBuffer c) {
          bind(c);
          for (uint32_t row = 0; row < std::size(places); ++row) {
            setInput(c, format, places[row]);
            device->vk.CmdDraw(c, side, 1, 0, row);
          }
        },
        {target});
    return scene->read(target, 4);
  }
  void check(const Format &format, const std::vector<uint32_t> &words) {
    for (uint32_t row = 0; row < std::size(places); ++row)
      for (uint32_t i = 0; i < side; ++i) {
        const Place &place = places[row];
        const auto *bytes = reinterpret_cast<const uint8_t *>(vertices.data) + place.bufferOffset +
                            place.attributeOffset + uint64_t(place.stride) * i;
        const std::array<uint32_t, 4> expected = decode(bytes, format);
        for (uint32_t channel = 0; channel < 4; ++channel) {
          const uint32_t word = words[(row * side + i) * 4 + channel];
          if (word == expected[channel])
            continue;
          const auto value = std::bit_cast<float>(word),
                     wanted = std::bit_cast<float>(expected[channel]);
          const bool isSame =
              !format.isInteger() && ((std::isnan(value) && std::isnan(wanted)) ||
                                      std::abs(value - wanted) <= 1e-6 * std::abs(wanted));
          EXPECT_TRUE(isSame) << "format " << format.format << ", place " << row << ", vertex " << i
                              << ", channel " << channel << ": " << value << " for " << wanted;
        }
      }
  }

  VkPipeline pipeline(const std::string &vertex) {
    vktest::GraphicsInfo graphics(side);
    graphics.addStage(VK_SHADER_STAGE_VERTEX_BIT, device->module(vertex, "vert"));
    graphics.addStage(VK_SHADER_STAGE_FRAGMENT_BIT, device->module(fragmentGlsl, "frag"));
    graphics.formats = {targetFormat};
    graphics.assembly.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    graphics.dynamics = {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT};
    graphics.info.layout = device->pipelineLayout({});
    return device->pipeline(graphics.done());
  }
  static std::string shaderOf(const Format &format) {
    return format.kind == Kind::Uint   ? vertexGlsl("uvec4", "a")
           : format.kind == Kind::Sint ? vertexGlsl("ivec4", "uvec4(a)")
                                       : vertexGlsl("vec4", "floatBitsToUint(a)");
  }

  VkPhysicalDeviceLegacyVertexAttributesFeaturesEXT features = {};
  std::optional<Gpu> device;
  std::optional<ShaderScene> scene;
  Buffer vertices;
};
API_TESTS_ON_ALL_DEVICES(LegacyVertexApi);

TEST_P(LegacyVertexApi, PipelinesFetchFromAnyAddress) {
  for (const Format &format : formats) {
    if (!canFetch(format.format))
      continue;
    const VkPipeline made = pipeline(shaderOf(format));
    check(format, draw(format.format, [&](VkCommandBuffer c) {
            device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, made);
          }));
  }
}

TEST_P(LegacyVertexApi, ShaderObjectsFetchFromAnyAddress) {
  if (!device->hasExtension(VK_EXT_SHADER_OBJECT_EXTENSION_NAME))
    GTEST_SKIP();
  ShaderSource fragmentSource(*device, fragmentGlsl, "frag");
  scene->setLayouts(fragmentSource.info);
  const VkShaderEXT fragment = scene->shaders.create(fragmentSource.info);
  for (const Format &format : formats) {
    if (!canFetch(format.format))
      continue;
    ShaderSource vertexSource(*device, shaderOf(format), "vert");
    scene->setLayouts(vertexSource.info);
    const VkShaderEXT vertex = scene->shaders.create(vertexSource.info);
    check(format, draw(format.format, [&](VkCommandBuffer c) {
            scene->setState(c);
            scene->bind(c, vertex, fragment);
          }));
  }
}

// Only the buffer is another one: its offset alone decides.
TEST_P(LegacyVertexApi, BuffersDecideAndNotTheDescription) {
  const Format &format = formats[5]; // R16G16_UNORM
  const VkPipeline made = pipeline(shaderOf(format));
  const Image target = device->target(targetFormat, side, side);
  scene->clear(target, {});
  scene->render(
      [&](VkCommandBuffer c) {
        device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, made);
        setInput(c, format.format, {0, 0, 16});
        for (uint32_t row = 0; row < 4; ++row) {
          const VkDeviceSize offset = row;
          device->vk.CmdBindVertexBuffers(c, 0, 1, &vertices.handle, &offset);
          device->vk.CmdDraw(c, side, 1, 0, row);
        }
      },
      {target});
  const std::vector<uint32_t> words = scene->read(target, 4);
  for (uint32_t row = 0; row < 4; ++row)
    for (uint32_t i = 0; i < side; ++i) {
      const auto *bytes = reinterpret_cast<const uint8_t *>(vertices.data) + row + 16 * i;
      const std::array<uint32_t, 4> expected = decode(bytes, format);
      for (uint32_t channel = 0; channel < 4; ++channel)
        EXPECT_NEAR(std::bit_cast<float>(words[(row * side + i) * 4 + channel]),
                    std::bit_cast<float>(expected[channel]), 1e-6);
    }
}

// What the shader then reads is not said anywhere; but it draws.
TEST_P(LegacyVertexApi, OtherKindsOfNumbers) {
  for (const Format &format : formats) {
    if (!canFetch(format.format))
      continue;
    const VkPipeline made =
        pipeline(format.isInteger() ? vertexGlsl("vec4", "min(floatBitsToUint(a), uvec4(1)) | 1u")
                                    : vertexGlsl("ivec4", "min(uvec4(a), uvec4(1)) | 1u"));
    const std::vector<uint32_t> words = draw(format.format, [&](VkCommandBuffer c) {
      device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, made);
    });
    for (uint32_t i = 0; i < std::size(places) * side * 4; ++i)
      ASSERT_EQ(words[i], 1u) << format.format;
  }
}

} // namespace
} // namespace api
