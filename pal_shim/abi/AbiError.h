//===- AbiError.h - what is wrong with a code object ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The error type of this library, which depends on nothing else of the project. Callers map the
/// kinds to theirs.
#pragma once

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace pal::abi {

class AbiError : public llvm::ErrorInfo<AbiError> {
public:
  enum class Kind : uint8_t {
    Malformed,   ///< the bytes violate ELF, MsgPack or the PAL ABI
    Unsupported, ///< valid, but not handled here
    TooLarge,    ///< a stated limit is exceeded
  };
  static char ID;
  AbiError(Kind kind, std::string message) : kind(kind), message(std::move(message)) {}
  Kind getKind() const { return kind; }
  const std::string &getMessage() const { return message; }
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  Kind kind;
  std::string message;
};

inline llvm::Error malformed(const llvm::Twine &message) {
  return llvm::make_error<AbiError>(AbiError::Kind::Malformed, message.str());
}
inline llvm::Error notSupported(const llvm::Twine &message) {
  return llvm::make_error<AbiError>(AbiError::Kind::Unsupported, message.str());
}
inline llvm::Error tooLarge(const llvm::Twine &message) {
  return llvm::make_error<AbiError>(AbiError::Kind::TooLarge, message.str());
}

/// "0x1f", for messages.
std::string hex(uint64_t value);

} // namespace pal::abi
