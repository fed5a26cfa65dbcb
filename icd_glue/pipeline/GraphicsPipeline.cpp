//===- GraphicsPipeline.cpp - vkCreateGraphicsPipelines -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Shader stages, layout and state -> llpc -> ELF -> program of the software GPU. State that the
/// code does not depend on stays in a DrawState.
#include "icd_glue/pipeline/GraphicsBuild.h"
#include "icd_glue/pipeline/PipelineCreation.h"
#include "icd_glue/pipeline/PipelineDump.h"
#include "llpc/Formats.h"

namespace icd {
namespace {

struct StageName {
  VkShaderStageFlagBits flag;
  llpc::ShaderStage stage;
};
constexpr StageName stageNames[] = {
    {VK_SHADER_STAGE_TASK_BIT_EXT, llpc::ShaderStage::Task},
    {VK_SHADER_STAGE_VERTEX_BIT, llpc::ShaderStage::Vertex},
    {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, llpc::ShaderStage::TessControl},
    {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, llpc::ShaderStage::TessEval},
    {VK_SHADER_STAGE_GEOMETRY_BIT, llpc::ShaderStage::Geometry},
    {VK_SHADER_STAGE_MESH_BIT_EXT, llpc::ShaderStage::Mesh},
    {VK_SHADER_STAGE_FRAGMENT_BIT, llpc::ShaderStage::Fragment},
};

VkShaderStageFlags flagOf(llpc::ShaderStage stage) {
  for (const StageName &row : stageNames)
    if (row.stage == stage)
      return row.flag;
  return 0;
}

llvm::Error setShaders(Device &device, llpc::GraphicsPipelineBuildInfo &build,
                       llvm::ArrayRef<VkPipelineShaderStageCreateInfo> stages,
                       bool discardsEverything) {
  for (const VkPipelineShaderStageCreateInfo &stage : stages) {
    const auto *row =
        llvm::find_if(stageNames, [&](const StageName &name) { return name.flag == stage.stage; });
    if (row == std::end(stageNames))
      return lgc::invalidInput("shader stage " + llvm::Twine(stage.stage) +
                               " is no graphics stage");
    // Behind a rasteriser that discards everything no fragment shader runs.
    if (row->stage == llpc::ShaderStage::Fragment && discardsEverything)
      continue;
    auto shader = shaderInfoOf(device, stage);
    if (!shader)
      return shader.takeError();
    shader->entryStage = row->stage;
    build.shader(row->stage) = std::move(*shader);
  }
  return llvm::Error::success();
}

/// "vertex, geometry"; of code that the compiler made itself the hardware stage.
std::string executableName(const llpc::HardwareStageStatistics &stage) {
  std::string name;
  for (llpc::ShaderStage shader : stage.shaders)
    name += (name.empty() ? "" : ", ") + llpc::shaderStageName(shader).str();
  return name.empty() ? "hardware stage " + hardwareStageKey(stage.stage).drop_front().str() : name;
}

ExecutableInfo describe(const llpc::HardwareStageStatistics &stage,
                        const llpc::GraphicsPipelineResult &built,
                        const pal::abi::ElfObject *texts) {
  llvm::StringRef key = hardwareStageKey(stage.stage).drop_front();
  ExecutableInfo info;
  info.name = executableName(stage);
  info.description =
      "hardware stage " + key.upper() + ", pipeline " + llpc::toString(built.hashes.pipelineHash);
  for (llpc::ShaderStage shader : stage.shaders)
    info.stages |= flagOf(shader);
  info.subgroupSize = stage.statistics.waveSize;
  info.statistics = stage.statistics;
  info.compileMs = built.times.total();
  if (!texts)
    return info;
  info.disassembly = textOf(*texts, ".AMDGPU.disasm", ("_amdgpu_" + key + "_disasm").str());
  info.llvmIr = textOf(*texts, ".AMDGPU.comment.llvmir"); // of all stages
  return info;
}

void describeAll(PipelineData &data, const llpc::GraphicsPipelineResult &built, bool captureTexts) {
  auto elf = pal::abi::ElfObject::parse(built.elf.bytes());
  for (const llpc::HardwareStageStatistics &stage : built.stages)
    data.executables.push_back(describe(stage, built, elf && captureTexts ? &*elf : nullptr));
  if (!elf)
    llvm::consumeError(elf.takeError()); // the program's loader says the same, and is asked first
}

void setVertexFetch(GraphicsPipelineData &data, const llpc::VertexInputInfo &input) {
  for (const llpc::VertexAttributeInfo &attribute : input.attributes) {
    const uint64_t end = uint64_t(attribute.offset) + llpc::vertexElementBytes(attribute.format);
    uint32_t &last = data.elementEnds[attribute.binding];
    last = std::max(last, static_cast<uint32_t>(std::min<uint64_t>(end, UINT32_MAX)));
    data.vertexBindings = std::max(data.vertexBindings, attribute.binding + 1);
  }
}

std::string programName(const llpc::GraphicsPipelineBuildInfo &build) {
  std::string name;
  for (const StageName &row : stageNames)
    if (const llpc::PipelineShaderInfo &shader = build.shader(row.stage); shader.module)
      name += (name.empty() ? "" : ", ") + llpc::shaderStageName(row.stage).str() + " " +
              shader.entryTarget;
  return name;
}

llvm::Expected<std::shared_ptr<const PipelineData>>
buildPipeline(Device &device, const VkGraphicsPipelineCreateInfo &info) {
  const VkPipelineCreateFlags2KHR flags = pipelineFlagsOf(info.flags, info.pNext);
  const llvm::ArrayRef<VkPipelineShaderStageCreateInfo> stages(info.pStages, info.stageCount);
  const TargetFormats formats = targetFormatsOf(info);
  auto graphics = std::make_shared<GraphicsPipelineData>();
  graphics->dynamic = DynamicStates(info.pDynamicState);
  graphics->fixed = staticDrawState(info, formats);
  const bool discardsEverything =
      graphics->fixed.raster.rasterizerDiscard &&
      !graphics->dynamic.has(VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);

  llpc::GraphicsPipelineBuildInfo build;
  if (llvm::Error error = setShaders(device, build, stages, discardsEverything))
    return error;
  build.options = pipelineOptionsOf(device, info.pNext, stages, flags);
  auto *layout = fromHandle<PipelineLayout>(info.layout);
  if (layout)
    build.resourceMapping = layout->data->mapping;
  setCompilerState(build, info, formats, graphics->fixed, graphics->dynamic);
  dumpPipeline(device, build, device.compiler().hashGraphicsPipeline(build));
  auto built = device.compiler().buildGraphicsPipeline(build);
  if (!built)
    return built.takeError();
  for (const std::string &warning : built->warnings)
    device.reportWarning("KILN-compile", warning);
  auto program = device.gpu().loadProgram(built->elf.bytes(), programName(build));
  if (!program)
    return program.takeError();

  auto data = std::make_shared<PipelineData>();
  data->bindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  data->layout = layout ? layout->data : std::make_shared<const PipelineLayoutData>();
  data->program = std::move(*program);
  describeAll(*data, *built, build.options.includeDisassembly);
  setVertexFetch(*graphics, build.vertexInput);
  data->graphics = std::move(graphics);
  return std::shared_ptr<const PipelineData>(std::move(data));
}

} // namespace

VKAPI_ATTR VkResult VKAPI_CALL CreateGraphicsPipelines(VkDevice device, VkPipelineCache,
                                                       uint32_t count,
                                                       const VkGraphicsPipelineCreateInfo *infos,
                                                       const VkAllocationCallbacks *allocator,
                                                       VkPipeline *pipelines) {
  return createPipelines(*fromHandle<Device>(device), "vkCreateGraphicsPipelines", count, infos,
                         allocator, pipelines, buildPipeline);
}

} // namespace icd
