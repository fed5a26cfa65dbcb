//===- ResourceUsage.cpp - what an entry point uses, without compiling ----===//
// SPDX-License-Identifier: MIT
/// \file
/// Turns the module-scope variables that the entry point's code names (EntryCode.h) into resource
/// nodes.
///   before: OpEntryPoint GLCompute %main; %main loads from %ubo (set 0, binding 2) and calls %f,
///           which samples %tex (set 0, binding 3); %unused (set 1) is named nowhere
///   after:  {DescriptorConstBuffer 0.2}, {DescriptorCombinedTexture 0.3}
#include "llpc/reflect/ResourceUsage.h"
#include "llpc/reflect/ConstantEval.h"
#include "llpc/reflect/EntryCode.h"
#include "llpc/reflect/KernelArguments.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace llpc {

using lgc::ResourceNodeType;
using spirv::Id;
using spirv::Inst;

namespace {

/// Two uses of one binding.
void mergeNode(ResourceNodeData &old, const ResourceNodeData &node) {
  old.arraySize = std::max(old.arraySize, node.arraySize);
  if (old.type == node.type)
    return;
  auto isOneOf = [&](ResourceNodeType a, ResourceNodeType b) {
    return (old.type == a || old.type == b) && (node.type == a || node.type == b);
  };
  auto isTexturePart = [](ResourceNodeType t) {
    return t == ResourceNodeType::DescriptorResource || t == ResourceNodeType::DescriptorSampler ||
           t == ResourceNodeType::DescriptorCombinedTexture;
  };
  if (isTexturePart(old.type) && isTexturePart(node.type))
    old.type = ResourceNodeType::DescriptorCombinedTexture;
  else if (isOneOf(ResourceNodeType::DescriptorBuffer, ResourceNodeType::DescriptorConstBuffer))
    old.type = ResourceNodeType::DescriptorBuffer;
  else
    old.type = ResourceNodeType::DescriptorMutable;
}

class Collector {
public:
  Collector(const spirv::Module &module, llvm::ArrayRef<SpecConstant> specialization)
      : module(module), constants(module, specialization) {}

  llvm::Expected<ResourceUsage> run(const EntryCode &code);

private:
  llvm::Error addVariable(const Inst &variable);
  llvm::Expected<ResourceNodeType> descriptorType(const Inst &variable, spv::StorageClass storage,
                                                  const Inst &type);
  ResourceNodeType imageType(const Inst &image) const;
  void addNode(const ResourceNodeData &node);
  std::optional<uint64_t> arrayLength(Id lengthId);
  uint64_t sizeInBytes(Id typeId);
  uint64_t computeSize(const Inst &type);
  uint64_t memberSize(const Inst &type, uint32_t member);
  uint64_t knownSize(Id typeId) const;
  bool sizeOperands(const Inst &type, llvm::SmallVectorImpl<Id> &missing) const;

