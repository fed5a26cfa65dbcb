//===- ExportFormat.cpp - how fragment shaders hand colours to the hardware //
// SPDX-License-Identifier: MIT
#include "lgc/ExportFormat.h"
#include "lgc/CompileError.h"
#include <iterator>

namespace lgc {
namespace {

/// What of a layout matters: bits of its widest channel; 0: not a colour that can be rendered.
constexpr uint8_t channelBits[] = {
    0,             // None
    8,  8,  0, 8,  // R8 .. RGBA8
    16, 16, 0, 16, // R16 .. RGBA16
    32, 32, 0, 32, // R32 .. RGBA32
    0,  0,  0, 0,  // R64 .. RGBA64
    0,             // RG4
    6,  5,  4, 10, // BGR565, ABGR1555, ABGR4, RGB10A2
    11, 9,         // RG11B10, RGB9E5
    0,  0,  0, 0,  // depth and stencil
};
static_assert(std::size(channelBits) == static_cast<size_t>(TexelLayout::Count));

/// How the numbers of a target are handed over.
enum class Numbers : uint8_t { None, Half, Unorm16, Snorm16, Uint16, Sint16, Full };

/// Half holds 10 bits of a normalised number and any float up to 16 bits; wider normalised numbers
/// have 16-bit formats of their own, which cannot be blended.
Numbers numbersOf(NumericKind kind, unsigned bits, bool blend) {
  switch (kind) {
  case NumericKind::Unorm:
    return bits <= 10 ? Numbers::Half : blend ? Numbers::Full : Numbers::Unorm16;
  case NumericKind::Snorm:
    return bits <= 10 ? Numbers::Half : blend ? Numbers::Full : Numbers::Snorm16;
  case NumericKind::Float:
    return bits <= 16 ? Numbers::Half : Numbers::Full;
  case NumericKind::Srgb:
    return bits == 8 ? Numbers::Half : Numbers::None;
  case NumericKind::Uint:
    return bits <= 16 ? Numbers::Uint16 : Numbers::Full;
  case NumericKind::Sint:
    return bits <= 16 ? Numbers::Sint16 : Numbers::Full;
  default:
    return Numbers::None;
  }
}

/// 32 bits a component, and only the components that are needed.
ExportFormat fullFormat(unsigned channels, bool alpha) {
  if (channels == 1)
    return alpha ? ExportFormat::Ar32 : ExportFormat::R32;
  return channels == 2 && !alpha ? ExportFormat::Gr32 : ExportFormat::Abgr32;
}

} // namespace

std::optional<ExportFormat> chooseExportFormat(const TexelFormat &format, const ExportUse &use) {
  if (!format)
    return ExportFormat::Zero;
  unsigned bits = channelBits[static_cast<size_t>(format.layout)];
  Numbers numbers = bits ? numbersOf(format.kind, bits, use.blend) : Numbers::None;
  // 32 bits exist as integers and floats, normalised numbers only below.
  if (bits == 32 && format.kind < NumericKind::Uint)
    return std::nullopt;
  unsigned channels = channelCount(format.layout);
  // One dword instead of two.
  bool isSingle = channels == 1 && !use.alpha && format.kind != NumericKind::Srgb;
  if (isSingle && !use.rbPlus && numbers != Numbers::None)
    return ExportFormat::R32;
  switch (numbers) {
  case Numbers::None:
    return std::nullopt;
  case Numbers::Half:
    return ExportFormat::Fp16;
  case Numbers::Unorm16:
    return ExportFormat::Unorm16;
  case Numbers::Snorm16:
    return ExportFormat::Snorm16;
  case Numbers::Uint16:
    return ExportFormat::Uint16;
  case Numbers::Sint16:
    return ExportFormat::Sint16;
  case Numbers::Full:
    return fullFormat(channels, use.alpha);
  }
  KILN_ICE("numbers of a colour target");
}

unsigned exportedComponents(ExportFormat format) {
  constexpr uint8_t components[] = {0x0, 0x1, 0x3, 0x9, 0xF, 0xF, 0xF, 0xF, 0xF, 0xF};
  return components[static_cast<size_t>(format)];
}

bool isPacked(ExportFormat format) {
  return format >= ExportFormat::Fp16 && format <= ExportFormat::Sint16;
}

} // namespace lgc
