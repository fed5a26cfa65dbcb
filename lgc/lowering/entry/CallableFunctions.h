//===- CallableFunctions.h - what can be a function in the code ------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/DenseSet.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace lgc {

/// The functions with callableAttribute whose own instructions mean the same in a function that is
/// called as where it is inlined: all they have comes through parameters of types that registers
/// hold. Not so: variables of the shader, which become allocas or LDS of its entry function, and
/// operations, whose lowering looks for resources and registers of the entry function.
llvm::DenseSet<const llvm::Function *> callableFunctions(const llvm::Module &module);

} // namespace lgc
