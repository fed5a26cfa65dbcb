//===- SharedTier.h - results that other runs have made -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Results by what they are made of, on a server that many farms share. Nothing that it says is
/// believed:
///
///     key     "kiln:" and BLAKE3 with the naming key of format, compiler, level, target and item
///     value   "KLRV" | u8 1 | u8 number of the key | u16 0 | payload |
///             BLAKE3 with the sealing key of the server's key, the length and all in front of it
///
/// So nobody without the keys finds or makes an entry, and one that was moved, cut or changed is as
/// if it were not there, and written anew. Only results with Status::Good are there.
///
/// Keys come from a file (icd_glue/server/Secrets.h).
#pragma once

#include "Plan.h"
#include "icd_glue/server/RespClient.h"

namespace farm {

class SharedTier {
public:
  /// Errors: InvalidInput for keys that are not enough.
  static llvm::Expected<std::unique_ptr<SharedTier>> create(const Plan &plan, icd::Secrets keys,
                                                            icd::RespClient::Options server);
  /// For children of the process, which inputs may take over: overwrites the keys, and leaves the
  /// connection.
  void forget();

  struct Wanted {
    Name item = {};
    uint32_t target = 0;
  };
  /// A payload for each that is there and good.
  std::vector<std::optional<std::string>> find(llvm::ArrayRef<Wanted> wanted);
  /// \p payload: of Status::Good.
  void store(llvm::ArrayRef<std::pair<Wanted, std::string>> results);

  struct Counters {
    uint64_t hits = 0, misses = 0;
    uint64_t forged = 0;  ///< values that were not made with the key for this name
    uint64_t unknown = 0; ///< asked for, but there was no answer: not misses
    uint64_t stored = 0, notStored = 0;
  };
  const Counters &counters() const { return totals; }
  const icd::RespClient::Counters &serverCounters() const { return client.counters(); }

  // For tests.
  std::string keyOf(const Wanted &wanted) const;
  std::string seal(const std::string &key, llvm::StringRef payload, size_t number = 0) const;
  std::optional<std::string> open(const std::string &key, llvm::StringRef value) const;

private:
  SharedTier(const Plan &plan, icd::Secrets keys, icd::RespClient::Options server);

  const Plan &plan;
  icd::Secrets keys;
  icd::RespClient client;
  Counters totals;
};

} // namespace farm
