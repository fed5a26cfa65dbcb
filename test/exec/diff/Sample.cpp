//===- Sample.cpp - generated inputs for any compute shader ---------------===//
// SPDX-License-Identifier: MIT
#include "Sample.h"
#include "../script/Formats.h"
#include "../script/Script.h"
#include "llpc/reflect/ResourceUsage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <array>
#include <cstring>

using llpc::ResourceNodeData;
using llpc::spirv::Decoration;
using llpc::spirv::Id;
using llpc::spirv::Inst;
using llpc::spirv::Module;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace exec {

Expected<SampleInput> parseSampleInput(StringRef text) {
  SampleInput input;
  input.text = text.str();
  llvm::SmallVector<StringRef, 8> parts;
  text.split(parts, ',');
  input.path = parts[0].str();
  if (parts.size() > 1)
    input.entry = parts[1].str();
  for (StringRef part : llvm::drop_begin(parts, std::min<size_t>(2, parts.size()))) {
    auto [id, value] = part.split('=');
    auto &entry = input.specialization.emplace_back();
    if (id.getAsInteger(10, entry.first) || value.getAsInteger(0, entry.second))
      return failure("'" + part + "' is no ID=VALUE");
  }
  return input;
}

namespace {

constexpr uint64_t runtimeElements = 1024;
constexpr uint64_t maxBufferBytes = 1 << 20;
constexpr uint32_t runtimeDescriptors = 4; ///< elements of a descriptor array without a size

/// Device features behind capabilities; others are core or need nothing.
constexpr struct {
  spv::Capability capability;
  const char *feature;
} featureTable[] = {
    {spv::Capability::Float64, "shaderFloat64"},
    {spv::Capability::Int64, "shaderInt64"},
    {spv::Capability::Int16, "shaderInt16"},
    {spv::Capability::Int8, "shaderInt8"},
    {spv::Capability::Float16, "shaderFloat16"},
    {spv::Capability::Int64Atomics, "shaderBufferInt64Atomics"},
    {spv::Capability::AtomicFloat32AddEXT, "shaderBufferFloat32AtomicAdd"},
    {spv::Capability::AtomicFloat32MinMaxEXT, "shaderBufferFloat32AtomicMinMax"},
    {spv::Capability::AtomicFloat64MinMaxEXT, "shaderBufferFloat64AtomicMinMax"},
    {spv::Capability::Int64ImageEXT, "shaderImageInt64Atomics"},
    {spv::Capability::StorageBuffer16BitAccess, "storageBuffer16BitAccess"},
    {spv::Capability::StorageBuffer8BitAccess, "storageBuffer8BitAccess"},
    {spv::Capability::ImageCubeArray, "imageCubeArray"},
    {spv::Capability::MinLod, "shaderResourceMinLod"},
    {spv::Capability::SparseResidency, "shaderResourceResidency"},
    {spv::Capability::PhysicalStorageBufferAddresses, "bufferDeviceAddress"},
    {spv::Capability::VulkanMemoryModel, "vulkanMemoryModel"},
    {spv::Capability::DotProduct, "shaderIntegerDotProduct"},
    {spv::Capability::ShaderClockKHR, "shaderSubgroupClock"},
    {spv::Capability::ComputeDerivativeGroupLinearKHR, "computeDerivativeGroupLinear"},
    {spv::Capability::ComputeDerivativeGroupQuadsKHR, "computeDerivativeGroupQuads"},
    {spv::Capability::WorkgroupMemoryExplicitLayoutKHR, "workgroupMemoryExplicitLayout"},
    {spv::Capability::GroupNonUniformRotateKHR, "shaderSubgroupRotate"},
    {spv::Capability::ExpectAssumeKHR, "shaderExpectAssume"},
    {spv::Capability::QuadControlKHR, "shaderQuadControl"},
};

class SampleBuilder {
public:
  SampleBuilder(const Module &module, Sample &sample, uint64_t seed)
      : module(module), sample(sample), job(sample.job), random(seed),
        constants(module, job.specialization), layouts(module, constants) {}

  Error build(const llpc::spirv::EntryPoint &entry) {
    for (const auto &row : featureTable)
      if (module.hasCapability(row.capability))
        sample.features.push_back(row.feature);
    Expected<llpc::ResourceUsage> usage =
        llpc::collectResourceUsage(module, entry, job.specialization);
    if (!usage)
      return usage.takeError();
    for (const ResourceNodeData &node : usage->nodes)
      if (Error error = addNode(node))
        return error;
    if (usage->pushConstSize)
      if (Error error = addPushConstants(usage->pushConstSize))
        return error;
    // Several workgroups only when they can tell who they are. A second row only where workgroups
    // have rows: others would do the first one's work again, and results in place would depend on
    // the order.
    std::array<uint64_t, 3> size = workgroupSize(entry);
    Dispatch &dispatch = job.dispatches.emplace_back();
    if (knowsItsWorkgroup())
      for (size_t i = 0; i < 3; ++i)
        dispatch.groups[i] = i == 0 ? 3 : size[i] > 1 ? 2 : 1;
    return Error::success();
  }

private:
  bool knowsItsWorkgroup() const {
    return llvm::any_of(module.globals(), [&](const Inst *inst) {
      const Decoration *builtIn = module.findDecoration(inst->resultId, spv::Decoration::BuiltIn);
      auto kind = builtIn ? static_cast<spv::BuiltIn>(builtIn->operands[0]) : spv::BuiltIn::Max;
      return kind == spv::BuiltIn::WorkgroupId || kind == spv::BuiltIn::GlobalInvocationId;
    });
  }

  std::array<uint64_t, 3> workgroupSize(const llpc::spirv::EntryPoint &entry) {
    std::array<uint64_t, 3> size = {1, 1, 1};
    for (const llpc::spirv::ExecutionMode &mode : entry.modes) {
      bool isIds = mode.mode == spv::ExecutionMode::LocalSizeId;
      if (isIds || mode.mode == spv::ExecutionMode::LocalSize)
        for (size_t i = 0; i < 3; ++i)
          size[i] = isIds ? constants.evaluate(mode.operands[i]).value_or(1) : mode.operands[i];
    }
    for (const Inst *inst : module.globals()) {
      const Decoration *builtIn = module.findDecoration(inst->resultId, spv::Decoration::BuiltIn);
      if (builtIn && inst->size() == 3 &&
          static_cast<spv::BuiltIn>(builtIn->operands[0]) == spv::BuiltIn::WorkgroupSize)
        for (size_t i = 0; i < 3; ++i)
          size[i] = constants.evaluate((*inst)[i]).value_or(1);
    }
    return size;
  }

  /// Variables of a binding; several may share one.
  std::vector<const Inst *> variablesOf(const ResourceNodeData &node) const {
    std::vector<const Inst *> found;
    for (const Inst *inst : module.globals()) {
      if (inst->opcode != spv::Op::OpVariable)
        continue;
      const Decoration *set = module.findDecoration(inst->resultId, spv::Decoration::DescriptorSet);
      const Decoration *binding = module.findDecoration(inst->resultId, spv::Decoration::Binding);
      if (set && binding && set->operands[0] == node.set && binding->operands[0] == node.binding)
        found.push_back(inst);
    }
    return found;
  }

  /// The type of one descriptor, behind the pointer and arrays.
  const Inst *descriptorType(const Inst &variable) const {
    const Inst *type = module.definition((*module.definition(variable.typeId))[1]);
    while (type &&
           (type->opcode == spv::Op::OpTypeArray || type->opcode == spv::Op::OpTypeRuntimeArray))
      type = module.definition((*type)[0]);
    return type;
  }

  Error addNode(const ResourceNodeData &node) {
    std::vector<const Inst *> variables = variablesOf(node);
    if (variables.empty())
      return failure("binding without a variable");
    uint32_t count =
        node.arraySize == ResourceNodeData::runtimeArray ? runtimeDescriptors : node.arraySize;
    std::string name = "set " + std::to_string(node.set) + " binding " +
                       std::to_string(node.binding) + " (" +
                       module.name(variables[0]->resultId).str() + ")";
    for (uint32_t element = 0; element < count; ++element) {
      Binding binding;
      binding.set = node.set;
      binding.binding = node.binding;
      binding.element = element;
      if (element >= runtimeDescriptors) { // large arrays share their resources
        binding = job.bindings[job.bindings.size() - runtimeDescriptors];
        binding.element = element;
        job.bindings.push_back(binding);
        continue;
      }
      std::string elementName = count > 1 ? name + "[" + std::to_string(element) + "]" : name;
      if (Error error = addDescriptor(node, variables, binding, elementName))
        return error;
      job.bindings.push_back(binding);
    }
    return Error::success();
  }

  Error addDescriptor(const ResourceNodeData &node, llvm::ArrayRef<const Inst *> variables,
                      Binding &binding, const std::string &name) {
    using lgc::ResourceNodeType;
    const Inst *type = descriptorType(*variables[0]);
    if (!type)
      return failure("descriptor without a type");
    switch (node.type) {
    case ResourceNodeType::DescriptorBuffer:
    case ResourceNodeType::DescriptorConstBuffer: {
      bool isUniform = node.type == ResourceNodeType::DescriptorConstBuffer;
      binding.type =
          isUniform ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
      Expected<uint32_t> buffer = addBuffer(type->resultId, name, isUniform, 0);
      if (!buffer)
        return buffer.takeError();
      binding.resource = *buffer;
      return Error::success();
    }
    case ResourceNodeType::DescriptorSampler:
      binding.type = VK_DESCRIPTOR_TYPE_SAMPLER;
      binding.sampler = sampler();
      return Error::success();
    case ResourceNodeType::DescriptorResource:
      return addImage(*type, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, binding, name);
    case ResourceNodeType::DescriptorImage:
      return addImage(*type, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, binding, name);
    case ResourceNodeType::DescriptorCombinedTexture:
      binding.sampler = sampler();
      for (const Inst *variable : variables) {
        type = descriptorType(*variable);
        if (type->opcode == spv::Op::OpTypeSampledImage)
          type = module.definition((*type)[0]);
        if (type->opcode == spv::Op::OpTypeImage)
          return addImage(*type, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, binding, name);
      }
      return failure("combined image without an image");
    case ResourceNodeType::DescriptorTexelBuffer:
      return addTexelBuffer(*type, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, binding, name);
    case ResourceNodeType::DescriptorConstTexelBuffer:
      return addTexelBuffer(*type, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, binding, name);
    default:
      return failure(name + ": no inputs can be made for this kind of descriptor");
    }
  }

  /// A buffer of the block \p type, with everything that it points to.
  Expected<uint32_t> addBuffer(Id type, const std::string &name, bool isUniform, unsigned depth) {
    Expected<Layout> layout = layouts.read(type);
    if (!layout)
      return failure(name + ": " + llvm::toString(layout.takeError()));
    uint64_t elements = runtimeElements;
    while (elements > 16 && layout->size(elements) > maxBufferBytes)
      elements /= 2;
    // Robust access may round the end up to such a multiple.
    uint64_t size = (std::max<uint64_t>(layout->size(elements), 1) + 255) / 256 * 256;
    if (size > 64 * maxBufferBytes)
      return failure(name + ": " + Twine(size) + " bytes");
    uint32_t index = job.buffers.size();
    std::vector<PointerSlot> pointers;
    Bytes &bytes = job.buffers.emplace_back(size);
    fill(*layout, random, isUniform, bytes, 0, pointers);
    SampleResource &resource = sample.resources.emplace_back();
    resource.name = name;
    resource.index = index;
    resource.layout = std::move(*layout);
    resource.written = !isUniform;
    if (Error error = addPointers(pointers, index, name, depth))
      return error;
    return index;
  }

  Error addPointers(llvm::ArrayRef<PointerSlot> pointers, uint32_t buffer, const std::string &name,
                    unsigned depth) {
    constexpr unsigned maxTargets = 64;
    if (pointers.size() > maxTargets)
      return failure(name + ": more than 64 pointers");
    for (const PointerSlot &slot : pointers) {
      uint32_t target = buffer;
      if (depth < 3) {
        Expected<uint32_t> made = addBuffer(
            slot.pointee, name + " behind the pointer at byte " + std::to_string(slot.offset),
            false, depth + 1);
        if (!made)
          return made.takeError();
        target = *made;
      } else if (buffer == PointerPatch::pushConstants) {
        return failure(name + ": pointers nested too deeply");
      }
      job.pointers.push_back({buffer, slot.offset, target, 0});
    }
    return Error::success();
  }

  Error addPushConstants(uint32_t size) {
    for (const Inst *inst : module.globals()) {
      if (inst->opcode != spv::Op::OpVariable ||
          static_cast<spv::StorageClass>((*inst)[0]) != spv::StorageClass::PushConstant)
        continue;
      Expected<Layout> layout = layouts.read((*module.definition(inst->typeId))[1]);
      if (!layout)
        return layout.takeError();
      job.push.resize((size + 3) / 4 * 4);
      std::vector<PointerSlot> pointers;
      fill(*layout, random, true, job.push, 0, pointers);
      return addPointers(pointers, PointerPatch::pushConstants, "push constants", 0);
    }
    return failure("push constants without a variable");
  }

  uint32_t sampler() {
    if (job.samplers.empty()) {
      VkSamplerCreateInfo &info = job.samplers.emplace_back().info;
      info.addressModeU = info.addressModeV = info.addressModeW =
          VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
      info.maxLod = VK_LOD_CLAMP_NONE;
    }
    return 0;
  }

  Expected<VkFormat> imageFormat(const Inst &type, const std::string &name) {
    Expected<Layout> sampled = layouts.read(type[0]);
    if (!sampled)
      return sampled.takeError();
    VkFormat format = formatOf(static_cast<spv::ImageFormat>(type[6]), sampled->type);
    if (format == VK_FORMAT_UNDEFINED || !findFormat(format))
      return failure(name + ": image format " + Twine(type[6]) + " is not in the table");
    return format;
  }

  Bytes pattern(const FormatRow &format, uint64_t bytes) {
    Bytes data;
    ScalarType type = componentType(format.name);
    bool isNormal = !isFloat(type) && !format.name.contains("int");
    while (data.size() < bytes) {
      uint64_t bits = random.next();
      if (isFloat(type))
        bits = fromDouble(type, static_cast<double>(random.below(257)) / 256);
      else if (!isNormal)
        bits = random.below(64);
      appendBits(type, bits, data);
    }
    data.resize(bytes);
    return data;
  }

  Error addTexelBuffer(const Inst &type, VkDescriptorType kind, Binding &binding,
                       const std::string &name) {
    Expected<VkFormat> format = imageFormat(type, name);
    if (!format)
      return format.takeError();
    const FormatRow *row = findFormat(*format);
    binding.type = kind;
    binding.viewFormat = *format;
    binding.resource = job.buffers.size();
    job.buffers.push_back(pattern(*row, uint64_t(row->bytes) * runtimeElements));
    SampleResource &resource = sample.resources.emplace_back();
    resource.name = name;
    resource.index = binding.resource;
    resource.layout.kind = Layout::Kind::Array;
    resource.layout.count = Layout::runtimeCount;
    resource.layout.children.emplace_back().type = componentType(row->name);
    resource.layout.stride = sizeOf(componentType(row->name));
    return Error::success();
  }

  Error addImage(const Inst &type, VkDescriptorType kind, Binding &binding,
                 const std::string &name) {
    auto dim = static_cast<spv::Dim>(type[1]);
    if (type[2] == 1)
      return failure(name + ": depth comparison needs a depth image");
    if (type[4])
      return failure(name + ": multisampled image");
    Expected<VkFormat> format = imageFormat(type, name);
    if (!format)
      return format.takeError();
    const FormatRow *row = findFormat(*format);
    ImageSpec spec;
    spec.format = *format;
    spec.blockBytes = row->bytes;
    bool isArray = type[3], isCube = dim == spv::Dim::Cube;
    if (dim != spv::Dim::Dim1D && dim != spv::Dim::Dim2D && dim != spv::Dim::Dim3D && !isCube)
      return failure(name + ": dimension " + Twine(type[1]));
    spec.type = dim == spv::Dim::Dim1D   ? VK_IMAGE_TYPE_1D
                : dim == spv::Dim::Dim3D ? VK_IMAGE_TYPE_3D
                                         : VK_IMAGE_TYPE_2D;
    spec.extent = {32, dim == spv::Dim::Dim1D ? 1u : 32u, dim == spv::Dim::Dim3D ? 8u : 1u};
    spec.layers = (isCube ? 6 : 1) * (isArray ? 2 : 1);
    spec.flags = isCube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0;
    spec.mips = kind == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ? 1 : 3;
    spec.usage = kind == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ? VK_IMAGE_USAGE_STORAGE_BIT
                                                          : VK_IMAGE_USAGE_SAMPLED_BIT;
    spec.data = pattern(*row, spec.totalBytes());
    binding.type = kind;
    binding.resource = job.images.size();
    binding.viewType =
        dim == spv::Dim::Dim1D   ? (isArray ? VK_IMAGE_VIEW_TYPE_1D_ARRAY : VK_IMAGE_VIEW_TYPE_1D)
        : dim == spv::Dim::Dim3D ? VK_IMAGE_VIEW_TYPE_3D
        : isCube  ? (isArray ? VK_IMAGE_VIEW_TYPE_CUBE_ARRAY : VK_IMAGE_VIEW_TYPE_CUBE)
        : isArray ? VK_IMAGE_VIEW_TYPE_2D_ARRAY
                  : VK_IMAGE_VIEW_TYPE_2D;
    SampleResource &resource = sample.resources.emplace_back();
    resource.name = name;
    resource.isImage = true;
    resource.index = binding.resource;
    resource.texelType = componentType(row->name);
    resource.written = kind == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    job.images.push_back(std::move(spec));
    return Error::success();
  }

  const Module &module;
  Sample &sample;
  Job &job;
  Random random;
  llpc::ConstantEval constants;
  LayoutReader layouts;
};

/// Bytes of the constant with that SpecId; booleans count as four.
uint32_t constantSize(const Module &module, uint32_t specId) {
  for (const Inst *inst : module.globals()) {
    const Decoration *id = module.findDecoration(inst->resultId, spv::Decoration::SpecId);
    if (!id || id->operands[0] != specId)
      continue;
    const Inst *type = module.definition(inst->typeId);
    return type && type->opcode != spv::Op::OpTypeBool ? (*type)[0] / 8 : 4;
  }
  return 4;
}

} // namespace

Expected<Sample> makeSample(const SampleInput &input, uint64_t seed) {
  auto file = llvm::MemoryBuffer::getFile(input.path);
  if (!file)
    return failure(input.path + ": " + file.getError().message());
  Sample sample;
  Expected<std::vector<uint32_t>> words = compileShader(input.path, (*file)->getBuffer().str(), {});
  if (!words)
    return words.takeError();
  sample.job.spirv = std::move(*words);
  sample.job.name = input.text;
  llvm::ArrayRef<uint32_t> view = sample.job.spirv;
  Expected<std::unique_ptr<Module>> module = Module::parse(
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(view.data()), view.size() * 4));
  if (!module)
    return module.takeError();
  const llpc::spirv::EntryPoint *entry = nullptr;
  for (const llpc::spirv::EntryPoint &candidate : (*module)->entryPoints())
    if (candidate.model == spv::ExecutionModel::GLCompute &&
        (input.entry.empty() ? !entry || candidate.name == "main" : candidate.name == input.entry))
      entry = &candidate;
  if (!entry)
    return failure("no compute entry point" + Twine(input.entry.empty() ? "" : " " + input.entry));
  sample.job.entry = entry->name.str();
  for (auto [id, value] : input.specialization)
    sample.job.specialization.push_back({id, constantSize(**module, id), value});
  if (Error error = SampleBuilder(**module, sample, seed).build(*entry))
    return error;
  return sample;
}

} // namespace exec
