//===- LearnedLayouts.h - layouts that the application has made -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Most applications make their set layouts, and often their pipeline layouts, before they load
/// shaders. A module that comes next is likely to be used with one of them: that tells more than
/// the module alone, for instance which buffers are dynamic.
#pragma once

#include "icd_glue/state/PipelineLayout.h"
#include <deque>
#include <mutex>

namespace icd {

class LearnedLayouts {
public:
  /// Of each kind.
  static constexpr size_t maxLayouts = 64;

  void add(std::shared_ptr<const PipelineLayoutData> layout);
  void add(std::shared_ptr<const SetLayout> layout);
  struct Known {
    /// Likeliest first: pipeline layouts, the last one first; the last set layouts, as many as a
    /// pipeline layout may have, in order as if they were the sets of one; each of them as set 0,
    /// the last one first.
    std::vector<std::shared_ptr<const PipelineLayoutData>> layouts;
    size_t ofApplication = 0; ///< pipeline layouts that there are
  };
  Known known() const;

private:
  mutable std::mutex mutex;
  std::deque<std::shared_ptr<const PipelineLayoutData>> pipelineLayouts; ///< last one first
  std::deque<std::shared_ptr<const SetLayout>> setLayouts;               ///< last one first
};

} // namespace icd
