//===- Diagnostics.cpp - LLVM's diagnostics as one error ------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/pipeline/Diagnostics.h"
#include "lgc/lowering/Passes.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace lgc {

struct DiagnosticCollector::Handler : DiagnosticHandler {
  std::vector<ErrorText> &errors;
  explicit Handler(std::vector<ErrorText> &errors) : errors(errors) {}

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error)
      return true;
    if (const auto *ours = dyn_cast<CompileDiagnostic>(&info)) {
      errors.push_back({ours->getErrorKind(), ours->getMessage()});
      return true;
    }
    std::string text;
    raw_string_ostream os(text);
    DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    ErrorKind kind = ErrorKind::Internal;
    if (info.getKind() == DK_ResourceLimit || info.getKind() == DK_StackSize ||
        info.getKind() == DK_RegAllocFailure)
      kind = ErrorKind::LimitExceeded;
    else if (info.getKind() == DK_Unsupported)
      kind = ErrorKind::Unsupported;
    errors.push_back({kind, std::move(text)});
    return true;
  }
};

DiagnosticCollector::DiagnosticCollector(LLVMContext &context)
    : context(context), previous(context.getDiagnosticHandler()) {
  context.setDiagnosticHandler(std::make_unique<Handler>(errors));
}

DiagnosticCollector::~DiagnosticCollector() { context.setDiagnosticHandler(std::move(previous)); }

Error DiagnosticCollector::takeError() {
  Error result = Error::success();
  for (ErrorText &error : errors)
    result = joinErrors(std::move(result), makeError(error.kind, error.message));
  errors.clear();
  return result;
}

} // namespace lgc
