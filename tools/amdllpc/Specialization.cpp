//===- Specialization.cpp - the values of -spec ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// `-spec 3=1.5` says nothing about the constant's type, so the module is asked: 1.5 becomes a
/// half, float or double as the constant with SpecId 3 is declared, and `true` is taken for a bool.
#include "Job.h"
#include "llpc/spirv/Module.h"
#include "pal_shim/abi/Try.h"
#include "tools/cli/Arguments.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

using llvm::StringRef;
using llvm::Twine;

namespace amdllpc {

using llpc::spirv::Inst;

namespace {

const Inst *findConstant(const llpc::spirv::Module &module, uint32_t specId) {
  for (const Inst *inst : module.globals()) {
    const auto *decoration = module.findDecoration(inst->resultId, spv::Decoration::SpecId);
    if (decoration && !decoration->operands.empty() && decoration->operands[0] == specId)
      return inst;
  }
  return nullptr;
}

llvm::Error notAValue(const SpecArgument &argument, const Twine &type) {
  return lgc::invalidInput("-spec " + Twine(argument.id) + "=" + argument.value +
                           ": not a value of type " + type);
}

llvm::Expected<llpc::SpecConstant> convertInteger(const SpecArgument &argument, unsigned width) {
  StringRef text = argument.value;
  bool isNegative = text.consume_front("-");
  uint64_t value = 0;
  if (text.getAsInteger(0, value) || (width < 64 && value >> width) ||
      (isNegative && value > 1ull << (width - 1)))
    return notAValue(argument, "int" + Twine(width));
  uint64_t mask = width == 64 ? ~0ull : (1ull << width) - 1;
  return llpc::SpecConstant{argument.id, width / 8, (isNegative ? 0 - value : value) & mask};
}

llvm::Expected<llpc::SpecConstant> convertFloat(const SpecArgument &argument, unsigned width) {
  const llvm::fltSemantics &semantics = width == 16   ? llvm::APFloat::IEEEhalf()
                                        : width == 32 ? llvm::APFloat::IEEEsingle()
                                                      : llvm::APFloat::IEEEdouble();
  llvm::APFloat value(semantics);
  auto status = value.convertFromString(argument.value, llvm::APFloat::rmNearestTiesToEven);
  if (!status) {
    llvm::consumeError(status.takeError());
    return notAValue(argument, "float" + Twine(width));
  }
  return llpc::SpecConstant{argument.id, width / 8, value.bitcastToAPInt().getZExtValue()};
}

llvm::Expected<llpc::SpecConstant> convert(const SpecArgument &argument, const Inst &constant,
                                           const llpc::spirv::Module &module) {
  const Inst *type = module.definition(constant.typeId);
  unsigned width = type && type->size() ? (*type)[0] : 0;
  bool isKnownWidth = width == 8 || width == 16 || width == 32 || width == 64;
  if (type && type->opcode == spv::Op::OpTypeInt && isKnownWidth)
    return convertInteger(argument, width);
  if (type && type->opcode == spv::Op::OpTypeFloat && isKnownWidth && width != 8)
    return convertFloat(argument, width);
  if (type && type->opcode == spv::Op::OpTypeBool) {
    bool value = false;
    if (llvm::Error error = cli::setFlag(value, argument.value)) {
      llvm::consumeError(std::move(error));
      return notAValue(argument, "bool");
    }
    return llpc::SpecConstant{argument.id, 4, value};
  }
  return lgc::unsupported("-spec " + Twine(argument.id) + ": constant of an unknown type");
}

} // namespace

llvm::Expected<std::vector<llpc::SpecConstant>>
convertSpecialization(llvm::ArrayRef<SpecArgument> arguments, const llpc::spirv::Module &module,
                      std::vector<bool> &used) {
  std::vector<llpc::SpecConstant> constants;
  used.resize(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Inst *declared = findConstant(module, arguments[i].id);
    if (!declared)
      continue;
    used[i] = true;
    auto constant = KILN_TRY(convert(arguments[i], *declared, module));
    constants.push_back(constant);
  }
  return constants;
}

} // namespace amdllpc
