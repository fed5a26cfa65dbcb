//===- BuildPasses.h - the order of all IR passes -------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Pipeline.h"
#include "llvm/IR/PassManager.h"
#include <vector>

namespace lgc {

/// Passes that are run together. The steps exist so that errors stop the compilation between them
/// and so that time can be told apart.
struct PassStep {
  enum class Phase : uint8_t { Lower, Optimize } phase;
  const char *name; ///< for dumps
  llvm::ModulePassManager passes;
};

/// What of a module decides which passes are worth running.
struct ModuleTraits {
  bool hasCalls = false; ///< functions besides the entry function
  bool hasLoops = false; ///< a back edge in any function
};
ModuleTraits readTraits(const llvm::Module &module);

/// The whole list from a front end's module to what code generation takes.
std::vector<PassStep> buildPasses(const PipelineState &state, const ModuleTraits &traits);
/// Its begin, up to the stages being linked to each other: what both halves of a graphics pipeline
/// share. Then the one step behind which a module has one half only, and all the rest.
std::vector<PassStep> buildSharedPasses(const PipelineState &state, const ModuleTraits &traits);
std::vector<PassStep> buildHalfPasses();
std::vector<PassStep> buildOwnPasses(const PipelineState &state, const ModuleTraits &traits);

/// The same for glue (lgc/glue/Glue.h).
std::vector<PassStep> buildGluePasses();
/// Of lgc/llvm22: what keeps code from defects of LLVM's code generation, behind all that
/// optimises.
void addLlvmRepairs(llvm::FunctionPassManager &passes);

} // namespace lgc
