//===- FormatTable.cpp - rows of Formats.def, hardware numbers ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The run-time table of all formats, and the way from hardware numbers back to formats.
#include "pal_shim/formats/FormatTable.h"

namespace pal::formats {

const FormatInfo &formatInfo(Format format) {
  const auto index = static_cast<unsigned>(format);
  return formatTable[index < formatCount ? index : 0];
}

/// Widest number that the FORMAT field of a V# holds.
static unsigned lastBufferNumber(unsigned gfxMajor) { return gfxMajor >= 11 ? 63 : 127; }

unsigned imageFormatNumber(Format format, unsigned gfxMajor) {
  const FormatInfo &info = formatInfo(format);
  return gfxMajor >= 11 ? info.gfx11 : info.gfx10;
}

unsigned bufferFormatNumber(Format format, unsigned gfxMajor) {
  const unsigned number = imageFormatNumber(format, gfxMajor);
  return number <= lastBufferNumber(gfxMajor) ? number : 0;
}

namespace {

struct Reverse {
  std::array<Format, 256> gfx10 = {};
  std::array<Format, 256> gfx11 = {};
};

constexpr Reverse makeReverse() {
  Reverse reverse;
  for (unsigned i = 1; i < formatCount; ++i) {
    if (formatTable[i].gfx10)
      reverse.gfx10[formatTable[i].gfx10] = static_cast<Format>(i);
    if (formatTable[i].gfx11)
      reverse.gfx11[formatTable[i].gfx11] = static_cast<Format>(i);
  }
  return reverse;
}
constexpr Reverse reverseTable = makeReverse();

} // namespace

Format formatFromNumber(unsigned number, unsigned gfxMajor) {
  if (number > 255)
    return Format::Undefined;
  return gfxMajor >= 11 ? reverseTable.gfx11[number] : reverseTable.gfx10[number];
}

} // namespace pal::formats
