//===- Layout.cpp - section order and the mode-setting instructions -------===//
// SPDX-License-Identifier: MIT
/// \file
/// "Logical Layout of a Module" (SPIR-V 2.4): which section an instruction belongs to and that
/// sections only go forward. Also OpCapability, OpExtension and OpMemoryModel, where modules for
/// other environments than Vulkan are turned away (addressing models by their capabilities).
#include "llpc/spirv/Capabilities.h"
#include "llpc/spirv/KernelDialect.h"
#include "llpc/spirv/Reader.h"
#include "llvm/ADT/STLExtras.h"

namespace llpc::spirv {

using llvm::Twine;
using spv::Op;

static const char *sectionName(Section section) {
  static constexpr const char *names[] = {
      "start",        "capabilities",     "extensions",      "instruction imports",
      "memory model", "entry points",     "execution modes", "debug sources",
      "debug names",  "processing notes", "annotations",     "types and globals",
      "functions"};
  return names[static_cast<size_t>(section)];
}

static Section sectionOf(Op opcode, const OpInfo &info) {
  switch (opcode) {
  case Op::OpNop:
  case Op::OpLine:
  case Op::OpNoLine:
    return Section::Anywhere;
  case Op::OpCapability:
    return Section::Capability;
  case Op::OpExtension:
    return Section::Extension;
  case Op::OpExtInstImport:
    return Section::ExtInstImport;
  case Op::OpMemoryModel:
    return Section::MemoryModel;
  case Op::OpEntryPoint:
    return Section::EntryPoint;
  case Op::OpExecutionMode:
  case Op::OpExecutionModeId:
    return Section::ExecutionMode;
  case Op::OpString:
  case Op::OpSourceExtension:
  case Op::OpSource:
  case Op::OpSourceContinued:
    return Section::DebugSource;
  case Op::OpName:
  case Op::OpMemberName:
    return Section::DebugName;
  case Op::OpModuleProcessed:
    return Section::ModuleProcessed;
  case Op::OpVariable:
  case Op::OpUndef:
  case Op::OpExtInst:
  case Op::OpExtInstWithForwardRefsKHR:
  case Op::OpUntypedVariableKHR:
    return Section::Flexible;
  default:
    if (info.isType || info.isConstant)
      return Section::Global;
    return info.opClass == OpClass::Annotation ? Section::Annotation : Section::Function;
  }
}

bool Reader::checkLayout(const Inst &inst, const OpInfo &info) {
  Section own = sectionOf(inst.opcode, info);
  if (own == Section::Anywhere)
    return true;
  if (own == Section::Flexible)
    own = section == Section::Function ? Section::Function : Section::Global;
  if (own < section)
    return invalid(inst, Twine("belongs to the section of ") + sectionName(own) +
                             ", which must come before the " + sectionName(section));
  if (own == section)
    return true;
  if (own > Section::MemoryModel && !sawMemoryModel)
    return invalid(inst, "OpMemoryModel must come before it");
  // Why: an opcode of a function body that comes first would otherwise read as "outside a block"
  // only after its operands; the message is the same, and it stays with Functions.cpp.
  section = own;
  return true;
}

void Reader::addImpliedCapabilities(spv::Capability capability) {
  // The list grows while it is walked; each capability enters once.
  size_t next = module.allCapabilities.size();
  if (llvm::is_contained(module.allCapabilities, capability))
    return;
  module.allCapabilities.push_back(capability);
  for (; next < module.allCapabilities.size(); ++next) {
    uint32_t value = static_cast<uint32_t>(module.allCapabilities[next]);
    const EnumInfo *info = findEnumerant(OperandKind::Capability, value);
    for (uint16_t implied : capabilitiesOf(*info))
      if (!llvm::is_contained(module.allCapabilities, static_cast<spv::Capability>(implied)))
        module.allCapabilities.push_back(static_cast<spv::Capability>(implied));
  }
}

bool Reader::supports(spv::Capability capability) const {
  return isSupported(capability) ||
         (kernels && llvm::is_contained(kernelCapabilities(), capability));
}

bool Reader::supports(const EnumInfo &info) const {
  return isSupported(info) ||
         (kernels && llvm::any_of(capabilitiesOf(info), [](uint16_t number) {
            return llvm::is_contained(kernelCapabilities(), static_cast<spv::Capability>(number));
          }));
}

bool Reader::checkCapability(const Inst &inst) {
  auto capability = static_cast<spv::Capability>(inst[0]);
  if (!supports(capability))
    return unsupportedInst(inst, "capability " + capabilityName(capability) + " not supported");
  if (!llvm::is_contained(module.declaredCapabilities, capability))
    module.declaredCapabilities.push_back(capability);
  addImpliedCapabilities(capability);
  return true;
}

bool Reader::checkExtension(const Inst &inst) {
  module.declaredExtensions.push_back(literalString(inst.operands));
  return true;
}

/// Of a module of the Kernel dialect.
bool Reader::checkKernelModel(const Inst &inst) {
  if (static_cast<spv::MemoryModel>(inst[1]) != spv::MemoryModel::OpenCL)
    return invalid(inst, "memory model " + enumName(OperandKind::MemoryModel, inst[1]) +
                             " of a module with the capability Kernel, must be OpenCL");
  if (static_cast<spv::AddressingModel>(inst[0]) != spv::AddressingModel::Physical64)
    return unsupportedInst(inst, "addressing model " +
                                     enumName(OperandKind::AddressingModel, inst[0]) +
                                     " not supported, only Physical64");
  return true;
}

bool Reader::checkMemoryModel(const Inst &inst) {
  if (sawMemoryModel)
    return invalid(inst, "a second OpMemoryModel");
  sawMemoryModel = true;
  const auto model = static_cast<spv::MemoryModel>(inst[1]);
  if (isKernelModule(module))
    return checkKernelModel(inst);
  if (model != spv::MemoryModel::GLSL450 && model != spv::MemoryModel::Vulkan)
    return unsupportedInst(inst, "memory model " + enumName(OperandKind::MemoryModel, inst[1]) +
                                     " not supported, only GLSL450 and Vulkan");
  return true;
}

} // namespace llpc::spirv
