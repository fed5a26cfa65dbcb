//===- Semaphore.h - VkSemaphore ------------------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/sync/SyncPayload.h"

namespace icd {

/// State is guarded by Device::sync().
class Semaphore : public Object {
public:
  using Handle = VkSemaphore;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_SEMAPHORE;
  Semaphore(bool timeline, uint64_t value)
      : Object(type), timeline(timeline),
        payload(timeline ? SyncPayload::Kind::Timeline : SyncPayload::Kind::Binary, value) {}

  /// Whether a wait for \p wanted (timeline only) may go on.
  bool reached(uint64_t wanted) {
    return timeline ? payload.load() >= wanted : payload.load() != 0;
  }
  /// What a wait that went on does: it takes a binary semaphore's signal.
  void consume() {
    if (!timeline)
      payload.consume();
  }
  void signal(uint64_t newValue) { payload.store(timeline ? newValue : 1); }

  const bool timeline;
  SyncPayload payload; ///< of a binary semaphore: 1 when signaled
};

} // namespace icd
