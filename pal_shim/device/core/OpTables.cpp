//===- OpTables.cpp - the list of all operations ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// One line per file of operations. A mnemonic may occur in several entries when their generations
/// differ; OpTablesTest checks that no pair overlaps.
#include "pal_shim/device/core/OpTables.h"

namespace pal::device {

namespace {
constexpr OpTableFunc tables[] = {
#define KILN_OP_TABLE(function) function,
#include "pal_shim/device/core/OpTables.def"
};
} // namespace

llvm::ArrayRef<OpTableFunc> allOpTables() { return tables; }

} // namespace pal::device
