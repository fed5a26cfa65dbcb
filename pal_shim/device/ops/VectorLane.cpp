//===- VectorLane.cpp - operations that are no function of one lane --------===//
// SPDX-License-Identifier: MIT
/// \file
/// Exchange between lanes and between registers: v_readlane, v_permlane*, v_swap, indexed moves,
/// and lane numbers (v_mbcnt). Each has a LaneOp without row function that tells decodeValu its
/// operands. Semantics: RDNA3 ISA manual; RDNA4 for v_permlane*_var.
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/ops/ValuDetail.h"

namespace pal::device {

using namespace detail;

namespace {

constexpr LaneOp shape(LaneType result, std::initializer_list<LaneType> sources) {
  LaneOp op = {};
  op.result = result;
  for (LaneType type : sources)
    op.src[op.sources++] = type;
  return op;
}

constexpr LaneType u32 = LaneType::U32;
constexpr LaneOp unaryShape = shape(u32, {u32}), binaryShape = shape(u32, {u32, u32}),
                 ternaryShape = shape(u32, {u32, u32, u32}),
                 halfShape = shape(LaneType::U16, {LaneType::U16});

/// The handlers below look at no modifier.
bool decodeBare(const RawInstr &raw, Instr &instr, std::string &why) {
  if (!decodeValu(raw, instr, why))
    return false;
  if (instr.dpp.mode == Dpp::Mode::None && !instr.sdwa.enabled)
    return true;
  why = "DPP or SDWA form";
  return false;
}

/// A source as a row; no modifiers.
const uint32_t *sourceRow(Wave &wave, const Instr &instr, unsigned i) {
  return plainSource(wave, instr, i, u32);
}
/// A source that is the same for all lanes; of a VGPR, the value of the first enabled lane.
unsigned firstLane(const Wave &wave) {
  uint64_t exec = wave.exec();
  return exec ? unsigned(std::countr_zero(exec)) : 0;
}
uint32_t uniformSource(Wave &wave, const Instr &instr, unsigned i) {
  return sourceRow(wave, instr, i)[firstLane(wave)];
}
void writeScalar(Wave &wave, const Instr &instr, uint32_t value) {
  if (instr.dst[0].kind == Dst::Kind::Sgpr)
    wave.s[instr.dst[0].reg] = value;
}

void readFirstLane(Wave &wave, const Instr &instr) {
  writeScalar(wave, instr, uniformSource(wave, instr, 0));
}
void readLane(Wave &wave, const Instr &instr) {
  unsigned lane = uniformSource(wave, instr, 1) & (wave.lanes - 1);
  writeScalar(wave, instr, sourceRow(wave, instr, 0)[lane]);
}
void writeLane(Wave &wave, const Instr &instr) {
  unsigned lane = uniformSource(wave, instr, 1) & (wave.lanes - 1);
  wave.v[instr.dst[0].reg].lane[lane] = uniformSource(wave, instr, 0);
}

/// Writes to each enabled lane what lane from(lane) of source 0 holds. A source lane that is not
/// enabled gives 0 with bound control, else the lane keeps its value; fetching inactive lanes makes
/// all of them readable.
template <class From> void permute(Wave &wave, const Instr &instr, From from) {
  const uint32_t *source = sourceRow(wave, instr, 0);
  uint32_t *result = wave.tmp[resultRow].lane;
  uint64_t exec = wave.exec(), readable = instr.dpp.fetchInactive ? ~0ull : exec, valid = 0;
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    unsigned sourceLane = from(lane);
    bool isValid = readable >> sourceLane & 1;
    valid |= uint64_t(isValid) << lane;
    result[lane] = isValid ? source[sourceLane] : 0;
  }
  uint64_t written = instr.dpp.boundCtrl ? exec : exec & valid;
  blend(wave.v[instr.dst[0].reg].lane, result, written, wave.lanes);
}

/// Selectors of v_permlane16 and v_permlanex16: four bits per lane of a row, in two scalars.
template <unsigned flip> void permLane16(Wave &wave, const Instr &instr) {
  uint64_t selectors =
      uint64_t(uniformSource(wave, instr, 2)) << 32 | uniformSource(wave, instr, 1);
  permute(wave, instr, [&](unsigned lane) {
    return ((lane & ~15u) ^ flip) + unsigned(selectors >> 4 * (lane & 15) & 15);
  });
}
/// Each lane has its selector in source 1.
template <unsigned flip> void permLane16Var(Wave &wave, const Instr &instr) {
  const uint32_t *selectors = sourceRow(wave, instr, 1);
  permute(wave, instr,
          [&](unsigned lane) { return ((lane & ~15u) ^ flip) + (selectors[lane] & 15); });
}
/// op_sel is no selection of halves here: bit 0 fetches inactive lanes, bit 1 is bound control.
bool decodePermLane(const RawInstr &raw, Instr &instr, std::string &why) {
  if (!decodeBare(raw, instr, why))
    return false;
  instr.dpp.fetchInactive = raw.bits(11, 1);
  instr.dpp.boundCtrl = raw.bits(12, 1);
  return true;
}

/// Halves of a 64-lane wave change places, whatever lanes of the other half are enabled.
void permLane64(Wave &wave, const Instr &instr) {
  if (wave.lanes == 32)
    return;
  const uint32_t *source = sourceRow(wave, instr, 0);
  uint32_t *result = wave.tmp[resultRow].lane;
  for (unsigned lane = 0; lane < maxLanes; ++lane)
    result[lane] = source[lane ^ 32];
  blend(wave.v[instr.dst[0].reg].lane, result, wave.exec(), wave.lanes);
}

void swapRows(Wave &wave, uint32_t *a, uint32_t *b) {
  uint32_t *old = wave.tmp[resultRow].lane;
  std::memcpy(old, a, sizeof(Row));
  blend(a, b, wave.exec(), wave.lanes);
  blend(b, old, wave.exec(), wave.lanes);
}
void swap(Wave &wave, const Instr &instr) {
  swapRows(wave, wave.v[instr.dst[0].reg].lane, wave.v[instr.src[0].reg].lane);
}
void swapHalves(Wave &wave, const Instr &instr) {
  uint32_t *a = wave.v[instr.dst[0].reg].lane, *b = wave.v[instr.src[0].reg].lane;
  unsigned shiftA = instr.dst[0].hi ? 16 : 0, shiftB = instr.src[0].hi ? 16 : 0;
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    if (!(wave.exec() >> lane & 1))
      continue;
    uint32_t differ = (a[lane] >> shiftA ^ b[lane] >> shiftB) & 0xFFFF;
    a[lane] ^= differ << shiftA;
    b[lane] ^= differ << shiftB;
  }
}
bool decodeSwap(const RawInstr &raw, Instr &instr, std::string &why) {
  if (!decodeBare(raw, instr, why))
    return false;
  if (instr.src[0].kind == Src::Kind::Vgpr)
    return true;
  why = "a source that is no vector register";
  return false;
}

