//===- SoftwareDescriptor.cpp - vertex buffers as address, size, stride ---===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/vertex/SoftwareDescriptor.h"

using namespace llvm;

namespace lgc {

/// Words of an entry of the table.
enum : uint64_t { addressHigh = 1, bytesWord = 2, strideWord = 3 };
/// Beyond all buffers.
constexpr uint32_t noByte = ~0u;

Value *createByteDescriptor(IRBuilder<> &b, Value *entry, Value *rawWord3) {
  // HW: the stride is in bits 29:16 of word 1, above the address; out-of-bounds select in bits
  // 29:28 of word 3, of which 3 compares offsets and 1 indices.
  constexpr uint32_t strideOfOne = 1u << 16, offsetsCompared = 2u << 28;
  Value *high = b.CreateExtractElement(entry, addressHigh);
  Value *word1 = b.CreateOr(high, b.getInt32(strideOfOne));
  Value *word3 = b.CreateAnd(rawWord3, b.getInt32(~offsetsCompared));
  Value *desc = b.CreateInsertElement(entry, word1, addressHigh);
  return b.CreateInsertElement(desc, word3, strideWord);
}

Value *createElementByte(IRBuilder<> &b, Value *entry, Value *index) {
  Value *number = b.CreateZExt(index, b.getInt64Ty());
  Value *stride = b.CreateZExt(b.CreateExtractElement(entry, strideWord), b.getInt64Ty());
  Value *product = b.CreateMul(number, stride);
  Value *low = b.CreateTrunc(product, b.getInt32Ty());
  Value *high = b.CreateTrunc(b.CreateLShr(product, 32), b.getInt32Ty());
  Value *fits = b.CreateICmpEQ(high, b.getInt32(0));
  return b.CreateSelect(fits, low, b.getInt32(noByte), "element");
}

Value *createByteIndex(IRBuilder<> &b, Value *entry, Value *elementByte, Value *lastByte) {
  // How many places there are where an element may begin.
  Value *bytes = b.CreateExtractElement(entry, bytesWord);
  Value *places = b.CreateBinaryIntrinsic(Intrinsic::usub_sat, bytes, lastByte);
  Value *isInside = b.CreateICmpULT(elementByte, places);
  return b.CreateSelect(isInside, elementByte, b.getInt32(noByte), "byte");
}

} // namespace lgc
