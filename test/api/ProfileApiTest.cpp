// SPDX-License-Identifier: MIT
// What profiles ask for, the registry's and those of profiles/, every GPU has (profiles.py makes
// the rows).
#include "Gpu.h"
#include "test/vulkan/GraphicsInfo.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdlib>

namespace api {
namespace {

using vktest::vkStruct;

enum class Compare { AtLeast, AtMost, HasBits, Equals };

template <typename T, typename Value> bool satisfies(Compare compare, T have, Value wanted) {
  switch (compare) {
  case Compare::AtLeast:
    return have >= static_cast<T>(wanted);
  case Compare::AtMost:
    return have <= static_cast<T>(wanted);
  case Compare::HasBits:
    return (static_cast<uint64_t>(have) & static_cast<uint64_t>(wanted)) ==
           static_cast<uint64_t>(wanted);
  case Compare::Equals:
    return have == static_cast<T>(wanted);
  }
  return false;
}

class ProfileApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.isKiln())
      GTEST_SKIP();        // others may have what they have
    allowsMessages = true; // of validation layers that do not know the structures
  }
  /// A structure of the chain that starts with a \p Head, filled in by \p get.
  template <typename Struct, typename Head, typename Get>
  Struct query(VkStructureType type, VkStructureType headType, Get get) {
    auto wanted = vkStruct<Struct>(type);
    if constexpr (std::is_same_v<Struct, Head>) {
      get(gpu.physicalDevice, &wanted);
    } else {
      auto head = vkStruct<Head>(headType, &wanted);
      get(gpu.physicalDevice, &head);
    }
    return wanted;
  }
  template <typename Struct> Struct features(VkStructureType type) {
    return query<Struct, VkPhysicalDeviceFeatures2>(
        type, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, gpu.vk.GetPhysicalDeviceFeatures2);
  }
  template <typename Struct> Struct properties(VkStructureType type) {
    return query<Struct, VkPhysicalDeviceProperties2>(
        type, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, gpu.vk.GetPhysicalDeviceProperties2);
  }
};
API_TESTS_ON_ALL_DEVICES(ProfileApi);

TEST_P(ProfileApi, Versions) {
#define PROFILE_VERSION(profile, major, minor)                                                     \
  EXPECT_GE(gpu.properties.apiVersion, VK_MAKE_API_VERSION(0, major, minor, 0)) << profile;
#define PROFILE_EXTENSION(profile, name)
#define PROFILE_FEATURE(profile, Struct, type, member)
#define PROFILE_VALUE(profile, Struct, type, member, compare, value)
#include "Profiles.inc"
}

TEST_P(ProfileApi, Extensions) {
  const std::vector<std::string> have = gpu.availableExtensions();
#define PROFILE_VERSION(profile, major, minor)
#define PROFILE_EXTENSION(profile, name)                                                           \
  EXPECT_TRUE(llvm::is_contained(have, name)) << profile << ": " << name;
#define PROFILE_FEATURE(profile, Struct, type, member)
#define PROFILE_VALUE(profile, Struct, type, member, compare, value)
#include "Profiles.inc"
}

TEST_P(ProfileApi, Features) {
#define PROFILE_VERSION(profile, major, minor)
#define PROFILE_EXTENSION(profile, name)
#define PROFILE_FEATURE(profile, Struct, type, member)                                             \
  EXPECT_TRUE(features<Struct>(type).member) << profile << ": " #member;
#define PROFILE_VALUE(profile, Struct, type, member, compare, value)
#include "Profiles.inc"
}

/// Of these extensions, which not every family has, Vulkan makes a feature mandatory.
TEST_P(ProfileApi, ExtensionsHaveTheirFeature) {
  const std::vector<std::string> have = gpu.availableExtensions();
  auto expectBoth = [&](const char *extension, VkBool32 feature) {
    EXPECT_EQ(llvm::is_contained(have, extension), feature == VK_TRUE) << extension;
  };
  expectBoth(VK_KHR_FRAGMENT_SHADER_BARYCENTRIC_EXTENSION_NAME,
             features<VkPhysicalDeviceFragmentShaderBarycentricFeaturesKHR>(
                 VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_BARYCENTRIC_FEATURES_KHR)
                 .fragmentShaderBarycentric);
  expectBoth(VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME,
             features<VkPhysicalDeviceFragmentShadingRateFeaturesKHR>(
                 VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR)
                 .pipelineFragmentShadingRate);
  expectBoth(VK_EXT_MESH_SHADER_EXTENSION_NAME,
             features<VkPhysicalDeviceMeshShaderFeaturesEXT>(
                 VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT)
                 .meshShader);
  expectBoth(VK_EXT_YCBCR_2PLANE_444_FORMATS_EXTENSION_NAME,
             features<VkPhysicalDeviceYcbcr2Plane444FormatsFeaturesEXT>(
                 VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_YCBCR_2_PLANE_444_FORMATS_FEATURES_EXT)
                 .ycbcr2plane444Formats);
}

