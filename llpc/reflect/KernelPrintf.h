//===- KernelPrintf.h - what a module of kernels prints -------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/Kernels.h"
#include "llpc/spirv/KernelDialect.h"

namespace llpc {

/// Every printf of OpenCL.std in the module, in its order.
std::vector<const spirv::Inst *> printfCalls(const spirv::Module &module);

/// Format and values of a call. Errors: InvalidInput; Unsupported for a format that is no constant,
/// and for values that are neither numbers nor pointers.
llvm::Expected<KernelPrintf> printfOf(const spirv::Module &module, const spirv::Inst &call);

} // namespace llpc
