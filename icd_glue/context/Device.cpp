//===- Device.cpp - VkDevice ----------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/context/Device.h"
#include "icd_glue/context/Instance.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace icd {

const Environment &Device::environment() { return instance().environment(); }

void Device::markLost(StringRef message) {
  {
    std::lock_guard<std::mutex> lock(lostMutex);
    if (!lostText.empty())
      return;
    lostText = message.empty() ? "device lost" : message.str();
  }
  // Reported before anybody can see the loss, so that the message comes first.
  reportError("KILN-device-lost", message);
  domain.lose();
}

VkResult Device::lostResult() {
  domain.drain();
  return VK_ERROR_DEVICE_LOST;
}

std::string Device::lostMessage() const {
  std::lock_guard<std::mutex> lock(lostMutex);
  return lostText;
}

bool Device::waitForFault(uint64_t nanoseconds, bool take) {
  auto isThere = [&] {
    const bool is = domain.isLost() && !faultIsTaken;
    faultIsTaken |= is && take;
    return is;
  };
  return domain.wait(nanoseconds, isThere) == WaitResult::Satisfied;
}

void Device::report(VkDebugUtilsMessageSeverityFlagBitsEXT severity, const char *id, StringRef text,
                    const Object *object) {
  const Object *subject = object ? object : this;
  instance().report({severity, VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT, id, text.str(),
                     ArrayRef<const Object *>(subject)});
}

void Device::reportBinding(const Object &object, const AddressBinding &range,
                           VkDeviceAddressBindingTypeEXT type) {
  if (!features().reportAddressBinding || !range.address || !range.size)
    return;
  VkDeviceAddressBindingCallbackDataEXT data = {};
  data.sType = VK_STRUCTURE_TYPE_DEVICE_ADDRESS_BINDING_CALLBACK_DATA_EXT;
  data.baseAddress = range.address;
  data.size = range.size;
  data.bindingType = type;
  const Object *subject = &object;
  const std::string text =
      "0x" + utohexstr(range.address, /*LowerCase=*/true) + ", " + std::to_string(range.size) +
      " bytes: " + (type == VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT ? "bound" : "unbound");
  instance().report({VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
                     VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT,
                     "KILN-address-binding", text, ArrayRef<const Object *>(subject), &data});
}

void Device::reportError(const char *id, StringRef text, const Object *object) {
  report(VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT, id, text, object);
}

void Device::reportWarning(const char *id, StringRef text, const Object *object) {
  report(VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT, id, text, object);
}

void Device::reportInfo(const char *id, StringRef text, const Object *object) {
  report(VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT, id, text, object);
}

} // namespace icd
