//===- Surfaces.cpp - attachments in memory -------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/render/Surfaces.h"
#include "icd_glue/image/ImageView.h"
#include "icd_glue/image/TexelRows.h"
#include "pal_shim/abi/Try.h"
#include <algorithm>

namespace icd {

using pal::device::Surface;
using pal::formats::FormatInfo;
using pal::formats::formatInfo;

namespace {

/// The plane of the view's image that the aspect shows; maxImagePlanes if there is none.
unsigned planeOf(const ImageView &view, const ImageFormat &viewFormat,
                 VkImageAspectFlagBits aspect) {
  const ImageFormat &format = *view.image.shape.format;
  if (viewFormat.planeOf(aspect) >= viewFormat.planeCount)
    return maxImagePlanes;
  if (aspect != VK_IMAGE_ASPECT_COLOR_BIT)
    return format.planeOf(aspect);
  // A plane of a multi-planar image, seen as an image of its own.
  for (unsigned i = 0; i < format.planeCount; ++i)
    if (view.range.aspectMask & format.planes[i].aspect)
      return i;
  return maxImagePlanes;
}

/// \p area as far as it lies in a surface.
VkRect2D inside(const VkRect2D &area, const Surface &surface) {
  return intersect(area, {{0, 0}, {surface.width, surface.height}});
}

uint8_t *texelAt(const HostSurface &at, uint32_t x, uint32_t y, uint32_t layer, uint32_t sample) {
  const Surface &surface = at.surface;
  return at.host + surface.layout.offset(surface.level, x, y, surface.baseSlice + layer, sample);
}

} // namespace

Surface surfaceOf(const ImageView *view, VkImageAspectFlagBits aspect) {
  Surface surface;
  const ImageFormat *viewFormat = view ? findImageFormat(view->format) : nullptr;
  if (!viewFormat)
    return surface;
  const unsigned index = planeOf(*view, *viewFormat, aspect);
  if (index >= view->image.shape.format->planeCount)
    return surface;
  const ImagePlane &plane = view->image.shape.planes[index];
  const PlaneFormat &format = viewFormat->planes[viewFormat->planeOf(aspect)];
  if (view->range.baseMipLevel >= plane.levels)
    return surface;
  const pal::srd::LinearLevel &level = plane.layout.level(view->range.baseMipLevel);
  // Blocks seen as texels: as many as the level has elements.
  const bool blocks = formatInfo(plane.format.format).isBlock();
  surface.address = view->image.address(index);
  surface.format = format.format;
  surface.swizzle = format.swizzle;
  surface.layout = plane.layout;
  surface.level = view->range.baseMipLevel;
  surface.baseSlice = view->range.baseArrayLayer;
  surface.slices = view->range.layerCount;
  surface.samples = plane.samples;
  surface.width = blocks ? level.rowLength : level.width;
  surface.height = blocks ? level.rows : level.height;
  return surface;
}

LayerList layersOf(uint32_t viewMask, uint32_t base, uint32_t count) {
  LayerList layers;
  if (!viewMask)
    for (uint32_t i = 0; i < std::min(count, maxFramebufferLayers); ++i)
      layers.push_back(base + i);
  for (uint32_t view = 0; view < 32; ++view)
    if (viewMask >> view & 1)
      layers.push_back(view);
  return layers;
}

llvm::Expected<HostSurface> lookUp(const Execution &execution, const Surface &surface) {
  // Nobody has checked the view: clears and resolves would write wherever it says.
  KILN_TRY(pal::device::checkSurface(surface, "attachment"));
  uint8_t *host = KILN_TRY(execution.memory(surface.address, surface.layout.totalBytes()));
  return HostSurface{surface, host};
}

VkRect2D intersect(const VkRect2D &a, const VkRect2D &b) {
  // 64 bits: offset and extent together may leave 32.
  auto along = [](int64_t aBegin, int64_t aSize, int64_t bBegin, int64_t bSize, int32_t &begin,
                  uint32_t &size) {
    const int64_t low = std::max(aBegin, bBegin);
    const int64_t high = std::min(aBegin + aSize, bBegin + bSize);
    begin = static_cast<int32_t>(low);
    size = static_cast<uint32_t>(std::max<int64_t>(high - low, 0));
  };
  VkRect2D both;
  along(a.offset.x, a.extent.width, b.offset.x, b.extent.width, both.offset.x, both.extent.width);
  along(a.offset.y, a.extent.height, b.offset.y, b.extent.height, both.offset.y,
        both.extent.height);
  return both;
}

void clearSurface(const HostSurface &to, const pal::formats::Texel &value, const VkRect2D &area,
                  llvm::ArrayRef<uint32_t> layers) {
  const Surface &surface = to.surface;
  const FormatInfo &info = formatInfo(surface.format);
  const VkRect2D rect = inside(area, surface);
  uint8_t element[16];
  pal::formats::pack(surface.format, reverseSwizzle(value, surface.swizzle), element);
  for (uint32_t layer : layers) {
    if (layer >= surface.slices)
      continue;
    for (uint32_t sample = 0; sample < surface.samples; ++sample)
      for (uint32_t y = 0; y < rect.extent.height; ++y)
        fillRow(texelAt(to, static_cast<uint32_t>(rect.offset.x),
                        static_cast<uint32_t>(rect.offset.y) + y, layer, sample),
                element, info.texelBytes, rect.extent.width);
  }
}

void resolveSurface(const HostSurface &from, const HostSurface &to, const ResolveRule &rule,
                    const VkRect2D &area, llvm::ArrayRef<uint32_t> layers) {
  const VkRect2D rect = inside(inside(area, from.surface), to.surface);
  if (from.surface.format != to.surface.format || to.surface.samples != 1)
    return;
  for (uint32_t layer : layers) {
    if (layer >= from.surface.slices || layer >= to.surface.slices)
      continue;
    for (uint32_t row = 0; row < rect.extent.height; ++row) {
      const uint32_t x = static_cast<uint32_t>(rect.offset.x);
      const uint32_t y = static_cast<uint32_t>(rect.offset.y) + row;
      resolveRow(
          from.surface.format, rule,
          {texelAt(from, x, y, layer, 0), from.surface.layout.sliceBytes(), from.surface.samples},
          rect.extent.width, texelAt(to, x, y, layer, 0));
    }
  }
}

} // namespace icd
