//===- Interrupt.h - Ctrl-C ends a run, and what is finished stays --------===//
// SPDX-License-Identifier: MIT
#pragma once

namespace cli {

/// From here on the first SIGINT or SIGTERM only asks to come to an end; the second one ends the
/// process at once. Of main(): signals are the process's.
void catchInterrupts();
/// Was it asked to? For any thread.
bool isInterrupted();
/// What a process returns then, as shells have it for SIGINT.
inline constexpr int interruptedExitCode = 130;

} // namespace cli
