//===- SampleResources.cpp - resources of generated inputs ----------------===//
// SPDX-License-Identifier: MIT
#include "SampleResources.h"
#include "PackedUniforms.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using llpc::ResourceNodeData;
using llpc::spirv::Decoration;
using llpc::spirv::Id;
using llpc::spirv::Inst;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

namespace exec {

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
    {spv::Capability::IntegerFunctions2INTEL, "shaderIntegerFunctions2"},
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
    {spv::Capability::CooperativeMatrixKHR, "cooperativeMatrix"},
    {spv::Capability::RayQueryKHR, "rayQuery"},
    {spv::Capability::RayQueryPositionFetchKHR, "rayTracingPositionFetch"},
    {spv::Capability::GroupNonUniformRotateKHR, "shaderSubgroupRotate"},
    {spv::Capability::ExpectAssumeKHR, "shaderExpectAssume"},
    {spv::Capability::QuadControlKHR, "shaderQuadControl"},
    {spv::Capability::Geometry, "geometryShader"},
    {spv::Capability::MeshShadingEXT, "meshShader"},
    {spv::Capability::Tessellation, "tessellationShader"},
    {spv::Capability::MultiViewport, "multiViewport"},
    {spv::Capability::SampleRateShading, "sampleRateShading"},
    {spv::Capability::MultiView, "multiview"},
    {spv::Capability::DrawParameters, "shaderDrawParameters"},
    {spv::Capability::FragmentBarycentricKHR, "fragmentShaderBarycentric"},
    {spv::Capability::ClipDistance, "shaderClipDistance"},
    {spv::Capability::RuntimeDescriptorArray, "runtimeDescriptorArray"},
};

constexpr spv::Op depthCompareOps[] = {
    spv::Op::OpImageSampleDrefImplicitLod,
    spv::Op::OpImageSampleDrefExplicitLod,
    spv::Op::OpImageSampleProjDrefImplicitLod,
    spv::Op::OpImageSampleProjDrefExplicitLod,
    spv::Op::OpImageDrefGather,
};

/// Between a sampler's variable and its use.
constexpr spv::Op samplerSteps[] = {spv::Op::OpLoad, spv::Op::OpSampledImage,
                                    spv::Op::OpAccessChain, spv::Op::OpCopyObject};

} // namespace

Error SampleResources::add(const llpc::spirv::EntryPoint &entry) {
  for (const auto &row : featureTable)
    if (module.hasCapability(row.capability))
      sample.features.push_back(row.feature);
  llpc::ResourceUsage usage = KILN_TRY(llpc::collectResourceUsage(module, entry, specialization));
  for (const ResourceNodeData &node : usage.nodes)
    KILN_TRY(addNode(node));
  return usage.pushConstSize ? addPushConstants(usage.pushConstSize) : Error::success();
}

std::vector<const Inst *> SampleResources::variablesOf(const ResourceNodeData &node) const {
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

const Inst *SampleResources::descriptorType(const Inst &variable) const {
  const Inst *type = module.definition((*module.definition(variable.typeId))[1]);
  while (type &&
         (type->opcode == spv::Op::OpTypeArray || type->opcode == spv::Op::OpTypeRuntimeArray))
    type = module.definition((*type)[0]);
  return type;
}

Error SampleResources::addNode(const ResourceNodeData &node) {
  std::vector<const Inst *> variables = variablesOf(node);
  if (variables.empty())
    return failure("binding without a variable");
  uint32_t count =
      node.arraySize == ResourceNodeData::runtimeArray ? runtimeDescriptors : node.arraySize;
  if (isScene && addToExisting(node, variables))
    return Error::success();
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
    KILN_TRY(addDescriptor(node, variables, binding, elementName));
    job.bindings.push_back(binding);
    if (binding.type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT)
      addInputAttachment(*variables[0], element, binding.resource);
  }
  return Error::success();
}

