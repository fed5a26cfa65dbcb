//===- Semaphore.h - VkSemaphore ------------------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Object.h"

namespace icd {

/// State is guarded by Device::sync().
class Semaphore : public Object {
public:
  using Handle = VkSemaphore;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_SEMAPHORE;
  Semaphore(bool timeline, uint64_t value) : Object(type), timeline(timeline), value(value) {}

  /// Whether a wait for \p wanted (timeline only) may go on.
  bool reached(uint64_t wanted) const { return timeline ? value >= wanted : value != 0; }
  /// What a wait that went on does: it takes a binary semaphore's signal.
  void consume() {
    if (!timeline)
      value = 0;
  }
  void signal(uint64_t newValue) { value = timeline ? newValue : 1; }

  const bool timeline;
  uint64_t value; ///< of a binary semaphore: 1 when signaled
};

} // namespace icd
