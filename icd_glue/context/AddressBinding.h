//===- AddressBinding.h - GPU addresses that an object has ----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/Device.h"

namespace icd {

/// What VK_EXT_device_address_binding_report tells of (Device::reportBinding).
struct AddressBinding {
  pal::device::GpuAddress address = 0; ///< 0: none
  uint64_t size = 0;
};

} // namespace icd
