//===- SetWriter.cpp - putting descriptors into a set's memory ------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/descriptor/SetWriter.h"
#include "icd_glue/Object.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cstring>

namespace icd {
namespace {

/// Walks over the elements of a set, from binding to binding.
class Cursor {
public:
  Cursor(const SetMemory &memory, uint32_t binding, uint32_t element)
      : memory(memory), current(memory.layout->find(binding)), element(element) {
    skipFullBindings();
  }

  /// Null behind the last element of the set.
  const SetBinding *binding() const { return current; }
  void next() {
    ++element;
    skipFullBindings();
  }

  /// The element's words; empty for dynamic buffers and when the set's memory is smaller than its
  /// layout says.
  llvm::MutableArrayRef<uint32_t> words() const {
    uint64_t offset = current->offsetDwords + uint64_t(element) * current->strideDwords;
    if (offset + current->strideDwords > memory.words.size())
      return {};
    return memory.words.slice(offset, current->strideDwords);
  }
  /// The element's place among the dynamic buffers, or null.
  BufferWords *dynamicBuffer() const {
    uint64_t index = uint64_t(current->firstDynamic) + element;
    return current->isDynamic() && index < memory.dynamicBuffers.size()
               ? &memory.dynamicBuffers[index]
               : nullptr;
  }

private:
  void skipFullBindings() {
    const SetBinding *end = memory.layout->bindings.data() + memory.layout->bindings.size();
    while (current && element >= memory.countOf(*current)) {
      element -= memory.countOf(*current);
      if (++current == end)
        current = nullptr;
    }
  }

