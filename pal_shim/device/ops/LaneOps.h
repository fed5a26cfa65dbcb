//===- LaneOps.h - VALU operations as functions of one lane ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A vector operation is written as an ordinary function of one lane:
///
///     static float addF32(float a, float b) { return a + b; }
///     ... {"v_add_f32", runValu, decodeValu, &laneOp<addF32>}
///
/// laneOp<F> turns it into a row function that the compiler vectorises, and derives from F's
/// signature the operand widths, which modifiers apply, and which part of MODE governs it. runValu
/// (Valu.cpp) does everything around it once for all operations: fetching registers, constants and
/// masks, DPP, SDWA, op_sel, neg/abs, omod, clamp, blending by EXEC, writing halves and masks.
///
/// Types of parameters and results:
///   uint32_t int32_t uint64_t int64_t uint16_t int16_t   integers; clamp saturates where the
///                                                        operation says so (OpFlag)
///   float double Half      neg and abs apply to sources, omod and clamp to results
///   Bits32                 32 bits that are only moved, but take neg/abs as a float (v_cndmask)
///   Packed                 two 16-bit halves after op_sel and neg of each
///   Mix                    source of v_fma_mix*: f32, or one f16 half made f32, as op_sel_hi says;
///                          neg_hi is abs
///   bool                   source: this lane's bit of a lane mask (src2 or VCC, as decoded);
///                          result: compare, gives a mask of EXEC-enabled lanes
///   WithMask<T>            result T in dst[0] and a mask bit in dst[1]
///
/// Parameters come in assembler order (v_fmamk_f32: src0, K, src1). One parameter more than a VOP2
/// operation has source fields is the old destination (v_fmac_f32), or VCC if it is bool; a bool
/// fourth parameter of a VOP3 operation is VCC (v_div_fmas_f32).
///
/// Denormals of float, double, Half (and of Packed with PackedFloatOp) are flushed around the lane
/// function as MODE says, unless the operation has KeepDenormals: lane functions need not look.
#pragma once

#include "pal_shim/device/core/Wave.h"
#include <bit>
#include <cstring>
#include <type_traits>

