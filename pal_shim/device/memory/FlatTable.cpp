//===- FlatTable.cpp - the list of flat, global and scratch instructions ---===//
// SPDX-License-Identifier: MIT
/// \file
/// Not here, because shaders never have them: matrix transpose loads (global_load_tr_*), block
/// loads and stores of call spills (*_block, only with a subtarget feature of gfx12.5), loads to
/// LDS.
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/memory/Atomics.h"
#include "pal_shim/device/memory/Fields.h"
#include "pal_shim/device/memory/FlatOps.h"
#include "pal_shim/device/memory/MemNames.h"

namespace pal::device {

namespace {

#define KILN_ROW(prefix, run, name, older, newer, kernel)                                          \
  {prefix name " " prefix older " " prefix newer, run, decodeFlat, &kernel},
#define KILN_FLAT(name, older, newer, kernel)                                                      \
  KILN_ROW("flat_", runFlat, name, older, newer, (kernel))
#define KILN_GLOBAL(name, older, newer, kernel)                                                    \
  KILN_ROW("global_", runGlobal, name, older, newer, (kernel))
#define KILN_SCRATCH(name, older, newer, kernel)                                                   \
  KILN_ROW("scratch_", runScratch, name, older, newer, (kernel))

const OpEntry table[] = {
    // clang-format off
    KILN_MEM_LOADS(KILN_FLAT)
    KILN_MEM_STORES(KILN_FLAT)
    KILN_MEM_ATOMICS(KILN_FLAT)
    KILN_MEM_LOADS(KILN_GLOBAL)
    KILN_MEM_STORES(KILN_GLOBAL)
    KILN_MEM_ATOMICS(KILN_GLOBAL)
    KILN_MEM_LOADS(KILN_SCRATCH)
    KILN_MEM_STORES(KILN_SCRATCH)
    // clang-format on
    {"global_load_addtid_b32 global_load_dword_addtid", runGlobalAddTid, decodeFlat, &loadOp<1>},
    {"global_store_addtid_b32 global_store_dword_addtid", runGlobalAddTid, decodeFlat, &storeOp<1>},
    {"global_atomic_ordered_add_b64", runGlobal, decodeFlat, &atomic64<atomic::orderedAdd>},
    {"global_inv", runNothing, decodeNothing},
    {"global_wb", runNothing, decodeNothing},
    {"global_wbinv", runNothing, decodeNothing},
};

} // namespace

llvm::ArrayRef<OpEntry> flatOps() { return table; }

} // namespace pal::device
