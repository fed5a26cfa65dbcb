//===- VertexFormats.cpp - how formats of vertex attributes are read ------===//
// SPDX-License-Identifier: MIT
#include "lgc/VertexFormats.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace lgc {

namespace {

/// What a layout means for vertex buffers. `firstFormat*`: buffer format of its Unorm kind; the
/// other kinds follow in the order of NumericKind. 0: no typed loads.
struct LayoutRow {
  TexelLayout layout;
  unsigned channels;
  unsigned channelBytes;
  unsigned elementBytes;
};
constexpr LayoutRow layoutRows[] = {
    {TexelLayout::R8, 1, 1, 1},      {TexelLayout::RG8, 2, 1, 2},
    {TexelLayout::RGB8, 3, 1, 3},    {TexelLayout::RGBA8, 4, 1, 4},
    {TexelLayout::R16, 1, 2, 2},     {TexelLayout::RG16, 2, 2, 4},
    {TexelLayout::RGB16, 3, 2, 6},   {TexelLayout::RGBA16, 4, 2, 8},
    {TexelLayout::R32, 1, 4, 4},     {TexelLayout::RG32, 2, 4, 8},
    {TexelLayout::RGB32, 3, 4, 12},  {TexelLayout::RGBA32, 4, 4, 16},
    {TexelLayout::R64, 1, 8, 8},     {TexelLayout::RG64, 2, 8, 16},
    {TexelLayout::RGB64, 3, 8, 24},  {TexelLayout::RGBA64, 4, 8, 32},
    {TexelLayout::RGB10A2, 4, 0, 4}, {TexelLayout::RG11B10, 3, 0, 4},
};

/// Buffer format numbers of the Unorm kind; Snorm, Uscaled, Sscaled, Uint, Sint and (of 16-bit
/// channels) Float follow. gfx11 and gfx12 have dropped formats of the gfx10 list.
struct FormatRow {
  unsigned channelBytes;
  unsigned channels;
  unsigned gfx10;
  unsigned gfx11;
};
constexpr FormatRow formatRows[] = {
    {1, 1, 1, 1}, {1, 2, 14, 14}, {1, 4, 56, 42}, {2, 1, 7, 7}, {2, 2, 23, 23}, {2, 4, 65, 51},
};
constexpr unsigned firstRgb10a2[] = {50, 36};
constexpr unsigned floatRg11b10[] = {36, 30};

} // namespace

VertexFormatInfo vertexFormatInfo(const TexelFormat &format) {
  VertexFormatInfo info;
  const LayoutRow *row =
      find_if(layoutRows, [&](const LayoutRow &r) { return r.layout == format.layout; });
  if (row == std::end(layoutRows) || format.kind == NumericKind::Srgb || format.alphaFirst)
    return info;
  bool isFloat = format.kind == NumericKind::Float;
  if (row->channelBytes == 1 && isFloat)
    return info;
  if ((format.layout == TexelLayout::RG11B10) != (isFloat && row->channelBytes == 0))
    return info; // 11 bits exist as floats only, 10 bits as all but floats
  info.channels = row->channels;
  info.channelBytes = row->channelBytes;
  info.elementBytes = row->elementBytes;
  info.raw = row->channelBytes >= 4;
  info.isInteger = format.kind == NumericKind::Uint || format.kind == NumericKind::Sint;
  if (format.swapRedBlue)
    info.source = {2, 1, 0, 3};
  return info;
}

unsigned hardwareBufferFormat(const TexelFormat &format, unsigned channels, unsigned gfxMajor) {
  bool isGfx10 = gfxMajor < 11;
  auto kind = static_cast<unsigned>(format.kind);
  if (format.layout == TexelLayout::RGB10A2)
    return firstRgb10a2[!isGfx10] + kind;
  if (format.layout == TexelLayout::RG11B10)
    return floatRg11b10[!isGfx10];
  unsigned channelBytes = vertexFormatInfo(format).channelBytes;
  for (const FormatRow &row : formatRows)
    if (row.channelBytes == channelBytes && row.channels == channels)
      return (isGfx10 ? row.gfx10 : row.gfx11) + kind;
  return 0;
}

} // namespace lgc
