//===- Atomics.h - read-modify-write operations ----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// An atomic operation is a function of the memory's value and one or two operands. makeAtomic
/// turns it into a MemOp that works on host atomics, lane by lane from lane 0 up.
#pragma once

#include "pal_shim/device/memory/MemOps.h"
#include <type_traits>

namespace pal::device {

/// \p mode: MODE, for the denormals of 16-bit floats.
template <class T> using AtomicFunc = T (*)(T memory, T data, T data2, uint32_t mode);

namespace atomic {
template <class T> using FloatOf = std::conditional_t<sizeof(T) == 4, float, double>;
template <class T> FloatOf<T> asFloat(T bits) { return std::bit_cast<FloatOf<T>>(bits); }
template <class T> bool isNan(T bits) { return asFloat(bits) != asFloat(bits); }

// Operands and results as in the pseudocode of the RDNA ISA manuals.
#define KILN_ATOMIC(name, expression)                                                              \
  template <class T> T name(T memory, T data, T data2, uint32_t mode) {                            \
    using Signed = std::make_signed_t<T>;                                                          \
    (void)data, (void)data2, (void)mode, (void)sizeof(Signed);                                     \
    return T(expression);                                                                          \
  }
KILN_ATOMIC(add, memory + data)
KILN_ATOMIC(sub, memory - data)
KILN_ATOMIC(rsub, data - memory)
KILN_ATOMIC(umin, data < memory ? data : memory)
KILN_ATOMIC(umax, data > memory ? data : memory)
KILN_ATOMIC(smin, Signed(data) < Signed(memory) ? data : memory)
KILN_ATOMIC(smax, Signed(data) > Signed(memory) ? data : memory)
KILN_ATOMIC(bitAnd, memory &data)
KILN_ATOMIC(bitOr, memory | data)
KILN_ATOMIC(bitXor, memory ^ data)
KILN_ATOMIC(inc, memory >= data ? 0 : memory + 1)
KILN_ATOMIC(dec, memory == 0 || memory > data ? data : memory - 1)
KILN_ATOMIC(swap, data)
KILN_ATOMIC(cmpswap, memory == data2 ? data : memory)
KILN_ATOMIC(maskOr, (memory & ~data) | data2)
KILN_ATOMIC(wrap, memory >= data ? memory - data : memory + data2)
KILN_ATOMIC(subClamp, memory < data ? 0 : memory - data)
KILN_ATOMIC(condSub, memory < data ? memory : memory - data)
// The bits as a float of that size. min and max: NaN loses, -0 < +0.
KILN_ATOMIC(fadd, std::bit_cast<T>(asFloat(memory) + asFloat(data)))
KILN_ATOMIC(fmin, isNan(data)                        ? memory
                  : isNan(memory)                    ? data
                  : asFloat(data) == asFloat(memory) ? memory | data
                  : asFloat(data) < asFloat(memory)  ? data
                                                     : memory)
KILN_ATOMIC(fmax, isNan(data)                        ? memory
                  : isNan(memory)                    ? data
                  : asFloat(data) == asFloat(memory) ? memory & data
                  : asFloat(data) > asFloat(memory)  ? data
                                                     : memory)
KILN_ATOMIC(fcmpswap, asFloat(memory) == asFloat(data2) ? data : memory)
#undef KILN_ATOMIC

/// gfx12, on {ordered id, count}: where the ids are equal, the count grows by the data's and it is
/// the turn of the next id. Why the id wraps: it comes from a field of 12 bits.
uint64_t orderedAdd(uint64_t memory, uint64_t data, uint64_t data2, uint32_t mode);
/// For each 32-bit half: bit 31 of data set ? the rest of data : memory. Returns the memory before.
uint64_t condExchange(uint64_t memory, uint64_t data, uint64_t data2, uint32_t mode);
/// Two 16-bit floats, each rounded to nearest even; denormals as MODE says for f16, kept for bf16.
uint32_t pkAddF16(uint32_t memory, uint32_t data, uint32_t data2, uint32_t mode);
uint32_t pkAddBf16(uint32_t memory, uint32_t data, uint32_t data2, uint32_t mode);
} // namespace atomic

template <class T, AtomicFunc<T> F, FloatKind floatKind>
void applyAtomic(Wave &wave, const Instr &instr, const LanePointers &lanes) {
  constexpr unsigned dwords = sizeof(T) / 4;
  auto load = [&](unsigned reg, unsigned lane) {
    T value = T(wave.v[reg].lane[lane]);
    if constexpr (dwords == 2)
      value |= T(wave.v[reg + 1].lane[lane]) << 32;
    return value;
  };
  if constexpr (floatKind != FloatKind::None)
    wave.useFloatMode(floatKind);
  forEachLane(lanes.mask, [&](unsigned lane) {
    T data = load(instr.src[1].reg, lane), data2 = load(instr.src[2].reg, lane);
    T *memory = reinterpret_cast<T *>(lanes.at[lane]);
    T before = __atomic_load_n(memory, __ATOMIC_RELAXED);
    if (lanes.isPrivate)
      *memory = F(before, data, data2, wave.modeBits);
    else
      while (!__atomic_compare_exchange_n(memory, &before, F(before, data, data2, wave.modeBits),
                                          false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
      }
    if (!instr.mem.returnsValue)
      return;
    wave.v[instr.dst[0].reg].lane[lane] = uint32_t(before);
    if constexpr (dwords == 2)
      wave.v[instr.dst[0].reg + 1].lane[lane] = uint32_t(before >> 32);
  });
}

template <class T, AtomicFunc<T> F, unsigned operandCount = 1,
          FloatKind floatKind = FloatKind::None>
inline constexpr MemOp atomicOp = {.apply = applyAtomic<T, F, floatKind>,
                                   .kind = MemKind::Atomic,
                                   .bytes = sizeof(T),
                                   .dataDwords = sizeof(T) / 4,
                                   .resultDwords = sizeof(T) / 4,
                                   .operands = operandCount};
template <AtomicFunc<uint32_t> F> inline constexpr MemOp atomic32 = atomicOp<uint32_t, F>;
template <AtomicFunc<uint64_t> F> inline constexpr MemOp atomic64 = atomicOp<uint64_t, F>;
template <AtomicFunc<uint32_t> F>
inline constexpr MemOp atomicF32 = atomicOp<uint32_t, F, 1, FloatKind::F32>;
template <AtomicFunc<uint64_t> F>
inline constexpr MemOp atomicF64 = atomicOp<uint64_t, F, 1, FloatKind::F64F16>;

} // namespace pal::device
