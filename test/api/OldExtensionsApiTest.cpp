// SPDX-License-Identifier: MIT
// Extensions that later ones have replaced: VK_EXT_debug_report, VK_EXT_debug_marker,
// VK_EXT_buffer_device_address.
#include "Pipelines.h"
#include <mutex>

namespace api {
namespace {

struct Report {
  VkDebugReportFlagsEXT flags;
  VkDebugReportObjectTypeEXT objectType;
  int32_t code;
  std::string prefix, text;
};

/// A callback and what it was told.
class Listener {
public:
  Listener(Gpu &gpu, VkDebugReportFlagsEXT flags) : gpu(gpu) {
    auto info = vkStruct<VkDebugReportCallbackCreateInfoEXT>(
        VK_STRUCTURE_TYPE_DEBUG_REPORT_CALLBACK_CREATE_INFO_EXT);
    info.flags = flags;
    info.pfnCallback = &Listener::take;
    info.pUserData = this;
    VK_OK(gpu.vk.CreateDebugReportCallbackEXT(gpu.instance, &info, nullptr, &callback));
  }
  ~Listener() { gpu.vk.DestroyDebugReportCallbackEXT(gpu.instance, callback, nullptr); }
  Listener(const Listener &) = delete;

  /// The first report with \p word in its text, if there is one.
  std::optional<Report> find(const std::string &word) {
    std::lock_guard lock(mutex);
    for (const Report &report : reports)
      if (report.text.find(word) != std::string::npos)
        return report;
    return std::nullopt;
  }

private:
  static VKAPI_ATTR VkBool32 VKAPI_CALL take(VkDebugReportFlagsEXT flags,
                                             VkDebugReportObjectTypeEXT objectType, uint64_t,
                                             size_t, int32_t code, const char *prefix,
                                             const char *text, void *self) {
    auto *listener = static_cast<Listener *>(self);
    std::lock_guard lock(listener->mutex); // queues have threads
    listener->reports.push_back({flags, objectType, code, prefix ? prefix : "", text ? text : ""});
    return VK_FALSE;
  }

  Gpu &gpu;
  VkDebugReportCallbackEXT callback = VK_NULL_HANDLE;
  std::mutex mutex;
  std::vector<Report> reports;
};

constexpr VkDebugReportFlagsEXT everything =
    VK_DEBUG_REPORT_INFORMATION_BIT_EXT | VK_DEBUG_REPORT_WARNING_BIT_EXT |
    VK_DEBUG_REPORT_PERFORMANCE_WARNING_BIT_EXT | VK_DEBUG_REPORT_ERROR_BIT_EXT |
    VK_DEBUG_REPORT_DEBUG_BIT_EXT;

class OldExtensionsApi : public ApiTest {};
API_TESTS_ON_ALL_DEVICES(OldExtensionsApi);

TEST_P(OldExtensionsApi, ReportsOfTheApplication) {
  Listener all(gpu, everything), errors(gpu, VK_DEBUG_REPORT_ERROR_BIT_EXT);
  gpu.vk.DebugReportMessageEXT(gpu.instance, VK_DEBUG_REPORT_WARNING_BIT_EXT,
                               VK_DEBUG_REPORT_OBJECT_TYPE_INSTANCE_EXT,
                               reinterpret_cast<uintptr_t>(gpu.instance), 3, 17, "test", "one");
  const std::optional<Report> one = all.find("one");
  ASSERT_TRUE(one);
  EXPECT_EQ(one->flags, VkFlags(VK_DEBUG_REPORT_WARNING_BIT_EXT));
  EXPECT_EQ(one->objectType, VK_DEBUG_REPORT_OBJECT_TYPE_INSTANCE_EXT);
  EXPECT_EQ(one->code, 17);
  EXPECT_EQ(one->prefix, "test");
  EXPECT_FALSE(errors.find("one"));
}

// What the driver has to say goes the old way, too.
TEST_P(OldExtensionsApi, ReportsOfTheDriver) {
  if (!gpu.isKiln())
    GTEST_SKIP() << "what other drivers say is theirs";
  allowsMessages = true;
  Listener all(gpu, everything), hints(gpu, VK_DEBUG_REPORT_DEBUG_BIT_EXT);
  VkPhysicalDeviceFeatures features = {};
  features.sparseBinding = VK_TRUE; // there is none
  const float priority = 1;
  auto queue = vkStruct<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  auto info = vkStruct<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.pEnabledFeatures = &features;
  VkDevice device = VK_NULL_HANDLE;
  EXPECT_EQ(gpu.vk.CreateDevice(gpu.physicalDevice, &info, nullptr, &device),
            VK_ERROR_FEATURE_NOT_PRESENT);
  const std::optional<Report> why = all.find("sparseBinding");
  ASSERT_TRUE(why);
  EXPECT_TRUE(why->flags & (VK_DEBUG_REPORT_ERROR_BIT_EXT | VK_DEBUG_REPORT_WARNING_BIT_EXT));
  EXPECT_FALSE(hints.find("sparseBinding"));
}

TEST_P(OldExtensionsApi, MarkersAreInMessages) {
  if (!gpu.isKiln())
    GTEST_SKIP() << "other drivers need not survive this";
  ASSERT_TRUE(gpu.hasExtension(VK_EXT_DEBUG_MARKER_EXTENSION_NAME));
  allowsMessages = true;
  Listener errors(gpu, VK_DEBUG_REPORT_ERROR_BIT_EXT);
  const std::vector<Binding> bindings = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};
  const VkDescriptorSetLayout setLayout = gpu.setLayout(bindings);
  const VkPipelineLayout layout = gpu.pipelineLayout({setLayout});
  const VkPipeline pipeline = gpu.pipeline(R"(#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(buffer_reference) buffer R { uint value; };
layout(set = 0, binding = 0) buffer B { uvec2 b; };
void main() { R(b).value = 1; })",
                                           layout);
  Buffer buffer = gpu.buffer(16);
  buffer.data[0] = 0x1000; // no memory there
  const VkDescriptorSet set = gpu.set(setLayout, bindings);
  gpu.write(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {buffer});
  auto name =
      vkStruct<VkDebugMarkerObjectNameInfoEXT>(VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_NAME_INFO_EXT);
  name.objectType = VK_DEBUG_REPORT_OBJECT_TYPE_PIPELINE_EXT;
  name.object = reinterpret_cast<uint64_t>(pipeline);
  name.pObjectName = "a pipeline";
  VK_OK(gpu.vk.DebugMarkerSetObjectNameEXT(gpu.device, &name));
  name.objectType = VK_DEBUG_REPORT_OBJECT_TYPE_UNKNOWN_EXT;
  name.object = 12345;
  VK_OK(gpu.vk.DebugMarkerSetObjectNameEXT(gpu.device, &name));
  auto tag =
      vkStruct<VkDebugMarkerObjectTagInfoEXT>(VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_TAG_INFO_EXT);
  tag.objectType = VK_DEBUG_REPORT_OBJECT_TYPE_PIPELINE_EXT;
  tag.object = reinterpret_cast<uint64_t>(pipeline);
  tag.tagSize = 1;
  tag.pTag = "x";
  VK_OK(gpu.vk.DebugMarkerSetObjectTagEXT(gpu.device, &tag));
  auto marker =
      vkStruct<VkDebugMarkerMarkerInfoEXT>(VK_STRUCTURE_TYPE_DEBUG_MARKER_MARKER_INFO_EXT);
  VkCommandBuffer c = gpu.begin();
  marker.pMarkerName = "outer marker";
  gpu.vk.CmdDebugMarkerBeginEXT(c, &marker);
  marker.pMarkerName = "a marked pointer";
  gpu.vk.CmdDebugMarkerInsertEXT(c, &marker);
  gpu.vk.CmdDebugMarkerBeginEXT(c, &marker);
  gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  gpu.vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
  gpu.vk.CmdDispatch(c, 1, 1, 1);
  gpu.vk.CmdDebugMarkerEndEXT(c);
  gpu.vk.CmdDebugMarkerEndEXT(c);
  EXPECT_EQ(gpu.finish(c), VK_ERROR_DEVICE_LOST);
  EXPECT_TRUE(errors.find("a marked pointer"));
}

