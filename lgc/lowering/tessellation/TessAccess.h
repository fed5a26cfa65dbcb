//===- TessAccess.h - reads and writes of tessellation data ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Loads and stores of the places that TessLayout.h describes, for one shader function. Values take
/// a dword per element, 16-bit ones too.
#pragma once

#include "lgc/lowering/tessellation/TessLayout.h"
#include "llvm/IR/IRBuilder.h"

namespace lgc {

/// LDS of the threadgroup. Indices are in dwords.
class TessLds {
public:
  TessLds(llvm::IRBuilder<> &b, llvm::Value *memory) : b(b), memory(memory) {}
  llvm::Value *load(llvm::Type *type, llvm::Value *index);
  void store(llvm::Value *value, llvm::Value *index);

private:
  llvm::Value *pointer(llvm::Value *index);
  llvm::IRBuilder<> &b;
  llvm::Value *memory; ///< ptr addrspace(3)
};

/// A buffer of the driver: the off-chip buffer or the ring of the tessellation factors. `base` is
/// the SGPR with the threadgroup's place in it, bytes. \p policy: bits of buffer instructions.
class TessBuffer {
public:
  TessBuffer(llvm::IRBuilder<> &b, llvm::Value *descriptor, llvm::Value *base, uint32_t policy);
  /// \p constant bytes that are the same for all lanes, \p offset of the lane.
  llvm::Value *load(llvm::Type *type, llvm::Value *offset, uint32_t constant);
  void store(llvm::Value *value, llvm::Value *offset, uint32_t constant);

private:
  llvm::Value *scalarOffset(uint32_t constant);
  llvm::IRBuilder<> &b;
  llvm::Value *resource; ///< ptr addrspace(8)
  llvm::Value *base;
  uint32_t policy;
};

/// Index of the first dword of an access in LDS: record `record` (null for 0) of the array that
/// starts at dword `start` and whose records, `stride` dwords long, hold `set`.
llvm::Value *createLdsIndex(llvm::IRBuilder<> &b, const SlotSet &set, const SlotAccess &access,
                            uint32_t start, uint32_t stride, llvm::Value *record);

} // namespace lgc
