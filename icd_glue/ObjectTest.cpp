//===- ObjectTest.cpp - handles, host memory, chains ----------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/Object.h"
#include "icd_glue/device/TestDevice.h"
#include "icd_glue/sync/Fence.h"
#include <array>

using namespace icd;

namespace {

TEST(Object, handlesAreAddressesAndCarryTheLoadersWord) {
  Fence fence(true);
  VkFence handle = toHandle(&fence);
  EXPECT_EQ(fromHandle<Fence>(handle), &fence);
  EXPECT_TRUE(valid_loader_magic_value(&fence));
  EXPECT_EQ(fence.objectType, VK_OBJECT_TYPE_FENCE);
  EXPECT_EQ(fromHandle<Fence>(VK_NULL_HANDLE), nullptr);
  EXPECT_EQ(toHandle(static_cast<Fence *>(nullptr)), static_cast<VkFence>(VK_NULL_HANDLE));
}

TEST(Object, listsAreWrittenAsVulkanDoes) {
  const std::array<int, 3> range = {1, 2, 3};
  auto copy = [](int value, int &out) { out = value; };
  uint32_t count = 0;
  EXPECT_EQ(writeList(range, &count, static_cast<int *>(nullptr), copy), VK_SUCCESS);
  EXPECT_EQ(count, 3u);
  int output[4] = {};
  count = 2;
  EXPECT_EQ(writeList(range, &count, output, copy), VK_INCOMPLETE);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(output[2], 0);
  count = 4;
  EXPECT_EQ(writeList(range, &count, output, copy), VK_SUCCESS);
  EXPECT_EQ(count, 3u);
  EXPECT_EQ(output[2], 3);
}

TEST(Object, chainsAreSearchedByType) {
  auto second = vkStruct<VkPhysicalDeviceVulkan12Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  auto first = vkStruct<VkPhysicalDeviceVulkan11Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, &second);
  EXPECT_EQ(findInChain<VkPhysicalDeviceVulkan12Features>(
                &first, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES),
            &second);
  EXPECT_EQ(findInChain(&first, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES), nullptr);
  EXPECT_EQ(findInChain(nullptr, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES), nullptr);
}

/// Counts what it gives out, and gives nothing once the budget is used up.
struct Budget {
  int left = 0, live = 0;
  VkAllocationCallbacks callbacks() {
    VkAllocationCallbacks result = defaultAllocationCallbacks();
    result.pUserData = this;
    result.pfnAllocation = [](void *user, size_t size, size_t alignment,
                              VkSystemAllocationScope scope) -> void * {
      Budget &budget = *static_cast<Budget *>(user);
      if (budget.left-- <= 0)
        return nullptr;
      ++budget.live;
      return defaultAllocationCallbacks().pfnAllocation(nullptr, size, alignment, scope);
    };
    result.pfnFree = [](void *user, void *memory) {
      static_cast<Budget *>(user)->live -= memory != nullptr;
      defaultAllocationCallbacks().pfnFree(nullptr, memory);
    };
    return result;
  }
};

using HostMemory = TestDevice;

TEST_F(HostMemory, everyCreationReportsWhenTheCallbackHasNone) {
  Budget budget;
  const VkAllocationCallbacks callbacks = budget.callbacks();
  auto instanceInfo = vkStruct<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
  VkInstance madeInstance = VK_NULL_HANDLE;
  EXPECT_EQ(CreateInstance(&instanceInfo, &callbacks, &madeInstance), VK_ERROR_OUT_OF_HOST_MEMORY);
  const float priority = 1;
  auto queueInfo = vkStruct<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queueInfo.queueCount = 1;
  queueInfo.pQueuePriorities = &priority;
  auto deviceInfo = vkStruct<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
  deviceInfo.queueCreateInfoCount = 1;
  deviceInfo.pQueueCreateInfos = &queueInfo;
  VkDevice madeDevice = VK_NULL_HANDLE;
  // The device, then its queue.
  for (int available : {0, 1}) {
    budget.left = available;
    EXPECT_EQ(CreateDevice(physicalDevice, &deviceInfo, &callbacks, &madeDevice),
              VK_ERROR_OUT_OF_HOST_MEMORY);
    EXPECT_EQ(budget.live, 0);
  }
  budget.left = 0;
  auto fenceInfo = vkStruct<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
  VkFence fence = VK_NULL_HANDLE;
  EXPECT_EQ(CreateFence(device, &fenceInfo, &callbacks, &fence), VK_ERROR_OUT_OF_HOST_MEMORY);
  auto bufferInfo = vkStruct<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  bufferInfo.size = 16;
  VkBuffer buffer = VK_NULL_HANDLE;
  EXPECT_EQ(CreateBuffer(device, &bufferInfo, &callbacks, &buffer), VK_ERROR_OUT_OF_HOST_MEMORY);
  auto memoryInfo = vkStruct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  memoryInfo.allocationSize = 4096;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  EXPECT_EQ(AllocateMemory(device, &memoryInfo, &callbacks, &memory), VK_ERROR_OUT_OF_HOST_MEMORY);
}

