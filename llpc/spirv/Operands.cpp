//===- Operands.cpp - an instruction's operands against the grammar -------===//
// SPDX-License-Identifier: MIT
/// \file
/// Walks the operand words of one instruction along its grammar entry: count, kinds, enumerants and
/// the operands these bring, literal widths that depend on a type, strings. Ids go to Ids.cpp.
/// Recursion is bounded by the grammar, never by input: an enumerant's parameters have none of
/// their own, and OpSpecConstantOp may not name itself.
#include "llpc/spirv/Capabilities.h"
#include "llpc/spirv/Reader.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>
#include <tuple>

namespace llpc::spirv {

using llvm::Twine;
using spv::Op;

bool Reader::missingOperand(const Inst &inst, size_t pos, OperandKind kind) {
  return invalid(inst, "operand " + Twine(pos) + " (" + nameOf(kind) +
                           ") is missing, the instruction has " + Twine(inst.size()) +
                           " operand words");
}

/// Sets which operand positions may hold ids that are defined later; see "forward reference" in
/// SPIR-V 2.16.1 and the single instructions.
static std::pair<size_t, size_t> forwardPositions(const Inst &inst) {
  constexpr size_t all = ~size_t(0);
  switch (inst.opcode) {
  case Op::OpEntryPoint:
  case Op::OpExecutionMode:
  case Op::OpExecutionModeId:
  case Op::OpName:
  case Op::OpMemberName:
  case Op::OpDecorate:
  case Op::OpMemberDecorate:
  case Op::OpDecorateId:
  case Op::OpDecorateString:
  case Op::OpMemberDecorateString:
  case Op::OpTypeForwardPointer:
  case Op::OpPhi:
  case Op::OpBranch:
  case Op::OpSelectionMerge:
  case Op::OpLoopMerge:
    return {0, all};
  case Op::OpGroupDecorate:
  case Op::OpGroupMemberDecorate:
  case Op::OpBranchConditional:
  case Op::OpSwitch:
    return {1, all};
  case Op::OpExtInstWithForwardRefsKHR:
    return {2, all};
  default:
    if (const auto callee = calleeOperand(inst))
      return {*callee, *callee + 1};
    return {0, 0};
  }
}

bool Reader::checkOperands(const Inst &inst, const OpInfo &info) {
  std::tie(forwardBegin, forwardEnd) = forwardPositions(inst);
  size_t pos = 0;
  if (!checkOperandList(inst, operandsOf(info), pos))
    return false;
  if (pos < inst.size())
    return invalid(inst, "has " + Twine(inst.size()) + " operand words, only " + Twine(pos) +
                             " expected");
  return info.opClass != OpClass::Extension || info.opcode == uint32_t(Op::OpExtension) ||
         info.opcode == uint32_t(Op::OpExtInstImport) || checkExtInst(inst);
}

bool Reader::checkOperandList(const Inst &inst, llvm::ArrayRef<OperandSpec> specs, size_t &pos) {
  for (OperandSpec spec : specs) {
    if (spec.quantifier == Quantifier::One) {
      if (!checkOperand(inst, spec.kind, pos))
        return false;
      continue;
    }
    while (pos < inst.size()) {
      if (!checkOperand(inst, spec.kind, pos))
        return false;
      if (spec.quantifier == Quantifier::Optional)
        break;
    }
  }
  return true;
}

bool Reader::checkOperand(const Inst &inst, OperandKind kind, size_t &pos) {
  if (pos >= inst.size())
    return missingOperand(inst, pos, kind);
  const KindInfo &info = kindInfo(kind);
  switch (info.category) {
  case KindCategory::Id:
    return checkIdOperand(inst, pos++);
  case KindCategory::ValueEnum:
    return checkEnum(inst, kind, pos);
  case KindCategory::BitEnum:
    return checkBits(inst, kind, pos);
  case KindCategory::Literal:
    return checkLiteral(inst, kind, pos);
  case KindCategory::Composite:
    return checkPair(inst, info, pos);
  }
  KILN_ICE("operand kind category outside the grammar");
}

bool Reader::unsupportedEnum(const Inst &inst, OperandKind kind, const EnumInfo &info) {
  return unsupportedInst(inst, nameOf(kind) + " " + nameOf(info) + " not supported");
}

bool Reader::checkEnum(const Inst &inst, OperandKind kind, size_t &pos) {
  uint32_t value = inst[pos];
  const EnumInfo *info = findEnumerant(kind, value);
  if (!info) {
    // A capability from newer headers is no defect of the module.
    if (kind == OperandKind::Capability)
      return unsupportedInst(inst, "capability " + Twine(value) + " not supported");
    return invalid(inst, "operand " + Twine(pos) + ": " + nameOf(kind) + " " + Twine(value) +
                             " is unknown");
  }
  if (!supports(*info) && kind != OperandKind::Capability)
    return unsupportedEnum(inst, kind, *info);
  ++pos;
  return info->paramCount == 0 || checkOperandList(inst, operandsOf(*info), pos);
}

bool Reader::checkBits(const Inst &inst, OperandKind kind, size_t &pos) {
  uint32_t value = inst[pos];
  if (uint32_t unknown = value & ~kindInfo(kind).allBits)
    return invalid(inst, "operand " + Twine(pos) + ": " + nameOf(kind) +
                             " has the unknown bits 0x" + llvm::utohexstr(unknown, true));
  ++pos;
  // The operands of the bits follow in ascending order of the bits.
  for (uint32_t rest = value; rest; rest &= rest - 1) {
    const EnumInfo *info = findEnumerant(kind, rest & -rest);
    // A combination may be known without its single bits; it brings no operands then.
    if (info && !supports(*info))
      return unsupportedEnum(inst, kind, *info);
    if (info && info->paramCount && !checkOperandList(inst, operandsOf(*info), pos))
      return false;
  }
  return true;
}

bool Reader::literalWidth(const Inst &inst, Id typeId, size_t &words) {
  const Inst *type = module.definition(typeId);
  if (!type || (type->opcode != Op::OpTypeInt && type->opcode != Op::OpTypeFloat))
    return invalid(inst, "type %" + Twine(typeId) + " of the literal is no integer or float type");
  words = type->operands[0] > 32 ? 2 : 1;
  return true;
}

bool Reader::checkLiteral(const Inst &inst, OperandKind kind, size_t &pos) {
  switch (kind) {
  case OperandKind::LiteralString: {
    size_t bytesMax = (inst.size() - pos) * sizeof(uint32_t);
    const char *text = reinterpret_cast<const char *>(inst.operands.data() + pos);
    size_t length = strnlen(text, bytesMax);
    if (length == bytesMax)
      return invalid(inst,
                     "operand " + Twine(pos) + ": the string does not end inside the instruction");
    pos += length / sizeof(uint32_t) + 1;
    return true;
  }
  case OperandKind::LiteralContextDependentNumber: {
    size_t words;
    if (!literalWidth(inst, inst.typeId, words))
      return false;
    if (inst.size() - pos < words)
      return missingOperand(inst, pos + 1, kind);
    pos += words;
    return true;
  }
  case OperandKind::LiteralSpecConstantOpInteger:
    return checkSpecConstantOpcode(inst, pos);
  default:
    ++pos;
    return true;
  }
}

bool Reader::checkPair(const Inst &inst, const KindInfo &info, size_t &pos) {
  if (inst.opcode == Op::OpSwitch) {
    // The literals are as wide as the selector.
    const Inst *type = typeOf(inst[0]);
    if (!type || type->opcode != Op::OpTypeInt)
      return invalid(inst, "selector %" + Twine(inst[0]) + " is no integer");
    size_t words = type->operands[0] > 32 ? 2 : 1;
    if (inst.size() - pos <= words)
      return missingOperand(inst, inst.size(), info.bases[1]);
    pos += words;
    return checkIdOperand(inst, pos++);
  }
  return checkOperand(inst, info.bases[0], pos) && checkOperand(inst, info.bases[1], pos);
}

bool Reader::checkSpecConstantOpcode(const Inst &inst, size_t &pos) {
  const OpInfo *info = findOp(inst[pos]);
  if (!info || !info->isSpecConstantOp)
    return invalid(inst,
                   opName(static_cast<Op>(inst[pos])) + " is not allowed in OpSpecConstantOp");
  ++pos;
  return checkOperandList(inst, operandsOf(*info), pos);
}

bool Reader::addExtInstImport(const Inst &inst) {
  llvm::StringRef name = literalString(inst.operands);
  extSets[inst.resultId] = {isNonSemanticSet(name), findExtSet(name)};
  return true;
}

bool Reader::isNonSemanticInst(const Inst &inst) const {
  return extSets.lookup(inst[0]).isNonSemantic;
}

bool Reader::checkExtInst(const Inst &inst) {
  auto found = extSets.find(inst[0]);
  if (found == extSets.end())
    return invalid(inst, "%" + Twine(inst[0]) + " is no OpExtInstImport");
  if (found->second.isNonSemantic)
    return true;
  if (functionState == FunctionState::Outside)
    return invalid(inst, "an instruction of " + module.extInstSet(inst[0]) + " is outside a block");
  const ExtSetInfo *set = found->second.info;
  if (!set)
    return true;
  llvm::StringRef setName = nameOf(*set);
  const ExtInstInfo *known = findExtInst(*set, inst[1]);
  if (!known)
    return invalid(inst, setName + " has no instruction " + Twine(inst[1]));
  if (inst.size() - 2 != known->operandCount)
    return invalid(inst, setName + " " + nameOf(*known) + " has " + Twine(inst.size() - 2) +
                             " operands, " + Twine(known->operandCount) + " expected");
  return true;
}

} // namespace llpc::spirv
