// SPDX-License-Identifier: MIT
// Fixed-function state: from the API's structures, and pieces that are dynamic.
#include "icd_glue/device/TestDevice.h"
#include "icd_glue/state/GraphicsState.h"
#include <cstring>
#include <limits>
#include <memory>

namespace icd {
namespace {

using namespace pal::device;

/// What nobody may look at.
template <typename T> const T *dangling() { return reinterpret_cast<const T *>(uintptr_t(8)); }

/// A pipeline of a vertex and a fragment shader with a state structure of every kind.
struct PipelineInfo {
  PipelineInfo() {
    stages[0].stage = VK_SHADER_STAGE_VERTEX_BIT;
    stages[1].stage = VK_SHADER_STAGE_FRAGMENT_BIT;
    info.pNext = &rendering;
    info.stageCount = 2;
    info.pStages = stages;
    info.pVertexInputState = &vertexInput;
    info.pInputAssemblyState = &inputAssembly;
    info.pTessellationState = dangling<VkPipelineTessellationStateCreateInfo>();
    info.pViewportState = &viewport;
    info.pRasterizationState = &raster;
    info.pMultisampleState = &samples;
    samples.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT;
    info.pDepthStencilState = &depthStencil;
    info.pColorBlendState = &blend;
    info.pDynamicState = &dynamic;
    formats.colors[0] = VK_FORMAT_R8G8B8A8_UNORM;
    formats.depth = VK_FORMAT_D32_SFLOAT;
  }
  PipelineInfo(const PipelineInfo &) = delete;

  DrawState state() {
    rendering.colorAttachmentCount = 1;
    rendering.pColorAttachmentFormats = formats.colors.data();
    rendering.depthAttachmentFormat = formats.depth;
    return graphicsStateOf(info, allSubsets).fixed;
  }
  void setDynamic(std::vector<VkDynamicState> states) {
    dynamicList = std::move(states);
    dynamic.dynamicStateCount = static_cast<uint32_t>(dynamicList.size());
    dynamic.pDynamicStates = dynamicList.data();
  }

