//===- Signature.cpp - who made something, so that anybody can tell -------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/server/Signature.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace icd {
namespace {

constexpr StringRef head("KLSG\1\0\0\0", 8);
constexpr StringRef fileContext("kiln archive 1");

const uint8_t *bytesOf(StringRef text) { return reinterpret_cast<const uint8_t *>(text.data()); }

Error notThere() {
  return lgc::unsupported("signatures need OpenSSL 3 (libcrypto.so.3), which cannot be loaded");
}

std::string besideOf(const std::string &path) { return path + ".sig"; }

} // namespace

Expected<std::string> signedTextOf(const std::string &path) {
  const auto fault = [&](std::error_code code) {
    return lgc::invalidInput(path + ": " + code.message());
  };
  auto file = llvm::sys::fs::openNativeFileForRead(path);
  if (!file)
    return lgc::invalidInput(path + ": " + toString(file.takeError()));
  llvm::BLAKE3 hasher;
  uint64_t size = 0;
  std::vector<char> block(1 << 20);
  Expected<size_t> count = 0;
  while ((count = llvm::sys::fs::readNativeFile(*file, block)) && *count) {
    hasher.update(StringRef(block.data(), *count));
    size += *count;
  }
  const std::error_code closed = llvm::sys::fs::closeFile(*file);
  if (!count)
    return lgc::invalidInput(path + ": " + toString(count.takeError()));
  if (closed)
    return fault(closed);
  char little[8];
  llvm::support::endian::write64le(little, size);
  const Key32 hash = hasher.final<32>();
  std::string text = fileContext.str();
  text.append(little, sizeof little);
  return text.append(reinterpret_cast<const char *>(hash.data()), hash.size());
}

//===--- Signing ----------------------------------------------------------===//

Expected<std::unique_ptr<Signer>> Signer::create(const Key32 &privateKey) {
  std::unique_ptr<Signer> signer(new Signer());
  if (!signer->openssl.hasSignatures())
    return notThere();
  signer->key = signer->openssl.EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr,
                                                             privateKey.data(), privateKey.size());
  if (!signer->key)
    return lgc::invalidInput("a private key that OpenSSL does not take");
  return signer;
}

Signer::~Signer() {
  if (key)
    openssl.EVP_PKEY_free(key);
}

std::string Signer::sign(StringRef message) const {
  std::string signature(signatureBytes, '\0');
  size_t size = signature.size();
  EVP_MD_CTX *context = openssl.EVP_MD_CTX_new();
  const bool isDone = context &&
                      openssl.EVP_DigestSignInit(context, nullptr, nullptr, nullptr, key) == 1 &&
                      openssl.EVP_DigestSign(context, reinterpret_cast<uint8_t *>(signature.data()),
                                             &size, bytesOf(message), message.size()) == 1 &&
                      size == signatureBytes;
  openssl.EVP_MD_CTX_free(context);
  return isDone ? signature : std::string();
}

Key32 Signer::publicKey() const {
  Key32 result = {};
  size_t size = result.size();
  openssl.EVP_PKEY_get_raw_public_key(key, result.data(), &size);
  return result;
}

Error Signer::signFile(const std::string &path) const {
  const std::string signature = sign(KILN_TRY(signedTextOf(path)));
  if (signature.empty())
    return lgc::limitExceeded(path + ": cannot be signed");
  std::error_code code;
  llvm::raw_fd_ostream file(besideOf(path), code);
  if (!code) {
    file << head << signature;
    file.flush();
    code = file.error();
    file.clear_error();
  }
  return code ? lgc::limitExceeded(besideOf(path) + ": " + code.message()) : Error::success();
}

//===--- Verifying --------------------------------------------------------===//

Expected<std::unique_ptr<Verifier>> Verifier::create(llvm::ArrayRef<Key32> publicKeys) {
  std::unique_ptr<Verifier> verifier(new Verifier());
  if (publicKeys.empty())
    return lgc::invalidInput("no public key to verify with");
  if (!verifier->openssl.hasSignatures())
    return notThere();
  for (const Key32 &bytes : publicKeys)
    if (EVP_PKEY *key = verifier->openssl.EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr,
                                                                      bytes.data(), bytes.size()))
      verifier->keys.push_back(key);
  return verifier;
}

Verifier::~Verifier() {
  for (EVP_PKEY *key : keys)
    openssl.EVP_PKEY_free(key);
}

bool Verifier::isSigned(StringRef message, StringRef signature) const {
  if (signature.size() != signatureBytes)
    return false;
  for (EVP_PKEY *key : keys) {
    EVP_MD_CTX *context = openssl.EVP_MD_CTX_new();
    const bool isGood =
        context && openssl.EVP_DigestVerifyInit(context, nullptr, nullptr, nullptr, key) == 1 &&
        openssl.EVP_DigestVerify(context, bytesOf(signature), signature.size(), bytesOf(message),
                                 message.size()) == 1;
    openssl.EVP_MD_CTX_free(context);
    openssl.ERR_clear_error(); // the thread is the program's, and so is what it finds there
    if (isGood)
      return true;
  }
  return false;
}

Error Verifier::verifyFile(const std::string &path) const {
  // To open a pipe could wait for ever, and devices may have no end.
  for (const std::string &file : {path, besideOf(path)})
    if (llvm::sys::fs::exists(file) && !llvm::sys::fs::is_regular_file(file))
      return lgc::invalidInput(file + ": is no file");
  auto file = llvm::MemoryBuffer::getFileSlice(besideOf(path), head.size() + signatureBytes, 0);
  if (!file)
    return lgc::invalidInput(path + ": has no signature: " + file.getError().message());
  StringRef signature = (*file)->getBuffer();
  if (!signature.consume_front(head))
    return lgc::invalidInput(besideOf(path) + ": is no signature");
  if (!isSigned(KILN_TRY(signedTextOf(path)), signature))
    return lgc::invalidInput(path + ": its signature is not that of a key that is trusted");
  return Error::success();
}

} // namespace icd
