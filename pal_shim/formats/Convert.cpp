//===- Convert.cpp - texels in memory <-> texels in registers -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// One pair of functions per row of Formats.def, made from templates over the row. Texels are
/// little-endian, as the GPU's memory and every host this runs on.
#include "pal_shim/formats/FormatTable.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace pal::formats {

static_assert(std::endian::native == std::endian::little);

namespace {

using llvm::bit_cast;
constexpr uint32_t floatOne = 0x3f800000;

uint32_t floatBits(float value) { return bit_cast<uint32_t>(value); }

/// Rounds a non-negative value to nearest even, whatever the host's rounding mode is.
uint32_t roundPositive(double value) {
  auto whole = static_cast<uint32_t>(value);
  const double rest = value - whole;
  if (rest > 0.5 || (rest == 0.5 && (whole & 1)))
    ++whole;
  return whole;
}

constexpr uint32_t maskOf(unsigned bits) { return bits >= 32 ? ~0u : (1u << bits) - 1; }

int32_t signExtend(uint32_t raw, unsigned bits) {
  return static_cast<int32_t>(raw << (32 - bits)) >> (32 - bits);
}

const std::array<float, 256> &srgbTable() {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> values;
    for (unsigned i = 0; i < 256; ++i)
      values[i] = srgbToLinear(i / 255.0);
    return values;
  }();
  return table;
}

/// The kind of one channel: the alpha of an sRGB format is linear.
constexpr NumberKind channelKind(const FormatInfo &info, unsigned channel) {
  return info.kind == NumberKind::Srgb && channel == 3 ? NumberKind::Unorm : info.kind;
}

template <NumberKind kind, unsigned bits> uint32_t decodeChannel(uint32_t raw) {
  if constexpr (kind == NumberKind::Unorm)
    return floatBits(static_cast<float>(raw) / static_cast<float>(maskOf(bits)));
  else if constexpr (kind == NumberKind::Snorm)
    return floatBits(std::max(
        static_cast<float>(signExtend(raw, bits)) / static_cast<float>(maskOf(bits - 1)), -1.0f));
  else if constexpr (kind == NumberKind::Uscaled)
    return floatBits(static_cast<float>(raw));
  else if constexpr (kind == NumberKind::Sscaled)
    return floatBits(static_cast<float>(signExtend(raw, bits)));
  else if constexpr (kind == NumberKind::Uint)
    return raw;
  else if constexpr (kind == NumberKind::Sint)
    return static_cast<uint32_t>(signExtend(raw, bits));
  else if constexpr (kind == NumberKind::Srgb)
    return floatBits(srgbTable()[raw & 255]);
  else if constexpr (bits == 32)
    return raw;
  else if constexpr (bits == 16)
    return floatBits(halfToFloat(static_cast<uint16_t>(raw)));
  else
    return floatBits(smallToFloat(raw, bits - 5));
}

uint32_t packUnorm(double value, unsigned bits) {
  if (!(value > 0.0)) // also NaN
    return 0;
  return value >= 1.0 ? maskOf(bits) : roundPositive(value * maskOf(bits));
}

/// Rounds and clamps to [-low, high]; two's complement in `bits`.
uint32_t packSigned(double value, double low, double high, unsigned bits) {
  if (value != value)
    return 0;
  value = std::clamp(value, -low, high);
  const uint32_t magnitude = roundPositive(std::fabs(value));
  return (value < 0 ? 0u - magnitude : magnitude) & maskOf(bits);
}

