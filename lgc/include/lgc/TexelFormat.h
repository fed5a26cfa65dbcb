//===- TexelFormat.h - formats of vertex attributes and colour targets ----===//
// SPDX-License-Identifier: MIT
/// \file
/// lgc knows no Vulkan, so a VkFormat arrives as channel layout, numeric kind and order.
/// llpc/context has the table of VkFormats.
#pragma once

#include <cstdint>
#include <string>

namespace lgc {

/// Channels in ascending address order; for packed layouts from the lowest bit up, so that
/// VK_FORMAT_A2B10G10R10_*_PACK32 is RGB10A2 and VK_FORMAT_R5G6B5_*_PACK16 is BGR565.
// clang-format off: a list in a macro has no form that clang-format keeps
#define LGC_TEXEL_LAYOUTS(X)                                                                       \
  X(None) X(R8) X(RG8) X(RGB8) X(RGBA8) X(R16) X(RG16) X(RGB16) X(RGBA16) X(R32) X(RG32) X(RGB32)  \
  X(RGBA32) X(R64) X(RG64) X(RGB64) X(RGBA64) X(RG4) X(BGR565) X(ABGR1555) X(ABGR4) X(RGB10A2)     \
  X(RG11B10) X(RGB9E5) X(D16) X(D24) X(D32) X(S8)
// clang-format on
enum class TexelLayout : uint8_t {
#define LGC_X(name) name,
  LGC_TEXEL_LAYOUTS(LGC_X)
#undef LGC_X
      Count
};

enum class NumericKind : uint8_t { Unorm, Snorm, Uscaled, Sscaled, Uint, Sint, Float, Srgb, Count };

struct TexelFormat {
  TexelLayout layout = TexelLayout::None;
  NumericKind kind = NumericKind::Unorm;
  bool swapRedBlue = false; ///< red and blue have changed places: B8G8R8A8 is RGBA8 with this set
  bool alphaFirst = false;  ///< the alpha channel stands at the other end: A1R5G5B5, A4R4G4B4

  explicit operator bool() const { return layout != TexelLayout::None; }
  bool operator==(const TexelFormat &) const = default;
};

/// "RGBA8.unorm", "RGBA8.unorm.swapRedBlue"; what state metadata holds.
std::string toString(const TexelFormat &format);
/// The reverse; false when the text is no format.
bool parseTexelFormat(const std::string &text, TexelFormat &format);

/// Channels of the layout, 0 for None.
unsigned channelCount(TexelLayout layout);

} // namespace lgc
