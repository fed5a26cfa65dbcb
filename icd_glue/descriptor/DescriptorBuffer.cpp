//===- DescriptorBuffer.cpp - descriptors in the application's memory -----===//
// SPDX-License-Identifier: MIT
/// \file
/// VK_EXT_descriptor_buffer: the application has the layout of a set, and writes descriptors by
/// itself. What it sees is what sets of pools look like (SetLayout.h); command/BindCommands.cpp
/// binds the memory.
#include "icd_glue/context/Device.h"
#include "icd_glue/descriptor/DescriptorSet.h"
#include "icd_glue/descriptor/DeviceDescriptorWords.h"
#include "icd_glue/image/ImageView.h"
#include "icd_glue/image/Sampler.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <cstring>

namespace icd {
namespace {

using Words = llvm::SmallVector<uint32_t, 3 * combinedDwords>; // as many planes

template <size_t N> void append(Words &words, const std::array<uint32_t, N> &more) {
  words.append(more.begin(), more.end());
}

/// Of an image descriptor's info, which may be null: a null descriptor.
void appendImage(Words &words, const DeviceDescriptorWords &device, VkDescriptorType type,
                 const VkDescriptorImageInfo *info) {
  append(words, info ? device.image(type, info->imageView, 0) : ImageWords());
}

/// An image, or the planes of one whose sampler is part of the code, and a sampler.
void appendCombined(Words &words, const DeviceDescriptorWords &device,
                    const VkDescriptorImageInfo *info) {
  constexpr VkDescriptorType type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  const ImmutableSampler sampler = immutableSamplerOf(info ? info->sampler : VK_NULL_HANDLE);
  if (!sampler.isYcbcr) {
    appendImage(words, device, type, info);
    return append(words, sampler.words);
  }
  for (uint32_t plane = 0; plane < sampler.planes; ++plane)
    append(words, device.image(type, info->imageView, plane));
  words.resize(size_t(sampler.planes) * combinedDwords);
}

/// Of a buffer descriptor's address, which may be null or 0: a null descriptor.
BufferWords bufferWords(const DeviceDescriptorWords &device,
                        const VkDescriptorAddressInfoEXT *info) {
  return info && info->address ? device.bufferAt(info->address, info->range) : BufferWords();
}
BufferWords texelWords(const DeviceDescriptorWords &device,
                       const VkDescriptorAddressInfoEXT *info) {
  return info && info->address ? device.texelBufferAt(info->address, info->range, info->format)
                               : BufferWords();
}

/// Of an address, which may be 0: a null descriptor.
StructureWords structureWords(uint64_t address) {
  return {static_cast<uint32_t>(address), static_cast<uint32_t>(address >> 32)};
}

Words wordsOf(const DeviceDescriptorWords &device, const VkDescriptorGetInfoEXT &info) {
  Words words;
  const VkDescriptorDataEXT &data = info.data;
  switch (info.type) {
  case VK_DESCRIPTOR_TYPE_SAMPLER:
    append(words, device.sampler(data.pSampler ? *data.pSampler : VK_NULL_HANDLE));
    break;
  case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    appendCombined(words, device, data.pCombinedImageSampler);
    break;
  case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
    appendImage(words, device, info.type, data.pInputAttachmentImage);
    break;
  case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    appendImage(words, device, info.type, data.pSampledImage);
    break;
  case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    appendImage(words, device, info.type, data.pStorageImage);
    break;
  case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    append(words, texelWords(device, data.pUniformTexelBuffer));
    break;
  case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
    append(words, texelWords(device, data.pStorageTexelBuffer));
    break;
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    append(words, bufferWords(device, data.pUniformBuffer));
    break;
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    append(words, bufferWords(device, data.pStorageBuffer));
    break;
  case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
    append(words, structureWords(data.accelerationStructure));
    break;
  default: // no other type is valid
    break;
  }
  return words;
}

} // namespace

VKAPI_ATTR void VKAPI_CALL GetDescriptorEXT(VkDevice device, const VkDescriptorGetInfoEXT *info,
                                            size_t size, void *descriptor) {
  const Words words = wordsOf(DeviceDescriptorWords(*fromHandle<Device>(device)), *info);
  std::memcpy(descriptor, words.data(), std::min(size, words.size() * sizeof(uint32_t)));
}

VKAPI_ATTR void VKAPI_CALL GetDescriptorSetLayoutSizeEXT(VkDevice, VkDescriptorSetLayout layout,
                                                         VkDeviceSize *size) {
  *size = uint64_t(fromHandle<DescriptorSetLayout>(layout)->layout->sizeDwords) * sizeof(uint32_t);
}

VKAPI_ATTR void VKAPI_CALL GetDescriptorSetLayoutBindingOffsetEXT(VkDevice,
                                                                  VkDescriptorSetLayout layout,
                                                                  uint32_t number,
                                                                  VkDeviceSize *offset) {
  const SetBinding *binding = fromHandle<DescriptorSetLayout>(layout)->layout->find(number);
  *offset = binding ? uint64_t(binding->offsetDwords) * sizeof(uint32_t) : 0;
}

// descriptorBufferCaptureReplay is not there: what it would replay has no bytes
// (bufferCaptureReplayDescriptorDataSize and its like are 0).
VKAPI_ATTR VkResult VKAPI_CALL GetBufferOpaqueCaptureDescriptorDataEXT(
    VkDevice, const VkBufferCaptureDescriptorDataInfoEXT *, void *) {
  return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL GetImageOpaqueCaptureDescriptorDataEXT(
    VkDevice, const VkImageCaptureDescriptorDataInfoEXT *, void *) {
  return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL GetImageViewOpaqueCaptureDescriptorDataEXT(
    VkDevice, const VkImageViewCaptureDescriptorDataInfoEXT *, void *) {
  return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL GetSamplerOpaqueCaptureDescriptorDataEXT(
    VkDevice, const VkSamplerCaptureDescriptorDataInfoEXT *, void *) {
  return VK_SUCCESS;
}

} // namespace icd
