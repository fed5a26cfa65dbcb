//===- RadvGraphics.cpp - graphics pipelines of the peer ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The job that describes a graphics pipeline to the child process, and its creation there.
#include "tools/cli/Clocks.h"
#include "tools/radv/RadvDriver.h"
#include "llvm/Support/MemoryBuffer.h"
#include <sstream>

namespace radv {

uint32_t vulkanDescriptorType(lgc::ResourceNodeType type) {
  switch (type) {
  case lgc::ResourceNodeType::DescriptorConstBuffer:
    return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  case lgc::ResourceNodeType::DescriptorResource:
    return VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
  case lgc::ResourceNodeType::DescriptorSampler:
    return VK_DESCRIPTOR_TYPE_SAMPLER;
  case lgc::ResourceNodeType::DescriptorCombinedTexture:
    return VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  case lgc::ResourceNodeType::DescriptorImage:
    return VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
  case lgc::ResourceNodeType::DescriptorTexelBuffer:
    return VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
  case lgc::ResourceNodeType::DescriptorConstTexelBuffer:
    return VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
  default:
    return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  }
}

GraphicsJob jobOf(const llpc::GraphicsPipelineBuildInfo &info) {
  GraphicsJob job;
  for (const llpc::VertexAttributeInfo &a : info.vertexInput.attributes)
    job.attributes.push_back({a.location, a.binding, a.format, a.offset});
  for (const lgc::VertexBinding &b : info.vertexInput.bindings)
    job.bindings.push_back({b.binding, b.stride, b.inputRate == lgc::VertexInputRate::Instance});
  for (const llpc::ColorTargetState &target : info.cbState.target)
    if (target.format)
      job.targets.push_back(target.format);
  for (const lgc::ResourceNode &root : info.resourceMapping.roots) {
    if (root.type == lgc::ResourceNodeType::PushConst)
      job.pushBytes = root.sizeInDwords * 4;
    for (const lgc::ResourceNode &node : root.table) {
      const uint32_t stride = std::max(lgc::defaultStrideInDwords(node.type), 1u);
      job.descriptors.push_back(
          {node.set, node.binding, vulkanDescriptorType(node.type), node.sizeInDwords / stride});
    }
  }
  job.topology = static_cast<uint32_t>(info.iaState.topology);
  job.patchControlPoints = info.iaState.patchControlPoints;
  return job;
}

namespace {

/// Most elements of one list of a job; a line that says more is no job.
constexpr size_t maxListed = 1024;

template <typename T, typename Write>
void writeList(std::ostream &os, const std::vector<T> &list, Write write) {
  os << list.size() << ' ';
  for (const T &element : list)
    write(element);
}

template <typename T, typename Read>
bool readList(std::istream &is, std::vector<T> &list, Read read) {
  size_t count = 0;
  if (!(is >> count) || count > maxListed)
    return false;
  list.resize(count);
  for (T &element : list)
    read(element);
  return !is.fail();
}

} // namespace

std::string GraphicsJob::toLine() const {
  std::ostringstream os;
  writeList(os, stages,
            [&](const Stage &s) { os << s.vkStage << ' ' << s.entry << ' ' << s.file << ' '; });
  writeList(os, attributes, [&](const Attribute &a) {
    os << a.location << ' ' << a.binding << ' ' << a.format << ' ' << a.offset << ' ';
  });
  writeList(os, bindings, [&](const Binding &b) {
    os << b.binding << ' ' << b.stride << ' ' << b.perInstance << ' ';
  });
  writeList(os, targets, [&](uint32_t format) { os << format << ' '; });
  writeList(os, descriptors, [&](const PeerDescriptor &d) {
    os << d.set << ' ' << d.binding << ' ' << d.type << ' ' << d.count << ' ';
  });
  os << topology << ' ' << patchControlPoints << ' ' << pushBytes;
  return os.str();
}

std::optional<GraphicsJob> GraphicsJob::parse(const std::string &line) {
  std::istringstream is(line);
  GraphicsJob job;
  const bool ok =
      readList(is, job.stages, [&](Stage &s) { is >> s.vkStage >> s.entry >> s.file; }) &&
      readList(is, job.attributes,
               [&](Attribute &a) { is >> a.location >> a.binding >> a.format >> a.offset; }) &&
      readList(is, job.bindings,
               [&](Binding &b) { is >> b.binding >> b.stride >> b.perInstance; }) &&
      readList(is, job.targets, [&](uint32_t &format) { is >> format; }) &&
      readList(is, job.descriptors,
               [&](PeerDescriptor &d) { is >> d.set >> d.binding >> d.type >> d.count; }) &&
      (is >> job.topology >> job.patchControlPoints >> job.pushBytes);
  if (!ok)
    return std::nullopt;
  return job;
}

namespace {

/// The fixed-function state of a job, with everything that the create info points to.
struct PipelineState {
  explicit PipelineState(const GraphicsJob &job);
  /// Without stages and layout.
  VkGraphicsPipelineCreateInfo createInfo() const;

