//===- InputFile.h - files that are read ----------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <vector>

namespace pcc {

inline constexpr uint64_t maxJsonBytes = 16 << 20, maxModuleBytes = 64 << 20,
                          maxCacheBytes = uint64_t(4) << 30;

/// Not of pipes, devices and folders, which may not end. Errors: InvalidInput, without the path.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readFile(const std::string &path,
                                                             uint64_t most);

/// SPIR-V, little-endian, as words. Errors: InvalidInput if it is nothing of the kind.
using Words = std::shared_ptr<const std::vector<uint32_t>>;
llvm::Expected<Words> wordsOf(llvm::StringRef bytes);

} // namespace pcc
