//===- ModuleTraits.cpp - what of the pipeline's state a module may see ---===//
// SPDX-License-Identifier: MIT
#include "llpc/reflect/ModuleTraits.h"
#include "llvm/ADT/STLExtras.h"

namespace llpc {

using spirv::Inst;

namespace {

void noteDecoration(ModuleTraits &traits, const spirv::Decoration &decoration) {
  if (decoration.operands.empty())
    return;
  if (decoration.kind == spv::Decoration::Index)
    traits.secondSource |= decoration.operands[0] != 0;
  if (decoration.kind != spv::Decoration::BuiltIn)
    return;
  struct Row {
    spv::BuiltIn builtIn;
    bool ModuleTraits::*trait;
  };
  static constexpr Row rows[] = {
      {spv::BuiltIn::SamplePosition, &ModuleTraits::samplePositions},
      {spv::BuiltIn::SampleMask, &ModuleTraits::sampleMask},
      {spv::BuiltIn::BaryCoordKHR, &ModuleTraits::barycentric},
      {spv::BuiltIn::BaryCoordNoPerspKHR, &ModuleTraits::barycentric},
      {spv::BuiltIn::ViewIndex, &ModuleTraits::view},
      {spv::BuiltIn::Layer, &ModuleTraits::view},
  };
  for (const Row &row : rows)
    if (decoration.operands[0] == static_cast<uint32_t>(row.builtIn))
      traits.*row.trait = true;
}

/// Bytes of the type of a number; 0 for anything else.
uint32_t bytesOf(const spirv::Module &module, spirv::Id typeId) {
  const Inst *type = module.definition(typeId);
  const bool isNumber =
      type && (type->opcode == spv::Op::OpTypeInt || type->opcode == spv::Op::OpTypeFloat);
  return isNumber && type->size() ? (*type)[0] / 8 : 0;
}

void noteSpecConstant(ModuleTraits &traits, const spirv::Module &module, const Inst &inst) {
  const spirv::Decoration *id = module.findDecoration(inst.resultId, spv::Decoration::SpecId);
  if (!id || id->operands.empty())
    return;
  SpecDefault constant;
  constant.constantId = id->operands[0];
  constant.value = inst.opcode == spv::Op::OpSpecConstantTrue;
  if (inst.opcode == spv::Op::OpSpecConstant) {
    constant.size = bytesOf(module, inst.typeId);
    constant.value = inst.size() ? inst[0] : 0;
    if (inst.size() > 1)
      constant.value |= uint64_t(inst[1]) << 32;
  }
  traits.specConstants.push_back(constant);
}

} // namespace

ModuleTraits collectModuleTraits(const spirv::Module &module) {
  ModuleTraits traits;
  traits.samplePositions = module.hasCapability(spv::Capability::InterpolationFunction);
  for (const Inst *inst : module.globals()) {
    if (inst->opcode == spv::Op::OpSpecConstant || inst->opcode == spv::Op::OpSpecConstantTrue ||
        inst->opcode == spv::Op::OpSpecConstantFalse)
      noteSpecConstant(traits, module, *inst);
    // Variables, and the structures whose members are built-ins.
    if (inst->opcode == spv::Op::OpVariable || inst->opcode == spv::Op::OpTypeStruct)
      for (const spirv::Decoration &decoration : module.decorations(inst->resultId))
        noteDecoration(traits, decoration);
  }
  llvm::sort(traits.specConstants, [](const SpecDefault &a, const SpecDefault &b) {
    return a.constantId < b.constantId;
  });
  return traits;
}

} // namespace llpc
