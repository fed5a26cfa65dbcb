//===- CopyEngine.cpp - copies, resolves and clears of images -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Transfers that move whole elements, or that only convert one by one. Blits: Blit.cpp.
#include "icd_glue/image/CopyEngine.h"
#include "icd_glue/image/TexelRows.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>

namespace icd {

using pal::formats::FormatInfo;
using pal::formats::formatInfo;
using pal::formats::Texel;

namespace {

const FormatInfo &infoOf(const ImagePlane &plane) { return formatInfo(plane.format.format); }

uint32_t divideUp(uint32_t value, uint32_t by) { return value / by + (value % by != 0); }

/// Whether `count` from `first` lie in 0 .. size - 1.
bool inside(uint32_t first, uint32_t count, uint32_t size) {
  return first <= size && count <= size - first;
}

bool insideLevel(const ImagePlane &plane, const ElementBox &box) {
  if (box.level >= plane.levels)
    return false;
  const pal::srd::LinearLevel &level = plane.layout.level(box.level);
  return inside(box.x, box.width, level.rowLength) && inside(box.y, box.height, level.rows) &&
         inside(box.slice, box.slices, plane.slicesOf(box.level));
}

uint8_t *elementAt(const HostPlane &at, const ElementBox &box, uint32_t y, uint32_t slice,
                   uint32_t sample) {
  return at.host + at.plane.layout.offset(box.level, box.x, box.y + y, box.slice + slice, sample);
}

/// Resolves the number of layers; nothing of a 3D image has layers.
uint32_t layerCount(const ImagePlane &plane, const Layers &layers) {
  return layers.count == VK_REMAINING_ARRAY_LAYERS ? plane.slices - layers.baseLayer : layers.count;
}

} // namespace

bool elementBox(const ImagePlane &plane, const Layers &layers, const VkOffset3D &offset,
                const VkExtent3D &extent, ElementBox &box) {
  const FormatInfo &info = infoOf(plane);
  if (offset.x < 0 || offset.y < 0 || offset.z < 0 || layers.level >= plane.levels)
    return false;
  box = {layers.level,
         static_cast<uint32_t>(offset.x) / info.blockWidth,
         static_cast<uint32_t>(offset.y) / info.blockHeight,
         0,
         divideUp(extent.width, info.blockWidth),
         divideUp(extent.height, info.blockHeight),
         0};
  if (plane.is3d) {
    box.slice = static_cast<uint32_t>(offset.z);
    box.slices = extent.depth;
  } else {
    box.slice = layers.baseLayer;
    box.slices = layerCount(plane, layers);
  }
  return insideLevel(plane, box);
}

BufferShape bufferShape(const ImagePlane &plane, const ElementBox &box, uint32_t rowLength,
                        uint32_t imageHeight) {
  const FormatInfo &info = infoOf(plane);
  const uint64_t columns = rowLength ? divideUp(rowLength, info.blockWidth) : box.width;
  const uint64_t rows = imageHeight ? divideUp(imageHeight, info.blockHeight) : box.height;
  BufferShape shape;
  shape.rowPitch = columns * info.texelBytes;
  // The most there is instead of a small number of bytes where 64 bits are not enough: pitches may
  // come from memory that shaders have written.
  shape.slicePitch = llvm::SaturatingMultiply(rows, shape.rowPitch);
  shape.bytes = 0;
  if (box.width && box.height && box.slices)
    shape.bytes =
        llvm::SaturatingAdd(llvm::SaturatingMultiply(shape.slicePitch, uint64_t(box.slices - 1)),
                            llvm::SaturatingMultiply(shape.rowPitch, uint64_t(box.height - 1)),
                            uint64_t(box.width) * info.texelBytes);
  return shape;
}

void copyBufferToImage(const uint8_t *buffer, const BufferShape &shape, const HostPlane &image,
                       const ElementBox &box) {
  const size_t rowBytes = size_t(box.width) * infoOf(image.plane).texelBytes;
  for (uint32_t slice = 0; slice < box.slices; ++slice)
    for (uint32_t y = 0; y < box.height; ++y)
      std::memcpy(elementAt(image, box, y, slice, 0),
                  buffer + slice * shape.slicePitch + y * shape.rowPitch, rowBytes);
}

void copyImageToBuffer(const HostPlane &image, const ElementBox &box, uint8_t *buffer,
                       const BufferShape &shape) {
  const size_t rowBytes = size_t(box.width) * infoOf(image.plane).texelBytes;
  for (uint32_t slice = 0; slice < box.slices; ++slice)
    for (uint32_t y = 0; y < box.height; ++y)
      std::memcpy(buffer + slice * shape.slicePitch + y * shape.rowPitch,
                  elementAt(image, box, y, slice, 0), rowBytes);
}

bool copyImage(const HostPlane &source, const Layers &sourceLayers, const VkOffset3D &sourceOffset,
               const HostPlane &destination, const Layers &destinationLayers,
               const VkOffset3D &destinationOffset, const VkExtent3D &extent) {
  ElementBox from, to;
  if (!elementBox(source.plane, sourceLayers, sourceOffset, extent, from))
    return false;
  const FormatInfo &format = infoOf(destination.plane);
  if (format.texelBytes != infoOf(source.plane).texelBytes ||
      source.plane.samples != destination.plane.samples)
    return false;
  // Layers of one image may become planes of the other; the source says how many there are.
  Layers layers = destinationLayers;
  layers.count = from.slices;
  // A block of one format is a texel of the other.
  const VkExtent3D destinationExtent = {from.width * format.blockWidth,
                                        from.height * format.blockHeight, from.slices};
  if (!elementBox(destination.plane, layers, destinationOffset, destinationExtent, to))
    return false;
  const size_t rowBytes = size_t(from.width) * format.texelBytes;
  for (uint32_t slice = 0; slice < from.slices; ++slice)
    for (uint32_t sample = 0; sample < source.plane.samples; ++sample)
      for (uint32_t y = 0; y < from.height; ++y)
        std::memmove(elementAt(destination, to, y, slice, sample),
                     elementAt(source, from, y, slice, sample), rowBytes);
  return true;
}

//===--- Resolves ---------------------------------------------------------===//

bool resolveImage(const HostPlane &source, const Layers &sourceLayers,
                  const VkOffset3D &sourceOffset, const HostPlane &destination,
                  const Layers &destinationLayers, const VkOffset3D &destinationOffset,
                  const VkExtent3D &extent, const ResolveRule &rule) {
  ElementBox from, to;
  if (!elementBox(source.plane, sourceLayers, sourceOffset, extent, from) ||
      !elementBox(destination.plane, destinationLayers, destinationOffset, extent, to) ||
      from.slices != to.slices || source.plane.format.format != destination.plane.format.format ||
      infoOf(source.plane).isBlock())
    return false;
  for (uint32_t slice = 0; slice < from.slices; ++slice)
    for (uint32_t y = 0; y < from.height; ++y)
      resolveRow(source.plane.format.format, rule,
                 {elementAt(source, from, y, slice, 0), source.plane.layout.sliceBytes(),
                  source.plane.samples},
                 from.width, elementAt(destination, to, y, slice, 0));
  return true;
}

//===--- Clears -----------------------------------------------------------===//

bool clearImage(const HostPlane &image, const Texel &color, const ClearRange &range) {
  const ImagePlane &plane = image.plane;
  const FormatInfo &info = infoOf(plane);
  const uint32_t levels =
      range.levels == VK_REMAINING_MIP_LEVELS ? plane.levels - range.baseLevel : range.levels;
  if (!inside(range.baseLevel, levels, plane.levels) || info.isBlock())
    return false;
  uint8_t element[16];
  pal::formats::pack(plane.format.format, reverseSwizzle(color, plane.format.swizzle), element);
  for (uint32_t i = 0; i < levels; ++i) {
    const uint32_t index = range.baseLevel + i;
    const pal::srd::LinearLevel &level = plane.layout.level(index);
    ElementBox box = {index, 0, 0, 0, level.rowLength, level.rows, plane.slicesOf(index)};
    if (!plane.is3d) {
      box.slice = range.baseLayer;
      box.slices = layerCount(plane, {index, range.baseLayer, range.layers});
    }
    if (!insideLevel(plane, box))
      return false;
    for (uint32_t slice = 0; slice < box.slices; ++slice)
      for (uint32_t sample = 0; sample < plane.samples; ++sample)
        for (uint32_t y = 0; y < box.height; ++y)
          fillRow(elementAt(image, box, y, slice, sample), element, info.texelBytes, box.width);
  }
  return true;
}

} // namespace icd
