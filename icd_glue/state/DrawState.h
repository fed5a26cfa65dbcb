//===- DrawState.h - fixed-function state of draws ------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// One value that holds all state of the fixed function. A pipeline has one with what it was
/// created with, a command buffer one with what commands have set; a draw takes each piece from the
/// one or the other, as the pipeline's list of dynamic state says. The tables of pieces are in
/// DrawState.cpp: a row for each VkDynamicState that is known here, and those that are never
/// dynamic. DrawStateTest.cpp demands that each member is in one of them.
#pragma once

#include "icd_glue/context/Limits.h"
#include "icd_glue/state/Subsets.h"
#include "icd_glue/state/TargetFormats.h"
#include "pal_shim/device/Draw.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstring>

namespace icd {

struct DrawState {
  pal::device::PrimitiveTopology topology = pal::device::PrimitiveTopology::TriangleList;
  bool primitiveRestart = false;
  uint32_t patchControlPoints = 0;
  bool lowerLeftOrigin = false;     ///< VkTessellationDomainOrigin
  uint32_t rasterizationStream = 0; ///< of geometry shaders
  bool hasSampleLocations = false;
  pal::device::SamplePositions sampleLocations = {}; ///< instead of the standard ones
  /// Without render area, samples that are shaded and their positions, depthZeroToOne, and
  /// shadingRate.onePixel, which a draw finds out when it is recorded or runs.
  pal::device::RasterState raster;
  /// raster.depthClipEnable is the opposite of depthClampEnable, as it is where nobody says more.
  bool depthClipFollowsClamp = true;
  uint8_t colorWrites =
      0xFF; ///< bit per attachment: 0: nothing is written there, whatever the mask
  pal::device::DepthStencilState depthStencil;
  pal::device::BlendState blend;
  std::array<uint32_t, maxVertexBindings> strides = {}; ///< bytes, by vertex binding

  /// Takes over what belongs to \p subsets.
  void merge(const DrawState &from, Subsets subsets);
};

//===--- Values of the API ------------------------------------------------===//

/// For the device; what is out of range becomes the first enumerator.
pal::device::StencilFace stencilFaceOf(const VkStencilOpState &state);
void setCullMode(pal::device::RasterState &raster, VkCullModeFlags mode);
/// As a VkDepthBiasRepresentationInfoEXT in a chain says. Nothing here scales a bias: it is exact.
pal::device::DepthBiasUnit depthBiasUnitOf(const void *next);
/// \p range: of VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT, else not looked at.
void setDepthClampRange(pal::device::RasterState &raster, VkDepthClampModeEXT mode,
                        const VkDepthClampRangeEXT *range);
void setConservativeMode(pal::device::RasterState &raster, VkConservativeRasterizationModeEXT mode);
pal::device::Viewport viewportOf(const VkViewport &viewport);
pal::device::Rect rectOf(const VkRect2D &rect);
/// Sizes are powers of two up to 4.
void setShadingRate(pal::device::RasterState &raster, const VkExtent2D &size,
                    const VkFragmentShadingRateCombinerOpKHR *combiners);
/// Positions that are not there become 0.
void setSampleLocations(DrawState &state, const VkSampleLocationsInfoEXT &info);
void setBlendEquation(pal::device::ColorTargetState &target,
                      const VkColorBlendEquationEXT &equation);
/// Attachments that \p enables does not name keep what they have.
void setColorWrites(DrawState &state, llvm::ArrayRef<VkBool32> enables);
/// \p value: of Vulkan, which may be no value of its type where state is ignored.
template <typename To, typename From> To enumOf(const From &value, To last) {
  uint32_t bits = 0;
  static_assert(sizeof value == sizeof bits);
  std::memcpy(&bits, &value, sizeof bits);
  return bits <= static_cast<uint32_t>(last) ? static_cast<To>(bits) : static_cast<To>(0);
}

//===--- Dynamic state ----------------------------------------------------===//

/// Bits of DynamicStates: one for each dynamic state that may be known here, and one for others.
inline constexpr unsigned unknownDynamicState = 63;
constexpr unsigned dynamicStateBit(VkDynamicState state) {
  struct Group {
    VkDynamicState first, last;
  };
  constexpr Group groups[] = {
      {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_STENCIL_REFERENCE},
      {VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_STATE_STENCIL_OP},
      {VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT, VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE},
      {VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT,
       VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT},
      {VK_DYNAMIC_STATE_LINE_STIPPLE_EXT, VK_DYNAMIC_STATE_LINE_STIPPLE_EXT},
      {VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR, VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR},
      {VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT, VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT},
      {VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT},
      {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT},
      {VK_DYNAMIC_STATE_DISCARD_RECTANGLE_EXT, VK_DYNAMIC_STATE_DISCARD_RECTANGLE_MODE_EXT},
      {VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT, VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT},
  };
  unsigned bit = 0;
  for (const Group &group : groups) {
    if (state >= group.first && state <= group.last)
      return bit + (state - group.first);
    bit += group.last - group.first + 1;
  }
  return unknownDynamicState;
}
static_assert(dynamicStateBit(VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT) < unknownDynamicState,
              "the last group has no bits left");

/// A pipeline's list of dynamic states.
class DynamicStates {
public:
  DynamicStates() = default;
  /// Of a pipeline; null: none. State that is not known here is ignored, as it is not offered, and
  /// so is what does not concern \p subsets.
  explicit DynamicStates(const VkPipelineDynamicStateCreateInfo *info,
                         Subsets subsets = allSubsets);
  bool has(VkDynamicState state) const { return bits >> dynamicStateBit(state) & 1; }
  /// Those that concern \p subsets.
  DynamicStates of(Subsets subsets) const;
  void merge(const DynamicStates &from) { bits |= from.bits; }
  void remove(VkDynamicState state) { bits &= ~(uint64_t(1) << dynamicStateBit(state)); }
  /// The pipeline's state with the dynamic pieces taken from \p dynamic.
  DrawState resolve(const DrawState &fixed, const DrawState &dynamic) const;

private:
  uint64_t bits = 0; ///< dynamicStateBit()
};

} // namespace icd
