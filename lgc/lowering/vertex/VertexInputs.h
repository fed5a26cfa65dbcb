//===- VertexInputs.h - numbers of vertices and instances -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What built-in inputs and the fetch of attributes share.
#pragma once

#include "lgc/Interface.h"
#include "llvm/IR/IRBuilder.h"

namespace lgc {

/// An i32 that the hardware puts into a register, and one that the driver passes as user data.
llvm::Value *createHwValue(llvm::IRBuilder<> &b, HwValue value, const llvm::Twine &name);
llvm::Value *createSpecialUserData(llvm::IRBuilder<> &b, uint32_t special, const llvm::Twine &name);

/// Vulkan's VertexIndex.
llvm::Value *createVertexIndex(llvm::IRBuilder<> &b);
/// The element that an instance reads of a buffer with this divisor; with divisor 1 Vulkan's
/// InstanceIndex, with 0 the first instance's for all.
llvm::Value *createInstanceIndex(llvm::IRBuilder<> &b, uint32_t divisor);
/// The same of a number of the instance in the draw and a first instance.
llvm::Value *createInstanceIndex(llvm::IRBuilder<> &b, llvm::Value *id, llvm::Value *base,
                                 uint32_t divisor);

} // namespace lgc
