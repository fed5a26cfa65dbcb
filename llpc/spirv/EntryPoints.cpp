//===- EntryPoints.cpp - entry points and execution modes -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Collects OpEntryPoint and the execution modes of each; at the end checks that entry points are
/// functions without parameters and that their interfaces are variables.
#include "llpc/spirv/KernelDialect.h"
#include "llpc/spirv/Reader.h"
#include <algorithm>

namespace llpc::spirv {

using llvm::Twine;
using spv::Op;

bool Reader::addEntryPoint(const Inst &inst) {
  EntryPoint entry;
  entry.model = static_cast<spv::ExecutionModel>(inst[0]);
  entry.function = inst[1];
  entry.name = literalString(inst.operands, 2);
  entry.interfaceIds = inst.operands.drop_front(3 + entry.name.size() / sizeof(uint32_t));
  entry.wordOffset = inst.wordOffset;
  // Why a limit: look-ups by function and name are linear.
  constexpr size_t maxEntryPoints = 1024;
  if (module.entries.size() == maxEntryPoints)
    return fail(lgc::ErrorKind::LimitExceeded,
                place(inst) + ": more than " + std::to_string(maxEntryPoints) + " entry points");
  if (module.findEntryPoint(entry.model, entry.name))
    return invalid(inst, "a second entry point \"" + entry.name + "\" of execution model " +
                             enumName(OperandKind::ExecutionModel, inst[0]));
  module.entries.push_back(std::move(entry));
  return true;
}

/// True for modes that may be given once per value of their first operand (a float width).
static bool isPerWidth(spv::ExecutionMode mode) {
  switch (mode) {
  case spv::ExecutionMode::DenormPreserve:
  case spv::ExecutionMode::DenormFlushToZero:
  case spv::ExecutionMode::SignedZeroInfNanPreserve:
  case spv::ExecutionMode::RoundingModeRTE:
  case spv::ExecutionMode::RoundingModeRTZ:
  case spv::ExecutionMode::FPFastMathDefault:
    return true;
  default:
    return false;
  }
}

bool Reader::addExecutionMode(const Inst &inst) {
  bool isId = inst.opcode == Op::OpExecutionModeId;
  const EnumInfo *info = findEnumerant(OperandKind::ExecutionMode, inst[1]);
  bool takesIds = false;
  for (OperandSpec spec : operandsOf(*info))
    takesIds |= kindInfo(spec.kind).category == KindCategory::Id;
  if (takesIds != isId && (takesIds || info->paramCount))
    return invalid(inst, "execution mode " + nameOf(*info) +
                             (takesIds ? " needs OpExecutionModeId" : " needs OpExecutionMode"));
  ExecutionMode mode = {static_cast<spv::ExecutionMode>(inst[1]), inst.operands.drop_front(2),
                        isId};
  bool found = false;
  for (EntryPoint &entry : module.entries) {
    if (entry.function != inst[0])
      continue;
    found = true;
    // Why a limit: each mode is compared with those before it.
    constexpr size_t maxModes = 256;
    if (entry.modes.size() == maxModes)
      return fail(lgc::ErrorKind::LimitExceeded, place(inst) + ": more than " +
                                                     std::to_string(maxModes) +
                                                     " execution modes of one entry point");
    for (const ExecutionMode &old : entry.modes)
      if (old.mode == mode.mode && !(isPerWidth(mode.mode) && old.operands[0] != mode.operands[0]))
        return invalid(inst, "execution mode " + nameOf(*info) + " is given twice for %" +
                                 Twine(inst[0]));
    entry.modes.push_back(mode);
  }
  if (!found)
    return invalid(inst, "%" + Twine(inst[0]) + " is the function of no OpEntryPoint");
  return true;
}

bool Reader::finishEntryPoints() {
  for (const EntryPoint &entry : module.entries) {
    // The instruction is found again by its position: entries keep word offsets only.
    const Inst &inst = *std::lower_bound(
        module.insts.begin(), module.insts.end(), entry.wordOffset,
        [](const Inst &candidate, uint32_t offset) { return candidate.wordOffset < offset; });
    const Function *function = module.findFunction(entry.function);
    if (!function)
      return invalid(inst, "%" + Twine(entry.function) + " is no OpFunction");
    if (function->blocks.empty())
      return invalid(inst, "function %" + Twine(entry.function) + " has no blocks");
    const bool isKernel = entry.model == spv::ExecutionModel::Kernel;
    if (isKernel != isKernelModule(module))
      return invalid(inst,
                     "execution model " +
                         enumName(OperandKind::ExecutionModel, static_cast<uint32_t>(entry.model)) +
                         (isKernel ? " needs the capability Kernel"
                                   : " in a module with the capability Kernel"));
    if (!function->parameters.empty() && !isKernel)
      return invalid(inst, "function %" + Twine(entry.function) + " has " +
                               Twine(function->parameters.size()) + " parameters, must have none");
    const Inst *returnType = module.definition(function->definition->typeId);
    if (returnType->opcode != Op::OpTypeVoid)
      return invalid(inst, "function %" + Twine(entry.function) + " returns a value");
    for (Id id : entry.interfaceIds) {
      const Inst *variable = module.definition(id);
      bool isVariable = variable->opcode == Op::OpVariable;
      bool isLocal =
          isVariable && variable->operands[0] == static_cast<uint32_t>(spv::StorageClass::Function);
      if (!isVariable || isLocal)
        return invalid(inst, "interface id %" + Twine(id) + " is no global variable");
    }
  }
  for (const Inst &inst : module.insts) {
    if (inst.opcode == Op::OpFunction)
      break;
    if (inst.typeId || (inst.resultId && module.typeDepth(inst.resultId)))
      module.globalInsts.push_back(&inst);
  }
  return true;
}

} // namespace llpc::spirv
