//===- Rendering.h - what a render pass instance means to draws -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Draws find out what they write to when they run, not when they are recorded: a secondary command
/// buffer may be recorded without a framebuffer. The commands that begin and end render pass
/// instances and subpasses set this state of the Execution.
#pragma once

#include "pal_shim/device/Draw.h"
#include <vulkan/vulkan_core.h>

namespace icd {

struct RenderingState {
  bool active = false;
  pal::device::RenderTargets targets; ///< absent attachments have no address
  VkRect2D area = {};
  uint32_t layers = 1;
  uint32_t viewMask = 0; ///< of the subpass or the rendering instance; 0: no multiview
};

} // namespace icd
