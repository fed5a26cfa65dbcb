//===- SelectMemory.cpp - pointers, scalar loads --------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/ShaderSelector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace lgc::direct {

namespace {

constexpr unsigned globalSpace = 1, ldsSpace = 3, constantSpace = 4, scratchSpace = 5;
/// HW: bits of the offset that scalar loads have on all generations.
constexpr unsigned scalarOffsetBits = 20;

/// Loads of so many dwords, the largest first.
struct ScalarLoadRow {
  unsigned dwords;
  Opcode load, bufferLoad, bufferLoadAt;
};
constexpr ScalarLoadRow scalarLoadRows[] = {
    {16, Opcode::SLoad16, Opcode::SBufferLoad16, Opcode::SBufferLoad16At},
    {8, Opcode::SLoad8, Opcode::SBufferLoad8, Opcode::SBufferLoad8At},
    {4, Opcode::SLoad4, Opcode::SBufferLoad4, Opcode::SBufferLoad4At},
    {2, Opcode::SLoad2, Opcode::SBufferLoad2, Opcode::SBufferLoad2At},
    {1, Opcode::SLoad1, Opcode::SBufferLoad1, Opcode::SBufferLoad1At},
};

} // namespace

// --- Pointers

/// A pointer and a number of bytes that is added to it, where instructions can do that.
bool ShaderSelector::readAddress(const Value *pointer, Words &words, int64_t &offset) {
  auto found = pointerOffsets.find(pointer);
  offset = found == pointerOffsets.end() ? 0 : found->second;
  if (found != pointerOffsets.end()) {
    words = known[pointer];
    return true;
  }
  if (isa<Constant>(pointer) && readDataAddress(*cast<Constant>(pointer), words, offset))
    return true;
  return read(pointer, words);
}

Words ShaderSelector::add64(ArrayRef<Word> a, ArrayRef<Word> b, bool isVec, bool isSubtraction) {
  if (!isVec) {
    Words result = {scalar(isSubtraction ? Opcode::SSub : Opcode::SAdd, {a[0], b[0]})};
    // SCC stays as it is: integers need no instructions to become sources.
    result.push_back(scalar(isSubtraction ? Opcode::SSubBorrow : Opcode::SAddCarry, {a[1], b[1]}));
    return result;
  }
  const Operand low = newVgprs(), high = newVgprs(), carry = newMask(), last = newMask();
  vectorInto(isSubtraction ? Opcode::VSubBorrowOut : Opcode::VAddCarryOut, {low, carry},
             {a[0], b[0]});
  vectorInto(isSubtraction ? Opcode::VSubBorrowIn : Opcode::VAddCarryIn, {high, last}, {a[1], b[1]},
             {carry});
  return {{low}, {high}};
}

/// With the bytes that were put off.
Words ShaderSelector::addOffset(const Words &pointer, int64_t offset) {
  if (!offset)
    return pointer;
  const Word low = Word::constant(static_cast<uint32_t>(offset));
  if (pointer.size() == 1) {
    if (pointer[0].isConstant())
      return {Word::constant(pointer[0].operand.value + low.operand.value)};
    return {isVgpr(pointer[0].operand) ? vector(Opcode::VAdd32, {low, pointer[0]})
                                       : scalar(Opcode::SAdd, {pointer[0], low})};
  }
  const Word high = Word::constant(static_cast<uint32_t>(offset >> 32));
  return add64(pointer, {low, high}, isVgpr(pointer[0].operand) || isVgpr(pointer[1].operand),
               false);
}

/// \p index times \p scale, and \p sum more, in 32 bits.
Word ShaderSelector::addScaled(const Word &index, uint32_t scale, bool isVec, const Word &sum) {
  const bool isZero = sum.isConstant() && sum.operand.value == 0;
  const bool isPower = isPowerOf2_32(scale);
  const Word shift = Word::constant(Log2_32(scale));
  if (isVec && isPower) {
    if (!isZero)
      return vector(Opcode::VShiftLeftAdd, {index, shift, sum});
    return scale == 1 ? index : vector(Opcode::VShiftLeft32, {shift, index});
  }
  Word product = index;
  if (scale != 1)
    product = isVec     ? vector(Opcode::VMulLow, {index, Word::constant(scale)})
              : isPower ? scalar(Opcode::SShiftLeft32, {index, shift})
                        : scalar(Opcode::SMul, {index, Word::constant(scale)});
  if (isZero)
    return product;
  return isVec ? vector(Opcode::VAdd32, {product, sum}) : scalar(Opcode::SAdd, {product, sum});
}

