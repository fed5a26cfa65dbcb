//===- MetadataSchema.h - shape check of metadata maps --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Checks a metadata document against the rows of Abi.def, so that the readers of typed fields and
/// of `.graphics_registers` may rely on kinds, ranges, lengths and enumeration strings.
#pragma once

#include "pal_shim/abi/MsgPack.h"

namespace pal::abi {

/// Checks the root map and everything below it that Abi.def describes. Keys without a row pass.
llvm::Error checkMetadataShape(llvm::msgpack::DocNode &root);

} // namespace pal::abi