  std::vector<VkVertexInputBindingDescription> bindings;
  std::vector<VkVertexInputAttributeDescription> attributes;
  std::vector<VkPipelineColorBlendAttachmentState> blends;
  std::vector<VkFormat> formats;
  std::vector<VkDynamicState> dynamicStates = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  VkPipelineVertexInputStateCreateInfo vertexInput{};
  VkPipelineInputAssemblyStateCreateInfo assembly{};
  VkPipelineTessellationStateCreateInfo tessellation{};
  VkPipelineViewportStateCreateInfo viewport{};
  VkPipelineRasterizationStateCreateInfo raster{};
  VkPipelineMultisampleStateCreateInfo multisample{};
  VkPipelineDepthStencilStateCreateInfo depth{};
  VkPipelineColorBlendStateCreateInfo blend{};
  VkPipelineDynamicStateCreateInfo dynamic{};
  VkPipelineRenderingCreateInfo rendering{};
};

PipelineState::PipelineState(const GraphicsJob &job) {
  for (const GraphicsJob::Binding &b : job.bindings)
    bindings.push_back({b.binding, b.stride, static_cast<VkVertexInputRate>(b.perInstance)});
  for (const GraphicsJob::Attribute &a : job.attributes)
    attributes.push_back({a.location, a.binding, static_cast<VkFormat>(a.format), a.offset});
  for (uint32_t format : job.targets) {
    formats.push_back(static_cast<VkFormat>(format));
    VkPipelineColorBlendAttachmentState attachment{};
    attachment.colorWriteMask = 0xF;
    blends.push_back(attachment);
  }
  vertexInput.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
  vertexInput.vertexBindingDescriptionCount = static_cast<uint32_t>(bindings.size());
  vertexInput.pVertexBindingDescriptions = bindings.data();
  vertexInput.vertexAttributeDescriptionCount = static_cast<uint32_t>(attributes.size());
  vertexInput.pVertexAttributeDescriptions = attributes.data();
  assembly.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO;
  assembly.topology = static_cast<VkPrimitiveTopology>(job.topology);
  tessellation.sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO;
  tessellation.patchControlPoints = job.patchControlPoints;
  viewport.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO;
  viewport.viewportCount = viewport.scissorCount = 1;
  raster.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO;
  raster.lineWidth = 1;
  multisample.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO;
  multisample.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  depth.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
  depth.depthTestEnable = depth.depthWriteEnable = VK_TRUE;
  depth.depthCompareOp = VK_COMPARE_OP_LESS;
  blend.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO;
  blend.attachmentCount = static_cast<uint32_t>(blends.size());
  blend.pAttachments = blends.data();
  dynamic.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO;
  dynamic.dynamicStateCount = static_cast<uint32_t>(dynamicStates.size());
  dynamic.pDynamicStates = dynamicStates.data();
  rendering.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO;
  rendering.colorAttachmentCount = static_cast<uint32_t>(formats.size());
  rendering.pColorAttachmentFormats = formats.data();
  rendering.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT;
}

VkGraphicsPipelineCreateInfo PipelineState::createInfo() const {
  auto info =
      vkStruct<VkGraphicsPipelineCreateInfo>(VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO);
  info.pNext = &rendering;
  info.pVertexInputState = &vertexInput;
  info.pInputAssemblyState = &assembly;
  info.pTessellationState = tessellation.patchControlPoints ? &tessellation : nullptr;
  info.pViewportState = &viewport;
  info.pRasterizationState = &raster;
  info.pMultisampleState = &multisample;
  info.pDepthStencilState = &depth;
  info.pColorBlendState = &blend;
  info.pDynamicState = &dynamic;
  return info;
}

} // namespace

std::vector<GraphicsPeerResult::Stage> Driver::readStages(VkPipeline pipeline) {
  auto which = vkStruct<VkPipelineInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR);
  which.pipeline = pipeline;
  uint32_t count = 0;
  vkGetPipelineExecutablePropertiesKHR(device, &which, &count, nullptr);
  std::vector<VkPipelineExecutablePropertiesKHR> executables(
      count, vkStruct<VkPipelineExecutablePropertiesKHR>(
                 VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR));
  vkGetPipelineExecutablePropertiesKHR(device, &which, &count, executables.data());
  std::vector<GraphicsPeerResult::Stage> stages(count);
  for (uint32_t i = 0; i < count; ++i) {
    static_cast<PeerStage &>(stages[i]) = readStatistics(pipeline, i);
    stages[i].vkStages = executables[i].stages;
  }
  return stages;
}

