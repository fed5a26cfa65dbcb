//===- GpuObjects.cpp - buffers, images, pipelines and sets of a Gpu ------===//
// SPDX-License-Identifier: MIT
#include "Gpu.h"
#include "Pipelines.h"
#include "tools/frontend/Glsl.h"
#include <cstring>

namespace api {

//===--- Resources --------------------------------------------------------===//

uint32_t Gpu::hostMemoryType(uint32_t allowed) const {
  VkPhysicalDeviceMemoryProperties types;
  vk.GetPhysicalDeviceMemoryProperties(physicalDevice, &types);
  constexpr VkMemoryPropertyFlags wanted =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  for (uint32_t i = 0; i < types.memoryTypeCount; ++i)
    if (allowed >> i & 1 && (types.memoryTypes[i].propertyFlags & wanted) == wanted)
      return i;
  ADD_FAILURE() << "no memory that the host can see";
  return 0;
}

Buffer Gpu::buffer(VkDeviceSize size, VkBufferUsageFlags more) {
  Buffer made;
  made.size = size;
  VkBufferCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = size;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
               VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
               VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
               VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
               VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  info.usage |= more;
  if (hasExtension(VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME))
    info.usage |= VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT;
  if (hasExtension(VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME))
    info.usage |= VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT;
  VK_OK(vk.CreateBuffer(device, &info, nullptr, &made.handle));
  VkMemoryRequirements requirements;
  vk.GetBufferMemoryRequirements(device, made.handle, &requirements);
  VkMemoryAllocateFlagsInfo flags = {};
  flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo allocate = {};
  allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocate.pNext = &flags;
  allocate.allocationSize = requirements.size;
  allocate.memoryTypeIndex = hostMemoryType(requirements.memoryTypeBits);
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VK_OK(vk.AllocateMemory(device, &allocate, nullptr, &memory));
  VK_OK(vk.BindBufferMemory(device, made.handle, memory, 0));
  void *mapped = nullptr;
  VK_OK(vk.MapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &mapped));
  std::memset(mapped, 0, size);
  made.data = static_cast<uint32_t *>(mapped);
  VkBufferDeviceAddressInfo address = {};
  address.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
  address.buffer = made.handle;
  made.address = vk.GetBufferDeviceAddress(device, &address);
  keep(memory, [this, memory] { vk.FreeMemory(device, memory, nullptr); });
  keep(made.handle, [this, made] { vk.DestroyBuffer(device, made.handle, nullptr); });
  return made;
}

static bool isMultiPlanar(VkFormat format) { return format >= VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM; }

static VkImageCreateInfo imageInfo(VkFormat format, uint32_t width, uint32_t height,
                                   VkImageUsageFlags usage) {
  VkImageCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = format;
  info.extent = {width, height, 1};
  info.mipLevels = info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = usage;
  return info;
}

Image Gpu::image(VkFormat format, uint32_t width, uint32_t height, const void *viewNext,
                 uint32_t layers) {
  VkImageUsageFlags usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  if (!isMultiPlanar(format))
    usage |= VK_IMAGE_USAGE_STORAGE_BIT;
  VkImageCreateInfo info = imageInfo(format, width, height, usage);
  info.arrayLayers = layers;
  return image(info, VK_IMAGE_ASPECT_COLOR_BIT, viewNext);
}

Image Gpu::attachment(VkFormat format, VkImageAspectFlags aspects, uint32_t width, uint32_t height,
                      VkSampleCountFlagBits samples, uint32_t layers) {
  const VkImageUsageFlags usage = aspects & VK_IMAGE_ASPECT_COLOR_BIT
                                      ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
                                      : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  VkImageCreateInfo info = imageInfo(
      format, width, height,
      usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
          VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT |
          (hasExtension(VK_EXT_ATTACHMENT_FEEDBACK_LOOP_LAYOUT_EXTENSION_NAME)
               ? VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT | VK_IMAGE_USAGE_SAMPLED_BIT
               : 0));
  info.samples = samples;
  info.arrayLayers = layers;
  return image(info, aspects, nullptr);
}

Image Gpu::target(VkFormat format, uint32_t width, uint32_t height) {
  return attachment(format, VK_IMAGE_ASPECT_COLOR_BIT, width, height);
}

