//===- OutputFile.cpp - files that are written as a whole or not at all ---===//
// SPDX-License-Identifier: MIT
#include "OutputFile.h"
#include "FilePlace.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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

std::error_code writeThrough(StringRef path, const std::optional<int> &descriptor,
                             ArrayRef<uint8_t> bytes) {
  if (descriptor) {
    llvm::raw_fd_ostream out(*descriptor, /*shouldClose=*/false);
    return write(out, bytes);
  }
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

std::error_code lastError() { return {errno, std::generic_category()}; }

/// A new file beside another. Its name is short, as the other's may be as long as names can be; its
/// path is nobody's pattern (that of LLVM's unique files is, each '%' of it).
std::error_code createBeside(StringRef place, std::string &temporary, int &handle) {
  constexpr unsigned attempts = 128;
  for (unsigned i = 0; i < attempts; ++i) {
    llvm::SmallString<256> path(llvm::sys::path::parent_path(place));
    const uint32_t number = llvm::sys::Process::GetRandomNumber();
    llvm::sys::path::append(path, ".kiln-pcc.tmp" + llvm::utohexstr(number, true, 8));
    handle = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (handle >= 0) {
      temporary = path.str().str();
      llvm::sys::RemoveFileOnSignal(temporary);
      return {};
    }
    if (errno != EEXIST)
      break;
  }
  return lastError();
}

/// What is to become of a path.
struct Target {
  FilePlace place;
  bool isReplaced = false;
  std::optional<mode_t> mode; ///< of a file that is there
};

Expected<Target> findTarget(StringRef path) {
  if (path == "-")
    return Target{};
  fs::file_status status;
  const bool exists = !fs::status(path, status);
  if (exists && fs::is_directory(status))
    return failure(path, std::make_error_code(std::errc::is_a_directory));
  Expected<FilePlace> place = findPlace(path);
  if (!place)
    return lgc::invalidInput(path + ": " + lgc::consumeToText(place.takeError()).message);
  const bool isReplaced = !place->descriptor && (!exists || fs::is_regular_file(status));
  std::optional<mode_t> mode;
  if (isReplaced && exists)
    mode = static_cast<mode_t>(status.permissions()) & 0777;
  return Target{std::move(*place), isReplaced, mode};
}

} // namespace

OutputFile::OutputFile(StringRef path, std::string place, std::string temporary)
    : path(path.str()), place(std::move(place)), temporary(std::move(temporary)) {}

OutputFile::OutputFile(OutputFile &&other)
    : path(std::move(other.path)), place(std::move(other.place)),
      temporary(std::exchange(other.temporary, "")), state(other.state) {}

OutputFile::~OutputFile() {
  if (temporary.empty())
    return;
  (void)unlink(temporary.c_str());
  llvm::sys::DontRemoveFileOnSignal(temporary);
}

bool OutputFile::isReplaced(StringRef path) {
  Expected<Target> target = findTarget(path);
  if (target)
    return target->isReplaced;
  llvm::consumeError(target.takeError());
  return false;
}

Expected<OutputFile> OutputFile::create(StringRef path, ArrayRef<uint8_t> bytes) {
  Target target = KILN_TRY(findTarget(path));
  if (!target.isReplaced) {
    KILN_TRY(failure(path, writeThrough(path, target.place.descriptor, bytes)));
    return OutputFile(path, "", "");
  }
  int handle = -1;
  std::string temporary;
  KILN_TRY(failure(path, createBeside(target.place.path, temporary, handle)));
  OutputFile output(path, std::move(target.place.path), std::move(temporary));
  llvm::raw_fd_ostream out(handle, /*shouldClose=*/true);
  if (target.mode && fchmod(handle, *target.mode))
    return failure(path, lastError());
  KILN_TRY(failure(path, write(out, bytes)));
  return output;
}

Error OutputFile::keep() {
  if (temporary.empty())
    return Error::success();
  // With the old file under the other name it can come back.
  if (!renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, place.c_str(), RENAME_EXCHANGE)) {
    state = State::Exchanged;
    return Error::success();
  }
  const bool isNew = !fs::exists(place);
  // Not LLVM's, which copies what cannot be renamed.
  if (rename(temporary.c_str(), place.c_str()))
    return failure(path, lastError());
  llvm::sys::DontRemoveFileOnSignal(temporary);
  temporary.clear();
  state = isNew ? State::New : State::Replaced;
  return Error::success();
}

Error OutputFile::takeBack() {
  if (state == State::Written) // to a pipe, or not kept
    return temporary.empty() ? lgc::invalidInput(path + ": it was written") : Error::success();
  const bool isBack = state == State::New         ? !unlink(place.c_str())
                      : state == State::Exchanged ? !rename(temporary.c_str(), place.c_str())
                                                  : false;
  return isBack ? Error::success() : lgc::invalidInput(path + ": it was replaced, and stays so");
}

Error takeBackAll(llvm::MutableArrayRef<OutputFile> files, Error error) {
  for (OutputFile &file : llvm::reverse(files))
    error = llvm::joinErrors(std::move(error), file.takeBack());
  return error;
}

Error keepAll(llvm::MutableArrayRef<OutputFile> files) {
  for (OutputFile &file : files) {
    Error error = file.keep();
    if (!error)
      continue;
    for (OutputFile &other : llvm::reverse(files))
      if (&other != &file)
        error = llvm::joinErrors(std::move(error), other.takeBack());
    return error;
  }
  return Error::success();
}

Error writeFile(StringRef path, ArrayRef<uint8_t> bytes) {
  Expected<OutputFile> file = OutputFile::create(path, bytes);
  return file ? file->keep() : file.takeError();
}

} // namespace pcc
