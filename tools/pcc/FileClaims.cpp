//===- FileClaims.cpp - what files a run reads and writes -----------------===//
// SPDX-License-Identifier: MIT
#include "FileClaims.h"
#include "lgc/CompileError.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using llvm::Error;
using llvm::StringRef;

namespace pcc {
namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Where a file is, or would be: the folder's own path, and the name.
std::string placeOf(StringRef file) {
  llvm::SmallString<256> absolute(file), folder;
  fs::make_absolute(absolute);
  if (fs::real_path(path::parent_path(absolute), folder)) // there is no such folder
    folder = path::parent_path(absolute);
  path::append(folder, path::filename(absolute));
  return folder.str().str();
}

/// Everything that a file is known by; nothing for what may be used twice. Follows links, also
/// those to files that are not there yet.
std::vector<std::string> namesOf(StringRef file) {
  fs::file_status status;
  if (file == "-")
    return {"-"};
  std::vector<std::string> names = {placeOf(file)};
  if (!fs::status(file, status)) {
    if (!fs::is_regular_file(status))
      return {};
    const fs::UniqueID id = status.getUniqueID();
    names.push_back(std::to_string(id.getDevice()) + ":" + std::to_string(id.getFile()));
  }
  return names;
}

} // namespace

const FileClaims::Use *FileClaims::find(const std::vector<std::string> &names) const {
  for (const std::string &name : names)
    if (auto at = written.find(name); at != written.end())
      return &at->second;
  return nullptr;
}

Error FileClaims::write(const std::string &file, StringRef option) {
  const std::vector<std::string> names = namesOf(file);
  if (const Use *other = find(names))
    return lgc::invalidInput(option + " " + file + ": " + other->option + " " + other->path +
                             " is the same file");
  for (const std::string &name : names)
    written.emplace(name, Use{option.str(), file});
  return Error::success();
}

Error FileClaims::read(const std::string &file) const {
  if (const Use *other = find(namesOf(file)))
    return lgc::invalidInput(other->option + " " + other->path + ": it is also an input, " + file);
  return Error::success();
}

} // namespace pcc
