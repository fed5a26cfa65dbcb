//===- VertexOrder.h - how fragment shaders number vertices ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The `vertex` operand of lgc.input.load in fragment shaders counts vertices as the API does. With
/// this bit, in a constant, it counts them as the hardware's weights do: vertex 0 has the weight
/// 1 - i - j of lgc.barycentric, 1 has i, 2 has j.
#pragma once

#include <cstdint>

namespace lgc {

inline constexpr uint32_t hardwareOrderBit = 1u << 8;

} // namespace lgc
