//===- CheckSpills.h - does every spilled unit come back? -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Follows a program whose units have been spilled along all paths, side by side with what it was
/// before, and finds instructions whose copies of spilled units do not hold what was written last,
/// loads from slots that have been overwritten or were not written, and copies of VGPRs that
/// outlive a change of EXEC. It knows nothing of intervals. Runs with `-verify-ir`, and in tests.
#pragma once

#include "lgc/direct/shader/SpillRewrite.h"
#include <string>

namespace lgc::direct {

/// Empty: nothing is wrong.
std::string checkSpills(const Program &before, const Program &after, const SpillChoice &choice,
                        const SpillTrace &trace);

} // namespace lgc::direct
