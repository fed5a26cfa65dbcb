//===- Event.cpp - VkEvent ------------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/sync/Event.h"
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"

namespace icd {

void Event::set() {
  owner.sync().update([this] { signaled = true; });
}

void Event::reset() {
  owner.sync().update([this] { signaled = false; });
}

bool Event::isSet() {
  return owner.sync().read([this] { return signaled; });
}

bool Event::wait() {
  return owner.sync().wait(UINT64_MAX, [this] { return signaled; }) == WaitResult::Satisfied;
}

//===--- Commands ---------------------------------------------------------===//

VkResult VKAPI_CALL CreateEvent(VkDevice handle, const VkEventCreateInfo *,
                                const VkAllocationCallbacks *pAllocator, VkEvent *pEvent) {
  Device *device = fromHandle<Device>(handle);
  Event *event = device->create<Event>(pAllocator, *device);
  if (!event)
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  *pEvent = toHandle(event);
  return VK_SUCCESS;
}

void VKAPI_CALL DestroyEvent(VkDevice device, VkEvent event,
                             const VkAllocationCallbacks *pAllocator) {
  fromHandle<Device>(device)->destroy(fromHandle<Event>(event), pAllocator);
}

VkResult VKAPI_CALL GetEventStatus(VkDevice handle, VkEvent event) {
  Device *device = fromHandle<Device>(handle);
  if (device->isLost())
    return device->lostResult();
  return fromHandle<Event>(event)->isSet() ? VK_EVENT_SET : VK_EVENT_RESET;
}

VkResult VKAPI_CALL SetEvent(VkDevice, VkEvent event) {
  fromHandle<Event>(event)->set();
  return VK_SUCCESS;
}

VkResult VKAPI_CALL ResetEvent(VkDevice, VkEvent event) {
  fromHandle<Event>(event)->reset();
  return VK_SUCCESS;
}

} // namespace icd
