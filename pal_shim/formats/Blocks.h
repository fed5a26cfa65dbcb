//===- Blocks.h - decoders of BC6H and BC7 --------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Private to this folder. Texels go row by row; false and zeros for reserved modes.
#pragma once

#include <array>
#include <cstdint>

namespace pal::formats {

bool decodeBc7(const uint8_t *block, std::array<std::array<uint8_t, 4>, 16> &out);
/// The bits of halfs.
bool decodeBc6(const uint8_t *block, bool isSigned, std::array<std::array<uint16_t, 3>, 16> &out);

} // namespace pal::formats