  const spirv::Module &module;
  ConstantEval constants;
  std::map<std::pair<uint32_t, uint32_t>, ResourceNodeData> nodes;
  llvm::DenseMap<Id, uint64_t> sizes;
  uint64_t pushConstSize = 0;
  bool isSpecialized = false;
};

/// Length of an array type; empty when it is not known.
std::optional<uint64_t> Collector::arrayLength(Id lengthId) {
  const Inst *length = module.definition(lengthId);
  isSpecialized |= length && length->opcode != spv::Op::OpConstant;
  return constants.evaluate(lengthId);
}

ResourceNodeType Collector::imageType(const Inst &image) const {
  // OpTypeImage: sampled type, Dim, Depth, Arrayed, MS, Sampled, Format
  auto dim = image.size() > 1 ? static_cast<spv::Dim>(image[1]) : spv::Dim::Dim2D;
  bool isStorage = image.size() > 5 && image[5] == 2;
  if (dim == spv::Dim::Buffer)
    return isStorage ? ResourceNodeType::DescriptorTexelBuffer
                     : ResourceNodeType::DescriptorConstTexelBuffer;
  if (dim == spv::Dim::SubpassData)
    return ResourceNodeType::DescriptorResource;
  return isStorage ? ResourceNodeType::DescriptorImage : ResourceNodeType::DescriptorResource;
}

llvm::Expected<ResourceNodeType>
Collector::descriptorType(const Inst &variable, spv::StorageClass storage, const Inst &type) {
  switch (type.opcode) {
  case spv::Op::OpTypeSampler:
    return ResourceNodeType::DescriptorSampler;
  case spv::Op::OpTypeImage:
    return imageType(type);
  case spv::Op::OpTypeSampledImage: {
    const Inst *image = type.size() ? module.definition(type[0]) : nullptr;
    if (image && image->opcode == spv::Op::OpTypeImage &&
        imageType(*image) == ResourceNodeType::DescriptorConstTexelBuffer)
      return ResourceNodeType::DescriptorConstTexelBuffer;
    return ResourceNodeType::DescriptorCombinedTexture;
  }
  case spv::Op::OpTypeAccelerationStructureKHR:
    return ResourceNodeType::DescriptorConstBuffer;
  case spv::Op::OpTypeStruct:
    if (storage == spv::StorageClass::Uniform &&
        !module.hasDecoration(type.resultId, spv::Decoration::BufferBlock))
      return ResourceNodeType::DescriptorConstBuffer;
    if (storage != spv::StorageClass::UniformConstant)
      return ResourceNodeType::DescriptorBuffer;
    [[fallthrough]];
  default:
    return lgc::invalidInput(spirv::place(variable) + ": " + spirv::opName(type.opcode) +
                             " cannot be a resource in this storage class");
  }
}

void Collector::addNode(const ResourceNodeData &node) {
  auto [it, isNew] = nodes.try_emplace({node.set, node.binding}, node);
  if (!isNew)
    mergeNode(it->second, node);
}

llvm::Error Collector::addVariable(const Inst &variable) {
  auto storage = static_cast<spv::StorageClass>(variable[0]);
  bool isResource = storage == spv::StorageClass::UniformConstant ||
                    storage == spv::StorageClass::Uniform ||
                    storage == spv::StorageClass::StorageBuffer;
  const Inst *pointer = module.definition(variable.typeId);
  if (!pointer || pointer->opcode != spv::Op::OpTypePointer || pointer->size() < 2)
    return lgc::invalidInput(spirv::place(variable) + ": the type is no pointer");
  const Inst *type = module.definition((*pointer)[1]);
  if (!type)
    return lgc::invalidInput(spirv::place(variable) + ": the pointer's type is not defined");
  if (storage == spv::StorageClass::PushConstant)
    pushConstSize = std::max(pushConstSize, sizeInBytes(type->resultId));
  if (!isResource)
    return llvm::Error::success();

  ResourceNodeData node;
  uint64_t count = 1;
  while (type &&
         (type->opcode == spv::Op::OpTypeArray || type->opcode == spv::Op::OpTypeRuntimeArray) &&
         type->size()) {
    std::optional<uint64_t> length;
    if (type->opcode == spv::Op::OpTypeArray && type->size() >= 2)
      length = arrayLength((*type)[1]);
    bool fits = length && *length && *length < ResourceNodeData::runtimeArray / count;
    count = fits ? count * *length : ResourceNodeData::runtimeArray;
    type = module.definition((*type)[0]);
  }
  node.arraySize = static_cast<uint32_t>(count);
  if (!type)
    return lgc::invalidInput(spirv::place(variable) + ": an element type is not defined");
  auto nodeType = KILN_TRY(descriptorType(variable, storage, *type));
  node.type = nodeType;
  const auto *set = module.findDecoration(variable.resultId, spv::Decoration::DescriptorSet);
  const auto *binding = module.findDecoration(variable.resultId, spv::Decoration::Binding);
  if (!set || set->operands.empty() || !binding || binding->operands.empty())
    return lgc::invalidInput(spirv::place(variable) +
                             ": a resource variable needs DescriptorSet and Binding");
  node.set = set->operands[0];
  node.binding = binding->operands[0];
  addNode(node);
  return llvm::Error::success();
}

/// Ids of the types that the size of \p type needs and that are not known yet.
bool Collector::sizeOperands(const Inst &type, llvm::SmallVectorImpl<Id> &missing) const {
  size_t before = missing.size();
  auto need = [&](Id id) {
    const Inst *def = module.definition(id);
    // Types are defined before their users, except through pointers, which have a fixed size.
    if (def && def->wordOffset < type.wordOffset && !sizes.count(id))
      missing.push_back(id);
  };
  if (type.opcode == spv::Op::OpTypeStruct)
    llvm::for_each(type.operands, need);
  else if ((type.opcode == spv::Op::OpTypeVector || type.opcode == spv::Op::OpTypeMatrix ||
            type.opcode == spv::Op::OpTypeArray) &&
           type.size())
    need(type[0]);
  return missing.size() != before;
}

constexpr uint64_t sizeLimit = 1ull << 40; ///< keeps products of hostile sizes from wrapping

/// Of a type whose operands' sizes are known, or 0.
uint64_t Collector::knownSize(Id typeId) const {
  auto it = sizes.find(typeId);
  if (it != sizes.end())
    return it->second;
  // A pointer type may be declared first (OpTypeForwardPointer) and defined after its users.
  const Inst *def = module.definition(typeId);
  return def && (def->opcode == spv::Op::OpTypePointer ||
                 def->opcode == spv::Op::OpTypeUntypedPointerKHR)
             ? 8
             : 0;
}

/// To the end of the last element, not of the last stride.
uint64_t stridedSize(uint64_t count, uint64_t stride, uint64_t elementSize) {
  count = std::min<uint64_t>(count, 1u << 20);
  return count ? (count - 1) * std::min<uint64_t>(stride, 1u << 20) + elementSize : 0;
}

/// Matrices, also those in arrays, have their stride and order at the member.
uint64_t Collector::memberSize(const Inst &type, uint32_t member) {
  const auto *stride = module.findDecoration(type.resultId, spv::Decoration::MatrixStride, member);
  const Inst *at = module.definition(type[member]);
  uint64_t before = 0; // the last element
  constexpr unsigned maxArrays = 16;
  for (unsigned i = 0;
       i < maxArrays && stride && at && at->opcode == spv::Op::OpTypeArray && at->size() >= 2;
       ++i) {
    const auto *arrayStride = module.findDecoration(at->resultId, spv::Decoration::ArrayStride);
    if (!arrayStride || arrayStride->operands.empty())
      break;
    const std::optional<uint64_t> length = arrayLength((*at)[1]);
    if (!length || !*length)
      return 0;
    before += stridedSize(*length, arrayStride->operands[0], 0);
    const Inst *element = module.definition((*at)[0]);
    if (!element || element->wordOffset >= at->wordOffset)
      break;
    at = element;
  }
  if (!stride || stride->operands.empty() || !at || at->opcode != spv::Op::OpTypeMatrix ||
      at->size() < 2)
    return knownSize(type[member]);
  const Inst *column = module.definition((*at)[0]);
  if (!column || column->size() < 2)
    return knownSize(type[member]);
  const bool isRowMajor = module.findDecoration(type.resultId, spv::Decoration::RowMajor, member);
  const uint64_t columns = std::min((*at)[1], 16u), rows = std::min((*column)[1], 16u);
  const uint64_t scalar = knownSize((*column)[0]);
  return before + (isRowMajor ? stridedSize(rows, stride->operands[0], columns * scalar)
                              : stridedSize(columns, stride->operands[0], rows * scalar));
}

uint64_t Collector::computeSize(const Inst &type) {
  uint64_t size = 0;
  switch (type.opcode) {
  case spv::Op::OpTypeInt:
  case spv::Op::OpTypeFloat:
    size = type.size() ? type[0] / 8 : 0;
    break;
  case spv::Op::OpTypeBool:
    size = 4;
    break;
  case spv::Op::OpTypePointer:
  case spv::Op::OpTypeUntypedPointerKHR:
    size = 8;
    break;
  case spv::Op::OpTypeVector:
  case spv::Op::OpTypeMatrix:
    size = type.size() >= 2 ? knownSize(type[0]) * std::min(type[1], 16u) : 0;
    break;
  case spv::Op::OpTypeArray: {
    const auto *stride = module.findDecoration(type.resultId, spv::Decoration::ArrayStride);
    uint64_t length = type.size() >= 2 ? arrayLength(type[1]).value_or(0) : 0;
    const uint64_t elementSize = type.size() ? knownSize(type[0]) : 0;
    size =
        stridedSize(length, stride && !stride->operands.empty() ? stride->operands[0] : elementSize,
                    elementSize);
    break;
  }
  case spv::Op::OpTypeStruct:
    for (uint32_t member = 0; member < type.size(); ++member) {
      const auto *offset = module.findDecoration(type.resultId, spv::Decoration::Offset, member);
      uint64_t begin = offset && !offset->operands.empty() ? offset->operands[0] : size;
      size = std::max(size, begin + memberSize(type, member));
    }
    break;
  default:
    break;
  }
  return std::min(size, sizeLimit);
}

uint64_t Collector::sizeInBytes(Id typeId) {
  llvm::SmallVector<Id, 16> pending = {typeId};
  while (!pending.empty()) {
    const Inst *type = module.definition(pending.back());
    if (!type || sizes.count(pending.back())) {
      sizes.try_emplace(pending.pop_back_val(), 0);
      continue;
    }
    if (sizeOperands(*type, pending))
      continue;
    uint64_t size = computeSize(*type);
    sizes[type->resultId] = size;
    pending.pop_back();
  }
  return sizes.lookup(typeId);
}

llvm::Expected<ResourceUsage> Collector::run(const EntryCode &code) {
  for (const UsedVariable &variable : code.variables)
    KILN_TRY(addVariable(*variable.definition));
  ResourceUsage usage;
  usage.nodes.reserve(nodes.size());
  for (const auto &[key, node] : nodes)
    usage.nodes.push_back(node);
  // Vulkan guarantees no more than 256 bytes anywhere; 64 KiB is beyond every implementation.
  if (pushConstSize > 65536)
    return lgc::limitExceeded("push constants of " + llvm::Twine(pushConstSize) + " bytes");
  usage.pushConstSize = static_cast<uint32_t>(pushConstSize);
  usage.isSpecialized = isSpecialized;
  return usage;
}

ResourceNodeType imageNode(const KernelArgument &argument) {
  const bool isRead = argument.access == KernelAccess::ReadOnly;
  if (argument.dim == KernelImageDim::Buffer)
    return isRead ? ResourceNodeType::DescriptorConstTexelBuffer
                  : ResourceNodeType::DescriptorTexelBuffer;
  return isRead ? ResourceNodeType::DescriptorResource : ResourceNodeType::DescriptorImage;
}

} // namespace

