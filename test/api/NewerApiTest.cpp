// SPDX-License-Identifier: MIT
// Extensions that are newer than the headers of Debian 13 (icd_glue/generate/newer.xml):
// VK_KHR_maintenance9, VK_KHR_copy_memory_indirect, VK_KHR_internally_synchronized_queues,
// VK_EXT_zero_initialize_device_memory.
#include "Pipelines.h"
#include <algorithm>
#include <cstring>
#include <optional>
#include <thread>

namespace api {
namespace {

class NewerApi : public ApiTest {
protected:
  /// A device with the extension and a feature structure that is enabled; none: the test is
  /// skipped.
  template <typename Features>
  std::optional<Gpu> &with(const char *extension, Features &features, VkStructureType type) {
    if (gpu.hasExtension(extension)) {
      features = vkStruct<Features>(type);
      device.emplace(GetParam(), &features);
    }
    return device;
  }
  std::optional<Gpu> device;
};
API_TESTS_ON_ALL_DEVICES(NewerApi);

//===--- VK_KHR_copy_memory_indirect --------------------------------------===//

class IndirectCopyApi : public NewerApi {
protected:
  void SetUp() override {
    if (!with(VK_KHR_COPY_MEMORY_INDIRECT_EXTENSION_NAME, features,
              VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COPY_MEMORY_INDIRECT_FEATURES_KHR))
      GTEST_SKIP() << "no VK_KHR_copy_memory_indirect";
    ASSERT_TRUE(features.indirectMemoryCopy && features.indirectMemoryToImageCopy);
    source = device->buffer(4096);
    list = device->buffer(4096);
    target = device->buffer(4096);
    for (uint32_t i = 0; i < 1024; ++i)
      source.data[i] = 0x1000 + i;
  }
  template <typename Command> void put(uint32_t at, const Command &command) {
    std::memcpy(reinterpret_cast<uint8_t *>(list.data) + at, &command, sizeof(command));
  }

