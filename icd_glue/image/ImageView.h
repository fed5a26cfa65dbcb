//===- ImageView.h - VkImageView and VkBufferView -------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Views hold the words that go into descriptor sets.
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/image/Image.h"
#include <array>

namespace icd {

class Buffer;
class Device;

class ImageView : public Object {
public:
  using Handle = VkImageView;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_IMAGE_VIEW;
  ImageView(const pal::abi::GpuTarget &target, const VkImageViewCreateInfo &info);

  /// The T# of a plane of the view's format (plane 0 unless multi-planar); zeros beyond the last.
  const std::array<uint32_t, 8> &words(unsigned plane) const {
    static constexpr std::array<uint32_t, 8> none = {};
    return plane < planeCount ? planeWords[plane] : none;
  }

  /// The T# for storage images: that of plane 0, or the slices that the view has of a 3D image; all
  /// levels of the view.
  const std::array<uint32_t, 8> &storageWords() const { return stored; }

  /// The T# for input attachments: an array whatever the view's type, because the compiler selects
  /// the layer of the fragment.
  const std::array<uint32_t, 8> &inputWords() const { return arrayWords; }

  const Image &image;
  const VkImageViewType viewType;
  const VkFormat format;
  const VkImageSubresourceRange range; ///< counts resolved
  unsigned planeCount = 0;

private:
  std::array<std::array<uint32_t, 8>, maxImagePlanes> planeWords = {};
  std::array<uint32_t, 8> stored = {};
  std::array<uint32_t, 8> arrayWords = {};
};

/// The V# of \p size bytes of texels; zeros for formats that buffers cannot have.
std::array<uint32_t, 4> texelBufferWords(const pal::abi::GpuTarget &target, VkFormat format,
                                         uint64_t address, uint64_t size);

class BufferView : public Object {
public:
  using Handle = VkBufferView;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_BUFFER_VIEW;
  BufferView(const pal::abi::GpuTarget &target, const VkBufferViewCreateInfo &info);

  /// The V#: typed, records are texels. Serves uniform and storage texel buffers.
  std::array<uint32_t, 4> words = {};
};

} // namespace icd
