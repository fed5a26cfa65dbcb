//===- InputFile.cpp - files that are read --------------------------------===//
// SPDX-License-Identifier: MIT
#include "InputFile.h"
#include "lgc/CompileError.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"

using llvm::Expected;
using llvm::Twine;

namespace pcc {

constexpr uint32_t spirvMagic = 0x07230203;

Expected<std::unique_ptr<llvm::MemoryBuffer>> readFile(const std::string &path, uint64_t most) {
  llvm::sys::fs::file_status status;
  if (std::error_code code = llvm::sys::fs::status(path, status))
    return lgc::invalidInput(code.message());
  if (!llvm::sys::fs::is_regular_file(status))
    return lgc::invalidInput("no regular file");
  if (status.getSize() > most)
    return lgc::invalidInput("larger than " + Twine(most >> 20) + " MiB");
  // Not mapped: somebody may write it meanwhile.
  auto file = llvm::MemoryBuffer::getFile(path, false, false, /*IsVolatile=*/true);
  if (!file)
    return lgc::invalidInput(file.getError().message());
  return std::move(*file);
}

Expected<Words> wordsOf(llvm::StringRef bytes) {
  if (bytes.size() < 20 || bytes.size() % 4)
    return lgc::invalidInput("no SPIR-V: " + Twine(bytes.size()) + " bytes");
  std::vector<uint32_t> words(bytes.size() / 4);
  for (size_t i = 0; i < words.size(); ++i)
    words[i] = llvm::support::endian::read32le(bytes.data() + i * 4);
  if (words[0] != spirvMagic)
    return lgc::invalidInput("no SPIR-V: the magic number is missing");
  return std::make_shared<const std::vector<uint32_t>>(std::move(words));
}

} // namespace pcc
