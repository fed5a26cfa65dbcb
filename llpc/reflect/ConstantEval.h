//===- ConstantEval.h - integer constants without LLVM --------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/SpecConstant.h"
#include "llpc/spirv/Module.h"
#include <optional>

namespace llpc {

/// Evaluates integer and bool constants of a module, specialization constants included. Values are
/// zero-extended from their type's width. Remembers what it has computed.
class ConstantEval {
public:
  ConstantEval(const spirv::Module &module, llvm::ArrayRef<SpecConstant> specialization)
      : module(module), specialization(specialization) {}

  /// Empty when the id is no integer or bool constant, or uses an operation that this class does
  /// not know. Takes time linear in the constant's expression, and no stack.
  std::optional<uint64_t> evaluate(spirv::Id id);

private:
  using Value = std::optional<uint64_t>;
  /// Operand ids of a constant that must be evaluated before it.
  llvm::SmallVector<spirv::Id, 4> dependencies(const spirv::Inst &inst) const;
  Value compute(const spirv::Inst &inst);
  Value computeOp(const spirv::Inst &inst);
  spirv::Id extractedConstituent(const spirv::Inst &inst) const;
  Value known(spirv::Id id) const;
  unsigned width(spirv::Id typeId) const;
  Value specialized(const spirv::Inst &inst) const;

  const spirv::Module &module;
  llvm::ArrayRef<SpecConstant> specialization;
  llvm::DenseMap<spirv::Id, Value> values;
};

} // namespace llpc