/// v[reg + offset], or null after a fault.
uint32_t *indexedRow(Wave &wave, unsigned reg, uint32_t offset) {
  uint32_t index = reg + offset;
  if (offset < 256 && index < 256)
    return wave.v[index].lane;
  wave.fault(DeviceFault::Kind::BadInstruction,
             "vector register v" + llvm::Twine(reg) + " indexed by " + llvm::Twine(offset));
  return nullptr;
}
/// M0 holds one offset, or one for the source in [7:0] and one for the destination in [25:16].
struct Offsets {
  uint32_t dst, src;
};
Offsets sameOffsets(uint32_t m0) { return {m0, m0}; }
Offsets twoOffsets(uint32_t m0) { return {m0 >> 16 & 0x3FF, m0 & 0xFF}; }
Offsets onlySource(uint32_t m0) { return {0, m0}; }
Offsets onlyDestination(uint32_t m0) { return {m0, 0}; }

template <Offsets (*F)(uint32_t)> void indexedMove(Wave &wave, const Instr &instr) {
  Offsets offsets = F(wave.s[sreg::m0]);
  const uint32_t *from = instr.src[0].kind == Src::Kind::Vgpr
                             ? indexedRow(wave, instr.src[0].reg, offsets.src)
                             : sourceRow(wave, instr, 0);
  uint32_t *to = indexedRow(wave, instr.dst[0].reg, offsets.dst);
  if (from && to)
    blend(to, from, wave.exec(), wave.lanes);
}
void indexedSwap(Wave &wave, const Instr &instr) {
  Offsets offsets = twoOffsets(wave.s[sreg::m0]);
  uint32_t *a = indexedRow(wave, instr.dst[0].reg, offsets.dst);
  uint32_t *b = indexedRow(wave, instr.src[0].reg, offsets.src);
  if (a && b)
    swapRows(wave, a, b);
}