  VkPhysicalDeviceCopyMemoryIndirectFeaturesKHR features = {};
  Buffer source, list, target;
};
API_TESTS_ON_ALL_DEVICES(IndirectCopyApi);

TEST_P(IndirectCopyApi, MemoryToMemory) {
  constexpr uint32_t stride = 40;
  auto info =
      vkStruct<VkCopyMemoryIndirectInfoKHR>(VK_STRUCTURE_TYPE_COPY_MEMORY_INDIRECT_INFO_KHR);
  info.copyCount = 3;
  info.copyAddressRange = {list.address + 16, 3 * stride, stride};
  VkCommandBuffer c = device->begin();
  device->vk.CmdCopyMemoryIndirectKHR(c, &info);
  device->barrier(c);
  // The list is read when the queue comes to it.
  put(16, VkCopyMemoryIndirectCommandKHR{source.address + 4, target.address, 8});
  put(16 + stride, VkCopyMemoryIndirectCommandKHR{source.address, target.address + 64, 0});
  put(16 + 2 * stride,
      VkCopyMemoryIndirectCommandKHR{source.address + 400, target.address + 100, 400});
  VK_OK(device->finish(c));
  for (uint32_t i = 0; i < 1024; ++i) {
    const uint32_t expected = i < 2 ? 0x1001 + i : i >= 25 && i < 125 ? 0x1000 + 100 + i - 25 : 0;
    ASSERT_EQ(target.data[i], expected) << i;
  }
}

/// Slices of 3D images are given as layers ("vkCmdCopyMemoryToImageIndirectKHR").
TEST_P(IndirectCopyApi, MemoryToSlices) {
  auto create = vkStruct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
  create.imageType = VK_IMAGE_TYPE_3D;
  create.format = VK_FORMAT_R32_UINT;
  create.extent = {4, 4, 8};
  create.mipLevels = create.arrayLayers = 1;
  create.samples = VK_SAMPLE_COUNT_1_BIT;
  create.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  const Image image = device->image(create);
  // Slices 1 to 5, then all from slice 6 on.
  const VkImageSubresourceLayers parts[2] = {
      {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 5},
      {VK_IMAGE_ASPECT_COLOR_BIT, 0, 6, VK_REMAINING_ARRAY_LAYERS}};
  put(0, VkCopyMemoryToImageIndirectCommandKHR{source.address, 0, 0, parts[0], {}, {4, 4, 1}});
  put(64, VkCopyMemoryToImageIndirectCommandKHR{
              source.address + 1024, 0, 0, parts[1], {1, 2, 0}, {2, 1, 1}});
  auto info = vkStruct<VkCopyMemoryToImageIndirectInfoKHR>(
      VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INDIRECT_INFO_KHR);
  info.copyCount = 2;
  info.copyAddressRange = {list.address, 128, 64};
  info.dstImage = image.handle;
  info.dstImageLayout = VK_IMAGE_LAYOUT_GENERAL;
  info.pImageSubresources = parts;
  VkCommandBuffer c = device->begin();
  const VkClearColorValue clear = {};
  const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  device->vk.CmdClearColorImage(c, image.handle, VK_IMAGE_LAYOUT_GENERAL, &clear, 1, &all);
  device->barrier(c);
  device->vk.CmdCopyMemoryToImageIndirectKHR(c, &info);
  device->barrier(c);
  VkBufferImageCopy region = {};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = create.extent;
  device->vk.CmdCopyImageToBuffer(c, image.handle, VK_IMAGE_LAYOUT_GENERAL, target.handle, 1,
                                  &region);
  device->barrier(c);
  VK_OK(device->finish(c));
  for (uint32_t i = 0; i < 128; ++i) {
    const uint32_t x = i % 4, y = i / 4 % 4, z = i / 16;
    const bool isInside = x >= 1 && x < 3 && y == 2 && z >= 6;
    const uint32_t expected = z >= 1 && z < 6 ? 0x1000 + i - 16
                              : isInside      ? 0x1100 + (z - 6) * 2 + x - 1
                                              : 0;
    EXPECT_EQ(target.data[i], expected) << x << " " << y << " " << z;
  }
}

TEST_P(IndirectCopyApi, MemoryToImage) {
  const Image image = device->image(VK_FORMAT_R32_UINT, 8, 8, nullptr, 2);
  auto features3 = vkStruct<VkFormatProperties3>(VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3);
  auto format = vkStruct<VkFormatProperties2>(VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, &features3);
  device->vk.GetPhysicalDeviceFormatProperties2(device->physicalDevice, VK_FORMAT_R32_UINT,
                                                &format);
  EXPECT_TRUE(features3.optimalTilingFeatures &
              VK_FORMAT_FEATURE_2_COPY_IMAGE_INDIRECT_DST_BIT_KHR);
  // All of layer 0 from tight rows, then 3x2 texels at (2, 5) of layer 1 from rows of 16 texels.
  const VkImageSubresourceLayers parts[2] = {{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                             {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 1}};
  put(0, VkCopyMemoryToImageIndirectCommandKHR{source.address, 0, 0, parts[0], {}, {8, 8, 1}});
  put(64, VkCopyMemoryToImageIndirectCommandKHR{
              source.address + 1024, 16, 0, parts[1], {2, 5, 0}, {3, 2, 1}});
  auto info = vkStruct<VkCopyMemoryToImageIndirectInfoKHR>(
      VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INDIRECT_INFO_KHR);
  info.copyCount = 2;
  info.copyAddressRange = {list.address, 128, 64};
  info.dstImage = image.handle;
  info.dstImageLayout = VK_IMAGE_LAYOUT_GENERAL;
  info.pImageSubresources = parts;
  VkCommandBuffer c = device->begin();
  const VkClearColorValue clear = {};
  const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 2};
  device->vk.CmdClearColorImage(c, image.handle, VK_IMAGE_LAYOUT_GENERAL, &clear, 1, &all);
  device->barrier(c);
  device->vk.CmdCopyMemoryToImageIndirectKHR(c, &info);
  device->readBack(c, image, target, 8, 2);
  VK_OK(device->finish(c));
  for (uint32_t y = 0; y < 8; ++y)
    for (uint32_t x = 0; x < 8; ++x) {
      EXPECT_EQ(target.data[y * 8 + x], 0x1000 + y * 8 + x);
      const bool isInside = x >= 2 && x < 5 && y >= 5 && y < 7;
      EXPECT_EQ(target.data[64 + y * 8 + x], isInside ? 0x1100 + (y - 5) * 16 + x - 2 : 0);
    }
}

//===--- VK_KHR_maintenance9 ----------------------------------------------===//

TEST_P(NewerApi, DevicesWithoutQueuesCompile) {
  if (!gpu.hasExtension(VK_KHR_MAINTENANCE_9_EXTENSION_NAME))
    GTEST_SKIP() << "no VK_KHR_maintenance9";
  auto features = vkStruct<VkPhysicalDeviceMaintenance9FeaturesKHR>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_9_FEATURES_KHR);
  features.maintenance9 = VK_TRUE;
  const char *extension = VK_KHR_MAINTENANCE_9_EXTENSION_NAME;
  auto info = vkStruct<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features);
  info.enabledExtensionCount = 1;
  info.ppEnabledExtensionNames = &extension;
  VkDevice made = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateDevice(gpu.physicalDevice, &info, nullptr, &made));
  const std::vector<uint32_t> words =
      gpu.spirv("#version 450\nlayout(local_size_x = 64) in;\nvoid main() {}\n", "comp");
  auto moduleInfo = vkStruct<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  moduleInfo.codeSize = words.size() * 4;
  moduleInfo.pCode = words.data();
  VkShaderModule module = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateShaderModule(made, &moduleInfo, nullptr, &module));
  auto layoutInfo =
      vkStruct<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreatePipelineLayout(made, &layoutInfo, nullptr, &layout));
  auto cacheInfo =
      vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
  VkPipelineCache cache = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreatePipelineCache(made, &cacheInfo, nullptr, &cache));
  size_t empty = 0, full = 0;
  VK_OK(gpu.vk.GetPipelineCacheData(made, cache, &empty, nullptr));
  auto pipelineInfo =
      vkStruct<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
  pipelineInfo.stage = vkStruct<VkPipelineShaderStageCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
  pipelineInfo.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  pipelineInfo.stage.module = module;
  pipelineInfo.stage.pName = "main";
  pipelineInfo.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateComputePipelines(made, cache, 1, &pipelineInfo, nullptr, &pipeline));
  VK_OK(gpu.vk.GetPipelineCacheData(made, cache, &full, nullptr));
  EXPECT_GT(full, empty);
  VK_OK(gpu.vk.DeviceWaitIdle(made));
  gpu.vk.DestroyPipeline(made, pipeline, nullptr);
  gpu.vk.DestroyPipelineCache(made, cache, nullptr);
  gpu.vk.DestroyPipelineLayout(made, layout, nullptr);
  gpu.vk.DestroyShaderModule(made, module, nullptr);
  gpu.vk.DestroyDevice(made, nullptr);
}

