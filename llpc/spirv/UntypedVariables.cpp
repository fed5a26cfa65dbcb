//===- UntypedVariables.cpp - OpUntypedVariableKHR ------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A variable whose pointer has no type still says what it holds. The module has it as a variable
/// of a pointer type to that, so that nobody but who accesses memory needs to know of the other
/// kind:
///   before: %v = OpUntypedVariableKHR %untyped StorageBuffer %Block
///   after:  %new = OpTypePointer StorageBuffer %Block ; %v = OpVariable %new StorageBuffer
#include "llpc/spirv/Reader.h"

namespace llpc::spirv {

using llvm::Twine;
using spv::Op;

/// \p inst is behind an empty slot, which becomes the pointer type.
bool Reader::typeVariable(Inst &inst) {
  const Inst *untyped = module.definition(inst.typeId);
  if (untyped->opcode != Op::OpTypeUntypedPointerKHR)
    return invalid(inst, "result type %" + Twine(inst.typeId) + " is no OpTypeUntypedPointerKHR");
  if (untyped->operands[0] != inst[0])
    return invalid(inst, "storage class " + enumName(OperandKind::StorageClass, inst[0]) +
                             " differs from " +
                             enumName(OperandKind::StorageClass, untyped->operands[0]) +
                             " of the pointer type");
  switch (static_cast<spv::StorageClass>(inst[0])) {
  case spv::StorageClass::StorageBuffer:
  case spv::StorageClass::Uniform:
  case spv::StorageClass::PushConstant:
  case spv::StorageClass::Workgroup:
    break;
  default:
    return unsupportedInst(inst, "an untyped variable in storage class " +
                                     enumName(OperandKind::StorageClass, inst[0]) +
                                     " not supported");
  }
  if (inst.size() < 2)
    return invalid(inst, "an untyped variable needs a data type");
  if (!checkElementType(inst, 1))
    return false;
  Inst &type = module.insts[indexOf(inst) - 1];
  type = {Op::OpTypePointer, 0, nextTypeId++, inst.wordOffset, inst.operands.take_front(2)};
  module.ids.get(type.resultId).definition = indexOf(type) + 1;
  if (!checkPointerType(type))
    return false;
  inst.opcode = Op::OpVariable;
  inst.typeId = type.resultId;
  if (inst.size() == 2) {
    inst.operands = inst.operands.take_front(1);
  } else {
    auto &words = module.ownOperands.emplace_back(new uint32_t[2]{inst[0], inst[2]});
    inst.operands = {words.get(), 2};
  }
  return true;
}

/// The type of a value as the words have it: of an untyped variable that of its untyped pointer,
/// which parameters and results of functions have, too.
Id Reader::givenType(const Inst &inst) const {
  const Inst *type = module.definition(inst.typeId);
  const bool isOwn = type && type->wordOffset == inst.wordOffset;
  return isOwn ? module.moduleWords[inst.wordOffset + 1] : inst.typeId;
}

} // namespace llpc::spirv
