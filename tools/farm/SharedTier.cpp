//===- SharedTier.cpp - results that other runs have made -----------------===//
// SPDX-License-Identifier: MIT
#include "SharedTier.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"

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

Name sealOf(const Name &key, StringRef name, StringRef content) {
  return icd::keyedHash(key, {name, content});
}

} // namespace

SharedTier::SharedTier(const Plan &plan, icd::Secrets given, icd::RespClient::Options server)
    : plan(plan), keys(std::move(given)), client(std::move(server)) {}

Expected<std::unique_ptr<SharedTier>> SharedTier::create(const Plan &plan, icd::Secrets keys,
                                                         icd::RespClient::Options server) {
  if (!keys.name || keys.seals.empty())
    return lgc::invalidInput("no key to name, or none to seal with");
  server.user = keys.user;
  server.password = keys.password;
  if (server.address.isTls)
    server.tls = KILN_TRY(icd::TlsContext::create(keys.tls));
  return std::unique_ptr<SharedTier>(new SharedTier(plan, std::move(keys), std::move(server)));
}

void SharedTier::forget() {
  keys.forget();
  client.forget();
}

std::string SharedTier::keyOf(const Wanted &wanted) const {
  const std::string level = plan.optLevel ? std::to_string(*plan.optLevel) : "";
  return "kiln:" +
         icd::hexOf(icd::keyedHash(*keys.name, {"kiln-farm result 1", plan.compiler, level,
                                                plan.targets[wanted.target], textOf(wanted.item)}));
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
    if (icd::isSame(sealOf(one, key, content), sum))
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
