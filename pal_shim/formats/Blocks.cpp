//===- Blocks.cpp - block-compressed formats ------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// decodeBlock, and the simpler formats BC1 to BC5 (Khronos Data Format Specification, "S3TC" and
/// "RGTC"). These leave the precision of interpolation open; here it is that of float.
#include "pal_shim/formats/Blocks.h"
#include "pal_shim/formats/FormatTable.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cstring>

namespace pal::formats {

namespace {

using Color = std::array<double, 4>;
using Colors = std::array<Color, 16>;

uint64_t load64(const uint8_t *bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, 8);
  return word;
}

Color mix(const Color &a, const Color &b, double weight) {
  Color out;
  for (unsigned i = 0; i < 4; ++i)
    out[i] = a[i] * (1 - weight) + b[i] * weight;
  return out;
}

Color from565(uint32_t bits) {
  return {(bits >> 11 & 31) / 31.0, (bits >> 5 & 63) / 63.0, (bits & 31) / 31.0, 1};
}

/// `punchThrough`: the order of the two colours may select three colours and transparent black.
void decodeColors(const uint8_t *block, bool punchThrough, Colors &out) {
  const uint64_t word = load64(block);
  const uint32_t low = word & 0xffff, high = word >> 16 & 0xffff;
  std::array<Color, 4> palette = {from565(low), from565(high)};
  if (low > high || !punchThrough) {
    palette[2] = mix(palette[0], palette[1], 1.0 / 3);
    palette[3] = mix(palette[0], palette[1], 2.0 / 3);
  } else {
    palette[2] = mix(palette[0], palette[1], 0.5);
    palette[3] = {};
  }
  for (unsigned i = 0; i < 16; ++i)
    out[i] = palette[word >> (32 + 2 * i) & 3];
}

/// One channel of eight bytes: two endpoints and 3-bit indices (BC3's alpha, BC4, BC5).
void decodeChannel(const uint8_t *block, bool isSigned, unsigned channel, Colors &out) {
  const uint64_t word = load64(block);
  // The order that selects the palette is that of the stored integers.
  const auto signedEnd = [](uint8_t byte) { return static_cast<int>(static_cast<int8_t>(byte)); };
  const int first = isSigned ? signedEnd(block[0]) : block[0];
  const int second = isSigned ? signedEnd(block[1]) : block[1];
  auto scaled = [&](int value) { return isSigned ? std::max(value / 127.0, -1.0) : value / 255.0; };
  std::array<double, 8> palette = {scaled(first), scaled(second)};
  const unsigned steps = first > second ? 7 : 5;
  for (unsigned i = 1; i < steps; ++i)
    palette[i + 1] = (palette[0] * (steps - i) + palette[1] * i) / steps;
  if (steps == 5) {
    palette[6] = isSigned ? -1 : 0;
    palette[7] = 1;
  }
  for (unsigned i = 0; i < 16; ++i)
    out[i][channel] = palette[word >> (16 + 3 * i) & 7];
}

void decodeAlpha4(const uint8_t *block, Colors &out) {
  const uint64_t word = load64(block);
  for (unsigned i = 0; i < 16; ++i)
    out[i][3] = static_cast<double>(word >> (4 * i) & 15) / 15;
}

void decodeBc7Colors(const uint8_t *block, Colors &out) {
  std::array<std::array<uint8_t, 4>, 16> bytes;
  decodeBc7(block, bytes);
  for (unsigned i = 0; i < 16; ++i)
    for (unsigned c = 0; c < 4; ++c)
      out[i][c] = bytes[i][c] / 255.0;
}

void decodeBc6Texels(const uint8_t *block, bool isSigned, Texel *texels) {
  std::array<std::array<uint16_t, 3>, 16> halfs;
  decodeBc6(block, isSigned, halfs);
  for (unsigned i = 0; i < 16; ++i) {
    for (unsigned c = 0; c < 3; ++c)
      texels[i][c] = llvm::bit_cast<uint32_t>(halfToFloat(halfs[i][c]));
    texels[i][3] = 0x3f800000;
  }
}

void decodeNormalized(const FormatInfo &info, const uint8_t *block, Colors &colors) {
  const bool isSigned = info.kind == NumberKind::Snorm;
  switch (info.encoding) {
  case Encoding::Bc1:
    return decodeColors(block, true, colors);
  case Encoding::Bc2:
    decodeColors(block + 8, false, colors);
    return decodeAlpha4(block, colors);
  case Encoding::Bc3:
    decodeColors(block + 8, false, colors);
    return decodeChannel(block, false, 3, colors);
  case Encoding::Bc4:
    return decodeChannel(block, isSigned, 0, colors);
  case Encoding::Bc5:
    decodeChannel(block, isSigned, 0, colors);
    return decodeChannel(block + 8, isSigned, 1, colors);
  default:
    return decodeBc7Colors(block, colors);
  }
}

} // namespace

bool decodeBlock(Format format, const uint8_t *block, Texel *texels) {
  const FormatInfo &info = formatInfo(format);
  if (!info.isBlock())
    return false;
  if (info.encoding == Encoding::Bc6U || info.encoding == Encoding::Bc6S) {
    decodeBc6Texels(block, info.encoding == Encoding::Bc6S, texels);
    return true;
  }
  Colors colors;
  colors.fill({0, 0, 0, 1});
  decodeNormalized(info, block, colors);
  for (unsigned i = 0; i < 16; ++i)
    for (unsigned c = 0; c < 4; ++c) {
      const bool encoded = info.kind == NumberKind::Srgb && c < 3;
      const float value = encoded ? srgbToLinear(colors[i][c]) : static_cast<float>(colors[i][c]);
      texels[i][c] = llvm::bit_cast<uint32_t>(value);
    }
  return true;
}

} // namespace pal::formats
