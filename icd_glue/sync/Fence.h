//===- Fence.h - VkFence --------------------------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Object.h"

namespace icd {

/// State is guarded by Device::sync().
class Fence : public Object {
public:
  using Handle = VkFence;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_FENCE;
  explicit Fence(bool signaled) : Object(type), signaled(signaled) {}

  bool signaled;
};

} // namespace icd