  VkPipelineShaderStageCreateInfo stages[2] = {};
  VkPipelineVertexInputStateCreateInfo vertexInput = {};
  VkPipelineInputAssemblyStateCreateInfo inputAssembly = {};
  VkPipelineViewportStateCreateInfo viewport = {};
  VkPipelineRasterizationStateCreateInfo raster = {};
  VkPipelineMultisampleStateCreateInfo samples = {};
  VkPipelineDepthStencilStateCreateInfo depthStencil = {};
  VkPipelineColorBlendStateCreateInfo blend = {};
  VkPipelineDynamicStateCreateInfo dynamic = {};
  std::vector<VkDynamicState> dynamicList;
  VkPipelineRenderingCreateInfo rendering =
      vkStruct<VkPipelineRenderingCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
  VkGraphicsPipelineCreateInfo info = {};
  TargetFormats formats;
};

TEST(StaticState, InputAndRaster) {
  PipelineInfo p;
  const VkVertexInputBindingDescription bindings[] = {{3, 20, VK_VERTEX_INPUT_RATE_VERTEX},
                                                      {99, 4, VK_VERTEX_INPUT_RATE_VERTEX}};
  p.vertexInput.vertexBindingDescriptionCount = 2;
  p.vertexInput.pVertexBindingDescriptions = bindings;
  p.inputAssembly.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY;
  p.inputAssembly.primitiveRestartEnable = VK_TRUE;
  auto line = vkStruct<VkPipelineRasterizationLineStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO);
  line.lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM;
  line.stippledLineEnable = VK_TRUE;
  line.lineStippleFactor = 7;
  line.lineStipplePattern = 0xA5A5;
  auto provoking = vkStruct<VkPipelineRasterizationProvokingVertexStateCreateInfoEXT>(
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT, &line);
  provoking.provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
  p.raster.pNext = &provoking;
  p.raster.polygonMode = VK_POLYGON_MODE_POINT;
  p.raster.cullMode = VK_CULL_MODE_BACK_BIT;
  p.raster.frontFace = VK_FRONT_FACE_CLOCKWISE;
  p.raster.depthBiasEnable = VK_TRUE;
  p.raster.depthBiasConstantFactor = 1;
  p.raster.depthBiasClamp = 2;
  p.raster.depthBiasSlopeFactor = 3;
  p.raster.lineWidth = 4;
  DrawState state = p.state();
  EXPECT_EQ(state.strides[3], 20u);
  EXPECT_EQ(state.topology, PrimitiveTopology::LineStripAdjacency);
  EXPECT_TRUE(state.primitiveRestart);
  EXPECT_EQ(state.raster.polygonMode, PolygonMode::Point);
  EXPECT_FALSE(state.raster.cullFront);
  EXPECT_TRUE(state.raster.cullBack);
  EXPECT_TRUE(state.raster.frontClockwise);
  EXPECT_TRUE(state.raster.depthBiasEnable);
  EXPECT_EQ(state.raster.depthBiasConstant, 1);
  EXPECT_EQ(state.raster.depthBiasClamp, 2);
  EXPECT_EQ(state.raster.depthBiasSlope, 3);
  EXPECT_EQ(state.raster.lineWidth, 4);
  EXPECT_EQ(state.raster.lineMode, LineMode::Bresenham);
  EXPECT_TRUE(state.raster.stippleEnable);
  EXPECT_EQ(state.raster.stippleFactor, 7u);
  EXPECT_EQ(state.raster.stipplePattern, 0xA5A5);
  EXPECT_TRUE(state.raster.provokingVertexLast);
}

TEST(StaticState, ShadingRate) {
  PipelineInfo p;
  EXPECT_EQ(p.state().raster.shadingRate.pipeline, FragmentSize());
  auto rate = vkStruct<VkPipelineFragmentShadingRateStateCreateInfoKHR>(
      VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR);
  rate.pNext = p.info.pNext;
  p.info.pNext = &rate;
  rate.fragmentSize = {4, 2};
  rate.combinerOps[0] = VK_FRAGMENT_SHADING_RATE_COMBINER_OP_REPLACE_KHR;
  rate.combinerOps[1] = VK_FRAGMENT_SHADING_RATE_COMBINER_OP_MUL_KHR;
  const ShadingRateState state = p.state().raster.shadingRate;
  EXPECT_EQ(state.pipeline, (FragmentSize{2, 1}));
  EXPECT_EQ(state.primitive, RateCombiner::Replace);
  EXPECT_EQ(state.attachment, RateCombiner::Multiply);
  // Not valid.
  rate.fragmentSize = {0, 1000};
  rate.combinerOps[0] = static_cast<VkFragmentShadingRateCombinerOpKHR>(77);
  EXPECT_EQ(p.state().raster.shadingRate.pipeline, (FragmentSize{0, 2}));
  EXPECT_EQ(p.state().raster.shadingRate.primitive, RateCombiner::Keep);
}

TEST(StaticState, ConservativeRasterization) {
  PipelineInfo p;
  EXPECT_FALSE(p.state().raster.conservativeOverestimate);
  auto conservative = vkStruct<VkPipelineRasterizationConservativeStateCreateInfoEXT>(
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT);
  p.raster.pNext = &conservative;
  EXPECT_FALSE(p.state().raster.conservativeOverestimate);
  conservative.conservativeRasterizationMode = VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT;
  EXPECT_TRUE(p.state().raster.conservativeOverestimate);
}

TEST(StaticState, SampleLocations) {
  PipelineInfo p;
  EXPECT_FALSE(p.state().hasSampleLocations);
  // Sixteenths, rounded down, from 0 to 15.
  const VkSampleLocationEXT places[] = {
      {0.25F, 0.99F}, {-1, 2}, {std::numeric_limits<float>::quiet_NaN(), 0.0624F}};
  auto locations = vkStruct<VkPipelineSampleLocationsStateCreateInfoEXT>(
      VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT);
  locations.sampleLocationsEnable = VK_TRUE;
  locations.sampleLocationsInfo =
      vkStruct<VkSampleLocationsInfoEXT>(VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT);
  locations.sampleLocationsInfo.sampleLocationsCount = 3;
  locations.sampleLocationsInfo.pSampleLocations = places;
  p.samples.pNext = &locations;
  const DrawState state = p.state();
  EXPECT_TRUE(state.hasSampleLocations);
  const pal::device::SamplePositions expected = {{{0.25F, 0.9375F}, {0, 0.9375F}, {0, 0}}};
  EXPECT_EQ(state.sampleLocations, expected);
  // More than there is room for, and pointers that a dynamic state leaves dangling.
  locations.sampleLocationsInfo.sampleLocationsCount = ~0u;
  locations.sampleLocationsInfo.pSampleLocations =
      reinterpret_cast<const VkSampleLocationEXT *>(uintptr_t(8));
  p.setDynamic({VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT});
  EXPECT_TRUE(p.state().hasSampleLocations);
}

TEST(StaticState, ViewportsAndSamples) {
  PipelineInfo p;
  const VkViewport viewports[] = {{1, 2, 3, -4, 0.25F, 0.5F}, {5, 6, 7, 8, 0, 1}};
  const VkRect2D scissors[] = {{{-1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
  p.viewport.viewportCount = p.viewport.scissorCount = 2;
  p.viewport.pViewports = viewports;
  p.viewport.pScissors = scissors;
  auto control = vkStruct<VkPipelineViewportDepthClipControlCreateInfoEXT>(
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT);
  control.negativeOneToOne = VK_TRUE;
  p.viewport.pNext = &control;
  const VkSampleMask mask = 5;
  p.samples.pSampleMask = &mask;
  p.samples.alphaToOneEnable = VK_TRUE;
  DrawState state = p.state();
  EXPECT_EQ(state.raster.viewports[0].height, -4);
  EXPECT_EQ(state.raster.viewports[0].maxDepth, 0.5F);
  EXPECT_EQ(state.raster.viewports[1].x, 5);
  EXPECT_EQ(state.raster.scissors[0].x, -1);
  EXPECT_EQ(state.raster.scissors[1].height, 8u);
  EXPECT_TRUE(state.raster.negativeOneToOne);
  EXPECT_EQ(state.raster.samples, 4u);
  EXPECT_EQ(state.raster.sampleMask, 5u);
  EXPECT_TRUE(state.raster.alphaToOne);
  EXPECT_FALSE(state.raster.alphaToCoverage);
}

TEST(StaticState, DepthStencilAndBlend) {
  PipelineInfo p;
  p.depthStencil.depthTestEnable = p.depthStencil.stencilTestEnable = VK_TRUE;
  p.depthStencil.depthCompareOp = VK_COMPARE_OP_GREATER_OR_EQUAL;
  p.depthStencil.front = {VK_STENCIL_OP_ZERO,
                          VK_STENCIL_OP_REPLACE,
                          VK_STENCIL_OP_INVERT,
                          VK_COMPARE_OP_NOT_EQUAL,
                          0x1FF,
                          0x0F,
                          0x103};
  VkPipelineColorBlendAttachmentState attachment = {};
  attachment.blendEnable = VK_TRUE;
  attachment.srcColorBlendFactor = VK_BLEND_FACTOR_SRC1_ALPHA;
  attachment.dstColorBlendFactor = VK_BLEND_FACTOR_CONSTANT_COLOR;
  attachment.colorBlendOp = VK_BLEND_OP_REVERSE_SUBTRACT;
  attachment.alphaBlendOp = VK_BLEND_OP_MAX;
  attachment.colorWriteMask = VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_A_BIT;
  p.blend.attachmentCount = 1;
  p.blend.pAttachments = &attachment;
  p.blend.logicOpEnable = VK_TRUE;
  p.blend.logicOp = VK_LOGIC_OP_NAND;
  p.blend.blendConstants[2] = 0.5F;
  DrawState state = p.state();
  EXPECT_TRUE(state.depthStencil.depthTest);
  EXPECT_FALSE(state.depthStencil.depthWrite);
  EXPECT_EQ(state.depthStencil.depthCompare, CompareOp::GreaterOrEqual);
  EXPECT_EQ(state.depthStencil.front.fail, StencilOp::Zero);
  EXPECT_EQ(state.depthStencil.front.pass, StencilOp::Replace);
  EXPECT_EQ(state.depthStencil.front.depthFail, StencilOp::Invert);
  EXPECT_EQ(state.depthStencil.front.compare, CompareOp::NotEqual);
  EXPECT_EQ(state.depthStencil.front.compareMask, 0xFF);
  EXPECT_EQ(state.depthStencil.front.writeMask, 0x0F);
  EXPECT_EQ(state.depthStencil.front.reference, 3);
  EXPECT_EQ(state.blend.targets[0].srcColor, BlendFactor::Src1Alpha);
  EXPECT_EQ(state.blend.targets[0].dstColor, BlendFactor::ConstantColor);
  EXPECT_EQ(state.blend.targets[0].colorOp, BlendOp::ReverseSubtract);
  EXPECT_EQ(state.blend.targets[0].alphaOp, BlendOp::Max);
  EXPECT_EQ(state.blend.targets[0].writeMask, 0xA);
  EXPECT_EQ(state.blend.logicOp, LogicOp::Nand);
  EXPECT_EQ(state.blend.constants[2], 0.5F);
}

TEST(StaticState, NumbersOutOfRangeAreTheFirst) {
  PipelineInfo p;
  p.inputAssembly.topology = static_cast<VkPrimitiveTopology>(77);
  p.depthStencil.depthCompareOp = static_cast<VkCompareOp>(8);
  p.blend.logicOp = static_cast<VkLogicOp>(-1);
  EXPECT_EQ(p.state().topology, PrimitiveTopology::PointList);
  EXPECT_EQ(p.state().depthStencil.depthCompare, CompareOp::Never);
  EXPECT_EQ(p.state().blend.logicOp, LogicOp::Clear);
}

// VkGraphicsPipelineCreateInfo says when its members are ignored.
TEST(StaticState, IgnoredStructuresAreNotLookedAt) {
  PipelineInfo discard;
  discard.raster.rasterizerDiscardEnable = VK_TRUE;
  discard.info.pViewportState = dangling<VkPipelineViewportStateCreateInfo>();
  discard.info.pMultisampleState = dangling<VkPipelineMultisampleStateCreateInfo>();
  discard.info.pDepthStencilState = dangling<VkPipelineDepthStencilStateCreateInfo>();
  discard.info.pColorBlendState = dangling<VkPipelineColorBlendStateCreateInfo>();
  EXPECT_TRUE(discard.state().raster.rasterizerDiscard);

  PipelineInfo noTargets;
  noTargets.formats = {};
  noTargets.info.pDepthStencilState = dangling<VkPipelineDepthStencilStateCreateInfo>();
  noTargets.info.pColorBlendState = dangling<VkPipelineColorBlendStateCreateInfo>();
  EXPECT_FALSE(noTargets.state().depthStencil.depthTest);

  PipelineInfo mesh;
  mesh.stages[0].stage = VK_SHADER_STAGE_MESH_BIT_EXT;
  mesh.info.pVertexInputState = dangling<VkPipelineVertexInputStateCreateInfo>();
  mesh.info.pInputAssemblyState = dangling<VkPipelineInputAssemblyStateCreateInfo>();
  EXPECT_EQ(mesh.state().topology, PrimitiveTopology::TriangleList);

  PipelineInfo dynamic;
  dynamic.setDynamic({VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT,
                      VK_DYNAMIC_STATE_SAMPLE_MASK_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
                      VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
                      VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT});
  dynamic.viewport.viewportCount = dynamic.viewport.scissorCount = 1;
  dynamic.viewport.pViewports = dangling<VkViewport>();
  dynamic.viewport.pScissors = dangling<VkRect2D>();
  dynamic.samples.pSampleMask = dangling<VkSampleMask>();
  dynamic.blend.attachmentCount = 1;
  dynamic.blend.pAttachments = dangling<VkPipelineColorBlendAttachmentState>();
  EXPECT_EQ(dynamic.state().raster.sampleMask, 0xFFFFu);
}

TEST(StaticState, DiscardThatIsDynamicIgnoresNothing) {
  PipelineInfo p;
  p.raster.rasterizerDiscardEnable = VK_TRUE;
  p.depthStencil.depthTestEnable = VK_TRUE;
  p.setDynamic({VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE});
  EXPECT_TRUE(p.state().depthStencil.depthTest);
}

//===--- Merging ----------------------------------------------------------===//

/// The bytes of members, not those between them.
struct MemberBytes {
  const DrawState &state;
  std::vector<bool> isMember = std::vector<bool>(sizeof(DrawState));

  void add(const auto &...members) { (addOne(members), ...); }
  void addOne(const auto &member) {
    const size_t first =
        reinterpret_cast<const char *>(&member) - reinterpret_cast<const char *>(&state);
    std::fill_n(isMember.begin() + first, sizeof(member), true);
  }
};

// A member that is added does not build here. If the test fails then, it is in neither table of
// DrawState.cpp, and pipelines made of libraries would lose it.
TEST(DrawState, EveryMemberIsMerged) {
  auto state = std::make_unique<DrawState>(), merged = std::make_unique<DrawState>();
  // Every bool true, every number and enumerator other than in what it is merged into.
  std::memset(static_cast<void *>(state.get()), 1, sizeof(DrawState));
  std::memset(static_cast<void *>(merged.get()), 0, sizeof(DrawState));
  merged->merge(*state, allSubsets);

  MemberBytes bytes{*merged};
  const auto &[topology, restart, points, origin, stream, hasLocations, locations, raster, clip,
               writes, depthStencil, blend, strides] = *merged;
  bytes.add(topology, restart, points, origin, stream, hasLocations, locations, clip, writes,
            strides);
  // Not merged: renderArea, depthZeroToOne, shaderSamples, samplePositions.
  const auto &[viewports, scissors, area, negativeOneToOne, discard, clipEnable, clampEnable,
               clampRange, zeroToOne, rectangles, cullFront, cullBack, clockwise, polygonMode,
               biasEnable, biasConstant, biasClamp, biasSlope, biasUnit, lineWidth, lineMode,
               stipple, factor, pattern, provoking, conservative, samples, shaderSamples, mask,
               positions, toCoverage, toOne, rate] = raster;
  ASSERT_TRUE(clampRange);
  bytes.add(viewports, scissors, negativeOneToOne, discard, clipEnable, clampEnable, *clampRange,
            cullFront, cullBack, clockwise, polygonMode, biasEnable, biasConstant, biasClamp,
            biasSlope, biasUnit, lineWidth, lineMode, stipple, factor, pattern, provoking,
            conservative, samples, mask, toCoverage, toOne, rate);
  const auto &[rectEnable, exclusive, rectCount, rects] = rectangles;
  bytes.add(rectEnable, exclusive, rectCount, rects);
  const auto &[depthTest, depthWrite, compare, bounds, minBounds, maxBounds, stencilTest, front,
               back] = depthStencil;
  bytes.add(depthTest, depthWrite, compare, bounds, minBounds, maxBounds, stencilTest, front, back);
  const auto &[targets, constants, logicOpEnable, logicOp] = blend;
  bytes.add(targets, constants, logicOpEnable, logicOp);

  for (size_t i = 0; i < sizeof(DrawState); ++i)
    if (bytes.isMember[i])
      EXPECT_EQ(reinterpret_cast<const char *>(merged.get())[i], 1) << "byte " << i;
}

//===--- Dynamic state ----------------------------------------------------===//

DynamicStates dynamicStates(std::vector<VkDynamicState> states) {
  VkPipelineDynamicStateCreateInfo info = {};
  info.dynamicStateCount = static_cast<uint32_t>(states.size());
  info.pDynamicStates = states.data();
  return DynamicStates(&info);
}

/// A piece of state: a value that differs from the default, and what shows it.
struct Piece {
  VkDynamicState state;
  void (*change)(DrawState &);
  bool (*isChanged)(const DrawState &);
};
#define PIECE(name, member, value)                                                                 \
  {VK_DYNAMIC_STATE_##name, [](DrawState &s) { s.member = value; },                                \
   [](const DrawState &s) { return s.member == value; }}
const Piece pieces[] = {
    PIECE(VIEWPORT, raster.viewports[15].width, 3),
    PIECE(SCISSOR, raster.scissors[15].width, 3),
    PIECE(LINE_WIDTH, raster.lineWidth, 3),
    PIECE(DEPTH_BIAS, raster.depthBiasConstant, 3),
    PIECE(DEPTH_BIAS, raster.depthBiasClamp, 3),
    PIECE(DEPTH_BIAS, raster.depthBiasSlope, 3),
    PIECE(DEPTH_BIAS, raster.depthBiasUnit, DepthBiasUnit::One),
    PIECE(BLEND_CONSTANTS, blend.constants[3], 3),
    PIECE(DEPTH_BOUNDS, depthStencil.minDepthBounds, 3),
    PIECE(DEPTH_BOUNDS, depthStencil.maxDepthBounds, 3),
    PIECE(STENCIL_COMPARE_MASK, depthStencil.front.compareMask, 3),
    PIECE(STENCIL_COMPARE_MASK, depthStencil.back.compareMask, 3),
    PIECE(STENCIL_WRITE_MASK, depthStencil.back.writeMask, 3),
    PIECE(STENCIL_REFERENCE, depthStencil.front.reference, 3),
    PIECE(CULL_MODE, raster.cullFront, true),
    PIECE(CULL_MODE, raster.cullBack, true),
    PIECE(FRONT_FACE, raster.frontClockwise, true),
    PIECE(PRIMITIVE_TOPOLOGY, topology, PrimitiveTopology::LineList),
    PIECE(VIEWPORT_WITH_COUNT, raster.viewports[0].x, 3),
    PIECE(SCISSOR_WITH_COUNT, raster.scissors[0].x, 3),
    PIECE(VERTEX_INPUT_BINDING_STRIDE, strides[31], 3u),
    PIECE(DEPTH_TEST_ENABLE, depthStencil.depthTest, true),
    PIECE(DEPTH_WRITE_ENABLE, depthStencil.depthWrite, true),
    PIECE(DEPTH_COMPARE_OP, depthStencil.depthCompare, CompareOp::Less),
    PIECE(DEPTH_BOUNDS_TEST_ENABLE, depthStencil.depthBounds, true),
    PIECE(STENCIL_TEST_ENABLE, depthStencil.stencilTest, true),
    PIECE(STENCIL_OP, depthStencil.front.fail, StencilOp::Invert),
    PIECE(STENCIL_OP, depthStencil.back.pass, StencilOp::Invert),
    PIECE(STENCIL_OP, depthStencil.back.depthFail, StencilOp::Invert),
    PIECE(STENCIL_OP, depthStencil.front.compare, CompareOp::Less),
    PIECE(RASTERIZER_DISCARD_ENABLE, raster.rasterizerDiscard, true),
    PIECE(DEPTH_BIAS_ENABLE, raster.depthBiasEnable, true),
    PIECE(PRIMITIVE_RESTART_ENABLE, primitiveRestart, true),
    PIECE(LOGIC_OP_EXT, blend.logicOp, LogicOp::Xor),
    PIECE(PATCH_CONTROL_POINTS_EXT, patchControlPoints, 3u),
    PIECE(RASTERIZATION_STREAM_EXT, rasterizationStream, 3u),
    PIECE(TESSELLATION_DOMAIN_ORIGIN_EXT, lowerLeftOrigin, true),
    PIECE(PROVOKING_VERTEX_MODE_EXT, raster.provokingVertexLast, true),
    PIECE(DEPTH_CLAMP_ENABLE_EXT, raster.depthClampEnable, true),
    PIECE(POLYGON_MODE_EXT, raster.polygonMode, PolygonMode::Line),
    PIECE(RASTERIZATION_SAMPLES_EXT, raster.samples, 8u),
    PIECE(SAMPLE_MASK_EXT, raster.sampleMask, 3u),
    PIECE(ALPHA_TO_COVERAGE_ENABLE_EXT, raster.alphaToCoverage, true),
    PIECE(ALPHA_TO_ONE_ENABLE_EXT, raster.alphaToOne, true),
    PIECE(LOGIC_OP_ENABLE_EXT, blend.logicOpEnable, true),
    PIECE(COLOR_BLEND_ENABLE_EXT, blend.targets[7].blendEnable, true),
    PIECE(COLOR_BLEND_EQUATION_EXT, blend.targets[7].srcColor, BlendFactor::DstAlpha),
    PIECE(COLOR_BLEND_EQUATION_EXT, blend.targets[0].dstColor, BlendFactor::DstAlpha),
    PIECE(COLOR_BLEND_EQUATION_EXT, blend.targets[0].colorOp, BlendOp::Min),
    PIECE(COLOR_BLEND_EQUATION_EXT, blend.targets[0].srcAlpha, BlendFactor::DstAlpha),
    PIECE(COLOR_BLEND_EQUATION_EXT, blend.targets[0].dstAlpha, BlendFactor::DstAlpha),
    PIECE(COLOR_BLEND_EQUATION_EXT, blend.targets[0].alphaOp, BlendOp::Min),
    PIECE(COLOR_WRITE_ENABLE_EXT, colorWrites, 5),
    PIECE(VERTEX_INPUT_EXT, strides[1], 12u),
    PIECE(DISCARD_RECTANGLE_EXT, raster.discardRectangles.rects[3].x, 7),
    PIECE(DISCARD_RECTANGLE_ENABLE_EXT, raster.discardRectangles.enable, true),
    PIECE(DISCARD_RECTANGLE_MODE_EXT, raster.discardRectangles.exclusive, true),
    PIECE(DEPTH_CLAMP_RANGE_EXT, raster.depthClampRange, (std::array<float, 2>{0.25F, 0.5F})),
    PIECE(COLOR_WRITE_MASK_EXT, blend.targets[7].writeMask, 3),
    PIECE(CONSERVATIVE_RASTERIZATION_MODE_EXT, raster.conservativeOverestimate, true),
    PIECE(DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT, raster.negativeOneToOne, true),
    PIECE(LINE_RASTERIZATION_MODE_EXT, raster.lineMode, LineMode::Bresenham),
    PIECE(LINE_STIPPLE_ENABLE_EXT, raster.stippleEnable, true),
    PIECE(FRAGMENT_SHADING_RATE_KHR, raster.shadingRate.pipeline.log2Width, 1),
    PIECE(FRAGMENT_SHADING_RATE_KHR, raster.shadingRate.primitive, RateCombiner::Max),
    PIECE(FRAGMENT_SHADING_RATE_KHR, raster.shadingRate.attachment, RateCombiner::Multiply),
    PIECE(LINE_STIPPLE_EXT, raster.stippleFactor, 3u),
    PIECE(SAMPLE_LOCATIONS_ENABLE_EXT, hasSampleLocations, true),
    PIECE(SAMPLE_LOCATIONS_EXT, sampleLocations[7][1], 0.5F),
    PIECE(LINE_STIPPLE_EXT, raster.stipplePattern, 3),
};
#undef PIECE

TEST(DynamicStates, EachPieceComesFromWhereThePipelineSays) {
  DrawState everythingChanged;
  for (const Piece &piece : pieces)
    piece.change(everythingChanged);
  for (const Piece &one : pieces) {
    const DynamicStates dynamic = dynamicStates({one.state});
    EXPECT_TRUE(dynamic.has(one.state));
    const DrawState state = dynamic.resolve({}, everythingChanged);
    for (const Piece &piece : pieces) {
      // Several states name some pieces.
      auto isOneOf = [&](VkDynamicState first, VkDynamicState second) {
        return (one.state == first || one.state == second) &&
               (piece.state == first || piece.state == second);
      };
      const bool isShared =
          isOneOf(VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT) ||
          isOneOf(VK_DYNAMIC_STATE_SCISSOR, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT) ||
          isOneOf(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT, VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE);
      EXPECT_EQ(piece.isChanged(state), piece.state == one.state || isShared)
          << "dynamic " << one.state << ", piece " << piece.state;
    }
  }
}

TEST(DynamicStates, WhatIsNotKnownIsIgnored) {
  EXPECT_FALSE(DynamicStates(nullptr).has(VK_DYNAMIC_STATE_VIEWPORT));
  EXPECT_FALSE(dynamicStates({static_cast<VkDynamicState>(0x7FFFFFF0)})
                   .has(static_cast<VkDynamicState>(0x7FFFFFF0)));
}

// VkPipelineRasterizationDepthClipStateCreateInfoEXT: without it clipping is what clamping is not.
TEST(DynamicStates, DepthClippingFollowsClampingUnlessItIsSaid) {
  PipelineInfo p;
  p.raster.depthClampEnable = VK_TRUE;
  EXPECT_FALSE(DynamicStates().resolve(p.state(), {}).raster.depthClipEnable);
  p.raster.depthClampEnable = VK_FALSE;
  EXPECT_TRUE(DynamicStates().resolve(p.state(), {}).raster.depthClipEnable);
  auto clip = vkStruct<VkPipelineRasterizationDepthClipStateCreateInfoEXT>(
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT);
  p.raster.pNext = &clip;
  EXPECT_FALSE(DynamicStates().resolve(p.state(), {}).raster.depthClipEnable);
  DrawState clamping, notClipping;
  clamping.raster.depthClampEnable = true;
  notClipping.raster.depthClipEnable = false;
  EXPECT_FALSE(dynamicStates({VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT})
                   .resolve({}, clamping)
                   .raster.depthClipEnable);
  EXPECT_FALSE(dynamicStates({VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT})
                   .resolve({}, notClipping)
                   .raster.depthClipEnable);
}

} // namespace
} // namespace icd
