//===- Diagnostics.h - LLVM's diagnostics as one error --------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/CompileError.h"
#include <memory>

namespace llvm {
class DiagnosticHandler;
class LLVMContext;
} // namespace llvm

namespace lgc {

/// While it lives, collects the errors that a context's users report; warnings and remarks are
/// dropped. Restores the context's own handler at its end.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(llvm::LLVMContext &context);
  ~DiagnosticCollector();
  DiagnosticCollector(const DiagnosticCollector &) = delete;
  DiagnosticCollector &operator=(const DiagnosticCollector &) = delete;

  /// All errors since the last call, as one; success when there was none.
  llvm::Error takeError();

private:
  struct Handler;
  llvm::LLVMContext &context;
  std::unique_ptr<llvm::DiagnosticHandler> previous;
  std::vector<ErrorText> errors;
};

} // namespace lgc
