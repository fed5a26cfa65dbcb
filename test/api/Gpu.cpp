//===- Gpu.cpp - a Vulkan device for tests of the API ---------------------===//
// SPDX-License-Identifier: MIT
#include "Gpu.h"
#include "tools/amdllpc/Inputs.h"
#include <algorithm>
#include <cstring>
#include <dlfcn.h>

namespace api {
namespace {

PFN_vkGetInstanceProcAddr loader() {
  static void *library = dlopen("libvulkan.so.1", RTLD_NOW);
  static auto function =
      library ? reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"))
              : nullptr;
  if (!function) {
    std::fprintf(stderr, "no Vulkan loader: run ./kiln setup\n");
    std::exit(1);
  }
  return function;
}

VkBool32 VKAPI_CALL onMessage(VkDebugUtilsMessageSeverityFlagBitsEXT,
                              VkDebugUtilsMessageTypeFlagsEXT types,
                              const VkDebugUtilsMessengerCallbackDataEXT *data, void *user) {
  // Our driver's own messages are no verdict on the test.
  if (!(types & VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT))
    return VK_FALSE;
  std::fprintf(stderr, "%s\n", data->pMessage);
  ++static_cast<Gpu *>(user)->validationMessages;
  return VK_FALSE;
}

/// Everything that the tests need, where the device has it.
struct Features {
  VkPhysicalDeviceFeatures2 core = {};
  VkPhysicalDeviceVulkan11Features v11 = {};
  VkPhysicalDeviceVulkan12Features v12 = {};
  VkPhysicalDeviceVulkan13Features v13 = {};
  VkPhysicalDeviceRobustness2FeaturesEXT robustness2 = {};
  VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT mutableType = {};
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables = {};

