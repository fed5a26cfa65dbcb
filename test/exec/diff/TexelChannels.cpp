//===- TexelChannels.cpp - which bits of a texel are which component --------===//
// SPDX-License-Identifier: MIT
#include "TexelChannels.h"
#include "../script/Scalar.h"
#include <algorithm>
#include <cmath>

using llvm::StringRef;

namespace exec {

/// Packed formats name the highest bits first.
llvm::SmallVector<Channel, 4> channelsOf(const FormatRow &format) {
  const bool isPacked = format.name.contains("_pack");
  uint32_t at = isPacked ? 8 * format.bytes : 0;
  llvm::SmallVector<Channel, 4> result;
  for (StringRef rest = format.name.split('_').first; !rest.empty();) {
    Channel channel;
    const size_t component = StringRef("rgba").find(rest.front());
    rest = rest.drop_front();
    if (component == StringRef::npos || rest.consumeInteger(10, channel.bits))
      return {};
    channel.component = static_cast<uint32_t>(component);
    channel.shift = isPacked ? at -= channel.bits : at;
    at += isPacked ? 0 : channel.bits;
    result.push_back(channel);
  }
  return result;
}

StringRef kindOf(const FormatRow &format) { return format.name.split('_').second.split('_').first; }

namespace {

std::optional<uint64_t> encode(StringRef kind, uint32_t bits, double value) {
  if (kind == "sfloat")
    return fromDouble(bits == 16   ? ScalarType::F16
                      : bits == 32 ? ScalarType::F32
                                   : ScalarType::F64,
                      value);
  if (kind == "ufloat") // a half without its sign and the low bits of its mantissa
    return fromDouble(ScalarType::F16, std::max(value, 0.0)) >> (15 - bits);
  const bool hasSign = kind.starts_with("s");
  const bool isNorm = kind.ends_with("norm");
  if (!isNorm && !kind.ends_with("int") && !kind.ends_with("scaled"))
    return {};
  const uint32_t exactBits = std::min(bits - hasSign, 53u); // of doubles
  const double high = std::ldexp(1, static_cast<int>(exactBits)) - 1;
  const double low = !hasSign ? 0 : isNorm ? -high : -high - 1;
  const auto integer =
      static_cast<int64_t>(std::nearbyint(std::clamp(isNorm ? value * high : value, low, high)));
  return static_cast<uint64_t>(integer);
}

} // namespace

std::optional<std::array<uint8_t, mostTexelBytes>> vertexTexel(const FormatRow &format,
                                                               llvm::ArrayRef<double> components) {
  const llvm::SmallVector<Channel, 4> channels = channelsOf(format);
  if (channels.empty() || format.bytes > mostTexelBytes)
    return {};
  std::array<uint8_t, mostTexelBytes> texel = {};
  for (const Channel &channel : channels) {
    const auto value = encode(kindOf(format), channel.bits, components[channel.component]);
    if (!value)
      return {};
    for (uint32_t i = 0; i < channel.bits; ++i) {
      const uint32_t place = channel.shift + i;
      texel[place / 8] |= static_cast<uint8_t>((*value >> i & 1) << place % 8);
    }
  }
  return texel;
}

} // namespace exec
