//===- Window.h - where presented images go -------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What a surface and its swapchains need of a window system. A kind of surface is a class derived
/// from Window, and the command that creates it.
#pragma once

#include "icd_glue/Object.h"
#include "llvm/Support/Error.h"
#include <cstddef>
#include <cstdint>

namespace icd {

/// One image on its way to the screen, where it is: in the memory of the swapchain's image. Pixels
/// have 4 bytes: red, green, blue and alpha, as sRGB encodes them.
struct Picture {
  uint32_t width = 0;
  uint32_t height = 0;
  const uint8_t *pixels = nullptr; ///< the top row
  size_t rowPitch = 0;             ///< bytes
  bool isBgr = false;              ///< blue comes first instead of red
  bool isOpaque = true; ///< else the fourth byte is alpha, with which the others are multiplied

  const uint8_t *row(uint32_t y) const { return pixels + y * rowPitch; }
};

/// Copies rows, with blue first, as window systems want them, to \p out, without anything between
/// them.
void copyRows(const Picture &picture, uint32_t first, uint32_t count, uint8_t *out);

/// Functions may be called by any number of threads.
class Window {
public:
  virtual ~Window() = default;

  /// The extent of a window without a size of its own: that of its swapchain.
  static constexpr VkExtent2D anyExtent = {UINT32_MAX, UINT32_MAX};

  /// Whether pixels of a Picture can be shown at all.
  virtual bool isPresentable() = 0;
  /// The window's size in pixels, or anyExtent. VK_ERROR_SURFACE_LOST_KHR: there is no window.
  virtual VkResult extent(VkExtent2D &extent) = 0;
  /// What becomes of alpha, as an application may choose. Inherited: what the window says of
  /// itself.
  virtual VkCompositeAlphaFlagsKHR compositeAlpha() {
    return VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR | VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR;
  }
  /// Shows a picture of the window's size. An error means that the window is lost.
  virtual llvm::Error show(const Picture &picture) = 0;
};

} // namespace icd
