//===- BufferAccess.h - typed accesses as buffer instructions -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Splits a load or store of any LLVM type that has a whole number of bytes into the widths that
/// buffer instructions have (1, 2, 4, 8, 12 and 16 bytes; scalar loads 4 to 64), and converts
/// between the pieces and the type.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace lgc {

/// A byte in a buffer. The parts are kept apart so that the constant reaches the instruction.
struct BufferAddress {
  llvm::Value *resource = nullptr; ///< ptr addrspace(8)
  llvm::Value *offset = nullptr;   ///< i32, without the constant part; null for 0
  uint32_t constant = 0;           ///< bytes, added modulo 2^32
};

/// Can the type be accessed? (Integer, float and pointer scalars and vectors, whole bytes.)
bool isBufferType(const llvm::DataLayout &layout, llvm::Type *type);

/// `bits` is the cache policy operand; `source` gives the metadata (invariant, alias scopes).
/// `ordered` loads (atomic, volatile) are never moved, merged or dropped.
llvm::Value *emitBufferLoad(llvm::IRBuilderBase &b, const BufferAddress &address, llvm::Type *type,
                            llvm::Align align, uint32_t bits, bool ordered,
                            const llvm::Instruction *source);
void emitBufferStore(llvm::IRBuilderBase &b, const BufferAddress &address, llvm::Value *value,
                     llvm::Align align, uint32_t bits, const llvm::Instruction *source);
/// Scalar load. Requires: descriptor and offset uniform, memory never written while the shader
/// runs, `align` at least min(4, size of the type).
llvm::Value *emitScalarBufferLoad(llvm::IRBuilderBase &b, const BufferAddress &address,
                                  llvm::Type *type, llvm::Align align, unsigned gfxMajor);
bool canUseScalarLoad(const llvm::DataLayout &layout, llvm::Type *type, llvm::Align align);

/// Word 3 of the V# of raw bytes: no stride, accesses beyond the records of word 2 do nothing.
uint32_t rawBufferWord3(unsigned gfxMajor);

/// The V# behind a ptr addrspace(8), as <4 x i32>.
llvm::Value *descriptorOfResource(llvm::IRBuilderBase &b, llvm::Value *resource);
/// The address in \p words, a buffer descriptor (<4 x i32>).
llvm::Value *createBufferBase(llvm::IRBuilderBase &b, llvm::Value *words);
/// Bytes that a raw V# describes. A driver rounds the records of a storage buffer up to whole
/// dwords, because scalar loads of bytes and halves read the dword around them, and notes in the
/// V#'s index stride (which hardware ignores in a buffer that is not swizzled) by how much.
llvm::Value *createBufferLength(llvm::IRBuilderBase &b, llvm::Value *words);
/// offset + constant.
llvm::Value *fullOffset(llvm::IRBuilderBase &b, const BufferAddress &address);

/// Bit casts that also take pointers and vectors of them.
llvm::Value *fromBits(llvm::IRBuilderBase &b, llvm::Value *bits, llvm::Type *type);
llvm::Value *toBits(llvm::IRBuilderBase &b, llvm::Value *value, llvm::Type *bitsType);
/// Joins same-typed integers (or vectors of them) to one vector of `elementBits` elements and casts
/// it to `type`.
llvm::Value *joinPieces(llvm::IRBuilderBase &b, llvm::ArrayRef<llvm::Value *> pieces,
                        unsigned elementBits, llvm::Type *type);

} // namespace lgc
