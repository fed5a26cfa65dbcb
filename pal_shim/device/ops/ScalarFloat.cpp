//===- ScalarFloat.cpp - floating-point operations on SGPRs (gfx11.5, gfx12) -===//
// SPDX-License-Identifier: MIT
/// \file
/// The functions of FloatMath.h on scalar registers. MODE governs them as it does vectors. 16-bit
/// results are zero-extended. Compares write SCC, nothing else does (RDNA3.5 and RDNA4 ISA manuals,
/// "SALU floating-point"). v_s_rcp_f32 and its like are VALU encodings that read and write SGPRs.
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/ops/FloatMath.h"

namespace pal::device {

namespace {

template <class T> bool flushesScalar(const Wave &wave, bool isResult) {
  return detail::keepsDenormals(detail::LaneTraits<T>::type, isResult) & ~wave.modeBits;
}

template <class T> T readScalar(const Wave &wave, const Src &src) {
  uint32_t value = 0;
  switch (src.kind) {
  case Src::Kind::Sgpr:
    value = wave.s[src.reg];
    break;
  case Src::Kind::Imm:
    value = uint32_t(src.imm);
    break;
  case Src::Kind::Scc:
    value = wave.scc;
    break;
  case Src::Kind::VccZ:
    value = wave.vcc() == 0;
    break;
  case Src::Kind::ExecZ:
    value = wave.exec() == 0;
    break;
  default:
    break;
  }
  T operand = detail::loadLane<T>(&value, 0);
  if constexpr (!std::is_integral_v<T>)
    if (flushesScalar<T>(wave, /*isResult=*/false))
      operand = fromBits<T>(flushBits(bitsOf(operand)));
  return operand;
}

template <class T> void writeScalar(Wave &wave, const Dst &dst, T result) {
  if constexpr (std::is_same_v<T, bool>) {
    wave.scc = result;
  } else {
    if constexpr (!std::is_integral_v<T>)
      if (flushesScalar<T>(wave, /*isResult=*/true))
        result = fromBits<T>(flushBits(bitsOf(result)));
    if (dst.kind == Dst::Kind::Sgpr)
      detail::storeLane(&wave.s[dst.reg], nullptr, 0, result);
  }
}

template <auto F, class R, class... A, size_t... I>
void applyScalar(R (*)(A...), Wave &wave, const Instr &instr, std::index_sequence<I...>) {
  wave.useFloatMode(laneOp<F>.mode);
  writeScalar(wave, instr.dst[0], F(readScalar<A>(wave, instr.src[I])...));
}
template <auto F, class R, class... A, size_t... I>
void applyScalar(R (*)(FloatEnv, A...), Wave &wave, const Instr &instr,
                 std::index_sequence<0, I...>) {
  wave.useFloatMode(envOp<F>.mode);
  FloatEnv env = FloatEnv::current(inIeeeMode(wave));
  writeScalar(wave, instr.dst[0], F(env, readScalar<A>(wave, instr.src[I - 1])...));
}
template <class R, class... A> constexpr auto indicesOf(R (*)(A...)) {
  return std::index_sequence_for<A...>();
}

template <auto F> void runScalar(Wave &wave, const Instr &instr) {
  applyScalar<F>(F, wave, instr, indicesOf(F));
}

/// Destination, if there is one, and sources in order. The accumulator of s_fmac is an operand tied
/// to the destination and comes last.
bool decodeScalarFloat(const RawInstr &raw, Instr &instr, std::string &why) {
  unsigned count = 0;
  for (const RawOperand &operand : raw.operands) {
    bool isSgpr = operand.kind == RawOperand::Kind::Sgpr;
    if (operand.kind == RawOperand::Kind::Vgpr) {
      why = "vector register operand";
      return false;
    }
    if (operand.isDef) {
      instr.dst[0].kind = isSgpr ? Dst::Kind::Sgpr : Dst::Kind::Null;
      instr.dst[0].reg = operand.reg;
      continue;
    }
    if (count == 3) {
      why = "more than three sources";
      return false;
    }
    Src &src = instr.src[count++];
    src.reg = operand.reg;
    src.imm = operand.imm;
    src.kind = isSgpr                                    ? Src::Kind::Sgpr
               : operand.kind == RawOperand::Kind::Scc   ? Src::Kind::Scc
               : operand.kind == RawOperand::Kind::VccZ  ? Src::Kind::VccZ
               : operand.kind == RawOperand::Kind::ExecZ ? Src::Kind::ExecZ
                                                         : Src::Kind::Imm;
  }
  return true;
}

float floatOfInt(int32_t x) { return toFloat(x); }
float floatOfUint(uint32_t x) { return toFloat(x); }
float floatOfHalf(Half x) { return toFloat(x); }
float floatOfHighHalf(uint32_t x) { return toFloat(Half{uint16_t(x >> 16)}); }
Half halfOfFloat(float x) { return toHalf(x); }
uint32_t packHalfRtz(float a, float b) {
  return uint32_t(toHalfRtz(b).bits) << 16 | toHalfRtz(a).bits;
}
template <float (*F)(float)> Half halfWise(Half x) { return viaFloat<F>(x); }

} // namespace

#define KILN_SCALAR_FLOAT(names, function) {names, runScalar<function>, decodeScalarFloat},
#define KILN_SCALAR_COMPARES(name, accepted)                                                       \
  KILN_SCALAR_FLOAT("s_cmp_" name "_f32", (compareFloat<(accepted), float>))                       \
  KILN_SCALAR_FLOAT("s_cmp_" name "_f16", (compareHalf<(accepted)>))

static constexpr OpEntry entries[] = {
    // clang-format off
    KILN_SCALAR_FLOAT("s_add_f32", addFloat<float>)
    KILN_SCALAR_FLOAT("s_sub_f32", subFloat<float>)
    KILN_SCALAR_FLOAT("s_mul_f32", mulFloat<float>)
    KILN_SCALAR_FLOAT("s_fmac_f32", fmaFloat)
    KILN_SCALAR_FLOAT("s_fmamk_f32", fmaFloat)
    KILN_SCALAR_FLOAT("s_fmaak_f32", fmaFloat)
    KILN_SCALAR_FLOAT("s_min_f32 s_min_num_f32", (minMaxNum<float, false>))
    KILN_SCALAR_FLOAT("s_max_f32 s_max_num_f32", (minMaxNum<float, true>))
    KILN_SCALAR_FLOAT("s_minimum_f32", (minMaxNan<float, false>))
    KILN_SCALAR_FLOAT("s_maximum_f32", (minMaxNan<float, true>))
    KILN_SCALAR_FLOAT("s_ceil_f32", ceilFloat<float>)
    KILN_SCALAR_FLOAT("s_floor_f32", floorFloat<float>)
    KILN_SCALAR_FLOAT("s_trunc_f32", truncFloat<float>)
    KILN_SCALAR_FLOAT("s_rndne_f32", rndneFloat)

    KILN_SCALAR_FLOAT("s_add_f16", addHalf)
    KILN_SCALAR_FLOAT("s_sub_f16", subHalf)
    KILN_SCALAR_FLOAT("s_mul_f16", mulHalf)
    KILN_SCALAR_FLOAT("s_fmac_f16", fmaHalf)
    KILN_SCALAR_FLOAT("s_min_f16 s_min_num_f16", (minMaxNum<Half, false>))
    KILN_SCALAR_FLOAT("s_max_f16 s_max_num_f16", (minMaxNum<Half, true>))
    KILN_SCALAR_FLOAT("s_minimum_f16", (minMaxNan<Half, false>))
    KILN_SCALAR_FLOAT("s_maximum_f16", (minMaxNan<Half, true>))
    KILN_SCALAR_FLOAT("s_ceil_f16", halfWise<ceilFloat<float>>)
    KILN_SCALAR_FLOAT("s_floor_f16", halfWise<floorFloat<float>>)
    KILN_SCALAR_FLOAT("s_trunc_f16", halfWise<truncFloat<float>>)
    KILN_SCALAR_FLOAT("s_rndne_f16", halfWise<rndneFloat>)

    KILN_SCALAR_FLOAT("s_cvt_f32_i32", floatOfInt)
    KILN_SCALAR_FLOAT("s_cvt_f32_u32", floatOfUint)
    KILN_SCALAR_FLOAT("s_cvt_i32_f32", toInt)
    KILN_SCALAR_FLOAT("s_cvt_u32_f32", toUint)
    KILN_SCALAR_FLOAT("s_cvt_f16_f32", halfOfFloat)
    KILN_SCALAR_FLOAT("s_cvt_f32_f16", floatOfHalf)
    KILN_SCALAR_FLOAT("s_cvt_hi_f32_f16", floatOfHighHalf)
    KILN_SCALAR_FLOAT("s_cvt_pk_rtz_f16_f32", packHalfRtz)

    KILN_SCALAR_COMPARES("lt", compare::lt)
    KILN_SCALAR_COMPARES("eq", compare::eq)
    KILN_SCALAR_COMPARES("le", compare::lt | compare::eq)
    KILN_SCALAR_COMPARES("gt", compare::gt)
    KILN_SCALAR_COMPARES("lg", compare::lt | compare::gt)
    KILN_SCALAR_COMPARES("ge", compare::gt | compare::eq)
    KILN_SCALAR_COMPARES("o", compare::lt | compare::eq | compare::gt)
    KILN_SCALAR_COMPARES("u", compare::un)
    KILN_SCALAR_COMPARES("nge", compare::un | compare::lt)
    KILN_SCALAR_COMPARES("nlg", compare::un | compare::eq)
    KILN_SCALAR_COMPARES("ngt", compare::un | compare::lt | compare::eq)
    KILN_SCALAR_COMPARES("nle", compare::un | compare::gt)
    KILN_SCALAR_COMPARES("neq", compare::un | compare::lt | compare::gt)
    KILN_SCALAR_COMPARES("nlt", compare::un | compare::gt | compare::eq)

    {"v_s_rcp_f32", runValu, decodeValu, &laneOp<rcpFloat>, ApproximateOp | ScalarResultOp},
    {"v_s_rsq_f32", runValu, decodeValu, &laneOp<rsqFloat>, ApproximateOp | ScalarResultOp},
    {"v_s_sqrt_f32", runValu, decodeValu, &laneOp<sqrtFloat>, ApproximateOp | ScalarResultOp},
    {"v_s_exp_f32", runValu, decodeValu, &laneOp<expFloat>, ApproximateOp | ScalarResultOp},
    {"v_s_log_f32", runValu, decodeValu, &laneOp<logFloat>, ApproximateOp | ScalarResultOp},
    {"v_s_rcp_f16", runValu, decodeValu, &envOp<viaDouble<rcpWide>>,
     ApproximateOp | ScalarResultOp},
    {"v_s_rsq_f16", runValu, decodeValu, &envOp<viaDouble<rsqWide>>,
     ApproximateOp | ScalarResultOp},
    {"v_s_sqrt_f16", runValu, decodeValu, &envOp<viaDouble<sqrtWide>>,
     ApproximateOp | ScalarResultOp},
    {"v_s_exp_f16", runValu, decodeValu, &envOp<viaDouble<expWide>>,
     ApproximateOp | ScalarResultOp},
    {"v_s_log_f16", runValu, decodeValu, &envOp<viaDouble<logWide>>,
     ApproximateOp | ScalarResultOp},
    // clang-format on
};

llvm::ArrayRef<OpEntry> scalarFloatOps() { return entries; }

} // namespace pal::device
