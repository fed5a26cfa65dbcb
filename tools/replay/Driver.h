//===- Driver.h - a Vulkan driver and its devices -------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Opens a driver, through the Vulkan loader or without it from the driver's own library, and makes
/// devices with everything enabled that the driver offers, except for what changes code and a
/// program chooses: robustness.
#pragma once

#include "tools/vulkan/Instance.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>
#include <vulkan/vulkan.h>

namespace replay {

#define REPLAY_DEVICE_FUNCTIONS(X)                                                                 \
  X(CreateShaderModule)                                                                            \
  X(DestroyShaderModule)                                                                           \
  X(CreateSampler)                                                                                 \
  X(DestroySampler)                                                                                \
  X(CreateSamplerYcbcrConversion)                                                                  \
  X(DestroySamplerYcbcrConversion)                                                                 \
  X(CreateDescriptorSetLayout)                                                                     \
  X(DestroyDescriptorSetLayout)                                                                    \
  X(CreatePipelineLayout)                                                                          \
  X(DestroyPipelineLayout)                                                                         \
  X(CreateRenderPass2)                                                                             \
  X(DestroyRenderPass)                                                                             \
  X(CreateComputePipelines)                                                                        \
  X(CreateGraphicsPipelines)                                                                       \
  X(DestroyPipeline)                                                                               \
  X(CreatePipelineCache)                                                                           \
  X(DestroyPipelineCache)                                                                          \
  X(GetPipelineCacheData)                                                                          \
  X(MergePipelineCaches)                                                                           \
  X(DestroyDevice)
/// Null where the driver lacks the extension.
#define REPLAY_OPTIONAL_FUNCTIONS(X)                                                               \
  X(CreateRayTracingPipelinesKHR)                                                                  \
  X(GetPipelineExecutablePropertiesKHR)                                                            \
  X(GetPipelineExecutableStatisticsKHR)                                                            \
  X(GetPipelineExecutableInternalRepresentationsKHR)                                               \
  X(GetShaderModuleIdentifierEXT)                                                                  \
  X(GetShaderModuleCreateInfoIdentifierEXT)                                                        \
  X(GetPipelineKeyKHR)                                                                             \
  X(CreatePipelineBinariesKHR)                                                                     \
  X(DestroyPipelineBinaryKHR)                                                                      \
  X(GetPipelineBinaryDataKHR)

using vulkan::check;
using OnMessage = std::function<void(const vulkan::Message &message)>;

class Driver {
public:
  /// \p library: a driver's library, or "loader" for libvulkan.so.1. Errors: LimitExceeded when
  /// there is no such driver or it offers no device.
  static llvm::Expected<std::unique_ptr<Driver>> open(const std::string &library);
  /// A driver that is part of the program.
  /// \p onMessage: errors and warnings, if the driver has VK_EXT_debug_utils.
  static llvm::Expected<std::unique_ptr<Driver>> open(PFN_vkGetInstanceProcAddr getInstanceProc,
                                                      OnMessage onMessage = nullptr);

  llvm::ArrayRef<VkPhysicalDevice> devices() const { return instance->devices(); }
  std::string deviceName(size_t index) const;
  VkPhysicalDeviceProperties properties(size_t index) const;
  VkFormatProperties formatProperties(size_t index, VkFormat format) const;
  VkPhysicalDeviceMemoryProperties memoryProperties(size_t index) const;

private:
  friend class Device;
  explicit Driver(std::unique_ptr<vulkan::Instance> instance) : instance(std::move(instance)) {}

  const std::unique_ptr<vulkan::Instance> instance;
};

class Device {
public:
  /// \p features: names of the robustness features to enable; those that the device lacks are left
  /// out, see missing().
  static llvm::Expected<std::unique_ptr<Device>> create(const Driver &driver, size_t index,
                                                        llvm::ArrayRef<std::string> features);
  ~Device();
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  /// A function of the device that is not in the lists above; null: it has none of this name.
  PFN_vkVoidFunction function(const char *name) const { return getDeviceProc(handle, name); }

  VkDevice handle = VK_NULL_HANDLE;
  std::vector<std::string> missing; ///< features that were asked for
  bool hasPipelineRobustness = false, hasLibraries = false;
#define X(name) PFN_vk##name name = nullptr;
  REPLAY_DEVICE_FUNCTIONS(X)
  REPLAY_OPTIONAL_FUNCTIONS(X)
#undef X

private:
  Device() = default;
  llvm::Error open(const Driver &driver, VkPhysicalDevice physical,
                   llvm::ArrayRef<std::string> features);
  llvm::Error loadFunctions(const Driver &driver);

  PFN_vkGetDeviceProcAddr getDeviceProc = nullptr;
};

} // namespace replay