/// \p index times \p scale in 64 bits; \p index has 32 or 64, with a sign.
bool ShaderSelector::scale64(Words index, const APInt &scale, bool isVec, Words &product) {
  constexpr uint32_t signPlace = 31;
  if (!scale.isStrictlyPositive() || scale.getActiveBits() > 32)
    return false;
  if (index.size() == 1)
    index.push_back(isVec ? vector(Opcode::VShiftRightI32, {Word::constant(signPlace), index[0]})
                          : scalar(Opcode::SShiftRightI32, {index[0], Word::constant(signPlace)}));
  if (scale.isOne()) {
    product = index;
    return true;
  }
  if (scale.isPowerOf2()) {
    const Operand result = isVec ? newVgprs(2) : newSgprs(2);
    const Operand source = pairSource(index, isVec ? Bank::Vector : Bank::Scalar);
    const Operand count = Operand::constant(scale.logBase2());
    if (isVec)
      emit(Opcode::VShiftLeft64, {result, count, source});
    else
      emit(Opcode::SShiftLeft64, {result, source, count});
    product = wordsOf(result, 2);
    return true;
  }
  const Word factor = Word::constant(static_cast<uint32_t>(scale.getZExtValue()));
  auto op = [&](Opcode scalarOp, Opcode vectorOp, const Word &a, const Word &b) {
    return isVec ? vector(vectorOp, {a, b}) : scalar(scalarOp, {a, b});
  };
  const Word high = op(Opcode::SMulHighU, Opcode::VMulHighU, index[0], factor);
  product = {
      op(Opcode::SMul, Opcode::VMulLow, index[0], factor),
      op(Opcode::SAdd, Opcode::VAdd32, high, op(Opcode::SMul, Opcode::VMulLow, index[1], factor))};
  return true;
}

/// Constant bytes stay beside the pointer; the rest is computed.
bool ShaderSelector::selectOffset(const GetElementPtrInst &gep) {
  const unsigned space = gep.getPointerAddressSpace();
  const unsigned bits = layout.getIndexSizeInBits(space);
  const bool isNarrow = space == ldsSpace || space == scratchSpace;
  if (gep.getType()->isVectorTy() || (!isNarrow && space != constantSpace && space != globalSpace))
    return refuse(gep);
  SmallMapVector<Value *, APInt, 4> variables;
  APInt constant(bits, 0);
  Words pointer;
  int64_t offset = 0;
  if (!cast<GEPOperator>(gep).collectOffset(layout, bits, variables, constant) ||
      !readAddress(gep.getPointerOperand(), pointer, offset))
    return refuse(gep);
  offset += constant.getSExtValue();
  const bool isVec = isVector(&gep);
  if (isNarrow && pointer[0].isConstant()) {
    offset += pointer[0].operand.value;
    pointer[0] = Word::constant(0);
    // HW: offsets of scratch instructions are not added to what may be negative.
    if (space == scratchSpace) {
      pointer[0] = Word::constant(static_cast<uint32_t>(offset));
      offset = 0;
    }
  }
  for (const auto &[variable, scale] : variables) {
    Words index, product;
    if (!read(variable, index))
      return false;
    const bool isWide = variable->getType()->getScalarSizeInBits() == 64;
    if (variable->getType()->getScalarSizeInBits() != 32 && !isWide)
      return refuse(gep);
    if (isNarrow) {
      pointer[0] =
          addScaled(index[0], static_cast<uint32_t>(scale.getZExtValue()), isVec, pointer[0]);
      continue;
    }
    if (!scale64(index, scale, isVec, product))
      return refuse(gep);
    pointer = add64(pointer, product, isVec, false);
  }
  define(gep, pointer);
  if (offset)
    pointerOffsets[&gep] = isNarrow ? static_cast<int32_t>(offset) : offset;
  return true;
}

// --- Loads

