//===- Graphics.h - draws of a job -----------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What a Job has instead of dispatches when it draws: stages, vertex input, attachments, the state
/// of one graphics pipeline, draws inside one render pass instance, a query around them. Resources,
/// bindings and push constants are those of the Job.
#pragma once

#include "../vk/Device.h"
#include "llpc/SpecConstant.h"
#include <array>
#include <optional>
#include <vector>

namespace exec {

struct StageSpec {
  VkShaderStageFlagBits stage = VK_SHADER_STAGE_VERTEX_BIT;
  std::vector<uint32_t> spirv;
  std::string entry;                              ///< empty: the job's
  std::vector<llpc::SpecConstant> specialization; ///< empty: the job's
};

struct VertexBuffer {
  uint32_t binding = 0, buffer = 0, stride = 0, divisor = 1;
  uint64_t offset = 0;
  bool perInstance = false;
  bool isNull = false; ///< no buffer is bound
};

/// A colour, depth, stencil or input attachment.
struct AttachmentSpec {
  uint32_t location = 0;                 ///< of colours; the index of inputs
  uint32_t image = 0;                    ///< of the job
  VkFormat format = VK_FORMAT_UNDEFINED; ///< of the view; UNDEFINED: the image's
  uint32_t mip = 0, layer = 0, layers = 1;
  VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_CLEAR;
  VkClearValue clear = {};
  bool resolves = false;
  uint32_t resolveImage = 0;
  VkResolveModeFlagBits resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
};

struct DrawCall {
  bool indexed = false, indirect = false, count = false;
  bool isMesh = false; ///< of workgroups
  std::array<uint32_t, 3> groups = {1, 1, 1};
  uint32_t vertices = 3, instances = 1, first = 0, firstInstance = 0;
  int32_t vertexOffset = 0;
  // Indirect
  uint32_t buffer = 0, drawCount = 1, stride = 0, countBuffer = 0;
  uint64_t offset = 0, countOffset = 0;
  /// vkCmdDrawIndirectByteCountEXT: `buffer` has the count, `stride` is that of a vertex.
  bool byteCount = false;
  /// vkCmdDrawMultiEXT, vkCmdDrawMultiIndexedEXT: first, count and vertex offset of each.
  std::vector<VkMultiDrawIndexedInfoEXT> multi;
  bool sharesVertexOffset = false; ///< `vertexOffset` is for all of them
  uint32_t countStart = 0;
  bool paused = false; ///< transform feedback
  /// By commands: if one draw sets a value, it is dynamic state, and others set the pipeline's.
  std::optional<uint32_t> patch, stream;
};

/// A buffer of transform feedback.
struct FeedbackBuffer {
  uint32_t binding = 0, buffer = 0;
  uint64_t offset = 0, size = VK_WHOLE_SIZE;
};

/// One query around all draws; its 64-bit results go to a buffer.
struct QuerySpec {
  VkQueryType type = VK_QUERY_TYPE_OCCLUSION;
  VkQueryPipelineStatisticFlags statistics = 0;
  uint32_t stream = 0; ///< of transform feedback, of generated primitives
  uint32_t buffer = 0;
  uint64_t offset = 0;

  bool hasStream() const {
    return type == VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT ||
           type == VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT;
  }
};

/// Pixels that a texel of the shading rate attachment is for.
inline constexpr VkExtent2D rateTexelSize = {8, 8};

/// How the render pass instance is made.
enum class PassKind : uint8_t { Dynamic, RenderPass, RenderPass2 };

struct GraphicsSpec {
  std::vector<StageSpec> stages;
  std::vector<VertexBuffer> vertexBuffers;
  std::vector<VkVertexInputAttributeDescription> attributes;
  std::optional<uint32_t> indexBuffer;
  VkIndexType indexType = VK_INDEX_TYPE_UINT16;
  uint64_t indexOffset = 0;

