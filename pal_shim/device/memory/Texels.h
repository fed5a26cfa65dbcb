//===- Texels.h - texels between memory and registers ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Component selection (dst_sel of V# and T#) and 16-bit registers (D16), shared by typed buffer
/// and image instructions.
#pragma once

#include "pal_shim/device/core/Wave.h"
#include "pal_shim/formats/Formats.h"

namespace pal::device {

/// dst_sel: 0 gives 0, 1 gives one, 4..7 a component; others are reserved and give 0.
inline uint32_t selectComponent(const formats::Texel &texel, unsigned selector, bool isInteger) {
  if (selector >= 4)
    return texel[selector - 4];
  return selector != 1 ? 0 : isInteger ? 1 : 0x3F800000;
}

/// For stores: each memory component takes the first register that dst_sel takes from it.
inline formats::Texel unselect(const formats::Texel &value, const uint8_t *select) {
  formats::Texel result = {};
  for (unsigned i = 4; i-- > 0;)
    if (select[i] >= 4)
      result[select[i] - 4] = value[i];
  return result;
}

inline uint16_t narrow(uint32_t value, bool isInteger) {
  return isInteger ? uint16_t(value) : formats::floatToHalf(std::bit_cast<float>(value));
}

inline uint32_t widen(uint16_t value, bool isInteger, bool isSigned) {
  if (!isInteger)
    return std::bit_cast<uint32_t>(formats::halfToFloat(value));
  return isSigned ? uint32_t(int32_t(int16_t(value))) : value;
}

/// Two components per register; the unused half of the last one is kept.
inline void writeD16(Row *dst, unsigned lane, const formats::Texel &values, unsigned count,
                     bool isInteger) {
  for (unsigned i = 0; i < count; ++i) {
    uint32_t &reg = dst[i / 2].lane[lane];
    uint32_t half = narrow(values[i], isInteger);
    reg = i % 2 ? (reg & 0xFFFF) | half << 16 : (reg & 0xFFFF0000) | half;
  }
}

} // namespace pal::device