TEST_P(NewerApi, QueriesThatAreResetWhenTheyAreMade) {
  VkPhysicalDeviceMaintenance9FeaturesKHR features;
  if (!with(VK_KHR_MAINTENANCE_9_EXTENSION_NAME, features,
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_9_FEATURES_KHR))
    GTEST_SKIP() << "no VK_KHR_maintenance9";
  ASSERT_TRUE(features.maintenance9);
  auto info = vkStruct<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
  info.flags = VK_QUERY_POOL_CREATE_RESET_BIT_KHR;
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = 2;
  VkQueryPool pool = VK_NULL_HANDLE;
  VK_OK(device->vk.CreateQueryPool(device->device, &info, nullptr, &pool));
  uint64_t values[2][2] = {{7, 7}, {7, 7}};
  auto read = [&] {
    return device->vk.GetQueryPoolResults(device->device, pool, 0, 2, sizeof(values), values, 16,
                                          VK_QUERY_RESULT_64_BIT |
                                              VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
  };
  EXPECT_EQ(read(), VK_NOT_READY);
  EXPECT_EQ(values[0][1], 0u);
  EXPECT_EQ(values[1][1], 0u);
  device->run([&](VkCommandBuffer c) {
    device->vk.CmdWriteTimestamp(c, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, 1);
  });
  EXPECT_EQ(read(), VK_NOT_READY);
  EXPECT_EQ(values[0][1], 0u);
  EXPECT_EQ(values[1][1], 1u);
  device->vk.DestroyQueryPool(device->device, pool, nullptr);
}

TEST_P(NewerApi, Maintenance9Properties) {
  if (!gpu.hasExtension(VK_KHR_MAINTENANCE_9_EXTENSION_NAME))
    GTEST_SKIP() << "no VK_KHR_maintenance9";
  auto transfers = vkStruct<VkQueueFamilyOwnershipTransferPropertiesKHR>(
      VK_STRUCTURE_TYPE_QUEUE_FAMILY_OWNERSHIP_TRANSFER_PROPERTIES_KHR);
  auto family =
      vkStruct<VkQueueFamilyProperties2>(VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2, &transfers);
  uint32_t count = 1;
  gpu.vk.GetPhysicalDeviceQueueFamilyProperties2(gpu.physicalDevice, &count, &family);
  EXPECT_EQ(transfers.optimalImageTransferToQueueFamilies, 1u); // there is one family
  auto properties = vkStruct<VkPhysicalDeviceMaintenance9PropertiesKHR>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_9_PROPERTIES_KHR);
  auto all = vkStruct<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                                   &properties);
  gpu.vk.GetPhysicalDeviceProperties2(gpu.physicalDevice, &all);
  // scripts/draw/vertex-missing.draw executes it.
  EXPECT_EQ(properties.defaultVertexAttributeValue,
            VK_DEFAULT_VERTEX_ATTRIBUTE_VALUE_ZERO_ZERO_ZERO_ZERO_KHR);
}

