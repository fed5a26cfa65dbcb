//===- ServerEntry.h - code of a pipeline on a server ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What drivers find on a server: code by the driver's own key of a pipeline, which is made of what
/// Vulkan says of it. Neither name nor value say how a driver makes code (KILN_PARTS, KILN_TIER):
/// what is there is complete code of the compiler's best tier, which serves all of them.
///
///     name    "kiln:" and BLAKE3 with the naming key of format, compiler, target and key
///     value   "KLDV" | u8 1 | u8[3] 0 | record (cache/Record.h) | Ed25519 of the name and all of
///     it
///
/// Why a signature here and not a seal as between farms (tools/farm/SharedTier.h): who can check a
/// seal can make one, and drivers run on machines of people who only read.
#pragma once

#include "icd_glue/server/Signature.h"

namespace icd {

/// \p compiler: compilerIdentity(). \p key: 16 bytes.
std::string serverNameOf(const Key32 &nameKey, llvm::StringRef compiler, llvm::StringRef target,
                         llvm::ArrayRef<uint8_t> key);
/// Empty: it cannot be signed.
std::string serverValueOf(const Signer &signer, llvm::StringRef name,
                          llvm::ArrayRef<uint8_t> record);
/// The record, which belongs to \p value; none for what was not made for \p name by whom one
/// trusts.
std::optional<llvm::ArrayRef<uint8_t>> recordOf(const Verifier &verifier, llvm::StringRef name,
                                                llvm::StringRef value);

} // namespace icd
