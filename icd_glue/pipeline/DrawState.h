//===- DrawState.h - fixed-function state of draws ------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// One value that holds all state of the fixed function. A pipeline has one with what it was
/// created with, a command buffer one with what commands have set; a draw takes each piece from the
/// one or the other, as the pipeline's list of dynamic state says. The table of pieces is in
/// DrawState.cpp: one row for each VkDynamicState that is known here.
#pragma once

#include "icd_glue/device/Limits.h"
#include "icd_glue/render/TargetFormats.h"
#include "pal_shim/device/Draw.h"
#include "llvm/ADT/ArrayRef.h"
#include <bitset>

namespace icd {

struct DrawState {
  pal::device::PrimitiveTopology topology = pal::device::PrimitiveTopology::TriangleList;
  bool primitiveRestart = false;
  uint32_t patchControlPoints = 0;
  /// Without render area and sample positions, which a draw finds out when it runs.
  pal::device::RasterState raster;
  /// raster.depthClipEnable is the opposite of depthClampEnable, as it is where nobody says more.
  bool depthClipFollowsClamp = true;
  pal::device::DepthStencilState depthStencil;
  pal::device::BlendState blend;
  std::array<uint32_t, maxVertexBindings> strides = {}; ///< bytes, by vertex binding
};

//===--- Static state -----------------------------------------------------===//

/// The state that \p info holds. Structures that Vulkan says are ignored are not looked at: they
/// may be dangling pointers.
DrawState staticDrawState(const VkGraphicsPipelineCreateInfo &info, const TargetFormats &formats);

/// Values of the API for the device; what is out of range becomes the first enumerator.
pal::device::StencilFace stencilFaceOf(const VkStencilOpState &state);
void setCullMode(pal::device::RasterState &raster, VkCullModeFlags mode);
pal::device::Viewport viewportOf(const VkViewport &viewport);
pal::device::Rect rectOf(const VkRect2D &rect);
void setBlendEquation(pal::device::ColorTargetState &target,
                      const VkColorBlendEquationEXT &equation);
template <typename To, typename From> To enumOf(From value, To last) {
  return value >= 0 && static_cast<uint32_t>(value) <= static_cast<uint32_t>(last)
             ? static_cast<To>(value)
             : static_cast<To>(0);
}

//===--- Dynamic state ----------------------------------------------------===//

/// Pieces of DrawState by their row in the table.
inline constexpr size_t maxDynamicPieces = 64;
class DynamicStates {
public:
  DynamicStates() = default;
  /// Of a pipeline; null: none. State that is not known here is ignored, as it is not offered.
  explicit DynamicStates(const VkPipelineDynamicStateCreateInfo *info);
  bool has(VkDynamicState state) const;
  /// The pipeline's state with the dynamic pieces taken from \p dynamic.
  DrawState resolve(const DrawState &fixed, const DrawState &dynamic) const;

private:
  std::bitset<maxDynamicPieces> pieces;
};

} // namespace icd
