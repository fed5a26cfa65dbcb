//===- RayLaunch.h - what a launch of rays has in memory --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The driver writes a block of memory for each launch, aligned to 8 bytes, and hands its address
/// to the kernel in two dwords of user data (RayTracingState::launchUserData). What the block and
/// the shader binding tables hold is in the .def.
#pragma once

#include <cstdint>

namespace lgc::launch {

#define KILN_LAUNCH(name, value) inline constexpr uint32_t name = value;
#include "lgc/RayLaunch.def"
#undef KILN_LAUNCH

} // namespace lgc::launch
