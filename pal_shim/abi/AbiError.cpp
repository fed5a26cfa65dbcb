//===- AbiError.cpp - what is wrong with a code object --------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/abi/AbiError.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace pal::abi {

char AbiError::ID = 0;

void AbiError::log(llvm::raw_ostream &os) const { os << message; }

std::error_code AbiError::convertToErrorCode() const { return llvm::inconvertibleErrorCode(); }

std::string hex(uint64_t value) { return "0x" + llvm::utohexstr(value, /*LowerCase=*/true); }

} // namespace pal::abi
