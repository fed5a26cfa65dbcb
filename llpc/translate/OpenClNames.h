//===- OpenClNames.h - mangled names of OpenCL's built-in functions -------===//
// SPDX-License-Identifier: MIT
/// \file
/// The names that clang gives the overloads of a built-in function: Itanium's mangling, where
/// vectors are `Dv4_f`, pointers into address space 3 `PU3AS3f` with the numbers of SPIR (private:
/// 0, which is not written), and a vector that came before is `S_`, the second of them `S0_`.
///   sincos(float4, local float4 *) -> _Z6sincosDv4_fPU3AS3S_
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace llpc {

/// Address spaces of SPIR, as names have them.
enum class OpenClSpace : uint8_t { Private, Global, Constant, Local, Generic };

struct OpenClParameter {
  llvm::StringRef scalar;                            ///< of the mangling: "f", "Dh"
  unsigned count = 1;                                ///< components
  std::optional<OpenClSpace> pointer = std::nullopt; ///< to it, in this address space
};

/// Pointers come last among \p parameters: what follows one may not repeat it.
std::string openClName(llvm::StringRef function, llvm::ArrayRef<OpenClParameter> parameters);

} // namespace llpc
