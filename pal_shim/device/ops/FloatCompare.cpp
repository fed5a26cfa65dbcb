//===- FloatCompare.cpp - compares and classes of floats -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// v_cmp_* and v_cmpx_* of 16, 32 and 64-bit floats. The sixteen conditions are the subsets of
/// {less, equal, greater, unordered}; "n" forms negate, so that nlt accepts NaNs.
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/ops/FloatMath.h"

namespace pal::device {

namespace {

/// Bits of the class mask (RDNA ISA manuals, V_CMP_CLASS_F32). Denormals are never flushed here.
template <class T> bool hasClass(T x, uint32_t mask) {
  auto bits = bitsOf(x);
  using B = decltype(bits);
  bool negative = (bits & signBit<B>) != 0;
  if (isNanBits(bits))
    return mask >> (bits & quietBit<B> ? 1 : 0) & 1;
  // Positive classes mirror the negative ones: -inf 2, -normal 3, -denormal 4, -0 5, +0 6, ...
  unsigned distance = isInfBits(bits) ? 0 : isZeroBits(bits) ? 3 : exponentOf(bits) == 0 ? 2 : 1;
  return mask >> (negative ? 2 + distance : 9 - distance) & 1;
}
bool hasClassHalf(Half x, uint16_t mask) { return hasClass(x, uint32_t(mask)); }

} // namespace

#define KILN_FLOAT_COMPARE(name, suffix, kernel)                                                   \
  {"v_cmp_" name suffix, runValu, decodeValu, kernel},                                             \
      {"v_cmpx_" name suffix, runValu, decodeValu, kernel, CmpxOp},
#define KILN_FLOAT_COMPARES(name, accepted)                                                        \
  KILN_FLOAT_COMPARE(name, "_f32", (&laneOp<compareFloat<(accepted), float>>))                     \
  KILN_FLOAT_COMPARE(name, "_f64", (&laneOp<compareFloat<(accepted), double>>))                    \
  KILN_FLOAT_COMPARE(name, "_f16", (&laneOp<compareHalf<(accepted)>>))

static constexpr OpEntry entries[] = {
    // clang-format off
    KILN_FLOAT_COMPARES("f", 0)
    KILN_FLOAT_COMPARES("lt", compare::lt)
    KILN_FLOAT_COMPARES("eq", compare::eq)
    KILN_FLOAT_COMPARES("le", compare::lt | compare::eq)
    KILN_FLOAT_COMPARES("gt", compare::gt)
    KILN_FLOAT_COMPARES("lg", compare::lt | compare::gt)
    KILN_FLOAT_COMPARES("ge", compare::gt | compare::eq)
    KILN_FLOAT_COMPARES("o", compare::lt | compare::eq | compare::gt)
    KILN_FLOAT_COMPARES("u", compare::un)
    KILN_FLOAT_COMPARES("nge", compare::un | compare::lt)
    KILN_FLOAT_COMPARES("nlg", compare::un | compare::eq)
    KILN_FLOAT_COMPARES("ngt", compare::un | compare::lt | compare::eq)
    KILN_FLOAT_COMPARES("nle", compare::un | compare::gt)
    KILN_FLOAT_COMPARES("neq", compare::un | compare::lt | compare::gt)
    KILN_FLOAT_COMPARES("nlt", compare::un | compare::gt | compare::eq)
    // "tru" is the spelling of gfx10.
    {"v_cmp_t_f32 v_cmp_tru_f32", runValu, decodeValu, &laneOp<compareFloat<15, float>>},
    {"v_cmp_t_f64 v_cmp_tru_f64", runValu, decodeValu, &laneOp<compareFloat<15, double>>},
    {"v_cmp_t_f16 v_cmp_tru_f16", runValu, decodeValu, &laneOp<compareHalf<15>>},
    {"v_cmpx_t_f32 v_cmpx_tru_f32", runValu, decodeValu, &laneOp<compareFloat<15, float>>, CmpxOp},
    {"v_cmpx_t_f64 v_cmpx_tru_f64", runValu, decodeValu, &laneOp<compareFloat<15, double>>, CmpxOp},
    {"v_cmpx_t_f16 v_cmpx_tru_f16", runValu, decodeValu, &laneOp<compareHalf<15>>, CmpxOp},
    {"v_cmp_class_f32", runValu, decodeValu, &laneOp<hasClass<float>>, KeepDenormals},
    {"v_cmpx_class_f32", runValu, decodeValu, &laneOp<hasClass<float>>, CmpxOp | KeepDenormals},
    {"v_cmp_class_f64", runValu, decodeValu, &laneOp<hasClass<double>>, KeepDenormals},
    {"v_cmpx_class_f64", runValu, decodeValu, &laneOp<hasClass<double>>, CmpxOp | KeepDenormals},
    {"v_cmp_class_f16", runValu, decodeValu, &laneOp<hasClassHalf>, KeepDenormals},
    {"v_cmpx_class_f16", runValu, decodeValu, &laneOp<hasClassHalf>, CmpxOp | KeepDenormals},
    // clang-format on
};

llvm::ArrayRef<OpEntry> floatCompareOps() { return entries; }

} // namespace pal::device
