//===- DeviceDescriptorWords.cpp - hardware words of a device's objects ------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/descriptor/DeviceDescriptorWords.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/image/ImageView.h"
#include "icd_glue/image/Sampler.h"
#include "icd_glue/memory/AccelerationStructure.h"
#include "pal_shim/srd/Srd.h"
#include "llvm/Support/MathExtras.h"

namespace icd {

BufferWords DeviceDescriptorWords::buffer(VkDescriptorType,
                                          const VkDescriptorBufferInfo &info) const {
  auto *buffer = fromHandle<Buffer>(info.buffer);
  if (!buffer || info.offset > buffer->size)
    return {};
  return bufferAt(buffer->address() + info.offset,
                  std::min(buffer->rangeFrom(info.offset, info.range), buffer->size - info.offset));
}

BufferWords DeviceDescriptorWords::bufferAt(uint64_t address, uint64_t size) const {
  BufferWords words = {};
  pal::srd::BufferSrdInfo srd;
  srd.address = address;
  srd.sizeBytes = size;
  // Whole dwords: scalar loads of bytes and halves read the dword around them, and the robust...
  // SizeAlignment properties are 4. The length of a runtime array needs the exact size, so what was
  // added is noted where the compiler looks for it (lgc/lowering/resources/BufferAccess.h): the
  // index stride, which hardware ignores in a buffer that is not swizzled.
  uint64_t added = llvm::alignTo(srd.sizeBytes, 4) - srd.sizeBytes;
  srd.sizeBytes += added;
  pal::srd::buildBufferSrd(device.target(), srd, words.data());
  words[3] |= static_cast<uint32_t>(added) << 21;
  return words;
}

BufferWords DeviceDescriptorWords::texelBuffer(VkDescriptorType, VkBufferView view) const {
  auto *object = fromHandle<BufferView>(view);
  return object ? object->words : BufferWords();
}

BufferWords DeviceDescriptorWords::texelBufferAt(uint64_t address, uint64_t size,
                                                 VkFormat format) const {
  return texelBufferWords(device.target(), format, address, size);
}

ImageWords DeviceDescriptorWords::image(VkDescriptorType type, VkImageView view,
                                        uint32_t plane) const {
  auto *object = fromHandle<ImageView>(view);
  if (!object)
    return {};
  if (type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT)
    return object->inputWords();
  return type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ? object->storageWords() : object->words(plane);
}

SamplerWords DeviceDescriptorWords::sampler(VkSampler sampler) const {
  auto *object = fromHandle<Sampler>(sampler);
  return object ? object->words : SamplerWords();
}

StructureWords DeviceDescriptorWords::structure(VkAccelerationStructureKHR structure) const {
  const uint64_t address = addressOf(structure);
  return {static_cast<uint32_t>(address), static_cast<uint32_t>(address >> 32)};
}

ImmutableSampler immutableSamplerOf(VkSampler handle) {
  auto *sampler = fromHandle<Sampler>(handle);
  if (!sampler)
    return {};
  return {sampler->words, sampler->isYcbcr, sampler->conversion, sampler->planes,
          sampler->borderColorIndex.has_value()};
}

} // namespace icd
