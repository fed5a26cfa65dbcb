//===- Descriptors.cpp - layouts, pools and sets of a job -----------------===//
// SPDX-License-Identifier: MIT
#include "Resources.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>

using llvm::Error;
using llvm::Expected;

namespace exec {

bool isDynamicType(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
         type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

bool isBufferType(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER || type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
         isDynamicType(type);
}

bool isTexelType(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER ||
         type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
}

namespace {

bool hasSampler(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_SAMPLER || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

} // namespace

Error JobObjects::createLayouts() {
  setBindings.resize(job.setCount);
  for (const LayoutBinding &binding : job.layoutBindings) {
    if (binding.set >= setBindings.size())
      setBindings.resize(binding.set + 1);
    setBindings[binding.set].push_back({binding.binding, binding.type, binding.count, {}});
  }
  for (const Binding &binding : job.bindings) {
    if (binding.set >= setBindings.size())
      setBindings.resize(binding.set + 1);
    std::vector<SetBinding> &list = setBindings[binding.set];
    auto found =
        llvm::find_if(list, [&](const SetBinding &b) { return b.binding == binding.binding; });
    if (found == list.end())
      found = list.insert(list.end(), SetBinding{binding.binding, binding.type, 0, {}});
    if (found->type != binding.type)
      return failure("bindings of one array have different types");
    uint32_t count = binding.type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK
                         ? static_cast<uint32_t>(binding.inlineData.size())
                         : binding.element + 1;
    found->count = std::max(found->count, count);
    if (binding.immutableSampler) {
      found->immutable.resize(found->count, samplers[binding.sampler]);
      found->immutable[binding.element] = samplers[binding.sampler];
    }
  }
  for (uint32_t set = 0; set < setBindings.size(); ++set)
    KILN_TRY(createSetLayout(set));
  VkPushConstantRange push = {shaderStages(), 0, static_cast<uint32_t>(job.push.size())};
  VkPipelineLayoutCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  info.setLayoutCount = setLayouts.size();
  info.pSetLayouts = setLayouts.data();
  info.pushConstantRangeCount = job.push.empty() ? 0 : 1;
  info.pPushConstantRanges = &push;
  return check(api.CreatePipelineLayout(device.handle(), &info, nullptr, &layout),
               "vkCreatePipelineLayout");
}

Error JobObjects::createSetLayout(uint32_t set) {
  std::vector<VkDescriptorSetLayoutBinding> list;
  std::vector<VkDescriptorBindingFlags> flags;
  llvm::sort(setBindings[set],
             [](const SetBinding &a, const SetBinding &b) { return a.binding < b.binding; });
  for (const SetBinding &binding : setBindings[set]) {
    const VkShaderStageFlags stages = binding.type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT
                                          ? VK_SHADER_STAGE_FRAGMENT_BIT
                                          : shaderStages();
    list.push_back({binding.binding, binding.type, binding.count, stages,
                    binding.immutable.empty() ? nullptr : binding.immutable.data()});
    // Arrays may have holes: a test need not fill what its shader does not touch.
    flags.push_back(device.hasFeature("descriptorBindingPartiallyBound") && binding.count > 1 &&
                            binding.type != VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK
                        ? VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT
                        : 0);
  }
  VkDescriptorSetLayoutBindingFlagsCreateInfo flagsInfo = {};
  flagsInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO;
  flagsInfo.bindingCount = flags.size();
  flagsInfo.pBindingFlags = flags.data();
  VkDescriptorSetLayoutCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  info.pNext = &flagsInfo;
  info.bindingCount = list.size();
  info.pBindings = list.data();
  VkDescriptorSetLayout setLayout = VK_NULL_HANDLE;
  if (Error error =
          check(api.CreateDescriptorSetLayout(device.handle(), &info, nullptr, &setLayout),
                "vkCreateDescriptorSetLayout"))
    return error;
  setLayouts.push_back(setLayout);
  return Error::success();
}

Error JobObjects::createSets() {
  if (setLayouts.empty())
    return Error::success();
  std::map<VkDescriptorType, uint32_t> counts;
  uint32_t inlineBlocks = 0;
  for (const std::vector<SetBinding> &set : setBindings)
    for (const SetBinding &binding : set) {
      counts[binding.type] += binding.count;
      inlineBlocks += binding.type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
    }
  if (counts.empty())
    counts[VK_DESCRIPTOR_TYPE_STORAGE_BUFFER] = 1;
  std::vector<VkDescriptorPoolSize> sizes;
  for (auto [type, count] : counts)
    sizes.push_back({type, count});
  VkDescriptorPoolInlineUniformBlockCreateInfo inlineInfo = {};
  inlineInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO;
  inlineInfo.maxInlineUniformBlockBindings = inlineBlocks;
  VkDescriptorPoolCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  info.pNext = inlineBlocks ? &inlineInfo : nullptr;
  info.maxSets = setLayouts.size();
  info.poolSizeCount = sizes.size();
  info.pPoolSizes = sizes.data();
  KILN_TRY(check(api.CreateDescriptorPool(device.handle(), &info, nullptr, &pool),
                 "vkCreateDescriptorPool"));
  VkDescriptorSetAllocateInfo allocate = {};
  allocate.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  allocate.descriptorPool = pool;
  allocate.descriptorSetCount = setLayouts.size();
  allocate.pSetLayouts = setLayouts.data();
  sets.resize(setLayouts.size());
  KILN_TRY(check(api.AllocateDescriptorSets(device.handle(), &allocate, sets.data()),
                 "vkAllocateDescriptorSets"));
  std::map<std::array<uint32_t, 3>, uint32_t> offsets; // in the order that binding needs
  for (const Binding &binding : job.bindings) {
    KILN_TRY(writeDescriptor(binding));
    if (isDynamicType(binding.type))
      offsets[{binding.set, binding.binding, binding.element}] = binding.dynamicOffset;
  }
  for (const auto &entry : offsets)
    dynamicOffsets.push_back(entry.second);
  return Error::success();
}

Error JobObjects::writeDescriptor(const Binding &binding) {
  if (binding.type == VK_DESCRIPTOR_TYPE_SAMPLER && binding.immutableSampler)
    return Error::success();
  VkWriteDescriptorSet write = {};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.dstSet = sets[binding.set];
  write.dstBinding = binding.binding;
  write.dstArrayElement = binding.element;
  write.descriptorCount = 1;
  write.descriptorType = binding.type;
  VkDescriptorBufferInfo buffer = {};
  VkDescriptorImageInfo image = {};
  VkBufferView texelView = VK_NULL_HANDLE;
  VkWriteDescriptorSetInlineUniformBlock inlineWrite = {};
  VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
  VkWriteDescriptorSetAccelerationStructureKHR structureWrite = {};
  if (binding.type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
    inlineWrite.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK;
    inlineWrite.dataSize = binding.inlineData.size();
    inlineWrite.pData = binding.inlineData.data();
    write.pNext = &inlineWrite;
    write.dstArrayElement = 0;
    write.descriptorCount = binding.inlineData.size();
  } else if (binding.type == VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR) {
    if (!binding.isNull)
      structure = structures[binding.resource].structure;
    structureWrite.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR;
    structureWrite.accelerationStructureCount = 1;
    structureWrite.pAccelerationStructures = &structure;
    write.pNext = &structureWrite;
  } else if (isBufferType(binding.type)) {
    buffer = {binding.isNull ? VkBuffer(VK_NULL_HANDLE) : buffers[binding.resource].buffer,
              binding.isNull ? 0 : binding.offset, binding.isNull ? VK_WHOLE_SIZE : binding.range};
    write.pBufferInfo = &buffer;
  } else if (isTexelType(binding.type)) {
    if (!binding.isNull) {
      VkBufferView view = KILN_TRY(createTexelView(binding));
      texelView = view;
    }
    write.pTexelBufferView = &texelView;
  } else {
    if (hasSampler(binding.type) && !binding.immutableSampler)
      image.sampler = samplers[binding.sampler];
    if (binding.type != VK_DESCRIPTOR_TYPE_SAMPLER && !binding.isNull) {
      VkImageView view = KILN_TRY(createImageView(binding));
      image.imageView = view;
      image.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    }
    write.pImageInfo = &image;
  }
  api.UpdateDescriptorSets(device.handle(), 1, &write, 0, nullptr);
  return Error::success();
}

Expected<VkBufferView> JobObjects::createTexelView(const Binding &binding) {
  VkBufferViewCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO;
  info.buffer = buffers[binding.resource].buffer;
  info.format = binding.viewFormat;
  info.offset = binding.offset;
  info.range = binding.range;
  VkBufferView view = VK_NULL_HANDLE;
  if (Error error =
          check(api.CreateBufferView(device.handle(), &info, nullptr, &view), "vkCreateBufferView"))
    return error;
  bufferViews.push_back(view);
  return view;
}

Expected<VkImageView> JobObjects::createImageView(const Binding &binding) {
  const ImageSpec &spec = job.images[binding.resource];
  VkImageViewCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
  info.image = images[binding.resource].image;
  info.viewType = binding.viewType;
  info.format = binding.viewFormat == VK_FORMAT_UNDEFINED ? spec.format : binding.viewFormat;
  info.components = binding.swizzle;
  info.subresourceRange = binding.view;
  const VkImageViewSlicedCreateInfoEXT sliced = {
      VK_STRUCTURE_TYPE_IMAGE_VIEW_SLICED_CREATE_INFO_EXT, nullptr, binding.slices.width,
      binding.slices.height};
  if (binding.slices.width || binding.slices.height != VK_REMAINING_3D_SLICES_EXT)
    info.pNext = &sliced;
  const VkImageViewMinLodCreateInfoEXT minimum = {
      VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT, info.pNext, binding.minLod};
  if (binding.minLod != 0)
    info.pNext = &minimum;
  VkImageView view = VK_NULL_HANDLE;
  if (Error error =
          check(api.CreateImageView(device.handle(), &info, nullptr, &view), "vkCreateImageView"))
    return error;
  imageViews.push_back(view);
  return view;
}

} // namespace exec
