//===- Module.h - shader modules as AMD's drivers keep them ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A driver gets one block of its own memory for a module and gives its address back with every
/// pipeline. It looks into the AMD structure at the front, and frees the block without telling:
///
///     Vkgc::ShaderModuleData | to a multiple of 16 | llpc::ShaderModuleDataEx: SPIR-V, reflection
///
/// So the parsed form of a module cannot hang on its block. It is kept here by the hash of the
/// SPIR-V, for as long as there is room.
#pragma once

#include "icd_glue/amd/Interface.h"
#include "llpc/ShaderModuleData.h"
#include <list>
#include <map>
#include <mutex>

namespace icd::amd {

struct BuiltModule {
  Vkgc::ShaderModuleData *data = nullptr; ///< begin of the block
  llpc::ShaderModule module;
};

/// Reads and describes the SPIR-V of \p info. Errors: those of llpc::buildShaderModuleData();
/// InvalidInput for what is no SPIR-V and without an allocator.
llvm::Expected<BuiltModule> buildModule(const Llpc::ShaderModuleBuildInfo &info);

/// The compiler's block behind a driver's one.
const llpc::ShaderModuleDataEx &blockOf(const Vkgc::ShaderModuleData &data);

/// Parsed modules by hash, least recently used first out. Threads: any number.
class ModuleCache {
public:
  /// \p budget: bytes of SPIR-V.
  explicit ModuleCache(uint64_t budget = 64 << 20) : budget(budget) {}

  void keep(const llpc::ShaderModule &module);
  /// The module of a block, parsed again if it is not kept. Errors: those of loadShaderModule().
  llvm::Expected<llpc::ShaderModule> moduleOf(const Vkgc::ShaderModuleData &data);

private:
  struct Entry {
    llpc::ShaderModule module;
    uint64_t bytes;
  };
  const uint64_t budget;
  std::mutex mutex;
  std::list<Entry> entries; ///< most recently used first
  std::map<llpc::Hash128, std::list<Entry>::iterator> index;
  uint64_t bytes = 0;
};

} // namespace icd::amd
