//===- Ids.cpp - definitions and uses of ids ------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Every id lies below the bound, is defined once, and is defined before it is used, except where
/// the specification allows a forward reference: those are collected and looked up at the end.
#include "llpc/spirv/KernelDialect.h"
#include "llpc/spirv/Reader.h"
#include <spirv/unified1/OpenCL.std.h>

namespace llpc::spirv {

using llvm::Twine;
using spv::Op;

bool endsWithLiteral(const Module &module, const Inst &inst) {
  if (inst.opcode != Op::OpExtInst || module.extInstSet(inst[0]) != "OpenCL.std")
    return false;
  switch (inst[1]) {
  case OpenCLLIB::Vloadn:
  case OpenCLLIB::Vload_halfn:
  case OpenCLLIB::Vloada_halfn:
  case OpenCLLIB::Vstore_half_r:
  case OpenCLLIB::Vstore_halfn_r:
  case OpenCLLIB::Vstorea_halfn_r:
    return true;
  default:
    return false;
  }
}

bool Reader::checkIdOperand(const Inst &inst, size_t pos) {
  if (kernels && pos > 2 && pos + 1 == inst.size() && endsWithLiteral(module, inst))
    return true;
  Id id = inst[pos];
  const IdInfo *info = module.ids.find(id);
  if (info && info->definition)
    return true;
  if (inst.opcode == Op::OpExtInst && pos >= 2 && hasLiteralOperands(module.extInstSet(inst[0])))
    return true;
  if (id == 0 || id >= module.idBound)
    return invalid(inst, "operand " + Twine(pos) + ": id %" + Twine(id) + " is outside the bound " +
                             Twine(module.idBound));
  bool forward = pos >= forwardBegin && pos < forwardEnd;
  // Types may use a pointer that OpTypeForwardPointer has announced.
  if (!forward && info && info->isForwardPointer) {
    const OpInfo *op = findOp(static_cast<uint32_t>(inst.opcode));
    forward = op && op->isType;
  }
  if (!forward && inst.opcode == Op::OpExtInst && pos >= 2)
    forward = isNonSemanticInst(inst);
  if (!forward)
    return invalid(inst, "operand " + Twine(pos) + ": id %" + Twine(id) +
                             " is used before its definition");
  forwardUses.push_back({id, indexOf(inst)});
  return true;
}

bool Reader::checkResultType(const Inst &inst) {
  const IdInfo *info = module.ids.find(inst.typeId);
  if (info && info->typeDepth)
    return true;
  if (inst.typeId == 0 || inst.typeId >= module.idBound)
    return invalid(inst, "result type %" + Twine(inst.typeId) + " is outside the bound " +
                             Twine(module.idBound));
  if (!info || !info->definition)
    return invalid(inst, "result type %" + Twine(inst.typeId) + " is used before its definition");
  return invalid(inst, "result type %" + Twine(inst.typeId) + " is no type but " +
                           opName(module.insts[info->definition - 1].opcode));
}

bool Reader::defineResult(const Inst &inst) {
  if (inst.resultId == 0 || inst.resultId >= module.idBound)
    return invalid(inst, "result id %" + Twine(inst.resultId) + " is outside the bound " +
                             Twine(module.idBound));
  IdInfo &info = module.ids.get(inst.resultId);
  if (info.definition)
    return invalid(inst, "id %" + Twine(inst.resultId) + " is already defined by " +
                             opName(module.insts[info.definition - 1].opcode) + " (word " +
                             Twine(module.insts[info.definition - 1].wordOffset) + ")");
  info.definition = indexOf(inst) + 1;
  return true;
}

bool Reader::checkForwardReferences() {
  for (IdUse use : forwardUses)
    if (!module.definition(use.id))
      return invalid(module.insts[use.inst], "id %" + Twine(use.id) + " is never defined");
  for (const Inst *inst : forwardPointers) {
    const Inst *pointer = module.definition((*inst)[0]);
    if (pointer->opcode != Op::OpTypePointer)
      return invalid(*inst, "%" + Twine((*inst)[0]) + " is no OpTypePointer");
    if (pointer->operands[0] != (*inst)[1])
      return invalid(*inst, "storage class " + enumName(OperandKind::StorageClass, (*inst)[1]) +
                                " differs from " +
                                enumName(OperandKind::StorageClass, pointer->operands[0]) +
                                " of the pointer type");
  }
  return true;
}

const Inst *Reader::typeOf(Id id) const {
  const Inst *inst = module.definition(id);
  return inst && inst->typeId ? module.definition(inst->typeId) : nullptr;
}

bool Reader::isConstantId(Id id) const {
  const Inst *inst = module.definition(id);
  if (!inst)
    return false;
  const OpInfo *info = findOp(static_cast<uint32_t>(inst->opcode));
  return info && (info->isConstant || inst->opcode == Op::OpUndef);
}

} // namespace llpc::spirv
