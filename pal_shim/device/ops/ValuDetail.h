//===- ValuDetail.h - pieces that vector operations share ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Rows and lane masks, and sources with every modifier applied. Private to ops/: operations that
/// are no function of one lane (v_readlane, v_permlane, v_swap) are put together from these.
#pragma once

#include "pal_shim/device/core/Instr.h"
#include "pal_shim/device/ops/LaneOps.h"

namespace pal::device::detail {

/// Use of Wave::tmp: two rows for each of four sources, then results.
inline constexpr unsigned resultRow = 16, dualResultRow = 18, scratchRow = 20;

inline const LaneOp &laneOpOf(const Instr &instr) {
  return *static_cast<const LaneOp *>(instr.kernel);
}

/// Inline floating-point constants 240 .. 248 as f16, bf16, f32, f64: 0.5, 1, 2, 4 with both signs,
/// and 1 / (2 pi).
struct FloatConstant {
  uint16_t f16, bf16;
  uint32_t f32;
  uint64_t f64;
};
inline bool isFloatConstant(unsigned code) { return code >= 240 && code <= 248; }
/// DecodeValu.cpp.
const FloatConstant &floatConstant(unsigned code);

/// All lanes become \p value.
void broadcast(uint32_t *row, uint32_t value, unsigned lanes);
/// Lane i becomes bit i of \p mask.
void expandMask(uint32_t *row, uint64_t mask, unsigned lanes);
/// Lanes of \p mask are copied, others keep their value.
void blend(uint32_t *to, const uint32_t *from, uint64_t mask, unsigned lanes);

/// Source \p i as encoded, without modifiers: a pointer to registers, or a temporary row. A Mask
/// source becomes zeros and ones.
const uint32_t *plainSource(Wave &wave, const Instr &instr, unsigned i, LaneType type);
/// Source \p i after DPP, SDWA, op_sel, neg, abs and flushing of denormals. DPP clears lanes that
/// must not be written from \p active.
const uint32_t *modifiedSource(Wave &wave, const Instr &instr, unsigned i, LaneType type,
                               uint64_t &active);

/// Fetches all sources, runs the row function into \p result (rows for all dwords of the result),
/// and applies what changes results: perturbation, flushing, omod, clamp. Returns the mask result.
uint64_t evaluate(Wave &wave, const Instr &instr, uint32_t *result, uint64_t &active);
/// Writes the result rows of lanes in \p active to dst[0], honouring halves and SDWA.
void writeResult(Wave &wave, const Instr &instr, LaneType type, const uint32_t *result,
                 uint64_t active);
/// Writes a lane mask to an SGPR destination.
void writeMask(Wave &wave, const Dst &dst, uint64_t mask);

/// DeviceOptions::perturbApproximate: the row function once more, rounding down and up; each lane
/// of args.dst gets one of the two. ValuResult.cpp.
void perturbResult(const Wave &wave, const Instr &instr, RowArgs args);
/// The result modifiers of evaluate(). ValuResult.cpp.
void modifyResult(Wave &wave, const Instr &instr, LaneType type, uint32_t *result);

/// How much of runValu an instruction needs.
enum class PlainForm : uint8_t {
  No,     ///< all of it
  NegAbs, ///< sources with neg, abs, or in the high half
  Yes,    ///< no modifier of any kind
};
PlainForm plainForm(const Instr &instr, const LaneOp &op);
/// Faster equivalents of runValu that decodeValu chooses. 32-bit and 64-bit results:
template <bool hasNegAbs> void runPlainValu(Wave &wave, const Instr &instr);
/// Compares.
template <bool hasNegAbs> void runPlainCompare(Wave &wave, const Instr &instr);
/// 16-bit results, which keep the other half of the register; sources as in PlainForm::NegAbs.
void runPlainHalf(Wave &wave, const Instr &instr);
/// 32-bit and 64-bit results with a mask (PlainForm::Yes).
void runPlainCarry(Wave &wave, const Instr &instr);

/// Sign bit in the dword that holds it; 0 for types without neg and abs.
uint32_t signBit(LaneType type);
/// \p row of source \p i after selection of its half, neg and abs; not for Packed and Mix.
const uint32_t *negAbsSource(Wave &wave, const Instr &instr, unsigned i, LaneType type,
                             const uint32_t *row);

/// Exact.
float floatOfHalf(uint16_t half);

/// Whether MODE makes denormals of such a source or result of \p instr zero.
bool flushes(const Wave &wave, const Instr &instr, LaneType type, bool isResult);
/// Denormals become zeros of the same sign; \p from may be \p to.
void flushRow(LaneType type, const uint32_t *from, uint32_t *to, unsigned lanes);

} // namespace pal::device::detail
