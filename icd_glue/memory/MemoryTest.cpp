//===- MemoryTest.cpp - memory, buffers, queries --------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/context/OpcodeCounts.h"
#include "icd_glue/device/TestDevice.h"
#include "icd_glue/memory/Buffer.h"
#include "icd_glue/sync/QueryPool.h"
#include <array>

using namespace icd;

namespace {

using MemoryTest = TestDevice;

TEST_F(MemoryTest, buffersLieInMemory) {
  auto info = vkStruct<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.size = 1000;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  VkBuffer buffer = VK_NULL_HANDLE;
  ASSERT_EQ(CreateBuffer(device, &info, nullptr, &buffer), VK_SUCCESS);
  VkMemoryRequirements requirements = {};
  GetBufferMemoryRequirements(device, buffer, &requirements);
  EXPECT_GE(requirements.size, 1000u);
  EXPECT_EQ(requirements.memoryTypeBits, 0b1011u); // all but that for descriptors
  auto query = vkStruct<VkDeviceBufferMemoryRequirements>(
      VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS);
  query.pCreateInfo = &info;
  auto again = vkStruct<VkMemoryRequirements2>(VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2);
  GetDeviceBufferMemoryRequirements(device, &query, &again);
  EXPECT_EQ(again.memoryRequirements.size, requirements.size);

  auto allocate = vkStruct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  allocate.allocationSize = requirements.size + requirements.alignment;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  ASSERT_EQ(AllocateMemory(device, &allocate, nullptr, &memory), VK_SUCCESS);
  ASSERT_EQ(BindBufferMemory(device, buffer, memory, requirements.alignment), VK_SUCCESS);
  auto addressInfo =
      vkStruct<VkBufferDeviceAddressInfo>(VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO);
  addressInfo.buffer = buffer;
  const VkDeviceAddress address = GetBufferDeviceAddress(device, &addressInfo);
  EXPECT_EQ(address % requirements.alignment, 0u);
  void *mapped = nullptr;
  ASSERT_EQ(MapMemory(device, memory, requirements.alignment, VK_WHOLE_SIZE, 0, &mapped),
            VK_SUCCESS);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(mapped) % 64, 0u); // minMemoryMapAlignment
  static_cast<uint32_t *>(mapped)[3] = 0xABCD;
  const uint8_t *seen = object().gpu().translate(address, 1000);
  ASSERT_EQ(seen, mapped);
  UnmapMemory(device, memory);
  DestroyBuffer(device, buffer, nullptr);
  FreeMemory(device, memory, nullptr);
  EXPECT_EQ(object().gpu().translate(address, 1), nullptr);
}

TEST_F(MemoryTest, theHeapIsFiniteAndItsUseIsTold) {
  auto budget = vkStruct<VkPhysicalDeviceMemoryBudgetPropertiesEXT>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT);
  auto properties = vkStruct<VkPhysicalDeviceMemoryProperties2>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, &budget);
  auto usage = [&] {
    GetPhysicalDeviceMemoryProperties2(physicalDevice, &properties);
    return budget.heapUsage[0];
  };
  EXPECT_EQ(usage(), 0u);
  EXPECT_EQ(budget.heapBudget[0], properties.memoryProperties.memoryHeaps[0].size);
  auto allocate = vkStruct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  allocate.allocationSize = 1 << 20;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  ASSERT_EQ(AllocateMemory(device, &allocate, nullptr, &memory), VK_SUCCESS);
  EXPECT_EQ(usage(), 1u << 20);
  PhysicalDevice &physical = object().physicalDevice();
  EXPECT_FALSE(physical.takeMemory(budget.heapBudget[0] - (1 << 20) + 1));
  EXPECT_TRUE(physical.takeMemory(budget.heapBudget[0] - (1 << 20)));
  VkDeviceMemory more = VK_NULL_HANDLE;
  EXPECT_EQ(AllocateMemory(device, &allocate, nullptr, &more), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  physical.returnMemory(budget.heapBudget[0] - (1 << 20));
  FreeMemory(device, memory, nullptr);
  EXPECT_EQ(usage(), 0u);
}