bool ShaderSelector::selectConstantLoad(const LoadInst &load) {
  Words pointer;
  int64_t offset = 0;
  const unsigned count = dwordsOf(load.getType());
  if (Words words; readTouchingLoad(load, words))
    return define(load, words);
  // Whatever scalar instructions do not load.
  if (isVector(load.getPointerOperand()) || load.getAlign() < Align(4) ||
      layout.getTypeSizeInBits(load.getType()).getFixedValue() % 32 != 0)
    return selectGlobalLoad(load);
  if (!memoryDwords(load.getType()) || count > 32 || load.isAtomic())
    return refuse("a scalar load of another kind");
  if (!readAddress(load.getPointerOperand(), pointer, offset))
    return false;
  if (offset < 0 || (offset + 4 * count) >> scalarOffsetBits) {
    pointer = addOffset(pointer, offset);
    offset = 0;
  }
  const Operand base = tuple(pointer, Bank::Scalar), result = newSgprs(count);
  for (unsigned done = 0; done < count;) {
    const ScalarLoadRow *row = scalarLoadRows;
    while (row->dwords > count - done)
      ++row;
    emit(row->load,
         {part(result, done), base, Operand::number(static_cast<uint32_t>(offset) + 4 * done)});
    done += row->dwords;
  }
  return define(load, wordsOf(result, count));
}

bool ShaderSelector::selectScalarBufferLoad(const CallInst &call) {
  const unsigned count = dwordsOf(call.getType());
  const auto *policy = dyn_cast<ConstantInt>(call.getArgOperand(2));
  Words descriptor, offset;
  if (Words words; readTouchingLoad(call, words))
    return define(call, words);
  if (!policy || !policy->isZero())
    return refuse("a cache policy");
  if (call.getType()->getScalarSizeInBits() != 32 || !count || count > 16)
    return refuse(call);
  if (!read(call.getArgOperand(0), descriptor) || !read(call.getArgOperand(1), offset))
    return false;
  if (any_of(descriptor, [&](const Word &word) { return isVgpr(word.operand); }))
    return refuse("descriptors that differ");
  const Operand base = tuple(descriptor, Bank::Scalar);
  if (isVgpr(offset[0].operand)) {
    if (count > 4)
      return refuse("a large load from offsets that differ");
    return define(call, loadBuffer(count, base, offset[0]));
  }
  const Operand result = newSgprs(count == 3 ? 4 : count);
  for (unsigned done = 0; done < count;) {
    const ScalarLoadRow *row = scalarLoadRows;
    while (row->dwords > count - done)
      ++row;
    Word at = offset[0];
    if (at.isConstant() && (at.operand.value + 4 * done) >> scalarOffsetBits == 0) {
      emit(row->bufferLoad,
           {part(result, done), base, Operand::number(at.operand.value + 4 * done)});
    } else {
      if (done)
        at = scalar(Opcode::SAdd, {at, Word::constant(4 * done)});
      emit(row->bufferLoadAt, {part(result, done), base, toSgpr(at)});
    }
    done += row->dwords;
  }
  return define(call, wordsOf(result, count));
}

bool ShaderSelector::selectLoad(const LoadInst &load) {
  switch (load.getPointerAddressSpace()) {
  case constantSpace:
    return selectConstantLoad(load);
  case globalSpace:
    return selectGlobalLoad(load);
  case ldsSpace:
    return selectLdsLoad(load);
  case scratchSpace:
    return selectScratchLoad(load);
  default:
    return refuse("a load from another address space");
  }
}

bool ShaderSelector::selectStore(const StoreInst &store) {
  switch (store.getPointerAddressSpace()) {
  case globalSpace:
    return selectGlobalStore(store);
  case ldsSpace:
    return selectLdsStore(store);
  case scratchSpace:
    return selectScratchStore(store);
  default:
    return refuse("a store to another address space");
  }
}

bool ShaderSelector::selectAtomic(const AtomicRMWInst &atomic) {
  return atomic.getPointerAddressSpace() == globalSpace ? selectGlobalAtomic(atomic)
                                                        : selectLdsAtomic(atomic);
}

bool ShaderSelector::selectExchange(const AtomicCmpXchgInst &exchange) {
  return exchange.getPointerAddressSpace() == globalSpace ? selectGlobalExchange(exchange)
                                                          : selectLdsExchange(exchange);
}

} // namespace lgc::direct
