//===- RayQuery.h - ray queries and acceleration structures ----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/translate/Translator.h"

namespace llpc {

/// The value of an acceleration structure, its address, from a descriptor of one.
llvm::Value *addressOfStructure(Translator &t, llvm::Value *descriptor);

} // namespace llpc
