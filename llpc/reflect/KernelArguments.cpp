//===- KernelArguments.cpp - where a kernel finds its arguments -----------===//
// SPDX-License-Identifier: MIT
/// \file
///   before: %k = OpFunction with the parameters float CrossWorkgroup *, float, uint
///   after:  {GlobalPointer at 0, 8 bytes}, {Value at 8, 4 bytes}, {Value at 12, 4 bytes}
#include "llpc/reflect/KernelArguments.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Support/MathExtras.h"

namespace llpc {

using llvm::Twine;
using spirv::Id;
using spirv::Inst;
using spv::Op;

namespace {

struct Layout {
  uint64_t size = 0, align = 1; ///< in bytes; the size is a multiple of the alignment
};

/// Sizes of types as OpenCL C has them ("Built-in Scalar Data Types", "Vector Data Types",
/// "Alignment of Types"): a vector is as large as the next power of two of components.
class Layouts {
public:
  explicit Layouts(const spirv::Module &module) : module(module) {}

  /// Types are nested at most Limits::maxTypeDepth deep; each is computed once.
  llvm::Expected<Layout> of(const Inst &parameter, Id typeId) {
    if (auto known = layouts.find(typeId); known != layouts.end())
      return known->second;
    const Inst *type = module.definition(typeId);
    const Layout layout = KILN_TRY(compute(parameter, *type));
    if (layout.size > maxBytes)
      return lgc::limitExceeded(spirv::place(parameter) + ": the argument has more than " +
                                Twine(maxBytes) + " bytes");
    layouts[typeId] = layout;
    return layout;
  }

  static constexpr uint64_t maxBytes = 1u << 16;

private:
  const spirv::Module &module;
  llvm::DenseMap<Id, Layout> layouts;

  llvm::Expected<Layout> compute(const Inst &parameter, const Inst &type) {
    switch (type.opcode) {
    case Op::OpTypeInt:
    case Op::OpTypeFloat:
      return Layout{type[0] / 8, type[0] / 8};
    case Op::OpTypePointer:
      return Layout{8, 8};
    case Op::OpTypeVector: {
      const Layout element = KILN_TRY(of(parameter, type[0]));
      const uint64_t size = element.size * llvm::PowerOf2Ceil(type[1]);
      return Layout{size, size};
    }
    case Op::OpTypeArray:
      return arrayLayout(parameter, type);
    case Op::OpTypeStruct:
      return structLayout(parameter, type);
    default:
      return lgc::unsupported(spirv::place(parameter) + ": arguments of type " +
                              spirv::opName(type.opcode) + " not supported");
    }
  }

  llvm::Expected<Layout> arrayLayout(const Inst &parameter, const Inst &type) {
    const Inst *length = module.definition(type[1]);
    if (!length || length->opcode != Op::OpConstant)
      return lgc::unsupported(spirv::place(parameter) +
                              ": arrays whose length is no OpConstant not supported");
    const Layout element = KILN_TRY(of(parameter, type[0]));
    uint64_t count = (*length)[0];
    if (length->size() > 1)
      count |= uint64_t((*length)[1]) << 32;
    return Layout{llvm::SaturatingMultiply(element.size, count), element.align};
  }

  llvm::Expected<Layout> structLayout(const Inst &parameter, const Inst &type) {
    const bool packed = module.hasDecoration(type.resultId, spv::Decoration::CPacked);
    Layout all;
    for (Id member : type.operands) {
      const Layout layout = KILN_TRY(of(parameter, member));
      const uint64_t align = packed ? 1 : layout.align;
      all.size = llvm::SaturatingAdd(llvm::alignTo(all.size, align), layout.size);
      all.align = std::max(all.align, align);
    }
    all.size = llvm::alignTo(all.size, all.align);
    return all;
  }
};

llvm::Expected<KernelArgument> argumentOf(const spirv::Module &module, const Inst &parameter,
                                          Layouts &layouts) {
  KernelArgument argument;
  argument.name = module.name(parameter.resultId).str();
  const Inst *type = module.definition(parameter.typeId);
  Id valueType = parameter.typeId;
  if (type->opcode == Op::OpTypePointer) {
    switch (static_cast<spv::StorageClass>((*type)[0])) {
    case spv::StorageClass::CrossWorkgroup:
      argument.kind = KernelArgumentKind::GlobalPointer;
      break;
    case spv::StorageClass::UniformConstant:
      argument.kind = KernelArgumentKind::ConstantPointer;
      break;
    case spv::StorageClass::Workgroup: {
      const auto *bytes = module.findDecoration(parameter.resultId, spv::Decoration::MaxByteOffset);
      if (!bytes || bytes->operands.empty())
        return lgc::invalidInput(spirv::place(parameter) +
                                 ": the size of the __local memory that the argument points to is "
                                 "not known (decoration MaxByteOffset)");
      argument.kind = KernelArgumentKind::LocalPointer;
      argument.size = bytes->operands[0];
      return argument;
    }
    default:
      if (!isByValue(module, parameter))
        return lgc::unsupported(spirv::place(parameter) +
                                ": arguments that point to this storage class not supported");
      valueType = (*type)[1];
    }
  }
  const Layout layout = KILN_TRY(layouts.of(parameter, valueType));
  argument.size = static_cast<uint32_t>(layout.size);
  argument.align = static_cast<uint32_t>(layout.align);
  return argument;
}

} // namespace

bool isByValue(const spirv::Module &module, const Inst &parameter) {
  for (const spirv::Decoration &decoration : module.decorations(parameter.resultId))
    if (decoration.kind == spv::Decoration::FuncParamAttr && !decoration.operands.empty() &&
        decoration.operands[0] == static_cast<uint32_t>(spv::FunctionParameterAttribute::ByVal))
      return true;
  return false;
}

llvm::Expected<KernelInterface> kernelInterfaceOf(const spirv::Module &module,
                                                  const spirv::EntryPoint &entry) {
  KernelInterface result;
  Layouts layouts(module);
  uint64_t end = 0;
  for (const Inst *parameter : module.findFunction(entry.function)->parameters) {
    KernelArgument argument = KILN_TRY(argumentOf(module, *parameter, layouts));
    if (argument.kind != KernelArgumentKind::LocalPointer) {
      const uint64_t offset = llvm::alignTo(end, argument.align);
      end = offset + argument.size;
      if (end > Layouts::maxBytes)
        return lgc::limitExceeded(spirv::place(*parameter) + ": arguments of more than " +
                                  Twine(Layouts::maxBytes) + " bytes");
      argument.offset = static_cast<uint32_t>(offset);
    }
    result.arguments.push_back(std::move(argument));
  }
  result.bytes = static_cast<uint32_t>(end);
  return result;
}

} // namespace llpc
