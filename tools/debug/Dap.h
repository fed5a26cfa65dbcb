//===- Dap.h - the Debug Adapter Protocol -----------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// https://microsoft.github.io/debug-adapter-protocol: messages in JSON over standard input and
/// output, as editors send them. Threads are the lanes of the wave that has stopped.
#pragma once

namespace debug {

/// Until the client disconnects, or its input ends. Returns the exit code of the program.
int serveDap();

} // namespace debug
