//===- Instance.h - Vulkan through the ordinary loader --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Opens libvulkan.so.1 at run time, as an application does; which driver it loads is the business
/// of VK_DRIVER_FILES. No link-time dependency, so that the program builds where no loader is.
#pragma once

#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

#define VK_NO_PROTOTYPES
#include "tools/vulkan/Instance.h"
#include <vulkan/vulkan.h>

namespace exec {

/// Functions that need no device.
struct InstanceApi {
  PFN_vkGetInstanceProcAddr getInstanceProcAddr = nullptr;
#define VK_INSTANCE(name) PFN_vk##name name = nullptr;
#include "Functions.def"
};

/// Functions of a device.
struct DeviceApi {
#define VK_DEVICE(name) PFN_vk##name name = nullptr;
#define VK_DRAW(name) PFN_vk##name name = nullptr;
#define VK_EXTENSION(name) PFN_vk##name name = nullptr;
#include "Functions.def"
};

/// "vkCreateBuffer: VK_ERROR_..." unless the result is a success code.
llvm::Error check(VkResult result, const char *function);
/// An error with a formatted text.
llvm::Error failure(const llvm::Twine &text);

struct PhysicalDevice {
  VkPhysicalDevice handle = VK_NULL_HANDLE;
  VkPhysicalDeviceProperties properties = {};
  VkPhysicalDeviceSubgroupSizeControlProperties subgroupSizes = {};
  VkPhysicalDeviceSubgroupProperties subgroup = {};
  VkPhysicalDeviceVulkan12Properties v12 = {};
  std::vector<std::string> extensions;

  std::string name() const { return properties.deviceName; }
  bool isCpuReference() const; ///< lavapipe
  bool isKiln() const;
  bool hasExtension(llvm::StringRef name) const;
};

class Instance {
public:
  /// \p validation: with VK_LAYER_KHRONOS_validation; its messages collect in messages().
  /// Errors: no loader, no layer, no driver.
  static llvm::Expected<std::unique_ptr<Instance>> create(bool validation);
  const InstanceApi &api() const { return functions; }
  llvm::ArrayRef<PhysicalDevice> devices() const { return physicalDevices; }
  /// Warnings and errors of the validation layer so far.
  std::vector<std::string> &messages() { return log; }

private:
  Instance() = default;
  Instance(Instance &&) = delete; ///< the messenger knows the address
  llvm::Error open(bool validation);
  PhysicalDevice describe(VkPhysicalDevice physical) const;

  InstanceApi functions;
  std::vector<std::string> log;
  std::unique_ptr<vulkan::Instance> instance; ///< dies before the log
  std::vector<PhysicalDevice> physicalDevices;
};

} // namespace exec
