//===- Shorten.h - what instructions need not say --------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/direct/shader/Program.h"

namespace lgc::direct {

/// Takes out what code does without, once waits are in it and hazards are mended, so that nothing
/// becomes a hazard by it:
///   - jumps of waves without lanes over a few vector instructions, which do nothing then;
///   - masks are saved by the instruction that narrows EXEC;
///   - waits for what has been waited for already.
void shortenCode(Program &program);

} // namespace lgc::direct
