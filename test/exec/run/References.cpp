//===- References.cpp - what the control computed -------------------------===//
// SPDX-License-Identifier: MIT
#include "References.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace exec {

static std::string stem(StringRef name) {
  StringRef file = llvm::sys::path::filename(name.split(' ').first);
  return (file + "." + llvm::utohexstr(llvm::xxh3_64bits(name))).str();
}

static Error writeFile(const std::string &path, StringRef text) {
  std::error_code code;
  llvm::raw_fd_ostream out(path, code);
  if (code)
    return failure(path + ": " + code.message());
  out << text;
  return Error::success();
}

Error References::write(const Case &test, size_t index, const Bytes &bytes) const {
  if (folder.empty())
    return Error::success();
  return writeFile(path(test, index),
                   StringRef(reinterpret_cast<const char *>(bytes.data()), bytes.size()));
}

Expected<Bytes> References::read(const Case &test, size_t index) const {
  auto file = llvm::MemoryBuffer::getFile(path(test, index));
  if (folder.empty() || !file)
    return failure(
        "no reference: run kiln-exec with --reference=DIR and the same FILE twice, first "
        "with VK_DRIVER_FILES=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json)");
  StringRef text = (*file)->getBuffer();
  return Bytes(text.bytes_begin(), text.bytes_end());
}

void References::writeAbsence(StringRef name, const Twine &why) const {
  if (!folder.empty()) // without it the comparison fails, which is no less loud
    llvm::consumeError(writeFile(absencePath(name), why.str()));
}

void References::removeAbsence(StringRef name) const {
  if (!folder.empty())
    llvm::sys::fs::remove(absencePath(name));
}

std::string References::absence(StringRef name) const {
  auto file = llvm::MemoryBuffer::getFile(absencePath(name));
  return file && !folder.empty() ? (*file)->getBuffer().str() : "";
}

void References::noteRunning(StringRef path) const {
  const std::string note = folder + "/running";
  if (folder.empty())
    return;
  if (path.empty())
    llvm::sys::fs::remove(note);
  else
    llvm::consumeError(writeFile(note, path));
}

std::string References::fileName(const Case &test, size_t index) {
  return stem(test.name) + "." + std::to_string(index);
}

std::string References::path(const Case &test, size_t index) const {
  return folder + "/" + fileName(test, index);
}

std::string References::absencePath(StringRef name) const {
  return folder + "/" + stem(name) + ".absent";
}

} // namespace exec
