//===- InterfaceAccess.cpp - pointers into interface variables ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Loads and stores of direct variables (Interface.h), at any depth: whole variables, structures,
/// matrices, single components. What stands at a pointer is found again from SPIR-V's access
/// chains, so the chain itself needs no LLVM code.
///   before: %p = OpAccessChain %out %invocation %one ; OpStore %p %x  (out: vec4[], location 2)
///   after:  lgc.output.store(x, 2, 1, 0, invocation)
#include "llpc/translate/Interface.h"
#include "llpc/translate/TranslatorState.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {

namespace {

// The two operations that a direct access becomes; `piece` lies in one slot.

uint32_t slotOf(const InterfaceCursor &at, const InterfacePiece &piece) {
  const bool dynamic = at.element && !isa<ConstantInt>(at.element);
  return dynamic ? lgc::slotOperand(piece.slot, at.elementRange + 1) : piece.slot;
}

Value *elementOf(Translator &t, const InterfaceCursor &at) {
  return at.element ? at.element : t.i32(0);
}

Value *vertexOf(Translator &t, const InterfaceCursor &at) {
  return at.vertex ? at.vertex : t.absent();
}

Value *loadOutputPiece(Translator &t, const InterfaceCursor &at, const InterfacePiece &piece) {
  return t.op(
      lgc::OpId::OutputLoadOp, piece.type,
      {t.i32(slotOf(at, piece)), t.i32(piece.component), elementOf(t, at), vertexOf(t, at)});
}

void storePiece(Translator &t, const InterfaceCursor &at, const InterfacePiece &piece,
                Value *value) {
  t.op(
      lgc::OpId::OutputStoreOp, t.b.getVoidTy(),
      {value, t.i32(slotOf(at, piece)), t.i32(piece.component), elementOf(t, at), vertexOf(t, at)});
}

/// One load or store.
struct DirectAccess {
  Translator &t;
  const Inst &place;
  uint64_t elements = 0;

  Error count() {
    if (++elements > limits::maxAggregateElements)
      return lgc::limitExceeded(spirv::place(place) + ": access of more than " +
                                Twine(limits::maxAggregateElements) + " elements");
    return Error::success();
  }

  Expected<Value *> loadLeaf(const InterfaceCursor &at, Type *type) {
    if (!at.isOutput)
      return loadInputLeaf(t, at, type);
    if (!t.isStage(lgc::ShaderStage::TessControl) && !t.isStage(lgc::ShaderStage::Mesh))
      return t.unsupportedOp(place, "reading an output of a " +
                                        StringRef(lgc::shaderStageName(t.options.stage)) +
                                        " shader");
    auto pieces = KILN_TRY(interfacePieces(t, at, type));
    return joinPieces(t, type, pieces,
                      [&](const InterfacePiece &piece) { return loadOutputPiece(t, at, piece); });
  }

  Expected<Value *> load(const InterfaceCursor &at) {
    KILN_TRY(count());
    auto type = KILN_TRY(t.type(at.typeId));
    if (!type->isAggregateType())
      return loadLeaf(at, type);
    auto children = KILN_TRY(interfaceChildCount(t, at));
    Value *result = PoisonValue::get(type);
    for (uint32_t i = 0; i < children; ++i) {
      auto child = KILN_TRY(interfaceChild(t, at, i));
      auto value = KILN_TRY(load(child));
      result = t.b.CreateInsertValue(result, value, i);
    }
    return result;
  }

  Error store(const InterfaceCursor &at, Value *value) {
    KILN_TRY(count());
    Type *type = value->getType();
    if (!type->isAggregateType()) {
      auto pieces = KILN_TRY(interfacePieces(t, at, type));
      for (const InterfacePiece &piece : pieces)
        storePiece(t, at, piece, extractPiece(t, value, piece));
      return Error::success();
    }
    auto children = KILN_TRY(interfaceChildCount(t, at));
    for (uint32_t i = 0; i < children; ++i) {
      auto child = KILN_TRY(interfaceChild(t, at, i));
      KILN_TRY(store(child, t.b.CreateExtractValue(value, i)));
    }
    return Error::success();
  }

