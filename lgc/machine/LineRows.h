//===- LineRows.h - which instructions line tables have rows of ------------===//
// SPDX-License-Identifier: MIT
#pragma once

namespace llvm {
class MachineFunction;
}

namespace lgc {

/// Directly in front of the printer. It makes a row for a bundle, by its first instruction, and
/// what has no location counts to the row before it. Here bundles, which are only printed from now
/// on, come apart, and what has no location gets that of the instruction before it in its block,
/// without the name of a value (lgc/DebugNames.h).
bool separateLines(llvm::MachineFunction &function);

} // namespace lgc