/// Counts bits of source 0 below the lane, of lanes 0 .. 31 (first = 0) or 32 .. 63 (first = 32).
template <unsigned first> uint64_t countBelow(const RowArgs &args) {
  for (unsigned lane = 0; lane < args.lanes; ++lane) {
    uint64_t below = lane < first ? 0 : (1ull << std::min(lane - first, 32u)) - 1;
    args.dst[lane] =
        uint32_t(std::popcount(args.src[0][lane] & uint32_t(below))) + args.src[1][lane];
  }
  return 0;
}
template <unsigned first> constexpr LaneOp countBelowOp() {
  LaneOp op = binaryShape;
  op.run = countBelow<first>;
  return op;
}
constexpr LaneOp countBelowLow = countBelowOp<0>(), countBelowHigh = countBelowOp<32>();

void nothing(Wave &, const Instr &) {}
bool decodeNothing(const RawInstr &, Instr &, std::string &) { return true; }

constexpr OpEntry table[] = {
    {"v_nop", nothing, decodeNothing},
    {"v_clrexcp", nothing, decodeNothing}, // exceptions are not modelled
    {"v_pipeflush", nothing, decodeNothing},
    {"v_readfirstlane_b32", readFirstLane, decodeBare, &unaryShape, ScalarResultOp},
    {"v_readlane_b32", readLane, decodeBare, &binaryShape, ScalarResultOp},
    {"v_writelane_b32", writeLane, decodeBare, &binaryShape},
    {"v_permlane16_b32", permLane16<0>, decodePermLane, &ternaryShape},
    {"v_permlanex16_b32", permLane16<16>, decodePermLane, &ternaryShape},
    {"v_permlane16_var_b32", permLane16Var<0>, decodePermLane, &binaryShape},
    {"v_permlanex16_var_b32", permLane16Var<16>, decodePermLane, &binaryShape},
    {"v_permlane64_b32", permLane64, decodeBare, &unaryShape},
    {"v_swap_b32", swap, decodeSwap, &unaryShape},
    {"v_swap_b16", swapHalves, decodeSwap, &halfShape},
    {"v_swaprel_b32", indexedSwap, decodeSwap, &unaryShape},
    {"v_movreld_b32", indexedMove<onlyDestination>, decodeBare, &unaryShape},
    {"v_movrels_b32", indexedMove<onlySource>, decodeBare, &unaryShape},
    {"v_movrelsd_b32", indexedMove<sameOffsets>, decodeBare, &unaryShape},
    {"v_movrelsd_2_b32", indexedMove<twoOffsets>, decodeBare, &unaryShape},
    {"v_mbcnt_lo_u32_b32", runValu, decodeValu, &countBelowLow},
    {"v_mbcnt_hi_u32_b32", runValu, decodeValu, &countBelowHigh},
};

} // namespace

llvm::ArrayRef<OpEntry> vectorLaneOps() { return table; }

} // namespace pal::device
