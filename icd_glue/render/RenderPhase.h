//===- RenderPhase.h - subpasses and dynamic renderings, ready to run -----===//
// SPDX-License-Identifier: MIT
/// \file
/// A phase is what draws between two commands happen in: one subpass of a render pass instance, or
/// one dynamic rendering, or what follows vkCmdBeginCustomResolveEXT in one. All that its begin and
/// end have to do is found when the render pass instance is recorded; operations own it.
#pragma once

#include "icd_glue/command/Rendering.h"
#include "icd_glue/render/RenderPass.h"
#include "icd_glue/render/Surfaces.h"

namespace icd {

struct RenderPhase {
  struct Clear {
    pal::device::Surface surface;
    pal::formats::Texel value; ///< components r, g, b, a; depth or stencil in r
    LayerList layers;
  };
  struct Resolve {
    pal::device::Surface from, to;
    ResolveRule rule;
  };

  RenderingState state;
  std::vector<Clear> clears;     ///< before the first draw
  std::vector<Resolve> resolves; ///< after the last one

  /// Makes \p execution render to the attachments, and clears.
  llvm::Error begin(Execution &execution) const;
  /// Resolves; nothing is rendered to any more.
  llvm::Error end(Execution &execution) const;
};

/// The phases of a render pass instance, in order.
struct RenderSequence {
  std::vector<RenderPhase> phases;
  /// Of a dynamic rendering with a custom resolve, which is the second phase.
  TargetFormats resolveFormats = {};
};

/// Registers of a clear value.
pal::formats::Texel clearTexel(const VkClearValue &value, VkImageAspectFlagBits aspect);

/// A phase for each subpass.
std::vector<RenderPhase> phasesOf(const VkRenderPassBeginInfo &info);
/// Without clears when it resumes, without resolves when it is going to be resumed.
RenderPhase phaseOf(const VkRenderingInfo &info);
/// That phase, and behind it the one whose targets are what attachments are resolved to, if there
/// is a custom resolve.
RenderSequence sequenceOf(const VkRenderingInfo &info);

} // namespace icd
