//===- Instance.h - VkInstance --------------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The instance owns its physical devices, the settings from the environment, and the messengers of
/// VK_EXT_debug_utils and callbacks of VK_EXT_debug_report, which all messages of the driver go
/// through.
#pragma once

#include "icd_glue/Environment.h"
#include "icd_glue/Object.h"
#include "icd_glue/context/Extensions.h"
#include "icd_glue/context/Udmabuf.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include <atomic>
#include <memory>
#include <mutex>
#include <unistd.h>
#include <vector>

namespace icd {

class DebugMessenger;
class DebugReportCallback;
class PhysicalDevice;

/// One message of the driver.
struct Message {
  VkDebugUtilsMessageSeverityFlagBitsEXT severity;
  VkDebugUtilsMessageTypeFlagsEXT types;
  /// Identifies the kind of message, such as "KILN-device-fault".
  const char *id;
  std::string text;
  llvm::ArrayRef<const Object *> objects;
  const void *next = nullptr; ///< chain of the callback data
};

class Instance : public Object {
public:
  using Handle = VkInstance;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_INSTANCE;

  Instance(const VkAllocationCallbacks &callbacks, Environment environment, uint32_t apiVersion,
           std::string programName, const ExtensionSet &extensions);
  ~Instance();

  const VkAllocationCallbacks &allocationCallbacks() const { return callbacks; }
  const Environment &environment() const { return settings; }
  /// What the application asked for; at least 1.0.
  uint32_t apiVersion() const { return requestedVersion; }
  /// What the application calls itself and its engine, or else the file that is executed.
  const std::string &programName() const { return program; }
  const ExtensionSet &extensions() const { return enabledExtensions; }
  llvm::ArrayRef<std::unique_ptr<PhysicalDevice>> physicalDevices() const { return devices; }
  /// Whether it exists decides about VK_EXT_external_memory_dma_buf.
  const Udmabuf &udmabuf() const { return dmaBufs; }

  /// Hands a message to all messengers and callbacks that want it. Errors and warnings also go to
  /// KILN_LOG, or to standard error when nobody took them.
  void report(const Message &message);
  /// Hands a message that a layer or the application made to the messengers.
  void submit(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
              VkDebugUtilsMessageTypeFlagsEXT types,
              const VkDebugUtilsMessengerCallbackDataEXT &data);
  /// Appends a line to KILN_LOG or standard error.
  void log(const llvm::Twine &line);

  /// A number for a swapchain; surfaces may be shared by devices.
  uint32_t nextSwapchainNumber() { return swapchainNumbers++; }

  void addMessenger(DebugMessenger *messenger);
  void removeMessenger(DebugMessenger *messenger);
  /// The same of VK_EXT_debug_report.
  void addReportCallback(DebugReportCallback *callback);
  void removeReportCallback(DebugReportCallback *callback);
  void forEachReportCallback(llvm::function_ref<void(const DebugReportCallback &)> visit);

private:
  const VkAllocationCallbacks callbacks;
  const Environment settings;
  const uint32_t requestedVersion;
  const std::string program;
  const ExtensionSet enabledExtensions;
  const Udmabuf dmaBufs;
  std::vector<std::unique_ptr<PhysicalDevice>> devices;
  std::mutex messengerMutex; ///< of both lists
  std::vector<DebugMessenger *> messengers;
  std::vector<DebugReportCallback *> reportCallbacks;
  std::atomic<uint32_t> swapchainNumbers = 0;
  std::mutex logMutex;
  int logFile = STDERR_FILENO;
};

} // namespace icd
