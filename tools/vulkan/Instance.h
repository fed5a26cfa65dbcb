//===- Instance.h - how tools and tests begin with Vulkan -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A driver is found through the Vulkan loader, as applications find it (VK_DRIVER_FILES chooses),
/// or is a library that is named, or part of the program. Nothing is linked, so that programs are
/// built where no loader is.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>
#include <vulkan/vulkan.h>

namespace vulkan {

/// "VK_ERROR_DEVICE_LOST"; "VkResult -5" for numbers without a name here.
std::string resultName(VkResult result);
/// LimitExceeded, "vkX: VK_ERROR_...", unless the result is a success code.
llvm::Error check(VkResult result, const char *function);

/// The function that gives all others. Libraries stay mapped: drivers start threads and register
/// exit handlers. Errors: LimitExceeded, there is none.
llvm::Expected<PFN_vkGetInstanceProcAddr> openLoader();
llvm::Expected<PFN_vkGetInstanceProcAddr> openDriver(const std::string &library);

/// A message of layers or the driver, in the thread whose call it is about.
struct Message {
  llvm::StringRef text;
  bool isError;      ///< else a warning
  bool isValidation; ///< of the validation layer
  bool isInfo;       ///< neither a warning nor an error
};

struct InstanceOptions {
  const char *program = "";
  std::vector<const char *> layers = {}, extensions = {};
  std::function<void(const Message &message)> onMessage = nullptr; ///< enables VK_EXT_debug_utils
  bool wantsInfo = false; ///< messages that are neither warnings nor errors, too
};

class Instance {
public:
  /// For Vulkan 1.3. Errors: LimitExceeded, the instance cannot be created.
  static llvm::Expected<std::unique_ptr<Instance>> create(PFN_vkGetInstanceProcAddr getProc,
                                                          InstanceOptions options);
  ~Instance();
  Instance(const Instance &) = delete;
  Instance &operator=(const Instance &) = delete;

  VkInstance handle() const { return instance; }
  llvm::ArrayRef<VkPhysicalDevice> devices() const { return physical; }
  std::vector<std::string> extensionsOf(VkPhysicalDevice device) const;
  /// A function by its whole name; null: there is none.
  template <typename Function> Function get(const char *name) const {
    return reinterpret_cast<Function>(getProc(instance, name));
  }

private:
  Instance(PFN_vkGetInstanceProcAddr getProc, InstanceOptions options)
      : getProc(getProc), options(std::move(options)) {}
  llvm::Error open();
  llvm::Error listDevices();

  const PFN_vkGetInstanceProcAddr getProc;
  const InstanceOptions options;
  VkInstance instance = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
  std::vector<VkPhysicalDevice> physical;
};

} // namespace vulkan
