//===- StageChains.cpp - stages that could be compiled together -----------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/partial/StageChains.h"
#include "llvm/ADT/STLExtras.h"

namespace icd {

using llpc::ShaderStage;

namespace {

using Shape = llvm::ArrayRef<ShaderStage>;
constexpr ShaderStage geometry[] = {ShaderStage::Vertex, ShaderStage::Geometry};
constexpr ShaderStage tessellation[] = {ShaderStage::Vertex, ShaderStage::TessControl,
                                        ShaderStage::TessEval};
constexpr ShaderStage both[] = {ShaderStage::Vertex, ShaderStage::TessControl,
                                ShaderStage::TessEval, ShaderStage::Geometry};
constexpr ShaderStage mesh[] = {ShaderStage::Task, ShaderStage::Mesh};
const Shape shapes[] = {geometry, tessellation, both, mesh};

/// Entry points that are remembered of a stage. Enough for programs that have hundreds of modules,
/// and bounded for those that never destroy any.
constexpr size_t maxKnown = 256;

llpc::PipelineShaderInfo infoOf(const EntryOfModule &entry) {
  llpc::PipelineShaderInfo info;
  info.module = entry.module;
  info.entryStage = entry.name().stage;
  info.entryTarget = entry.name().name;
  return info;
}

} // namespace

/// Chains of one shape, from its first stage on.
class StageChains::Search {
public:
  struct Found {
    unsigned cost;   ///< locations that nobody reads
    unsigned number; ///< in the order of finding
    Chain chain;
  };

  Search(llvm::ArrayRef<std::vector<Known>> choices, std::vector<Found> &found)
      : choices(choices), found(found) {}

  void run(unsigned cost = 0) {
    if (chain.size() == choices.size()) {
      found.push_back({cost, static_cast<unsigned>(found.size()), {}});
      for (const Known *stage : chain)
        found.back().chain.push_back(stage->entry);
      return;
    }
    for (const Known &next : choices[chain.size()]) {
      std::optional<unsigned> more = 0;
      if (!chain.empty())
        more = llpc::Compiler::guessFollows(*chain.back()->ends, *next.ends);
      if (!more)
        continue;
      chain.push_back(&next);
      run(cost + *more);
      chain.pop_back();
    }
  }

private:
  llvm::ArrayRef<std::vector<Known>> choices; ///< by place in the shape
  std::vector<Found> &found;
  std::vector<const Known *> chain;
};

bool StageChains::isInChains(ShaderStage stage) {
  return llvm::any_of(shapes, [&](Shape shape) { return llvm::is_contained(shape, stage); });
}

void StageChains::expect(uint64_t owner) {
  std::lock_guard lock(mutex);
  expected.insert(owner);
}

bool StageChains::add(uint64_t owner, const llpc::ShaderModule &module) {
  std::vector<Known> made;
  for (uint32_t index = 0; index < module.entries().size() && made.size() < maxEntries; ++index) {
    const EntryOfModule entry{module, index};
    if (!isInChains(entry.name().stage))
      continue;
    if (auto ends = llpc::Compiler::stageEnds(infoOf(entry)))
      made.push_back({owner, entry, std::make_shared<llpc::StageEnds>(std::move(*ends))});
  }
  std::lock_guard lock(mutex);
  if (!expected.contains(owner))
    return false;
  for (const Known &one : made) {
    auto &list = known[static_cast<unsigned>(one.entry.name().stage)];
    list.push_front(one);
    if (list.size() > maxKnown)
      list.pop_back();
  }
  return llvm::any_of(made, [&](const Known &one) { return mayHave(one.entry.name().stage); });
}

void StageChains::forget(uint64_t owner) {
  std::lock_guard lock(mutex);
  if (!expected.erase(owner))
    return;
  for (auto &list : known)
    llvm::erase_if(list, [&](const Known &one) { return one.owner == owner; });
}

bool StageChains::isKnown(const Chain &chain) const {
  std::lock_guard lock(mutex);
  return llvm::all_of(chain, [&](const EntryOfModule &stage) {
    return llvm::any_of(known[static_cast<unsigned>(stage.name().stage)],
                        [&](const Known &one) { return one.entry == stage; });
  });
}

/// With the lock.
bool StageChains::mayHave(ShaderStage stage) const {
  return llvm::any_of(shapes, [&](Shape shape) {
    return llvm::is_contained(shape, stage) && llvm::none_of(shape, [&](ShaderStage other) {
             return known[static_cast<unsigned>(other)].empty();
           });
  });
}

std::vector<StageChains::Known> StageChains::last(ShaderStage stage) const {
  std::lock_guard lock(mutex);
  const auto &list = known[static_cast<unsigned>(stage)];
  return {list.begin(), list.begin() + std::min(list.size(), maxEntries)};
}

std::vector<StageChains::Known> StageChains::entriesOf(uint64_t owner) const {
  std::lock_guard lock(mutex);
  std::vector<Known> result;
  for (const auto &list : known)
    llvm::copy_if(list, std::back_inserter(result),
                  [&](const Known &one) { return one.owner == owner; });
  return result;
}

std::vector<StageChains::Chain> StageChains::with(uint64_t owner) const {
  std::vector<Search::Found> found;
  for (const Known &entry : entriesOf(owner))
    for (Shape shape : shapes) {
      const ShaderStage own = entry.entry.name().stage;
      if (!llvm::is_contained(shape, own))
        continue;
      std::vector<std::vector<Known>> choices;
      for (ShaderStage stage : shape)
        choices.push_back(stage == own ? std::vector{entry} : last(stage));
      Search(choices, found).run();
    }
  llvm::sort(found, [](const auto &a, const auto &b) {
    return std::tie(a.cost, a.number) < std::tie(b.cost, b.number);
  });
  std::vector<Chain> result;
  for (Search::Found &one : found) {
    if (result.size() == maxChains)
      break;
    if (!llvm::is_contained(result, one.chain))
      result.push_back(std::move(one.chain));
  }
  return result;
}

} // namespace icd
