//===- KernelLibraryFile.cpp - the built-in library that is there ---------===//
// SPDX-License-Identifier: MIT
#include "KernelLibraryFile.h"
#include "lgc/CompileError.h"

namespace amdllpc {

llvm::Expected<std::shared_ptr<const llpc::KernelLibrary>>
KernelLibraryFile::forModule(llvm::ArrayRef<uint8_t> spirv,
                             const frontend::OpenClOptions &options) {
  if (!llpc::isKernelSpirv(spirv))
    return nullptr;
  std::call_once(once, [&] {
    auto bytes = frontend::readOpenClLibrary(options);
    if (!bytes)
      failure = lgc::consumeToText(bytes.takeError());
    else if (!bytes->empty())
      library = llpc::makeKernelLibrary(std::move(*bytes));
  });
  if (!failure.message.empty())
    return lgc::makeError(failure.kind, failure.message);
  return library;
}

} // namespace amdllpc
