//===- Capabilities.h - what of SPIR-V is implemented ---------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/spirv/Grammar.h"

namespace llpc::spirv {

/// The only list of what modules may declare.
llvm::ArrayRef<spv::Capability> supportedCapabilities();
bool isSupported(spv::Capability capability);
/// What modules of the Kernel dialect may declare besides.
llvm::ArrayRef<spv::Capability> kernelCapabilities();
/// True for enumerants (execution modes, decorations, operands ...) that need no capability, or of
/// whose capabilities one is supported.
bool isSupported(const EnumInfo &info);

} // namespace llpc::spirv
