//===- Valu.cpp - execution of vector operations ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Everything around the row function of a vector operation: sources in, results out, by EXEC.
///
/// Most instructions of most shaders have no modifier at all. decodeValu gives those one of the
/// plain handlers, which read registers in place and, with all lanes enabled, let the row function
/// write its destination directly. runValu is the general way.
#include "pal_shim/device/core/ProgramData.h"
#include "pal_shim/device/ops/ValuDetail.h"
#include <immintrin.h>

namespace pal::device {
namespace detail {

float floatOfHalf(uint16_t half) { return _cvtsh_ss(half); }

/// Sets the host's float mode to what MODE says for this operation.
static void enterFloatMode(Wave &wave, const Instr &instr, const LaneOp &op) {
  if (op.mode != FloatKind::None)
    wave.useFloatMode(op.mode);
  else if (instr.op->flags & PackedFloatOp)
    wave.useFloatMode(FloatKind::F64F16);
}

uint64_t evaluate(Wave &wave, const Instr &instr, uint32_t *result, uint64_t &active) {
  const LaneOp &op = laneOpOf(instr);
  enterFloatMode(wave, instr, op);
  RowArgs args = {};
  args.lanes = wave.lanes;
  args.ieee = inIeeeMode(wave);
  args.dst = result;
  for (unsigned i = 0; i < op.sources; ++i)
    args.src[i] = modifiedSource(wave, instr, i, op.src[i], active);
  uint64_t mask = op.run(args);
  if (instr.op->flags & ApproximateOp && wave.group->options->perturbApproximate)
    perturbResult(wave, instr, args);
  modifyResult(wave, instr, op.result, result);
  return mask;
}

void writeMask(Wave &wave, const Dst &dst, uint64_t mask) {
  if (dst.kind == Dst::Kind::Sgpr)
    wave.setMask(dst.reg, mask);
}

/// SDWA destination: the selected part takes the result, the rest is as dst_unused says (RDNA2 ISA
/// manual, "SDWA": 0 zeros, 1 sign extension, 2 keep).
static void placeSdwa(const Sdwa &sdwa, const uint32_t *old, const uint32_t *result, uint32_t *to,
                      unsigned lanes) {
  unsigned bits = sdwa.dstSel < 4 ? 8 : 16;
  unsigned shift = sdwa.dstSel < 4 ? 8 * sdwa.dstSel : 16 * (sdwa.dstSel - 4);
  uint32_t field = ((1u << bits) - 1) << shift;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    uint32_t value = result[lane] << shift & field;
    if (sdwa.dstUnused == 2)
      value |= old[lane] & ~field;
    else if (sdwa.dstUnused == 1)
      value = uint32_t(int32_t(value << (32 - bits - shift)) >> (32 - bits - shift));
    to[lane] = value;
  }
}

static bool isHalfType(LaneType type) {
  return type == LaneType::F16 || type == LaneType::U16 || type == LaneType::I16;
}

void writeResult(Wave &wave, const Instr &instr, LaneType type, const uint32_t *result,
                 uint64_t active) {
  const Dst &dst = instr.dst[0];
  if (dst.kind == Dst::Kind::Sgpr) { // ScalarResultOp
    wave.s[dst.reg] = result[0];
    return;
  }
  if (dst.kind != Dst::Kind::Vgpr)
    return;
  uint32_t *to = wave.v[dst.reg].lane;
  uint32_t *merged = wave.tmp[scratchRow].lane;
  if (instr.sdwa.enabled) {
    if (instr.sdwa.dstSel < 6) {
      placeSdwa(instr.sdwa, to, result, merged, wave.lanes);
      result = merged;
    }
  } else if (isHalfType(type)) {
    // Operations with 16-bit results keep the other half of the register.
    unsigned shift = dst.hi ? 16 : 0;
    uint32_t keep = dst.hi ? 0xFFFF : 0xFFFF0000;
    for (unsigned lane = 0; lane < wave.lanes; ++lane)
      merged[lane] = (to[lane] & keep) | (result[lane] & 0xFFFF) << shift;
    result = merged;
  }
  blend(to, result, active, wave.lanes);
  if (dwordsOf(type) == 2)
    blend(to + maxLanes, result + maxLanes, active, wave.lanes);
}

/// Sources in place, float mode set. False: MODE flushes denormals, which only the general way
/// does.
template <bool hasNegAbs>
static inline bool enterPlain(Wave &wave, const Instr &instr, const LaneOp &op, RowArgs &args) {
  if ((wave.modeBits & op.denormalBits) != op.denormalBits)
    return false;
  if (op.mode != FloatKind::None)
    wave.useFloatMode(op.mode);
  args.lanes = wave.lanes;
  args.ieee = inIeeeMode(wave);
  for (unsigned i = 0; i < op.sources; ++i) {
    args.src[i] = plainSource(wave, instr, i, op.src[i]);
    if constexpr (hasNegAbs)
      args.src[i] = negAbsSource(wave, instr, i, op.src[i], args.src[i]);
  }
  return true;
}

/// With all lanes enabled the row function may write its destination directly.
static inline uint32_t *resultRows(Wave &wave, const Instr &instr, uint64_t exec) {
  return exec == wave.laneMask() ? wave.v[instr.dst[0].reg].lane : wave.tmp[resultRow].lane;
}
static inline void finishRows(Wave &wave, const Instr &instr, const LaneOp &op,
                              const uint32_t *result, uint64_t exec) {
  uint32_t *to = wave.v[instr.dst[0].reg].lane;
  if (to == result)
    return;
  blend(to, result, exec, wave.lanes);
  if (dwordsOf(op.result) == 2)
    blend(to + maxLanes, result + maxLanes, exec, wave.lanes);
}

template <bool hasNegAbs> void runPlainValu(Wave &wave, const Instr &instr) {
  const LaneOp &op = laneOpOf(instr);
  RowArgs args;
  if (!enterPlain<hasNegAbs>(wave, instr, op, args))
    return runValu(wave, instr);
  uint64_t exec = wave.exec();
  args.dst = resultRows(wave, instr, exec);
  op.run(args);
  finishRows(wave, instr, op, args.dst, exec);
}
template void runPlainValu<false>(Wave &wave, const Instr &instr);
template void runPlainValu<true>(Wave &wave, const Instr &instr);

void runPlainCarry(Wave &wave, const Instr &instr) {
  const LaneOp &op = laneOpOf(instr);
  RowArgs args;
  if (!enterPlain<false>(wave, instr, op, args))
    return runValu(wave, instr);
  uint64_t exec = wave.exec();
  args.dst = resultRows(wave, instr, exec);
  uint64_t mask = op.run(args);
  finishRows(wave, instr, op, args.dst, exec);
  writeMask(wave, instr.dst[1], mask & exec);
}

void runPlainHalf(Wave &wave, const Instr &instr) {
  const LaneOp &op = laneOpOf(instr);
  RowArgs args;
  if (!enterPlain<true>(wave, instr, op, args))
    return runValu(wave, instr);
  args.dst = wave.tmp[resultRow].lane;
  op.run(args);
  writeResult(wave, instr, op.result, args.dst, wave.exec());
}

template <bool hasNegAbs> void runPlainCompare(Wave &wave, const Instr &instr) {
  const LaneOp &op = laneOpOf(instr);
  RowArgs args;
  if (!enterPlain<hasNegAbs>(wave, instr, op, args))
    return runValu(wave, instr);
  writeMask(wave, instr.dst[0], op.run(args) & wave.exec());
}
template void runPlainCompare<false>(Wave &wave, const Instr &instr);
template void runPlainCompare<true>(Wave &wave, const Instr &instr);

PlainForm plainForm(const Instr &instr, const LaneOp &op) {
  if (instr.op->flags & ~CmpxOp || instr.omod || instr.clamp || instr.sdwa.enabled ||
      instr.dpp.mode != Dpp::Mode::None)
    return PlainForm::No;
  PlainForm form = PlainForm::Yes;
  for (unsigned i = 0; i < op.sources; ++i) {
    const Src &src = instr.src[i];
    LaneType type = op.src[i];
    if (type == LaneType::Mix ||
        (type == LaneType::Packed && (src.hi || !src.hiForHigh || src.neg || src.negHi)))
      return PlainForm::No;
    if (src.hi || ((src.neg || src.abs) && signBit(type)))
      form = PlainForm::NegAbs;
  }
  return form;
}

/// Half of a VOPD pair: like evaluate(), with the short way for the usual case.
static void evaluateDual(Wave &wave, const Instr &instr, uint32_t *result) {
  const LaneOp &op = laneOpOf(instr);
  RowArgs args;
  if (instr.op->flags || !enterPlain<false>(wave, instr, op, args)) {
    uint64_t active = 0; // no DPP in VOPD
    evaluate(wave, instr, result, active);
    return;
  }
  args.dst = result;
  op.run(args);
}

} // namespace detail

using namespace detail;

void runValu(Wave &wave, const Instr &instr) {
  const LaneOp &op = laneOpOf(instr);
  uint64_t active = instr.op->flags & NoExecOp ? wave.laneMask() : wave.exec();
  uint32_t *result = wave.tmp[resultRow].lane;
  uint64_t mask = evaluate(wave, instr, result, active);
  if (op.result == LaneType::Mask)
    return writeMask(wave, instr.dst[0], mask & active);
  writeResult(wave, instr, op.result, result, active);
  if (op.resultHasMask)
    writeMask(wave, instr.dst[1], mask & active);
}

void runVopd(Wave &wave, const Instr &instr) {
  const Instr &second = wave.program->dualHalves[instr.dual];
  uint32_t *first = wave.tmp[resultRow].lane, *other = wave.tmp[dualResultRow].lane;
  evaluateDual(wave, instr, first);
  evaluateDual(wave, second, other);
  writeResult(wave, instr, laneOpOf(instr).result, first, wave.exec());
  writeResult(wave, second, laneOpOf(second).result, other, wave.exec());
}

} // namespace pal::device
