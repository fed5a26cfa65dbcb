//===- KernelDialect.h - SPIR-V of OpenCL kernels -------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The dialect of "OpenCL SPIR-V Environment Specification": capability Kernel, addresses of 64
/// bits, entry points with parameters. Vulkan knows none of it, so modules of it are read only
/// where someone asks for them.
#pragma once

#include "llpc/spirv/Module.h"

namespace llpc::spirv {

/// Module::parse() that takes both dialects.
/// Errors: as Module::parse(); Unsupported for the addressing model Physical32.
llvm::Expected<std::unique_ptr<Module>> parseKernels(llvm::ArrayRef<uint8_t> bytes,
                                                     const Limits &limits = {});

/// Is it a module of this dialect? Its memory model is OpenCL's then, its addressing model
/// Physical64.
inline bool isKernelModule(const Module &module) {
  return module.hasCapability(spv::Capability::Kernel);
}

/// Is the last operand of an OpExtInst of OpenCL.std a literal, though the grammar says that all
/// are ids? A number of components, or a rounding mode.
bool endsWithLiteral(const Module &module, const Inst &inst);

} // namespace llpc::spirv
