//===- InputHash.h - what code was made of --------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "PipelineFile.h"

namespace pcc {

/// The variable that the compiler reads.
inline constexpr const char *levelVariable = "KILN_OPT_LEVEL";

/// Hash of everything that code depends on: the file, its modules, target, levelVariable and the
/// build of this program.
std::array<uint8_t, 16> inputsOf(const PipelineFile &file, llvm::StringRef target);

} // namespace pcc