  std::vector<AttachmentSpec> colors;
  std::optional<AttachmentSpec> depth, stencil; ///< the same image where both are there
  /// Of render passes. What is also a colour or the depth attachment stays one attachment. Draws
  /// wait for those before them, so that what they wrote can be read.
  std::vector<AttachmentSpec> inputs;
  std::optional<AttachmentSpec> rates; ///< a texel for 8x8 pixels
  VkRect2D area = {};                  ///< empty: the whole of the attachments
  uint32_t layers = 1, viewMask = 0;
  PassKind pass = PassKind::Dynamic;
  bool secondary = false;         ///< draws are recorded in a secondary command buffer
  bool viewIndexIsDevice = false; ///< VIEW_INDEX_FROM_DEVICE_INDEX
  /// 1: all state that Vulkan 1.3 lets be dynamic is set by commands; 2: also what
  /// VK_EXT_extended_dynamic_state2, 3 and VK_EXT_line_rasterization let be; 3: and the number of
  /// samples.
  uint32_t dynamicState = 0;

  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  bool primitiveRestart = false;
  uint32_t patchControlPoints = 0;
  uint32_t rasterizationStream = 0;
  VkTessellationDomainOrigin domainOrigin = VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT;
  std::vector<VkViewport> viewports; ///< empty: one over the whole area
  std::vector<VkRect2D> scissors;    ///< likewise

  VkPipelineRasterizationStateCreateInfo raster = {};
  VkProvokingVertexModeEXT provoking = VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT;
  std::optional<bool> depthClip;
  std::optional<bool> negativeOneToOne; ///< range of depths in clip space
  std::optional<VkDepthClampRangeEXT> clampRange;
  std::vector<VkRect2D> discardRectangles;
  bool discardsInside = false; ///< of the rectangles; else outside
  VkLineRasterizationModeEXT lineMode = VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT;
  bool stipple = false;
  uint32_t stippleFactor = 1;
  uint16_t stipplePattern = 0xFFFF;

  std::optional<VkExtent2D> fragmentSize; ///< none: no state of shading rates
  std::array<VkFragmentShadingRateCombinerOpKHR, 2> rateCombiners = {};
  std::optional<VkConservativeRasterizationModeEXT> conservative;

  VkPipelineMultisampleStateCreateInfo multisample = {}; ///< samples 0: the attachments'
  VkSampleMask sampleMask = ~0u;
  std::vector<VkSampleLocationEXT> sampleLocations; ///< of all pixels; empty: the standard ones
  VkPipelineDepthStencilStateCreateInfo depthStencil = {};
  std::array<VkPipelineColorBlendAttachmentState, 8> blend = {};
  VkPipelineColorBlendStateCreateInfo colorBlend = {}; ///< logic op and constants

  std::vector<DrawCall> draws;
  std::vector<QuerySpec> queries;

  /// Transform feedback around all draws, if there are any.
  std::vector<FeedbackBuffer> feedback;
  /// Four dwords: the counters of bindings 0 to 3.
  std::optional<uint32_t> feedbackCounters;
  uint64_t feedbackCountersOffset = 0;
  bool loadsFeedbackCounters = false; ///< the first begin does

  bool clipsDepth() const { return depthClip.value_or(!raster.depthClampEnable); }
  VkDiscardRectangleModeEXT discardRectangleMode() const {
    return discardsInside ? VK_DISCARD_RECTANGLE_MODE_EXCLUSIVE_EXT
                          : VK_DISCARD_RECTANGLE_MODE_INCLUSIVE_EXT;
  }
  bool hasDynamicPatches() const {
    return llvm::any_of(draws, [](const DrawCall &draw) { return draw.patch.has_value(); });
  }
  bool hasDynamicStream() const {
    return llvm::any_of(draws, [](const DrawCall &draw) { return draw.stream.has_value(); });
  }
  GraphicsSpec();
};

} // namespace exec
