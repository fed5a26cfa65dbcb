//===- Surfaces.h - attachments in memory ---------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// From image views to the surfaces that draws write to, and what happens to surfaces at the ends
/// of render passes: clears and resolves, as plain functions of memory.
#pragma once

#include "icd_glue/command/Recording.h"
#include "icd_glue/context/Limits.h"
#include "icd_glue/image/TexelRows.h"
#include "pal_shim/formats/Formats.h"
#include "llvm/ADT/SmallVector.h"

namespace icd {

class ImageView;

/// The colour, depth or stencil surface of a view; one without address when the view has no such
/// aspect or there is no view.
pal::device::Surface surfaceOf(const ImageView *view, VkImageAspectFlagBits aspect);

/// Layers of surfaces: the views of multiview, or a range without, of maxFramebufferLayers at most.
using LayerList = llvm::SmallVector<uint32_t, 8>;
LayerList layersOf(uint32_t viewMask, uint32_t base, uint32_t count);

/// A surface whose memory has been looked up: `host` is byte 0 of the plane.
struct HostSurface {
  const pal::device::Surface &surface;
  uint8_t *host;
};
llvm::Expected<HostSurface> lookUp(const Execution &execution, const pal::device::Surface &surface);

/// Writes \p value, components r, g, b, a as registers hold them, to all samples of \p area in
/// \p layers. What is outside the surface does not count.
void clearSurface(const HostSurface &surface, const pal::formats::Texel &value,
                  const VkRect2D &area, llvm::ArrayRef<uint32_t> layers);

/// Resolves \p area of \p layers, as far as both surfaces have them. They have the same format.
void resolveSurface(const HostSurface &from, const HostSurface &to, const ResolveRule &rule,
                    const VkRect2D &area, llvm::ArrayRef<uint32_t> layers);

/// What two areas have in common.
VkRect2D intersect(const VkRect2D &a, const VkRect2D &b);

} // namespace icd
