//===- Mandelbrot.cpp - a Vulkan compute program that writes a picture ----===//
// SPDX-License-Identifier: MIT
/// \file
/// mandelbrot [FILE.png [WIDTH HEIGHT]]: computes escape times of the Mandelbrot set into a storage
/// image with ../mandelbrot.comp, copies the image to a buffer, and writes it as a PNG. Plain
/// Vulkan 1.0 through the loader, on the first physical device, whatever that is.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <png.h>
#include <vector>
#include <vulkan/vulkan.h>

#include "mandelbrot.spv.h" // needs uint32_t

namespace {

void check(VkResult result, const char *what) {
  if (result == VK_SUCCESS)
    return;
  std::fprintf(stderr, "mandelbrot: %s failed with VkResult %d\n", what, result);
  std::exit(1);
}
#define CHECK(call) check(call, #call)

/// The uniform block of the shader (std140).
struct View {
  float centre[2];
  float scale;
  uint32_t limit;
};

struct Context {
  VkInstance instance;
  VkPhysicalDevice physical;
  VkDevice device;
  VkQueue queue;
  VkPhysicalDeviceMemoryProperties memory;
};

Context createContext() {
  Context c = {};
  VkApplicationInfo app = {VK_STRUCTURE_TYPE_APPLICATION_INFO};
  app.pApplicationName = "mandelbrot";
  app.apiVersion = VK_API_VERSION_1_0;
  VkInstanceCreateInfo instanceInfo = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  instanceInfo.pApplicationInfo = &app;
  CHECK(vkCreateInstance(&instanceInfo, nullptr, &c.instance));

  uint32_t count = 1;
  VkResult result = vkEnumeratePhysicalDevices(c.instance, &count, &c.physical);
  check(result == VK_INCOMPLETE ? VK_SUCCESS : result, "vkEnumeratePhysicalDevices");
  if (count == 0)
    check(VK_ERROR_INITIALIZATION_FAILED, "finding a physical device");
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(c.physical, &properties);
  std::printf("device: %s\n", properties.deviceName);
  vkGetPhysicalDeviceMemoryProperties(c.physical, &c.memory);

  float priority = 1;
  VkDeviceQueueCreateInfo queueInfo = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queueInfo.queueCount = 1; // family 0: on every driver that we know it can compute
  queueInfo.pQueuePriorities = &priority;
  VkDeviceCreateInfo deviceInfo = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  deviceInfo.queueCreateInfoCount = 1;
  deviceInfo.pQueueCreateInfos = &queueInfo;
  CHECK(vkCreateDevice(c.physical, &deviceInfo, nullptr, &c.device));
  vkGetDeviceQueue(c.device, 0, 0, &c.queue);
  return c;
}

VkDeviceMemory allocate(const Context &c, const VkMemoryRequirements &needs,
                        VkMemoryPropertyFlags wanted) {
  VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  info.allocationSize = needs.size;
  while (info.memoryTypeIndex < c.memory.memoryTypeCount &&
         (!(needs.memoryTypeBits >> info.memoryTypeIndex & 1) ||
          (c.memory.memoryTypes[info.memoryTypeIndex].propertyFlags & wanted) != wanted))
    ++info.memoryTypeIndex;
  VkDeviceMemory memory;
  CHECK(vkAllocateMemory(c.device, &info, nullptr, &memory));
  return memory;
}

struct Buffer {
  VkBuffer buffer;
  VkDeviceMemory memory;
  void *mapped;
};

Buffer createBuffer(const Context &c, VkDeviceSize size, VkBufferUsageFlags usage) {
  Buffer b = {};
  VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = size;
  info.usage = usage;
  CHECK(vkCreateBuffer(c.device, &info, nullptr, &b.buffer));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(c.device, b.buffer, &needs);
  b.memory = allocate(c, needs,
                      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  CHECK(vkBindBufferMemory(c.device, b.buffer, b.memory, 0));
  CHECK(vkMapMemory(c.device, b.memory, 0, VK_WHOLE_SIZE, 0, &b.mapped));
  return b;
}

void destroy(const Context &c, const Buffer &b) {
  vkDestroyBuffer(c.device, b.buffer, nullptr);
  vkFreeMemory(c.device, b.memory, nullptr);
}

struct Image {
  VkImage image;
  VkDeviceMemory memory;
  VkImageView view;
};

Image createImage(const Context &c, VkExtent3D extent) {
  Image i = {};
  VkImageCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = VK_FORMAT_R32_UINT;
  info.extent = extent;
  info.mipLevels = 1;
  info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  CHECK(vkCreateImage(c.device, &info, nullptr, &i.image));
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(c.device, i.image, &needs);
  i.memory = allocate(c, needs, 0);
  CHECK(vkBindImageMemory(c.device, i.image, i.memory, 0));
  VkImageViewCreateInfo viewInfo = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  viewInfo.image = i.image;
  viewInfo.viewType = VK_IMAGE_VIEW_TYPE_2D;
  viewInfo.format = info.format;
  viewInfo.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  CHECK(vkCreateImageView(c.device, &viewInfo, nullptr, &i.view));
  return i;
}

struct Pipeline {
  VkDescriptorSetLayout setLayout;
  VkPipelineLayout layout;
  VkPipeline pipeline;
};

Pipeline createPipeline(const Context &c) {
  Pipeline p = {};
  VkDescriptorSetLayoutBinding bindings[2] = {
      {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
      {1, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}};
  VkDescriptorSetLayoutCreateInfo setInfo = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  setInfo.bindingCount = 2;
  setInfo.pBindings = bindings;
  CHECK(vkCreateDescriptorSetLayout(c.device, &setInfo, nullptr, &p.setLayout));
  VkPipelineLayoutCreateInfo layoutInfo = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layoutInfo.setLayoutCount = 1;
  layoutInfo.pSetLayouts = &p.setLayout;
  CHECK(vkCreatePipelineLayout(c.device, &layoutInfo, nullptr, &p.layout));

  VkShaderModuleCreateInfo moduleInfo = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  moduleInfo.codeSize = sizeof(mandelbrotSpirv);
  moduleInfo.pCode = mandelbrotSpirv;
  VkShaderModule module;
  CHECK(vkCreateShaderModule(c.device, &moduleInfo, nullptr, &module));
  VkComputePipelineCreateInfo info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.layout = p.layout;
  CHECK(vkCreateComputePipelines(c.device, VK_NULL_HANDLE, 1, &info, nullptr, &p.pipeline));
  vkDestroyShaderModule(c.device, module, nullptr);
  return p;
}

VkDescriptorSet createSet(const Context &c, const Pipeline &p, VkBuffer uniforms, VkImageView view,
                          VkDescriptorPool &pool) {
  VkDescriptorPoolSize sizes[2] = {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1},
                                   {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1}};
  VkDescriptorPoolCreateInfo poolInfo = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  poolInfo.maxSets = 1;
  poolInfo.poolSizeCount = 2;
  poolInfo.pPoolSizes = sizes;
  CHECK(vkCreateDescriptorPool(c.device, &poolInfo, nullptr, &pool));
  VkDescriptorSetAllocateInfo setInfo = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  setInfo.descriptorPool = pool;
  setInfo.descriptorSetCount = 1;
  setInfo.pSetLayouts = &p.setLayout;
  VkDescriptorSet set;
  CHECK(vkAllocateDescriptorSets(c.device, &setInfo, &set));

  VkDescriptorBufferInfo bufferInfo = {uniforms, 0, sizeof(View)};
  VkDescriptorImageInfo imageInfo = {VK_NULL_HANDLE, view, VK_IMAGE_LAYOUT_GENERAL};
  VkWriteDescriptorSet writes[2] = {};
  writes[0].sType = writes[1].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  writes[0].dstSet = writes[1].dstSet = set;
  writes[0].descriptorCount = writes[1].descriptorCount = 1;
  writes[0].descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  writes[0].pBufferInfo = &bufferInfo;
  writes[1].dstBinding = 1;
  writes[1].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
  writes[1].pImageInfo = &imageInfo;
  vkUpdateDescriptorSets(c.device, 2, writes, 0, nullptr);
  return set;
}

/// Records and runs: image to the general layout, dispatch, image to the buffer.
void render(const Context &c, const Pipeline &p, VkDescriptorSet set, VkImage image,
            VkExtent3D extent, VkBuffer readback) {
  VkCommandPoolCreateInfo poolInfo = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  VkCommandPool pool;
  CHECK(vkCreateCommandPool(c.device, &poolInfo, nullptr, &pool));
  VkCommandBufferAllocateInfo allocateInfo = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocateInfo.commandPool = pool;
  allocateInfo.commandBufferCount = 1;
  VkCommandBuffer commands;
  CHECK(vkAllocateCommandBuffers(c.device, &allocateInfo, &commands));
  VkCommandBufferBeginInfo beginInfo = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  CHECK(vkBeginCommandBuffer(commands, &beginInfo));

  VkImageMemoryBarrier barrier = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
  barrier.dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image;
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &barrier);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, p.pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, p.layout, 0, 1, &set, 0,
                          nullptr);
  vkCmdDispatch(commands, (extent.width + 7) / 8, (extent.height + 7) / 8, 1);

  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  barrier.oldLayout = VK_IMAGE_LAYOUT_GENERAL;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
  VkBufferImageCopy copy = {};
  copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  copy.imageExtent = extent;
  vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_GENERAL, readback, 1, &copy);
  VkMemoryBarrier toHost = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  toHost.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  toHost.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                       &toHost, 0, nullptr, 0, nullptr);
  CHECK(vkEndCommandBuffer(commands));

  VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  CHECK(vkQueueSubmit(c.queue, 1, &submit, VK_NULL_HANDLE));
  CHECK(vkQueueWaitIdle(c.queue));
  vkDestroyCommandPool(c.device, pool, nullptr);
}

