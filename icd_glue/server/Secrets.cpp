//===- Secrets.cpp - keys of a server and of signatures -------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/server/Secrets.h"
#include "lgc/CompileError.h"
#include "llvm-c/blake3.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

using llvm::Expected;
using llvm::StringRef;

namespace icd {
namespace {

std::optional<Key32> keyOf(StringRef text) {
  std::string bytes;
  if (text.size() != 2 * sizeof(Key32) || !llvm::tryGetFromHex(text, bytes))
    return std::nullopt;
  Key32 key;
  std::memcpy(key.data(), bytes.data(), key.size());
  explicit_bzero(bytes.data(), bytes.size());
  return key;
}

bool takeKey(Secrets &secrets, StringRef what, const Key32 &key) {
  if (what == "name")
    secrets.name = key;
  else if (what == "sign")
    secrets.sign = key;
  else if (what == "seal")
    secrets.seals.push_back(key);
  else if (what == "public")
    secrets.publics.push_back(key);
  else
    return false;
  return true;
}

bool takeText(Secrets &secrets, StringRef what, StringRef value) {
  const std::pair<StringRef, std::string *> texts[] = {{"user", &secrets.user},
                                                       {"password", &secrets.password}},
                                            files[] = {{"ca", &secrets.tls.ca},
                                                       {"certificate", &secrets.tls.certificate},
                                                       {"private", &secrets.tls.key}};
  const auto take = [&](const auto &rows) {
    for (const auto &[name, into] : rows)
      if (what == name && !value.empty()) {
        *into = value.str();
        return true;
      }
    return false;
  };
  // In the folder that a program happens to be in anybody may have put a file.
  return take(texts) || (value.starts_with("/") && take(files));
}

bool takeLine(Secrets &secrets, StringRef line) {
  const auto [what, value] = line.split(' ');
  if (what.starts_with("#"))
    return true;
  const std::optional<Key32> key = keyOf(value.trim());
  return (key && takeKey(secrets, what, *key)) || takeText(secrets, what, value.trim());
}

/// What is in a file that only its user, or root, can write.
Expected<std::string> readOwn(const std::string &path, struct stat &status) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0)
    return lgc::invalidInput(path + ": " + std::generic_category().message(errno));
  constexpr size_t mostBytes = 65536;
  std::string text(mostBytes, '\0');
  const bool isOwn = fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
                     status.st_size <= static_cast<off_t>(mostBytes) &&
                     (status.st_uid == geteuid() || status.st_uid == 0) &&
                     !(status.st_mode & (S_IWGRP | S_IWOTH));
  const ssize_t count = isOwn ? ::read(file, text.data(), text.size()) : 0;
  ::close(file);
  if (!isOwn)
    return lgc::invalidInput(
        path + ": others can write this file of keys, it is none, or has more than 64 KB");
  text.resize(static_cast<size_t>(std::max<ssize_t>(count, 0)));
  return text;
}

} // namespace

void Secrets::forget() {
  const auto wipe = [](auto &bytes) {
    explicit_bzero(bytes.data(), bytes.size());
    bytes = {};
  };
  for (std::optional<Key32> *key : {&name, &sign})
    if (*key)
      wipe(**key);
  for (Key32 &key : seals)
    wipe(key);
  wipe(password);
}

Expected<Secrets> Secrets::load(const std::string &path) {
  struct stat status = {};
  auto text = readOwn(path, status);
  if (!text)
    return text.takeError();
  Secrets secrets;
  bool isGood = true;
  llvm::SmallVector<StringRef, 8> lines;
  StringRef(*text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    isGood &= takeLine(secrets, line);
  explicit_bzero(text->data(), text->size());
  if (!isGood)
    return lgc::invalidInput(path + ": a line that is none of a file of keys");
  const bool hasSecrets =
      secrets.name || secrets.sign || !secrets.seals.empty() || !secrets.password.empty();
  if (hasSecrets && (status.st_mode & (S_IRWXG | S_IRWXO)))
    return lgc::invalidInput(path + ": a file of keys belongs to its user alone (chmod 600)");
  return secrets;
}

Key32 keyedHash(const Key32 &key, llvm::ArrayRef<StringRef> parts) {
  llvm_blake3_hasher state;
  llvm_blake3_hasher_init_keyed(&state, key.data());
  for (StringRef part : parts) {
    char size[8];
    llvm::support::endian::write64le(size, part.size());
    llvm_blake3_hasher_update(&state, size, sizeof size);
    llvm_blake3_hasher_update(&state, part.data(), part.size());
  }
  Key32 hash;
  llvm_blake3_hasher_finalize(&state, hash.data(), hash.size());
  explicit_bzero(&state, sizeof state);
  return hash;
}

bool isSame(const Key32 &one, StringRef bytes) {
  unsigned difference = bytes.size() != one.size();
  for (size_t i = 0; i < one.size() && i < bytes.size(); ++i)
    difference |= one[i] ^ static_cast<uint8_t>(bytes[i]);
  return !difference;
}

std::string hexOf(const Key32 &key) {
  return llvm::toHex(llvm::ArrayRef<uint8_t>(key), /*LowerCase=*/true);
}

} // namespace icd
