//===- Hash.h - hashes of words -------------------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/Hasher.h"

namespace llpc {

/// XXH3-128 of 32-bit words, each encoded little-endian.
Hash128 hashWords(llvm::ArrayRef<uint32_t> words);
/// The two 64-bit halves of a hash, most significant first.
std::array<uint64_t, 2> halves(const Hash128 &hash);

} // namespace llpc
