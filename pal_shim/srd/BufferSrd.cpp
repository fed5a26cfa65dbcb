//===- BufferSrd.cpp - V# -------------------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Buffer descriptors. gfx10: 7 bits of format; gfx11: 6 bits; gfx12: 6 bits and compression
/// controls in place of the resource level.
#include "pal_shim/srd/Bits.h"
#include "pal_shim/srd/Srd.h"
#include <algorithm>

namespace pal::srd {

bool supportsBufferFormat(const abi::GpuTarget &target, formats::Format format) {
  return formats::bufferFormatNumber(format, target.major) != 0;
}

void buildBufferSrd(const abi::GpuTarget &target, const BufferSrdInfo &info, uint32_t out[4]) {
  const uint64_t records = info.stride <= 1 ? info.sizeBytes : info.sizeBytes / info.stride;
  const formats::Format format =
      info.format == formats::Format::Undefined ? formats::Format::X32_Uint : info.format;
  Fields<4> fields;
  fields.set(0, 32, static_cast<uint32_t>(info.address));
  fields.set(32, 16, static_cast<uint32_t>(info.address >> 32));
  fields.set(32 + 16, 14, info.stride);
  fields.set(64, 32, static_cast<uint32_t>(std::min<uint64_t>(records, UINT32_MAX)));
  for (unsigned i = 0; i < 4; ++i)
    fields.set(96 + 3 * i, 3, static_cast<uint32_t>(info.swizzle[i]));
  fields.set(96 + 12, target.major >= 11 ? 6 : 7,
             formats::bufferFormatNumber(format, target.major));
  if (target.major >= 12)
    fields.set(96 + 24, 2, 3); // compressed writes and reads, as PAL leaves them for every buffer
  else
    fields.set(96 + 24, 1, 1); // resource level
  fields.set(96 + 28, 2, static_cast<uint32_t>(info.outOfBounds));
  fields.copyTo(out);
}

} // namespace pal::srd
