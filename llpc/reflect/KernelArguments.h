//===- KernelArguments.h - where a kernel finds its arguments -------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/Kernels.h"
#include "llpc/spirv/KernelDialect.h"

namespace llpc {

/// kernelInterface() (llpc/Kernels.h) of an entry point of the execution model Kernel.
llvm::Expected<KernelInterface> kernelInterfaceOf(const spirv::Module &module,
                                                  const spirv::EntryPoint &entry);

/// The sampler that an OpConstantSampler is.
KernelSampler literalSampler(const spirv::Inst &constant);

/// Is what the pointer \p parameter points to passed by value (FuncParamAttr ByVal)? The function
/// has a copy of its own then.
bool isByValue(const spirv::Module &module, const spirv::Inst &parameter);

} // namespace llpc
