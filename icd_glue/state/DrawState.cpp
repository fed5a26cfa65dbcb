//===- DrawState.cpp - which pieces of state may be dynamic ---------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/state/DrawState.h"

namespace icd {
namespace {

using pal::device::ColorTargetState;

template <typename Set> void forTargets(DrawState &to, const DrawState &from, Set &&set) {
  for (unsigned i = 0; i < pal::device::maxColorTargets; ++i)
    set(to.blend.targets[i], from.blend.targets[i]);
}

template <typename Set> void forFaces(DrawState &to, const DrawState &from, Set &&set) {
  set(to.depthStencil.front, from.depthStencil.front);
  set(to.depthStencil.back, from.depthStencil.back);
}

void copyViewports(DrawState &to, const DrawState &from) {
  to.raster.viewports = from.raster.viewports;
}

void copyScissors(DrawState &to, const DrawState &from) {
  to.raster.scissors = from.raster.scissors;
}

void copyDepthBias(DrawState &to, const DrawState &from) {
  to.raster.depthBiasConstant = from.raster.depthBiasConstant;
  to.raster.depthBiasClamp = from.raster.depthBiasClamp;
  to.raster.depthBiasSlope = from.raster.depthBiasSlope;
  to.raster.depthBiasUnit = from.raster.depthBiasUnit;
}

void copyDepthBounds(DrawState &to, const DrawState &from) {
  to.depthStencil.minDepthBounds = from.depthStencil.minDepthBounds;
  to.depthStencil.maxDepthBounds = from.depthStencil.maxDepthBounds;
}

void copyCullMode(DrawState &to, const DrawState &from) {
  to.raster.cullFront = from.raster.cullFront;
  to.raster.cullBack = from.raster.cullBack;
}

void copyStencilOp(DrawState &to, const DrawState &from) {
  forFaces(to, from, [](auto &face, const auto &source) {
    face.fail = source.fail;
    face.pass = source.pass;
    face.depthFail = source.depthFail;
    face.compare = source.compare;
  });
}

void copyBlendEquation(DrawState &to, const DrawState &from) {
  forTargets(to, from, [](ColorTargetState &target, const ColorTargetState &source) {
    ColorTargetState copy = source;
    copy.writeMask = target.writeMask;
    copy.blendEnable = target.blendEnable;
    target = copy;
  });
}

void copyDepthClip(DrawState &to, const DrawState &from) {
  to.raster.depthClipEnable = from.raster.depthClipEnable;
  to.depthClipFollowsClamp = false;
}

void copyStipple(DrawState &to, const DrawState &from) {
  to.raster.stippleFactor = from.raster.stippleFactor;
  to.raster.stipplePattern = from.raster.stipplePattern;
}

using CopyPiece = void(DrawState &to, const DrawState &from);
struct Piece {
  VkDynamicState state;
  Subsets subsets; ///< whose state it is
  CopyPiece *copy;
};
struct FixedPiece {
  Subsets subsets;
  CopyPiece *copy;
};

#define KILN_MEMBER(member) [](DrawState &to, const DrawState &from) { to.member = from.member; }
#define KILN_FACES(member)                                                                         \
  [](DrawState &to, const DrawState &from) {                                                       \
    forFaces(to, from, [](auto &face, const auto &source) { face.member = source.member; });       \
  }
#define KILN_TARGETS(member)                                                                       \
  [](DrawState &to, const DrawState &from) {                                                       \
    forTargets(to, from, [](auto &target, const auto &source) { target.member = source.member; }); \
  }
constexpr Piece pieces[] = {
    {VK_DYNAMIC_STATE_VIEWPORT, preRasterizationSubset, copyViewports},
    {VK_DYNAMIC_STATE_SCISSOR, preRasterizationSubset, copyScissors},
    {VK_DYNAMIC_STATE_LINE_WIDTH, preRasterizationSubset, KILN_MEMBER(raster.lineWidth)},
    {VK_DYNAMIC_STATE_DEPTH_BIAS, preRasterizationSubset, copyDepthBias},
    {VK_DYNAMIC_STATE_BLEND_CONSTANTS, fragmentOutputSubset, KILN_MEMBER(blend.constants)},
    {VK_DYNAMIC_STATE_DEPTH_BOUNDS, fragmentShaderSubset, copyDepthBounds},
    {VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK, fragmentShaderSubset, KILN_FACES(compareMask)},
    {VK_DYNAMIC_STATE_STENCIL_WRITE_MASK, fragmentShaderSubset, KILN_FACES(writeMask)},
    {VK_DYNAMIC_STATE_STENCIL_REFERENCE, fragmentShaderSubset, KILN_FACES(reference)},
    // Vulkan 1.3
    {VK_DYNAMIC_STATE_CULL_MODE, preRasterizationSubset, copyCullMode},
    {VK_DYNAMIC_STATE_FRONT_FACE, preRasterizationSubset, KILN_MEMBER(raster.frontClockwise)},
    {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, vertexInputSubset, KILN_MEMBER(topology)},
    {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, preRasterizationSubset, copyViewports},
    {VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT, preRasterizationSubset, copyScissors},
    {VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE, vertexInputSubset, KILN_MEMBER(strides)},
    {VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, fragmentShaderSubset, KILN_MEMBER(depthStencil.depthTest)},
    {VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE, fragmentShaderSubset,
     KILN_MEMBER(depthStencil.depthWrite)},
    {VK_DYNAMIC_STATE_DEPTH_COMPARE_OP, fragmentShaderSubset,
     KILN_MEMBER(depthStencil.depthCompare)},
    {VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE, fragmentShaderSubset,
     KILN_MEMBER(depthStencil.depthBounds)},
    {VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, fragmentShaderSubset,
     KILN_MEMBER(depthStencil.stencilTest)},
    {VK_DYNAMIC_STATE_STENCIL_OP, fragmentShaderSubset, copyStencilOp},
    {VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE, preRasterizationSubset,
     KILN_MEMBER(raster.rasterizerDiscard)},
    {VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE, preRasterizationSubset,
     KILN_MEMBER(raster.depthBiasEnable)},
    {VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE, vertexInputSubset, KILN_MEMBER(primitiveRestart)},
    // VK_EXT_extended_dynamic_state2
    {VK_DYNAMIC_STATE_LOGIC_OP_EXT, fragmentOutputSubset, KILN_MEMBER(blend.logicOp)},
    {VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT, preRasterizationSubset,
     KILN_MEMBER(patchControlPoints)},
    // VK_EXT_extended_dynamic_state3
    {VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT, preRasterizationSubset,
     KILN_MEMBER(rasterizationStream)},
    {VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT, preRasterizationSubset,
     KILN_MEMBER(raster.depthClampEnable)},
    {VK_DYNAMIC_STATE_POLYGON_MODE_EXT, preRasterizationSubset, KILN_MEMBER(raster.polygonMode)},
    {VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT, fragmentOutputSubset, KILN_MEMBER(raster.samples)},
    {VK_DYNAMIC_STATE_SAMPLE_MASK_EXT, fragmentOutputSubset, KILN_MEMBER(raster.sampleMask)},
    {VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT, fragmentOutputSubset,
     KILN_MEMBER(raster.alphaToCoverage)},
    {VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT, fragmentOutputSubset,
     KILN_MEMBER(raster.alphaToOne)},
    {VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT, fragmentOutputSubset, KILN_MEMBER(blend.logicOpEnable)},
    {VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, fragmentOutputSubset, KILN_TARGETS(blendEnable)},
    {VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, fragmentOutputSubset, copyBlendEquation},
    {VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT, fragmentOutputSubset, KILN_TARGETS(writeMask)},
    {VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT, preRasterizationSubset,
     KILN_MEMBER(raster.conservativeOverestimate)},
    {VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT, preRasterizationSubset,
     KILN_MEMBER(lowerLeftOrigin)},
    {VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT, preRasterizationSubset, copyDepthClip},
    {VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT, preRasterizationSubset,
     KILN_MEMBER(raster.negativeOneToOne)},
    {VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT, preRasterizationSubset,
     KILN_MEMBER(raster.provokingVertexLast)},
    {VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT, preRasterizationSubset,
     KILN_MEMBER(raster.lineMode)},
    {VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT, preRasterizationSubset,
     KILN_MEMBER(raster.stippleEnable)},
    // VK_KHR_fragment_shading_rate
    {VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR, preRasterizationSubset,
     KILN_MEMBER(raster.shadingRate)},
    {VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT, fragmentOutputSubset,
     KILN_MEMBER(hasSampleLocations)},
    // VK_EXT_sample_locations
    {VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT, fragmentOutputSubset, KILN_MEMBER(sampleLocations)},
    // VK_EXT_color_write_enable
    {VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT, fragmentOutputSubset, KILN_MEMBER(colorWrites)},
    // VK_EXT_vertex_input_dynamic_state; bindings and attributes are with the command buffer.
    {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT, vertexInputSubset, KILN_MEMBER(strides)},
    // VK_EXT_discard_rectangles
    {VK_DYNAMIC_STATE_DISCARD_RECTANGLE_EXT, preRasterizationSubset,
     KILN_MEMBER(raster.discardRectangles.rects)},
    {VK_DYNAMIC_STATE_DISCARD_RECTANGLE_ENABLE_EXT, preRasterizationSubset,
     KILN_MEMBER(raster.discardRectangles.enable)},
    {VK_DYNAMIC_STATE_DISCARD_RECTANGLE_MODE_EXT, preRasterizationSubset,
     KILN_MEMBER(raster.discardRectangles.exclusive)},
    // VK_EXT_depth_clamp_control
    {VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT, preRasterizationSubset,
     KILN_MEMBER(raster.depthClampRange)},
    // VK_EXT_line_rasterization
    {VK_DYNAMIC_STATE_LINE_STIPPLE_EXT, preRasterizationSubset, copyStipple},
};
/// Never dynamic in pipelines. Merged behind the others: copyDepthClip() sets the first one.
constexpr FixedPiece fixedPieces[] = {
    {preRasterizationSubset, KILN_MEMBER(depthClipFollowsClamp)},
    {preRasterizationSubset, KILN_MEMBER(raster.discardRectangles.count)},
};
#undef KILN_MEMBER
#undef KILN_FACES
#undef KILN_TARGETS

/// Subsets by bit; none for what is not known.
constexpr auto subsetsOfBits = [] {
  std::array<Subsets, unknownDynamicState + 1> table = {};
  for (const Piece &piece : pieces)
    table[dynamicStateBit(piece.state)] = piece.subsets;
  return table;
}();
static_assert(subsetsOfBits[unknownDynamicState] == 0);

} // namespace

void DrawState::merge(const DrawState &from, Subsets subsets) {
  auto copyAll = [&](const auto &table) {
    for (const auto &piece : table)
      if (piece.subsets & subsets)
        piece.copy(*this, from);
  };
  copyAll(pieces);
  copyAll(fixedPieces);
}

DynamicStates::DynamicStates(const VkPipelineDynamicStateCreateInfo *info, Subsets subsets) {
  for (uint32_t i = 0; info && i < info->dynamicStateCount; ++i)
    if (const unsigned bit = dynamicStateBit(info->pDynamicStates[i]); subsetsOfBits[bit] & subsets)
      bits |= uint64_t(1) << bit;
}

DynamicStates DynamicStates::of(Subsets subsets) const {
  DynamicStates result;
  for (unsigned bit = 0; bit < subsetsOfBits.size(); ++bit)
    if (subsetsOfBits[bit] & subsets)
      result.bits |= bits & uint64_t(1) << bit;
  return result;
}

DrawState DynamicStates::resolve(const DrawState &fixed, const DrawState &dynamic) const {
  DrawState state = fixed;
  for (const Piece &piece : pieces)
    if (has(piece.state))
      piece.copy(state, dynamic);
  if (state.depthClipFollowsClamp)
    state.raster.depthClipEnable = !state.raster.depthClampEnable;
  return state;
}

} // namespace icd
