//===- TessAccess.cpp - reads and writes of tessellation data -------------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/tessellation/TessAccess.h"
#include "lgc/Ops.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {
namespace {

Type *withElement(Type *type, Type *element) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? FixedVectorType::get(element, vector->getNumElements()) : element;
}

/// i32 or <n x i32>, an element of the type each.
Type *wordsOf(IRBuilder<> &b, Type *type) { return withElement(type, b.getInt32Ty()); }

Value *toWords(IRBuilder<> &b, Value *value) {
  Type *type = value->getType();
  Type *bits = withElement(type, b.getIntNTy(type->getScalarSizeInBits()));
  return b.CreateZExt(b.CreateBitCast(value, bits), wordsOf(b, type));
}

Value *fromWords(IRBuilder<> &b, Value *words, Type *type) {
  Type *bits = withElement(type, b.getIntNTy(type->getScalarSizeInBits()));
  return b.CreateBitCast(b.CreateTrunc(words, bits), type);
}

} // namespace

Value *TessLds::pointer(Value *index) { return b.CreateInBoundsGEP(b.getInt32Ty(), memory, index); }

Value *TessLds::load(Type *type, Value *index) {
  return fromWords(b, b.CreateAlignedLoad(wordsOf(b, type), pointer(index), Align(4)), type);
}

void TessLds::store(Value *value, Value *index) {
  Value *words = toWords(b, value);
  b.CreateAlignedStore(words, pointer(index), Align(4));
}

TessBuffer::TessBuffer(IRBuilder<> &b, Value *descriptor, Value *base, uint32_t policy)
    : b(b), resource(b.CreateIntToPtr(b.CreateBitCast(descriptor, b.getInt128Ty()), b.getPtrTy(8))),
      base(base), policy(policy) {}

/// Why not a part of the lanes' offsets: the instructions' immediate reaches 4095 bytes only.
Value *TessBuffer::scalarOffset(uint32_t constant) {
  return constant ? b.CreateAdd(base, b.getInt32(constant)) : base;
}

Value *TessBuffer::load(Type *type, Value *offset, uint32_t constant) {
  Value *words = b.CreateIntrinsic(Intrinsic::amdgcn_raw_ptr_buffer_load, {wordsOf(b, type)},
                                   {resource, offset, scalarOffset(constant), b.getInt32(policy)});
  return fromWords(b, words, type);
}

void TessBuffer::store(Value *value, Value *offset, uint32_t constant) {
  Value *words = toWords(b, value);
  b.CreateIntrinsic(Intrinsic::amdgcn_raw_ptr_buffer_store, {words->getType()},
                    {words, resource, offset, scalarOffset(constant), b.getInt32(policy)});
}

Value *createLdsIndex(IRBuilder<> &b, const SlotSet &set, const SlotAccess &access, uint32_t start,
                      uint32_t stride, Value *record) {
  Value *index = b.getInt32(start + set.position(access.slot) * 4 + access.component);
  if (access.element)
    index = b.CreateAdd(b.CreateShl(access.element, 2), index);
  if (record)
    index = b.CreateAdd(b.CreateMul(record, b.getInt32(stride)), index);
  return index;
}

} // namespace lgc
