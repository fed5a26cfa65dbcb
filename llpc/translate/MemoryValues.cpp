//===- MemoryValues.cpp - values as memory of natural layout holds them ---===//
// SPDX-License-Identifier: MIT
#include "llpc/translate/TranslatorState.h"

using namespace llvm;

namespace llpc {

/// Converts between value and memory representation where they differ (bool).
static Value *convertBools(Translator &t, Value *value, Type *to) {
  Type *from = value->getType();
  if (from == to)
    return value;
  if (to->getScalarType()->isIntegerTy(1))
    return t.b.CreateICmpNE(value, Constant::getNullValue(from));
  if (from->getScalarType()->isIntegerTy(1))
    return t.b.CreateZExt(value, to);
  Value *result = PoisonValue::get(to);
  const unsigned count =
      from->isArrayTy() ? from->getArrayNumElements() : from->getStructNumElements();
  for (unsigned i = 0; i < count; ++i) {
    Type *element = to->isArrayTy() ? to->getArrayElementType() : to->getStructElementType(i);
    result = t.b.CreateInsertValue(result,
                                   convertBools(t, t.b.CreateExtractValue(value, i), element), i);
  }
  return result;
}

Constant *memoryConstant(Constant *value, Type *memory) {
  if (value->getType() == memory)
    return value;
  if (value->isNullValue())
    return Constant::getNullValue(memory);
  if (value->getType()->isIntegerTy(1))
    return isa<ConstantInt>(value) ? ConstantInt::get(memory, 1) : nullptr;
  auto *vector = dyn_cast<FixedVectorType>(memory);
  auto *array = dyn_cast<ArrayType>(memory);
  const uint64_t count = vector  ? vector->getNumElements()
                         : array ? array->getNumElements()
                                 : memory->getStructNumElements();
  SmallVector<Constant *, 8> elements;
  for (uint64_t i = 0; i < count; ++i) {
    Constant *element = value->getAggregateElement(static_cast<unsigned>(i));
    Type *type = vector  ? vector->getElementType()
                 : array ? array->getElementType()
                         : memory->getStructElementType(static_cast<unsigned>(i));
    element = element ? memoryConstant(element, type) : nullptr;
    if (!element)
      return nullptr;
    elements.push_back(element);
  }
  if (vector)
    return ConstantVector::get(elements);
  return array ? ConstantArray::get(array, elements)
               : ConstantStruct::get(cast<StructType>(memory), elements);
}

/// Constants take a way of their own because a chain of insertions into a large array folds in
/// quadratic time.
Value *toMemory(Translator &t, Value *value, Type *memory) {
  auto *constant = dyn_cast<Constant>(value);
  Constant *converted = constant ? memoryConstant(constant, memory) : nullptr;
  return converted ? converted : convertBools(t, value, memory);
}

Value *fromMemory(Translator &t, Value *value, Type *valueType) {
  return convertBools(t, value, valueType);
}

} // namespace llpc
