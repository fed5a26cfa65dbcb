//===- Constants.cpp - constants, OpUndef, OpVariable ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The rules of "Constant-Creation Instructions" and of variables, as far as whole types are
/// concerned: constants have the kind of type their opcode says, composites have one constituent of
/// the right type per element, variables are pointers of their own storage class.
#include "llpc/spirv/Reader.h"

namespace llpc::spirv {

using llvm::Twine;
using spv::Op;

llvm::ArrayRef<Id> constituents(const Inst &inst) {
  switch (inst.opcode) {
  case Op::OpConstantComposite:
  case Op::OpSpecConstantComposite:
  case Op::OpConstantCompositeReplicateEXT:
  case Op::OpSpecConstantCompositeReplicateEXT:
    return inst.operands;
  case Op::OpSpecConstantOp:
    break;
  default:
    return {};
  }
  const llvm::ArrayRef<Id> operands = inst.operands.drop_front();
  switch (static_cast<Op>(inst[0])) { // literals follow the ids of these
  case Op::OpCompositeExtract:
    return operands.take_front(1);
  case Op::OpCompositeInsert:
  case Op::OpVectorShuffle:
    return operands.take_front(2);
  case Op::OpCooperativeMatrixLengthKHR: // of a type
    return {};
  default:
    return operands;
  }
}

bool Reader::checkConstituents(const Inst &inst, llvm::function_ref<Id(size_t)> elementType) {
  for (size_t i = 0; i < inst.size(); ++i) {
    if (!isConstantId(inst[i]))
      return invalid(inst, "constituent %" + Twine(inst[i]) + " is no constant");
    Id found = module.definition(inst[i])->typeId, expected = elementType(i);
    if (found != expected)
      return invalid(inst, "constituent %" + Twine(inst[i]) + " has type %" + Twine(found) +
                               ", expected %" + Twine(expected));
  }
  return true;
}

bool Reader::checkComposite(const Inst &inst) {
  const Inst *type = module.definition(inst.typeId);
  uint64_t count = 0;
  switch (type->opcode) {
  case Op::OpTypeVector:
  case Op::OpTypeMatrix:
    count = type->operands[1];
    break;
  case Op::OpTypeStruct:
    count = type->size();
    break;
  case Op::OpTypeArray: {
    const Inst *length = module.definition(type->operands[1]);
    bool known = length->opcode == Op::OpConstant;
    count = known ? length->operands[0] : inst.size();
    if (known && length->size() > 1)
      count |= uint64_t(length->operands[1]) << 32;
    break;
  }
  default:
    // Cooperative matrices and vectors: one constituent for all elements, or one for each.
    if (opName(type->opcode).find("Cooperative") != std::string::npos) {
      Id element = type->size() ? type->operands[0] : 0;
      return checkConstituents(inst, [=](size_t) { return element; });
    }
    return invalid(inst, "result type %" + Twine(inst.typeId) + " is no composite type");
  }
  // A replicated composite (one constituent for all) exists as an opcode of its own.
  if (inst.opcode == Op::OpConstantComposite || inst.opcode == Op::OpSpecConstantComposite)
    if (inst.size() != count)
      return invalid(inst, "has " + Twine(inst.size()) + " constituents, the type %" +
                               Twine(inst.typeId) + " has " + Twine(count) + " elements");
  bool isStruct = type->opcode == Op::OpTypeStruct;
  return checkConstituents(
      inst, [=](size_t i) { return type->operands[isStruct && i < type->size() ? i : 0]; });
}

bool Reader::checkSpecConstantOp(const Inst &inst) {
  if (static_cast<Op>(inst[0]) == Op::OpCooperativeMatrixLengthKHR) {
    const Inst *type = module.definition(inst[1]);
    if (!type || type->opcode != Op::OpTypeCooperativeMatrixKHR)
      return invalid(inst, "operand 1: %" + Twine(inst[1]) + " is no cooperative matrix type");
    return true;
  }
  // The ids sit where the inner opcode's grammar says; literals must not be taken for ids.
  llvm::ArrayRef<OperandSpec> specs = operandsOf(*findOp(inst[0]));
  OperandKind kind = OperandKind::IdRef;
  for (size_t i = 1; i < inst.size(); ++i) {
    if (i - 1 < specs.size())
      kind = specs[i - 1].kind;
    if (kind == OperandKind::IdRef && !isConstantId(inst[i]))
      return invalid(inst, "operand " + Twine(i) + ": %" + Twine(inst[i]) + " is no constant");
  }
  return true;
}

bool Reader::checkConstant(const Inst &inst) {
  const Inst *type = module.definition(inst.typeId);
  switch (inst.opcode) {
  case Op::OpConstantTrue:
  case Op::OpConstantFalse:
  case Op::OpSpecConstantTrue:
  case Op::OpSpecConstantFalse:
    if (type->opcode != Op::OpTypeBool)
      return invalid(inst, "result type %" + Twine(inst.typeId) + " is no OpTypeBool");
    return true;
  case Op::OpConstantComposite:
  case Op::OpSpecConstantComposite:
    return checkComposite(inst);
  case Op::OpConstantNull:
    if (type->opcode == Op::OpTypeVoid || type->opcode == Op::OpTypeFunction ||
        type->opcode == Op::OpTypeRuntimeArray || type->opcode == Op::OpTypeRayQueryKHR)
      return invalid(inst, "type %" + Twine(inst.typeId) + " (" + opName(type->opcode) +
                               ") has no null value");
    return true;
  case Op::OpSpecConstantOp:
    return checkSpecConstantOp(inst);
  default:
    return true;
  }
}

bool Reader::noteMatrix(const Inst &inst) {
  auto decides = [&](Id part) {
    const Inst *definition = module.definition(part);
    return module.hasMatrix(part) || (definition && module.hasMatrix(definition->typeId));
  };
  const bool isLength = inst.opcode == Op::OpSpecConstantOp &&
                        static_cast<Op>(inst[0]) == Op::OpCooperativeMatrixLengthKHR;
  if (isLength || llvm::any_of(constituents(inst), decides))
    module.ids.get(inst.resultId).hasMatrix = true;
  return true;
}

bool Reader::checkUndef(const Inst &inst) {
  const Inst *type = module.definition(inst.typeId);
  if (type->opcode == Op::OpTypeVoid || type->opcode == Op::OpTypeFunction)
    return invalid(inst, "result type %" + Twine(inst.typeId) + " is " + opName(type->opcode));
  return true;
}

bool Reader::checkVariable(const Inst &inst) {
  const Inst *type = module.definition(inst.typeId);
  if (type->opcode != Op::OpTypePointer)
    return invalid(inst, "result type %" + Twine(inst.typeId) + " is no OpTypePointer");
  uint32_t storage = inst[0];
  if (type->operands[0] != storage)
    return invalid(
        inst, "storage class " + enumName(OperandKind::StorageClass, storage) + " differs from " +
                  enumName(OperandKind::StorageClass, type->operands[0]) + " of the pointer type");
  bool local = storage == static_cast<uint32_t>(spv::StorageClass::Function);
  if (local && section != Section::Function)
    return invalid(inst, "storage class Function outside a function");
  if (!local && section == Section::Function)
    return invalid(inst, "storage class " + enumName(OperandKind::StorageClass, storage) +
                             " inside a function, must be Function");
  if (inst.size() > 1) {
    const Inst *initializer = module.definition(inst[1]);
    bool isGlobal = initializer->opcode == Op::OpVariable &&
                    initializer->operands[0] != static_cast<uint32_t>(spv::StorageClass::Function);
    if (!isGlobal && !isConstantId(inst[1]))
      return invalid(inst, "initializer %" + Twine(inst[1]) +
                               " is neither a constant nor a global variable");
    if (initializer->typeId != type->operands[1])
      return invalid(inst, "initializer %" + Twine(inst[1]) + " has type %" +
                               Twine(initializer->typeId) + ", expected %" +
                               Twine(type->operands[1]));
  }
  return true;
}

} // namespace llpc::spirv
