//===- FloatTesting.h - row functions under test ----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Applies the row function of an operation, found by its mnemonic, to values of C++ types; sets
/// float modes; and lists values that make floating-point code fail.
#pragma once

#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/ops/FloatEnv.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>
#include <random>

namespace pal::device {

/// A row function by mnemonic; fails the test if there is none.
inline const LaneOp &findOp(llvm::StringRef name) {
  for (OpTableFunc table : {floatArithOps, floatMinMaxOps, floatCompareOps, floatConvertOps,
                            floatApproxOps, floatDivideOps, floatPackedOps}) {
    for (const OpEntry &entry : table()) {
      llvm::SmallVector<llvm::StringRef, 4> names;
      llvm::SplitString(entry.names, names);
      if (llvm::is_contained(names, name))
        return *static_cast<const LaneOp *>(entry.kernel);
    }
  }
  llvm::report_fatal_error("no operation " + name);
}

template <class T> uint64_t patternOf(T value) {
  if constexpr (std::is_same_v<T, Packed>)
    return uint32_t(value.hi) << 16 | value.lo;
  else if constexpr (std::is_same_v<T, Half>)
    return value.bits;
  else if constexpr (std::is_same_v<T, Mix>)
    return std::bit_cast<uint32_t>(value.value);
  else if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<uint32_t>(value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<uint64_t>(value);
  else
    return uint64_t(std::make_unsigned_t<T>(value));
}
template <> inline uint64_t patternOf(bool value) { return value; }

/// A row function and its last results.
class RowRunner {
public:
  explicit RowRunner(llvm::StringRef name) : op(findOp(name)) {}

  /// Runs 64 lanes; sources are functions from lane to bit pattern.
  template <class... Sources> void run(Sources... sources) {
    static_assert(sizeof...(Sources) <= 4);
    ASSERT_EQ(op.sources, sizeof...(Sources));
    RowArgs args = {};
    unsigned i = 0;
    auto fill = [&](auto source) {
      for (unsigned lane = 0; lane < maxLanes; ++lane) {
        uint64_t value = source(lane);
        rows[i][lane] = uint32_t(value);
        rows[i][lane + maxLanes] = uint32_t(value >> 32);
      }
      args.src[i] = rows[i];
      ++i;
    };
    (fill(sources), ...);
    args.dst = result;
    args.lanes = maxLanes;
    args.ieee = ieee;
    mask = op.run(args);
  }
  uint64_t lane(unsigned i) const {
    if (op.result == LaneType::Mask)
      return mask >> i & 1;
    return dwordsOf(op.result) == 2 ? uint64_t(result[i + maxLanes]) << 32 | result[i] : result[i];
  }
  bool maskBit(unsigned i) const { return mask >> i & 1; }

  /// One value of every type.
  template <class R, class... A> R one(A... sources) {
    run([=](unsigned) { return patternOf(sources); }...);
    uint64_t bits = lane(5);
    if constexpr (std::is_same_v<R, float>)
      return std::bit_cast<float>(uint32_t(bits));
    else if constexpr (std::is_same_v<R, double>)
      return std::bit_cast<double>(bits);
    else if constexpr (std::is_same_v<R, Half>)
      return {uint16_t(bits)};
    else
      return R(bits);
  }

  bool ieee = false;

private:
  const LaneOp &op;
  alignas(64) uint32_t rows[4][2 * maxLanes] = {};
  alignas(64) uint32_t result[2 * maxLanes] = {};
  uint64_t mask = 0;
};

/// MODE as long as this lives.
class FloatModeScope {
public:
  FloatModeScope(FloatKind kind, unsigned rounding, bool keepDenormals = true)
      : saved(_mm_getcsr()) {
    auto wave = std::make_unique<Wave>();
    wave->modeBits = rounding | rounding << 2 | (keepDenormals ? 0xF0 : 0);
    wave->useFloatMode(kind);
  }
  ~FloatModeScope() { _mm_setcsr(saved); }
  FloatModeScope(const FloatModeScope &) = delete;

private:
  unsigned saved;
};
inline constexpr const char *roundingNames[4] = {"even", "up", "down", "zero"};

/// Zeros, denormals, values around powers of two and ties, the largest, infinities, NaNs; both
/// signs.
template <class B> std::vector<B> edgePatterns() {
  constexpr B one = B(B(FloatLayout<B>::bias) << FloatLayout<B>::mantissaBits);
  constexpr B step = B(B(1) << FloatLayout<B>::mantissaBits);
  constexpr B normal = step, inf = exponentMask<B>;
  std::vector<B> values = {0,
                           1,
                           2,
                           B(normal / 2),
                           B(normal - 1),
                           normal,
                           B(normal + 1),
                           B(one - step),
                           B(one - 1),
                           one,
                           B(one + 1),
                           B(one + step / 2),
                           B(one + step),
                           B(one + step + step / 2),
                           B(one + step * 2 + step / 4),
                           B(one + step * B(FloatLayout<B>::mantissaBits) - 1),
                           B(one + step * B(FloatLayout<B>::mantissaBits + 1)),
                           B(inf - 1),
                           B(inf - step),
                           inf,
                           B(inf | 1),
                           B(inf | quietBit<B> | 5)};
  for (size_t i = 0, n = values.size(); i < n; ++i)
    values.push_back(B(values[i] | signBit<B>));
  return values;
}

/// Random bits, now and then an edge pattern.
template <class B> B randomPattern(std::mt19937_64 &random) {
  static const std::vector<B> edges = edgePatterns<B>();
  uint64_t choice = random();
  return choice % 8 == 0 ? edges[choice / 8 % edges.size()] : B(random());
}

/// Equal, or both NaNs.
template <class B> bool sameOrNan(B a, B b) { return a == b || (isNanBits(a) && isNanBits(b)); }

} // namespace pal::device
