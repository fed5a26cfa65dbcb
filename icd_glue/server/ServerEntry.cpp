//===- ServerEntry.cpp - code of a pipeline on a server -------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/server/ServerEntry.h"

using llvm::ArrayRef;
using llvm::StringRef;

namespace icd {
namespace {

constexpr StringRef format("kiln driver entry 1");
constexpr StringRef head("KLDV\1\0\0\0", 8);

/// Names are of one length, so that nothing can be moved from one to the other.
std::string signedText(StringRef name, StringRef content) {
  return (format + name + content).str();
}

StringRef textOf(ArrayRef<uint8_t> bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

} // namespace

std::string serverNameOf(const Key32 &nameKey, StringRef compiler, StringRef target,
                         ArrayRef<uint8_t> key) {
  return "kiln:" + hexOf(keyedHash(nameKey, {format, compiler, target, textOf(key)}));
}

std::string serverValueOf(const Signer &signer, StringRef name, ArrayRef<uint8_t> record) {
  std::string value = head.str();
  value += textOf(record);
  const std::string signature = signer.sign(signedText(name, value));
  return signature.empty() ? signature : value + signature;
}

std::optional<ArrayRef<uint8_t>> recordOf(const Verifier &verifier, StringRef name,
                                          StringRef value) {
  if (value.size() < head.size() + signatureBytes || !value.starts_with(head))
    return std::nullopt;
  const StringRef content = value.drop_back(signatureBytes);
  if (!verifier.isSigned(signedText(name, content), value.take_back(signatureBytes)))
    return std::nullopt;
  const StringRef record = content.drop_front(head.size());
  return ArrayRef(reinterpret_cast<const uint8_t *>(record.data()), record.size());
}

} // namespace icd
