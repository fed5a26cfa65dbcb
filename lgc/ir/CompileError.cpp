//===- CompileError.cpp - error kinds, printing, internal errors ----------===//
// SPDX-License-Identifier: MIT
#include "lgc/CompileError.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <cstdlib>

namespace lgc {

char CompileError::ID = 0;

llvm::StringRef errorKindName(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::InvalidInput:
    return "invalid input";
  case ErrorKind::Unsupported:
    return "unsupported";
  case ErrorKind::LimitExceeded:
    return "limit exceeded";
  case ErrorKind::Internal:
    return "internal error";
  }
  KILN_ICE("unknown error kind");
}

void CompileError::log(llvm::raw_ostream &os) const {
  os << errorKindName(kind) << ": " << message;
}

std::error_code CompileError::convertToErrorCode() const { return llvm::inconvertibleErrorCode(); }

ErrorText consumeToText(llvm::Error error) {
  ErrorText text;
  bool first = true;
  llvm::handleAllErrors(
      std::move(error),
      [&](const CompileError &e) {
        if (first)
          text.kind = e.getKind();
        text.message += (first ? "" : "; ") + e.getMessage();
        first = false;
      },
      [&](const llvm::ErrorInfoBase &e) {
        text.message += (first ? "" : "; ") + e.message();
        first = false;
      });
  return text;
}

void reportInternalError(const char *file, int line, const char *message) {
  std::fprintf(stderr, "kiln: internal error at %s:%d: %s\n", file, line, message);
  std::fflush(stderr);
  std::abort();
}

} // namespace lgc
