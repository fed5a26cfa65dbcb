//===- KernelLibraryFile.h - the built-in library that is there -----------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/Kernels.h"
#include "tools/frontend/OpenCl.h"
#include <mutex>

namespace amdllpc {

/// The library that the options name or the machine has, read when the first kernel comes. Threads
/// share it.
class KernelLibraryFile {
public:
  /// Null for modules that are no kernels, and where there is no library. Errors: a file that the
  /// options name is not there.
  llvm::Expected<std::shared_ptr<const llpc::KernelLibrary>>
  forModule(llvm::ArrayRef<uint8_t> spirv, const frontend::OpenClOptions &options);

private:
  std::once_flag once;
  std::shared_ptr<const llpc::KernelLibrary> library;
  lgc::ErrorText failure; ///< empty: none
};

} // namespace amdllpc
