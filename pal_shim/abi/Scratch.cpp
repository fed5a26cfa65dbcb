//===- Scratch.cpp - how much scratch memory a lane can have --------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/abi/Scratch.h"
#include "pal_shim/abi/TargetInfo.h"

namespace pal::abi {

uint32_t maxScratchBytes(const GpuTarget &target, unsigned waveSize) {
  // HW: 13 bits of 1024 bytes, 15 bits of 256 from gfx11 on, 18 from gfx12 on.
  const uint32_t unit = target.major == 10 ? 1024 : 256;
  const unsigned bits = target.major == 10 ? 13 : target.major == 11 ? 15 : 18;
  return ((1u << bits) - 1) * unit / waveSize;
}

} // namespace pal::abi
