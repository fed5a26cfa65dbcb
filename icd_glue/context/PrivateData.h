//===- PrivateData.h - VkPrivateDataSlot ----------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Object.h"

namespace icd {

/// A key; the values are in the objects' notes, so that they vanish with the object.
class PrivateDataSlot : public Object {
public:
  using Handle = VkPrivateDataSlot;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_PRIVATE_DATA_SLOT;
  explicit PrivateDataSlot(uint64_t number) : Object(type), number(number) {}

  /// Never used for two slots: a new slot at the address of an old one has no values.
  const uint64_t number;
};

} // namespace icd
