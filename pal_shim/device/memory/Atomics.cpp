//===- Atomics.cpp - read-modify-write of packed and odd operands ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// The atomic functions that are more than one expression; the others are in Atomics.h.
#include "pal_shim/device/memory/Atomics.h"
#include <immintrin.h>

namespace pal::device::atomic {

uint64_t condExchange(uint64_t memory, uint64_t data, uint64_t, uint32_t) {
  uint32_t low = uint32_t(data), high = uint32_t(data >> 32);
  uint32_t newLow = low >> 31 ? low & 0x7FFFFFFFu : uint32_t(memory);
  uint32_t newHigh = high >> 31 ? high & 0x7FFFFFFFu : uint32_t(memory >> 32);
  return uint64_t(newHigh) << 32 | newLow;
}

uint64_t orderedAdd(uint64_t memory, uint64_t data, uint64_t, uint32_t) {
  constexpr uint32_t orderedIds = 1u << 12;
  if (uint32_t(memory) != uint32_t(data))
    return memory;
  uint32_t count = uint32_t(memory >> 32) + uint32_t(data >> 32);
  return uint64_t(count) << 32 | (uint32_t(memory) + 1) % orderedIds;
}

namespace {
uint16_t flushF16(uint16_t bits, bool keep) {
  return keep || (bits & 0x7C00) ? bits : uint16_t(bits & 0x8000);
}

uint16_t addF16(uint16_t a, uint16_t b, uint32_t mode) {
  bool keepInput = mode & 0x40, keepOutput = mode & 0x80;
  // Exact enough: single precision has more than twice the bits and two of f16, so that rounding
  // twice gives what rounding once gives.
  float sum = _cvtsh_ss(flushF16(a, keepInput)) + _cvtsh_ss(flushF16(b, keepInput));
  return flushF16(uint16_t(_cvtss_sh(sum, _MM_FROUND_TO_NEAREST_INT)), keepOutput);
}

uint16_t addBf16(uint16_t a, uint16_t b) {
  float sum = std::bit_cast<float>(uint32_t(a) << 16) + std::bit_cast<float>(uint32_t(b) << 16);
  uint32_t bits = std::bit_cast<uint32_t>(sum);
  if (sum != sum)
    return uint16_t(bits >> 16 | 0x40);
  return uint16_t((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}
} // namespace

uint32_t pkAddF16(uint32_t memory, uint32_t data, uint32_t, uint32_t mode) {
  return addF16(uint16_t(memory), uint16_t(data), mode) |
         uint32_t(addF16(uint16_t(memory >> 16), uint16_t(data >> 16), mode)) << 16;
}

uint32_t pkAddBf16(uint32_t memory, uint32_t data, uint32_t, uint32_t) {
  return addBf16(uint16_t(memory), uint16_t(data)) |
         uint32_t(addBf16(uint16_t(memory >> 16), uint16_t(data >> 16))) << 16;
}

} // namespace pal::device::atomic
