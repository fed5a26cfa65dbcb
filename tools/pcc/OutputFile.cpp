//===- OutputFile.cpp - files that are written as a whole or not at all ---===//
// SPDX-License-Identifier: MIT
#include "OutputFile.h"
#include "lgc/CompileError.h"
#include "llvm/Support/raw_ostream.h"

using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace pcc {
namespace {

namespace fs = llvm::sys::fs;

/// Written, never mapped: a mapped file on a full disk ends the process.
std::error_code write(llvm::raw_fd_ostream &out, ArrayRef<uint8_t> bytes) {
  out.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  out.flush();
  const std::error_code code = out.error();
  out.clear_error(); // or else its destructor would end the process
  return code;
}

std::error_code writeThrough(StringRef path, ArrayRef<uint8_t> bytes) {
  std::error_code code;
  llvm::raw_fd_ostream out(path, code); // "-" is standard output
  if (!code)
    return write(out, bytes);
  out.clear_error();
  return code;
}

Error failure(StringRef path, std::error_code code) {
  return code ? lgc::invalidInput(path + ": " + code.message()) : Error::success();
}

} // namespace

OutputFile::OutputFile(StringRef path, std::optional<fs::TempFile> file)
    : path(path.str()), file(std::move(file)) {}

OutputFile::OutputFile(OutputFile &&other) : path(std::move(other.path)) { file.swap(other.file); }

OutputFile::~OutputFile() {
  if (file)
    llvm::consumeError(file->discard());
}

Expected<OutputFile> OutputFile::create(StringRef path, ArrayRef<uint8_t> bytes) {
  fs::file_status status;
  const bool exists = !fs::status(path, status);
  if (exists && fs::is_directory(status))
    return failure(path, std::make_error_code(std::errc::is_a_directory));
  if (path == "-" || (exists && !fs::is_regular_file(status))) {
    if (Error error = failure(path, writeThrough(path, bytes)))
      return error;
    return OutputFile(path, std::nullopt);
  }
  Expected<fs::TempFile> temporary = fs::TempFile::create(path + ".tmp%%%%%%%");
  if (!temporary)
    return lgc::invalidInput(path + ": " + llvm::toString(temporary.takeError()));
  OutputFile output(path, std::move(*temporary));
  llvm::raw_fd_ostream out(output.file->FD, /*shouldClose=*/false);
  if (Error error = failure(path, write(out, bytes)))
    return error;
  return output;
}

Error OutputFile::keep() {
  if (!file)
    return Error::success();
  Error error = file->keep(path);
  file.reset();
  return error ? lgc::invalidInput(path + ": " + llvm::toString(std::move(error)))
               : Error::success();
}

Error writeFile(StringRef path, ArrayRef<uint8_t> bytes) {
  Expected<OutputFile> file = OutputFile::create(path, bytes);
  return file ? file->keep() : file.takeError();
}

} // namespace pcc
