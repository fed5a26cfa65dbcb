//===- UndefLanes.h - registers of which parts are undefined --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// detect-dead-lanes marks reads of parts that nothing has been put into. Without parts of that
/// kind it does nothing that matters; with them, register allocation crashes without the marks. It
/// takes an undefined scalar register in a vector register for a value (llvm-project issue 175596),
/// unless its use says so.
///   before: %b:sreg_32 = IMPLICIT_DEF;  %v:vreg_64 = REG_SEQUENCE %a, %subreg.sub0, %b,
///   %subreg.sub1 after:  %v:vreg_64 = REG_SEQUENCE %a, %subreg.sub0, undef %b, %subreg.sub1
#pragma once

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace lgc {

/// In front of detect-dead-lanes, while each register has one definition: marks parts that nothing
/// is put into. Are there any?
bool markUndefLanes(llvm::MachineFunction &function);

} // namespace lgc
