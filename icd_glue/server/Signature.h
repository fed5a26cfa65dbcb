//===- Signature.h - who made something, so that anybody can tell ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// Ed25519 by OpenSSL. Of files the signature lies beside, as FILE.sig:
///
///     "KLSG" | u8 1 | u8[3] 0 | signature of "kiln archive 1", and the size and BLAKE3 of the file
///
/// A signature says who made a file, not when: an older one of the same maker is as good.
#pragma once

#include "icd_glue/server/Openssl.h"
#include "icd_glue/server/Secrets.h"

namespace icd {

inline constexpr size_t signatureBytes = 64;

class Signer {
public:
  /// Errors: Unsupported without OpenSSL.
  static llvm::Expected<std::unique_ptr<Signer>> create(const Key32 &privateKey);
  ~Signer();
  Signer(const Signer &) = delete;
  /// Empty: it cannot be made (no memory).
  std::string sign(llvm::StringRef message) const;
  Key32 publicKey() const;
  /// Writes FILE.sig. Errors: InvalidInput, LimitExceeded.
  llvm::Error signFile(const std::string &path) const;

private:
  Signer() = default;
  Openssl openssl;
  EVP_PKEY *key = nullptr;
};

class Verifier {
public:
  /// Errors: Unsupported without OpenSSL; InvalidInput without keys.
  static llvm::Expected<std::unique_ptr<Verifier>> create(llvm::ArrayRef<Key32> publicKeys);
  ~Verifier();
  Verifier(const Verifier &) = delete;
  /// By any of the keys?
  bool isSigned(llvm::StringRef message, llvm::StringRef signature) const;
  /// Reads all of it. Errors: InvalidInput, with what is wrong.
  llvm::Error verifyFile(const std::string &path) const;

private:
  Verifier() = default;
  Openssl openssl;
  std::vector<EVP_PKEY *> keys;
};

/// What is signed of a file. Errors: InvalidInput if it cannot be read.
llvm::Expected<std::string> signedTextOf(const std::string &path);

} // namespace icd