VkResult Driver::createModules(const GraphicsJob &job, const Files &files,
                               std::vector<VkPipelineShaderStageCreateInfo> &stages) {
  VkResult status = VK_SUCCESS;
  for (size_t i = 0; i < files.size() && status == VK_SUCCESS; ++i) {
    auto info = vkStruct<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    info.codeSize = files[i]->getBufferSize();
    info.pCode = reinterpret_cast<const uint32_t *>(files[i]->getBufferStart());
    auto stage = vkStruct<VkPipelineShaderStageCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
    stage.stage = static_cast<VkShaderStageFlagBits>(job.stages[i].vkStage);
    stage.pName = job.stages[i].entry.c_str();
    status = vkCreateShaderModule(device, &info, nullptr, &stage.module);
    stages.push_back(stage);
  }
  return status;
}

std::optional<GraphicsPeerResult> Driver::compileGraphics(const GraphicsJob &job, bool statistics) {
  Files files;
  VkShaderStageFlags stageFlags = 0;
  for (const GraphicsJob::Stage &stage : job.stages) {
    auto buffer = llvm::MemoryBuffer::getFile(stage.file);
    if (!buffer)
      return std::nullopt;
    files.push_back(std::move(*buffer));
    stageFlags |= stage.vkStage;
  }
  std::vector<VkDescriptorSetLayout> sets;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  if (!createLayout(job.descriptors, job.pushBytes, stageFlags, sets, layout))
    return std::nullopt;
  PipelineState state(job);

  GraphicsPeerResult result;
  const double start = cli::processCpuMs(), wallStart = cli::wallMs();
  std::vector<VkPipelineShaderStageCreateInfo> stages;
  VkResult status = createModules(job, files, stages);
  VkGraphicsPipelineCreateInfo info = state.createInfo();
  info.flags = statistics ? VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR : 0;
  info.stageCount = static_cast<uint32_t>(stages.size());
  info.pStages = stages.data();
  info.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  if (status == VK_SUCCESS)
    status = vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  result.cpuMs = cli::processCpuMs() - start;
  result.wallMs = cli::wallMs() - wallStart;
  if (status == VK_SUCCESS && statistics)
    result.stages = readStages(pipeline);
  vkDestroyPipeline(device, pipeline, nullptr);
  for (const VkPipelineShaderStageCreateInfo &stage : stages)
    vkDestroyShaderModule(device, stage.module, nullptr);
  vkDestroyPipelineLayout(device, layout, nullptr);
  for (VkDescriptorSetLayout set : sets)
    vkDestroyDescriptorSetLayout(device, set, nullptr);
  if (status != VK_SUCCESS)
    return std::nullopt;
  return result;
}

} // namespace radv
