//===- BufferOps.h - between the files of buffer instructions --------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/memory/MemOps.h"

namespace pal::device {

void runBuffer(Wave &wave, const Instr &instr);
/// Bytes of a texel of the V#'s format; 0 after a fault about a format that buffers cannot have.
unsigned typedBytes(Wave &wave, const BufferResource &resource);

} // namespace pal::device
