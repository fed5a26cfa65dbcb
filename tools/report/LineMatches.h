//===- LineMatches.h - lines of one text in a later one -------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <vector>

namespace report {

/// For each line of \p before (element 0 is line 1) the number of that line in \p after; 0: it is
/// gone. Lines of equal text, but for blanks around it, in order; those between them in turn.
std::vector<uint32_t> matchLines(llvm::StringRef before, llvm::StringRef after);

} // namespace report