/// Colours by the logarithm of the escape time; points of the set are black.
bool writePng(const char *path, const uint32_t *escape, VkExtent3D extent, uint32_t limit) {
  std::vector<uint8_t> pixels;
  pixels.reserve(size_t(extent.width) * extent.height * 3);
  for (size_t i = 0; i < size_t(extent.width) * extent.height; ++i) {
    double t = std::log1p(escape[i]) / std::log1p(limit);
    bool inside = escape[i] >= limit;
    pixels.push_back(inside ? 0 : uint8_t(255 * std::sqrt(t)));
    pixels.push_back(inside ? 0 : uint8_t(255 * t * t));
    pixels.push_back(inside ? 0 : uint8_t(80 + 175 * std::sin(3.14159265 * t)));
  }
  png_image png = {};
  png.version = PNG_IMAGE_VERSION;
  png.width = extent.width;
  png.height = extent.height;
  png.format = PNG_FORMAT_RGB;
  return png_image_write_to_file(&png, path, 0, pixels.data(), 0, nullptr) != 0;
}

} // namespace

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : "mandelbrot.png";
  VkExtent3D extent = {512, 512, 1};
  if (argc > 3)
    extent = {uint32_t(std::atoi(argv[2])), uint32_t(std::atoi(argv[3])), 1};
  if (argc == 3 || argc > 4 || extent.width - 1 >= 4096 || extent.height - 1 >= 4096) {
    std::fprintf(stderr, "usage: mandelbrot [FILE.png [WIDTH HEIGHT]], at most 4096 each\n");
    return 2;
  }
  Context c = createContext();
  Pipeline p = createPipeline(c);
  Buffer uniforms = createBuffer(c, sizeof(View), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  View view = {{-0.65F, 0.0F}, 2.6F, 200};
  std::memcpy(uniforms.mapped, &view, sizeof(view));
  Image image = createImage(c, extent);
  Buffer readback = createBuffer(c, VkDeviceSize(extent.width) * extent.height * 4,
                                 VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  VkDescriptorPool pool;
  VkDescriptorSet set = createSet(c, p, uniforms.buffer, image.view, pool);
  render(c, p, set, image.image, extent, readback.buffer);
  bool written = writePng(path, static_cast<uint32_t *>(readback.mapped), extent, view.limit);
  std::printf(written ? "wrote %s\n" : "cannot write %s\n", path);

  vkDestroyDescriptorPool(c.device, pool, nullptr);
  destroy(c, readback);
  destroy(c, uniforms);
  vkDestroyImageView(c.device, image.view, nullptr);
  vkDestroyImage(c.device, image.image, nullptr);
  vkFreeMemory(c.device, image.memory, nullptr);
  vkDestroyPipeline(c.device, p.pipeline, nullptr);
  vkDestroyPipelineLayout(c.device, p.layout, nullptr);
  vkDestroyDescriptorSetLayout(c.device, p.setLayout, nullptr);
  vkDestroyDevice(c.device, nullptr);
  vkDestroyInstance(c.instance, nullptr);
  return written ? 0 : 1;
}
