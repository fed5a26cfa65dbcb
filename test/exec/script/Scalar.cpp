//===- Scalar.cpp - typed values in buffers -------------------------------===//
// SPDX-License-Identifier: MIT
#include "Scalar.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

using llvm::StringRef;

namespace exec {

namespace {

struct TypeRow {
  StringRef name;
  uint32_t size;
  bool isFloat, isSigned;
  int mantissaBits; ///< without the hidden one
  int minExponent;  ///< of normal numbers
};
constexpr TypeRow rows[] = {{"i8", 1, false, true, 0, 0},     {"u8", 1, false, false, 0, 0},
                            {"i16", 2, false, true, 0, 0},    {"u16", 2, false, false, 0, 0},
                            {"i32", 4, false, true, 0, 0},    {"u32", 4, false, false, 0, 0},
                            {"i64", 8, false, true, 0, 0},    {"u64", 8, false, false, 0, 0},
                            {"f16", 2, true, true, 10, -14},  {"f32", 4, true, true, 23, -126},
                            {"f64", 8, true, true, 52, -1022}};

const TypeRow &row(ScalarType type) { return rows[static_cast<size_t>(type)]; }

} // namespace

uint32_t sizeOf(ScalarType type) { return row(type).size; }
bool isFloat(ScalarType type) { return row(type).isFloat; }
bool isSigned(ScalarType type) { return row(type).isSigned; }
StringRef nameOf(ScalarType type) { return row(type).name; }

std::optional<ScalarType> scalarTypeOf(StringRef name) {
  for (size_t i = 0; i < std::size(rows); ++i)
    if (rows[i].name == name)
      return static_cast<ScalarType>(i);
  return std::nullopt;
}

double halfToDouble(uint16_t bits) {
  int exponent = bits >> 10 & 31;
  double mantissa = bits & 1023;
  double value = exponent == 0    ? std::ldexp(mantissa, -24)
                 : exponent == 31 ? (mantissa != 0 ? std::numeric_limits<double>::quiet_NaN()
                                                   : std::numeric_limits<double>::infinity())
                                  : std::ldexp(mantissa + 1024, exponent - 25);
  return bits & 0x8000 ? -value : value;
}

uint16_t doubleToHalf(double value) {
  llvm::APFloat number(value);
  bool lossy = false;
  number.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven, &lossy);
  return static_cast<uint16_t>(number.bitcastToAPInt().getZExtValue());
}

uint64_t loadBits(ScalarType type, const uint8_t *data) {
  uint64_t bits = 0;
  std::memcpy(&bits, data, sizeOf(type));
  return bits;
}

void storeBits(ScalarType type, uint64_t bits, uint8_t *data) {
  std::memcpy(data, &bits, sizeOf(type));
}

void appendBits(ScalarType type, uint64_t bits, Bytes &bytes) {
  bytes.resize(bytes.size() + sizeOf(type));
  storeBits(type, bits, bytes.data() + bytes.size() - sizeOf(type));
}

double toDouble(ScalarType type, uint64_t bits) {
  if (type == ScalarType::F16)
    return halfToDouble(static_cast<uint16_t>(bits));
  if (type == ScalarType::F32)
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  return std::bit_cast<double>(bits);
}

uint64_t fromDouble(ScalarType type, double value) {
  if (type == ScalarType::F16)
    return doubleToHalf(value);
  if (type == ScalarType::F32)
    return std::bit_cast<uint32_t>(static_cast<float>(value));
  return std::bit_cast<uint64_t>(value);
}

int64_t toInteger(ScalarType type, uint64_t bits) {
  unsigned shift = 64 - 8 * sizeOf(type);
  if (isSigned(type))
    return static_cast<int64_t>(bits << shift) >> shift;
  return static_cast<int64_t>(bits << shift >> shift);
}

std::string toText(ScalarType type, uint64_t bits) {
  if (!isFloat(type)) {
    int64_t value = toInteger(type, bits);
    std::string text =
        isSigned(type) ? std::to_string(value) : std::to_string(static_cast<uint64_t>(value));
    return text + " (0x" + llvm::utohexstr(bits, /*LowerCase=*/true) + ")";
  }
  char text[64];
  std::snprintf(text, sizeof text, "%.9g (0x%llx)", toDouble(type, bits),
                static_cast<unsigned long long>(bits));
  return text;
}

bool parseTolerance(StringRef text, Tolerance &tolerance) {
  auto [key, number] = text.split('=');
  double value = 0;
  if (number.getAsDouble(value))
    return false;
  if (key == "ulp")
    tolerance.ulp = value;
  else if (key == "abs")
    tolerance.absolute = value;
  else if (key == "rel")
    tolerance.relative = value;
  else if (key == "outliers" && value >= 0)
    tolerance.outliers = static_cast<uint64_t>(value);
  else
    return false;
  return true;
}

double ulpOf(ScalarType type, double value) {
  int exponent = row(type).minExponent;
  if (value != 0 && std::isfinite(value))
    exponent = std::max(exponent, std::ilogb(value));
  return std::ldexp(1.0, exponent - row(type).mantissaBits);
}

bool agree(ScalarType type, uint64_t actual, uint64_t expected, const Tolerance &tolerance) {
  if (actual == expected)
    return true;
  if (!isFloat(type)) {
    int64_t a = toInteger(type, actual), e = toInteger(type, expected);
    bool isAbove = isSigned(type) ? a > e : uint64_t(a) > uint64_t(e);
    uint64_t distance = isAbove ? uint64_t(a) - uint64_t(e) : uint64_t(e) - uint64_t(a);
    return double(distance) <= tolerance.absolute;
  }
  double a = toDouble(type, actual), e = toDouble(type, expected);
  if (std::isnan(a) || std::isnan(e))
    return std::isnan(a) && std::isnan(e);
  if (tolerance.isExact())
    return false;
  double difference = std::fabs(a - e);
  return a == e || difference <= tolerance.absolute ||
         difference <= tolerance.relative * std::fabs(e) ||
         difference <= tolerance.ulp * ulpOf(type, e);
}

} // namespace exec
