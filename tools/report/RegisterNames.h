//===- RegisterNames.h - variables of the source in registers --------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "tools/report/LiveRegisters.h"

namespace report {

/// Variables of which the register holds a value where \p instruction is: those for which its last
/// writers computed it, also where they copied it. \p variables is by instruction; empty: none is
/// known.
std::vector<std::string> variablesIn(const MachineCode &code, const ControlFlow &flow,
                                     llvm::ArrayRef<std::string> variables, uint32_t instruction,
                                     RegRange wanted);

} // namespace report
