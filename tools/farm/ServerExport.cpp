//===- ServerExport.cpp - code on a server, for drivers -------------------===//
// SPDX-License-Identifier: MIT
#include "CacheEntries.h"
#include "icd_glue/context/CompilerIdentity.h"
#include "icd_glue/server/RespClient.h"
#include "icd_glue/server/ServerEntry.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"

using llvm::Error;
using llvm::Expected;

namespace farm {
namespace {

class ServerExport final : public Export {
public:
  ServerExport(const Plan &plan, const icd::Secrets &keys, const icd::Signer &signer,
               icd::RespClient::Options server, Published &published)
      : plan(plan), nameKey(*keys.name), signer(signer), client(std::move(server)),
        published(published) {}

  Error add(const MergedRow &merged) override {
    if (!isKind(merged, PayloadKind::Cache))
      return Error::success();
    KILN_TRY(eachEntry(merged, [&](const icd::CacheEntryView &entry) {
      for (size_t at = 0; at < entry.keys.size(); at += sizeof(icd::KeyBytes))
        if (entry.domain == icd::CacheKey::Domain::Pipeline)
          add(plan.targets[merged.row.target], entry.keys.slice(at, sizeof(icd::KeyBytes)),
              entry.record);
      return Error::success();
    }));
    // Of one request: what a server answers in one piece, and its deadline is for.
    constexpr size_t pairsAtOnce = 256, bytesAtOnce = 1 << 20;
    if (pairs.size() >= pairsAtOnce || bytes >= bytesAtOnce)
      store();
    return Error::success();
  }

  Error finish() override {
    store();
    return Error::success();
  }

private:
  void add(const std::string &target, llvm::ArrayRef<uint8_t> key, llvm::ArrayRef<uint8_t> record) {
    std::string name = icd::serverNameOf(nameKey, icd::compilerIdentity(), target, key);
    std::string value = icd::serverValueOf(signer, name, record);
    if (value.empty()) {
      ++published.notStored;
      return;
    }
    bytes += value.size();
    pairs.emplace_back(std::move(name), std::move(value));
  }
  void store() {
    const size_t taken = pairs.empty() ? 0 : client.set(pairs);
    published.stored += taken;
    published.notStored += pairs.size() - taken;
    pairs.clear();
    bytes = 0;
  }

  const Plan &plan;
  const icd::Key32 nameKey;
  const icd::Signer &signer;
  icd::RespClient client;
  Published &published;
  std::vector<std::pair<std::string, std::string>> pairs;
  size_t bytes = 0;
};

} // namespace

Expected<std::unique_ptr<Export>> serverExport(const Plan &plan, const std::string &address,
                                               const icd::Secrets &keys, const icd::Signer &signer,
                                               Published &published) {
  if (!keys.name)
    return lgc::invalidInput("no key to name with: a line \"name HEX\"");
  // Drivers look for code of the default level.
  if (plan.optLevel)
    return lgc::unsupported("code of another level than the compiler's default on a server");
  icd::RespClient::Options server;
  server.address = KILN_TRY(icd::ServerAddress::parse(address));
  server.user = keys.user;
  server.password = keys.password;
  // Somebody waits for it who wants it done.
  server.connectSeconds = server.callSeconds = 10;
  if (server.address.isTls)
    server.tls = KILN_TRY(icd::TlsContext::create(keys.tls));
  return std::make_unique<ServerExport>(plan, keys, signer, std::move(server), published);
}

} // namespace farm
