//===- DynamicState.cpp - vkCmdSet* of draws ------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Each command writes its piece of the command buffer's DrawState; draws take what their pipeline
/// has left dynamic.
#include "icd_glue/command/DrawPreparation.h"
#include "icd_glue/context/Device.h"

namespace icd {
namespace {

using namespace pal::device;

/// For what code does not depend on.
DrawState &stateOf(VkCommandBuffer handle) {
  return fromHandle<CommandBuffer>(handle)->drawBindings().dynamic;
}

/// For what code depends on.
template <typename Value>
void setCodeState(VkCommandBuffer handle, DrawPiece piece, Value DrawState::*place, Value value) {
  auto *commandBuffer = fromHandle<CommandBuffer>(handle);
  setPiece(*commandBuffer, piece, commandBuffer->drawBindings().dynamic.*place, value);
}
template <typename Value>
void setCodeState(VkCommandBuffer handle, DrawPiece piece, Value RasterState::*place, Value value) {
  auto *commandBuffer = fromHandle<CommandBuffer>(handle);
  setPiece(*commandBuffer, piece, commandBuffer->drawBindings().dynamic.raster.*place, value);
}

/// Calls \p set for each face of the mask.
template <typename Set>
void forFaces(VkCommandBuffer commandBuffer, VkStencilFaceFlags faces, Set &&set) {
  DepthStencilState &state = stateOf(commandBuffer).depthStencil;
  if (faces & VK_STENCIL_FACE_FRONT_BIT)
    set(state.front);
  if (faces & VK_STENCIL_FACE_BACK_BIT)
    set(state.back);
}

/// Calls \p set(target, i) for the targets first + i that exist.
template <typename Set>
void forTargets(VkCommandBuffer handle, DrawPiece piece, uint32_t first, uint32_t count,
                Set &&set) {
  auto *commandBuffer = fromHandle<CommandBuffer>(handle);
  BlendState &blend = commandBuffer->drawBindings().dynamic.blend;
  auto targets = blend.targets;
  for (uint32_t i = 0; i < count && i < maxColorTargets && first < maxColorTargets - i; ++i)
    set(targets[first + i], i);
  setPiece(*commandBuffer, piece, blend.targets, targets);
}

} // namespace

//===--- VK_KHR_fragment_shading_rate -------------------------------------===//

VKAPI_ATTR void VKAPI_CALL
CmdSetFragmentShadingRateKHR(VkCommandBuffer commandBuffer, const VkExtent2D *size,
                             const VkFragmentShadingRateCombinerOpKHR combiners[2]) {
  setShadingRate(stateOf(commandBuffer).raster, *size, combiners);
}

//===--- Vulkan 1.0 -------------------------------------------------------===//

VKAPI_ATTR void VKAPI_CALL CmdSetViewport(VkCommandBuffer commandBuffer, uint32_t first,
                                          uint32_t count, const VkViewport *viewports) {
  RasterState &raster = stateOf(commandBuffer).raster;
  for (uint32_t i = 0; i < count && first < maxViewports; ++i, ++first)
    raster.viewports[first] = viewportOf(viewports[i]);
}

VKAPI_ATTR void VKAPI_CALL CmdSetScissor(VkCommandBuffer commandBuffer, uint32_t first,
                                         uint32_t count, const VkRect2D *scissors) {
  RasterState &raster = stateOf(commandBuffer).raster;
  for (uint32_t i = 0; i < count && first < maxViewports; ++i, ++first)
    raster.scissors[first] = rectOf(scissors[i]);
}

VKAPI_ATTR void VKAPI_CALL CmdSetLineWidth(VkCommandBuffer commandBuffer, float width) {
  stateOf(commandBuffer).raster.lineWidth = width;
}

VKAPI_ATTR void VKAPI_CALL CmdSetDepthBias(VkCommandBuffer commandBuffer, float constant,
                                           float clamp, float slope) {
  RasterState &raster = stateOf(commandBuffer).raster;
  raster.depthBiasConstant = constant;
  raster.depthBiasClamp = clamp;
  raster.depthBiasSlope = slope;
  raster.depthBiasUnit = DepthBiasUnit::Format;
}

VKAPI_ATTR void VKAPI_CALL CmdSetDepthBias2EXT(VkCommandBuffer commandBuffer,
                                               const VkDepthBiasInfoEXT *info) {
  CmdSetDepthBias(commandBuffer, info->depthBiasConstantFactor, info->depthBiasClamp,
                  info->depthBiasSlopeFactor);
  stateOf(commandBuffer).raster.depthBiasUnit = depthBiasUnitOf(info->pNext);
}

/// Attachments are memory like any other: a shader may always read them.
VKAPI_ATTR void VKAPI_CALL CmdSetAttachmentFeedbackLoopEnableEXT(VkCommandBuffer,
                                                                 VkImageAspectFlags) {}

VKAPI_ATTR void VKAPI_CALL CmdSetBlendConstants(VkCommandBuffer commandBuffer,
                                                const float constants[4]) {
  std::copy(constants, constants + 4, stateOf(commandBuffer).blend.constants.begin());
}

VKAPI_ATTR void VKAPI_CALL CmdSetDepthBounds(VkCommandBuffer commandBuffer, float min, float max) {
  DepthStencilState &state = stateOf(commandBuffer).depthStencil;
  state.minDepthBounds = min;
  state.maxDepthBounds = max;
}

VKAPI_ATTR void VKAPI_CALL CmdSetStencilCompareMask(VkCommandBuffer commandBuffer,
                                                    VkStencilFaceFlags faces, uint32_t mask) {
  forFaces(commandBuffer, faces,
           [&](StencilFace &face) { face.compareMask = static_cast<uint8_t>(mask); });
}

VKAPI_ATTR void VKAPI_CALL CmdSetStencilWriteMask(VkCommandBuffer commandBuffer,
                                                  VkStencilFaceFlags faces, uint32_t mask) {
  forFaces(commandBuffer, faces,
           [&](StencilFace &face) { face.writeMask = static_cast<uint8_t>(mask); });
}

VKAPI_ATTR void VKAPI_CALL CmdSetStencilReference(VkCommandBuffer commandBuffer,
                                                  VkStencilFaceFlags faces, uint32_t reference) {
  forFaces(commandBuffer, faces,
           [&](StencilFace &face) { face.reference = static_cast<uint8_t>(reference); });
}

//===--- Vulkan 1.3 -------------------------------------------------------===//

VKAPI_ATTR void VKAPI_CALL CmdSetCullMode(VkCommandBuffer commandBuffer, VkCullModeFlags mode) {
  setCullMode(stateOf(commandBuffer).raster, mode);
}

VKAPI_ATTR void VKAPI_CALL CmdSetFrontFace(VkCommandBuffer commandBuffer, VkFrontFace face) {
  stateOf(commandBuffer).raster.frontClockwise = face == VK_FRONT_FACE_CLOCKWISE;
}

VKAPI_ATTR void VKAPI_CALL CmdSetPrimitiveTopology(VkCommandBuffer commandBuffer,
                                                   VkPrimitiveTopology topology) {
  setCodeState(commandBuffer, DrawPiece::Topology, &DrawState::topology,
               enumOf(topology, PrimitiveTopology::PatchList));
}

VKAPI_ATTR void VKAPI_CALL CmdSetViewportWithCount(VkCommandBuffer commandBuffer, uint32_t count,
                                                   const VkViewport *viewports) {
  CmdSetViewport(commandBuffer, 0, count, viewports);
}

VKAPI_ATTR void VKAPI_CALL CmdSetScissorWithCount(VkCommandBuffer commandBuffer, uint32_t count,
                                                  const VkRect2D *scissors) {
  CmdSetScissor(commandBuffer, 0, count, scissors);
}

VKAPI_ATTR void VKAPI_CALL CmdSetDepthTestEnable(VkCommandBuffer commandBuffer, VkBool32 enable) {
  stateOf(commandBuffer).depthStencil.depthTest = enable;
}

VKAPI_ATTR void VKAPI_CALL CmdSetDepthWriteEnable(VkCommandBuffer commandBuffer, VkBool32 enable) {
  stateOf(commandBuffer).depthStencil.depthWrite = enable;
}

VKAPI_ATTR void VKAPI_CALL CmdSetDepthCompareOp(VkCommandBuffer commandBuffer, VkCompareOp op) {
  stateOf(commandBuffer).depthStencil.depthCompare = enumOf(op, CompareOp::Always);
}

VKAPI_ATTR void VKAPI_CALL CmdSetDepthBoundsTestEnable(VkCommandBuffer commandBuffer,
                                                       VkBool32 enable) {
  stateOf(commandBuffer).depthStencil.depthBounds = enable;
}

VKAPI_ATTR void VKAPI_CALL CmdSetStencilTestEnable(VkCommandBuffer commandBuffer, VkBool32 enable) {
  stateOf(commandBuffer).depthStencil.stencilTest = enable;
}

VKAPI_ATTR void VKAPI_CALL CmdSetStencilOp(VkCommandBuffer commandBuffer, VkStencilFaceFlags faces,
                                           VkStencilOp fail, VkStencilOp pass,
                                           VkStencilOp depthFail, VkCompareOp compare) {
  forFaces(commandBuffer, faces, [&](StencilFace &face) {
    StencilFace ops = stencilFaceOf({fail, pass, depthFail, compare, 0, 0, 0});
    ops.compareMask = face.compareMask;
    ops.writeMask = face.writeMask;
    ops.reference = face.reference;
    face = ops;
  });
}

VKAPI_ATTR void VKAPI_CALL CmdSetRasterizerDiscardEnable(VkCommandBuffer commandBuffer,
                                                         VkBool32 enable) {
  stateOf(commandBuffer).raster.rasterizerDiscard = enable;
}

VKAPI_ATTR void VKAPI_CALL CmdSetDepthBiasEnable(VkCommandBuffer commandBuffer, VkBool32 enable) {
  stateOf(commandBuffer).raster.depthBiasEnable = enable;
}

VKAPI_ATTR void VKAPI_CALL CmdSetPrimitiveRestartEnable(VkCommandBuffer commandBuffer,
                                                        VkBool32 enable) {
  stateOf(commandBuffer).primitiveRestart = enable;
}

//===--- VK_EXT_extended_dynamic_state2, beyond Vulkan 1.3 ----------------===//

VKAPI_ATTR void VKAPI_CALL CmdSetLogicOpEXT(VkCommandBuffer commandBuffer, VkLogicOp op) {
  stateOf(commandBuffer).blend.logicOp = enumOf(op, LogicOp::Set);
}

VKAPI_ATTR void VKAPI_CALL CmdSetPatchControlPointsEXT(VkCommandBuffer commandBuffer,
                                                       uint32_t points) {
  stateOf(commandBuffer).patchControlPoints = points;
}

//===--- VK_EXT_extended_dynamic_state3 -----------------------------------===//

VKAPI_ATTR void VKAPI_CALL CmdSetRasterizationStreamEXT(VkCommandBuffer commandBuffer,
                                                        uint32_t stream) {
  setCodeState(commandBuffer, DrawPiece::RasterizationStream, &DrawState::rasterizationStream,
               stream);
}

VKAPI_ATTR void VKAPI_CALL CmdSetDepthClampEnableEXT(VkCommandBuffer commandBuffer,
                                                     VkBool32 enable) {
  stateOf(commandBuffer).raster.depthClampEnable = enable;
}

VKAPI_ATTR void VKAPI_CALL CmdSetPolygonModeEXT(VkCommandBuffer commandBuffer, VkPolygonMode mode) {
  stateOf(commandBuffer).raster.polygonMode = enumOf(mode, PolygonMode::Point);
}

VKAPI_ATTR void VKAPI_CALL CmdSetRasterizationSamplesEXT(VkCommandBuffer commandBuffer,
                                                         VkSampleCountFlagBits samples) {
  stateOf(commandBuffer).raster.samples = samples;
}

VKAPI_ATTR void VKAPI_CALL CmdSetSampleMaskEXT(VkCommandBuffer commandBuffer, VkSampleCountFlagBits,
                                               const VkSampleMask *mask) {
  stateOf(commandBuffer).raster.sampleMask = mask ? *mask : ~0u;
}

VKAPI_ATTR void VKAPI_CALL CmdSetAlphaToCoverageEnableEXT(VkCommandBuffer commandBuffer,
                                                          VkBool32 enable) {
  setCodeState(commandBuffer, DrawPiece::AlphaToCoverage, &RasterState::alphaToCoverage,
               enable != VK_FALSE);
}

VKAPI_ATTR void VKAPI_CALL CmdSetAlphaToOneEnableEXT(VkCommandBuffer commandBuffer,
                                                     VkBool32 enable) {
  stateOf(commandBuffer).raster.alphaToOne = enable;
}

VKAPI_ATTR void VKAPI_CALL CmdSetLogicOpEnableEXT(VkCommandBuffer commandBuffer, VkBool32 enable) {
  stateOf(commandBuffer).blend.logicOpEnable = enable;
}

VKAPI_ATTR void VKAPI_CALL CmdSetColorBlendEnableEXT(VkCommandBuffer commandBuffer, uint32_t first,
                                                     uint32_t count, const VkBool32 *enables) {
  forTargets(commandBuffer, DrawPiece::BlendEnable, first, count,
             [&](ColorTargetState &target, uint32_t i) { target.blendEnable = enables[i]; });
}

VKAPI_ATTR void VKAPI_CALL CmdSetColorBlendEquationEXT(VkCommandBuffer commandBuffer,
                                                       uint32_t first, uint32_t count,
                                                       const VkColorBlendEquationEXT *equations) {
  forTargets(commandBuffer, DrawPiece::BlendEquation, first, count,
             [&](ColorTargetState &target, uint32_t i) { setBlendEquation(target, equations[i]); });
}

VKAPI_ATTR void VKAPI_CALL CmdSetColorWriteMaskEXT(VkCommandBuffer commandBuffer, uint32_t first,
                                                   uint32_t count,
                                                   const VkColorComponentFlags *masks) {
  forTargets(commandBuffer, DrawPiece::WriteMask, first, count,
             [&](ColorTargetState &target, uint32_t i) { target.writeMask = masks[i] & 0xF; });
}

VKAPI_ATTR void VKAPI_CALL CmdSetConservativeRasterizationModeEXT(
    VkCommandBuffer commandBuffer, VkConservativeRasterizationModeEXT mode) {
  setConservativeMode(stateOf(commandBuffer).raster, mode);
}

/// 0 is the only size (maxExtraPrimitiveOverestimationSize).
VKAPI_ATTR void VKAPI_CALL CmdSetExtraPrimitiveOverestimationSizeEXT(VkCommandBuffer, float) {}

VKAPI_ATTR void VKAPI_CALL CmdSetDepthClipEnableEXT(VkCommandBuffer commandBuffer,
                                                    VkBool32 enable) {
  DrawState &state = stateOf(commandBuffer);
  state.raster.depthClipEnable = enable;
  state.depthClipFollowsClamp = false;
}

VKAPI_ATTR void VKAPI_CALL CmdSetDepthClipNegativeOneToOneEXT(VkCommandBuffer commandBuffer,
                                                              VkBool32 enable) {
  stateOf(commandBuffer).raster.negativeOneToOne = enable;
}

VKAPI_ATTR void VKAPI_CALL CmdSetLineRasterizationModeEXT(VkCommandBuffer commandBuffer,
                                                          VkLineRasterizationModeEXT mode) {
  stateOf(commandBuffer).raster.lineMode = enumOf(mode, LineMode::RectangularSmooth);
}

VKAPI_ATTR void VKAPI_CALL CmdSetLineStippleEnableEXT(VkCommandBuffer commandBuffer,
                                                      VkBool32 enable) {
  stateOf(commandBuffer).raster.stippleEnable = enable;
}

VKAPI_ATTR void VKAPI_CALL CmdSetSampleLocationsEnableEXT(VkCommandBuffer commandBuffer,
                                                          VkBool32 enable) {
  stateOf(commandBuffer).hasSampleLocations = enable;
}

VKAPI_ATTR void VKAPI_CALL CmdSetProvokingVertexModeEXT(VkCommandBuffer commandBuffer,
                                                        VkProvokingVertexModeEXT mode) {
  setCodeState(commandBuffer, DrawPiece::ProvokingVertex, &RasterState::provokingVertexLast,
               mode == VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT);
}

VKAPI_ATTR void VKAPI_CALL CmdSetTessellationDomainOriginEXT(VkCommandBuffer commandBuffer,
                                                             VkTessellationDomainOrigin origin) {
  setCodeState(commandBuffer, DrawPiece::DomainOrigin, &DrawState::lowerLeftOrigin,
               origin == VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT);
}

//===--- VK_EXT_shader_object ---------------------------------------------===//

VKAPI_ATTR void VKAPI_CALL
CmdSetVertexInputEXT(VkCommandBuffer handle, uint32_t bindingCount,
                     const VkVertexInputBindingDescription2EXT *bindings, uint32_t attributeCount,
                     const VkVertexInputAttributeDescription2EXT *attributes) {
  auto *commandBuffer = fromHandle<CommandBuffer>(handle);
  DrawBindings &draws = commandBuffer->drawBindings();
  VertexInputState input;
  auto strides = draws.dynamic.strides;
  for (const auto &from : llvm::ArrayRef(bindings, bindingCount)) {
    if (from.binding >= strides.size())
      continue; // not valid usage
    strides[from.binding] = from.stride;
    input.bindings.push_back(
        {from.binding, from.stride, inputRateOf(from.inputRate), from.divisor});
  }
  for (const auto &from : llvm::ArrayRef(attributes, attributeCount))
    input.attributes.push_back(
        {from.location, from.binding, static_cast<uint32_t>(from.format), from.offset});
  input.isUnaligned = draws.vertexInput.isUnaligned; // until noteAlignment()
  const bool hasChanged = strides != draws.dynamic.strides;
  draws.dynamic.strides = strides;
  if (hasChanged)
    draws.forget(DrawPiece::VertexInput);
  setPiece(*commandBuffer, DrawPiece::VertexInput, draws.vertexInput, input);
}

//===--- VK_EXT_depth_clamp_control, VK_EXT_discard_rectangles -----------===//

VKAPI_ATTR void VKAPI_CALL CmdSetDepthClampRangeEXT(VkCommandBuffer commandBuffer,
                                                    VkDepthClampModeEXT mode,
                                                    const VkDepthClampRangeEXT *range) {
  setDepthClampRange(stateOf(commandBuffer).raster, mode, range);
}

VKAPI_ATTR void VKAPI_CALL CmdSetDiscardRectangleEXT(VkCommandBuffer commandBuffer, uint32_t first,
                                                     uint32_t count, const VkRect2D *rectangles) {
  DiscardRectangles &discard = stateOf(commandBuffer).raster.discardRectangles;
  for (uint32_t i = 0; i < count && first < DiscardRectangles::max; ++i, ++first)
    discard.rects[first] = rectOf(rectangles[i]);
}

VKAPI_ATTR void VKAPI_CALL CmdSetDiscardRectangleEnableEXT(VkCommandBuffer commandBuffer,
                                                           VkBool32 enable) {
  stateOf(commandBuffer).raster.discardRectangles.enable = enable;
}

VKAPI_ATTR void VKAPI_CALL CmdSetDiscardRectangleModeEXT(VkCommandBuffer commandBuffer,
                                                         VkDiscardRectangleModeEXT mode) {
  stateOf(commandBuffer).raster.discardRectangles.exclusive =
      mode == VK_DISCARD_RECTANGLE_MODE_EXCLUSIVE_EXT;
}

//===--- VK_EXT_sample_locations ------------------------------------------===//

VKAPI_ATTR void VKAPI_CALL CmdSetSampleLocationsEXT(VkCommandBuffer commandBuffer,
                                                    const VkSampleLocationsInfoEXT *info) {
  setSampleLocations(stateOf(commandBuffer), *info);
}

//===--- VK_EXT_color_write_enable ----------------------------------------===//

VKAPI_ATTR void VKAPI_CALL CmdSetColorWriteEnableEXT(VkCommandBuffer commandBuffer, uint32_t count,
                                                     const VkBool32 *enables) {
  setColorWrites(stateOf(commandBuffer), {enables, count});
}

//===--- VK_EXT_line_rasterization ----------------------------------------===//

VKAPI_ATTR void VKAPI_CALL CmdSetLineStipple(VkCommandBuffer commandBuffer, uint32_t factor,
                                             uint16_t pattern) {
  RasterState &raster = stateOf(commandBuffer).raster;
  raster.stippleFactor = factor;
  raster.stipplePattern = pattern;
}

} // namespace icd
