//===- DeferredOperation.cpp - VK_KHR_deferred_host_operations ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A command that is given such an object does its work at once, which Vulkan allows
/// (VK_OPERATION_NOT_DEFERRED_KHR, or its result): nothing is ever left for another thread.
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"

namespace icd {
namespace {

class DeferredOperation : public Object {
public:
  using Handle = VkDeferredOperationKHR;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_DEFERRED_OPERATION_KHR;
  DeferredOperation() : Object(type) {}
};

} // namespace

VKAPI_ATTR VkResult VKAPI_CALL CreateDeferredOperationKHR(VkDevice device,
                                                          const VkAllocationCallbacks *allocator,
                                                          VkDeferredOperationKHR *operation) {
  auto *made = fromHandle<Device>(device)->create<DeferredOperation>(allocator);
  *operation = toHandle(made);
  return made ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL DestroyDeferredOperationKHR(VkDevice device,
                                                       VkDeferredOperationKHR operation,
                                                       const VkAllocationCallbacks *allocator) {
  fromHandle<Device>(device)->destroy(fromHandle<DeferredOperation>(operation), allocator);
}

VKAPI_ATTR uint32_t VKAPI_CALL GetDeferredOperationMaxConcurrencyKHR(VkDevice,
                                                                     VkDeferredOperationKHR) {
  return 0; // nothing is left to join
}

VKAPI_ATTR VkResult VKAPI_CALL GetDeferredOperationResultKHR(VkDevice, VkDeferredOperationKHR) {
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL DeferredOperationJoinKHR(VkDevice, VkDeferredOperationKHR) {
  return VK_SUCCESS;
}

} // namespace icd
