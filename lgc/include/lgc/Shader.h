//===- Shader.h - shape of the module that lgc takes ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The contract between a front end and lgc about the module itself:
///  - exactly one function without internal linkage that has a body: `void @lgc.shader.CS()`
///    (entryFunctionName). All others are internal and are called by it, without recursion.
///  - triple and data layout: a front end creates its module with dataLayoutString() and
///    targetTriple(); prepareModule sets both and writes the state.
///  - Private and Output variables are internal globals in addrspace(5), with an initializer or
///    undef; Workgroup variables are internal globals in addrspace(3), undef or zeroinitializer
///    (which asks for zero initialisation at run time).
///  - everything else is ordinary IR and the operations of Ops.def.
#pragma once

#include "lgc/Pipeline.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace lgc {

/// Name of the compute entry function that a front end defines.
inline constexpr llvm::StringLiteral entryFunctionName = "lgc.shader.CS";

/// "amdgcn-amd-amdpal"
llvm::StringRef targetTriple();
/// LLVM's AMDGPU data layout; the same for all targets.
llvm::StringRef dataLayoutString();

/// Sets triple and data layout and writes `state` (StateMetadata.h). Errors: InvalidInput when the
/// target is unknown or the module has no usable entry function.
llvm::Error prepareModule(llvm::Module &module, const PipelineState &state);

/// The entry function: entryFunctionName, or `_amdgpu_cs_main` after lgc-lower-entry-point. Null
/// when there is none.
llvm::Function *findEntryFunction(llvm::Module &module);

/// The wave size to compile for, 32 or 64: what the state forces, else a default (ir/Shader.cpp).
uint32_t chooseWaveSize(const PipelineState &state);

} // namespace lgc
