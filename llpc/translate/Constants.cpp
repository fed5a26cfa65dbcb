//===- Constants.cpp - constants and specialization constants -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Constants are translated when first used. OpSpecConstantOp runs the wrapped opcode's ordinary
/// handler with constant operands in a scratch block: LLVM's constant folder does the arithmetic,
/// so constants and instructions cannot disagree.
#include "llpc/translate/TranslatorState.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Analysis/ConstantFolding.h"

using namespace llvm;

namespace llpc {

bool isConstantOpcode(spv::Op op) {
  switch (op) {
  case spv::Op::OpConstantTrue:
  case spv::Op::OpConstantFalse:
  case spv::Op::OpConstant:
  case spv::Op::OpConstantComposite:
  case spv::Op::OpConstantCompositeReplicateEXT:
  case spv::Op::OpConstantNull:
  case spv::Op::OpSpecConstantTrue:
  case spv::Op::OpSpecConstantFalse:
  case spv::Op::OpSpecConstant:
  case spv::Op::OpSpecConstantComposite:
  case spv::Op::OpSpecConstantCompositeReplicateEXT:
  case spv::Op::OpSpecConstantOp:
  case spv::Op::OpUndef:
    return true;
  default:
    return false;
  }
}

namespace {

const SpecConstant *specializationOf(Translator &t, const Inst &inst) {
  const spirv::Decoration *d = t.spv.findDecoration(inst.resultId, spv::Decoration::SpecId);
  if (!d || d->operands.empty())
    return nullptr;
  auto it = t.internals().specialization.find(d->operands[0]);
  return it == t.internals().specialization.end() ? nullptr : &it->second;
}

Expected<Value *> boolConstant(Translator &t, const Inst &inst) {
  auto type = KILN_TRY(t.type(inst.typeId));
  if (!type->isIntegerTy(1))
    return t.invalid(inst, "result type is not bool");
  bool value = inst.opcode == spv::Op::OpConstantTrue || inst.opcode == spv::Op::OpSpecConstantTrue;
  if (inst.opcode == spv::Op::OpSpecConstantTrue || inst.opcode == spv::Op::OpSpecConstantFalse)
    if (const SpecConstant *spec = specializationOf(t, inst))
      value = spec->value != 0;
  return ConstantInt::getBool(t.context, value);
}

Expected<Value *> numberConstant(Translator &t, const Inst &inst) {
  auto type = KILN_TRY(t.type(inst.typeId));
  if (!type->isIntegerTy() && !type->isFloatingPointTy())
    return t.invalid(inst, "result type is not a number");
  const unsigned width = type->getScalarSizeInBits();
  if (inst.size() != (width > 32 ? 2u : 1u))
    return t.invalid(inst,
                     Twine(inst.size()) + " literal words for a " + Twine(width) + "-bit number");
  uint64_t bits = inst[0];
  if (width > 32)
    bits |= static_cast<uint64_t>(inst[1]) << 32;
  if (inst.opcode == spv::Op::OpSpecConstant) {
    if (const SpecConstant *spec = specializationOf(t, inst)) {
      if (spec->size * 8 != width)
        return t.invalid(inst, "specialization data has " + Twine(spec->size) +
                                   " bytes, the constant has " + Twine(width / 8));
      bits = spec->value;
    }
  }
  const APInt value = APInt(64, bits).trunc(width);
  if (type->isIntegerTy())
    return ConstantInt::get(type, value);
  return ConstantFP::get(t.context, APFloat(type->getFltSemantics(), value));
}

Expected<Value *> buildComposite(Translator &t, const Inst &inst, Type *type,
                                 ArrayRef<Constant *> elements) {
  auto check = [&](Type *expected, size_t i) -> Error {
    if (elements[i]->getType() != expected)
      return t.invalid(inst, "constituent " + Twine(i) + " has another type than the result's");
    return Error::success();
  };
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    if (elements.size() != vector->getNumElements())
      return t.invalid(inst, "wrong number of constituents");
    for (size_t i = 0; i < elements.size(); ++i)
      KILN_TRY(check(vector->getElementType(), i));
    return ConstantVector::get(elements);
  }
  if (auto *array = dyn_cast<ArrayType>(type)) {
    if (elements.size() != array->getNumElements())
      return t.invalid(inst, "wrong number of constituents");
    for (size_t i = 0; i < elements.size(); ++i)
      KILN_TRY(check(array->getElementType(), i));
    return ConstantArray::get(array, elements);
  }
  auto *structTy = dyn_cast<StructType>(type);
  if (!structTy || elements.size() != structTy->getNumElements())
    return t.invalid(inst, "result type does not take these constituents");
  for (size_t i = 0; i < elements.size(); ++i)
    KILN_TRY(check(structTy->getElementType(i), i));
  return ConstantStruct::get(structTy, elements);
}

Expected<Value *> compositeConstant(Translator &t, const Inst &inst) {
  auto type = KILN_TRY(t.type(inst.typeId));
  const bool replicate = inst.opcode == spv::Op::OpConstantCompositeReplicateEXT ||
                         inst.opcode == spv::Op::OpSpecConstantCompositeReplicateEXT;
  SmallVector<Constant *, 8> elements;
  for (Id id : inst.operands) {
    const Inst *definition = t.spv.definition(id);
    if (!definition || !isConstantOpcode(definition->opcode))
      return t.invalid(inst, "constituent %" + Twine(id) + " is not a constant");
    auto value = KILN_TRY(t.value(id));
    auto *constant = dyn_cast<Constant>(value);
    if (!constant)
      return t.invalid(inst, "constituent %" + Twine(id) + " is not a constant");
    elements.push_back(constant);
  }
  if (replicate || (isCooperativeMatrix(t, inst.typeId) && elements.size() == 1)) {
    auto count = KILN_TRY(replicatedCount(t, inst));
    elements.resize(count, elements.front());
  }
  return buildComposite(t, inst, type, elements);
}

/// Conversion to half toward zero, which LLVM folds in a later pass only; null for everything else.
Constant *foldTowardZero(const Instruction &inst) {
  const auto *call = dyn_cast<IntrinsicInst>(&inst);
  if (!call || call->getIntrinsicID() != Intrinsic::amdgcn_cvt_pkrtz)
    return nullptr;
  SmallVector<Constant *, 2> halves;
  for (const Value *arg : call->args()) {
    const auto *number = dyn_cast<ConstantFP>(arg);
    if (!number)
      return nullptr;
    APFloat half = number->getValueAPF();
    bool losesInfo = false;
    half.convert(APFloat::IEEEhalf(), APFloat::rmTowardZero, &losesInfo);
    halves.push_back(ConstantFP::get(inst.getContext(), half));
  }
  return ConstantVector::get(halves);
}

/// The constant that `result` is when everything in `block` folds, else null.
Constant *foldBlock(BasicBlock &block, Value *result) {
  const DataLayout &layout = block.getModule()->getDataLayout();
  for (Instruction &inst : block) {
    Constant *folded = ConstantFoldInstruction(&inst, layout);
    if (!folded)
      folded = foldTowardZero(inst);
    if (folded) {
      inst.replaceAllUsesWith(folded);
      if (result == &inst)
        result = folded;
    }
  }
  return dyn_cast_or_null<Constant>(result);
}

Expected<Value *> specConstantOp(Translator &t, const Inst &inst) {
  const auto opcode = static_cast<spv::Op>(inst[0]);
  Inst wrapped = inst;
  wrapped.opcode = opcode;
  wrapped.operands = inst.operands.drop_front();

  // A scratch function takes what the builder does not fold at once (intrinsics); it is dropped
  // again.
  auto *scratchType = FunctionType::get(Type::getVoidTy(t.context), false);
  Function *scratch =
      Function::Create(scratchType, GlobalValue::InternalLinkage, "kiln.scratch", *t.module);
  setDenormalModes(t, *scratch);
  BasicBlock *block = BasicBlock::Create(t.context, "", scratch);
  Error error = [&] {
    IRBuilderBase::InsertPointGuard guard(t.b);
    t.b.SetInsertPoint(block);
    return translateInst(t, wrapped);
  }();
  Constant *result = foldBlock(*block, t.internals().values[inst.resultId]);
  t.internals().values[inst.resultId] = nullptr;
  const bool folded = result && !isa<GlobalValue>(result);
  scratch->eraseFromParent();
  if (error)
    return error;
  if (!folded)
    return t.unsupportedOp(inst, "operation " + spirv::opName(opcode) +
                                     " on these operands does not fold");
  return result;
}

/// The value of OpConstantNull. Why not zeros for pointers to Workgroup, Private and Function
/// memory: LDS and scratch begin at address 0, so a null pointer would equal one to the first
/// variable. -1 is what LLVM's AMDGPU target calls null in these address spaces, too.
Constant *nullValue(Type *type) {
  if (type->isPointerTy()) {
    const unsigned space = type->getPointerAddressSpace();
    if (space != lgc::AddrSpace::Local && space != lgc::AddrSpace::Private)
      return Constant::getNullValue(type);
    return ConstantExpr::getIntToPtr(
        Constant::getAllOnesValue(Type::getInt32Ty(type->getContext())), type);
  }
  if (auto *array = dyn_cast<ArrayType>(type); array && array->getNumElements()) {
    Constant *element = nullValue(array->getElementType());
    if (element->isNullValue())
      return Constant::getNullValue(type);
    return ConstantArray::get(array, SmallVector<Constant *, 8>(array->getNumElements(), element));
  }
  auto *structTy = dyn_cast<StructType>(type);
  if (!structTy)
    return Constant::getNullValue(type);
  SmallVector<Constant *, 8> members;
  for (Type *member : structTy->elements())
    members.push_back(nullValue(member));
  return ConstantStruct::get(structTy, members); // zeros, if all members are
}

Expected<Value *> translateConstant(Translator &t, const Inst &inst) {
  if (isLinkedConstant(t, inst))
    return linkedConstant(t, inst);
  switch (inst.opcode) {
  case spv::Op::OpConstantTrue:
  case spv::Op::OpConstantFalse:
  case spv::Op::OpSpecConstantTrue:
  case spv::Op::OpSpecConstantFalse:
    return boolConstant(t, inst);
  case spv::Op::OpConstant:
  case spv::Op::OpSpecConstant:
    return numberConstant(t, inst);
  case spv::Op::OpConstantComposite:
  case spv::Op::OpConstantCompositeReplicateEXT:
  case spv::Op::OpSpecConstantComposite:
  case spv::Op::OpSpecConstantCompositeReplicateEXT:
    return compositeConstant(t, inst);
  case spv::Op::OpSpecConstantOp:
    return specConstantOp(t, inst);
  case spv::Op::OpConstantNull: {
    auto type = KILN_TRY(t.type(inst.typeId));
    if (type->isVoidTy())
      return t.invalid(inst, "a value of type void");
    return nullValue(type);
  }
  case spv::Op::OpUndef: {
    // Why zero for OpUndef too: any value is allowed, and zero neither spreads like poison nor
    // differs between two uses.
    auto type = KILN_TRY(t.type(inst.typeId));
    if (type->isVoidTy())
      return t.invalid(inst, "a value of type void");
    return Constant::getNullValue(type);
  }
  default:
    return t.unsupportedOp(inst, "constant");
  }
}

} // namespace