//===--- VK_EXT_zero_initialize_device_memory -----------------------------===//

TEST_P(NewerApi, MemoryAndImagesBeginWithZeros) {
  VkPhysicalDeviceZeroInitializeDeviceMemoryFeaturesEXT features;
  if (!with(VK_EXT_ZERO_INITIALIZE_DEVICE_MEMORY_EXTENSION_NAME, features,
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ZERO_INITIALIZE_DEVICE_MEMORY_FEATURES_EXT))
    GTEST_SKIP() << "no VK_EXT_zero_initialize_device_memory";
  ASSERT_TRUE(features.zeroInitializeDeviceMemory);
  const Functions &vk = device->vk;
  auto imageInfo = vkStruct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
  imageInfo.imageType = VK_IMAGE_TYPE_2D;
  imageInfo.format = VK_FORMAT_R32_UINT;
  imageInfo.extent = {8, 8, 1};
  imageInfo.mipLevels = imageInfo.arrayLayers = 1;
  imageInfo.samples = VK_SAMPLE_COUNT_1_BIT;
  imageInfo.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  imageInfo.initialLayout = VK_IMAGE_LAYOUT_ZERO_INITIALIZED_EXT;
  const Buffer target = device->buffer(256);
  for (unsigned round = 0; round < 3; ++round) {
    auto flags = vkStruct<VkMemoryAllocateFlagsInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
    flags.flags = VK_MEMORY_ALLOCATE_ZERO_INITIALIZE_BIT_EXT;
    auto allocate = vkStruct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags);
    allocate.allocationSize = 1 << 16;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    VK_OK(vk.AllocateMemory(device->device, &allocate, nullptr, &memory));
    void *mapped = nullptr;
    VK_OK(vk.MapMemory(device->device, memory, 0, VK_WHOLE_SIZE, 0, &mapped));
    const auto *bytes = static_cast<const uint8_t *>(mapped);
    EXPECT_TRUE(std::all_of(bytes, bytes + (1 << 16), [](uint8_t byte) { return byte == 0; }));
    VkImage image = VK_NULL_HANDLE;
    VK_OK(vk.CreateImage(device->device, &imageInfo, nullptr, &image));
    VK_OK(vk.BindImageMemory(device->device, image, memory, 0));
    std::fill_n(target.data, 64, 7u);
    device->run([&](VkCommandBuffer c) {
      auto barrier = vkStruct<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
      barrier.oldLayout = VK_IMAGE_LAYOUT_ZERO_INITIALIZED_EXT;
      barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
      barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
      barrier.image = image;
      barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
      vk.CmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                            VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1,
                            &barrier);
      device->readBack(c, {image, VK_NULL_HANDLE}, target, 8, 1);
    });
    EXPECT_TRUE(
        std::all_of(target.data, target.data + 64, [](uint32_t word) { return word == 0; }));
    std::memset(mapped, 0xA5, 1 << 16); // for whoever gets the memory next
    vk.DestroyImage(device->device, image, nullptr);
    vk.FreeMemory(device->device, memory, nullptr);
  }
}

