//===- ExecutionSets.cpp - descriptors of a pipeline ----------------------===//
// SPDX-License-Identifier: MIT
#include "Execution.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

namespace execute {
namespace {

constexpr VkDeviceSize bufferBytes = 4096, dynamicOffset = 256;
constexpr uint32_t imageSide = 8;

bool isDynamic(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC ||
         type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
}

bool isWritable(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
         type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC ||
         type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
}

} // namespace

const Words &Execution::wordsFor(const std::string &place) const {
  static const Words none;
  auto at = scene.resources.find(place);
  return at == scene.resources.end() ? none : at->second;
}

Buffer Execution::filled(VkDeviceSize size, const Words &words) {
  Buffer buffer = gpu.buffer(size);
  if (words.size() * 4 > size)
    stop(file.name + ": more words than the buffer has");
  if (!words.empty())
    std::memcpy(buffer.data, words.data(), words.size() * 4);
  return buffer;
}

Image Execution::sampledImage(VkFormat format, const Words &words) {
  const Image image =
      gpu.image(format, imageSide, VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
  const Buffer texels = filled(bytesOf(image), words);
  gpu.run([&](VkCommandBuffer commands) {
    gpu.barrier(commands, &image);
    gpu.copy(commands, image, texels, /*toImage=*/true);
  });
  return image;
}

void Execution::createSets() {
  for (const auto &[number, desc] : llvm::enumerate(capture.layout->sets)) {
    sets.push_back(createSet(desc));
    write(sets.back(), number, desc);
  }
}

VkDescriptorSet Execution::createSet(const replay::SetLayoutDesc &desc) {
  // Conversions of immutable samplers are made with it.
  const VkDescriptorSetLayout made = require(replayer.createSetLayout(desc));
  std::vector<VkDescriptorPoolSize> sizes = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};
  auto blocks = vkStruct<VkDescriptorPoolInlineUniformBlockCreateInfo>(
      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO);
  for (const VkDescriptorSetLayoutBinding &binding : desc.bindings) {
    sizes.push_back({binding.descriptorType, 4 * binding.descriptorCount}); // planes
    blocks.maxInlineUniformBlockBindings +=
        binding.descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
  }
  auto poolInfo = vkStruct<VkDescriptorPoolCreateInfo>(
      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
      blocks.maxInlineUniformBlockBindings ? &blocks : nullptr);
  if (desc.flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT)
    poolInfo.flags = VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT;
  poolInfo.maxSets = 1;
  poolInfo.poolSizeCount = static_cast<uint32_t>(sizes.size());
  poolInfo.pPoolSizes = sizes.data();
  VkDescriptorPool pool = VK_NULL_HANDLE;
  require(gpu.CreateDescriptorPool(gpu.device->handle, &poolInfo, nullptr, &pool),
          "vkCreateDescriptorPool");
  gpu.keep([&gpu = gpu, pool] { gpu.DestroyDescriptorPool(gpu.device->handle, pool, nullptr); });
  auto allocate =
      vkStruct<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
  allocate.descriptorPool = pool;
  allocate.descriptorSetCount = 1;
  allocate.pSetLayouts = &made;
  VkDescriptorSet set = VK_NULL_HANDLE;
  require(gpu.AllocateDescriptorSets(gpu.device->handle, &allocate, &set),
          "vkAllocateDescriptorSets");
  return set;
}

void Execution::write(VkDescriptorSet set, size_t number, const replay::SetLayoutDesc &desc) {
  std::vector<size_t> order(desc.bindings.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  // That of dynamic offsets.
  llvm::sort(order, [&](size_t a, size_t b) {
    return desc.bindings[a].binding < desc.bindings[b].binding;
  });
  for (size_t i : order) {
    const VkDescriptorSetLayoutBinding &binding = desc.bindings[i];
    const bool isBlock = binding.descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
    for (uint32_t element = 0; element < (isBlock ? 1 : binding.descriptorCount); ++element) {
      auto write = vkStruct<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
      write.dstSet = set;
      write.dstBinding = binding.binding;
      write.dstArrayElement = element;
      write.descriptorCount = 1;
      write.descriptorType = binding.descriptorType;
      writeElement(write, binding, desc.samplers[i].empty() ? nullptr : &desc.samplers[i][element],
                   placeOf(number, binding.binding, element));
    }
  }
}

void Execution::writeElement(VkWriteDescriptorSet &write,
                             const VkDescriptorSetLayoutBinding &binding,
                             const replay::SamplerDesc *sampler, const std::string &place) {
  const Words &words = wordsFor(place);
  VkDescriptorBufferInfo buffer = {};
  VkDescriptorImageInfo image = {VK_NULL_HANDLE, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL};
  VkBufferView texels = VK_NULL_HANDLE;
  auto block = vkStruct<VkWriteDescriptorSetInlineUniformBlock>(
      VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK);
  write.pBufferInfo = &buffer;
  write.pImageInfo = &image;
  write.pTexelBufferView = &texels;
  switch (binding.descriptorType) {
  case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK:
    if (words.size() * 4 != binding.descriptorCount)
      stop(file.name + ": as many words as the block has are needed");
    block.dataSize = binding.descriptorCount;
    block.pData = words.data();
    write.pNext = &block;
    write.descriptorCount = binding.descriptorCount;
    break;
  case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER: {
    const bool converts = sampler && sampler->conversion;
    image.imageView = gpu.view(
        sampledImage(converts ? sampler->conversion->format : VK_FORMAT_R8G8B8A8_UNORM, words),
        converts ? sampler->conversionPlace : nullptr);
    break;
  }
  case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE: {
    const Image made = gpu.image(VK_FORMAT_R8G8B8A8_UNORM, imageSide,
                                 VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    gpu.run([&](VkCommandBuffer commands) { gpu.barrier(commands, &made); });
    image.imageView = gpu.view(made);
    images[place] = made;
    copies[place] = gpu.buffer(bytesOf(made));
    break;
  }
  case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
    image.imageView = targets[0].view;
    break;
  default: {
    const Buffer made = filled(bufferBytes, words);
    buffer = {made.handle, 0, VK_WHOLE_SIZE};
    if (isDynamic(binding.descriptorType)) {
      buffer.range = bufferBytes / 2;
      dynamicOffsets.push_back(dynamicOffset);
    }
    if (binding.descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER)
      texels = gpu.view(made, VK_FORMAT_R32_SFLOAT);
    else if (binding.descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER)
      texels = gpu.view(made, VK_FORMAT_R32_UINT);
    if (isWritable(binding.descriptorType))
      buffers[place] = made;
  }
  }
  gpu.UpdateDescriptorSets(gpu.device->handle, 1, &write, 0, nullptr);
}

} // namespace execute
