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

/// Chains of one shape, from its first stage on.
class Search {
public:
  struct Found {
    unsigned cost;   ///< locations that nobody reads
    unsigned number; ///< in the order of finding
    StageChains::Chain chain;
  };

  Search(llvm::ArrayRef<std::vector<EntryOfModule>> choices, std::vector<Found> &found)
      : choices(choices), found(found) {}
  void run(unsigned cost = 0) {
    if (chain.size() == choices.size()) {
      found.push_back({cost, static_cast<unsigned>(found.size()), chain});
      return;
    }
    for (const EntryOfModule &next : choices[chain.size()]) {
      unsigned more = 0;
      if (!chain.empty()) {
        auto fits = llpc::Compiler::guessFollows(infoOf(chain.back()), infoOf(next));
        if (!fits)
          continue;
        more = *fits;
      }
      chain.push_back(next);
      run(cost + more);
      chain.pop_back();
    }
  }

private:
  llvm::ArrayRef<std::vector<EntryOfModule>> choices; ///< by place in the shape
  std::vector<Found> &found;
  StageChains::Chain chain;
};

} // namespace

void StageChains::add(uint64_t owner, const EntryOfModule &entry) {
  const ShaderStage stage = entry.name().stage;
  if (llvm::none_of(shapes, [&](Shape shape) { return llvm::is_contained(shape, stage); }))
    return;
  std::lock_guard lock(mutex);
  auto &list = known[static_cast<unsigned>(stage)];
  list.push_front({owner, entry});
  if (list.size() > maxKnown)
    list.pop_back();
}

void StageChains::forget(uint64_t owner) {
  std::lock_guard lock(mutex);
  for (auto &list : known)
    llvm::erase_if(list, [&](const Known &one) { return one.owner == owner; });
}

bool StageChains::mayHave(ShaderStage stage) const {
  std::lock_guard lock(mutex);
  return llvm::any_of(shapes, [&](Shape shape) {
    return llvm::is_contained(shape, stage) && llvm::all_of(shape, [&](ShaderStage other) {
             return other == stage || !known[static_cast<unsigned>(other)].empty();
           });
  });
}

std::vector<EntryOfModule> StageChains::last(ShaderStage stage) const {
  std::lock_guard lock(mutex);
  std::vector<EntryOfModule> result;
  for (const Known &one : known[static_cast<unsigned>(stage)]) {
    if (result.size() == maxEntries)
      break;
    result.push_back(one.entry);
  }
  return result;
}

std::vector<StageChains::Chain> StageChains::with(const EntryOfModule &entry) const {
  std::vector<Search::Found> found;
  for (Shape shape : shapes) {
    if (!llvm::is_contained(shape, entry.name().stage))
      continue;
    std::vector<std::vector<EntryOfModule>> choices;
    for (ShaderStage stage : shape)
      choices.push_back(stage == entry.name().stage ? std::vector{entry} : last(stage));
    Search(choices, found).run();
  }
  llvm::sort(found, [](const auto &a, const auto &b) {
    return std::tie(a.cost, a.number) < std::tie(b.cost, b.number);
  });
  std::vector<Chain> result;
  for (Search::Found &one : found) {
    if (result.size() == maxChains)
      break;
    result.push_back(std::move(one.chain));
  }
  return result;
}

} // namespace icd
