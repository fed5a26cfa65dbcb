//===- SharedTier.cpp - results that other runs have made -----------------===//
// SPDX-License-Identifier: MIT
#include "SharedTier.h"
#include "lgc/CompileError.h"
#include "llvm-c/blake3.h"
#include "llvm/Support/Endian.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using llvm::ArrayRef;
using llvm::Expected;
using llvm::StringRef;

namespace farm {
namespace {

constexpr StringRef valueMagic("KLRV");
constexpr size_t valueHeadBytes = 8;
constexpr char valueVersion = 1;
/// Of one request: what a server answers in one piece, and its deadline is for.
constexpr size_t keysAtOnce = 256, bytesAtOnce = 1 << 20;

class KeyedHasher {
public:
  explicit KeyedHasher(const Name &key) { llvm_blake3_hasher_init_keyed(&state, key.data()); }
  /// With its size, so that what follows cannot be taken for a part of it.
  KeyedHasher &add(StringRef text) {
    char size[8];
    llvm::support::endian::write64le(size, text.size());
    llvm_blake3_hasher_update(&state, size, sizeof size);
    llvm_blake3_hasher_update(&state, text.data(), text.size());
    return *this;
  }
  Name finish() {
    Name name;
    llvm_blake3_hasher_finalize(&state, name.data(), name.size());
    return name;
  }

private:
  llvm_blake3_hasher state;
};

/// In a time that does not depend on where they differ.
bool isSame(const Name &name, StringRef bytes) {
  unsigned difference = bytes.size() != name.size();
  for (size_t i = 0; i < name.size() && i < bytes.size(); ++i)
    difference |= name[i] ^ static_cast<uint8_t>(bytes[i]);
  return !difference;
}

Name sealOf(const Name &key, StringRef name, StringRef content) {
  return KeyedHasher(key).add(name).add(content).finish();
}

} // namespace

Expected<TierKeys> TierKeys::load(const std::string &path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0)
    return lgc::invalidInput(path + ": " + std::generic_category().message(errno));
  struct stat status = {};
  constexpr size_t mostBytes = 65536;
  std::string text(mostBytes, '\0');
  const bool isOurs = fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
                      status.st_uid == geteuid() && !(status.st_mode & 077);
  const ssize_t count = isOurs ? ::read(file, text.data(), text.size()) : 0;
  ::close(file);
  if (!isOurs)
    return lgc::invalidInput(path + ": a file of keys belongs to its user alone (chmod 600)");
  text.resize(static_cast<size_t>(std::max<ssize_t>(count, 0)));
  TierKeys keys;
  bool hasName = false;
  llvm::SmallVector<StringRef, 8> lines;
  StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    const auto [what, value] = line.split(' ');
    const std::optional<Name> key = nameFromText(value.trim());
    if (what == "name" && key)
      keys.name = *key, hasName = true;
    else if (what == "seal" && key)
      keys.seals.push_back(*key);
    else if (what == "user")
      keys.user = value.trim().str();
    else if (what == "password")
      keys.password = value.trim().str();
    else if (!what.starts_with("#"))
      return lgc::invalidInput(path + ": a line that is neither name, seal, user nor password");
  }
  if (!hasName || keys.seals.empty())
    return lgc::invalidInput(path + ": no key to name, or none to seal with");
  return keys;
}

static RespClient::Options withLogin(RespClient::Options server, const TierKeys &keys) {
  server.user = keys.user;
  server.password = keys.password;
  return server;
}

SharedTier::SharedTier(const Plan &plan, TierKeys given, RespClient::Options server)
    : plan(plan), keys(std::move(given)), client(withLogin(std::move(server), keys)) {}

std::string SharedTier::keyOf(const Wanted &wanted) const {
  return "kiln:" + toText(KeyedHasher(keys.name)
                              .add("kiln-farm result 1")
                              .add(plan.compiler)
                              .add(plan.optLevel ? std::to_string(*plan.optLevel) : "")
                              .add(plan.targets[wanted.target])
                              .add(textOf(wanted.item))
                              .finish());
}

std::string SharedTier::seal(const std::string &key, StringRef payload, size_t number) const {
  std::string value = valueMagic.str();
  value += {valueVersion, static_cast<char>(number), 0, 0};
  value += payload;
  value += textOf(sealOf(keys.seals[number], key, value));
  return value;
}

/// The number in front says which key, but is not believed: all of them are tried.
std::optional<std::string> SharedTier::open(const std::string &key, StringRef value) const {
  if (value.size() < valueHeadBytes + sizeof(Name) || !value.starts_with(valueMagic) ||
      value[valueMagic.size()] != valueVersion)
    return std::nullopt;
  const StringRef content = value.drop_back(sizeof(Name)), sum = value.take_back(sizeof(Name));
  for (const Name &one : keys.seals)
    if (isSame(sealOf(one, key, content), sum))
      return content.drop_front(valueHeadBytes).str();
  return std::nullopt;
}

std::vector<std::optional<std::string>> SharedTier::find(ArrayRef<Wanted> wanted) {
  std::vector<std::optional<std::string>> found(wanted.size());
  for (size_t begin = 0; begin < wanted.size(); begin += keysAtOnce) {
    const size_t end = std::min(begin + keysAtOnce, wanted.size());
    std::vector<std::string> names;
    for (size_t i = begin; i < end; ++i)
      names.push_back(keyOf(wanted[i]));
    const auto values = client.get(names);
    if (!values) {
      totals.unknown += end - begin;
      continue;
    }
    for (size_t i = begin; i < end; ++i) {
      const std::optional<std::string> &value = (*values)[i - begin];
      if (value)
        found[i] = open(names[i - begin], *value);
      ++(found[i] ? totals.hits : value ? totals.forged : totals.misses);
    }
  }
  return found;
}

void SharedTier::store(ArrayRef<std::pair<Wanted, std::string>> results) {
  for (size_t begin = 0; begin < results.size();) {
    std::vector<std::pair<std::string, std::string>> pairs;
    size_t bytes = 0;
    for (; begin < results.size() && pairs.size() < keysAtOnce && bytes < bytesAtOnce; ++begin) {
      std::string key = keyOf(results[begin].first);
      std::string value = seal(key, results[begin].second);
      bytes += value.size();
      pairs.emplace_back(std::move(key), std::move(value));
    }
    const size_t taken = client.set(pairs);
    totals.stored += taken;
    totals.notStored += pairs.size() - taken;
  }
}

} // namespace farm
