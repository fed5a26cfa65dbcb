//===- GraphicsState.h - state of a graphics pipeline ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What a VkGraphicsPipelineCreateInfo says besides shaders and layout, as one value that does not
/// refer to the application's memory. It consists of the four subsets of
/// VK_EXT_graphics_pipeline_library; a library holds some of them, a monolithic pipeline all:
///
///     GraphicsState state = graphicsStateOf(info, allSubsets);
///     GraphicsState linked = graphicsStateOf(vertexInputLibrary, vertexInputSubset);
///     linked.merge(graphicsStateOf(rest, allSubsets & ~vertexInputSubset));   // the same
///
/// Every member belongs to one subset, or says to which ones. Which structures may be looked at
/// follows the Vulkan specification ("Complete Graphics Pipelines"): pointers to others may dangle.
#pragma once

#include "icd_glue/state/DrawState.h"
#include "lgc/GraphicsState.h"
#include "llpc/Compiler.h"
#include "llvm/ADT/SmallVector.h"

namespace icd {

inline lgc::VertexInputRate inputRateOf(VkVertexInputRate rate) {
  return rate == VK_VERTEX_INPUT_RATE_INSTANCE ? lgc::VertexInputRate::Instance
                                               : lgc::VertexInputRate::Vertex;
}

/// Vertex bindings and attributes, as the application lists them.
struct VertexInputState {
  llvm::SmallVector<lgc::VertexBinding, 4> bindings;
  llvm::SmallVector<llpc::VertexAttributeInfo, 8> attributes;
  /// VK_EXT_legacy_vertex_attributes: an attribute lies where Vulkan's rules do not let it.
  bool isUnaligned = false;

  bool operator==(const VertexInputState &) const = default;
};

struct GraphicsState {
  Subsets subsets = 0; ///< those that are filled in; the others have their default
  /// Of all subsets; of dynamic states those that concern the subset.
  DynamicStates dynamic;
  DrawState fixed;
  /// Stages of shaders that run: without the fragment shader behind a rasteriser that discards
  /// everything. Pre-rasterization and fragment shader subsets.
  VkShaderStageFlags stages = 0;
  // Vertex input.
  VertexInputState input;
  /// What no command sets and the device does not read, as the compiler takes it;
  /// setCompilerState() hands it over and adds what other members say. Which subset of shaders a
  /// field belongs to, Field::half says. perSampleShading is whether minSampleShading counts.
  lgc::RasterizerState rsState;
  // Fragment shader.
  float minSampleShading = 0; ///< of samples, where rsState.perSampleShading
  /// fixed.raster.samples is known: always in the fragment output subset; a fragment shader subset
  /// may know it as well.
  bool knowsSamples = false;
  /// Fragment output, but for the view mask, which all subsets with shaders or targets have.
  TargetFormats formats;

  /// Takes over what \p from has of \p wanted and this has not.
  void merge(const GraphicsState &from, Subsets wanted = allSubsets);
  bool has(Subsets wanted) const { return (subsets & wanted) == wanted; }
  /// The rasteriser discards everything in every draw.
  bool discardsEverything() const {
    return fixed.raster.rasterizerDiscard &&
           !dynamic.has(VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);
  }
  /// All subsets are there that a pipeline needs which can be used in draws.
  bool isComplete() const;
};

/// ViewIndex is to be DeviceIndex, and not the view that is drawn to. Without views both are 0.
inline bool readsDeviceAsView(VkPipelineCreateFlags2KHR flags, const GraphicsState &state) {
  return (flags & VK_PIPELINE_CREATE_2_VIEW_INDEX_FROM_DEVICE_INDEX_BIT_KHR) &&
         state.formats.viewMask;
}

/// \p input with the strides of \p state.
VertexInputState withStrides(VertexInputState input, const DrawState &state);

/// The \p subsets of the state that \p info describes.
GraphicsState graphicsStateOf(const VkGraphicsPipelineCreateInfo &info, Subsets subsets);

} // namespace icd