Image Gpu::image(const VkImageCreateInfo &info) {
  Image made;
  VK_OK(vk.CreateImage(device, &info, nullptr, &made.handle));
  VkMemoryRequirements requirements;
  vk.GetImageMemoryRequirements(device, made.handle, &requirements);
  VkMemoryAllocateInfo allocate = {};
  allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocate.allocationSize = requirements.size;
  while (!(requirements.memoryTypeBits >> allocate.memoryTypeIndex & 1))
    ++allocate.memoryTypeIndex;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VK_OK(vk.AllocateMemory(device, &allocate, nullptr, &memory));
  VK_OK(vk.BindImageMemory(device, made.handle, memory, 0));
  keep(memory, [this, memory] { vk.FreeMemory(device, memory, nullptr); });
  keep(made.handle, [this, made] { vk.DestroyImage(device, made.handle, nullptr); });
  return made;
}

Image Gpu::image(const VkImageCreateInfo &info, VkImageAspectFlags aspects, const void *viewNext) {
  Image made = image(info);
  VkImageViewCreateInfo viewInfo = {};
  viewInfo.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
  viewInfo.pNext = viewNext;
  viewInfo.image = made.handle;
  viewInfo.viewType = info.arrayLayers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
  viewInfo.format = info.format;
  viewInfo.subresourceRange = {aspects, 0, 1, 0, info.arrayLayers};
  VK_OK(vk.CreateImageView(device, &viewInfo, nullptr, &made.view));
  keep(made.view, [this, made] { vk.DestroyImageView(device, made.view, nullptr); });
  run([&](VkCommandBuffer c) {
    VkImageMemoryBarrier barrier = {};
    barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
    barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.oldLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    barrier.image = made.handle;
    barrier.subresourceRange = viewInfo.subresourceRange;
    vk.CmdPipelineBarrier(c, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                          0, 0, nullptr, 0, nullptr, 1, &barrier);
  });
  return made;
}

