//===- CompileError.h - the one error type of the compiler ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Every failure that input or configuration can cause travels as a CompileError inside
/// llvm::Error / llvm::Expected. Our own impossible states use KILN_ICE, which is loud in every
/// build type.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace lgc {

enum class ErrorKind : uint8_t {
  InvalidInput,  ///< the input violates its specification
  Unsupported,   ///< valid, but not implemented; the message names the operation
  LimitExceeded, ///< valid, but larger than a stated limit
  Internal,      ///< a defect of this project
};

/// Returns "invalid input", "unsupported", "limit exceeded" or "internal error".
llvm::StringRef errorKindName(ErrorKind kind);

class CompileError : public llvm::ErrorInfo<CompileError> {
public:
  static char ID;
  CompileError(ErrorKind kind, std::string message) : kind(kind), message(std::move(message)) {}
  ErrorKind getKind() const { return kind; }
  const std::string &getMessage() const { return message; }
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  ErrorKind kind;
  std::string message;
};

/// Message style: LLVM's (lower case unless it starts with a SPIR-V name, no full stop, place
/// first):
///   "OpVariable %12 (word 88): storage class 5 not supported"
inline llvm::Error makeError(ErrorKind kind, const llvm::Twine &message) {
  return llvm::make_error<CompileError>(kind, message.str());
}
inline llvm::Error invalidInput(const llvm::Twine &m) {
  return makeError(ErrorKind::InvalidInput, m);
}
inline llvm::Error unsupported(const llvm::Twine &m) {
  return makeError(ErrorKind::Unsupported, m);
}
inline llvm::Error limitExceeded(const llvm::Twine &m) {
  return makeError(ErrorKind::LimitExceeded, m);
}
inline llvm::Error internalError(const llvm::Twine &m) { return makeError(ErrorKind::Internal, m); }

/// Splits an error into kind and text. Errors that are no CompileError count as Internal.
struct ErrorText {
  ErrorKind kind = ErrorKind::Internal;
  std::string message;
};
ErrorText consumeToText(llvm::Error error);

/// Prints the message with file and line and aborts, in every build type.
[[noreturn]] void reportInternalError(const char *file, int line, const char *message);

} // namespace lgc

#define KILN_ICE(message) ::lgc::reportInternalError(__FILE__, __LINE__, message)
#define KILN_CHECK(condition, message)                                                             \
  do {                                                                                             \
    if (!(condition))                                                                              \
      KILN_ICE(message);                                                                           \
  } while (0)
