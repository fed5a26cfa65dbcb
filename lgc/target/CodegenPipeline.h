//===- CodegenPipeline.h - LLVM's code generation, filtered ---------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/machine/MachineStep.h"
#include "lgc/target/TargetSession.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/raw_ostream.h"

namespace lgc {

/// The code generation passes of LLVM's AMDGPU target without those of CodegenPasses.def, in a
/// legacy pass manager that can be run for any number of modules, one after the other.
class CodegenPipeline {
public:
  /// \p lookAt: as TargetSession::create() has it.
  CodegenPipeline(llvm::TargetMachine &machine, const CodegenTraits &traits,
                  MachineStep lookAt = {});

  /// Object file or assembly text of `module`; valid until the next run.
  llvm::StringRef run(llvm::Module &module);
  /// Machine instructions of the last run, by function.
  const InstructionCounts &instructionCounts() const { return instructions; }

private:
  void primeFragmentMetadata(const llvm::Module &like);

  llvm::SmallString<0> buffer;
  llvm::raw_svector_ostream stream;
  bool primed; ///< see primeFragmentMetadata
  InstructionCounts instructions;
  llvm::legacy::PassManager passes;
};

/// Arguments of CodegenPasses.def that are left out.
llvm::StringSet<> droppedCodegenPasses(const CodegenTraits &traits, llvm::StringRef target);
/// All pass arguments of CodegenPasses.def.
llvm::ArrayRef<llvm::StringLiteral> droppableCodegenPasses();
/// Passes that steps of ours stand in front of or around. For tests: one that LLVM does not have
/// any more would silently be without them.
std::vector<llvm::StringRef> hookedCodegenPasses();

} // namespace lgc
