//===- MachineStep.h - a pass out of a function ---------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/StringRef.h"
#include <functional>

namespace llvm {
class FunctionPass;
class MachineFunction;
class TargetInstrInfo;
} // namespace llvm

namespace lgc {

/// Changes instructions of a function, not its blocks; true when it changed something.
using MachineStep = std::function<bool(llvm::MachineFunction &)>;

/// A pass that runs `step` in every machine function and keeps all analyses. `name` must outlive
/// the pass.
llvm::FunctionPass *createMachineStepPass(llvm::StringRef name, MachineStep step);

/// The opcode of LLVM's name `name`, which there must be. Slow: looks at all of them.
unsigned findOpcode(const llvm::TargetInstrInfo &info, llvm::StringRef name);

} // namespace lgc