  template <typename T> void link(T &link, VkStructureType type) {
    link.sType = type;
    link.pNext = core.pNext;
    core.pNext = &link;
  }
};

constexpr const char *wantedExtensions[] = {
    VK_EXT_ROBUSTNESS_2_EXTENSION_NAME, VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME,
    VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};

} // namespace

void Gpu::createInstance() {
  auto create =
      reinterpret_cast<PFN_vkCreateInstance>(loader()(VK_NULL_HANDLE, "vkCreateInstance"));
  VkApplicationInfo application = {};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.apiVersion = VK_API_VERSION_1_3;
  const char *extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  VkInstanceCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  info.enabledExtensionCount = 1;
  info.ppEnabledExtensionNames = &extension;
  VK_OK(create(&info, nullptr, &instance));
#define API_FUNCTION(name) vk.name = reinterpret_cast<PFN_vk##name>(loader()(instance, "vk" #name));
#include "Functions.def"
  VkDebugUtilsMessengerCreateInfoEXT messengerInfo = {};
  messengerInfo.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
  messengerInfo.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT |
                                  VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;
  messengerInfo.messageType =
      VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT;
  messengerInfo.pfnUserCallback = onMessage;
  messengerInfo.pUserData = this;
  VK_OK(vk.CreateDebugUtilsMessengerEXT(instance, &messengerInfo, nullptr, &messenger));
}

void Gpu::createDevice() {
  uint32_t count = 0;
  vk.EnumerateDeviceExtensionProperties(physicalDevice, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> available(count);
  vk.EnumerateDeviceExtensionProperties(physicalDevice, nullptr, &count, available.data());
  std::vector<const char *> enabled;
  for (const char *wanted : wantedExtensions)
    for (const VkExtensionProperties &extension : available)
      if (std::strcmp(wanted, extension.extensionName) == 0) {
        enabled.push_back(wanted);
        extensions.push_back(wanted);
      }
  Features features;
  features.core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.link(features.v11, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
  features.link(features.v12, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  features.link(features.v13, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
  if (hasExtension(VK_EXT_ROBUSTNESS_2_EXTENSION_NAME))
    features.link(features.robustness2,
                  VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT);
  if (hasExtension(VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME))
    features.link(features.mutableType,
                  VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT);
  if (hasExtension(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME))
    features.link(features.executables,
                  VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR);
  vk.GetPhysicalDeviceFeatures2(physicalDevice, &features.core);

  float priority = 1;
  VkDeviceQueueCreateInfo queueInfo = {};
  queueInfo.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queueInfo.queueCount = 1;
  queueInfo.pQueuePriorities = &priority;
  VkDeviceCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = &features.core;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queueInfo;
  info.enabledExtensionCount = static_cast<uint32_t>(enabled.size());
  info.ppEnabledExtensionNames = enabled.data();
  VK_OK(vk.CreateDevice(physicalDevice, &info, nullptr, &device));
  vk.GetDeviceQueue(device, 0, 0, &queue);
  VkCommandPoolCreateInfo poolInfo = {};
  poolInfo.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  poolInfo.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  VK_OK(vk.CreateCommandPool(device, &poolInfo, nullptr, &commandPool));
}

static std::vector<VkPhysicalDevice> listDevices(const Functions &vk, VkInstance instance) {
  uint32_t count = 0;
  VK_OK(vk.EnumeratePhysicalDevices(instance, &count, nullptr));
  std::vector<VkPhysicalDevice> devices(count);
  VK_OK(vk.EnumeratePhysicalDevices(instance, &count, devices.data()));
  return devices;
}

Gpu::Gpu(unsigned index) {
  createInstance();
  std::vector<VkPhysicalDevice> devices = listDevices(vk, instance);
  physicalDevice = devices.at(index);
  vk.GetPhysicalDeviceProperties(physicalDevice, &properties);
  createDevice();
}

Gpu::~Gpu() {
  vk.DeviceWaitIdle(device);
  std::reverse(destroyers.begin(), destroyers.end());
  for (const auto &destroy : destroyers)
    destroy();
  vk.DestroyCommandPool(device, commandPool, nullptr);
  vk.DestroyDevice(device, nullptr);
  vk.DestroyDebugUtilsMessengerEXT(instance, messenger, nullptr);
  vk.DestroyInstance(instance, nullptr);
}

static std::vector<std::string> findDeviceNames() {
  auto create =
      reinterpret_cast<PFN_vkCreateInstance>(loader()(VK_NULL_HANDLE, "vkCreateInstance"));
  VkInstanceCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  VkInstance instance = VK_NULL_HANDLE;
  if (create(&info, nullptr, &instance) != VK_SUCCESS)
    return {};
  Functions vk;
#define API_FUNCTION(name) vk.name = reinterpret_cast<PFN_vk##name>(loader()(instance, "vk" #name));
#include "Functions.def"
  std::vector<std::string> names;
  for (VkPhysicalDevice physicalDevice : listDevices(vk, instance)) {
    VkPhysicalDeviceProperties properties;
    vk.GetPhysicalDeviceProperties(physicalDevice, &properties);
    std::string name;
    for (const char *c = properties.deviceName; *c && *c != '('; ++c)
      if (std::isalnum(static_cast<unsigned char>(*c)))
        name += *c;
    names.push_back(name);
  }
  vk.DestroyInstance(instance, nullptr);
  return names;
}

std::vector<std::string> Gpu::deviceNames() {
  static const std::vector<std::string> names = findDeviceNames();
  return names;
}

bool Gpu::hasExtension(const std::string &name) const {
  return std::find(extensions.begin(), extensions.end(), name) != extensions.end();
}

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

Buffer Gpu::buffer(VkDeviceSize size) {
  Buffer made;
  made.size = size;
  VkBufferCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = size;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
               VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
               VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
               VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
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

Image Gpu::image(VkFormat format, uint32_t width, uint32_t height, const void *viewNext) {
  Image made;
  VkImageCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = format;
  info.extent = {width, height, 1};
  info.mipLevels = info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  if (!isMultiPlanar(format))
    info.usage |= VK_IMAGE_USAGE_STORAGE_BIT;
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
  VkImageViewCreateInfo viewInfo = {};
  viewInfo.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
  viewInfo.pNext = viewNext;
  viewInfo.image = made.handle;
  viewInfo.viewType = VK_IMAGE_VIEW_TYPE_2D;
  viewInfo.format = format;
  viewInfo.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  VK_OK(vk.CreateImageView(device, &viewInfo, nullptr, &made.view));
  keep(memory, [this, memory] { vk.FreeMemory(device, memory, nullptr); });
  keep(made.handle, [this, made] {
    vk.DestroyImageView(device, made.view, nullptr);
    vk.DestroyImage(device, made.handle, nullptr);
  });
  run([&](VkCommandBuffer c) {
    VkImageMemoryBarrier barrier = {};
    barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
    barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.oldLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    barrier.image = made.handle;
    barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vk.CmdPipelineBarrier(c, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                          0, 0, nullptr, 0, nullptr, 1, &barrier);
  });
  return made;
}

void Gpu::upload(const Image &image, VkImageAspectFlagBits aspect, uint32_t width, uint32_t height,
                 const Buffer &from, VkDeviceSize offset) {
  run([&](VkCommandBuffer c) {
    VkBufferImageCopy region = {};
    region.bufferOffset = offset;
    region.imageSubresource = {VkImageAspectFlags(aspect), 0, 0, 1};
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

VkShaderModule Gpu::module(const std::string &glsl) {
  amdllpc::Input input;
  input.path = "test.comp";
  input.stage = "comp";
  input.format = amdllpc::InputFormat::Glsl;
  auto words = amdllpc::compileGlsl(input, glsl, amdllpc::Options());
  if (!words) {
    ADD_FAILURE() << llvm::toString(words.takeError());
    return VK_NULL_HANDLE;
  }
  VkShaderModuleCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  info.codeSize = words->size();
  info.pCode = reinterpret_cast<const uint32_t *>(words->data());
  VkShaderModule made = VK_NULL_HANDLE;
  VK_OK(vk.CreateShaderModule(device, &info, nullptr, &made));
  return keep(made, [this, made] { vk.DestroyShaderModule(device, made, nullptr); });
}

//===--- Layouts and pipelines --------------------------------------------===//

VkDescriptorSetLayout Gpu::setLayout(const std::vector<Binding> &bindings,
                                     VkDescriptorSetLayoutCreateFlags flags, const void *next) {
  std::vector<VkDescriptorSetLayoutBinding> list;
  std::vector<VkDescriptorBindingFlags> bindingFlags;
  for (const Binding &binding : bindings) {
    list.push_back({binding.number, binding.type, binding.count, VK_SHADER_STAGE_COMPUTE_BIT,
                    binding.immutableSamplers});
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
                                     uint32_t pushBytes) {
  VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, pushBytes};
  VkPipelineLayoutCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
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

//===--- Commands ---------------------------------------------------------===//

VkCommandBuffer Gpu::commands(VkCommandBufferLevel level) {
  VkCommandBufferAllocateInfo allocate = {};
  allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocate.commandPool = commandPool;
  allocate.level = level;
  allocate.commandBufferCount = 1;
  VkCommandBuffer made = VK_NULL_HANDLE;
  VK_OK(vk.AllocateCommandBuffers(device, &allocate, &made));
  return made;
}

VkCommandBuffer Gpu::begin(VkCommandBufferLevel level, VkCommandBufferUsageFlags flags) {
  VkCommandBuffer made = commands(level);
  VkCommandBufferInheritanceInfo inheritance = {};
  inheritance.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO;
  VkCommandBufferBeginInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  info.flags = flags;
  info.pInheritanceInfo = &inheritance;
  VK_OK(vk.BeginCommandBuffer(made, &info));
  return made;
}

void Gpu::barrier(VkCommandBuffer commandBuffer) {
  VkMemoryBarrier barrier = {};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  vk.CmdPipelineBarrier(commandBuffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

VkResult Gpu::submit(VkCommandBuffer commandBuffer) {
  VkSubmitInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commandBuffer;
  return vk.QueueSubmit(queue, 1, &info, VK_NULL_HANDLE);
}

VkResult Gpu::finish(VkCommandBuffer commandBuffer) {
  VK_OK(vk.EndCommandBuffer(commandBuffer));
  VkResult result = submit(commandBuffer);
  return result == VK_SUCCESS ? vk.QueueWaitIdle(queue) : result;
}

void Gpu::run(const std::function<void(VkCommandBuffer)> &record) {
  VkCommandBuffer commandBuffer = begin();
  record(commandBuffer);
  VK_OK(finish(commandBuffer));
}

} // namespace api
