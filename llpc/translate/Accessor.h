//===- Accessor.h - loads and stores of scalars and vectors ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What accesses of SPIR-V come down to. Coherent ones become monotonic LLVM atomics, element by
/// element, because LLVM keeps those out of caches that other workgroups do not share.
#pragma once

#include "llpc/translate/TranslatorState.h"
#include "llvm/Support/MathExtras.h"

namespace llpc {

/// One access: everything that stays the same while an aggregate is taken apart.
struct Accessor {
  static constexpr uint64_t maxLoopBytes = 1u << 14;
  Translator &t;
  spv::StorageClass storage;
  const Translator::Access &access;
  const Inst &place;
  bool invariant = false;
  uint64_t elements = 0;

  llvm::Error count(uint64_t n) {
    elements += n;
    if (elements > limits::maxAggregateElements)
      return lgc::limitExceeded(spirv::place(place) + ": access of more than " +
                                llvm::Twine(limits::maxAggregateElements) + " elements");
    return llvm::Error::success();
  }
  bool isAtomic() const { return access.coherent || access.syncScope; }
  bool is64BitAddress() const { return storage == spv::StorageClass::PhysicalStorageBuffer; }

  llvm::Value *offsetPointer(llvm::Value *pointer, uint64_t offset) {
    if (!offset)
      return pointer;
    llvm::Type *indexType = is64BitAddress() ? t.b.getInt64Ty() : t.b.getInt32Ty();
    return t.b.CreateGEP(t.b.getInt8Ty(), pointer, llvm::ConstantInt::get(indexType, offset));
  }

  llvm::Value *elementPointer(llvm::Value *pointer, llvm::Value *index, uint64_t stride) {
    llvm::Value *wide = is64BitAddress() ? t.b.CreateZExt(index, t.b.getInt64Ty()) : index;
    return t.b.CreateGEP(t.b.getInt8Ty(), pointer,
                         t.b.CreateMul(wide, llvm::ConstantInt::get(wide->getType(), stride)));
  }

  template <typename MemInst> MemInst *decorate(MemInst *inst) {
    inst->setVolatile(access.isVolatile);
    if (isAtomic()) {
      inst->setAtomic(
          llvm::AtomicOrdering::Monotonic,
          t.context.getOrInsertSyncScopeID(access.syncScope ? access.syncScope : "agent"));
    }
    llvm::MDNode *empty = llvm::MDNode::get(t.context, {});
    if (access.nonTemporal)
      inst->setMetadata(llvm::LLVMContext::MD_nontemporal,
                        llvm::MDNode::get(t.context, llvm::ConstantAsMetadata::get(t.i32(1))));
    if (invariant && llvm::isa<llvm::LoadInst>(inst) && !access.isVolatile && !isAtomic())
      inst->setMetadata(llvm::LLVMContext::MD_invariant_load, empty);
    return inst;
  }

  llvm::Value *loadLeaf(llvm::Type *type, llvm::Value *pointer, uint64_t align) {
    auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    if (!vector || !isAtomic())
      return decorate(t.b.CreateAlignedLoad(type, pointer, leafAlign(type, align)));
    llvm::Value *result = llvm::PoisonValue::get(type);
    const uint64_t step = vector->getScalarSizeInBits() / 8;
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      result = t.b.CreateInsertElement(
          result, loadLeaf(vector->getElementType(), offsetPointer(pointer, i * step), step), i);
    return result;
  }

  void storeLeaf(llvm::Value *value, llvm::Value *pointer, uint64_t align) {
    auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
    if (!vector || !isAtomic()) {
      decorate(t.b.CreateAlignedStore(value, pointer, leafAlign(value->getType(), align)));
      return;
    }
    const uint64_t step = vector->getScalarSizeInBits() / 8;
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      llvm::Value *element = t.b.CreateExtractElement(value, i);
      storeLeaf(element, offsetPointer(pointer, i * step), step);
    }
  }

  /// Atomics must be naturally aligned to be legal; SPIR-V demands it too.
  llvm::Align leafAlign(llvm::Type *type, uint64_t align) const {
    if (isAtomic() && type->isPointerTy())
      return llvm::Align(8);
    const uint64_t natural = std::max<uint64_t>(type->getScalarSizeInBits() / 8, 1);
    if (isAtomic())
      return llvm::Align(llvm::PowerOf2Ceil(natural));
    return llvm::Align(std::max<uint64_t>(align, access.alignBytes ? 1 : natural));
  }
};

} // namespace llpc
