//===- KernelPrintf.cpp - what a module of kernels prints -----------------===//
// SPDX-License-Identifier: MIT
/// \file
///   before: OpExtInst printf %format %x %v, where %format is a __constant array of characters
///   after:  "x is %d, v is %v2f\n", {number of 4 bytes}, {2 numbers of 4 bytes}
#include "llpc/reflect/KernelPrintf.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include <spirv/unified1/OpenCL.std.h>

namespace llpc {

using spirv::Id;
using spirv::Inst;
using spv::Op;

namespace {

constexpr size_t maxTextBytes = 1u << 16;

/// What the pointer is made of, as far as it points to the same place; null: not known.
const Inst *rootOf(const spirv::Module &module, Id pointer) {
  auto isZero = [&](Id id) {
    const Inst *index = module.definition(id);
    return index && (index->opcode == Op::OpConstantNull ||
                     (index->opcode == Op::OpConstant &&
                      llvm::all_of(index->operands, [](uint32_t word) { return word == 0; })));
  };
  const Inst *inst = module.definition(pointer);
  constexpr unsigned maxSteps = 64;
  for (unsigned steps = 0; inst && steps < maxSteps; ++steps) {
    switch (inst->opcode) {
    case Op::OpAccessChain:
    case Op::OpInBoundsAccessChain:
    case Op::OpPtrAccessChain:
    case Op::OpInBoundsPtrAccessChain:
      if (!llvm::all_of(inst->operands.drop_front(), isZero))
        return nullptr;
      [[fallthrough]];
    case Op::OpBitcast:
    case Op::OpCopyObject:
    case Op::OpPtrCastToGeneric:
    case Op::OpGenericCastToPtr:
      inst = module.definition((*inst)[0]);
      continue;
    default:
      return inst;
    }
  }
  return nullptr;
}

/// The characters of a __constant array, up to the first zero. Empty: it is none.
std::optional<std::string> constantText(const spirv::Module &module, const Inst &variable) {
  if (variable.opcode != Op::OpVariable || variable.size() < 2 ||
      static_cast<spv::StorageClass>(variable[0]) != spv::StorageClass::UniformConstant)
    return std::nullopt;
  const Inst *initial = module.definition(variable[1]);
  if (initial && initial->opcode == Op::OpConstantNull)
    return std::string();
  if (!initial || initial->opcode != Op::OpConstantComposite || initial->size() > maxTextBytes)
    return std::nullopt;
  std::string text;
  for (Id id : initial->operands) {
    const Inst *character = module.definition(id);
    const bool isNull = character->opcode == Op::OpConstantNull;
    if (!isNull && character->opcode != Op::OpConstant)
      return std::nullopt;
    const uint32_t code = isNull ? 0 : (*character)[0] & 0xff;
    if (!code)
      break;
    text += static_cast<char>(code);
  }
  return text;
}

llvm::Expected<KernelPrintf::Value> valueOf(const spirv::Module &module, const Inst &call, Id id) {
  const Inst *value = module.definition(id);
  const Inst *type = value ? module.definition(value->typeId) : nullptr;
  KernelPrintf::Value result;
  if (type && type->opcode == Op::OpTypeVector) {
    result.count = static_cast<uint8_t>((*type)[1]);
    type = module.definition((*type)[0]);
  }
  if (type && type->opcode == Op::OpTypePointer) {
    const Inst *root = rootOf(module, id);
    result.text = root ? constantText(module, *root) : std::nullopt;
    result.bytes = 8;
    return result;
  }
  if (!type || (type->opcode != Op::OpTypeInt && type->opcode != Op::OpTypeFloat))
    return lgc::unsupported(spirv::place(call) + ": printf of %" + llvm::Twine(id) +
                            ", which is neither a number nor a pointer, not supported");
  result.isFloat = type->opcode == Op::OpTypeFloat;
  result.bytes = static_cast<uint8_t>((*type)[0] / 8);
  return result;
}

} // namespace

std::vector<const Inst *> printfCalls(const spirv::Module &module) {
  std::vector<const Inst *> calls;
  for (const spirv::Function &function : module.functions())
    for (const spirv::Block &block : function.blocks)
      for (const Inst &inst : block.insts)
        if (inst.opcode == Op::OpExtInst && inst[1] == OpenCLLIB::Printf &&
            module.extInstSet(inst[0]) == "OpenCL.std")
          calls.push_back(&inst);
  return calls;
}

llvm::Expected<KernelPrintf> printfOf(const spirv::Module &module, const Inst &call) {
  if (call.size() < 3)
    return lgc::invalidInput(spirv::place(call) + ": printf without a format");
  const Inst *root = rootOf(module, call[2]);
  std::optional<std::string> format = root ? constantText(module, *root) : std::nullopt;
  if (!format)
    return lgc::unsupported(spirv::place(call) +
                            ": printf with a format that is no constant string not supported");
  KernelPrintf result;
  result.format = std::move(*format);
  for (Id id : call.operands.drop_front(3))
    result.values.push_back(KILN_TRY(valueOf(module, call, id)));
  return result;
}

} // namespace llpc
