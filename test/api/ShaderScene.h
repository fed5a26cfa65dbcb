//===- ShaderScene.h - draws with shader objects --------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Shader objects, all the state that draws with them need, and a target of integers: every vertex
/// is a point whose pixel and number are attributes, and what the picture must be is computed with
/// expected().
#pragma once

#include "Pipelines.h"
#include <array>

namespace api {

/// A shader and how to create its object; tests may change the info.
struct ShaderSource {
  /// \p stage: "comp", "vert", "tesc", "tese", "geom", "frag".
  ShaderSource(Gpu &gpu, const std::string &glsl, const std::string &stage);
  /// The same by way of a binary, which the result refers to.
  VkShaderCreateInfoEXT of(const std::vector<uint8_t> &binary) const;

  std::vector<uint32_t> words;
  VkShaderCreateInfoEXT info;
};

/// Shader objects that live as long as this.
class Shaders {
public:
  explicit Shaders(Gpu &gpu) : gpu(gpu) {}
  ~Shaders() { destroy(); }
  Shaders(const Shaders &) = delete;

  VkShaderEXT create(const VkShaderCreateInfoEXT &info);
  /// In one call.
  std::vector<VkShaderEXT> create(const std::vector<VkShaderCreateInfoEXT> &infos);
  /// The result of creating one; what was made is destroyed.
  VkResult tryCreate(const VkShaderCreateInfoEXT &info);
  /// 16-byte aligned, as every vector is.
  std::vector<uint8_t> binary(VkShaderEXT shader);
  void destroy();

private:
  Gpu &gpu;
  std::vector<VkShaderEXT> handles;
};

class ShaderScene {
public:
  static constexpr uint32_t side = 8; ///< pixels, each way
  using Pixel = std::array<uint32_t, 4>;
  using Picture = std::array<Pixel, side * side>;
  static constexpr Pixel background = {~0u, ~0u, ~0u, ~0u};
  static constexpr uint32_t shift = 2, factor = 10; ///< in the uniform buffers
  struct Vertex {
    uint32_t pixel, number;
  };
  struct Push {
    uint32_t vertexAdd = 0, unused[3] = {}, fragmentAdd = 0, rest[3] = {};
  };

  /// \p layoutFlags: of the layout that its sets are bound with.
  explicit ShaderScene(Gpu &gpu, VkPipelineLayoutCreateFlags layoutFlags = 0);

  /// Layouts of the scene, for every stage of it.
  void setLayouts(VkShaderCreateInfoEXT &info) const;
  /// All that a draw needs besides shaders: points, drawn to `target`.
  void setState(VkCommandBuffer c) const;
  /// Vertices of 8 bytes at binding 0: pixel and number.
  void setInput(VkCommandBuffer c, VkVertexInputRate rate = VK_VERTEX_INPUT_RATE_VERTEX,
                uint32_t divisor = 1) const;
  void push(VkCommandBuffer c, const Push &values) const;
  void bind(VkCommandBuffer c, VkShaderEXT vertexShader, VkShaderEXT fragmentShader) const;
  /// Clears the target, calls \p record in a dynamic rendering, and reads the picture.
  Picture draw(const std::function<void(VkCommandBuffer)> &record);
  /// A rendering of \p attachments, colours and possibly depth; they are not cleared.
  void render(const std::function<void(VkCommandBuffer)> &record, const std::vector<Image> &colors,
              VkImageView depth = VK_NULL_HANDLE, uint32_t viewMask = 0,
              VkRenderingFlags flags = 0) const;
  void clear(const Image &image, const VkClearColorValue &value, uint32_t layers = 1) const;
  /// Averages the samples of a colour target.
  void resolve(const Image &from, const Image &to) const;
  /// The words of a layer.
  std::vector<uint32_t> read(const Image &image, uint32_t wordsPerPixel, uint32_t layer = 0) const;
  /// What the fragment shader makes of vertex \p vertex (gl_VertexIndex).
  static Pixel pixelOf(const Vertex &vertex, uint32_t index, const Push &push,
                       uint32_t constant = 0);
  /// The target after points of \p vertices, the first one number \p first.
  static Picture expected(const std::vector<Vertex> &vertices, const Push &push,
                          uint32_t constant = 0, uint32_t first = 0);

  Gpu &gpu;
  Shaders shaders;
  ShaderSource vertex, fragment;
  const std::vector<Vertex> points = {{0, 100}, {9, 200}, {18, 300}, {30, 400}};
  Buffer vertices; ///< `points`
  Image target;

private:
  std::array<VkDescriptorSetLayout, 2> layouts;
  std::array<VkDescriptorSet, 2> sets;
  VkPushConstantRange range;
  VkPipelineLayout layout;
};

} // namespace api
