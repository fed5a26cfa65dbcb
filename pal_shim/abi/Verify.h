//===- Verify.h - what makes a PAL code object loadable and right ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// PAL itself checks almost nothing: a code object with a missing wavefront size or a hole in its
/// user data map loads with Success and hangs the GPU later. These rules say what a code object
/// must fulfil; they run on every ELF that the compiler emits, on every ELF that comes back from a
/// cache, and in the tool pal-verify.
///
/// Rules are rows of three tables, in this order; a table is only entered when what it needs could
/// be read: elf (the file), metadata (the note's pipeline level), stage (each hardware stage).
/// Rules say themselves to which pipeline types they apply, so graphics rules are further rows.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace pal::abi {

struct GpuTarget;

struct Violation {
  llvm::StringRef rule; ///< id of the rule, "user-data-holes"
  std::string message;  ///< the place, what is wrong, what was expected
};

/// Returns every violation found, in the order of the rules; empty means clean.
/// \p expectedTarget: the device for which the code is meant, or null to take any known one from
/// the ELF header.
std::vector<Violation> verifyCodeObject(llvm::ArrayRef<uint8_t> elf,
                                        const GpuTarget *expectedTarget);

class ElfObject;
class PipelineMetadata;

/// The same for a file that has been read already. \p metadata: of its note, or null when it has
/// none; then only the rules of the file are looked at.
std::vector<Violation> verifyCodeObject(const ElfObject &elf, const PipelineMetadata *metadata,
                                        const GpuTarget *expectedTarget);

/// Id and meaning of a rule, for documentation and tests.
struct RuleInfo {
  llvm::StringRef id;
  llvm::StringRef description;
};
std::vector<RuleInfo> allRules();

} // namespace pal::abi