template <NumberKind kind, unsigned bits> uint32_t encodeChannel(uint32_t value) {
  [[maybe_unused]] const float number = bit_cast<float>(value);
  if constexpr (kind == NumberKind::Unorm) {
    return packUnorm(number, bits);
  } else if constexpr (kind == NumberKind::Snorm) {
    const double scale = maskOf(bits - 1);
    return packSigned(std::clamp(static_cast<double>(number), -1.0, 1.0) * scale, scale, scale,
                      bits);
  } else if constexpr (kind == NumberKind::Uscaled) {
    if (!(number > 0.0f))
      return 0;
    return number >= static_cast<float>(maskOf(bits)) ? maskOf(bits) : roundPositive(number);
  } else if constexpr (kind == NumberKind::Sscaled) {
    return packSigned(number, double(maskOf(bits - 1)) + 1, maskOf(bits - 1), bits);
  } else if constexpr (kind == NumberKind::Uint) {
    return std::min(value, maskOf(bits));
  } else if constexpr (kind == NumberKind::Sint) {
    const auto top = static_cast<int32_t>(maskOf(bits - 1));
    return static_cast<uint32_t>(std::clamp(static_cast<int32_t>(value), -top - 1, top)) &
           maskOf(bits);
  } else if constexpr (kind == NumberKind::Srgb) {
    return number >= 1.0f ? maskOf(bits) : packUnorm(linearToSrgb(number > 0 ? number : 0), bits);
  } else if constexpr (bits == 32) {
    return value;
  } else if constexpr (bits == 16) {
    return floatToHalf(number);
  } else {
    return floatToSmall(number, bits - 5);
  }
}

constexpr unsigned channelOffset(const FormatInfo &info, unsigned channel) {
  if (info.encoding == Encoding::HighBits)
    return 16 * channel + 16 - info.bits[channel];
  unsigned offset = 0;
  for (unsigned i = 0; i < channel; ++i)
    offset += info.bits[i];
  return offset;
}

template <unsigned row, unsigned channel>
uint32_t unpackChannel(const uint8_t *source, uint64_t word) {
  constexpr const FormatInfo &info = formatTable[row];
  constexpr unsigned bits = info.bits[channel], offset = channelOffset(info, channel);
  if constexpr (bits == 0)
    return channel < 3 ? 0 : info.isInteger() ? 1 : floatOne;
  else if constexpr (info.texelBytes > 8) {
    static_assert(bits == 32);
    uint32_t raw;
    std::memcpy(&raw, source + offset / 8, 4);
    return decodeChannel<channelKind(info, channel), bits>(raw);
  } else
    return decodeChannel<channelKind(info, channel), bits>(static_cast<uint32_t>(word >> offset) &
                                                           maskOf(bits));
}

template <unsigned row> void unpackPlain(const uint8_t *source, Texel &texel) {
  uint64_t word = 0;
  if constexpr (formatTable[row].texelBytes <= 8)
    std::memcpy(&word, source, formatTable[row].texelBytes);
  texel = {unpackChannel<row, 0>(source, word), unpackChannel<row, 1>(source, word),
           unpackChannel<row, 2>(source, word), unpackChannel<row, 3>(source, word)};
}

template <unsigned row, unsigned channel>
void packChannel(const Texel &texel, uint8_t *destination, uint64_t &word) {
  constexpr const FormatInfo &info = formatTable[row];
  constexpr unsigned bits = info.bits[channel], offset = channelOffset(info, channel);
  if constexpr (bits > 0) {
    const uint32_t raw = encodeChannel<channelKind(info, channel), bits>(texel[channel]);
    if constexpr (info.texelBytes > 8)
      std::memcpy(destination + offset / 8, &raw, 4);
    else
      word |= static_cast<uint64_t>(raw) << offset;
  }
}

template <unsigned row> void packPlain(const Texel &texel, uint8_t *destination) {
  uint64_t word = 0;
  packChannel<row, 0>(texel, destination, word);
  packChannel<row, 1>(texel, destination, word);
  packChannel<row, 2>(texel, destination, word);
  packChannel<row, 3>(texel, destination, word);
  if constexpr (formatTable[row].texelBytes <= 8)
    std::memcpy(destination, &word, formatTable[row].texelBytes);
}

// Shared exponent: 9-bit mantissas without a hidden bit, 5-bit exponent, bias 15 (Vulkan "Shared
// Exponent RGB to RGB" and back).
constexpr int sharedBias = 15, sharedMantissa = 9, sharedMaxExponent = 31;

