//===- VectorCompare.cpp - integer compares --------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// v_cmp_* and v_cmpx_* of integers. A compare is one lane function per relation and type; the
/// table pairs each with both names.
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/ops/VectorTable.h"

namespace pal::device {

namespace {

template <class T> bool never(T, T) { return false; }
template <class T> bool always(T, T) { return true; }
template <class T> bool less(T a, T b) { return a < b; }
template <class T> bool equal(T a, T b) { return a == b; }
template <class T> bool lessEqual(T a, T b) { return a <= b; }
template <class T> bool greater(T a, T b) { return a > b; }
template <class T> bool notEqual(T a, T b) { return a != b; }
template <class T> bool greaterEqual(T a, T b) { return a >= b; }

#define KILN_COMPARE(relation, type, function)                                                     \
  KILN_VALU("v_cmp_" relation "_" type, function),                                                 \
      KILN_VALU_FLAGS("v_cmpx_" relation "_" type, function, CmpxOp)
#define KILN_COMPARES(type, T)                                                                     \
  KILN_COMPARE("f", type, never<T>), KILN_COMPARE("lt", type, less<T>),                            \
      KILN_COMPARE("eq", type, equal<T>), KILN_COMPARE("le", type, lessEqual<T>),                  \
      KILN_COMPARE("gt", type, greater<T>), KILN_COMPARE("ne", type, notEqual<T>),                 \
      KILN_COMPARE("ge", type, greaterEqual<T>), KILN_COMPARE("t", type, always<T>)

constexpr OpEntry table[] = {
    KILN_COMPARES("i16", int16_t),  KILN_COMPARES("u16", uint16_t), KILN_COMPARES("i32", int32_t),
    KILN_COMPARES("u32", uint32_t), KILN_COMPARES("i64", int64_t),  KILN_COMPARES("u64", uint64_t),
};

} // namespace

llvm::ArrayRef<OpEntry> vectorCompareOps() { return table; }

} // namespace pal::device