namespace pal::device {

struct Half {
  uint16_t bits;
};
struct Bits32 {
  uint32_t bits;
};
struct Packed {
  uint16_t lo, hi;
};
struct Mix {
  float value;
};
template <class T> struct WithMask {
  T value;
  bool mask;
};

enum class LaneType : uint8_t {
  None,
  U16,
  I16,
  F16,
  U32,
  I32,
  F32,
  Bits32,
  Packed,
  Mix,
  U64,
  I64,
  F64,
  Mask
};
/// Dwords of a register operand of this type; 0 for None and Mask.
constexpr unsigned dwordsOf(LaneType type) {
  return type == LaneType::None || type == LaneType::Mask ? 0 : type >= LaneType::U64 ? 2 : 1;
}

/// Flags of VALU OpEntries.
enum OpFlag : uint16_t {
  ApproximateOp = 1,   ///< DeviceOptions::perturbApproximate applies
  PackedFloatOp = 2,   ///< Packed operands are f16 pairs: neg applies, F64F16 mode
  CmpxOp = 4,          ///< writes EXEC instead of a mask register
  NoExecOp = 8,        ///< runs for all lanes whatever EXEC is (readlane, ...)
  KeepDenormals = 16,  ///< operands are only moved or classified: MODE never flushes them
  HighResultOp = 32,   ///< 16-bit result goes to the high half (v_fma_mixhi_f16)
  ScalarResultOp = 64, ///< lane 0's result goes to an SGPR (v_readlane_b32, v_s_rcp_f32)
};

/// Rows of one operation. A 64-bit operand is two rows, low dwords first: src[i][0 .. 63] and
/// src[i][64 .. 127]. A Mask source is a row of 0 and 1. dst may be the row of a source: a row
/// function writes lanes only after it has read the same lanes of every source row.
struct RowArgs {
  const uint32_t *src[4];
  uint32_t *dst;
  unsigned lanes; ///< 32 or 64
  bool ieee;      ///< MODE.ieee where the generation has it
};
/// What RowArgs::ieee tells row functions. gfx12's MODE has no such bit.
inline bool inIeeeMode(const Wave &wave) {
  return !isGfx12(wave.generation) && (wave.modeBits & mode::ieee) != 0;
}
/// Returns the mask result, 0 if there is none.
using RowFunc = uint64_t (*)(const RowArgs &args);

struct LaneOp {
  RowFunc run;
  LaneType result;
  LaneType src[4];
  unsigned sources;
  FloatKind mode;
  bool resultHasMask; ///< WithMask
  /// Bits of MODE that must all be set for denormals of these operands to be kept.
  uint32_t denormalBits;
};

namespace detail {
template <class T> struct LaneTraits;
#define KILN_LANE_TYPE(Type, Name, Mode)                                                           \
  template <> struct LaneTraits<Type> {                                                            \
    static constexpr LaneType type = LaneType::Name;                                               \
    static constexpr FloatKind mode = FloatKind::Mode;                                             \
  };
KILN_LANE_TYPE(uint16_t, U16, None)
KILN_LANE_TYPE(int16_t, I16, None)
KILN_LANE_TYPE(Half, F16, F64F16)
KILN_LANE_TYPE(uint32_t, U32, None)
KILN_LANE_TYPE(int32_t, I32, None)
KILN_LANE_TYPE(float, F32, F32)
KILN_LANE_TYPE(Bits32, Bits32, None)
KILN_LANE_TYPE(Packed, Packed, None)
KILN_LANE_TYPE(Mix, Mix, F32)
KILN_LANE_TYPE(uint64_t, U64, None)
KILN_LANE_TYPE(int64_t, I64, None)
KILN_LANE_TYPE(double, F64, F64F16)
KILN_LANE_TYPE(bool, Mask, None)
#undef KILN_LANE_TYPE

template <class T> inline T loadLane(const uint32_t *row, unsigned lane) {
  if constexpr (std::is_same_v<T, bool>)
    return row[lane] != 0;
  else if constexpr (std::is_same_v<T, Packed>)
    return {uint16_t(row[lane]), uint16_t(row[lane] >> 16)};
  else if constexpr (std::is_same_v<T, Half>)
    return {uint16_t(row[lane])};
  else if constexpr (std::is_same_v<T, Bits32>)
    return {row[lane]};
  else if constexpr (std::is_same_v<T, Mix>)
    return {std::bit_cast<float>(row[lane])};
  else if constexpr (sizeof(T) == 8)
    return std::bit_cast<T>(uint64_t(row[lane + maxLanes]) << 32 | row[lane]);
  else if constexpr (sizeof(T) == 4)
    return std::bit_cast<T>(row[lane]);
  else
    return T(row[lane]);
}

/// Lanes that are computed before any of them is written.
inline constexpr unsigned blockLanes = 32;

template <class T> inline void storeLane(uint32_t *low, uint32_t *high, unsigned i, T value) {
  if constexpr (std::is_same_v<T, Packed>)
    low[i] = uint32_t(value.hi) << 16 | value.lo;
  else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Bits32>)
    low[i] = value.bits;
  else if constexpr (sizeof(T) == 8) {
    uint64_t bits = std::bit_cast<uint64_t>(value);
    low[i] = uint32_t(bits);
    high[i] = uint32_t(bits >> 32);
  } else if constexpr (sizeof(T) == 4)
    low[i] = std::bit_cast<uint32_t>(value);
  else
    low[i] = uint16_t(value);
}

/// Bit i is bit 0 of block[i]. Valu.cpp.
uint32_t maskOfBlock(const uint32_t *block);

template <class T> struct ResultTraits : LaneTraits<T> {
  static constexpr bool hasMask = false;
};
template <class T> struct ResultTraits<WithMask<T>> : LaneTraits<T> {
  static constexpr bool hasMask = true;
};

// Unrolled loops do not vectorise well.
#ifdef __clang__
#define KILN_LANE_LOOP _Pragma("clang loop unroll(disable)")
#else
#define KILN_LANE_LOOP _Pragma("GCC unroll 1")
#endif

template <class R, class... A, size_t... I, class F>
uint64_t runRows(F f, const RowArgs &args, std::index_sequence<I...>) {
  constexpr bool isCompare = std::is_same_v<R, bool>, hasMask = ResultTraits<R>::hasMask;
  constexpr bool isWide = !isCompare && dwordsOf(ResultTraits<R>::type) == 2;
  uint64_t mask = 0;
  for (unsigned first = 0; first < args.lanes; first += blockLanes) {
    alignas(64) uint32_t low[blockLanes], high[isWide ? blockLanes : 1];
    alignas(64) uint32_t bits[isCompare || hasMask ? blockLanes : 1];
    KILN_LANE_LOOP
    for (unsigned i = 0; i < blockLanes; ++i) {
      R result = f(loadLane<A>(args.src[I], first + i)...);
      if constexpr (isCompare) {
        bits[i] = result;
      } else if constexpr (hasMask) {
        storeLane(low, high, i, result.value);
        bits[i] = result.mask;
      } else {
        storeLane(low, high, i, result);
      }
    }
    if constexpr (!isCompare)
      std::memcpy(args.dst + first, low, sizeof low);
    if constexpr (isWide)
      std::memcpy(args.dst + maxLanes + first, high, sizeof high);
    if constexpr (isCompare || hasMask)
      mask |= uint64_t(maskOfBlock(bits)) << first;
  }
  return mask;
}
#undef KILN_LANE_LOOP

/// The bits of MODE that keep denormals of a source or a result.
constexpr uint32_t keepsDenormals(LaneType type, bool isResult) {
  uint32_t bits = type == LaneType::F32 || type == LaneType::Mix   ? mode::denormF32
                  : type == LaneType::F16 || type == LaneType::F64 ? mode::denormF64F16
                                                                   : 0;
  return bits & (isResult ? 0xA0 : 0x50);
}

/// Everything but `run`.
template <class R, class... A> constexpr LaneOp describeOp() {
  static_assert(sizeof...(A) <= 4);
  LaneOp op = {};
  op.result = ResultTraits<R>::type;
  op.resultHasMask = ResultTraits<R>::hasMask;
  op.sources = sizeof...(A);
  op.mode = ResultTraits<R>::mode;
  unsigned i = 0;
  ((op.src[i++] = LaneTraits<A>::type), ...);
  op.denormalBits =
      (keepsDenormals(op.result, true) | ... | keepsDenormals(LaneTraits<A>::type, false));
  // A conversion or compare is governed by its floating-point side; the widest one decides.
  ((op.mode = op.mode == FloatKind::None ? LaneTraits<A>::mode : op.mode), ...);
  return op;
}

template <auto F, class R, class... A> constexpr LaneOp makeLaneOp(R (*)(A...)) {
  LaneOp op = describeOp<R, A...>();
  op.run = [](const RowArgs &args) -> uint64_t {
    return runRows<R, A...>([](A... a) { return F(a...); }, args, std::index_sequence_for<A...>());
  };
  return op;
}
} // namespace detail

template <auto F> inline constexpr LaneOp laneOp = detail::makeLaneOp<F>(F);

/// Executes instr.kernel, a LaneOp. Valu.cpp.
void runValu(Wave &wave, const Instr &instr);
/// Executes both halves of a VOPD pair. Valu.cpp.
void runVopd(Wave &wave, const Instr &instr);
/// Decodes every VALU encoding for a LaneOp. May replace instr.run by a faster equivalent of
/// runValu. A half of a VOPD pair (RawInstr::vopdHalf) gets runVopd. DecodeValu.cpp.
bool decodeValu(const RawInstr &raw, Instr &instr, std::string &why);
/// Mnemonic of one half of a VOPD encoding without "dual_", such as "v_add_f32", in the spelling of
/// that generation; empty for an unknown opcode. DecodeValu.cpp.
llvm::StringRef vopdMnemonic(const RawInstr &raw, unsigned half);

} // namespace pal::device