llvm::Expected<ResourceUsage> usageOfKernel(const spirv::Module &module,
                                            const spirv::EntryPoint &entry) {
  const KernelInterface interface = KILN_TRY(kernelInterfaceOf(module, entry));
  ResourceUsage usage;
  usage.pushConstSize = interface.bytes;
  auto add = [&](uint32_t binding, ResourceNodeType type) {
    ResourceNodeData node;
    node.type = type;
    node.binding = binding;
    usage.nodes.push_back(node);
  };
  for (const KernelArgument &argument : interface.arguments)
    if (argument.kind == KernelArgumentKind::Image)
      add(argument.binding, imageNode(argument));
    else if (argument.kind == KernelArgumentKind::Sampler)
      add(argument.binding, ResourceNodeType::DescriptorSampler);
  for (uint32_t i = 0; i < interface.samplers.size(); ++i)
    add(interface.firstSampler + i, ResourceNodeType::DescriptorSampler);
  return usage;
}

llvm::Expected<ResourceUsage> collectResourceUsage(const spirv::Module &module,
                                                   const spirv::EntryPoint &entry,
                                                   llvm::ArrayRef<SpecConstant> specialization) {
  if (entry.model == spv::ExecutionModel::Kernel)
    return usageOfKernel(module, entry);
  return usageOf(module, walkEntry(module, entry), specialization);
}

