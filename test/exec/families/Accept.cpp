//===- Accept.cpp - results that a specification allows -------------------===//
// SPDX-License-Identifier: MIT
#include "Family.h"
#include <bit>
#include <cmath>
#include <limits>

namespace exec {

int64_t Operands::s(size_t i) const {
  unsigned shift = 64 - width(i);
  return static_cast<int64_t>(bits[i] << shift) >> shift;
}

namespace {

double largest(ScalarType type) {
  return type == ScalarType::F16   ? 65504
         : type == ScalarType::F32 ? std::numeric_limits<float>::max()
                                   : std::numeric_limits<double>::max();
}
double smallestNormal(ScalarType type) {
  return type == ScalarType::F16   ? std::ldexp(1.0, -14)
         : type == ScalarType::F32 ? std::numeric_limits<float>::min()
                                   : std::numeric_limits<double>::min();
}

} // namespace

void Accept::bits(uint64_t value) {
  unsigned width = 8 * sizeOf(type);
  exact.push_back(width == 64 ? value : value & ((uint64_t(1) << width) - 1));
}

void Accept::near(double value, double ulps, double absolute) {
  if (std::isnan(value)) {
    strict ? ranges.push_back({1, 0, true, false, false}) : any();
    return;
  }
  if (std::isinf(value) && !strict)
    return any();
  double slack = std::isinf(value) ? 0 : ulps * ulpOf(type, value) + absolute;
  Range range = {value - slack, value + slack, false, false, false};
  if (range.high > largest(type) && !std::isinf(value)) {
    range.high = std::numeric_limits<double>::infinity();
    if (!strict) // overflow without infinities
      return any();
  }
  if (range.low < -largest(type) && !std::isinf(value)) {
    range.low = -std::numeric_limits<double>::infinity();
    if (!strict)
      return any();
  }
  // Results below the normal range may be flushed unless denormals are asked for.
  if (!strict && std::fabs(value) < smallestNormal(type)) {
    range.low = std::min(range.low, 0.0);
    range.high = std::max(range.high, 0.0);
  }
  if (strict && value == 0 && slack == 0) {
    range.isZero = true;
    range.negativeZero = std::signbit(value);
  } else if (strict && ulps == 0.5 && absolute == 0) {
    return bits(fromDouble(type, value)); // correctly rounded: one result
  }
  ranges.push_back(range);
}

bool Accept::holds(uint64_t actual) const {
  if (isAny)
    return true;
  for (uint64_t value : exact)
    if (actual == value)
      return true;
  if (!isFloat(type))
    return false;
  double number = toDouble(type, actual);
  for (const Range &range : ranges) {
    if (range.nan ? std::isnan(number) : number >= range.low && number <= range.high)
      if (!range.isZero || std::signbit(number) == range.negativeZero)
        return true;
  }
  // NaN payloads are free.
  for (uint64_t value : exact)
    if (std::isnan(toDouble(type, value)) && std::isnan(number))
      return true;
  return false;
}

std::string Accept::text() const {
  std::string result;
  auto add = [&](const std::string &part) { result += (result.empty() ? "" : " or ") + part; };
  for (uint64_t value : exact)
    add(toText(type, value));
  for (const Range &range : ranges) {
    char buffer[96];
    std::snprintf(buffer, sizeof buffer, "%.9g to %.9g", range.low, range.high);
    add(range.nan ? "nan" : buffer);
  }
  return result;
}

} // namespace exec
