//===- Locations.h - scalar or vector -------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Which values are kept in scalar registers, once for the wave, and which in vector registers (of
/// type i1: in masks whose bits may differ). A value is scalar when it is the same in all lanes and
/// scalar instructions compute it. Lanes that part decide how edges are taken, and edges that come
/// with masks make the phis behind them vectors; so this drives Flow::decide().
#pragma once

#include "lgc/direct/shader/Flow.h"
#include "llvm/ADT/DenseSet.h"

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace lgc::direct {

class Locations {
public:
  /// \p flow is decided then.
  Locations(const llvm::Function &function, Flow &flow);

  bool isVector(const llvm::Value *value) const { return vectors.count(value); }
  /// Whether lanes wait with the value outside of a loop that computes it again for others.
  bool outlivesIterations(const llvm::Instruction &inst) const;

private:
  bool sweep();
  bool visit(const llvm::Instruction &inst, uint32_t block);
  bool hasVectorOperand(const llvm::Instruction &inst) const;
  bool isAlwaysVector(const llvm::Instruction &inst) const;
  bool mark(const llvm::Value *value);
  bool isDivergentEnd(uint32_t block) const;

  Flow &flow;
  llvm::DenseSet<const llvm::Value *> vectors;
  bool isChanged = false;
};

} // namespace lgc::direct
