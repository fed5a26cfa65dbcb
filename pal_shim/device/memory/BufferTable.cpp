//===- BufferTable.cpp - the list of buffer instructions -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Untyped buffer instructions of MUBUF and VBUFFER, and cache control; typed ones are in
/// TypedBuffer.cpp. Loads to LDS (gfx10) do not load: see decodeBuffer.
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/memory/Atomics.h"
#include "pal_shim/device/memory/BufferOps.h"
#include "pal_shim/device/memory/Fields.h"
#include "pal_shim/device/memory/MemNames.h"

namespace pal::device {

namespace {

#define KILN_BUFFER(name, older, newer, kernel)                                                    \
  {"buffer_" name " buffer_" older " buffer_" newer, runBuffer, decodeBuffer, &(kernel)},

const OpEntry table[] = {
    // clang-format off
    KILN_MEM_LOADS(KILN_BUFFER)
    KILN_MEM_STORES(KILN_BUFFER)
    KILN_MEM_ATOMICS(KILN_BUFFER)
    // clang-format on
    {"buffer_gl0_inv", runNothing, decodeNothing},
    {"buffer_gl1_inv", runNothing, decodeNothing},
};

} // namespace

llvm::ArrayRef<OpEntry> bufferOps() { return table; }

} // namespace pal::device
