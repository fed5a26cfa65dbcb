//===- KeyBytes.cpp - keys as Vulkan has them -----------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/key/KeyBytes.h"
#include "llvm/Support/Endian.h"

namespace icd {

KeyBytes bytesOf(const llpc::Hash128 &hash) {
  KeyBytes bytes;
  for (size_t i = 0; i < hash.size(); ++i)
    llvm::support::endian::write32be(bytes.data() + 4 * i, hash[i]);
  return bytes;
}

llpc::Hash128 hashOf(const uint8_t *bytes) {
  llpc::Hash128 hash;
  for (size_t i = 0; i < hash.size(); ++i)
    hash[i] = llvm::support::endian::read32be(bytes + 4 * i);
  return hash;
}

} // namespace icd
