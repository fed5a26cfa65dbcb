//===- ConstantStore.h - large constants go to memory ---------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace lgc {

/// Writes a constant aggregate at \p pointer: zeros as a memset, else a memcpy from a private
/// constant in memory.
void storeConstant(llvm::IRBuilderBase &b, llvm::Constant &value, llvm::Value *pointer,
                   llvm::Align align);

} // namespace lgc
