//===- ConditionalPass.h - passes of LLVM that run when needed ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// LLVM's register allocation for AMDGPU allocates three times in every function: scalar registers,
/// then registers that hold spilled scalars (whole wave mode), then vector registers. Most shaders
/// need one allocation only: no scalar register is spilled. Each allocation costs the same, however
/// little it does, above all for the set of reserved registers.
///
/// Example: a shader whose scalar values need at most `sgprBudget` registers at a time:
///   before: greedy (scalar), rewrite, lower spills, greedy (whole wave), rewrite, greedy (vector)
///   after:  greedy (all)
#pragma once

#include "llvm/Pass.h"
#include <functional>
#include <memory>

namespace llvm {
class LiveIntervals;
class MachineFunction;
} // namespace llvm

namespace lgc {

/// Owns a pass over machine functions and runs it for those functions that `condition` accepts. It
/// demands and preserves the same analyses as the inner pass.
class ConditionalPass : public llvm::FunctionPass {
public:
  /// May ask `self` for the analyses that the inner pass requires.
  using Condition = std::function<bool(llvm::MachineFunction &, ConditionalPass &self)>;

  static char ID;
  ConditionalPass(std::unique_ptr<llvm::FunctionPass> inner, Condition condition)
      : FunctionPass(ID), inner(std::move(inner)), condition(std::move(condition)) {}

  bool runOnFunction(llvm::Function &function) override;
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool doInitialization(llvm::Module &module) override { return inner->doInitialization(module); }
  bool doFinalization(llvm::Module &module) override { return inner->doFinalization(module); }
  void releaseMemory() override { inner->releaseMemory(); }
  llvm::StringRef getPassName() const override { return inner->getPassName(); }

private:
  std::unique_ptr<llvm::FunctionPass> inner;
  Condition condition;
};

/// Scalar registers that an allocation of all registers at once may need. Far below the 104 that
/// there are: room for arguments in fixed registers and gaps between aligned tuples, so that the
/// allocator never has to spill a scalar register.
constexpr unsigned sgprBudget = 48;

/// Is an allocation of scalar registers before that of vector registers necessary, because some
/// might be spilled to lanes of vector registers? Before register allocation.
bool needsScalarAllocation(const llvm::MachineFunction &function,
                           const llvm::LiveIntervals &intervals);

} // namespace lgc