void Gpu::upload(const Image &image, VkImageAspectFlagBits aspect, uint32_t width, uint32_t height,
                 const Buffer &from, VkDeviceSize offset, uint32_t layer) {
  run([&](VkCommandBuffer c) {
    VkBufferImageCopy region = {};
    region.bufferOffset = offset;
    region.imageSubresource = {VkImageAspectFlags(aspect), 0, layer, 1};
    region.imageExtent = {width, height, 1};
    vk.CmdCopyBufferToImage(c, from.handle, image.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    barrier(c);
  });
}

VkSampler Gpu::sampler(VkFilter filter, const void *next) {
  VkSamplerCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
  info.pNext = next;
  info.magFilter = info.minFilter = filter;
  info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  VkSampler made = VK_NULL_HANDLE;
  VK_OK(vk.CreateSampler(device, &info, nullptr, &made));
  return keep(made, [this, made] { vk.DestroySampler(device, made, nullptr); });
}

std::vector<uint32_t> Gpu::spirv(const std::string &glsl, const std::string &stage) {
  auto bytes = frontend::compileGlsl(glsl, stage);
  if (!bytes) {
    ADD_FAILURE() << llvm::toString(bytes.takeError());
    return {};
  }
  return frontend::wordsOf(*bytes);
}

VkShaderModule Gpu::module(const std::string &glsl, const std::string &stage) {
  const std::vector<uint32_t> words = spirv(glsl, stage);
  if (words.empty())
    return VK_NULL_HANDLE;
  VkShaderModuleCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  info.codeSize = words.size() * 4;
  info.pCode = words.data();
  VkShaderModule made = VK_NULL_HANDLE;
  VK_OK(vk.CreateShaderModule(device, &info, nullptr, &made));
  return keep(made, [this, made] { vk.DestroyShaderModule(device, made, nullptr); });
}

void Gpu::destroyLater(VkPipeline pipeline) {
  keep(pipeline, [this, pipeline] { vk.DestroyPipeline(device, pipeline, nullptr); });
}
VkRenderPass Gpu::renderPass(VkFormat format) {
  auto description = vkStruct<VkAttachmentDescription2>(VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2);
  description.format = format;
  description.samples = VK_SAMPLE_COUNT_1_BIT;
  description.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  description.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  description.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  description.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  description.initialLayout = description.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
  auto reference = vkStruct<VkAttachmentReference2>(VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2);
  reference.layout = VK_IMAGE_LAYOUT_GENERAL;
  reference.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
  auto subpass = vkStruct<VkSubpassDescription2>(VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2);
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &reference;
  auto info = vkStruct<VkRenderPassCreateInfo2>(VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2);
  info.attachmentCount = info.subpassCount = 1;
  info.pAttachments = &description;
  info.pSubpasses = &subpass;
  VkRenderPass made = VK_NULL_HANDLE;
  VK_OK(vk.CreateRenderPass2(device, &info, nullptr, &made));
  destroyLater(made);
  return made;
}

VkFramebuffer Gpu::framebuffer(VkRenderPass renderPass, VkImageView target, uint32_t width,
                               uint32_t height) {
  auto info = vkStruct<VkFramebufferCreateInfo>(VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO);
  info.renderPass = renderPass;
  info.attachmentCount = 1;
  info.pAttachments = &target;
  info.width = width;
  info.height = height;
  info.layers = 1;
  VkFramebuffer made = VK_NULL_HANDLE;
  VK_OK(vk.CreateFramebuffer(device, &info, nullptr, &made));
  destroyLater(made);
  return made;
}

void Gpu::destroyLater(VkRenderPass renderPass) {
  keep(renderPass, [this, renderPass] { vk.DestroyRenderPass(device, renderPass, nullptr); });
}
void Gpu::destroyLater(VkFramebuffer framebuffer) {
  keep(framebuffer, [this, framebuffer] { vk.DestroyFramebuffer(device, framebuffer, nullptr); });
}
void Gpu::destroyLater(VkAccelerationStructureKHR structure) {
  keep(structure,
       [this, structure] { vk.DestroyAccelerationStructureKHR(device, structure, nullptr); });
}
void Gpu::destroyLater(VkSampler sampler) {
  keep(sampler, [this, sampler] { vk.DestroySampler(device, sampler, nullptr); });
}

//===--- Layouts and pipelines --------------------------------------------===//

VkDescriptorSetLayout Gpu::setLayout(const std::vector<Binding> &bindings,
                                     VkDescriptorSetLayoutCreateFlags flags, const void *next) {
  std::vector<VkDescriptorSetLayoutBinding> list;
  std::vector<VkDescriptorBindingFlags> bindingFlags;
  for (const Binding &binding : bindings) {
    list.push_back(
        {binding.number, binding.type, binding.count, binding.stages, binding.immutableSamplers});
    bindingFlags.push_back(binding.flags);
  }
  VkDescriptorSetLayoutBindingFlagsCreateInfo flagsInfo = {};
  flagsInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO;
  flagsInfo.pNext = next;
  flagsInfo.bindingCount = static_cast<uint32_t>(bindingFlags.size());
  flagsInfo.pBindingFlags = bindingFlags.data();
  VkDescriptorSetLayoutCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  info.pNext = &flagsInfo;
  info.flags = flags;
  info.bindingCount = static_cast<uint32_t>(list.size());
  info.pBindings = list.data();
  VkDescriptorSetLayout made = VK_NULL_HANDLE;
  VK_OK(vk.CreateDescriptorSetLayout(device, &info, nullptr, &made));
  return keep(made, [this, made] { vk.DestroyDescriptorSetLayout(device, made, nullptr); });
}

VkPipelineLayout Gpu::pipelineLayout(const std::vector<VkDescriptorSetLayout> &sets,
                                     uint32_t pushBytes, VkShaderStageFlags pushStages,
                                     VkPipelineLayoutCreateFlags flags) {
  VkPushConstantRange range = {pushStages, 0, pushBytes};
  VkPipelineLayoutCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  info.flags = flags;
  info.setLayoutCount = static_cast<uint32_t>(sets.size());
  info.pSetLayouts = sets.data();
  info.pushConstantRangeCount = pushBytes ? 1 : 0;
  info.pPushConstantRanges = &range;
  VkPipelineLayout made = VK_NULL_HANDLE;
  VK_OK(vk.CreatePipelineLayout(device, &info, nullptr, &made));
  return keep(made, [this, made] { vk.DestroyPipelineLayout(device, made, nullptr); });
}

VkPipeline Gpu::pipeline(const std::string &glsl, VkPipelineLayout layout,
                         const VkSpecializationInfo *specialization, VkPipelineCreateFlags flags) {
  VkComputePipelineCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.flags = flags;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module(glsl);
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = specialization;
  info.layout = layout;
  VkPipeline made = VK_NULL_HANDLE;
  VK_OK(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &made));
  return keep(made, [this, made] { vk.DestroyPipeline(device, made, nullptr); });
}

