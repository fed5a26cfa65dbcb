//===- OpenClLibrary.h - functions of the built-in library ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Instructions of OpenCL.std that neither LLVM nor a short formula has are calls of functions of
/// llpc::KernelLibrary, and so are calls of functions that a kernel's module declares only. What is
/// called, and what that calls, is translated into the same LLVM module, by a Translator of the
/// library's SPIR-V:
///   before: %r = OpExtInst %v4float %cl tgamma %x
///   after:  %r = call <4 x float> @_Z6tgammaDv4_f(<4 x float> %x)
/// Where the library has none of 16-bit floats, or none that is good enough, that of wider ones is
/// called.
#pragma once

#include "llpc/translate/TranslatorState.h"

namespace llpc {

/// The library as one kernel uses it.
class OpenClLibrary {
public:
  /// \p user: of the kernel, behind its execution modes.
  OpenClLibrary(Translator &user, const spirv::Module &module);

  /// Translates a function, if it is not yet there; instructions after inlining.
  llvm::Expected<uint64_t> add(Id function);
  llvm::Function *function(Id id) const { return translator.internals().functions.lookup(id); }
  /// Of the library's built-in variables: stores as addKernelEntry() makes them for the kernel's.
  Translator &own() { return translator; }

private:
  TranslateOptions options;
  spirv::EntryPoint entry; ///< the kernel's, without what are ids of its module
  Translator translator;
};

/// A function that an instruction calls.
struct LibraryCall {
  Id function = 0;     ///< of the library; 0: it is no call of it
  bool widens = false; ///< floats become the function's wider ones, and the result the reverse
};
/// Errors: Unsupported without a library, or when it has no such function.
llvm::Expected<LibraryCall> libraryCall(Translator &t, const Inst &inst);
/// Translates the function, and all that it calls, and returns libraryCall()'s size in
/// instructions.
llvm::Expected<uint64_t> addLibraryFunction(Translator &t, Id function);
/// The function in LLVM, which addLibraryFunction() or the library itself has made.
llvm::Function *libraryFunction(Translator &t, Id function);
/// Of a call in the library: what it asks about the target, and is not called. Null: it is a call.
llvm::Expected<llvm::Value *> targetAnswer(Translator &t, const Inst &call);
/// Is it such a call?
bool asksTarget(const Translator &t, const Inst &inst);
/// Translates an OpExtInst of OpenCL.std that is such a call; false: it is none.
llvm::Expected<bool> translateLibraryCall(Translator &t, const Inst &inst);

} // namespace llpc