void unpackShared(const uint8_t *source, Texel &texel) {
  uint32_t word;
  std::memcpy(&word, source, 4);
  const double scale = std::ldexp(1.0, static_cast<int>(word >> 27) - sharedBias - sharedMantissa);
  for (unsigned i = 0; i < 3; ++i)
    texel[i] = floatBits(static_cast<float>((word >> (9 * i) & 511) * scale));
  texel[3] = floatOne;
}

void packShared(const Texel &texel, uint8_t *destination) {
  const double top = std::ldexp(511.0 / 512.0, sharedMaxExponent - sharedBias);
  double color[3], largest = 0;
  for (unsigned i = 0; i < 3; ++i) {
    const double value = bit_cast<float>(texel[i]);
    color[i] = value > 0 ? std::min(value, top) : 0; // NaN is 0
    largest = std::max(largest, color[i]);
  }
  int exponent = -sharedBias - 1;
  if (largest > 0)
    exponent = std::max(exponent, std::ilogb(largest));
  exponent += 1 + sharedBias;
  auto mantissa = [&](double value) {
    return static_cast<uint32_t>(
        std::floor(value / std::ldexp(1.0, exponent - sharedBias - sharedMantissa) + 0.5));
  };
  if (mantissa(largest) == 512)
    ++exponent;
  const uint32_t word = mantissa(color[0]) | mantissa(color[1]) << 9 | mantissa(color[2]) << 18 |
                        static_cast<uint32_t>(exponent) << 27;
  std::memcpy(destination, &word, 4);
}

template <unsigned row>
void unpackMany(const uint8_t *source, size_t strideBytes, size_t count, Texel *texels) {
  for (size_t i = 0; i < count; ++i) {
    if constexpr (formatTable[row].encoding == Encoding::SharedExponent)
      unpackShared(source + i * strideBytes, texels[i]);
    else
      unpackPlain<row>(source + i * strideBytes, texels[i]);
  }
}

template <unsigned row>
void packMany(const Texel *texels, size_t count, uint8_t *destination, size_t strideBytes) {
  for (size_t i = 0; i < count; ++i) {
    if constexpr (formatTable[row].encoding == Encoding::SharedExponent)
      packShared(texels[i], destination + i * strideBytes);
    else
      packPlain<row>(texels[i], destination + i * strideBytes);
  }
}

constexpr bool hasTexels(unsigned row) { return row > 0 && !formatTable[row].isBlock(); }

template <unsigned row> constexpr UnpackRun unpackEntry() {
  if constexpr (hasTexels(row))
    return unpackMany<row>;
  else
    return nullptr;
}
template <unsigned row> constexpr PackRun packEntry() {
  if constexpr (hasTexels(row))
    return packMany<row>;
  else
    return nullptr;
}

template <size_t... rows>
constexpr std::array<UnpackRun, formatCount> makeUnpack(std::index_sequence<rows...>) {
  return {unpackEntry<rows>()...};
}
template <size_t... rows>
constexpr std::array<PackRun, formatCount> makePack(std::index_sequence<rows...>) {
  return {packEntry<rows>()...};
}
constexpr auto unpackFunctions = makeUnpack(std::make_index_sequence<formatCount>());
constexpr auto packFunctions = makePack(std::make_index_sequence<formatCount>());

} // namespace

UnpackRun unpackRun(Format format) {
  const auto row = static_cast<unsigned>(format);
  return row < formatCount ? unpackFunctions[row] : nullptr;
}

PackRun packRun(Format format) {
  const auto row = static_cast<unsigned>(format);
  return row < formatCount ? packFunctions[row] : nullptr;
}

void unpack(Format format, const uint8_t *source, Texel &texel) {
  if (UnpackRun run = unpackRun(format))
    run(source, 0, 1, &texel);
  else
    texel = {};
}

void pack(Format format, const Texel &texel, uint8_t *destination) {
  if (PackRun run = packRun(format))
    run(&texel, 1, destination, 0);
}

} // namespace pal::formats