TEST_P(ProfileApi, Properties) {
#define PROFILE_VERSION(profile, major, minor)
#define PROFILE_EXTENSION(profile, name)
#define PROFILE_FEATURE(profile, Struct, type, member)
#define PROFILE_VALUE(profile, Struct, type, member, compare, value)                               \
  EXPECT_TRUE(satisfies(Compare::compare, properties<Struct>(type).member, value))                 \
      << profile << ": " #member " is " << properties<Struct>(type).member << ", wanted: " #value;
#include "Profiles.inc"
}

TEST_P(ProfileApi, GlobalPriorities) {
  uint32_t count = 1;
  auto priorities = vkStruct<VkQueueFamilyGlobalPriorityProperties>(
      VK_STRUCTURE_TYPE_QUEUE_FAMILY_GLOBAL_PRIORITY_PROPERTIES);
  auto family =
      vkStruct<VkQueueFamilyProperties2>(VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2, &priorities);
  gpu.vk.GetPhysicalDeviceQueueFamilyProperties2(gpu.physicalDevice, &count, &family);
  ASSERT_GE(priorities.priorityCount, 1u);
  // Ascending, with those in between, as the specification wants; a queue of each can be had.
  for (uint32_t i = 0; i < priorities.priorityCount; ++i) {
    if (i > 0) {
      EXPECT_EQ(priorities.priorities[i], 2 * priorities.priorities[i - 1]);
    }
    auto global = vkStruct<VkDeviceQueueGlobalPriorityCreateInfo>(
        VK_STRUCTURE_TYPE_DEVICE_QUEUE_GLOBAL_PRIORITY_CREATE_INFO);
    global.globalPriority = priorities.priorities[i];
    const float priority = 1;
    auto queueInfo =
        vkStruct<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, &global);
    queueInfo.queueCount = 1;
    queueInfo.pQueuePriorities = &priority;
    const char *extension = VK_KHR_GLOBAL_PRIORITY_EXTENSION_NAME;
    auto info = vkStruct<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    info.queueCreateInfoCount = info.enabledExtensionCount = 1;
    info.pQueueCreateInfos = &queueInfo;
    info.ppEnabledExtensionNames = &extension;
    VkDevice device = VK_NULL_HANDLE;
    VK_OK(gpu.vk.CreateDevice(gpu.physicalDevice, &info, nullptr, &device));
    gpu.vk.DestroyDevice(device, nullptr);
  }
}

// VkBindMemoryStatus of VK_KHR_maintenance6.
TEST_P(ProfileApi, BindingReportsEachResult) {
  if (std::getenv("VK_INSTANCE_LAYERS"))
    GTEST_SKIP(); // layers leave out structures that they do not know
  auto bufferInfo = vkStruct<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  bufferInfo.size = 256;
  bufferInfo.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
  VkBuffer buffers[2] = {};
  for (VkBuffer &buffer : buffers)
    VK_OK(gpu.vk.CreateBuffer(gpu.device, &bufferInfo, nullptr, &buffer));
  auto allocate = vkStruct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  allocate.allocationSize = 4096;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VK_OK(gpu.vk.AllocateMemory(gpu.device, &allocate, nullptr, &memory));
  VkResult results[2] = {VK_ERROR_UNKNOWN, VK_ERROR_UNKNOWN};
  VkBindMemoryStatus states[2];
  VkBindBufferMemoryInfo binds[2];
  for (unsigned i = 0; i < 2; ++i) {
    states[i] = vkStruct<VkBindMemoryStatus>(VK_STRUCTURE_TYPE_BIND_MEMORY_STATUS);
    states[i].pResult = &results[i];
    binds[i] =
        vkStruct<VkBindBufferMemoryInfo>(VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO, &states[i]);
    binds[i].buffer = buffers[i];
    binds[i].memory = memory;
    binds[i].memoryOffset = i * 2048;
  }
  VK_OK(gpu.vk.BindBufferMemory2(gpu.device, 2, binds));
  for (VkResult result : results)
    EXPECT_EQ(result, VK_SUCCESS);
  for (VkBuffer buffer : buffers)
    gpu.vk.DestroyBuffer(gpu.device, buffer, nullptr);
  gpu.vk.FreeMemory(gpu.device, memory, nullptr);
}

} // namespace
} // namespace api
