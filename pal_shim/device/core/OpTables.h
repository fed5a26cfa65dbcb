//===- OpTables.h - the list of all operations -----------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/core/RawInstr.h"

namespace pal::device {

/// All tables of OpTables.def.
llvm::ArrayRef<OpTableFunc> allOpTables();

#define KILN_OP_TABLE(function) llvm::ArrayRef<OpEntry> function();
#include "pal_shim/device/core/OpTables.def"

} // namespace pal::device
