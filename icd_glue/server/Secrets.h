//===- Secrets.h - keys of a server and of signatures ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A file with lines `WHAT VALUE`; keys are 64 hexadecimal digits:
///
///     name HEX        names of what is on a server
///     seal HEX        what farms seal results with for each other; several while it is changed
///     sign HEX        private: what merge signs with (Ed25519)
///     public HEX      what signatures are verified with; several while it is changed
///     user TEXT, password TEXT            of the server
///     ca FILE                             who may vouch for a server by TLS; none: the system's
///     certificate FILE, private FILE      of a client by TLS; all of them absolute paths
///
/// A file with a secret in it belongs to the user alone (0600); others nobody else may write.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace icd {

using Key32 = std::array<uint8_t, 32>;

/// Files for TLS.
struct TlsFiles {
  std::string ca;               ///< empty: the system's
  std::string certificate, key; ///< empty: the client has none
};

struct Secrets {
  std::optional<Key32> name, sign;
  std::vector<Key32> seals, publics;
  std::string user, password;
  TlsFiles tls;

  Secrets() = default;
  Secrets(const Secrets &) = default;
  Secrets(Secrets &&) = default;
  Secrets &operator=(const Secrets &) = default;
  Secrets &operator=(Secrets &&) = default;
  ~Secrets() { forget(); }
  /// Overwrites what nobody else may know.
  void forget();

  /// Errors: InvalidInput, also for files that others may read or write.
  static llvm::Expected<Secrets> load(const std::string &path);
};

/// BLAKE3 with a key of parts, none of which can be taken for a piece of another one.
Key32 keyedHash(const Key32 &key, llvm::ArrayRef<llvm::StringRef> parts);
/// In a time that does not depend on where they differ.
bool isSame(const Key32 &one, llvm::StringRef bytes);
/// 64 hexadecimal digits, lower case.
std::string hexOf(const Key32 &key);

} // namespace icd
