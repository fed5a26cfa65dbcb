//===- TaskView.h - where a task shader finds its view --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A driver on PAL has no user data value with the view for compute stages, which task shaders are
/// (docs/hw-notes.md#mesh). So ViewIndex of a task shader with multiview is a root entry of the
/// resource mapping: InlineBuffer of one dword at this set and binding. Who draws runs such a draw
/// once for each view, with the view's number in that dword. Without the entry reading ViewIndex
/// is Unsupported.
#pragma once

#include <cstdint>

namespace lgc {

/// No set of the API.
inline constexpr uint32_t internalSet = 0xFFFFFFF0;
inline constexpr uint32_t taskViewBinding = 16;

} // namespace lgc
