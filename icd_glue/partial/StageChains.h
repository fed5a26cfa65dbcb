//===- StageChains.h - stages that could be compiled together -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Hardware runs vertex and tessellation control shaders as one, what follows with the geometry
/// shader, and mesh shaders by task shaders, so these are parts together only. Which of them belong
/// together, pipelines say; before, it is likely where what one writes is what the next one reads:
///
///     modules:  a.vert (writes 0), b.vert (writes 0, 1), c.geom (reads 0, 1), d.vert (writes 1)
///     chains of c:  b c
#pragma once

#include "llpc/Parts.h"
#include "llvm/ADT/DenseSet.h"
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace icd {

/// An entry point of a module, which it shares.
struct EntryOfModule {
  llpc::ShaderModule module;
  uint32_t entry = 0; ///< index of ShaderModule::entries()

  const llpc::ShaderEntryName &name() const { return module.entries()[entry]; }
  bool operator==(const EntryOfModule &other) const {
    return entry == other.entry && module.hash() == other.module.hash();
  }
};

class StageChains {
public:
  using Chain = std::vector<EntryOfModule>; ///< in the order of the pipeline
  /// Of each stage, and of each module: those that are looked at, the last and the first ones.
  static constexpr size_t maxEntries = 16;
  /// Of one module: those that are likeliest.
  static constexpr size_t maxChains = 4;

  /// May entry points of \p stage be in chains?
  static bool isInChains(llpc::ShaderStage stage);
  /// There is a module that add() may bring, by whatever thread, until forget().
  void expect(uint64_t owner);
  /// Remembers entry points of \p module until forget(). May there be chains with them? Not when
  /// nobody expects them any more.
  bool add(uint64_t owner, const llpc::ShaderModule &module);
  void forget(uint64_t owner);
  /// Are all stages of \p chain remembered?
  bool isKnown(const Chain &chain) const;
  /// Chains of an entry point of \p owner and others that are remembered, likeliest first: those
  /// in which the least is written for nobody, then the youngest. None when it has been forgotten.
  std::vector<Chain> with(uint64_t owner) const;

private:
  struct Known {
    uint64_t owner;
    EntryOfModule entry;
    std::shared_ptr<const llpc::StageEnds> ends;
  };
  class Search;
  std::vector<Known> last(llpc::ShaderStage stage) const;
  std::vector<Known> entriesOf(uint64_t owner) const;
  bool mayHave(llpc::ShaderStage stage) const;

  mutable std::mutex mutex;
  llvm::DenseSet<uint64_t> expected;                             ///< owners
  std::array<std::deque<Known>, llpc::graphicsStageCount> known; ///< by stage, last one first
};

} // namespace icd
