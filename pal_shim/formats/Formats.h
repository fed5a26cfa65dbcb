//===- Formats.h - texel formats: layout, conversion, hardware numbers ----===//
// SPDX-License-Identifier: MIT
/// \file
/// What a texel looks like in memory and what a shader sees of it. One table (Formats.def) serves
/// everyone who touches texels: descriptor builders, the software device, copies and clears on the
/// CPU.
///
/// A texel in registers is four dwords X, Y, Z, W: IEEE single bits for the kinds that a shader
/// sees as numbers (Unorm .. Float, Srgb), 32-bit integers for Uint and Sint (sign-extended).
/// Component swizzles (BGRA) are not part of a format: descriptors and copies apply them.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstddef>
#include <cstdint>

namespace pal::formats {

/// Names are layout and kind: X8Y8Z8W8_Unorm. Undefined is 0.
enum class Format : uint8_t {
  Undefined,
#define PAL_FORMAT(layout, kind, gfx10, gfx11) layout##_##kind,
#include "pal_shim/formats/Formats.def"
};

/// How many formats there are, Undefined included.
inline constexpr unsigned formatCount = 1
#define PAL_FORMAT(layout, kind, gfx10, gfx11) +1
#include "pal_shim/formats/Formats.def"
    ;

/// What the bits of a channel mean. Uscaled and Sscaled are integers that shaders see as floats.
enum class NumberKind : uint8_t { Unorm, Snorm, Uscaled, Sscaled, Uint, Sint, Float, Srgb };

enum class Encoding : uint8_t {
  Plain,
  HighBits,
  SharedExponent,
  Bc1,
  Bc2,
  Bc3,
  Bc4,
  Bc5,
  Bc6U,
  Bc6S,
  Bc7,
};

struct FormatInfo {
  const char *name;
  Encoding encoding;
  NumberKind kind;
  uint8_t texelBytes; ///< of a block, where blocks are larger than 1x1
  uint8_t blockWidth;
  uint8_t blockHeight;
  std::array<uint8_t, 4> bits; ///< per channel X, Y, Z, W; 0: absent
  uint8_t gfx10;               ///< hardware number, 0: none
  uint8_t gfx11;               ///< hardware number on gfx11 and later, 0: none

  constexpr bool isInteger() const { return kind == NumberKind::Uint || kind == NumberKind::Sint; }
  constexpr bool isBlock() const { return blockWidth > 1; }
  constexpr unsigned channels() const {
    return (bits[0] > 0) + (bits[1] > 0) + (bits[2] > 0) + (bits[3] > 0);
  }
};

/// The row of a format. Undefined has a row of zeros named "Undefined".
const FormatInfo &formatInfo(Format format);

/// One texel in registers.
using Texel = std::array<uint32_t, 4>;

/// Reads one texel. Absent channels read 0, an absent W reads 1 (1.0, or the integer 1).
/// Block-compressed formats have no single texels: see decodeBlock; here they read as zeros.
void unpack(Format format, const uint8_t *source, Texel &texel);

/// Writes one texel. Conversion rules (Vulkan "Numeric Representation and Computation", D3D11.3
/// 3.2.3; where those leave a choice, what the hardware does):
///  - Unorm, Snorm, Srgb: NaN is 0, clamp, scale, round to nearest even; Srgb encodes X, Y, Z
///  first;
///  - Uscaled, Sscaled: NaN is 0, round to nearest even, clamp;
///  - Uint, Sint: clamp to the range of the channel;
///  - Float of 16 bits: round to nearest even, overflow is infinity, NaN stays NaN; 10 and 11 bits
///    likewise without a sign: what is below zero becomes 0;
///  - shared exponent: the formula of the Vulkan specification.
/// Bits that belong to no channel are written as 0. Block-compressed formats are not written.
void pack(Format format, const Texel &texel, uint8_t *destination);

/// Runs of texels: `count` texels, `strideBytes` apart in memory, four dwords each in registers.
using UnpackRun = void (*)(const uint8_t *source, size_t strideBytes, size_t count, Texel *texels);
using PackRun = void (*)(const Texel *texels, size_t count, uint8_t *destination,
                         size_t strideBytes);
/// Null for Undefined and block-compressed formats.
UnpackRun unpackRun(Format format);
PackRun packRun(Format format);

/// Decodes a block-compressed block into 16 texels, row by row. False for other formats. Reserved
/// modes of BC6H and BC7 give zeros (and 1 in BC6H's absent W).
bool decodeBlock(Format format, const uint8_t *block, Texel *texels);

/// Hardware number of a format for a buffer (V#) on a GPU generation (`GpuTarget::major`); 0 when
/// the hardware cannot do it.
unsigned bufferFormatNumber(Format format, unsigned gfxMajor);
/// The same for an image (T#).
unsigned imageFormatNumber(Format format, unsigned gfxMajor);
/// The reverse of both; Undefined for numbers that no format has.
Format formatFromNumber(unsigned number, unsigned gfxMajor);

/// Float <-> half and the small unsigned floats, as pack and unpack convert them.
uint16_t floatToHalf(float value);
float halfToFloat(uint16_t bits);
/// Unsigned float of 5 exponent bits and `mantissaBits` (6 for 11-bit, 5 for 10-bit floats).
uint32_t floatToSmall(float value, unsigned mantissaBits);
float smallToFloat(uint32_t bits, unsigned mantissaBits);

/// sRGB transfer function: encoded value 0..1 <-> linear value 0..1.
float srgbToLinear(double encoded);
double linearToSrgb(double linear);

} // namespace pal::formats
