// SPDX-License-Identifier: MIT
// VK_EXT_device_memory_report: callbacks are told which memory comes and goes.
#include "Pipelines.h"
#include <cstdlib>
#include <mutex>
#include <optional>

namespace api {
namespace {

using Event = VkDeviceMemoryReportCallbackDataEXT;

struct Listener {
  std::mutex mutex;
  std::vector<Event> events;

  static VKAPI_ATTR void VKAPI_CALL take(const Event *event, void *self) {
    EXPECT_EQ(event->sType, VK_STRUCTURE_TYPE_DEVICE_MEMORY_REPORT_CALLBACK_DATA_EXT);
    auto *listener = static_cast<Listener *>(self);
    std::lock_guard lock(listener->mutex);
    listener->events.push_back(*event);
  }
  /// The last one; of no type, if there is none.
  Event last() {
    std::lock_guard lock(mutex);
    return events.empty() ? Event{} : events.back();
  }
  size_t count() {
    std::lock_guard lock(mutex);
    return events.size();
  }
};

class MemoryReportApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.isKiln()) // what other drivers report is theirs
      GTEST_SKIP() << "no VK_EXT_device_memory_report";
    if (std::getenv("VK_INSTANCE_LAYERS"))
      GTEST_SKIP() << "layers have handles of their own";
    ASSERT_TRUE(gpu.hasExtension(VK_EXT_DEVICE_MEMORY_REPORT_EXTENSION_NAME));
    for (size_t index = 0; index < 2; ++index) {
      reports[index] = vkStruct<VkDeviceDeviceMemoryReportCreateInfoEXT>(
          VK_STRUCTURE_TYPE_DEVICE_DEVICE_MEMORY_REPORT_CREATE_INFO_EXT,
          index ? &reports[index - 1] : nullptr);
      reports[index].pfnUserCallback = Listener::take;
      reports[index].pUserData = &listeners[index];
    }
    features = vkStruct<VkPhysicalDeviceDeviceMemoryReportFeaturesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_MEMORY_REPORT_FEATURES_EXT, &reports[1]);
    device.emplace(GetParam(), &features);
    ASSERT_TRUE(features.deviceMemoryReport);
  }

  VkResult allocate(VkDeviceSize size, VkDeviceMemory &memory, const void *next = nullptr) {
    auto info = vkStruct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, next);
    info.allocationSize = size;
    return device->vk.AllocateMemory(device->device, &info, nullptr, &memory);
  }
  /// The last event, which both listeners have.
  Event expect(VkDeviceMemoryReportEventTypeEXT type, uint64_t object, VkDeviceSize least,
               VkObjectType objectType = VK_OBJECT_TYPE_DEVICE_MEMORY) {
    EXPECT_EQ(listeners[0].count(), listeners[1].count());
    const Event event = listeners[0].last();
    EXPECT_EQ(event.type, type);
    EXPECT_EQ(event.objectType, objectType);
    EXPECT_EQ(event.objectHandle, object);
    EXPECT_GE(event.size, least);
    EXPECT_EQ(event.heapIndex, 0u);
    return event;
  }

  Listener listeners[2];
  VkDeviceDeviceMemoryReportCreateInfoEXT reports[2];
  VkPhysicalDeviceDeviceMemoryReportFeaturesEXT features = {};
  std::optional<Gpu> device;
};
API_TESTS_ON_ALL_DEVICES(MemoryReportApi);

template <typename Handle> uint64_t number(Handle handle) {
  return reinterpret_cast<uint64_t>(handle);
}

TEST_P(MemoryReportApi, Memory) {
  VkDeviceMemory first = VK_NULL_HANDLE, second = VK_NULL_HANDLE, none = VK_NULL_HANDLE;
  VK_OK(allocate(1000, first));
  const uint64_t firstId =
      expect(VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATE_EXT, number(first), 1000).memoryObjectId;
  VK_OK(allocate(3000, second));
  const uint64_t secondId =
      expect(VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATE_EXT, number(second), 3000).memoryObjectId;
  EXPECT_NE(firstId, secondId);
  device->vk.FreeMemory(device->device, first, nullptr);
  EXPECT_EQ(expect(VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_FREE_EXT, number(first), 1000).memoryObjectId,
            firstId);
  device->vk.FreeMemory(device->device, second, nullptr);
  EXPECT_EQ(
      expect(VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_FREE_EXT, number(second), 3000).memoryObjectId,
      secondId);
  const size_t before = listeners[0].count();
  device->vk.FreeMemory(device->device, VK_NULL_HANDLE, nullptr);
  EXPECT_EQ(listeners[0].count(), before);

  const VkDeviceSize tooMuch = VkDeviceSize(1) << 50;
  EXPECT_EQ(allocate(tooMuch, none), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  (void)expect(VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATION_FAILED_EXT, 0, tooMuch);
}

TEST_P(MemoryReportApi, WhoeverSharesMemorySeesTheSameNumber) {
  auto exports =
      vkStruct<VkExportMemoryAllocateInfo>(VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO);
  exports.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  VkDeviceMemory ours = VK_NULL_HANDLE, theirs = VK_NULL_HANDLE;
  VK_OK(allocate(4096, ours, &exports));
  const Event made = expect(VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATE_EXT, number(ours), 4096);
  auto get = vkStruct<VkMemoryGetFdInfoKHR>(VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR);
  get.memory = ours;
  get.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  auto import = vkStruct<VkImportMemoryFdInfoKHR>(VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
  import.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  VK_OK(device->vk.GetMemoryFdKHR(device->device, &get, &import.fd));
  VK_OK(allocate(4096, theirs, &import));
  EXPECT_EQ(
      expect(VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_IMPORT_EXT, number(theirs), 4096).memoryObjectId,
      made.memoryObjectId);
  device->vk.FreeMemory(device->device, ours, nullptr);
  EXPECT_EQ(expect(VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_FREE_EXT, number(ours), 4096).memoryObjectId,
            made.memoryObjectId);
  device->vk.FreeMemory(device->device, theirs, nullptr);
  EXPECT_EQ(
      expect(VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_UNIMPORT_EXT, number(theirs), 4096).memoryObjectId,
      made.memoryObjectId);
}

TEST_P(MemoryReportApi, DescriptorPools) {
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 8};
  auto info = vkStruct<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
  info.maxSets = 1;
  info.poolSizeCount = 1;
  info.pPoolSizes = &size;
  VkDescriptorPool pool = VK_NULL_HANDLE;
  VK_OK(device->vk.CreateDescriptorPool(device->device, &info, nullptr, &pool));
  const Event made = expect(VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATE_EXT, number(pool), 8 * 16,
                            VK_OBJECT_TYPE_DESCRIPTOR_POOL);
  device->vk.DestroyDescriptorPool(device->device, pool, nullptr);
  EXPECT_EQ(expect(VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_FREE_EXT, number(pool), 8 * 16,
                   VK_OBJECT_TYPE_DESCRIPTOR_POOL)
                .memoryObjectId,
            made.memoryObjectId);
}

} // namespace
} // namespace api
