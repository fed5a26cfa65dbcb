//===- SoftwareDescriptor.h - vertex buffers as address, size, stride -----===//
// SPDX-License-Identifier: MIT
/// \file
/// What becomes of an entry {address, upper half, bytes, stride} of the table of vertex buffers
/// (VertexFetch.h): a descriptor of bytes, and the number of a byte. The hardware compares nothing
/// but that number with the number of bytes; whether all of an attribute is inside is compared here
/// (Vulkan, robustBufferAccess2: an attribute is out of bounds as a whole, and is zeros then).
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace lgc {

/// A V# of elements of one byte, of \p entry (<4 x i32>) and of a last word for raw buffers.
llvm::Value *createByteDescriptor(llvm::IRBuilder<> &b, llvm::Value *entry, llvm::Value *rawWord3);

/// Where element number \p index (i32) begins; ~0 if that does not fit 32 bits: the stride is any
/// number of 32 bits.
llvm::Value *createElementByte(llvm::IRBuilder<> &b, llvm::Value *entry, llvm::Value *index);

/// The same, or ~0 where the element has no byte with the number \p lastByte (i32) in the buffer.
llvm::Value *createByteIndex(llvm::IRBuilder<> &b, llvm::Value *entry, llvm::Value *elementByte,
                             llvm::Value *lastByte);

} // namespace lgc
