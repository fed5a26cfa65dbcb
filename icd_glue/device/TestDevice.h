//===- TestDevice.h - a device for unit tests -----------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/context/Instance.h"
#include "icd_glue/queue/Queue.h"
#include "test/vulkan/GraphicsInfo.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace icd {

using vktest::vkStruct;

/// An instance with a messenger that collects messages, and a device with two queues, made by the
/// driver's own commands without a loader.
class TestDevice : public testing::Test {
protected:
  void SetUp() override {
    setenv("KILN_CACHE", "off", /*replace=*/0); // tests do not depend on earlier ones
    const char *extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    auto application = vkStruct<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
    application.apiVersion = VK_API_VERSION_1_3;
    auto instanceInfo = vkStruct<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
    instanceInfo.pApplicationInfo = &application;
    instanceInfo.enabledExtensionCount = 1;
    instanceInfo.ppEnabledExtensionNames = &extension;
    ASSERT_EQ(CreateInstance(&instanceInfo, nullptr, &instance), VK_SUCCESS);
    auto messengerInfo = vkStruct<VkDebugUtilsMessengerCreateInfoEXT>(
        VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
    messengerInfo.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    messengerInfo.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT;
    messengerInfo.pfnUserCallback = collect;
    messengerInfo.pUserData = &messages;
    ASSERT_EQ(CreateDebugUtilsMessengerEXT(instance, &messengerInfo, nullptr, &messenger),
              VK_SUCCESS);
    uint32_t count = 1;
    ASSERT_EQ(EnumeratePhysicalDevices(instance, &count, &physicalDevice), VK_SUCCESS);
    const float priorities[2] = {1, 1};
    auto queueInfo = vkStruct<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
    queueInfo.queueCount = 2;
    queueInfo.pQueuePriorities = priorities;
    auto deviceInfo =
        vkStruct<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, deviceFeatures);
    deviceInfo.queueCreateInfoCount = 1;
    deviceInfo.pQueueCreateInfos = &queueInfo;
    ASSERT_EQ(CreateDevice(physicalDevice, &deviceInfo, nullptr, &device), VK_SUCCESS);
  }

  void TearDown() override {
    DestroyDevice(device, nullptr);
    DestroyDebugUtilsMessengerEXT(instance, messenger, nullptr);
    DestroyInstance(instance, nullptr);
  }

  Device &object() { return *fromHandle<Device>(device); }
  Queue &queue(uint32_t index) { return *object().queue(index); }

  static VkBool32 VKAPI_CALL collect(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                     VkDebugUtilsMessageTypeFlagsEXT,
                                     const VkDebugUtilsMessengerCallbackDataEXT *data,
                                     void *userData) {
    static_cast<std::vector<std::string> *>(userData)->push_back(data->pMessage);
    return VK_FALSE;
  }

  const void *deviceFeatures = nullptr; ///< the chain of the device's create info
  VkInstance instance = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
  VkPhysicalDevice physicalDevice = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  std::vector<std::string> messages;
};

/// A device, a command pool, and one primary command buffer, not yet begun.
class TestCommands : public TestDevice {
protected:
  void SetUp() override {
    TestDevice::SetUp();
    auto poolInfo = vkStruct<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
    ASSERT_EQ(CreateCommandPool(device, &poolInfo, nullptr, &commandPool), VK_SUCCESS);
    commands = allocate(VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  }
  void TearDown() override {
    DestroyCommandPool(device, commandPool, nullptr);
    TestDevice::TearDown();
  }

  VkCommandBuffer allocate(VkCommandBufferLevel level) {
    auto info =
        vkStruct<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    info.commandPool = commandPool;
    info.level = level;
    info.commandBufferCount = 1;
    VkCommandBuffer made = VK_NULL_HANDLE;
    EXPECT_EQ(AllocateCommandBuffers(device, &info, &made), VK_SUCCESS);
    return made;
  }

  VkCommandPool commandPool = VK_NULL_HANDLE;
  VkCommandBuffer commands = VK_NULL_HANDLE;
};

} // namespace icd
