//===- TargetMachine.h - LLVM target machines for our targets -------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Compile.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace llvm {
class TargetMachine;
}

namespace lgc {

/// A target machine for triple targetTriple() and processor `target` ("gfx1100"). The processor of
/// a function is its "target-cpu" attribute; `target` is what functions without one get. Errors:
/// InvalidInput for unknown targets.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(llvm::StringRef target, llvm::CodeGenOptLevel level);

} // namespace lgc
