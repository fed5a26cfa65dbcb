//===- Spill.h - registers where there are not enough ---------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/direct/shader/Program.h"
#include <string>

namespace lgc::direct {

/// Makes registers of all operands, and moves what has none to scratch and to lanes of VGPRs
/// (SpillRewrite.h). Where nothing has to be spilled it does what allocateRegisters() does, which
/// takes as long. False: \p refusal says why not. \p isVerified: CheckAllocation.h and
/// CheckSpills.h look at the result; what is wrong ends the process.
bool allocateAll(Program &program, bool isVerified, std::string &refusal);

} // namespace lgc::direct
