//===- DepthStencil.cpp - stencil operations -------------------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/DepthStencil.h"

namespace pal::device {

namespace {

using StencilFunction = uint8_t (*)(uint8_t stored, uint8_t reference);

/// In the order of StencilOp.
constexpr StencilFunction stencilFunctions[] = {
    [](uint8_t stored, uint8_t) { return stored; },
    [](uint8_t, uint8_t) -> uint8_t { return 0; },
    [](uint8_t, uint8_t reference) { return reference; },
    [](uint8_t stored, uint8_t) -> uint8_t { return stored == 255 ? 255 : stored + 1; },
    [](uint8_t stored, uint8_t) -> uint8_t { return stored == 0 ? 0 : stored - 1; },
    [](uint8_t stored, uint8_t) -> uint8_t { return ~stored; },
    [](uint8_t stored, uint8_t) -> uint8_t { return stored + 1; },
    [](uint8_t stored, uint8_t) -> uint8_t { return stored - 1; },
};

} // namespace

uint8_t stencilResult(StencilOp op, uint8_t stored, uint8_t reference) {
  return stencilFunctions[static_cast<unsigned>(op)](stored, reference);
}

} // namespace pal::device
