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
#include <deque>
#include <mutex>
#include <vector>

namespace icd {

/// An entry point of a module, which it shares.
struct EntryOfModule {
  llpc::ShaderModule module;
  uint32_t entry = 0; ///< index of ShaderModule::entries()

  const llpc::ShaderEntryName &name() const { return module.entries()[entry]; }
};

class StageChains {
public:
  using Chain = std::vector<EntryOfModule>; ///< in the order of the pipeline
  /// Of each stage: those that are looked at, the last ones.
  static constexpr size_t maxEntries = 16;
  /// Of one entry point: those that are likeliest.
  static constexpr size_t maxChains = 4;

  /// Remembers an entry point of a stage that can be in a chain, until forget().
  void add(uint64_t owner, const EntryOfModule &entry);
  void forget(uint64_t owner);
  /// May there be chains with an entry point of that stage? Cheap.
  bool mayHave(llpc::ShaderStage stage) const;
  /// Chains of \p entry and others that are remembered, likeliest first: those in which the least
  /// is written for nobody, then the youngest.
  std::vector<Chain> with(const EntryOfModule &entry) const;

private:
  struct Known {
    uint64_t owner;
    EntryOfModule entry;
  };
  std::vector<EntryOfModule> last(llpc::ShaderStage stage) const;

  mutable std::mutex mutex;
  std::array<std::deque<Known>, llpc::graphicsStageCount> known; ///< by stage, last one first
};

} // namespace icd
