//===- LineTable.h - which source lines code was made of ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The sections of a code object that debuggers and disassemblers read: DWARF 4 with lines,
/// functions and where they were inlined, and names of values (lgc/DebugNames.h). Types and
/// variables are not described.
#pragma once

#include "lgc/direct/shader/Generate.h"
#include "pal_shim/abi/ElfWriter.h"
#include "llvm/ADT/ArrayRef.h"

namespace lgc::direct {

/// Code of one stage, and where it begins in the section of code.
struct PlacedCode {
  const ShaderCode *code;
  uint64_t offset;
};

/// Adds what is known of the places that \p stages were made of; nothing, where that is nothing.
/// The code is in section \p codeSection. Before all global symbols: it adds local ones.
void addLineTable(pal::abi::ElfBuilder &builder, uint16_t codeSection,
                  llvm::ArrayRef<PlacedCode> stages);

} // namespace lgc::direct
