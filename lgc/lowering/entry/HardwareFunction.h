//===- HardwareFunction.h - functions of hardware stages ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// For the passes that make `lgc.hw.*` out of shaders, and for LowerAttributes.
#pragma once

#include "lgc/Pipeline.h"
#include "pal_shim/abi/AbiNames.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Attributes.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace lgc {

/// Of functions of graphics pipelines: loops are not unrolled.
inline constexpr llvm::StringLiteral noUnrollAttribute = "lgc-no-unroll";

/// "target-features" of code that runs in waves of this many lanes: 32 or 64.
llvm::StringRef targetFeatures(uint32_t waveSize, bool wgpMode = true);

/// Attributes of code that runs in a hardware stage: processor, wave size, float modes, limits.
llvm::AttrBuilder hardwareAttributes(llvm::LLVMContext &context, const PipelineState &state,
                                     pal::abi::HardwareStage stage);

/// Makes `void @lgc.hw.GS()` (hardwareFunctionName) with the attributes of its stage and without a
/// block, at the end of the module.
llvm::Function &createHardwareFunction(llvm::Module &module, const PipelineState &state,
                                       pal::abi::HardwareStage stage);

} // namespace lgc
