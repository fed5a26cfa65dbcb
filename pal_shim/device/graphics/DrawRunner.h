//===- DrawRunner.h - one draw from vertices to surfaces -------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/core/Dispatch.h"
#include "pal_shim/device/core/UserData.h"

namespace pal::device {

struct DrawInfo;

/// Runs \p draw, whose program is \p program, to its end. Errors: DeviceFault.
llvm::Error runDraw(DispatchContext &context, const LoadedProgram &program, const DrawInfo &draw,
                    std::shared_ptr<const RegionTable> memory);

/// Values of the user data of one view of a draw, PAL's culling data among them.
UserDataValues drawUserData(const LoadedProgram &program, const DrawInfo &draw, uint32_t view);

/// Refuses state that no driver could have meant: numbers outside of their enumerations, counts
/// beyond their limits. Errors: DeviceFault BadLaunch.
llvm::Error checkDraw(const DrawInfo &draw);

} // namespace pal::device
