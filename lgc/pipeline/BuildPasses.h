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

/// Everything that decides which passes are run. Equal choices have equal lists, which are good for
/// any number of modules.
struct PassChoice {
  enum class List : uint8_t {
    All,    ///< from a front end's module to what code generation takes
    Shared, ///< up to the stages being linked: what both halves of a graphics pipeline share
    Half,   ///< behind Shared: the one step behind which a module has one half only
    Own,    ///< behind Half: all the rest
    Glue,   ///< of lgc/glue/Glue.h
  } list = List::All;
  Tier tier = Tier::Llvm;
  OptLevel level = OptLevel::Default; ///< of Tier::Direct always Quick
  bool isGraphics = false;
  bool hasGeometry = false;
  bool keepsHalf = false; ///< the state names one
  bool unrollsLoops = false;
  bool hasCalls = false; ///< functions besides the entry functions
  bool hasLoops = false; ///< a back edge in any function

  bool operator==(const PassChoice &) const = default;
};
PassChoice choosePasses(PassChoice::List list, const PipelineState &state,
                        const llvm::Module &module);

std::vector<PassStep> buildPasses(const PassChoice &choice);
/// Of lgc/llvm22: what keeps code from defects of LLVM's code generation, behind all that
/// optimises.
void addLlvmRepairs(llvm::FunctionPassManager &passes);

} // namespace lgc
