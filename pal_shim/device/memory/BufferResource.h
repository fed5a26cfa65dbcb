//===- BufferResource.h - buffer descriptors (V#) --------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Decoding of the 4-dword buffer descriptor (RDNA ISA manuals, "Buffer resource descriptor"; PAL's
/// register headers), and its bounds check.
#pragma once

#include "pal_shim/device/core/RawInstr.h"

namespace pal::device {

struct BufferResource {
  uint64_t base = 0;
  uint32_t stride = 0;      ///< bytes
  uint32_t records = 0;     ///< num_records: bytes or elements, see `bounds`
  uint32_t indexStride = 0; ///< lanes per swizzled block: 8, 16, 32, 64
  uint8_t elementBytes = 0; ///< swizzled layout: bytes that stay together; 0: linear
  bool addTid = false;      ///< the lane number is part of the index
  uint8_t bounds = 0;       ///< oob_select
  uint8_t format = 0;       ///< hardware number
  uint8_t select[4] = {};   ///< dst_sel: 0, 1, 4 X, 5 Y, 6 Z, 7 W

  /// May [offset, offset + bytes) of record \p index be accessed? \p offset: what is added to the
  /// record (in raw mode: to the base, without \p soffset).
  /// oob_select 0: index and offset in the record; 1: index; 2: anything unless there are no
  /// records; 3: as 0 when swizzled, else bytes from the base.
  bool inBounds(uint64_t index, uint64_t offset, uint64_t linear, uint32_t soffset,
                unsigned bytes) const {
    if (bounds == 1)
      return index < records;
    if (bounds == 2)
      return records != 0;
    if (bounds == 0 || elementBytes)
      return index < records && offset + bytes <= stride;
    return linear + soffset + bytes <= records;
  }
};

BufferResource decodeBufferResource(Generation generation, const uint32_t *words);

} // namespace pal::device