  /// One element of the vector or compact array at `at`.
  Expected<Value *> loadDynamic(const InterfaceCursor &at, Value *index) {
    auto whole = KILN_TRY(load(at));
    if (whole->getType()->isVectorTy())
      return t.b.CreateExtractElement(whole, index);
    auto *array = cast<ArrayType>(whole->getType());
    Value *vector = PoisonValue::get(FixedVectorType::get(
        array->getElementType(), static_cast<unsigned>(array->getNumElements())));
    for (unsigned i = 0; i < array->getNumElements(); ++i)
      vector = t.b.CreateInsertElement(vector, t.b.CreateExtractValue(whole, i), i);
    return t.b.CreateExtractElement(vector, index);
  }

  /// Why branches: other invocations may write the other components at the same time.
  Error storeDynamic(const InterfaceCursor &at, Value *index, Value *value) {
    auto children = KILN_TRY(interfaceChildCount(t, at));
    Function *function = t.b.GetInsertBlock()->getParent();
    BasicBlock *done = BasicBlock::Create(t.context, "", function);
    SwitchInst *choice = t.b.CreateSwitch(index, done, children);
    for (uint32_t i = 0; i < children; ++i) {
      BasicBlock *block = BasicBlock::Create(t.context, "", function, done);
      choice->addCase(t.i32(i), block);
      t.b.SetInsertPoint(block);
      auto child = KILN_TRY(interfaceChild(t, at, i));
      KILN_TRY(store(child, value));
      t.b.CreateBr(done);
    }
    t.b.SetInsertPoint(done);
    return Error::success();
  }
};

/// Index operand of an access chain as i32.
Expected<Value *> chainIndex(Translator &t, const Inst &place, Id id) {
  auto index = KILN_TRY(t.value(id));
  if (!index->getType()->isIntegerTy() || index->getType()->isIntegerTy(1))
    return t.invalid(place, "index %" + Twine(id) + " is not a scalar integer");
  return t.b.CreateSExtOrTrunc(index, t.b.getInt32Ty());
}

Error stepPointer(Translator &t, const Inst &place, InterfacePointer &pointer, Id indexId) {
  if (pointer.dynamicIndex)
    return t.invalid(place, "index into a scalar");
  auto index = KILN_TRY(chainIndex(t, place, indexId));
  auto type = KILN_TRY(t.typeInst(pointer.at.typeId));
  if (auto *constant = dyn_cast<ConstantInt>(index)) {
    auto number = static_cast<uint32_t>(constant->getZExtValue());
    // Beyond the end of an array the behaviour is undefined, but only where it is executed.
    auto count = KILN_TRY(interfaceChildCount(t, pointer.at));
    if (count && type->opcode != spv::Op::OpTypeStruct)
      number = std::min(number, count - 1);
    auto child = KILN_TRY(interfaceChild(t, pointer.at, number));
    pointer.at = child;
    pointer.pointeeId = child.typeId;
    return Error::success();
  }
  if (type->opcode == spv::Op::OpTypeVector || isCompactArray(t, pointer.at)) {
    pointer.dynamicIndex = index;
    pointer.pointeeId = (*type)[0];
    return Error::success();
  }
  auto child = KILN_TRY(interfaceDynamicChild(t, pointer.at, index));
  pointer.at = child;
  pointer.pointeeId = child.typeId;
  return Error::success();
}

/// Follows chains to the variable; index ids on the way, innermost first.
const Inst *followChain(Translator &t, Id id, SmallVectorImpl<Id> *indices) {
  for (unsigned depth = 0; depth < 1024; ++depth) {
    const Inst *inst = t.spv.definition(id);
    if (!inst)
      return nullptr;
    switch (inst->opcode) {
    case spv::Op::OpVariable:
      return inst;
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
      if (indices)
        for (Id index : reverse(inst->operands.drop_front()))
          indices->push_back(index);
      [[fallthrough]];
    case spv::Op::OpCopyObject:
      id = inst->operands[0];
      break;
    default:
      return nullptr;
    }
  }
  return nullptr;
}

} // namespace

