//===- LibraryScene.h - a picture that many pipelines draw ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// All state of a graphics pipeline in the order of the four subsets of
/// VK_EXT_graphics_pipeline_library, to make libraries of any of them, or the monolithic pipeline,
/// and to draw with it: vertex buffers, descriptor sets of both stages, push constants, blending.
#pragma once

#include "Gpu.h"
#include "Pipelines.h"
#include <optional>

namespace api {

using Subsets = VkGraphicsPipelineLibraryFlagsEXT;
inline constexpr Subsets vertexInput = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
inline constexpr Subsets preRasterization =
    VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
inline constexpr Subsets fragmentShader = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
inline constexpr Subsets fragmentOutput =
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;
inline constexpr Subsets everything = 0xF;

/// What pipelines of a scene differ in.
struct LibraryState {
  std::string vertexGlsl, geometryGlsl, fragmentGlsl; ///< empty: none
  std::string controlGlsl, evaluationGlsl;            ///< of patches of three points
  VkFormat colorFormat = VK_FORMAT_R8G8B8A8_UNORM;    ///< of the second vertex attribute
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  bool discard = false;
  bool blend = true;
  VkFlags writeMask = 0xF;
  std::vector<VkDynamicState> dynamicStates;
  VkSpecializationInfo *fragmentConstants = nullptr;
  VkRenderPass renderPass = VK_NULL_HANDLE; ///< null: dynamic rendering

  LibraryState();
};
/// With tessellation shaders that make several triangles of each one.
LibraryState tessellatedState();
bool hasTessellation(Gpu &gpu);

/// How a pipeline is created.
struct LibraryOptions {
  VkPipelineCreateFlags flags = 0; ///< LIBRARY is set where subsets are missing
  std::vector<VkPipeline> libraries;
  std::optional<VkPipelineLayout> layout; ///< not the one that fits
  VkPipelineCache cache = VK_NULL_HANDLE;
  VkPipelineCreationFeedback *feedback = nullptr;
  Source source = Source::Inline;        ///< of shaders
  VkPipelineCreateFlags2KHR flags2 = 0;  ///< further ones, which need maintenance5
  VkPipelineBinaryInfoKHR binaries = {}; ///< may have none
};

class LibraryScene {
public:
  static constexpr uint32_t side = 16; ///< pixels of the picture, each way
  /// Rows of the first view, then those of the next one.
  using Picture = std::vector<uint32_t>;

  explicit LibraryScene(Gpu &gpu);

  /// A pipeline of the subsets \p own of \p state and of libraries. Whoever calls destroys it.
  VkResult tryCreate(const LibraryState &state, Subsets own, const LibraryOptions &options,
                     VkPipeline *pipeline);
  /// Calls \p use with the create info of such a pipeline.
  void withInfo(const LibraryState &state, Subsets own, const LibraryOptions &options,
                const std::function<void(const VkGraphicsPipelineCreateInfo &)> &use);
  /// The same, which must succeed; destroyed with the device.
  VkPipeline create(const LibraryState &state, Subsets own, const LibraryOptions &options = {});
  /// Links libraries of all subsets.
  VkPipeline link(const std::vector<VkPipeline> &libraries, VkPipelineCreateFlags flags = 0,
                  std::optional<VkPipelineLayout> layout = {});
  /// What the pipeline draws. \p record sets dynamic state.
  Picture draw(VkPipeline pipeline, const std::function<void(VkCommandBuffer)> &record = {},
               VkRenderPass renderPass = VK_NULL_HANDLE);
  /// What the monolithic pipeline draws.
  Picture expected(const LibraryState &state,
                   const std::function<void(VkCommandBuffer)> &record = {});
  /// A render pass with the target, and its framebuffer.
  VkRenderPass makeRenderPass();

  /// The three floats' worth of bytes of each vertex: a place and a colour.
  const Buffer &vertexBuffer() {
    makeResources();
    return vertices;
  }

  Gpu &gpu;
  /// What all pipelines draw to, which tests set in front of everything else. Samples are resolved.
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  uint32_t viewMask = 0;
  /// Of all of the pipeline, and of its stages alone, with independent sets.
  VkPipelineLayout whole, vertexOnly, fragmentOnly;
  Buffer writes; ///< what vertex shaders store: binding 1 of set 0

private:
  void makeResources();
  VkPipelineLayout makeLayout(const std::vector<VkDescriptorSetLayout> &sets);

  VkDescriptorSetLayout setLayouts[2];
  // Made when something is drawn: a driver without a GPU has no memory for it.
  Image target, multisampled;
  Buffer result, vertices;
  VkDescriptorSet sets[2];
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
};

} // namespace api
