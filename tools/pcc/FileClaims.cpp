//===- FileClaims.cpp - what files a run reads and writes -----------------===//
// SPDX-License-Identifier: MIT
#include "FileClaims.h"
#include "FilePlace.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Support/FileSystem.h"
#include <unistd.h>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace pcc {
namespace {

namespace fs = llvm::sys::fs;

/// Everything that a file is known by; nothing for what may be used twice.
std::vector<std::string> namesOf(StringRef file, StringRef place) {
  fs::file_status status;
  std::vector<std::string> names = {place.str()};
  const bool isOutput = file == "-";
  if (isOutput ? !fs::status(STDOUT_FILENO, status) : !fs::status(file, status)) {
    if (status.type() == fs::file_type::character_file)
      return isOutput ? names : std::vector<std::string>();
    const fs::UniqueID id = status.getUniqueID();
    names.push_back(std::to_string(id.getDevice()) + ":" + std::to_string(id.getFile()));
  }
  return names;
}

/// Errors: it cannot be said what the path means.
Expected<std::vector<std::string>> namesOf(StringRef file) {
  if (file == "-")
    return namesOf(file, file);
  FilePlace place = KILN_TRY(findPlace(file));
  return namesOf(file, place.path);
}

} // namespace

const FileClaims::Use *FileClaims::find(const std::vector<std::string> &names) const {
  for (const std::string &name : names)
    if (auto at = written.find(name); at != written.end())
      return &at->second;
  return nullptr;
}

Error FileClaims::write(const std::string &file, StringRef option) {
  Expected<std::vector<std::string>> names = namesOf(file);
  if (!names)
    return lgc::invalidInput(option + " " + file + ": " +
                             lgc::consumeToText(names.takeError()).message);
  if (const Use *other = find(*names))
    return lgc::invalidInput(option + " " + file + ": " + other->option + " " + other->path +
                             " is the same file");
  for (const std::string &name : *names)
    written.emplace(name, Use{option.str(), file});
  return Error::success();
}

Error FileClaims::read(const std::string &file) const {
  Expected<std::vector<std::string>> names = namesOf(file);
  if (!names) { // whoever reads it says so
    llvm::consumeError(names.takeError());
    return Error::success();
  }
  if (const Use *other = find(*names))
    return lgc::invalidInput(other->option + " " + other->path + ": it is also an input, " + file);
  return Error::success();
}

} // namespace pcc