TEST_F(HostMemory, callbacksGetEverythingBack) {
  Budget budget;
  budget.left = 100;
  const VkAllocationCallbacks callbacks = budget.callbacks();
  auto info = vkStruct<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
  VkFence fence = VK_NULL_HANDLE;
  ASSERT_EQ(CreateFence(device, &info, &callbacks, &fence), VK_SUCCESS);
  EXPECT_EQ(budget.live, 1);
  DestroyFence(device, fence, &callbacks);
  EXPECT_EQ(budget.live, 0);
  auto instanceInfo = vkStruct<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
  VkInstance made = VK_NULL_HANDLE;
  ASSERT_EQ(CreateInstance(&instanceInfo, &callbacks, &made), VK_SUCCESS);
  DestroyInstance(made, &callbacks);
  EXPECT_EQ(budget.live, 0);
}

TEST_F(HostMemory, namesAndPrivateDataBelongToTheObject) {
  auto slotInfo =
      vkStruct<VkPrivateDataSlotCreateInfo>(VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO);
  VkPrivateDataSlot slot = VK_NULL_HANDLE;
  ASSERT_EQ(CreatePrivateDataSlot(device, &slotInfo, nullptr, &slot), VK_SUCCESS);
  auto info = vkStruct<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
  VkFence fence = VK_NULL_HANDLE;
  ASSERT_EQ(CreateFence(device, &info, nullptr, &fence), VK_SUCCESS);
  const uint64_t raw = reinterpret_cast<uintptr_t>(fence);
  uint64_t value = 1;
  GetPrivateData(device, VK_OBJECT_TYPE_FENCE, raw, slot, &value);
  EXPECT_EQ(value, 0u);
  EXPECT_EQ(SetPrivateData(device, VK_OBJECT_TYPE_FENCE, raw, slot, 42), VK_SUCCESS);
  GetPrivateData(device, VK_OBJECT_TYPE_FENCE, raw, slot, &value);
  EXPECT_EQ(value, 42u);
  // A slot made later has no values, even at the same address.
  DestroyPrivateDataSlot(device, slot, nullptr);
  ASSERT_EQ(CreatePrivateDataSlot(device, &slotInfo, nullptr, &slot), VK_SUCCESS);
  GetPrivateData(device, VK_OBJECT_TYPE_FENCE, raw, slot, &value);
  EXPECT_EQ(value, 0u);

  auto name =
      vkStruct<VkDebugUtilsObjectNameInfoEXT>(VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT);
  name.objectType = VK_OBJECT_TYPE_FENCE;
  name.objectHandle = raw;
  name.pObjectName = "frame done";
  EXPECT_EQ(SetDebugUtilsObjectNameEXT(device, &name), VK_SUCCESS);
  EXPECT_EQ(fromHandle<Fence>(fence)->debugName(), "frame done");
  EXPECT_TRUE(isOwnType(VK_OBJECT_TYPE_SHADER_EXT));
  EXPECT_FALSE(isOwnType(VK_OBJECT_TYPE_SURFACE_KHR)); // the loader's
  DestroyPrivateDataSlot(device, slot, nullptr);
  DestroyFence(device, fence, nullptr);
}

} // namespace
