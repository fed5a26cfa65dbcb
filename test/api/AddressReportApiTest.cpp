// SPDX-License-Identifier: MIT
// VK_EXT_device_address_binding_report: messengers are told which addresses objects get and lose.
#include "Pipelines.h"
#include <cstdlib>
#include <mutex>
#include <optional>

namespace api {
namespace {

struct Event {
  VkObjectType type;
  uint64_t object;
  VkDeviceAddress address;
  VkDeviceSize size;
  VkDeviceAddressBindingTypeEXT kind;
};

/// A messenger for bindings.
class Listener {
public:
  explicit Listener(Gpu &gpu) : gpu(gpu) {
    auto info = vkStruct<VkDebugUtilsMessengerCreateInfoEXT>(
        VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
    info.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_VERBOSE_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT;
    info.pfnUserCallback = &Listener::take;
    info.pUserData = this;
    VK_OK(gpu.vk.CreateDebugUtilsMessengerEXT(gpu.instance, &info, nullptr, &messenger));
  }
  ~Listener() { gpu.vk.DestroyDebugUtilsMessengerEXT(gpu.instance, messenger, nullptr); }
  Listener(const Listener &) = delete;

  /// The last event of an object.
  std::optional<Event> last(VkObjectType type, uint64_t object) {
    std::lock_guard lock(mutex);
    std::optional<Event> found;
    for (const Event &event : events)
      if (event.type == type && event.object == object)
        found = event;
    return found;
  }
  size_t count() {
    std::lock_guard lock(mutex);
    return events.size();
  }

private:
  static VKAPI_ATTR VkBool32 VKAPI_CALL take(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                             VkDebugUtilsMessageTypeFlagsEXT types,
                                             const VkDebugUtilsMessengerCallbackDataEXT *data,
                                             void *self) {
    EXPECT_EQ(types, VkFlags(VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT));
    const auto *binding = static_cast<const VkDeviceAddressBindingCallbackDataEXT *>(data->pNext);
    if (!binding || binding->sType != VK_STRUCTURE_TYPE_DEVICE_ADDRESS_BINDING_CALLBACK_DATA_EXT ||
        data->objectCount != 1) {
      ADD_FAILURE() << "a message without a binding";
      return VK_FALSE;
    }
    auto *listener = static_cast<Listener *>(self);
    std::lock_guard lock(listener->mutex);
    listener->events.push_back({data->pObjects[0].objectType, data->pObjects[0].objectHandle,
                                binding->baseAddress, binding->size, binding->bindingType});
    return VK_FALSE;
  }

  Gpu &gpu;
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
  std::mutex mutex;
  std::vector<Event> events;
};

template <typename Handle> uint64_t number(Handle handle) {
  return reinterpret_cast<uint64_t>(handle);
}

class AddressReportApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.isKiln()) // what other drivers report is theirs
      GTEST_SKIP() << "no VK_EXT_device_address_binding_report";
    if (std::getenv("VK_INSTANCE_LAYERS"))
      GTEST_SKIP() << "layers have handles of their own";
    ASSERT_TRUE(gpu.hasExtension(VK_EXT_DEVICE_ADDRESS_BINDING_REPORT_EXTENSION_NAME));
    features = vkStruct<VkPhysicalDeviceAddressBindingReportFeaturesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ADDRESS_BINDING_REPORT_FEATURES_EXT);
    device.emplace(GetParam(), &features);
    ASSERT_TRUE(features.reportAddressBinding);
    listener.emplace(*device);
  }
  void TearDown() override { listener.reset(); }

  void expect(VkObjectType type, uint64_t object, VkDeviceAddress address, VkDeviceSize least,
              VkDeviceAddressBindingTypeEXT kind) {
    const std::optional<Event> event = listener->last(type, object);
    ASSERT_TRUE(event) << type;
    EXPECT_EQ(event->address, address);
    EXPECT_GE(event->size, least);
    EXPECT_EQ(event->kind, kind);
  }

  VkPhysicalDeviceAddressBindingReportFeaturesEXT features = {};
  std::optional<Gpu> device;
  std::optional<Listener> listener;
  static constexpr auto bound = VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT;
  static constexpr auto unbound = VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT;
};
API_TESTS_ON_ALL_DEVICES(AddressReportApi);

