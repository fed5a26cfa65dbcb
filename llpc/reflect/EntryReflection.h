//===- EntryReflection.h - reflection of an entry point -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Resources, traits and interface of one entry point from one walk over its code.
#pragma once

#include "llpc/EntryReflection.h"
#include "llpc/reflect/ResourceUsage.h"
#include "llpc/reflect/StageInterface.h"

namespace llpc {

/// Linear in the code that \p entry, which must belong to \p module, reaches; no recursion.
EntryReflection reflectEntry(const spirv::Module &module, const spirv::EntryPoint &entry);

} // namespace llpc
