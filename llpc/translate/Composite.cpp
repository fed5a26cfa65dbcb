//===- Composite.cpp - SPIR-V composite instructions ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Building, taking apart and rearranging vectors, matrices, arrays and structs. Vectors are LLVM
/// vectors, all other composites LLVM aggregates, so an index path is a run of extractvalue
/// indices that may end in one vector index.
#include "llpc/translate/TranslatorState.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {
namespace {

/// Is the index a constant that names an element?
bool isInRange(Value *index, FixedVectorType *vector) {
  auto *constant = dyn_cast<ConstantInt>(index);
  return constant && constant->getValue().ult(vector->getNumElements());
}

HandlerResult translateVectorExtractDynamic(ValueOp &op) {
  auto *vector = dyn_cast<FixedVectorType>(op.args[0]->getType());
  if (!vector)
    return wrongOperand(op, 0, "vector");
  if (!op.args[1]->getType()->isIntegerTy())
    return wrongOperand(op, 1, "integer scalar");
  KILN_TRY(expectResult(op, vector->getElementType()));
  Value *element = op.b.CreateExtractElement(op.args[0], op.args[1]);
  // Why: an index out of range gives an undefined value, not poison.
  return isInRange(op.args[1], vector) ? element : op.b.CreateFreeze(element);
}

HandlerResult translateVectorInsertDynamic(ValueOp &op) {
  auto *vector = dyn_cast<FixedVectorType>(op.args[0]->getType());
  if (!vector)
    return wrongOperand(op, 0, "vector");
  KILN_TRY(expectOperand(op, 1, vector->getElementType()));
  if (!op.args[2]->getType()->isIntegerTy())
    return wrongOperand(op, 2, "integer scalar");
  KILN_TRY(expectResult(op, vector));
  Value *result = op.b.CreateInsertElement(op.args[0], op.args[1], op.args[2]);
  return isInRange(op.args[2], vector) ? result : op.b.CreateFreeze(result);
}

/// Lengthens `vector` to `length` elements with undefined ones.
Value *widen(IRBuilder<> &b, Value *vector, unsigned length) {
  unsigned have = elementCount(vector->getType());
  if (have == length)
    return vector;
  SmallVector<int, 16> mask(length, PoisonMaskElem);
  for (unsigned i = 0; i < have; ++i)
    mask[i] = static_cast<int>(i);
  return b.CreateShuffleVector(vector, mask);
}

Error translateVectorShuffle(Translator &t, const Inst &inst) {
  for (unsigned i = 0; i < 2; ++i)
    if (isCooperativeMatrix(t, t.typeIdOf(inst[i])))
      return t.invalid(inst, "operand " + Twine(i) + " is a cooperative matrix");
  auto first = KILN_TRY(t.value(inst[0]));
  auto second = KILN_TRY(t.value(inst[1]));
  auto type = KILN_TRY(t.type(inst.typeId));
  auto *firstType = dyn_cast<FixedVectorType>(first->getType());
  auto *secondType = dyn_cast<FixedVectorType>(second->getType());
  if (!firstType || !secondType || firstType->getElementType() != secondType->getElementType())
    return t.invalid(inst, "operands have types " + typeText(first->getType()) + " and " +
                               typeText(second->getType()) +
                               ", expected two vectors of one element type");
  ArrayRef<uint32_t> components = inst.operands.drop_front(2);
  if (components.empty() ||
      type != FixedVectorType::get(firstType->getElementType(), components.size()))
    return t.invalid(inst, "result has type " + typeText(type) + ", expected a vector of " +
                               Twine(components.size()) + " x " +
                               typeText(firstType->getElementType()));
  unsigned firstLength = firstType->getNumElements(), secondLength = secondType->getNumElements();
  unsigned length = std::max(firstLength, secondLength);
  SmallVector<int, 16> mask;
  for (uint32_t component : components) {
    if (component == ~0u)
      component = 0; // any value will do, as long as it is not poison
    if (component >= firstLength + secondLength)
      return t.invalid(inst, "component " + Twine(component) + ", expected less than " +
                                 Twine(firstLength + secondLength));
    bool inFirst = component < firstLength;
    mask.push_back(static_cast<int>(inFirst ? component : component - firstLength + length));
  }
  first = widen(t.b, first, length);
  second = widen(t.b, second, length);
  return t.setValue(inst, t.b.CreateShuffleVector(first, second, mask));
}

// --- Construct, extract, insert

/// Vector from scalars and vectors, in order.
HandlerResult constructVector(ValueOp &op, FixedVectorType *type) {
  Value *result = PoisonValue::get(type);
  unsigned next = 0, length = type->getNumElements();
  for (unsigned i = 0; i < op.args.size(); ++i) {
    Value *arg = op.args[i];
    if (arg->getType()->getScalarType() != type->getElementType())
      return wrongOperand(op, i, "scalar or vector of " + typeText(type->getElementType()));
    unsigned count = elementCount(arg->getType());
    if (count > length - next)
      return wrongOperand(op, i, "at most " + Twine(length - next) + " more component(s)");
    for (unsigned j = 0; j < count; ++j) {
      Value *element = arg->getType()->isVectorTy() ? op.b.CreateExtractElement(arg, j) : arg;
      result = op.b.CreateInsertElement(result, element, next++);
    }
  }
  if (next != length)
    return op.t.invalid(op.inst, "constituents have " + Twine(next) + " component(s), expected " +
                                     Twine(length));
  return result;
}

/// Every constituent is the same value.
HandlerResult translateCompositeConstructReplicate(ValueOp &op) {
  if (auto *vector = dyn_cast<FixedVectorType>(op.type)) {
    KILN_TRY(expectOperand(op, 0, vector->getElementType()));
    return op.b.CreateVectorSplat(vector->getNumElements(), op.args[0]);
  }
  if (!op.type->isAggregateType())
    return wrongResult(op, "composite");
  const uint64_t count =
      op.type->isArrayTy() ? op.type->getArrayNumElements() : op.type->getStructNumElements();
  if (count > limits::maxAggregateElements)
    return lgc::limitExceeded(spirv::place(op.inst) + ": a composite of more than " +
                              Twine(limits::maxAggregateElements) + " constituents");
  Value *result = PoisonValue::get(op.type);
  for (unsigned i = 0; i < count; ++i) {
    KILN_TRY(expectOperand(op, 0, ExtractValueInst::getIndexedType(op.type, {i})));
    result = op.b.CreateInsertValue(result, op.args[0], i);
  }
  return result;
}

HandlerResult translateCompositeConstruct(ValueOp &op) {
  if (isCooperativeMatrix(op.t, op.inst.typeId) && op.args.size() == 1)
    return translateCompositeConstructReplicate(op); // the value of all components
  if (auto *vector = dyn_cast<FixedVectorType>(op.type))
    return constructVector(op, vector);
  if (!op.type->isAggregateType())
    return wrongResult(op, "composite");
  uint64_t count =
      op.type->isArrayTy() ? op.type->getArrayNumElements() : op.type->getStructNumElements();
  if (op.args.size() != count)
    return op.t.invalid(op.inst,
                        Twine(op.args.size()) + " constituent(s), expected " + Twine(count));
  Value *result = PoisonValue::get(op.type);
  for (unsigned i = 0; i < op.args.size(); ++i) {
    KILN_TRY(expectOperand(op, i, ExtractValueInst::getIndexedType(op.type, {i})));
    result = op.b.CreateInsertValue(result, op.args[i], i);
  }
  return result;
}

/// An index path: aggregate levels, then perhaps a vector element.
struct CompositePath {
  ArrayRef<unsigned> aggregate;
  std::optional<unsigned> element;
  Type *type; ///< of what the path selects
};

Expected<CompositePath> walkPath(Translator &t, const Inst &inst, Type *type,
                                 ArrayRef<uint32_t> indices) {
  CompositePath path{indices, std::nullopt, type};
  for (size_t i = 0; i < indices.size(); ++i) {
    auto *vector = dyn_cast<FixedVectorType>(path.type);
    uint64_t count = vector                       ? vector->getNumElements()
                     : path.type->isArrayTy()     ? path.type->getArrayNumElements()
                     : isa<StructType>(path.type) ? path.type->getStructNumElements()
                                                  : 0;
    if (indices[i] >= count)
      return t.invalid(inst, "index " + Twine(indices[i]) + " into " + typeText(path.type) +
                                 ", expected less than " + Twine(count));
    if (vector) {
      path.aggregate = indices.take_front(i);
      path.element = indices[i];
      path.type = vector->getElementType();
      if (i + 1 != indices.size())
        return t.invalid(inst, "index into a vector's component");
      break;
    }
    path.type = path.type->isArrayTy() ? path.type->getArrayElementType()
                                       : path.type->getStructElementType(indices[i]);
  }
  return path;
}

Value *extractAggregate(IRBuilder<> &b, Value *composite, ArrayRef<unsigned> indices) {
  return indices.empty() ? composite : b.CreateExtractValue(composite, indices);
}

Error translateCompositeExtract(Translator &t, const Inst &inst) {
  if (t.internals().current.partialIds.contains(inst.resultId))
    return Error::success(); // PartialLoads.cpp
  auto composite = KILN_TRY(t.value(inst[0]));
  auto result = KILN_TRY(extractElements(t, inst, composite, inst.operands.drop_front(1)));
  return t.setValue(inst, result);
}

Error translateCompositeInsert(Translator &t, const Inst &inst) {
  auto object = KILN_TRY(t.value(inst[0]));
  auto composite = KILN_TRY(t.value(inst[1]));
  auto type = KILN_TRY(t.type(inst.typeId));
  auto path = KILN_TRY(walkPath(t, inst, composite->getType(), inst.operands.drop_front(2)));
  if (composite->getType() != type)
    return t.invalid(inst, "result has type " + typeText(type) + ", expected " +
                               typeText(composite->getType()));
  if (path.type != object->getType())
    return t.invalid(inst, "operand 0 has type " + typeText(object->getType()) + ", expected " +
                               typeText(path.type));
  if (path.element) {
    Value *vector = extractAggregate(t.b, composite, path.aggregate);
    object = t.b.CreateInsertElement(vector, object, *path.element);
  }
  if (!path.aggregate.empty())
    object = t.b.CreateInsertValue(composite, object, path.aggregate);
  return t.setValue(inst, object);
}

// --- Copies

HandlerResult translateCopyObject(ValueOp &op) {
  KILN_TRY(expectOperand(op, 0, op.type));
  if (op.type->isPointerTy())
    op.t.setPointerInfo(op.inst.resultId, op.t.pointerInfo(op.argIds[0]));
  return op.args[0];
}

/// Types that match logically differ in decorations alone, and those are no part of value types.
HandlerResult translateCopyLogical(ValueOp &op) {
  KILN_TRY(expectOperand(op, 0, op.type));
  return op.args[0];
}

HandlerResult translateTranspose(ValueOp &op) {
  auto shape = matrixShape(op.args[0]->getType());
  if (!shape)
    return wrongOperand(op, 0, "float matrix");
  auto *column = FixedVectorType::get(shape->element, shape->columns);
  KILN_TRY(expectResult(op, ArrayType::get(column, shape->rows)));
  Value *result = PoisonValue::get(op.type);
  for (unsigned row = 0; row < shape->rows; ++row) {
    Value *vector = PoisonValue::get(column);
    for (unsigned i = 0; i < shape->columns; ++i) {
      Value *source = op.b.CreateExtractValue(op.args[0], i);
      vector = op.b.CreateInsertElement(vector, op.b.CreateExtractElement(source, row), i);
    }
    result = op.b.CreateInsertValue(result, vector, row);
  }
  return result;
}

constexpr OpEntry table[] = {
    valueOp(spv::Op::OpVectorExtractDynamic, translateVectorExtractDynamic, Sig::Any, 2),
    valueOp(spv::Op::OpVectorInsertDynamic, translateVectorInsertDynamic, Sig::Any, 3),
    instOp(spv::Op::OpVectorShuffle, translateVectorShuffle),
    valueOp(spv::Op::OpCompositeConstruct, translateCompositeConstruct, Sig::Any, 255),
    valueOp(spv::Op::OpCompositeConstructReplicateEXT, translateCompositeConstructReplicate,
            Sig::Any, 1),
    instOp(spv::Op::OpCompositeExtract, translateCompositeExtract),
    instOp(spv::Op::OpCompositeInsert, translateCompositeInsert),
    valueOp(spv::Op::OpCopyObject, translateCopyObject, Sig::Any, 1),
    valueOp(spv::Op::OpTranspose, translateTranspose, Sig::Any, 1),
    valueOp(spv::Op::OpCopyLogical, translateCopyLogical, Sig::Any, 1),
};

} // namespace

ArrayRef<OpEntry> compositeOps() { return table; }

Expected<Value *> extractElements(Translator &t, const Inst &inst, Value *composite,
                                  ArrayRef<uint32_t> indices) {
  auto path = KILN_TRY(walkPath(t, inst, composite->getType(), indices));
  Value *result = extractAggregate(t.b, composite, path.aggregate);
  return path.element ? t.b.CreateExtractElement(result, *path.element) : result;
}

} // namespace llpc
