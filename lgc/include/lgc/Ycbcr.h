//===- Ycbcr.h - sampler YCbCr conversion in a static descriptor ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// An element of a StaticDescriptor of type DescriptorYCbCrSampler is six dwords: the sampler (4),
/// then two conversion words. The image descriptors of the planes (8 dwords each, identity swizzle)
/// lie one after another at the start of the binding's element: plane 0, 1, 2.
///
///   word 0  bits  2:0  model (YcbcrModel)            bit 3      range: 1 = narrow
///           bit     4  x chroma offset: 1 = midpoint bit 5      y chroma offset: 1 = midpoint
///           bit     6  chroma filter: 1 = linear     bits 8:7   planes, 1 to 3
///           bit     9  chroma planes have half the width
///           bit    10  chroma planes have half the height
///           bit    11  every plane's view gives its components where a view of all would (in
///           place)
///   word 1  bits 11:0  component swizzle, 3 bits for each of r, g, b, a (YcbcrSwizzle)
///           bits 16:12 bits of a component as stored (8, 10, 12 or 16): scale of the range
///
/// Planes: 1: the view gives (Cr, Y, Cb, A) in (r, g, b, a); 2: Y in plane 0's r, Cb and Cr in
/// plane 1's r and g; 3: Y, Cb, Cr in the r of planes 0, 1, 2. In place, as the views of AMD's
/// driver are: Y in plane 0's g, Cb in plane 1's b, Cr in the r of plane 1 or 2. Numbers of model,
/// filter, range, chroma location and swizzle are Vulkan's.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace lgc {

enum class YcbcrModel : uint8_t { RgbIdentity, YcbcrIdentity, Bt709, Bt601, Bt2020 };
enum class YcbcrSwizzle : uint8_t { Identity, Zero, One, R, G, B, A };

struct YcbcrInfo {
  YcbcrModel model = YcbcrModel::RgbIdentity;
  bool narrowRange = false;
  bool xMidpoint = false;
  bool yMidpoint = false;
  bool linearChroma = false;
  uint8_t planes = 1;
  bool halfWidth = false;
  bool halfHeight = false;
  bool inPlace = false;
  std::array<YcbcrSwizzle, 4> swizzle = {};
  uint8_t bits = 8;
};

inline constexpr uint32_t ycbcrSamplerDwords = 4;
inline constexpr uint32_t ycbcrWords = 2;

/// Packs; the reverse of decodeYcbcr.
std::array<uint32_t, ycbcrWords> encodeYcbcr(const YcbcrInfo &info);
/// Nothing when a field is out of range.
std::optional<YcbcrInfo> decodeYcbcr(uint32_t word0, uint32_t word1);

} // namespace lgc
