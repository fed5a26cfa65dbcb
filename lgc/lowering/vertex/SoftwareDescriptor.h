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

/// Where element number \p index (i32) begins, i64: the stride is any number of 32 bits.
llvm::Value *createElementOffset(llvm::IRBuilder<> &b, llvm::Value *entry, llvm::Value *index);

/// The same as i32, or a number that no buffer has where the element does not have \p end bytes
/// (i64) in the buffer.
llvm::Value *createByteIndex(llvm::IRBuilder<> &b, llvm::Value *entry, llvm::Value *elementOffset,
                             llvm::Value *end);

} // namespace lgc
