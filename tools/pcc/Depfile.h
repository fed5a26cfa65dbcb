//===- Depfile.h - dependencies for make and ninja ------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace pcc {

/// A rule without commands, and one for each input, as `gcc -MP` writes them, so that an input that
/// is gone is none that nobody can make:
///
///     out.bin : \
///       in/a\ b.json
///
///     in/a\ b.json:
///
/// Errors: InvalidInput for names with line breaks, which cannot be written, and for those that end
/// with a backslash, which make and ninja read differently.
llvm::Expected<std::string> dependenciesOf(llvm::ArrayRef<std::string> outputs,
                                           llvm::ArrayRef<std::string> inputs);

} // namespace pcc
