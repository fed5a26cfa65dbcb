//===- Device.h - one logical device for tests ----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A device with every feature that it offers, except those that change the meaning of programs
/// (robustness and null descriptors): these only when asked for. One queue that can
/// compute, and draw where the device does.
#pragma once

#include "Instance.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace exec {

/// Feature structures of everything that ScriptFeatures.def knows, to be chained behind `core`.
struct FeatureChain {
  VkPhysicalDeviceFeatures2 core = {};
#define FEATURE_STRUCT(member, type, sType, extension) type member = {};
#include "ScriptFeatures.def"

  /// Sets sType and pNext; structures of extensions that the device lacks stay out.
  void link(const PhysicalDevice &physical);
  /// The flag of that name, or null when no feature has the name.
  VkBool32 *find(llvm::StringRef name);
};

class Device {
public:
  /// \p special: names of features to enable that are off otherwise.
  /// Errors: a feature that is not there, or anything Vulkan reports.
  static llvm::Expected<std::unique_ptr<Device>> create(const Instance &instance,
                                                        const PhysicalDevice &physical,
                                                        llvm::ArrayRef<std::string> special = {});
  ~Device();
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  const DeviceApi &api() const { return functions; }
  const InstanceApi &instanceApi() const { return instance.api(); }
  const PhysicalDevice &physical() const { return physicalDevice; }
  VkDevice handle() const { return device; }
  bool hasFeature(llvm::StringRef name) const; ///< enabled
  /// Index of a memory type that the host can see, among \p allowed. ~0u: none.
  uint32_t hostMemoryType(uint32_t allowed) const;
  uint32_t anyMemoryType(uint32_t allowed) const;

  /// The one command buffer, empty and recording.
  llvm::Expected<VkCommandBuffer> begin();
  /// A secondary command buffer, empty and not recording; one at a time.
  llvm::Expected<VkCommandBuffer> secondary();
  /// Ends the command buffer, submits it and waits. Errors: device lost, no end within a minute.
  llvm::Error submit();
  bool isLost() const { return lost; }
  /// The queue takes draws.
  bool canDraw() const { return draws; }

private:
  Device(const Instance &instance, const PhysicalDevice &physical)
      : instance(instance), physicalDevice(physical) {}
  llvm::Error open(llvm::ArrayRef<std::string> special);
  llvm::Error loadFunctions();
  llvm::Error createCommands(uint32_t family);

  const Instance &instance;
  const PhysicalDevice &physicalDevice;
  DeviceApi functions;
  FeatureChain features;
  VkPhysicalDeviceMemoryProperties memory = {};
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  VkCommandPool pool = VK_NULL_HANDLE;
  VkCommandBuffer commands = VK_NULL_HANDLE, secondaryCommands = VK_NULL_HANDLE;
  VkFence fence = VK_NULL_HANDLE;
  bool lost = false, draws = false;
};

/// Features that are off unless a test asks for them.
bool isSpecialFeature(llvm::StringRef name);

} // namespace exec
