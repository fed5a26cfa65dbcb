//===- TexelChannels.h - which bits of a texel are which component ----------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "../script/Formats.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <array>

namespace exec {

/// Bits of a texel that are a component, 0 red to 3 alpha.
struct Channel {
  uint32_t component = 0, shift = 0, bits = 0;
};

/// "r8g8_unorm": {0, 0, 8}, {1, 8, 8}, in the order of the name. None for formats that are not made
/// of red, green, blue and alpha.
llvm::SmallVector<Channel, 4> channelsOf(const FormatRow &format);
/// "unorm"
llvm::StringRef kindOf(const FormatRow &format);

constexpr uint32_t mostTexelBytes = 32;

/// The bytes of one texel with these components, clamped to what the format can hold and rounded.
/// Nothing: for formats without channels.
std::optional<std::array<uint8_t, mostTexelBytes>> vertexTexel(const FormatRow &format,
                                                               llvm::ArrayRef<double> components);

} // namespace exec
