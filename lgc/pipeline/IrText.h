//===- IrText.h - modules as text for people ------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace llvm {
class Module;
}

namespace lgc {

std::string moduleText(const llvm::Module &module);

/// Gives values and blocks without a name one, which stays the same from text to text where numbers
/// begin anew.
void nameValues(llvm::Module &module);

} // namespace lgc