//===--- VK_KHR_internally_synchronized_queues ----------------------------===//

TEST_P(NewerApi, ThreadsShareAQueue) {
  if (!gpu.hasExtension(VK_KHR_INTERNALLY_SYNCHRONIZED_QUEUES_EXTENSION_NAME))
    GTEST_SKIP() << "no VK_KHR_internally_synchronized_queues";
  auto features = vkStruct<VkPhysicalDeviceInternallySynchronizedQueuesFeaturesKHR>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INTERNALLY_SYNCHRONIZED_QUEUES_FEATURES_KHR);
  features.internallySynchronizedQueues = VK_TRUE;
  const float priority = 1;
  auto queueInfo = vkStruct<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queueInfo.flags = VK_DEVICE_QUEUE_CREATE_INTERNALLY_SYNCHRONIZED_BIT_KHR;
  queueInfo.queueCount = 1;
  queueInfo.pQueuePriorities = &priority;
  const char *extension = VK_KHR_INTERNALLY_SYNCHRONIZED_QUEUES_EXTENSION_NAME;
  auto info = vkStruct<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features);
  info.queueCreateInfoCount = info.enabledExtensionCount = 1;
  info.pQueueCreateInfos = &queueInfo;
  info.ppEnabledExtensionNames = &extension;
  VkDevice made = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateDevice(gpu.physicalDevice, &info, nullptr, &made));
  auto which = vkStruct<VkDeviceQueueInfo2>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2);
  which.flags = queueInfo.flags;
  VkQueue queue = VK_NULL_HANDLE;
  gpu.vk.GetDeviceQueue2(made, &which, &queue);
  ASSERT_NE(queue, VkQueue(VK_NULL_HANDLE));
  constexpr unsigned threads = 4, submits = 200;
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < threads; ++i)
    workers.emplace_back([&] {
      auto fenceInfo = vkStruct<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
      VkFence fence = VK_NULL_HANDLE;
      EXPECT_EQ(gpu.vk.CreateFence(made, &fenceInfo, nullptr, &fence), VK_SUCCESS);
      for (unsigned submit = 0; submit < submits; ++submit) {
        EXPECT_EQ(gpu.vk.QueueSubmit(queue, 0, nullptr, fence), VK_SUCCESS);
        EXPECT_EQ(gpu.vk.WaitForFences(made, 1, &fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
        EXPECT_EQ(gpu.vk.ResetFences(made, 1, &fence), VK_SUCCESS);
        if (submit % 50 == 0) {
          EXPECT_EQ(gpu.vk.QueueWaitIdle(queue), VK_SUCCESS);
        }
      }
      gpu.vk.DestroyFence(made, fence, nullptr);
    });
  for (std::thread &worker : workers)
    worker.join();
  gpu.vk.DestroyDevice(made, nullptr);
}

} // namespace
} // namespace api
