//===- PartialPipeline.cpp - compiling before the pipeline exists ---------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/partial/PartialPipeline.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/partial/PartCounters.h"
#include "icd_glue/partial/PartObject.h"
#include "icd_glue/state/ShaderModule.h"
#include "icd_glue/state/ShaderStage.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"

namespace icd {
namespace {

/// Which kind of part a stage alone can be. Stages that are not here are compiled with others.
struct AloneRow {
  llpc::ShaderStage stage;
  lgc::PartKind kind;
};
constexpr AloneRow aloneTable[] = {
    {llpc::ShaderStage::Compute, lgc::PartKind::Compute},
    {llpc::ShaderStage::Fragment, lgc::PartKind::Fragment},
    {llpc::ShaderStage::Vertex, lgc::PartKind::PreRasterization},
    {llpc::ShaderStage::Mesh, lgc::PartKind::PreRasterization},
};

const AloneRow *aloneRowOf(llpc::ShaderStage stage) {
  const auto *row = llvm::find_if(aloneTable, [&](const AloneRow &r) { return r.stage == stage; });
  return row == std::end(aloneTable) ? nullptr : row;
}

uint64_t ownerOf(const ShaderModule &shaderModule) {
  return reinterpret_cast<uintptr_t>(&shaderModule);
}

/// A task's errors have nobody to tell: a pipeline that needs the same runs into them again, and
/// says so if it cannot do without.
void forgetError(llvm::Error error) { llvm::consumeError(std::move(error)); }

bool hasLinkedConstants(const llpc::PipelineShaderInfo &shader) {
  auto constants = llpc::Compiler::linkedConstants(shader);
  if (constants)
    return !constants->empty();
  forgetError(constants.takeError());
  return false;
}

/// Tasks remembered for PartialPipeline::wasExecuted().
constexpr size_t maxExecuted = 1024;

} // namespace

PartialPipeline::PartialPipeline(Device &device, const PartSettings &settings)
    : device(device), partSettings(settings),
      pool({settings.mode == PartMode::Sync ? 0 : settings.workers, settings.queueEntries,
            settings.queueBytes}) {}

std::unique_ptr<PartialPipeline> PartialPipeline::Create(Device &device) {
  const PartSettings &settings = device.environment().parts;
  if (settings.mode == PartMode::Off)
    return nullptr;
  return std::unique_ptr<PartialPipeline>(new PartialPipeline(device, settings));
}

void PartialPipeline::AsyncBuildPartialPipeline(const ShaderModule &shaderModule) {
  const ParsedModule &parsed = shaderModule.parsed;
  ++device.counters().modules;
  for (const auto &[index, entry] : llvm::enumerate(parsed.module.entries())) {
    if (!aloneRowOf(entry.stage))
      continue;
    const PartialPipelineTask task{parsed.module, static_cast<uint32_t>(index)};
    enqueue(ownerOf(shaderModule), task, parsed.spirvBytes);
  }
  // What is less likely to be asked for comes behind the rest.
  for (const auto &[index, entry] : llvm::enumerate(parsed.module.entries()))
    if (llpc::Compiler::guessPoints(parsed.module, entry.stage, entry.name))
      enqueue(ownerOf(shaderModule),
              {parsed.module, static_cast<uint32_t>(index), /*isForPoints=*/true},
              parsed.spirvBytes);
}

void PartialPipeline::enqueue(uint64_t owner, PartialPipelineTask task, uint64_t bytes) {
  if (partSettings.mode == PartMode::Sync)
    return Execute(task, [] {});
  // Pipelines ask for the subject's first task only.
  const TaskSubject subject =
      task.isForPoints ? TaskSubject() : TaskSubject{task.module.hash(), task.entry};
  pool.enqueue(
      {owner, subject, bytes, [this, task = std::move(task)](const TaskPool::Announce &announce) {
         Execute(task, announce);
       }});
}

void PartialPipeline::moduleDestroyed(const ShaderModule &shaderModule) {
  pool.cancel(ownerOf(shaderModule));
}

void PartialPipeline::Execute(const PartialPipelineTask &task, const TaskPool::Announce &announce) {
  const llpc::ShaderEntryName &entry = task.module.entries()[task.entry];
  VkPipelineShaderStageCreateInfo stage = {};
  stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  stage.pName = entry.name.c_str();
  llpc::PipelineShaderInfo shader = shaderInfoOf(device, task.module, stage);
  shader.entryStage = entry.stage;
  const AloneRow *row = aloneRowOf(entry.stage);
  KILN_CHECK(row, "a task about a stage that is no part");
  const lgc::Topology topology =
      task.isForPoints ? lgc::Topology::PointList : lgc::Topology::TriangleList;
  auto build = [&](const llpc::ResourceMappingData &mapping, llpc::SpecializedAt at) {
    const Guess guess{mapping, topology, at};
    forgetError(row->kind == lgc::PartKind::Compute
                    ? buildComputePart(shader, guess, announce)
                    : buildGraphicsPart(shader, row->kind, guess, announce));
  };
  auto guesses = CreatePipelineLayoutFromModuleData(shader);
  if (guesses) {
    for (const llpc::ResourceMappingData &mapping : *guesses)
      build(mapping, llpc::SpecializedAt::Compile);
    if (hasLinkedConstants(shader))
      for (const llpc::ResourceMappingData &mapping : *guesses)
        build(mapping, llpc::SpecializedAt::Link);
  } else {
    forgetError(guesses.takeError());
  }
  if (task.isForPoints)
    return;
  std::lock_guard lock(executedMutex);
  const TaskSubject subject{task.module.hash(), task.entry};
  if (executed.size() < maxExecuted)
    executed.push_back(subject);
  else
    executed[nextExecuted++ % maxExecuted] = subject;
}

bool PartialPipeline::wasExecuted(const TaskSubject &subject) const {
  std::lock_guard lock(executedMutex);
  return llvm::is_contained(executed, subject);
}

llvm::Expected<std::vector<llpc::ResourceMappingData>>
PartialPipeline::CreatePipelineLayoutFromModuleData(const llpc::PipelineShaderInfo &shader) const {
  const std::vector<std::shared_ptr<const PipelineLayoutData>> layouts = learnedLayouts.known();
  std::vector<const llpc::ResourceMappingData *> known;
  for (const std::shared_ptr<const PipelineLayoutData> &layout : layouts)
    known.push_back(&layout->mapping);
  // What is assumed of buffers counts only where no layout fits.
  auto guess = [&](llvm::ArrayRef<const llpc::ResourceMappingData *> of, bool otherwise) {
    return llpc::Compiler::guessLayout(
        shader.module, shader,
        {.uniformBuffersDynamic = partSettings.uniformBuffersDynamic != otherwise,
         .storageBuffersDynamic = partSettings.storageBuffersDynamic != otherwise,
         .known = of});
  };
  auto likeliest = KILN_TRY(guess(known, false));
  std::vector<llpc::ResourceMappingData> guesses;
  guesses.push_back(std::move(likeliest));
  for (const llpc::ResourceMappingData *layout : known) {
    if (guesses.size() == maxGuesses)
      break;
    auto other = guess(layout, false), proof = guess(layout, true);
    if (!other || !proof)
      return llvm::joinErrors(other.takeError(), proof.takeError());
    if (*other == *proof && !llvm::is_contained(guesses, *other))
      guesses.push_back(std::move(*other));
  }
  return guesses;
}

llvm::Error
PartialPipeline::CreateColorTargetFromModuleData(llpc::GraphicsPipelineBuildInfo &build) {
  llpc::GraphicsPipelineBuildInfo automatic;
  automatic.fs = build.fs;
  automatic.stageMask = build.stageMask;
  KILN_TRY(llpc::Compiler::applyAutoLayout(automatic));
  for (auto [to, from] : llvm::zip_equal(build.cbState.target, automatic.cbState.target)) {
    to = from;
    // Floating-point outputs go to normalised targets more often than to others; what counts is
    // that most formats of up to 16 bits are exported alike.
    switch (from.format) {
    case VK_FORMAT_R32_SFLOAT:
    case VK_FORMAT_R32G32_SFLOAT:
    case VK_FORMAT_R32G32B32_SFLOAT:
    case VK_FORMAT_R32G32B32A32_SFLOAT:
      to.format = VK_FORMAT_B8G8R8A8_UNORM;
      break;
    default:
      break;
    }
  }
  return llvm::Error::success();
}

llvm::Error PartialPipeline::buildComputePart(const llpc::PipelineShaderInfo &shader,
                                              const Guess &guess,
                                              const TaskPool::Announce &announce) {
  llpc::ComputePipelineBuildInfo build;
  build.cs = shader;
  build.options = pipelineOptionsOf(device, nullptr, {}, 0);
  build.resourceMapping = guess.mapping;
  auto key = KILN_TRY(device.compiler().partKey(build, guess.at));
  auto part = obtainPart(device, key, [&] {
    announce();
    return device.compiler().buildPart(build, guess.at);
  });
  return part ? llvm::Error::success() : part.takeError();
}

llvm::Error PartialPipeline::buildGraphicsPart(const llpc::PipelineShaderInfo &shader,
                                               lgc::PartKind kind, const Guess &guess,
                                               const TaskPool::Announce &announce) {
  const bool isFragment = kind == lgc::PartKind::Fragment;
  llpc::GraphicsPipelineBuildInfo build;
  build.resourceMapping = guess.mapping;
  build.iaState.topology = guess.topology;
  build.iaState.enableMultiView = llpc::Compiler::guessMultiView(shader);
  build.shader(shader.entryStage) = shader;
  build.stageMask = stageBit(isFragment ? llpc::ShaderStage::Vertex : llpc::ShaderStage::Fragment);
  build.options = pipelineOptionsOf(device, nullptr, {}, 0);
  const llpc::Compiler &compiler = device.compiler();
  auto key = KILN_TRY(compiler.partKey(build, kind, guess.at));
  auto part = KILN_TRY(obtainPart(device, key, [&] {
    announce();
    return compiler.buildPart(build, kind, guess.at);
  }));
  announce();
  const lgc::Part &made = *part->part;
  if (!isFragment || !made.info().colorExport)
    return llvm::Error::success();
  KILN_TRY(CreateColorTargetFromModuleData(build));
  constexpr lgc::PartKind glueKind = lgc::PartKind::ColorExport;
  auto glue = obtainPart(device, compiler.glueKey(made, build, glueKind),
                         [&] { return compiler.buildGlue(made, build, glueKind); });
  return glue ? llvm::Error::success() : glue.takeError();
}

std::optional<TaskSubject> PartialPipeline::subjectOf(const llpc::PipelineShaderInfo &shader) {
  for (const auto &[index, entry] : llvm::enumerate(shader.module.entries()))
    if (entry.stage == shader.entryStage && entry.name == shader.entryTarget)
      return TaskSubject{shader.module.hash(), static_cast<uint32_t>(index)};
  return std::nullopt;
}

void PartialPipeline::later(std::function<void()> work) {
  if (partSettings.mode == PartMode::Sync)
    return work();
  pool.enqueue({0, {}, 0, [work = std::move(work)](const TaskPool::Announce &) { work(); }});
}

} // namespace icd
