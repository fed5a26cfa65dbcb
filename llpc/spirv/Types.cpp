//===- Types.cpp - type instructions --------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The rules of "Type-Declaration Instructions": what types may be made of, counts, array lengths,
/// nesting depth. Depth is kept per id, so that nothing ever walks a type by recursion to learn it.
#include "llpc/spirv/Reader.h"
#include <algorithm>

namespace llpc::spirv {

using lgc::ErrorKind;
using llvm::Twine;
using spv::Op;

static bool isScalarNumeric(const Inst *type) {
  return type && (type->opcode == Op::OpTypeInt || type->opcode == Op::OpTypeFloat);
}

bool Reader::setTypeDepth(const Inst &inst, llvm::ArrayRef<uint32_t> parts) {
  uint32_t depth = 1;
  bool hasMatrix = inst.opcode == Op::OpTypeCooperativeMatrixKHR;
  for (Id part : parts) {
    const IdInfo *info = module.ids.find(part);
    hasMatrix |= module.hasMatrix(part);
    // A forward pointer is not defined yet and counts as one level.
    uint32_t partDepth = info && info->definition ? info->typeDepth : 1;
    depth = std::max(depth, partDepth + 1);
  }
  if (depth > limits.maxTypeDepth)
    return fail(ErrorKind::LimitExceeded, place(inst) + ": types are nested deeper than " +
                                              std::to_string(limits.maxTypeDepth) + " levels");
  IdInfo &own = module.ids.get(inst.resultId);
  own.typeDepth = depth;
  own.hasMatrix = hasMatrix || (inst.opcode == Op::OpTypeArray && module.hasMatrix(inst[1]));
  return true;
}

bool Reader::checkTypeOperand(const Inst &inst, size_t pos) {
  const IdInfo *info = module.ids.find(inst[pos]);
  // Not defined here means announced by OpTypeForwardPointer; the id check has seen to that.
  if (info && (info->typeDepth || (!info->definition && info->isForwardPointer)))
    return true;
  return invalid(inst, "operand " + Twine(pos) + ": %" + Twine(inst[pos]) + " is no type");
}

/// A part of an aggregate: a type that is neither void nor a function.
bool Reader::checkElementType(const Inst &inst, size_t pos) {
  if (!checkTypeOperand(inst, pos))
    return false;
  const Inst *type = module.definition(inst[pos]);
  if (type && (type->opcode == Op::OpTypeVoid || type->opcode == Op::OpTypeFunction))
    return invalid(inst, "operand " + Twine(pos) + ": element type %" + Twine(inst[pos]) + " is " +
                             opName(type->opcode));
  return true;
}

bool Reader::checkScalarType(const Inst &inst) {
  uint32_t width = inst[0];
  if (inst.opcode == Op::OpTypeInt) {
    if (width != 8 && width != 16 && width != 32 && width != 64)
      return invalid(inst, "integer width " + Twine(width) + " is none of 8, 16, 32, 64");
    if (inst[1] > 1)
      return invalid(inst, "signedness " + Twine(inst[1]) + " is neither 0 nor 1");
    return setTypeDepth(inst, {});
  }
  // 8 bits exist only with one of the newer encodings.
  bool known = width == 16 || width == 32 || width == 64 || (width == 8 && inst.size() > 1);
  if (!known)
    return invalid(inst, "float width " + Twine(width) + " is none of 16, 32, 64");
  return setTypeDepth(inst, {});
}

bool Reader::checkVectorType(const Inst &inst) {
  const Inst *element = module.definition(inst[0]);
  if (!isScalarNumeric(element) && !(element && element->opcode == Op::OpTypeBool))
    return invalid(inst, "component type %" + Twine(inst[0]) + " is no scalar type");
  const bool isLong =
      (inst[1] == 8 || inst[1] == 16) && module.hasCapability(spv::Capability::Vector16);
  if ((inst[1] < 2 || inst[1] > 4) && !isLong)
    return invalid(inst, "component count " + Twine(inst[1]) + " is none of 2, 3, 4");
  return setTypeDepth(inst, inst.operands.take_front(1));
}

bool Reader::checkMatrixType(const Inst &inst) {
  const Inst *column = module.definition(inst[0]);
  const Inst *element = column && column->opcode == Op::OpTypeVector
                            ? module.definition(column->operands[0])
                            : nullptr;
  if (!element || element->opcode != Op::OpTypeFloat || element->size() > 1)
    return invalid(inst, "column type %" + Twine(inst[0]) + " is no vector of floats");
  if (inst[1] < 2 || inst[1] > 4)
    return invalid(inst, "column count " + Twine(inst[1]) + " is none of 2, 3, 4");
  return setTypeDepth(inst, inst.operands.take_front(1));
}

/// SPV_KHR_cooperative_matrix: a type, then constants: scope, rows, columns, use.
bool Reader::checkCooperativeMatrixType(const Inst &inst) {
  if (!isScalarNumeric(module.definition(inst[0])))
    return invalid(inst, "component type %" + Twine(inst[0]) + " is no numeric scalar type");
  for (size_t i = 1; i < inst.size(); ++i) {
    const Inst *type = typeOf(inst[i]);
    if (!isConstantId(inst[i]) || !type || type->opcode != Op::OpTypeInt)
      return invalid(inst,
                     "operand " + Twine(i) + ": %" + Twine(inst[i]) + " is no integer constant");
    if (module.hasMatrix(inst[i])) // else a type could take types in a chain as long as the module
      return unsupportedInst(inst, "operand " + Twine(i) + " follows from another matrix");
  }
  return setTypeDepth(inst, inst.operands.take_front(1));
}

bool Reader::checkImageType(const Inst &inst) {
  const Inst *sampled = module.definition(inst[0]);
  if (!isScalarNumeric(sampled) && !(sampled && sampled->opcode == Op::OpTypeVoid))
    return invalid(inst, "sampled type %" + Twine(inst[0]) + " is neither void nor a number");
  static constexpr struct {
    const char *name;
    uint32_t max;
  } flags[] = {{"depth", 2}, {"arrayed", 1}, {"multisampled", 1}, {"sampled", 2}};
  for (size_t i = 0; i < 4; ++i)
    if (inst[2 + i] > flags[i].max)
      return invalid(inst, Twine(flags[i].name) + " " + Twine(inst[2 + i]) + " is above " +
                               Twine(flags[i].max));
  return setTypeDepth(inst, inst.operands.take_front(1));
}

bool Reader::checkSampledImageType(const Inst &inst) {
  const Inst *image = module.definition(inst[0]);
  if (!image || image->opcode != Op::OpTypeImage)
    return invalid(inst, "image type %" + Twine(inst[0]) + " is no OpTypeImage");
  return setTypeDepth(inst, inst.operands.take_front(1));
}

bool Reader::checkArrayLength(const Inst &inst) {
  Id lengthId = inst[1];
  const Inst *length = module.definition(lengthId);
  const Inst *type = typeOf(lengthId);
  if (!length || !isConstantId(lengthId) || length->opcode == Op::OpUndef || !type ||
      type->opcode != Op::OpTypeInt)
    return invalid(inst, "length %" + Twine(lengthId) + " is no integer constant");
  if (length->opcode == Op::OpConstantNull)
    return invalid(inst, "length %" + Twine(lengthId) + " is 0");
  if (length->opcode != Op::OpConstant)
    return true; // a specialization constant has no value yet
  uint32_t width = type->operands[0];
  uint64_t value = length->operands[0];
  if (width > 32)
    value |= uint64_t(length->operands[1]) << 32;
  value &= ~uint64_t(0) >> (64 - width);
  bool negative = type->operands[1] == 1 && value >> (width - 1) & 1;
  if (value == 0 || negative)
    return invalid(inst, "length %" + Twine(lengthId) + " is " + (negative ? "negative" : "0"));
  return true;
}

bool Reader::checkArrayType(const Inst &inst) {
  return checkElementType(inst, 0) && checkArrayLength(inst) &&
         setTypeDepth(inst, inst.operands.take_front(1));
}

bool Reader::checkRuntimeArrayType(const Inst &inst) {
  return checkElementType(inst, 0) && setTypeDepth(inst, inst.operands);
}

bool Reader::checkStructType(const Inst &inst) {
  // SPIR-V 2.17.
  constexpr size_t maxMembers = 16383;
  if (inst.size() > maxMembers)
    return fail(ErrorKind::LimitExceeded, place(inst) + ": " + std::to_string(inst.size()) +
                                              " members; the limit is " +
                                              std::to_string(maxMembers));
  for (size_t i = 0; i < inst.size(); ++i)
    if (!checkElementType(inst, i))
      return false;
  return setTypeDepth(inst, inst.operands);
}

bool Reader::checkPointerType(const Inst &inst) {
  return checkTypeOperand(inst, 1) && setTypeDepth(inst, inst.operands.slice(1, 1));
}

bool Reader::checkForwardPointer(const Inst &inst) {
  IdInfo &info = module.ids.get(inst[0]);
  info.isForwardPointer = true;
  forwardPointers.push_back(&inst);
  return true;
}

bool Reader::checkFunctionType(const Inst &inst) {
  if (!checkTypeOperand(inst, 0))
    return false;
  for (size_t i = 1; i < inst.size(); ++i)
    if (!checkElementType(inst, i))
      return false;
  return setTypeDepth(inst, inst.operands);
}

bool Reader::checkType(const Inst &inst) {
  switch (inst.opcode) {
  case Op::OpTypeInt:
  case Op::OpTypeFloat:
    return checkScalarType(inst);
  case Op::OpTypeVector:
    return checkVectorType(inst);
  case Op::OpTypeMatrix:
    return checkMatrixType(inst);
  case Op::OpTypeCooperativeMatrixKHR:
    return checkCooperativeMatrixType(inst);
  case Op::OpTypeImage:
    return checkImageType(inst);
  case Op::OpTypeSampledImage:
    return checkSampledImageType(inst);
  case Op::OpTypeArray:
    return checkArrayType(inst);
  case Op::OpTypeRuntimeArray:
    return checkRuntimeArrayType(inst);
  case Op::OpTypeStruct:
    return checkStructType(inst);
  case Op::OpTypePointer:
    return checkPointerType(inst);
  case Op::OpTypeForwardPointer:
    return checkForwardPointer(inst);
  case Op::OpTypeFunction:
    return checkFunctionType(inst);
  default:
    // Void, bool, sampler and what extensions bring: opaque to the reader.
    return inst.resultId == 0 || setTypeDepth(inst, {});
  }
}

} // namespace llpc::spirv