const Inst *interfaceVariable(Translator &t, Id pointerId) {
  const Inst *type = t.spv.definition(t.typeIdOf(pointerId));
  if (!type || type->opcode != spv::Op::OpTypePointer)
    return nullptr;
  const auto storage = static_cast<spv::StorageClass>((*type)[0]);
  if (storage != spv::StorageClass::Input && storage != spv::StorageClass::Output)
    return nullptr;
  return followChain(t, pointerId, nullptr);
}

const Inst *directVariable(Translator &t, Id pointerId) {
  const Inst *variable = interfaceVariable(t, pointerId);
  return variable && t.internals().placeholders.count(variable->resultId) ? variable : nullptr;
}

Expected<InterfacePointer> interfacePointer(Translator &t, const Inst &place, Id pointerId) {
  SmallVector<Id, 8> indices;
  const Inst *variable = followChain(t, pointerId, &indices);
  if (!variable)
    return t.unsupportedOp(place, "%" + Twine(pointerId) +
                                      ", a pointer into an interface that is no access chain,");
  auto root = KILN_TRY(interfaceRoot(t, *variable));
  InterfacePointer pointer{root, nullptr, root.typeId};
  for (Id index : reverse(indices))
    KILN_TRY(stepPointer(t, place, pointer, index));
  return pointer;
}

Expected<Value *> directPlaceholder(Translator &t, const Inst &variable) {
  Translator::State &s = t.internals();
  Type *type = t.b.getInt8Ty();
  auto *global = new GlobalVariable(*t.module, type, false, GlobalValue::InternalLinkage,
                                    UndefValue::get(type), "placeholder", nullptr,
                                    GlobalValue::NotThreadLocal, lgc::AddrSpace::Private);
  s.placeholders[variable.resultId] = global;
  s.values[variable.resultId] = global;
  return global;
}

Error translateDirectChain(Translator &t, const Inst &inst) {
  if (inst.opcode != spv::Op::OpAccessChain && inst.opcode != spv::Op::OpInBoundsAccessChain)
    return t.unsupportedOp(inst, "pointer arithmetic on a shader interface");
  // The indices are walked here for their errors; the code that this makes is dead.
  auto pointer = KILN_TRY(interfacePointer(t, inst, inst.resultId));
  auto result = KILN_TRY(pointerTypeOf(t, inst, inst.resultId));
  if (pointer.pointeeId != result.pointeeId)
    return t.invalid(inst, "the indices lead to type %" + Twine(pointer.pointeeId) +
                               ", the result points to %" + Twine(result.pointeeId));
  auto base = KILN_TRY(t.value(inst[0]));
  return t.setValue(inst, base);
}

Expected<Value *> loadDirect(Translator &t, const Inst &place, Id pointerId) {
  auto pointer = KILN_TRY(interfacePointer(t, place, pointerId));
  DirectAccess access{t, place};
  if (pointer.dynamicIndex)
    return access.loadDynamic(pointer.at, pointer.dynamicIndex);
  return access.load(pointer.at);
}

Error storeInterface(Translator &t, const Inst &place, const InterfaceCursor &at, Value *value) {
  return DirectAccess{t, place}.store(at, value);
}

Error storeDirect(Translator &t, const Inst &place, Id pointerId, Value *value) {
  auto pointer = KILN_TRY(interfacePointer(t, place, pointerId));
  auto expected = KILN_TRY(t.type(pointer.pointeeId));
  if (value->getType() != expected)
    return t.invalid(place, "stored value has another type than the pointee");
  if (!pointer.at.isOutput)
    return t.invalid(place, "store to an input");
  DirectAccess access{t, place};
  if (pointer.dynamicIndex)
    return access.storeDynamic(pointer.at, pointer.dynamicIndex, value);
  return access.store(pointer.at, value);
}

Error removePlaceholders(Translator &t) {
  for (auto [id, global] : t.internals().placeholders) {
    if (!global->use_empty())
      return t.unsupportedOp(*t.spv.definition(id),
                             "an interface between invocations as operand of another instruction "
                             "than loads, stores and access chains");
    global->eraseFromParent();
  }
  t.internals().placeholders.clear();
  return Error::success();
}

} // namespace llpc
