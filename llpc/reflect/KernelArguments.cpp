//===- KernelArguments.cpp - where a kernel finds its arguments -----------===//
// SPDX-License-Identifier: MIT
/// \file
///   before: %k = OpFunction with the parameters float CrossWorkgroup *, float, uint
///   after:  {GlobalPointer at 0, 8 bytes}, {Value at 8, 4 bytes}, {Value at 12, 4 bytes}
#include "llpc/reflect/KernelArguments.h"
#include "llpc/reflect/KernelPrintf.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
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

struct DimRow {
  spv::Dim dim;
  bool isArrayed;
  KernelImageDim result;
};
constexpr DimRow dims[] = {
    {spv::Dim::Dim1D, false, KernelImageDim::Dim1D},
    {spv::Dim::Dim2D, false, KernelImageDim::Dim2D},
    {spv::Dim::Dim3D, false, KernelImageDim::Dim3D},
    {spv::Dim::Dim1D, true, KernelImageDim::Dim1DArray},
    {spv::Dim::Dim2D, true, KernelImageDim::Dim2DArray},
    {spv::Dim::Buffer, false, KernelImageDim::Buffer},
};

/// OpTypeImage: sampled type, Dim, Depth, Arrayed, MS, Sampled, Format, access qualifier.
llvm::Error addImage(const Inst &parameter, const Inst &type, KernelArgument &argument) {
  const DimRow *row = llvm::find_if(dims, [&](const DimRow &row) {
    return static_cast<uint32_t>(row.dim) == type[1] && row.isArrayed == (type[3] != 0);
  });
  if (row == std::end(dims) || type[4])
    return lgc::unsupported(spirv::place(parameter) +
                            ": images of this dimension, or with several samples, not supported");
  argument.kind = KernelArgumentKind::Image;
  argument.dim = row->result;
  // Without a qualifier it is not known.
  argument.access = KernelAccess::ReadWrite;
  if (type.size() > 7 && type[7] <= static_cast<uint32_t>(KernelAccess::ReadWrite))
    argument.access = static_cast<KernelAccess>(type[7]);
  return llvm::Error::success();
}

llvm::Expected<KernelArgument> argumentOf(const spirv::Module &module, const Inst &parameter,
                                          Layouts &layouts) {
  KernelArgument argument;
  argument.name = module.name(parameter.resultId).str();
  const Inst *type = module.definition(parameter.typeId);
  Id valueType = parameter.typeId;
  if (type->opcode == Op::OpTypeImage) {
    KILN_TRY(addImage(parameter, *type, argument));
    return argument;
  }
  if (type->opcode == Op::OpTypeSampler) {
    argument.kind = KernelArgumentKind::Sampler;
    return argument;
  }
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

KernelSampler literalSampler(const Inst &constant) {
  KernelSampler sampler;
  sampler.address = static_cast<KernelSampler::Address>(constant[0]);
  sampler.normalized = constant[1] != 0;
  sampler.linear = constant[2] == static_cast<uint32_t>(spv::SamplerFilterMode::Linear);
  return sampler;
}

namespace {

bool hasBuiltIn(const spirv::Module &module, spv::BuiltIn builtIn) {
  return llvm::any_of(module.globals(), [&](const Inst *inst) {
    const auto *decoration = inst->opcode == Op::OpVariable
                                 ? module.findDecoration(inst->resultId, spv::Decoration::BuiltIn)
                                 : nullptr;
    return decoration && decoration->operands[0] == static_cast<uint32_t>(builtIn);
  });
}

/// Numbers descriptors, and says where the other arguments are.
class Placement {
public:
  explicit Placement(KernelInterface &result) : result(result) {}

  llvm::Error place(const Inst &parameter, KernelArgument &argument) {
    switch (argument.kind) {
    case KernelArgumentKind::LocalPointer:
      return llvm::Error::success();
    case KernelArgumentKind::Image:
    case KernelArgumentKind::Sampler:
      argument.binding = result.firstSampler++;
      return llvm::Error::success();
    default:
      argument.offset = reserve(argument.size, argument.align);
      if (end > Layouts::maxBytes)
        return lgc::limitExceeded(spirv::place(parameter) + ": arguments of more than " +
                                  Twine(Layouts::maxBytes) + " bytes");
      return llvm::Error::success();
    }
  }
  uint32_t reserve(uint32_t size, uint32_t align) {
    const uint64_t offset = llvm::alignTo(end, align);
    end = offset + size;
    return static_cast<uint32_t>(offset);
  }
  uint64_t end = 0; ///< at most 128 KiB: place() refuses what is beyond half of it

private:
  KernelInterface &result;
};

} // namespace

llvm::Expected<KernelInterface> kernelInterfaceOf(const spirv::Module &module,
                                                  const spirv::EntryPoint &entry) {
  KernelInterface result;
  Layouts layouts(module);
  Placement placement(result);
  for (const Inst *parameter : module.findFunction(entry.function)->parameters) {
    KernelArgument argument = KILN_TRY(argumentOf(module, *parameter, layouts));
    KILN_TRY(placement.place(*parameter, argument));
    result.arguments.push_back(std::move(argument));
  }
  for (const Inst *inst : module.globals())
    if (inst->opcode == Op::OpConstantSampler)
      if (const KernelSampler sampler = literalSampler(*inst);
          !llvm::is_contained(result.samplers, sampler))
        result.samplers.push_back(sampler);
  if (hasBuiltIn(module, spv::BuiltIn::WorkDim))
    result.workDim = placement.reserve(4, 4);
  for (const Inst *call : printfCalls(module))
    result.printfs.push_back(KILN_TRY(printfOf(module, *call)));
  if (!result.printfs.empty())
    result.printfBuffer = placement.reserve(8, 8);
  result.bytes = static_cast<uint32_t>(placement.end);
  return result;
}

} // namespace llpc
