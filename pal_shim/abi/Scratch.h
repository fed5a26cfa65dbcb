//===- Scratch.h - how much scratch memory a lane can have ----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace pal::abi {

struct GpuTarget;

/// The most scratch memory of a lane, in bytes: what the field for a wave's size (SPI_TMPRING_SIZE)
/// has room for. Sizes in metadata are multiples of 16, which may round it up.
uint32_t maxScratchBytes(const GpuTarget &target, unsigned waveSize);

} // namespace pal::abi