TEST_F(MemoryTest, tooMuchIsAnError) {
  auto allocate = vkStruct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  allocate.allocationSize = uint64_t(1) << 62;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  EXPECT_EQ(AllocateMemory(device, &allocate, nullptr, &memory), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  auto info = vkStruct<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.size = uint64_t(1) << 62;
  VkBuffer buffer = VK_NULL_HANDLE;
  EXPECT_EQ(CreateBuffer(device, &info, nullptr, &buffer), VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

TEST_F(MemoryTest, timestampsAreWrittenAsAskedFor) {
  auto info = vkStruct<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = 2;
  VkQueryPool pool = VK_NULL_HANDLE;
  ASSERT_EQ(CreateQueryPool(device, &info, nullptr, &pool), VK_SUCCESS);
  ResetQueryPool(device, pool, 0, 2);
  const uint64_t before = QueryPool::now();
  fromHandle<QueryPool>(pool)->writeTimestamp(1);
  std::array<uint64_t, 4> wide = {7, 7, 7, 7};
  const VkQueryResultFlags flags = VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT;
  EXPECT_EQ(GetQueryPoolResults(device, pool, 0, 2, sizeof(wide), wide.data(), 16, flags),
            VK_NOT_READY);
  EXPECT_EQ(wide[0], 7u); // not available: not written
  EXPECT_EQ(wide[1], 0u);
  EXPECT_GE(wide[2], before);
  EXPECT_EQ(wide[3], 1u);
  std::array<uint32_t, 2> narrow = {9, 9};
  EXPECT_EQ(GetQueryPoolResults(device, pool, 1, 1, sizeof(narrow), narrow.data(), 4, 0),
            VK_SUCCESS);
  EXPECT_EQ(narrow[0], static_cast<uint32_t>(wide[2]));
  EXPECT_EQ(narrow[1], 9u);
  DestroyQueryPool(device, pool, nullptr);
}

TEST_F(MemoryTest, imagesLargerThanTheirBoundAreRefused) {
  auto info = vkStruct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = VK_FORMAT_R32G32B32A32_SFLOAT;
  info.extent = {16384, 16384, 1};
  info.mipLevels = 1;
  info.arrayLayers = 1; // 2^32 bytes
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
  VkImageFormatProperties limits = {};
  ASSERT_EQ(GetPhysicalDeviceImageFormatProperties(physicalDevice, info.format, info.imageType,
                                                   info.tiling, info.usage, 0, &limits),
            VK_SUCCESS);
  EXPECT_EQ(limits.maxResourceSize, uint64_t(1) << 32);
  VkImage image = VK_NULL_HANDLE;
  ASSERT_EQ(CreateImage(device, &info, nullptr, &image), VK_SUCCESS);
  DestroyImage(device, image, nullptr);
  info.arrayLayers = 2;
  EXPECT_EQ(CreateImage(device, &info, nullptr, &image), VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

TEST_F(MemoryTest, queriesThatDoNotExistAreLeftAlone) {
  auto info = vkStruct<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = UINT32_MAX;
  VkQueryPool pool = VK_NULL_HANDLE;
  EXPECT_EQ(CreateQueryPool(device, &info, nullptr, &pool), VK_ERROR_OUT_OF_HOST_MEMORY);
  info.queryCount = 2;
  ASSERT_EQ(CreateQueryPool(device, &info, nullptr, &pool), VK_SUCCESS);
  fromHandle<QueryPool>(pool)->writeTimestamp(0);
  ResetQueryPool(device, pool, 1, UINT32_MAX);
  ResetQueryPool(device, pool, UINT32_MAX, 2);
  std::array<uint64_t, 3> values = {7, 7, 7};
  EXPECT_EQ(GetQueryPoolResults(device, pool, 0, 3, sizeof(values), values.data(), 8,
                                VK_QUERY_RESULT_64_BIT),
            VK_NOT_READY); // the second was never written
  EXPECT_NE(values[0], 7u);
  EXPECT_EQ(values[2], 7u);
  DestroyQueryPool(device, pool, nullptr);
}

TEST(OpcodeCounts, oneLineEach) {
  EXPECT_EQ(formatOpcodeCounts("gfx1100", {{{"v_add_f32", "dpp16"}, 3}, {{"s_endpgm", ""}, 1}}),
            "gfx1100 s_endpgm - 1\ngfx1100 v_add_f32 dpp16 3\n");
}

} // namespace
