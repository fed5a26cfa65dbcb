//===- Edges.cpp - the interesting values of each type --------------------===//
// SPDX-License-Identifier: MIT
#include "../script/Values.h"
#include "Family.h"
#include <cmath>

namespace exec {

namespace {

void addIntegers(ScalarType type, bool few, std::vector<uint64_t> &values) {
  unsigned width = 8 * sizeOf(type);
  uint64_t mask = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  uint64_t top = uint64_t(1) << (width - 1);
  auto add = [&](uint64_t value) { values.push_back(value & mask); };
  for (uint64_t value : {uint64_t(0), uint64_t(1), ~uint64_t(0), top, top - 1, uint64_t(2),
                         uint64_t(7), ~uint64_t(2), uint64_t(width - 1)})
    add(value);
  if (few)
    return;
  for (uint64_t value :
       {top + 1, top - 2, uint64_t(3), uint64_t(10), ~uint64_t(9), uint64_t(0x5555555555555555),
        uint64_t(0xaaaaaaaaaaaaaaaa), uint64_t(0x0f0f0f0f0f0f0f0f), uint64_t(width),
        uint64_t(width / 2), uint64_t(1) << (width / 2), (uint64_t(1) << (width / 2)) - 1,
        uint64_t(0x7f), uint64_t(0x80), uint64_t(0xff), uint64_t(100)})
    add(value);
  Random random(width);
  for (int i = 0; i < 7; ++i)
    add(random.next());
}

void addFloats(ScalarType type, bool few, std::vector<uint64_t> &values) {
  auto add = [&](double value) { values.push_back(fromDouble(type, value)); };
  for (double value : {0.0, -0.0, 1.0, -1.0, 0.5, -1.5, 2.0, 3.14159265358979, 0.1, 100.25,
                       static_cast<double>(INFINITY), static_cast<double>(NAN)})
    add(value);
  if (few)
    return;
  for (double value : {-0.5,   2.5,    3.5,     -2.5,    0.25,
                       -3.7,   7.0,    -10.0,   0.001,   -0.02,
                       1000.0, 4095.5, 65504.0, -2049.0, 1.0e-5,
                       0.99,   1.01,   -0.7,    20.0,    -static_cast<double>(INFINITY)})
    add(value);
  // The ends of the range, and neighbours of one.
  uint64_t one = fromDouble(type, 1.0), infinity = fromDouble(type, INFINITY);
  uint64_t sign = uint64_t(1) << (8 * sizeOf(type) - 1);
  unsigned mantissa = type == ScalarType::F16 ? 10 : type == ScalarType::F32 ? 23 : 52;
  uint64_t minNormal = uint64_t(1) << mantissa;
  for (uint64_t bits :
       {one + 1, one - 1, infinity - 1, (infinity - 1) | sign, minNormal, minNormal - 1,
        minNormal + 1, minNormal | sign, uint64_t(1), sign | 1, minNormal / 2})
    values.push_back(bits);
  if (type != ScalarType::F16)
    for (double value : {1.0e10, -1.0e10, 1.0e-10, 8388608.5, 16777217.0, 2147483648.0, -1.0e30})
      add(value);
}

} // namespace

std::vector<uint64_t> edgeValues(ScalarType type, bool few) {
  std::vector<uint64_t> values;
  isFloat(type) ? addFloats(type, few, values) : addIntegers(type, few, values);
  return values;
}

} // namespace exec