llvm::Expected<ResourceUsage> usageOf(const spirv::Module &module, const EntryCode &code,
                                      llvm::ArrayRef<SpecConstant> specialization) {
  return Collector(module, specialization).run(code);
}

uint32_t pushConstantBegin(const spirv::Module &module, const EntryCode &code) {
  uint32_t begin = ~0u;
  for (const UsedVariable &variable : code.variables) {
    const Inst *pointer = module.definition(variable.definition->typeId);
    if (static_cast<spv::StorageClass>((*variable.definition)[0]) !=
            spv::StorageClass::PushConstant ||
        !pointer || pointer->opcode != spv::Op::OpTypePointer || pointer->size() < 2)
      continue;
    const Inst *type = module.definition((*pointer)[1]);
    if (!type || type->opcode != spv::Op::OpTypeStruct)
      continue;
    for (uint32_t member = 0; member < type->size(); ++member) {
      const auto *offset = module.findDecoration(type->resultId, spv::Decoration::Offset, member);
      if (offset && !offset->operands.empty())
        begin = std::min(begin, offset->operands[0]);
    }
  }
  return begin == ~0u ? 0 : begin;
}

void mergeResourceUsage(ResourceUsage &into, const ResourceUsage &from) {
  auto key = [](const ResourceNodeData &node) { return std::pair(node.set, node.binding); };
  for (const ResourceNodeData &node : from.nodes) {
    auto at = llvm::partition_point(
        into.nodes, [&](const ResourceNodeData &other) { return key(other) < key(node); });
    if (at != into.nodes.end() && key(*at) == key(node))
      mergeNode(*at, node);
    else
      into.nodes.insert(at, node);
  }
  into.pushConstSize = std::max(into.pushConstSize, from.pushConstSize);
  into.isSpecialized |= from.isSpecialized;
}

} // namespace llpc
