//===- KeyBytes.h - keys as Vulkan has them -------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Every key of the driver is the hash of a canonical encoding (llpc/Hasher.h), so it is the same
/// in every process and on every machine.
#pragma once

#include "llpc/Hasher.h"

namespace icd {

/// A hash as Vulkan's identifiers and keys have it: 16 bytes, most significant first.
using KeyBytes = std::array<uint8_t, 16>;
KeyBytes bytesOf(const llpc::Hash128 &hash);
llpc::Hash128 hashOf(const uint8_t *bytes);

} // namespace icd
