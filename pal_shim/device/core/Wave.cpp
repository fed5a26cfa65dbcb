//===- Wave.cpp - faults and float mode of a wave --------------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/Wave.h"
#include "pal_shim/abi/AbiError.h"
#include <immintrin.h>

namespace pal::device {

void Wave::setHostFloat(FloatKind kind) {
  // MODE's rounding modes are even, +inf, -inf, zero; MXCSR's even, -inf, +inf, zero.
  constexpr unsigned roundings[] = {_MM_ROUND_NEAREST, _MM_ROUND_UP, _MM_ROUND_DOWN,
                                    _MM_ROUND_TOWARD_ZERO};
  constexpr unsigned denormalsAreZero = 0x40;
  unsigned shift = kind == FloatKind::F32 ? 0 : 2;
  unsigned denormals = modeBits >> (4 + shift) & 3; // bit 0: keep inputs, bit 1: keep results
  unsigned csr = _MM_MASK_MASK | roundings[modeBits >> shift & 3];
  if (!(denormals & 1))
    csr |= denormalsAreZero;
  if (!(denormals & 2))
    csr |= _MM_FLUSH_ZERO_ON;
  _mm_setcsr(csr);
  hostFloat = kind;
}

void Wave::fault(DeviceFault::Kind kind, const llvm::Twine &message, int lane) {
  state = WaveState::Faulted;
  // A handler may report several lanes: the first one counts.
  if (!group->fault)
    group->fault = FaultRecord{kind, message.str(), lane};
}

void Wave::memoryFault(GpuAddress address, uint64_t bytes, bool isWrite, int lane) {
  fault(DeviceFault::Kind::MemoryAccess,
        llvm::Twine(isWrite ? "write" : "read") + " of " + llvm::Twine(bytes) +
            " bytes: " + group->memory->describe(address),
        lane);
}

} // namespace pal::device
