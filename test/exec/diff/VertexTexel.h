//===- VertexTexel.h - numbers in the formats of attributes ----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "../script/Formats.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>

namespace exec {

constexpr uint32_t mostTexelBytes = 32;

/// The bytes of one texel with these components, clamped to what the format can hold and rounded.
/// Nothing: for formats that are not made of red, green, blue and alpha.
std::optional<std::array<uint8_t, mostTexelBytes>> vertexTexel(const FormatRow &format,
                                                               llvm::ArrayRef<double> components);

} // namespace exec