TEST_P(AddressReportApi, BuffersImagesAndMemory) {
  const Functions &vk = device->vk;
  auto bufferInfo = vkStruct<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  bufferInfo.size = 1000;
  bufferInfo.usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  VkBuffer buffer = VK_NULL_HANDLE;
  VK_OK(vk.CreateBuffer(device->device, &bufferInfo, nullptr, &buffer));
  auto imageInfo = vkStruct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
  imageInfo.imageType = VK_IMAGE_TYPE_2D;
  imageInfo.format = VK_FORMAT_R8G8B8A8_UNORM;
  imageInfo.extent = {16, 16, 1};
  imageInfo.mipLevels = imageInfo.arrayLayers = 1;
  imageInfo.samples = VK_SAMPLE_COUNT_1_BIT;
  imageInfo.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
  VkImage image = VK_NULL_HANDLE;
  VK_OK(vk.CreateImage(device->device, &imageInfo, nullptr, &image));
  EXPECT_FALSE(listener->last(VK_OBJECT_TYPE_BUFFER, number(buffer))) << "it has none yet";

  auto allocation = vkStruct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  allocation.allocationSize = 1 << 20;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VK_OK(vk.AllocateMemory(device->device, &allocation, nullptr, &memory));
  VK_OK(vk.BindBufferMemory(device->device, buffer, memory, 4096));
  VK_OK(vk.BindImageMemory(device->device, image, memory, 65536));
  auto which = vkStruct<VkBufferDeviceAddressInfo>(VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO);
  which.buffer = buffer;
  const VkDeviceAddress address = vk.GetBufferDeviceAddress(device->device, &which);
  expect(VK_OBJECT_TYPE_DEVICE_MEMORY, number(memory), address - 4096, 1 << 20, bound);
  expect(VK_OBJECT_TYPE_BUFFER, number(buffer), address, 1000, bound);
  expect(VK_OBJECT_TYPE_IMAGE, number(image), address - 4096 + 65536, 16 * 16 * 4, bound);

  // The memory may go first.
  vk.DestroyImage(device->device, image, nullptr);
  vk.FreeMemory(device->device, memory, nullptr);
  vk.DestroyBuffer(device->device, buffer, nullptr);
  expect(VK_OBJECT_TYPE_DEVICE_MEMORY, number(memory), address - 4096, 1 << 20, unbound);
  expect(VK_OBJECT_TYPE_BUFFER, number(buffer), address, 1000, unbound);
  expect(VK_OBJECT_TYPE_IMAGE, number(image), address - 4096 + 65536, 16 * 16 * 4, unbound);
}

TEST_P(AddressReportApi, DescriptorPools) {
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 8};
  auto info = vkStruct<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
  info.maxSets = 1;
  info.poolSizeCount = 1;
  info.pPoolSizes = &size;
  VkDescriptorPool pool = VK_NULL_HANDLE;
  VK_OK(device->vk.CreateDescriptorPool(device->device, &info, nullptr, &pool));
  const std::optional<Event> event = listener->last(VK_OBJECT_TYPE_DESCRIPTOR_POOL, number(pool));
  ASSERT_TRUE(event);
  EXPECT_NE(event->address, 0u);
  EXPECT_GE(event->size, 8u * 16);
  device->vk.DestroyDescriptorPool(device->device, pool, nullptr);
  expect(VK_OBJECT_TYPE_DESCRIPTOR_POOL, number(pool), event->address, event->size, unbound);
}

TEST_P(AddressReportApi, NothingWithoutTheFeature) {
  Listener silent(gpu); // of the instance whose device has not enabled it
  Buffer buffer = gpu.buffer(64);
  EXPECT_NE(buffer.handle, VkBuffer(VK_NULL_HANDLE));
  EXPECT_EQ(silent.count(), 0u);
}

} // namespace
} // namespace api