void SampleResources::addInputAttachment(const Inst &variable, uint32_t element, uint32_t image) {
  const Decoration *index =
      module.findDecoration(variable.resultId, spv::Decoration::InputAttachmentIndex);
  uint32_t place = (index ? index->operands[0] : 0) + element;
  AttachmentSpec input;
  input.location = place;
  input.image = image;
  input.load = VK_ATTACHMENT_LOAD_OP_LOAD;
  job.graphics->inputs.push_back(input);
  job.graphics->pass = PassKind::RenderPass2;
}

Error SampleResources::addDescriptor(const ResourceNodeData &node,
                                     llvm::ArrayRef<const Inst *> variables, Binding &binding,
                                     const std::string &name) {
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
    uint32_t buffer = KILN_TRY(addBuffer(type->resultId, name, isUniform, 0));
    binding.resource = buffer;
    for (const Inst *variable : variables)
      if (isScene && isUniform)
        fillPackedUniforms(module, variable->resultId, constants, random, job.buffers[buffer]);
    return Error::success();
  }
  case ResourceNodeType::DescriptorSampler:
    binding.type = VK_DESCRIPTOR_TYPE_SAMPLER;
    binding.sampler = sampler(variables);
    return Error::success();
  case ResourceNodeType::DescriptorResource:
    return addImage(*type, variables, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, binding, name);
  case ResourceNodeType::DescriptorImage:
    return addImage(*type, variables, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, binding, name);
  case ResourceNodeType::DescriptorCombinedTexture:
    binding.sampler = sampler(variables);
    for (const Inst *variable : variables) {
      type = descriptorType(*variable);
      if (type->opcode == spv::Op::OpTypeSampledImage)
        type = module.definition((*type)[0]);
      if (type->opcode == spv::Op::OpTypeImage)
        return addImage(*type, variables, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, binding, name);
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

Expected<uint32_t> SampleResources::addBuffer(Id type, const std::string &name, bool isUniform,
                                              unsigned depth) {
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
  fill(*layout, random, fillKind(isUniform), bytes, 0, pointers);
  SampleResource &resource = sample.resources.emplace_back();
  resource.name = name;
  resource.index = index;
  resource.layout = std::move(*layout);
  resource.written = !isUniform;
  KILN_TRY(addPointers(pointers, index, name, depth));
  return index;
}

Error SampleResources::addPointers(llvm::ArrayRef<PointerSlot> pointers, uint32_t buffer,
                                   const std::string &name, unsigned depth) {
  constexpr unsigned maxTargets = 64;
  if (pointers.size() > maxTargets)
    return failure(name + ": more than 64 pointers");
  for (const PointerSlot &slot : pointers) {
    uint32_t target = buffer;
    if (depth < 3) {
      uint32_t made = KILN_TRY(addBuffer(
          slot.pointee, name + " behind the pointer at byte " + std::to_string(slot.offset), false,
          depth + 1));
      target = made;
    } else if (buffer == PointerPatch::pushConstants) {
      return failure(name + ": pointers nested too deeply");
    }
    job.pointers.push_back({buffer, slot.offset, target, 0});
  }
  return Error::success();
}

Error SampleResources::addPushConstants(uint32_t size) {
  for (const Inst *inst : module.globals()) {
    if (inst->opcode != spv::Op::OpVariable ||
        static_cast<spv::StorageClass>((*inst)[0]) != spv::StorageClass::PushConstant)
      continue;
    Layout layout = KILN_TRY(layouts.read((*module.definition(inst->typeId))[1]));
    // Stages of a pipeline share them.
    job.push.resize(std::max<size_t>(job.push.size(), (size + 3) / 4 * 4));
    std::vector<PointerSlot> pointers;
    fill(layout, random, fillKind(true), job.push, 0, pointers);
    return addPointers(pointers, PointerPatch::pushConstants, "push constants", 0);
  }
  return failure("push constants without a variable");
}

bool SampleResources::comparesDepth(Variables variables, bool isSampler) const {
  // From the sampled image of an instruction back to the variable of its sampler or image.
  auto variableOf = [&](Id id) {
    const Inst *inst = module.definition(id);
    while (inst && llvm::is_contained(samplerSteps, inst->opcode))
      inst =
          module.definition((*inst)[inst->opcode == spv::Op::OpSampledImage && isSampler ? 1 : 0]);
    return inst;
  };
  return llvm::any_of(module.instructions(), [&](const Inst &inst) {
    return llvm::is_contained(depthCompareOps, inst.opcode) &&
           llvm::is_contained(variables, variableOf(inst[0]));
  });
}

uint32_t SampleResources::sampler(llvm::ArrayRef<const Inst *> variables) {
  bool compares = isScene && comparesDepth(variables, /*isSampler=*/true);
  for (auto [index, spec] : llvm::enumerate(job.samplers))
    if (spec.info.compareEnable == VkBool32(compares))
      return index;
  VkSamplerCreateInfo &info = job.samplers.emplace_back().info;
  info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  info.maxLod = VK_LOD_CLAMP_NONE;
  info.compareEnable = compares;
  info.compareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  if (isScene && !compares)
    info.magFilter = info.minFilter = VK_FILTER_LINEAR;
  return job.samplers.size() - 1;
}

Expected<VkFormat> SampleResources::imageFormat(const Inst &type, const std::string &name) {
  Layout sampled = KILN_TRY(layouts.read(type[0]));
  VkFormat format = formatOf(static_cast<spv::ImageFormat>(type[6]), sampled.type);
  if (format == VK_FORMAT_UNDEFINED || !findFormat(format))
    return failure(name + ": image format " + Twine(type[6]) + " is not in the table");
  return format;
}

Bytes SampleResources::pattern(const FormatRow &format, uint64_t bytes) {
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

Error SampleResources::addTexelBuffer(const Inst &type, VkDescriptorType kind, Binding &binding,
                                      const std::string &name) {
  // GLSL's samplerBuffer is a sampled image that needs no sampler.
  const bool isSampled = type.opcode == spv::Op::OpTypeSampledImage;
  VkFormat format = KILN_TRY(imageFormat(isSampled ? *module.definition(type[0]) : type, name));
  const FormatRow *row = findFormat(format);
  binding.type = kind;
  binding.viewFormat = format;
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

Error SampleResources::addImage(const Inst &type, Variables variables, VkDescriptorType kind,
                                Binding &binding, const std::string &name) {
  auto dim = static_cast<spv::Dim>(type[1]);
  bool isDepth = type[2] == 1 || (isScene && comparesDepth(variables, /*isSampler=*/false));
  if (isDepth && !isScene)
    return failure(name + ": depth comparison needs a depth image");
  bool isMultisampled = type[4];
  if (isMultisampled && !isScene)
    return failure(name + ": multisampled image");
  Expected<VkFormat> format =
      isDepth ? Expected<VkFormat>(VK_FORMAT_D32_SFLOAT) : imageFormat(type, name);
  if (!format)
    return format.takeError();
  const FormatRow *row = findFormat(*format);
  ImageSpec spec;
  if (isDepth)
    spec.aspect = spec.allAspects = binding.view.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
  spec.format = *format;
  spec.blockBytes = row->bytes;
  bool isArray = type[3], isCube = dim == spv::Dim::Cube;
  bool isInput = isScene && dim == spv::Dim::SubpassData && !isMultisampled;
  if (!isInput && dim != spv::Dim::Dim1D && dim != spv::Dim::Dim2D && dim != spv::Dim::Dim3D &&
      !isCube)
    return failure(name + ": dimension " + Twine(type[1]));
  spec.type = dim == spv::Dim::Dim1D   ? VK_IMAGE_TYPE_1D
              : dim == spv::Dim::Dim3D ? VK_IMAGE_TYPE_3D
                                       : VK_IMAGE_TYPE_2D;
  spec.extent = {32, dim == spv::Dim::Dim1D ? 1u : 32u, dim == spv::Dim::Dim3D ? 8u : 1u};
  spec.layers = (isCube ? 6 : 1) * (isArray ? 2 : 1);
  spec.flags = isCube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0;
  if (isInput)
    spec.extent = pictureExtent;
  spec.mips = isInput || isMultisampled ? 1 : kind == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ? 1 : 3;
  spec.usage = kind == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ? VK_IMAGE_USAGE_STORAGE_BIT
                                                        : VK_IMAGE_USAGE_SAMPLED_BIT;
  bool isSmooth = isScene && kind != VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
  spec.data = isSmooth ? smoothPattern(spec, isDepth ? ScalarType::F32 : componentType(row->name))
                       : pattern(*row, spec.totalBytes());
  if (isInput) {
    kind = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
    spec.usage = VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
  }
  if (isMultisampled) {
    spec.samples = VK_SAMPLE_COUNT_4_BIT;
    spec.data.clear();
    spec.clear.emplace();
    for (uint32_t i = 0; i < 4; ++i)
      if (isFloat(componentType(row->name)))
        spec.clear->float32[i] = static_cast<float>(random.below(64)) / 64;
      else
        spec.clear->uint32[i] = random.below(8);
  }
  binding.type = kind;
  binding.resource = job.images.size();
  binding.viewType = dim == spv::Dim::Dim1D
                         ? (isArray ? VK_IMAGE_VIEW_TYPE_1D_ARRAY : VK_IMAGE_VIEW_TYPE_1D)
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

bool SampleResources::addToExisting(const ResourceNodeData &node,
                                    llvm::ArrayRef<const Inst *> variables) {
  auto isSame = [&](const Binding &b) { return b.set == node.set && b.binding == node.binding; };
  auto *found = llvm::find_if(llvm::ArrayRef(job.bindings), isSame);
  if (found == llvm::ArrayRef(job.bindings).end())
    return false;
  const Inst *type = descriptorType(*variables[0]);
  if (found->type != VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER || !type)
    return true;
  // The other stage may declare more of the block.
  Expected<Layout> layout = layouts.read(type->resultId);
  if (!layout) {
    llvm::consumeError(layout.takeError());
    return true;
  }
  for (const Binding &binding : job.bindings) {
    if (!isSame(binding))
      continue;
    Bytes &bytes = job.buffers[binding.resource];
    uint64_t size = bytes.size();
    bytes.resize(std::max<size_t>(bytes.size(), (layout->size(1) + 255) / 256 * 256));
    std::vector<PointerSlot> pointers;
    if (bytes.size() > size)
      fill(*layout, random, fillKind(true), bytes, 0, pointers);
    for (const Inst *variable : variables)
      fillPackedUniforms(module, variable->resultId, constants, random, bytes);
  }
  return true;
}

Bytes SampleResources::smoothPattern(const ImageSpec &spec, ScalarType type) {
  Bytes data;
  uint32_t channels = std::max(spec.blockBytes / sizeOf(type), 1u);
  double phase = static_cast<double>(random.below(64)) / 8;
  for (uint32_t mip = 0; mip < spec.mips; ++mip) {
    uint32_t width = std::max(spec.extent.width >> mip, 1u);
    uint32_t height = std::max(spec.extent.height >> mip, 1u);
    uint32_t depth = std::max(spec.extent.depth >> mip, 1u);
    uint64_t count = uint64_t(width) * height * depth * spec.layers * channels;
    for (uint64_t i = 0; i < count; ++i) {
      uint64_t channel = i % channels, x = i / channels % width, y = i / channels / width % height;
      uint64_t slice = i / channels / width / height;
      double z = static_cast<double>(slice) / (depth * spec.layers);
      double u = (x + 0.5) / width, v = (y + 0.5) / height;
      double wave = std::sin(phase + channel + 5 * u) * std::cos(phase - channel + 4 * v + 3 * z);
      // Steps of 2^-10, so that no library of mathematics decides.
      double value = std::round((0.5 + 0.4 * wave) * 1024) / 1024;
      appendBits(type,
                 isFloat(type) ? fromDouble(type, value)
                               : static_cast<uint64_t>(value * (sizeOf(type) == 1 ? 255 : 63)),
                 data);
    }
  }
  return data;
}

} // namespace exec