TEST_P(OldExtensionsApi, BufferAddresses) {
  const std::vector<std::string> available = gpu.availableExtensions();
  const char *const name = VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME;
  if (std::find(available.begin(), available.end(), name) == available.end() || !gpu.canExecute())
    GTEST_SKIP() << "no VK_EXT_buffer_device_address";
  // A device of its own, because the extension excludes the feature of Vulkan 1.2.
  auto features = vkStruct<VkPhysicalDeviceBufferDeviceAddressFeaturesEXT>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT);
  auto all =
      vkStruct<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &features);
  gpu.vk.GetPhysicalDeviceFeatures2(gpu.physicalDevice, &all);
  ASSERT_TRUE(features.bufferDeviceAddress);
  const float priority = 1;
  auto queue = vkStruct<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  auto info = vkStruct<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features);
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = 1;
  info.ppEnabledExtensionNames = &name;
  VkDevice device = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateDevice(gpu.physicalDevice, &info, nullptr, &device));
  ASSERT_TRUE(device);
  auto bufferInfo = vkStruct<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  bufferInfo.size = 4096;
  bufferInfo.usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT_EXT;
  VkBuffer buffers[2] = {};
  for (VkBuffer &buffer : buffers)
    VK_OK(gpu.vk.CreateBuffer(device, &bufferInfo, nullptr, &buffer));
  VkMemoryRequirements needs;
  gpu.vk.GetBufferMemoryRequirements(device, buffers[0], &needs);
  const VkDeviceSize second =
      (needs.size + needs.alignment - 1) / needs.alignment * needs.alignment;
  auto allocation = vkStruct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  allocation.allocationSize = second + needs.size;
  while (!(needs.memoryTypeBits >> allocation.memoryTypeIndex & 1))
    ++allocation.memoryTypeIndex;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VK_OK(gpu.vk.AllocateMemory(device, &allocation, nullptr, &memory));
  VkDeviceAddress addresses[2] = {};
  for (uint32_t i = 0; i < 2; ++i) {
    VK_OK(gpu.vk.BindBufferMemory(device, buffers[i], memory, i * second));
    auto which =
        vkStruct<VkBufferDeviceAddressInfoEXT>(VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO_EXT);
    which.buffer = buffers[i];
    addresses[i] = gpu.vk.GetBufferDeviceAddressEXT(device, &which);
  }
  EXPECT_NE(addresses[0], 0u);
  EXPECT_EQ(addresses[1], addresses[0] + second);
  for (VkBuffer buffer : buffers)
    gpu.vk.DestroyBuffer(device, buffer, nullptr);
  gpu.vk.FreeMemory(device, memory, nullptr);
  gpu.vk.DestroyDevice(device, nullptr);
}

} // namespace
} // namespace api
