//===- PhysicalDevice.h - VkPhysicalDevice --------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// One GPU target of KILN_DEVICES with everything that Vulkan lets applications ask about it.
/// Features.def and Properties.def hold the answers.
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/context/Extensions.h"
#include "icd_glue/context/PhysicalDeviceStructs.h"
#include "pal_shim/abi/TargetInfo.h"
#include <atomic>

namespace icd {

class Instance;

/// Vulkan version of every device.
inline constexpr uint32_t deviceApiVersion = VK_MAKE_API_VERSION(0, 1, 4, 0) | VK_HEADER_VERSION;

/// Memory types; DeviceMemory and requirements use these indices.
enum MemoryType : uint32_t {
  MemoryTypeDevice, ///< device local, host visible, host coherent
  MemoryTypeHost,   ///< host visible, coherent, cached
  /// As the one before, but for buffers of descriptors only: at addresses whose high half shaders
  /// know.
  MemoryTypeDescriptors,
  /// The same as MemoryTypeDevice, for who asks for memory without caches of the device.
  MemoryTypeUncached,
  MemoryTypeCount
};
/// memoryTypeBits of everything else: all memory is alike.
inline constexpr uint32_t commonMemoryTypeBits =
    1u << MemoryTypeDevice | 1u << MemoryTypeHost | 1u << MemoryTypeUncached;
inline constexpr uint32_t descriptorMemoryTypeBits = 1u << MemoryTypeDescriptors;

/// The one queue family.
inline constexpr uint32_t queueFamilyCount = 1;
inline constexpr uint32_t queuesPerFamily = 4;

class PhysicalDevice : public Object {
public:
  using Handle = VkPhysicalDevice;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_PHYSICAL_DEVICE;

  PhysicalDevice(Instance &instance, const pal::abi::GpuTarget &target);
  ~PhysicalDevice();

  Instance &instance() { return owner; }
  const pal::abi::GpuTarget &target() const { return gpuTarget; }

  const Features &features() const { return supportedFeatures; }
  /// Has this family the device extension? Most of Extensions.def is in all of them.
  bool hasExtension(Extension extension) const;
  const VkPhysicalDeviceProperties &coreProperties() const { return core; }
  const Properties &properties() const { return extended; }
  const VkPhysicalDeviceLimits &limits() const { return core.limits; }
  const VkPhysicalDeviceMemoryProperties &memoryProperties() const { return memory; }

  /// Takes \p bytes out of the heap, which all devices made of this one share. False: they are not
  /// there.
  bool takeMemory(VkDeviceSize bytes);
  void returnMemory(VkDeviceSize bytes) { usedMemory -= bytes; }
  VkDeviceSize memoryInUse() const { return usedMemory; }

private:
  Instance &owner;
  const pal::abi::GpuTarget &gpuTarget;
  Features supportedFeatures;
  VkPhysicalDeviceProperties core = {};
  Properties extended = {};
  VkPhysicalDeviceMemoryProperties memory = {};
  std::atomic<VkDeviceSize> usedMemory = 0;
};

} // namespace icd