VkPipeline Gpu::pipeline(const VkGraphicsPipelineCreateInfo &info) {
  VkPipeline made = VK_NULL_HANDLE;
  VK_OK(vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &made));
  return keep(made, [this, made] { vk.DestroyPipeline(device, made, nullptr); });
}

//===--- Sets -------------------------------------------------------------===//

VkDescriptorSet Gpu::set(VkDescriptorSetLayout layout, const std::vector<Binding> &bindings,
                         VkDescriptorPoolCreateFlags flags, const void *next,
                         const void *poolNext) {
  std::vector<VkDescriptorPoolSize> sizes;
  for (const Binding &binding : bindings)
    sizes.push_back({binding.type, binding.count});
  VkDescriptorPoolInlineUniformBlockCreateInfo blocks = {};
  blocks.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO;
  blocks.pNext = poolNext;
  blocks.maxInlineUniformBlockBindings = static_cast<uint32_t>(bindings.size());
  VkDescriptorPoolCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  info.pNext = &blocks;
  info.flags = flags;
  info.maxSets = 1;
  info.poolSizeCount = static_cast<uint32_t>(sizes.size());
  info.pPoolSizes = sizes.data();
  VkDescriptorPool pool = VK_NULL_HANDLE;
  VK_OK(vk.CreateDescriptorPool(device, &info, nullptr, &pool));
  keep(pool, [this, pool] { vk.DestroyDescriptorPool(device, pool, nullptr); });
  VkDescriptorSetAllocateInfo allocate = {};
  allocate.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  allocate.pNext = next;
  allocate.descriptorPool = pool;
  allocate.descriptorSetCount = 1;
  allocate.pSetLayouts = &layout;
  VkDescriptorSet made = VK_NULL_HANDLE;
  VK_OK(vk.AllocateDescriptorSets(device, &allocate, &made));
  return made;
}

void Gpu::write(VkDescriptorSet set, uint32_t binding, VkDescriptorType type,
                const std::vector<Buffer> &buffers, uint32_t element) {
  std::vector<VkDescriptorBufferInfo> infos;
  for (const Buffer &buffer : buffers)
    infos.push_back({buffer.handle, 0, VK_WHOLE_SIZE});
  VkWriteDescriptorSet write = {};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.dstSet = set;
  write.dstBinding = binding;
  write.dstArrayElement = element;
  write.descriptorCount = static_cast<uint32_t>(infos.size());
  write.descriptorType = type;
  write.pBufferInfo = infos.data();
  vk.UpdateDescriptorSets(device, 1, &write, 0, nullptr);
}

void Gpu::writeRange(VkDescriptorSet set, uint32_t binding, VkDescriptorType type,
                     const Buffer &buffer, VkDeviceSize offset, VkDeviceSize range) {
  VkDescriptorBufferInfo info = {buffer.handle, offset, range};
  VkWriteDescriptorSet write = {};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.dstSet = set;
  write.dstBinding = binding;
  write.descriptorCount = 1;
  write.descriptorType = type;
  write.pBufferInfo = &info;
  vk.UpdateDescriptorSets(device, 1, &write, 0, nullptr);
}

void Gpu::writeImage(VkDescriptorSet set, uint32_t binding, VkDescriptorType type, VkImageView view,
                     VkSampler sampler, uint32_t element) {
  VkDescriptorImageInfo info = {sampler, view, VK_IMAGE_LAYOUT_GENERAL};
  VkWriteDescriptorSet write = {};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.dstSet = set;
  write.dstBinding = binding;
  write.dstArrayElement = element;
  write.descriptorCount = 1;
  write.descriptorType = type;
  write.pImageInfo = &info;
  vk.UpdateDescriptorSets(device, 1, &write, 0, nullptr);
}

} // namespace api
