//===- LoadOffsets.h - places of bindings as offsets of scalar loads ------===//
// SPDX-License-Identifier: MIT
/// \file
/// In a relocatable part (lgc/Part.h), instruction selection makes an instruction of every place
/// that linking fills in. A scalar load has room for it in itself, in its immediate offset, but
/// LLVM has no relocation for that. Two passes around register allocation and a step behind the
/// assembly printer make one:
///
///   selected:   %1:sreg_32 = S_MOV_B32 target-flags(amdgpu-abs32-lo) @kiln.table.0.3
///               %2:sgpr_128 = S_LOAD_DWORDX4_SGPR_IMM %0, %1, 32, 0
///   folded:     %2:sgpr_128 = S_LOAD_DWORDX4_IMM %0, 32, 0, pre-instr-symbol <mcsymbol
///               kiln.table.0.3>
///   marked:     kiln.at.0.table.0.3:   (a label in .text)
///               s_load_b128 s[0:3], s[4:5], 0x20
///   code object: a relocation of type pal::abi::elf::loadOffsetRelocation, no label
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class MachineFunction;
class MachineFunctionPass;
} // namespace llvm

namespace pal::abi {
struct ElfImage;
class ElfObject;
} // namespace pal::abi

namespace lgc {

/// Labels: this, a number, ".", the symbol's name without pal::abi::elf::partSymbolPrefix.
inline constexpr llvm::StringLiteral loadOffsetMarkPrefix = "kiln.at.";

/// Folds what linking fills in into scalar loads, as far as they are; true when there is any.
bool foldLoadOffsets(llvm::MachineFunction &function);
/// A pass that does so in parts. Before PHI elimination; behind all that merges loads, which would
/// only see equal offsets.
llvm::MachineFunctionPass *createFoldLoadOffsetsPass();
/// In front of the printer; takes bundles apart, in which it prints no labels.
llvm::MachineFunctionPass *createMarkLoadOffsetsPass();

/// Does a code object have the marks of that pass?
bool hasLoadOffsetMarks(const pal::abi::ElfObject &object);
/// `image`, which was made of `object`: labels become relocations against the symbols that they
/// name, which are undefined. Errors: Internal.
llvm::Error convertLoadOffsetMarks(const pal::abi::ElfObject &object, pal::abi::ElfImage &image);

} // namespace lgc
