//===- SpecDefaults.cpp - specialization constants of a module ------------===//
// SPDX-License-Identifier: MIT
/// \file
///   before: OpDecorate %a SpecId 3; %a = OpSpecConstant %uint 7
///   after:  {3, 4 bytes, 7}
#include "llpc/reflect/SpecDefaults.h"
#include "llvm/ADT/STLExtras.h"

namespace llpc {

using spirv::Inst;

/// Bytes of the type of a number; 0 for anything else.
static uint32_t bytesOf(const spirv::Module &module, spirv::Id typeId) {
  const Inst *type = module.definition(typeId);
  const bool isNumber =
      type && (type->opcode == spv::Op::OpTypeInt || type->opcode == spv::Op::OpTypeFloat);
  return isNumber && type->size() ? (*type)[0] / 8 : 0;
}

std::vector<SpecDefault> collectSpecDefaults(const spirv::Module &module) {
  std::vector<SpecDefault> constants;
  for (const Inst *inst : module.globals()) {
    if (inst->opcode != spv::Op::OpSpecConstant && inst->opcode != spv::Op::OpSpecConstantTrue &&
        inst->opcode != spv::Op::OpSpecConstantFalse)
      continue;
    const spirv::Decoration *id = module.findDecoration(inst->resultId, spv::Decoration::SpecId);
    if (!id || id->operands.empty())
      continue;
    SpecDefault constant;
    constant.constantId = id->operands[0];
    constant.value = inst->opcode == spv::Op::OpSpecConstantTrue;
    if (inst->opcode == spv::Op::OpSpecConstant) {
      constant.size = bytesOf(module, inst->typeId);
      constant.value = inst->size() ? (*inst)[0] : 0;
      if (inst->size() > 1)
        constant.value |= uint64_t((*inst)[1]) << 32;
    }
    constants.push_back(constant);
  }
  llvm::sort(constants, [](const SpecDefault &a, const SpecDefault &b) {
    return a.constantId < b.constantId;
  });
  return constants;
}

} // namespace llpc
