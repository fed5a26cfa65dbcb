//===- CheckedBytes.h - bytes with a checksum in front --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// How the cache on disk keeps bytes: behind a checksum that also covers the key, so that neither
/// damage nor a mixed-up row ever comes out as something else.
///
///   u64 XXH3-64 of key and bytes, little-endian | bytes
#pragma once

#include "llpc/Compiler.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <vector>

namespace icd {

/// What is larger is not kept.
constexpr size_t mostCheckedBytes = 64 << 20;

std::vector<uint8_t> withChecksum(const llpc::Hash128 &key, llvm::ArrayRef<uint8_t> bytes);

/// The bytes in \p stored; none: this is not what withChecksum() made for \p key.
std::optional<llvm::ArrayRef<uint8_t>> checkedBytes(const llpc::Hash128 &key,
                                                    llvm::ArrayRef<uint8_t> stored);

} // namespace icd
