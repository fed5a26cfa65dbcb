//===- PartLayout.h - the resource mapping that a part is compiled with ---===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Pipeline.h"
#include "llpc/reflect/ResourceUsage.h"

namespace llpc {

/// What of \p mapping counts for code that uses \p usage, with places of its own; see
/// PartLayout.cpp for the rules. The mapping of a mapping so made is the same again. Errors:
/// InvalidInput for a binding or push constants that \p mapping lacks; Unsupported for what parts
/// cannot have.
llvm::Expected<lgc::ResourceMapping> partMapping(const lgc::ResourceMapping &mapping,
                                                 const ResourceUsage &usage);

} // namespace llpc
