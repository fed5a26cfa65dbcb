//===- FormatTable.h - Formats.def as a compile-time array ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Private to this folder: conversion functions are templates over a row of this table.
#pragma once

#include "pal_shim/formats/Formats.h"

namespace pal::formats {

struct LayoutInfo {
  Encoding encoding;
  uint8_t texelBytes, blockWidth, blockHeight;
  std::array<uint8_t, 4> bits;
};

#define PAL_LAYOUT(name, encoding, texelBytes, blockWidth, blockHeight, x, y, z, w)                \
  inline constexpr LayoutInfo shapeOf##name = {                                                    \
      Encoding::encoding, texelBytes, blockWidth, blockHeight, {x, y, z, w}};
#include "pal_shim/formats/Formats.def"

inline constexpr FormatInfo formatTable[formatCount] = {
    {"Undefined", Encoding::Plain, NumberKind::Unorm, 0, 1, 1, {0, 0, 0, 0}, 0, 0},
#define PAL_FORMAT(layout, kind, gfx10, gfx11)                                                     \
  {#layout "_" #kind,                                                                              \
   shapeOf##layout.encoding,                                                                       \
   NumberKind::kind,                                                                               \
   shapeOf##layout.texelBytes,                                                                     \
   shapeOf##layout.blockWidth,                                                                     \
   shapeOf##layout.blockHeight,                                                                    \
   shapeOf##layout.bits,                                                                           \
   gfx10,                                                                                          \
   gfx11},
#include "pal_shim/formats/Formats.def"
};

} // namespace pal::formats
