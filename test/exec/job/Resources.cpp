//===- Resources.cpp - buffers, images and samplers of a job --------------===//
// SPDX-License-Identifier: MIT
#include "Resources.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <cstring>

using llvm::Error;
using llvm::Expected;

namespace exec {

Expected<BufferObject> JobObjects::createBuffer(uint64_t size, VkBufferUsageFlags usage) {
  if (size == 0)
    return failure("a buffer without bytes");
  BufferObject object;
  object.size = size;
  bool withAddress = device.hasFeature("bufferDeviceAddress");
  VkBufferCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = size;
  info.usage = usage | (withAddress ? VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0);
  KILN_TRY(
      check(api.CreateBuffer(device.handle(), &info, nullptr, &object.buffer), "vkCreateBuffer"));
  VkMemoryRequirements requirements = {};
  api.GetBufferMemoryRequirements(device.handle(), object.buffer, &requirements);
  VkMemoryAllocateFlagsInfo flags = {};
  flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo allocate = {};
  allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocate.pNext = withAddress ? &flags : nullptr;
  allocate.allocationSize = requirements.size;
  allocate.memoryTypeIndex = device.hostMemoryType(requirements.memoryTypeBits);
  VkResult result = api.AllocateMemory(device.handle(), &allocate, nullptr, &object.memory);
  if (result == VK_SUCCESS)
    result = api.BindBufferMemory(device.handle(), object.buffer, object.memory, 0);
  if (result == VK_SUCCESS)
    result = api.MapMemory(device.handle(), object.memory, 0, VK_WHOLE_SIZE, 0, &object.mapped);
  if (result != VK_SUCCESS) {
    destroy(object);
    return check(result, "memory of a buffer");
  }
  if (withAddress) {
    VkBufferDeviceAddressInfo address = {};
    address.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
    address.buffer = object.buffer;
    object.address = api.GetBufferDeviceAddress(device.handle(), &address);
  }
  return object;
}

void JobObjects::destroy(BufferObject &buffer) {
  api.DestroyBuffer(device.handle(), buffer.buffer, nullptr);
  api.FreeMemory(device.handle(), buffer.memory, nullptr);
}

/// Of texel buffers only what it is bound as: formats of views must allow every usage.
static VkBufferUsageFlags texelUsage(const Job &job, size_t buffer) {
  VkBufferUsageFlags usage = 0;
  for (const Binding &binding : job.bindings) {
    if (binding.resource != buffer || binding.isNull)
      continue;
    if (binding.type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER)
      usage |= VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
    if (binding.type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER)
      usage |= VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT;
  }
  return usage;
}

Error JobObjects::createBuffers() {
  VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                             VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                             VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                             VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                             VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT;
  if (job.graphics && device.hasFeature("transformFeedback"))
    usage |= VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT |
             VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT;
  if (!job.structures.empty())
    usage |= VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR;
  for (size_t i = 0; i < job.buffers.size(); ++i) {
    const Bytes &data = job.buffers[i];
    BufferObject buffer = KILN_TRY(createBuffer(data.size(), usage | texelUsage(job, i)));
    std::memcpy(buffer.mapped, data.data(), data.size());
    buffers.push_back(buffer);
  }
  return Error::success();
}

void JobObjects::patchPointers() {
  for (const PointerPatch &patch : job.pointers) {
    uint64_t address = patch.isStructure ? structures[patch.target].address
                                         : buffers[patch.target].address + patch.targetOffset;
    auto *bytes = patch.buffer == PointerPatch::pushConstants
                      ? push.data()
                      : static_cast<uint8_t *>(buffers[patch.buffer].mapped);
    std::memcpy(bytes + patch.offset, &address, sizeof address);
  }
}

Error JobObjects::createImages() {
  for (const ImageSpec &spec : job.images) {
    ImageObject &object = images.emplace_back();
    KILN_TRY(createImage(spec, object));
    object.staging = staging.size();
    BufferObject buffer = KILN_TRY(createBuffer(
        spec.totalBytes(), VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT));
    std::copy_n(spec.data.begin(), std::min<uint64_t>(spec.data.size(), buffer.size),
                static_cast<uint8_t *>(buffer.mapped));
    staging.push_back(buffer);
  }
  return Error::success();
}

Error JobObjects::createImage(const ImageSpec &spec, ImageObject &object) {
  VkImageCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  info.flags = spec.flags;
  info.imageType = spec.type;
  info.format = spec.format;
  info.extent = spec.extent;
  info.mipLevels = spec.mips;
  info.arrayLayers = spec.layers;
  info.samples = spec.samples;
  info.tiling = VK_IMAGE_TILING_OPTIMAL;
  info.usage = spec.usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  info.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
  if (Error error =
          check(api.CreateImage(device.handle(), &info, nullptr, &object.image), "vkCreateImage"))
    return error;
  VkMemoryRequirements requirements = {};
  api.GetImageMemoryRequirements(device.handle(), object.image, &requirements);
  VkMemoryAllocateInfo allocate = {};
  allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocate.allocationSize = requirements.size;
  allocate.memoryTypeIndex = device.anyMemoryType(requirements.memoryTypeBits);
  KILN_TRY(check(api.AllocateMemory(device.handle(), &allocate, nullptr, &object.memory),
                 "memory of an image"));
  return check(api.BindImageMemory(device.handle(), object.image, object.memory, 0),
               "vkBindImageMemory");
}

Error JobObjects::createSamplers() {
  for (const SamplerSpec &spec : job.samplers) {
    VkSamplerCreateInfo info = spec.info;
    VkSamplerReductionModeCreateInfo reduction = {};
    reduction.sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO;
    reduction.reductionMode = spec.reduction;
    info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
    info.pNext =
        spec.reduction == VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE ? nullptr : &reduction;
    VkSampler sampler = VK_NULL_HANDLE;
    if (Error error =
            check(api.CreateSampler(device.handle(), &info, nullptr, &sampler), "vkCreateSampler"))
      return error;
    samplers.push_back(sampler);
  }
  return Error::success();
}

JobResult JobObjects::read() const {
  JobResult result;
  auto copy = [](const BufferObject &buffer) {
    const auto *begin = static_cast<const uint8_t *>(buffer.mapped);
    return Bytes(begin, begin + buffer.size);
  };
  for (const BufferObject &buffer : buffers)
    result.buffers.push_back(copy(buffer));
  for (const ImageObject &image : images)
    result.images.push_back(copy(staging[image.staging]));
  return result;
}

JobObjects::~JobObjects() {
  VkDevice handle = device.handle();
  api.DestroyPipeline(handle, pipeline, nullptr);
  destroyRayPipelines();
  for (VkShaderModule module : modules)
    api.DestroyShaderModule(handle, module, nullptr);
  for (VkQueryPool queryPool : queryPools)
    api.DestroyQueryPool(handle, queryPool, nullptr);
  if (renderPass) {
    api.DestroyFramebuffer(handle, framebuffer, nullptr);
    api.DestroyRenderPass(handle, renderPass, nullptr);
  }
  api.DestroyPipelineLayout(handle, layout, nullptr);
  api.DestroyDescriptorPool(handle, pool, nullptr);
  for (VkDescriptorSetLayout setLayout : setLayouts)
    api.DestroyDescriptorSetLayout(handle, setLayout, nullptr);
  for (VkBufferView view : bufferViews)
    api.DestroyBufferView(handle, view, nullptr);
  for (VkImageView view : imageViews)
    api.DestroyImageView(handle, view, nullptr);
  for (VkSampler sampler : samplers)
    api.DestroySampler(handle, sampler, nullptr);
  for (ImageObject &image : images) {
    api.DestroyImage(handle, image.image, nullptr);
    api.FreeMemory(handle, image.memory, nullptr);
  }
  destroyStructures();
  for (std::vector<BufferObject> *list : {&buffers, &staging})
    for (BufferObject &buffer : *list)
      destroy(buffer);
}

} // namespace exec
