//===- DebugVariables.h - variables of the source in debug information -----===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/translate/TranslatorState.h"

namespace llpc {

/// With debug information, if the variable has a name: what it is called, and of which type.
/// \p memory is where it is, of the type that memoryType() has for \p typeId.
void describeVariable(Translator &t, const Inst &variable, Id typeId, llvm::AllocaInst &memory);
/// The same for the parameters of a function that are pointers to variables of its callers. At the
/// builder's place.
void describeParameters(Translator &t, const spirv::Function &function);
/// The same for a variable of the module, which becomes one of the entry point.
void describeVariable(Translator &t, const Inst &variable, Id typeId, llvm::GlobalVariable &memory);

} // namespace llpc
