//===- Event.h - VkEvent --------------------------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Object.h"

namespace icd {

class Device;

class Event : public Object {
public:
  using Handle = VkEvent;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_EVENT;
  explicit Event(Device &device) : Object(type), owner(device) {}

  /// For host and device alike.
  void set();
  void reset();
  bool isSet();
  /// Blocks until the event is set. False: the device was lost meanwhile.
  bool wait();

private:
  Device &owner;
  bool signaled = false; // guarded by Device::sync()
};

} // namespace icd
