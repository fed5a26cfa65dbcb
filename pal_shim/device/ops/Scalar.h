//===- Scalar.h - scalar operations as functions ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A scalar operation is an ordinary function of its sources, in the order of the assembler; a
/// source that is also the destination (s_addk, s_bitset, s_fmac) counts where LLVM lists it:
///
///     static uint32_t andB32(uint32_t a, uint32_t b, uint32_t &scc) { ... }
///     ... {"s_and_b32", runScalar<andB32>, decodeSalu}
///
/// A last parameter `uint32_t &scc` is SCC, in and out. A bool result goes to SCC and nowhere else.
/// Floating-point operations are in ScalarFloat.cpp.
#pragma once

#include "pal_shim/device/core/Wave.h"
#include <bit>
#include <type_traits>
#include <utility>

namespace pal::device {

/// Flags of SALU OpEntries.
enum ScalarFlag : uint8_t {
  SignExtendLiteral = 1, ///< 64-bit operation that sign-extends its 32-bit literal
};

/// Decodes SOP1, SOP2, SOPC, SOPK: destination to dst[0], sources to src[] in LLVM's order, the
/// constant of SOPK as last source and as `simm`; SOPP's goes to `simm`.
bool decodeSalu(const RawInstr &raw, Instr &instr, std::string &why);

inline uint64_t readScalar64(const Wave &wave, const Src &src) {
  switch (src.kind) {
  case Src::Kind::Sgpr:
    return wave.s64(src.reg);
  case Src::Kind::Imm:
    return src.imm;
  case Src::Kind::Scc:
    return wave.scc;
  case Src::Kind::VccZ:
    return wave.vcc() == 0;
  case Src::Kind::ExecZ:
    return wave.exec() == 0;
  default:
    return 0;
  }
}

inline uint32_t readScalar32(const Wave &wave, const Src &src) {
  if (src.kind == Src::Kind::Sgpr)
    return wave.s[src.reg];
  return uint32_t(readScalar64(wave, src));
}

inline void writeScalar32(Wave &wave, const Dst &dst, uint32_t value) {
  if (dst.kind == Dst::Kind::Sgpr)
    wave.s[dst.reg] = value;
}

inline void writeScalar64(Wave &wave, const Dst &dst, uint64_t value) {
  if (dst.kind == Dst::Kind::Sgpr)
    wave.setS64(dst.reg, value);
}

namespace detail {

template <class T> inline T readScalar(const Wave &wave, const Src &src) {
  if constexpr (sizeof(T) == 8)
    return std::bit_cast<T>(readScalar64(wave, src));
  else
    return std::bit_cast<T>(readScalar32(wave, src));
}

template <class T> inline void writeScalar(Wave &wave, const Instr &instr, T value) {
  if constexpr (std::is_same_v<T, bool>)
    wave.scc = value;
  else if constexpr (sizeof(T) == 8)
    writeScalar64(wave, instr.dst[0], std::bit_cast<uint64_t>(value));
  else
    writeScalar32(wave, instr.dst[0], std::bit_cast<uint32_t>(value));
}

template <auto F, class R, class... A, size_t... I>
inline void callScalar(Wave &wave, const Instr &instr, std::index_sequence<I...>) {
  writeScalar<R>(wave, instr, F(readScalar<A>(wave, instr.src[I])...));
}

template <auto F, class R, class... A>
inline void runScalar(Wave &wave, const Instr &instr, R (*)(A...)) {
  callScalar<F, R, A...>(wave, instr, std::index_sequence_for<A...>());
}

/// Functions that see SCC: the parameter comes last, so the sources are the others.
template <auto F, class R, class A>
inline void runScalar(Wave &wave, const Instr &instr, R (*)(A, uint32_t &)) {
  writeScalar<R>(wave, instr, F(readScalar<A>(wave, instr.src[0]), wave.scc));
}
template <auto F, class R, class A, class B>
inline void runScalar(Wave &wave, const Instr &instr, R (*)(A, B, uint32_t &)) {
  writeScalar<R>(wave, instr,
                 F(readScalar<A>(wave, instr.src[0]), readScalar<B>(wave, instr.src[1]), wave.scc));
}

} // namespace detail

/// Executes F on the sources of the instruction.
template <auto F> void runScalar(Wave &wave, const Instr &instr) {
  detail::runScalar<F>(wave, instr, F);
}

} // namespace pal::device