  const SetMemory &memory;
  const SetBinding *current;
  uint32_t element;
};

template <size_t N>
void put(llvm::MutableArrayRef<uint32_t> to, uint32_t offset, const std::array<uint32_t, N> &from) {
  if (offset + N <= to.size())
    llvm::copy(from, to.begin() + offset);
}

/// A combined descriptor is an image, or the planes of one, and then a sampler, except where the
/// sampler is part of the code.
void writeCombined(const Cursor &at, const VkDescriptorImageInfo &info,
                   const DescriptorWords &words) {
  const SetBinding &binding = *at.binding();
  if (binding.hasYcbcrSampler()) {
    for (uint32_t plane = 0; plane * imageDwords < binding.strideDwords; ++plane)
      put(at.words(), plane * imageDwords,
          words.image(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, info.imageView, plane));
    return;
  }
  put(at.words(), 0, words.image(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, info.imageView, 0));
  if (binding.immutableSamplers.empty())
    put(at.words(), imageDwords, words.sampler(info.sampler));
}

void writeElement(const Cursor &at, VkDescriptorType type, const void *data,
                  const DescriptorWords &words) {
  const auto &image = *static_cast<const VkDescriptorImageInfo *>(data);
  switch (type) {
  case VK_DESCRIPTOR_TYPE_SAMPLER:
    if (at.binding()->immutableSamplers.empty())
      put(at.words(), 0, words.sampler(image.sampler));
    break;
  case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    writeCombined(at, image, words);
    break;
  case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
  case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
  case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
    put(at.words(), 0, words.image(type, image.imageView, 0));
    break;
  case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
    put(at.words(), 0, words.texelBuffer(type, *static_cast<const VkBufferView *>(data)));
    break;
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    put(at.words(), 0, words.buffer(type, *static_cast<const VkDescriptorBufferInfo *>(data)));
    break;
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
    if (BufferWords *dynamic = at.dynamicBuffer())
      *dynamic = words.buffer(type, *static_cast<const VkDescriptorBufferInfo *>(data));
    break;
  case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
    put(at.words(), 0, words.structure(*static_cast<const VkAccelerationStructureKHR *>(data)));
    break;
  default:
    break;
  }
}

/// The bytes of an inline uniform block from \p element on, as far as they are in the set.
llvm::MutableArrayRef<uint8_t> inlineBytes(const SetMemory &memory, const SetBinding &binding,
                                           uint32_t element) {
  uint64_t begin = uint64_t(binding.offsetDwords) * 4 + element;
  uint64_t end = uint64_t(binding.offsetDwords) * 4 + memory.countOf(binding);
  end = std::min<uint64_t>(end, memory.words.size() * 4);
  if (begin >= end)
    return {};
  return {reinterpret_cast<uint8_t *>(memory.words.data()) + begin, size_t(end - begin)};
}

void writeInline(const SetMemory &memory, const DescriptorSource &source) {
  const SetBinding *binding = memory.layout->find(source.binding);
  if (!binding || !binding->isInline() || !source.data)
    return;
  llvm::MutableArrayRef<uint8_t> to = inlineBytes(memory, *binding, source.element);
  std::memcpy(to.data(), source.data, std::min<size_t>(to.size(), source.count));
}

void copyInline(const SetMemory &from, const SetMemory &to, const SetBinding &source,
                const VkCopyDescriptorSet &copy) {
  const SetBinding *target = to.layout->find(copy.dstBinding);
  if (!target || !target->isInline())
    return;
  llvm::ArrayRef<uint8_t> bytes = inlineBytes(from, source, copy.srcArrayElement);
  llvm::MutableArrayRef<uint8_t> place = inlineBytes(to, *target, copy.dstArrayElement);
  size_t size = std::min({bytes.size(), place.size(), size_t(copy.descriptorCount)});
  std::memmove(place.data(), bytes.data(), size);
}

} // namespace

DescriptorSource sourceOf(const VkWriteDescriptorSet &write) {
  DescriptorSource source{write.descriptorType, write.dstBinding, write.dstArrayElement,
                          write.descriptorCount};
  switch (write.descriptorType) {
  case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK: {
    auto *block = findInChain<VkWriteDescriptorSetInlineUniformBlock>(
        write.pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK);
    source.data = block ? block->pData : nullptr;
    source.count = block ? std::min(block->dataSize, write.descriptorCount) : 0;
    break;
  }
  case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
    source.data = write.pTexelBufferView;
    source.stride = sizeof(VkBufferView);
    break;
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
    source.data = write.pBufferInfo;
    source.stride = sizeof(VkDescriptorBufferInfo);
    break;
  case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR: {
    auto *structures = findInChain<VkWriteDescriptorSetAccelerationStructureKHR>(
        write.pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR);
    source.data = structures ? structures->pAccelerationStructures : nullptr;
    source.count =
        structures ? std::min(structures->accelerationStructureCount, write.descriptorCount) : 0;
    source.stride = sizeof(VkAccelerationStructureKHR);
    break;
  }
  default:
    source.data = write.pImageInfo;
    source.stride = sizeof(VkDescriptorImageInfo);
    break;
  }
  return source;
}

void writeDescriptors(const SetMemory &memory, const DescriptorSource &source,
                      const DescriptorWords &words) {
  if (source.type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK)
    return writeInline(memory, source);
  if (!source.data)
    return;
  const auto *data = static_cast<const uint8_t *>(source.data);
  Cursor at(memory, source.binding, source.element);
  for (uint32_t i = 0; i < source.count && at.binding(); ++i, at.next(), data += source.stride)
    writeElement(at, source.type, data, words);
}

void copyDescriptors(const SetMemory &from, const SetMemory &to, const VkCopyDescriptorSet &copy) {
  const SetBinding *source = from.layout->find(copy.srcBinding);
  if (source && source->isInline())
    return copyInline(from, to, *source, copy);
  Cursor in(from, copy.srcBinding, copy.srcArrayElement);
  Cursor out(to, copy.dstBinding, copy.dstArrayElement);
  for (uint32_t i = 0; i < copy.descriptorCount && in.binding() && out.binding();
       ++i, in.next(), out.next()) {
    if (BufferWords *target = out.dynamicBuffer()) {
      if (const BufferWords *words = in.dynamicBuffer())
        *target = *words;
      continue;
    }
    // A mutable descriptor may be wider than what it is copied from or to.
    llvm::ArrayRef<uint32_t> words = in.words();
    llvm::MutableArrayRef<uint32_t> target = out.words();
    bool fixedSampler =
        !out.binding()->immutableSamplers.empty() && !out.binding()->hasYcbcrSampler();
    size_t count = std::min(words.size(), target.size());
    if (fixedSampler) // the last four dwords are not the application's
      count -= std::min<size_t>(count, samplerDwords);
    std::copy_n(words.begin(), count, target.begin());
  }
}

void initializeSet(const SetMemory &memory) {
  llvm::fill(memory.words, 0);
  llvm::fill(memory.dynamicBuffers, BufferWords());
  for (const SetBinding &binding : memory.layout->bindings) {
    if (binding.immutableSamplers.empty() || binding.hasYcbcrSampler())
      continue;
    Cursor at(memory, binding.number, 0);
    for (const ImmutableSampler &sampler : binding.immutableSamplers) {
      if (at.binding() != &binding)
        break;
      put(at.words(), binding.strideDwords - samplerDwords, sampler.words);
      at.next();
    }
  }
}

} // namespace icd
