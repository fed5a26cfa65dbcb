//===- DebugVariables.h - variables of the source in debug information -----===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/DebugSpace.h"
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

/// Behind the translation of \p inst: what its result is called, if it has an OpName. Of
/// DebugDeclare and DebugValue: what the variable or the result that they are about is called.
void describeResult(Translator &t, const Inst &inst);

/// The block that \p pointer, or the descriptor that it is made of, leads to.
void describeBlock(Translator &t, const Inst &variable, Id typeId, llvm::Instruction &pointer,
                   lgc::DebugSpace space);

// Shared by the two describers of types.
llvm::DIType *describeScalar(llvm::DIBuilder &builder, const Inst &inst, uint64_t width);
std::string vectorTypeName(llvm::StringRef scalar, uint64_t count);
std::string matrixTypeName(llvm::StringRef column, uint64_t count);
/// A block without a name is a dot and the name of its type; empty: it is not described.
std::string debugNameOf(Translator &t, const Inst &variable, Id typeId);

} // namespace llpc