Expected<uint64_t> replicatedCount(Translator &t, const Inst &inst) {
  auto type = KILN_TRY(t.type(inst.typeId));
  uint64_t count = 0;
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    count = vector->getNumElements();
  else if (auto *array = dyn_cast<ArrayType>(type))
    count = array->getNumElements();
  else if (auto *structTy = dyn_cast<StructType>(type))
    count = structTy->getNumElements();
  else
    return t.invalid(inst, "result type is no composite");
  if (count > limits::maxAggregateElements)
    return lgc::limitExceeded(spirv::place(inst) + ": " + Twine(count) + " replicated elements");
  return count;
}

/// Constants may form chains as long as the module: their parts come first, from a list of our own,
/// so that the call stack does not grow with the input.
Expected<Value *> constantValue(Translator &t, const Inst &inst) {
  SmallVector<const Inst *, 8> pending{&inst};
  std::vector<Value *> &values = t.internals().values;
  while (true) {
    const Inst &top = *pending.back();
    const size_t before = pending.size();
    for (Id id : spirv::constituents(top)) {
      const Inst *part = t.spv.definition(id);
      if (part && id < values.size() && !values[id] && part->wordOffset < top.wordOffset &&
          !spirv::constituents(*part).empty())
        pending.push_back(part);
    }
    if (pending.size() > before)
      continue;
    pending.pop_back();
    if (pending.empty())
      return translateConstant(t, inst);
    if (!values[top.resultId]) {
      auto value = KILN_TRY(translateConstant(t, top));
      values[top.resultId] = value;
    }
  }
}

Expected<uint64_t> Translator::readConstant(Id id) {
  const Inst *definition = spv.definition(id);
  if (!definition || !isConstantOpcode(definition->opcode))
    return lgc::invalidInput("%" + Twine(id) + " is not a constant");
  auto constant = KILN_TRY(value(id));
  auto *integer = dyn_cast<ConstantInt>(constant);
  if (!integer || integer->getBitWidth() > 64)
    return invalid(*definition, "not an integer constant");
  return integer->getZExtValue();
}

Expected<uint32_t> Translator::readConstant32(Id id) {
  auto wide = KILN_TRY(readConstant(id));
  if (wide > UINT32_MAX)
    return lgc::invalidInput("constant %" + Twine(id) + " does not fit 32 bits");
  return static_cast<uint32_t>(wide);
}

} // namespace llpc
