//===- SerialIdentity.h - what reads a serialized structure ---------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/rays/Kernels.h"

namespace icd {

/// The driver's UUID, as Vulkan wants it, and one that stands for the layout of structures.
Identity serialIdentityOf(Device &device);

} // namespace icd
