//===- LearnedLayouts.cpp - layouts that the application has made ---------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/partial/LearnedLayouts.h"
#include "icd_glue/context/Limits.h"
#include "llvm/ADT/STLExtras.h"

namespace icd {
namespace {

/// Puts \p layout in front; one that \p isSame as it leaves.
template <typename T, typename IsSame>
void remember(std::deque<std::shared_ptr<const T>> &list, std::shared_ptr<const T> layout,
              IsSame &&isSame) {
  llvm::erase_if(list, [&](const std::shared_ptr<const T> &other) { return isSame(*other); });
  list.push_front(std::move(layout));
  if (list.size() > LearnedLayouts::maxLayouts)
    list.pop_back();
}

} // namespace

void LearnedLayouts::add(std::shared_ptr<const PipelineLayoutData> layout) {
  std::lock_guard lock(mutex);
  const PipelineLayoutData &added = *layout;
  remember(pipelineLayouts, std::move(layout),
           [&](const PipelineLayoutData &other) { return other.mapping == added.mapping; });
}

void LearnedLayouts::add(std::shared_ptr<const SetLayout> layout) {
  if (layout->bindings.empty())
    return;
  std::lock_guard lock(mutex);
  const SetLayout &added = *layout;
  remember(setLayouts, std::move(layout), [&](const SetLayout &other) { return other == added; });
}

LearnedLayouts::Known LearnedLayouts::known() const {
  Known all;
  std::vector<std::shared_ptr<const SetLayout>> sets;
  {
    std::lock_guard lock(mutex);
    all.layouts.assign(pipelineLayouts.begin(), pipelineLayouts.end());
    sets.assign(setLayouts.rbegin(), setLayouts.rend());
  }
  all.ofApplication = all.layouts.size();
  auto addSets = [&](std::vector<std::shared_ptr<const SetLayout>> of) {
    if (auto layout = PipelineLayoutData::create(std::move(of), 0))
      all.layouts.push_back(std::move(layout));
  };
  const size_t most = std::min<size_t>(sets.size(), maxBoundSets);
  if (most > 1)
    addSets({sets.end() - most, sets.end()});
  for (const std::shared_ptr<const SetLayout> &set : llvm::reverse(sets))
    addSets({set});
  return all;
}

} // namespace icd
