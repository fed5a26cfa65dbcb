//===- Log.cpp - what the adapter has to say ------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/amd/Log.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace icd::amd {

void Log::line(const llvm::Twine &text) {
  const std::string whole = ("kiln: " + text + "\n").str();
  std::lock_guard lock(mutex);
  if (!fileName.empty()) {
    std::error_code error;
    llvm::raw_fd_ostream file(fileName, error, llvm::sys::fs::OF_Append);
    if (!error) {
      file << whole;
      file.close();
      if (!file.has_error())
        return;
      file.clear_error();
    }
  }
  // Not llvm::errs(), a static object that a process that ends takes away.
  std::fputs(whole.c_str(), stderr);
}

void Log::once(llvm::StringRef subject, const llvm::Twine &text) {
  {
    std::lock_guard lock(mutex);
    if (!said.insert(subject).second)
      return;
  }
  line(text);
}

} // namespace icd::amd
