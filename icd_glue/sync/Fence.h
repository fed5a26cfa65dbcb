//===- Fence.h - VkFence --------------------------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/sync/SyncPayload.h"

namespace icd {

/// State is guarded by Device::sync().
class Fence : public Object {
public:
  using Handle = VkFence;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_FENCE;
  explicit Fence(bool signaled) : Object(type), payload(SyncPayload::Kind::Fence, signaled) {}

  bool isSignaled() { return payload.load() != 0; }
  void signal() { payload.store(1); }

  SyncPayload payload;
};

} // namespace icd
