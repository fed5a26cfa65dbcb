//===- Device.h - VkDevice ------------------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The logical device: one software GPU, one compiler, and what everything else is made with:
/// allocation, messages, the state that all synchronisation objects share. What is built on it
/// (caches, compiling ahead, queues; device/DeviceServices.h) is known here by name only: who uses
/// a service includes its header.
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/context/AddressBinding.h"
#include "icd_glue/context/Extensions.h"
#include "icd_glue/context/MemoryReport.h"
#include "icd_glue/context/PhysicalDevice.h"
#include "icd_glue/context/SyncDomain.h"
#include "llpc/Compiler.h"
#include "pal_shim/device/Device.h"
#include "llvm/ADT/StringRef.h"
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace icd {

class BorderColors;
class CreationObserver;
class DiskCache;
class DrawVariants;
class Instance;
class Kernels;
class KnownModules;
class LibraryWarmer;
class PartialPipeline;
class Queue;
class RayShaderIds;
class RecipeBook;
class ShaderCache;
struct DeviceServices;
struct Environment;
struct Message;
struct PartCounters;
namespace sc {
class PipelinePools;
}

/// The features that the application enabled; only these may be relied on.
using EnabledFeatures = Features;

class Device : public Object {
public:
  using Handle = VkDevice;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_DEVICE;

  /// What vkCreateDevice has made before the object exists.
  struct Parts {
    std::unique_ptr<pal::device::SoftwareDevice> gpu;
    std::unique_ptr<llpc::Compiler> compiler;
    EnabledFeatures features;
    ExtensionSet extensions; ///< with those of the instance
    MemoryReport memoryReport;
  };
  Device(PhysicalDevice &physicalDevice, const VkAllocationCallbacks &callbacks, Parts parts);
  ~Device();

  PhysicalDevice &physicalDevice() { return physical; }
  Instance &instance() { return physical.instance(); }
  pal::device::SoftwareDevice &gpu() { return *parts.gpu; }
  const llpc::Compiler &compiler() const { return *parts.compiler; }
  const EnabledFeatures &features() const { return parts.features; }
  const ExtensionSet &extensions() const { return parts.extensions; }
  const pal::abi::GpuTarget &target() const { return physical.target(); }
  /// KILN_OPT_LEVEL and the like.
  const Environment &environment();

  /// Once, before anyone else sees the device.
  void setServices(std::unique_ptr<DeviceServices> made);
  /// Part of all keys (pipeline/GlobalKey.h).
  const llpc::Hash128 &globalKey() const;
  /// What Vulkan SC reserves for pipelines; null: there is no limit.
  sc::PipelinePools *pipelinePools();
  /// Custom border colours of samplers.
  BorderColors &borderColors();
  /// What identifiers of modules may name; used with shaderModuleIdentifier only.
  KnownModules &knownModules();
  /// What shader binding tables name shaders by.
  RayShaderIds &rayShaderIds();
  /// Compiled code.
  ShaderCache &shaderCache();
  /// The layer below it; null: none.
  DiskCache *diskCache();
  /// Compiling before pipelines exist; null when it is switched off.
  PartialPipeline *partial();
  /// The same, for those that tell it what there is.
  CreationObserver *observer();
  /// Queues work of the background, with parts or without. It may never be done; false: it will
  /// not, because too much waits.
  bool later(std::function<void()> work);
  /// What is remembered of the program; null: nothing.
  RecipeBook *recipes();
  PartCounters &counters();
  LibraryWarmer &libraryWarmer();
  DrawVariants &drawVariants();
  /// What builds acceleration structures.
  Kernels &kernels();
  llvm::ArrayRef<Queue *> queues() const;
  /// Queue \p index of the one family, or null.
  Queue *queue(uint32_t index) { return index < queues().size() ? queues()[index] : nullptr; }

  /// State behind fences, semaphores and events.
  SyncDomain &sync() { return domain; }

  /// Ends the use of the device: everything that waits is woken, every later command that can say
  /// so returns VK_ERROR_DEVICE_LOST. The message goes to the debug messengers and the log. Only
  /// the first call has an effect.
  void markLost(llvm::StringRef message);
  bool isLost() const { return domain.isLost(); }
  /// VK_ERROR_DEVICE_LOST, after all queues have stopped. For commands called by the application.
  VkResult lostResult();
  /// Why the device is lost; empty if it is not.
  std::string lostMessage() const;
  /// VK_KHR_device_fault: waits for a loss that nobody has taken; there is one at most. False: none
  /// comes any more, or not within \p nanoseconds.
  bool waitForFault(uint64_t nanoseconds, bool take);

  /// Reports a message about \p object (null: the device) to debug messengers and log.
  void reportError(const char *id, llvm::StringRef text, const Object *object = nullptr);
  void reportWarning(const char *id, llvm::StringRef text, const Object *object = nullptr);
  void reportInfo(const char *id, llvm::StringRef text, const Object *object = nullptr);

  /// VK_EXT_device_address_binding_report: tells messengers that \p object has these addresses now,
  /// or no longer. Nothing, if the feature is not enabled or the range is empty.
  void reportBinding(const Object &object, const AddressBinding &range,
                     VkDeviceAddressBindingTypeEXT type);

  const MemoryReport &memoryReport() const { return parts.memoryReport; }

  /// A number for a VkPrivateDataSlot, unique on this device.
  uint64_t nextPrivateDataSlot() { return privateDataSlots++; }

  const VkAllocationCallbacks &allocationCallbacks() const { return callbacks; }
  /// Creates a child object; null: out of host memory.
  template <typename T, typename... Args>
  T *create(const VkAllocationCallbacks *allocator, Args &&...args) {
    return createObject<T>(allocator, callbacks, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT,
                           std::forward<Args>(args)...);
  }
  /// Destroys a child object; null is fine.
  template <typename T> void destroy(T *object, const VkAllocationCallbacks *allocator) {
    destroyObject(object, allocator, callbacks);
  }

private:
  void report(VkDebugUtilsMessageSeverityFlagBitsEXT severity, const char *id, llvm::StringRef text,
              const Object *object);

  PhysicalDevice &physical;
  const VkAllocationCallbacks callbacks;
  Parts parts;
  SyncDomain domain;
  std::unique_ptr<DeviceServices> services;
  mutable std::mutex lostMutex;
  std::string lostText;
  bool faultIsTaken = false; ///< under the lock of `domain`
  std::atomic<uint64_t> privateDataSlots = 0;
};

} // namespace icd
