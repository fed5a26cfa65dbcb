//===- ProcessEnd.h - what must be over before the process is -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Many programs end without destroying the device, and other threads of theirs may still be in the
/// driver. Static objects of LLVM go away then, under whoever compiles. So exit() waits for what is
/// being compiled, and nothing new begins:
///
///     StaticsInUse inUse;
///     if (!inUse)
///       return processEnds();
///     ... LLVM ...
///
/// State of the process, since exit() is one of the process.
#pragma once

#include "llvm/Support/Error.h"

namespace icd {

/// Keeps exit() waiting while it lives, if it could be had. A thread that ends the process while it
/// has one itself is not waited for.
class StaticsInUse {
public:
  StaticsInUse();
  ~StaticsInUse();
  StaticsInUse(const StaticsInUse &) = delete;
  StaticsInUse &operator=(const StaticsInUse &) = delete;

  /// False: the process is ending.
  explicit operator bool() const { return entered; }

private:
  bool entered;
};

/// exit() has come so far that nothing may begin any more: it has called one of our functions.
bool isProcessEnding();
/// What functions say that callAtProcessEnd() gets, before anything else: whoever goes on to call
/// it would keep exit() busy for ever.
void beginProcessEnd();
/// Unsupported.
llvm::Error processEnds();

/// Calls \p function with \p argument when the process ends or the library goes away, before the
/// static objects do that exist now. False: the system has no memory for that.
bool callAtProcessEnd(void (*function)(void *), void *argument);

} // namespace icd
