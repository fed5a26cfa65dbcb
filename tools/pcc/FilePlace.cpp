//===- FilePlace.cpp - where the path of an output leads ------------------===//
// SPDX-License-Identifier: MIT
#include "FilePlace.h"
#include "lgc/CompileError.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <climits>
#include <fcntl.h>
#include <unistd.h>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace pcc {
namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

constexpr unsigned maxLinks = 40; // as in Linux

/// Links of this folder are none to a path: what they stand for may have no name any more.
bool isFolderOfDescriptors(StringRef folder) {
  return folder == "/proc/" + std::to_string(getpid()) + "/fd";
}

Error failure(std::errc code) { return lgc::invalidInput(std::make_error_code(code).message()); }

} // namespace

Expected<FilePlace> findPlace(StringRef file) {
  llvm::SmallString<256> at(file);
  fs::make_absolute(at);
  for (unsigned links = 0; links <= maxLinks; ++links) {
    llvm::SmallString<256> folder, place;
    if (fs::real_path(path::parent_path(at), folder)) // there is no such folder
      folder = path::parent_path(at);
    const StringRef name = path::filename(at);
    path::append(place, folder, name);
    if (int descriptor = 0; isFolderOfDescriptors(folder) && llvm::to_integer(name, descriptor)) {
      if (fcntl(descriptor, F_GETFD) < 0)
        return failure(std::errc::bad_file_descriptor);
      return FilePlace{place.str().str(), descriptor};
    }
    char target[PATH_MAX];
    const ssize_t length = readlink(place.c_str(), target, sizeof target);
    if (length < 0) // no link, or nothing
      return FilePlace{place.str().str(), std::nullopt};
    const StringRef next(target, static_cast<size_t>(length));
    at.clear();
    if (!path::is_absolute(next))
      at = folder;
    path::append(at, next);
  }
  return failure(std::errc::too_many_symbolic_link_levels);
}

} // namespace pcc
