//===- ImageView.cpp - VkImageView and VkBufferView -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// From views to descriptors. A view of one layer that its type cannot name (a 2D view of an array,
/// or of a plane of a 3D image) has that layer's address; the layout of a layer does not depend on
/// how many there are.
#include "icd_glue/image/ImageView.h"
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/image/Sampler.h"
#include "icd_glue/memory/Buffer.h"

namespace icd {

using pal::formats::formatInfo;
using pal::srd::ImageType;

namespace {

/// [base, base + count) cut off at \p end; at least one. VK_REMAINING_*: all that follow.
void cutOff(uint32_t &base, uint32_t &count, uint32_t end) {
  base = std::min(base, end - 1);
  count = std::clamp(count, 1u, end - base);
}

/// The range with its counts, and nothing that the image does not have.
VkImageSubresourceRange resolveRange(const VkImageViewCreateInfo &info) {
  const ImageShape &shape = fromHandle<Image>(info.image)->shape;
  VkImageSubresourceRange range = info.subresourceRange;
  cutOff(range.baseMipLevel, range.levelCount, shape.levels);
  // Layers of a 2D view of a 3D image are its planes at that level.
  const bool planes = shape.type == VK_IMAGE_TYPE_3D && info.viewType != VK_IMAGE_VIEW_TYPE_3D;
  cutOff(range.baseArrayLayer, range.layerCount,
         planes ? shape.planes[0].slicesOf(range.baseMipLevel) : shape.layers);
  return range;
}

/// With the flag shaders may read a single layer as an array, too, and what an array's descriptor
/// says beside the layers is the same.
VkImageViewType describedType(const Image &image, VkImageViewType view) {
  if (!(image.flags & VK_IMAGE_CREATE_ALIAS_SINGLE_LAYER_DESCRIPTOR_BIT_KHR) ||
      image.shape.type == VK_IMAGE_TYPE_3D)
    return view;
  if (view == VK_IMAGE_VIEW_TYPE_1D)
    return VK_IMAGE_VIEW_TYPE_1D_ARRAY;
  return view == VK_IMAGE_VIEW_TYPE_2D ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : view;
}

ImageType typeOf(VkImageViewType view, bool multisampled) {
  switch (view) {
  case VK_IMAGE_VIEW_TYPE_1D:
    return ImageType::Dim1D;
  case VK_IMAGE_VIEW_TYPE_3D:
    return ImageType::Dim3D;
  case VK_IMAGE_VIEW_TYPE_CUBE:
  case VK_IMAGE_VIEW_TYPE_CUBE_ARRAY:
    return ImageType::Cube;
  case VK_IMAGE_VIEW_TYPE_1D_ARRAY:
    return ImageType::Dim1DArray;
  case VK_IMAGE_VIEW_TYPE_2D_ARRAY:
    return multisampled ? ImageType::Dim2DMsArray : ImageType::Dim2DArray;
  default:
    return multisampled ? ImageType::Dim2DMs : ImageType::Dim2D;
  }
}

bool isLayered(ImageType type) {
  return type == ImageType::Cube || type == ImageType::Dim1DArray ||
         type == ImageType::Dim2DArray || type == ImageType::Dim2DMsArray;
}

/// What loads, gathers and samplers may see of an image (VK_EXT_image_view_min_lod); storage images
/// and attachments do not heed it.
float minLodOf(const VkImageViewCreateInfo &info) {
  const auto *minimum = findInChain<VkImageViewMinLodCreateInfoEXT>(
      info.pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT);
  return minimum && minimum->minLod > 0 ? minimum->minLod : 0; // NaN becomes 0
}

/// What only some descriptors of a view have.
struct ViewExtras {
  float minLod = 0;
  const VkImageViewSlicedCreateInfoEXT *sliced = nullptr; ///< null: all of a 3D image
};

/// Words of one plane of the image, read as `format`.
std::array<uint32_t, 8> wordsOf(const pal::abi::GpuTarget &target, const ImagePlane &plane,
                                pal::device::GpuAddress address, const PlaneFormat &format,
                                VkImageViewType viewType, const VkImageSubresourceRange &range,
                                const VkComponentMapping &mapping, const ViewExtras &extras = {}) {
  pal::srd::ImageSrdInfo srd;
  srd.address = address;
  srd.type = typeOf(viewType, plane.samples > 1);
  srd.format = format.format;
  srd.swizzle = composeSwizzle(format.swizzle, mapping);
  srd.formatSwizzle = format.swizzle;
  srd.width = plane.extent.width;
  srd.height = plane.extent.height;
  srd.depth = plane.extent.depth;
  srd.imageLevels = plane.levels;
  srd.baseLevel = range.baseMipLevel;
  srd.levels = range.levelCount;
  srd.samples = plane.samples;
  srd.minLod = extras.minLod;
  if (!formatInfo(format.format).isBlock() && formatInfo(plane.format.format).isBlock()) {
    // Blocks seen as texels: one level and one layer, which is an image of its own. Its rows are as
    // long as the level's, because both follow from the bytes of a row.
    const pal::srd::LinearLevel &level = plane.layout.level(range.baseMipLevel);
    srd.address += level.offset;
    srd.width = level.rowLength;
    srd.height = level.rows;
    srd.depth = 1;
    srd.imageLevels = srd.levels = 1;
    srd.baseLevel = 0;
    srd.minLod = 0; // counts levels of the whole image, and is none beyond the view's
  }
  if (isLayered(srd.type)) {
    srd.baseLayer = range.baseArrayLayer;
    srd.layers = range.layerCount;
  } else if (srd.type != ImageType::Dim3D) {
    srd.address += plane.layout.sliceBytes() * plane.samples * range.baseArrayLayer;
  } else if (extras.sliced) {
    srd.slicedView3d = true;
    srd.baseLayer = extras.sliced->sliceOffset;
    srd.layers = extras.sliced->sliceCount; // VK_REMAINING_3D_SLICES_EXT: all that follow
    cutOff(srd.baseLayer, srd.layers, plane.slicesOf(range.baseMipLevel));
  }
  std::array<uint32_t, 8> words;
  pal::srd::buildImageSrd(target, srd, words.data());
  return words;
}

} // namespace

ImageView::ImageView(const pal::abi::GpuTarget &target, const VkImageViewCreateInfo &info)
    : Object(type), image(*fromHandle<Image>(info.image)), viewType(info.viewType),
      format(info.format), range(resolveRange(info)) {
  const ImageShape &shape = image.shape;
  const ImageFormat *viewFormat = findImageFormat(format);
  if (!viewFormat)
    return;
  const ViewExtras sampled = {minLodOf(info), nullptr};
  if (viewFormat->isYcbcr && range.aspectMask == VK_IMAGE_ASPECT_COLOR_BIT) {
    // The conversion's swizzle is part of the code, so that of the view is the identity.
    planeCount = viewFormat->planeCount;
    for (unsigned i = 0; i < planeCount; ++i)
      planeWords[i] = wordsOf(target, shape.planes[i], image.address(i), viewFormat->planes[i],
                              viewType, range, VkComponentMapping(), sampled);
    return;
  }
  // A view that is sampled shows one aspect; of depth and stencil together the depth counts.
  unsigned plane = 0;
  for (unsigned i = shape.format->planeCount; i-- > 0;)
    if (range.aspectMask & shape.planes[i].format.aspect)
      plane = i;
  const PlaneFormat &shown = viewFormat->planeCount == shape.format->planeCount
                                 ? viewFormat->planes[plane]
                                 : viewFormat->planes[0];
  planeCount = 1;
  const VkImageViewType described = describedType(image, viewType);
  planeWords[0] = wordsOf(target, shape.planes[plane], image.address(plane), shown, described,
                          range, info.components, sampled);
  const auto *sliced = findInChain<VkImageViewSlicedCreateInfoEXT>(
      info.pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_SLICED_CREATE_INFO_EXT);
  stored = sliced || sampled.minLod > 0
               ? wordsOf(target, shape.planes[plane], image.address(plane), shown, described, range,
                         info.components, {0, sliced})
               : planeWords[0];
  if (viewType == VK_IMAGE_VIEW_TYPE_2D || viewType == VK_IMAGE_VIEW_TYPE_2D_ARRAY)
    arrayWords = wordsOf(target, shape.planes[plane], image.address(plane), shown,
                         VK_IMAGE_VIEW_TYPE_2D_ARRAY, range, info.components);
}

BufferView::BufferView(const pal::abi::GpuTarget &target, const VkBufferViewCreateInfo &info)
    : Object(type) {
  const auto *buffer = fromHandle<Buffer>(info.buffer);
  words = texelBufferWords(target, info.format, buffer->address() + info.offset,
                           buffer->rangeFrom(info.offset, info.range));
}

std::array<uint32_t, 4> texelBufferWords(const pal::abi::GpuTarget &target, VkFormat vkFormat,
                                         uint64_t address, uint64_t size) {
  std::array<uint32_t, 4> words = {};
  const ImageFormat *format = findImageFormat(vkFormat);
  if (!format || !bufferFeatures(target, vkFormat))
    return words;
  pal::srd::BufferSrdInfo srd;
  srd.address = address;
  srd.sizeBytes = size;
  srd.format = format->planes[0].format;
  srd.stride = formatInfo(srd.format).texelBytes;
  // A raw buffer has a stride of 1; a record of one byte is one, too, and both rules agree on it.
  srd.swizzle = format->planes[0].swizzle;
  srd.outOfBounds = pal::srd::OutOfBounds::IndexOnly;
  pal::srd::buildBufferSrd(target, srd, words.data());
  return words;
}

VKAPI_ATTR VkResult VKAPI_CALL CreateImageView(VkDevice device,
                                               const VkImageViewCreateInfo *pCreateInfo,
                                               const VkAllocationCallbacks *pAllocator,
                                               VkImageView *pView) {
  auto *owner = fromHandle<Device>(device);
  ImageView *view = owner->create<ImageView>(pAllocator, owner->target(), *pCreateInfo);
  if (!view)
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  *pView = toHandle(view);
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL DestroyImageView(VkDevice device, VkImageView imageView,
                                            const VkAllocationCallbacks *pAllocator) {
  fromHandle<Device>(device)->destroy(fromHandle<ImageView>(imageView), pAllocator);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateBufferView(VkDevice device,
                                                const VkBufferViewCreateInfo *pCreateInfo,
                                                const VkAllocationCallbacks *pAllocator,
                                                VkBufferView *pView) {
  auto *owner = fromHandle<Device>(device);
  BufferView *view = owner->create<BufferView>(pAllocator, owner->target(), *pCreateInfo);
  if (!view)
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  *pView = toHandle(view);
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL DestroyBufferView(VkDevice device, VkBufferView bufferView,
                                             const VkAllocationCallbacks *pAllocator) {
  fromHandle<Device>(device)->destroy(fromHandle<BufferView>(bufferView), pAllocator);
}

} // namespace icd
