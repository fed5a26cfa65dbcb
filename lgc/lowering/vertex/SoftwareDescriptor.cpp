//===- SoftwareDescriptor.cpp - vertex buffers as address, size, stride ---===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/vertex/SoftwareDescriptor.h"

using namespace llvm;

namespace lgc {

/// Words of an entry of the table.
enum : uint64_t { addressHigh = 1, bytesWord = 2, strideWord = 3 };

Value *createByteDescriptor(IRBuilder<> &b, Value *entry, Value *rawWord3) {
  // HW: the stride is in bits 29:16 of word 1, above the address; out-of-bounds select in bits
  // 29:28 of word 3, of which 3 compares offsets and 1 indices.
  constexpr uint32_t strideOfOne = 1u << 16, offsetsCompared = 2u << 28;
  Value *high = b.CreateAnd(b.CreateExtractElement(entry, addressHigh), b.getInt32(0xFFFF));
  Value *word1 = b.CreateOr(high, b.getInt32(strideOfOne));
  Value *word3 = b.CreateAnd(rawWord3, b.getInt32(~offsetsCompared));
  Value *desc = b.CreateInsertElement(entry, word1, addressHigh);
  return b.CreateInsertElement(desc, word3, strideWord);
}

Value *createElementOffset(IRBuilder<> &b, Value *entry, Value *index) {
  Value *number = b.CreateZExt(index, b.getInt64Ty());
  Value *stride = b.CreateZExt(b.CreateExtractElement(entry, strideWord), b.getInt64Ty());
  return b.CreateMul(number, stride, "element");
}

Value *createByteIndex(IRBuilder<> &b, Value *entry, Value *elementOffset, Value *end) {
  Value *bytes = b.CreateZExt(b.CreateExtractElement(entry, bytesWord), b.getInt64Ty());
  Value *isOutside = b.CreateICmpSGT(elementOffset, b.CreateSub(bytes, end));
  Value *byte = b.CreateTrunc(elementOffset, b.getInt32Ty());
  return b.CreateSelect(isOutside, b.getInt32(~0u), byte, "byte");
}

} // namespace lgc
