//===- PartialPipeline.cpp - compiling before the pipeline exists ---------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/partial/PartialPipeline.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/partial/PartCounters.h"
#include "icd_glue/partial/PartObject.h"
#include "icd_glue/state/ShaderModule.h"
#include "icd_glue/state/ShaderStage.h"
#include "llpc/Hasher.h"
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

/// A task's errors have nobody to tell: a pipeline that needs the same runs into them again, and
/// says so if it cannot do without.
void forgetError(llvm::Error error) { llvm::consumeError(std::move(error)); }

bool hasLinkedConstants(const llpc::PipelineShaderInfo &shader) {
  auto constants = llpc::Compiler::linkedConstants(shader);
  if (constants)
    return !constants->empty();
  // The module's own values need not be right, sizes of arrays for one: pipelines give others.
  forgetError(constants.takeError());
  return true;
}

void addToSubject(llpc::Hasher &hasher, const llpc::ShaderModule &module, uint64_t entry) {
  hasher.hash(module.hash());
  hasher.u64(entry);
}

llpc::Hasher subjectHasher() { return llpc::Hasher("part-subject", 1); }

TaskSubject subjectOfTask(const PartialPipelineTask &task) {
  llpc::Hasher hasher = subjectHasher();
  for (const EntryOfModule &stage : task.stages)
    addToSubject(hasher, stage.module, stage.entry);
  return {hasher.finish()};
}

bool isTessellated(const PartialPipelineTask &task) {
  return llvm::any_of(task.stages, [](const EntryOfModule &stage) {
    return stage.name().stage == llpc::ShaderStage::TessControl;
  });
}

size_t countBindings(const PipelineLayoutData &layout) {
  size_t count = 0;
  for (const std::shared_ptr<const SetLayout> &set : layout.sets)
    count += set ? set->bindings.size() : 0;
  return count;
}

/// Of those that the application has made, and then of those that are made up of its sets.
std::vector<const llpc::ResourceMappingData *>
fewestBindingsFirst(const LearnedLayouts::Known &known) {
  std::vector<std::tuple<bool, size_t, size_t>> order; // made up, bindings, index
  for (const auto &[index, layout] : llvm::enumerate(known.layouts))
    order.push_back({index >= known.ofApplication, countBindings(*layout), index});
  llvm::sort(order);
  std::vector<const llpc::ResourceMappingData *> sorted;
  for (auto [isMadeUp, bindings, index] : order)
    sorted.push_back(&known.layouts[index]->mapping);
  return sorted;
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
  const uint64_t owner = ownerOf(shaderModule);
  std::vector<EntryOfModule> entries;
  for (uint32_t index = 0; index < parsed.module.entries().size(); ++index)
    entries.push_back({parsed.module, index});
  for (const EntryOfModule &entry : entries)
    if (aloneRowOf(entry.name().stage))
      enqueue(owner, {{entry}}, parsed.spirvBytes);
  look(owner, std::move(entries), parsed.spirvBytes);
}

void PartialPipeline::shaderCreated(const ShaderObject &object,
                                    const llpc::PipelineShaderInfo &shader,
                                    std::shared_ptr<const PipelineLayoutData> layout,
                                    uint64_t bytes) {
  const auto &entries = shader.module.entries();
  for (uint32_t index = 0; index < entries.size(); ++index)
    if (entries[index].stage == shader.entryStage && entries[index].name == shader.entryTarget) {
      learnedLayouts.add(std::move(layout));
      return look(ownerOf(object), {{shader.module, index}}, bytes);
    }
}

/// Looking into a module takes longer than an application should wait.
void PartialPipeline::look(uint64_t owner, std::vector<EntryOfModule> entries, uint64_t bytes) {
  if (llvm::none_of(entries, [](const EntryOfModule &entry) {
        return StageChains::isInChains(entry.name().stage);
      }))
    return;
  chains.expect(owner);
  if (partSettings.mode == PartMode::Sync)
    return enqueueLessLikely(owner, entries, bytes);
  pool.enqueue({owner,
                {},
                bytes,
                [this, owner, entries = std::move(entries), bytes](const TaskPool::Announce &) {
                  enqueueLessLikely(owner, entries, bytes);
                }});
}

/// Modules that come meanwhile find the same chains.
void PartialPipeline::enqueueLessLikely(uint64_t owner, llvm::ArrayRef<EntryOfModule> entries,
                                        uint64_t bytes) {
  std::vector<PartialPipelineTask> seconds;
  if (chains.add(owner, entries.front().module))
    for (StageChains::Chain &chain : chains.with(owner)) {
      PartialPipelineTask task{std::move(chain)};
      const TaskSubject subject = subjectOfTask(task);
      if (pool.isPending(subject) || wasExecuted(subject))
        continue;
      if (isTessellated(task))
        seconds.push_back({task.stages, /*isSecond=*/true});
      enqueue(owner, std::move(task), bytes);
    }
  for (PartialPipelineTask &task : seconds)
    enqueue(owner, std::move(task), bytes);
}

void PartialPipeline::enqueue(uint64_t owner, PartialPipelineTask task, uint64_t bytes) {
  if (partSettings.mode == PartMode::Sync)
    return Execute(task, [] {});
  // Pipelines ask for the subject's first task only.
  const TaskSubject subject = task.isSecond ? TaskSubject() : subjectOfTask(task);
  pool.enqueue(
      {owner, subject, bytes, [this, task = std::move(task)](const TaskPool::Announce &announce) {
         Execute(task, announce);
       }});
}

void PartialPipeline::moduleDestroyed(const ShaderModule &shaderModule) {
  drop(ownerOf(shaderModule));
}

void PartialPipeline::drop(uint64_t owner) {
  chains.forget(owner);
  pool.cancel(owner);
}

void PartialPipeline::Execute(const PartialPipelineTask &task, const TaskPool::Announce &announce) {
  // A module of a chain may have gone since.
  if (task.stages.size() > 1 && !chains.isKnown(task.stages))
    return;
  std::vector<llpc::PipelineShaderInfo> shaders;
  for (const EntryOfModule &entry : task.stages) {
    VkPipelineShaderStageCreateInfo stage = {};
    stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    stage.pName = entry.name().name.c_str();
    shaders.push_back(shaderInfoOf(device, entry.module, stage));
    shaders.back().entryStage = entry.name().stage;
  }
  lgc::PartKind kind = lgc::PartKind::PreRasterization;
  if (shaders.size() == 1) {
    const AloneRow *row = aloneRowOf(shaders.front().entryStage);
    KILN_CHECK(row, "a task about a stage that is no part");
    kind = row->kind;
  }
  auto build = [&](const llpc::ResourceMappingData &mapping, llpc::SpecializedAt at) {
    const Guess guess{mapping, task.isSecond, at};
    forgetError(kind == lgc::PartKind::Compute ? buildComputePart(shaders.front(), guess, announce)
                                               : buildGraphicsPart(shaders, kind, guess, announce));
  };
  auto guesses = CreatePipelineLayoutFromModuleData(shaders);
  if (guesses) {
    for (const llpc::ResourceMappingData &mapping : *guesses)
      build(mapping, llpc::SpecializedAt::Compile);
    if (llvm::any_of(shaders, hasLinkedConstants))
      for (const llpc::ResourceMappingData &mapping : *guesses)
        build(mapping, llpc::SpecializedAt::Link);
  } else {
    forgetError(guesses.takeError());
  }
  if (task.isSecond)
    return;
  std::lock_guard lock(executedMutex);
  const TaskSubject subject = subjectOfTask(task);
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
PartialPipeline::CreatePipelineLayoutFromModuleData(
    llvm::ArrayRef<llpc::PipelineShaderInfo> shaders) const {
  const LearnedLayouts::Known learned = learnedLayouts.known();
  std::vector<const llpc::ResourceMappingData *> known;
  for (const std::shared_ptr<const PipelineLayoutData> &layout : learned.layouts)
    known.push_back(&layout->mapping);
  // What is assumed of buffers counts only where no layout fits.
  auto guess = [&](llvm::ArrayRef<const llpc::ResourceMappingData *> of, bool otherwise) {
    return llpc::Compiler::guessLayout(
        shaders, {.uniformBuffersDynamic = partSettings.uniformBuffersDynamic != otherwise,
                  .storageBuffersDynamic = partSettings.storageBuffersDynamic != otherwise,
                  .known = of});
  };
  auto likeliest = KILN_TRY(guess(known, false));
  std::vector<llpc::ResourceMappingData> guesses;
  guesses.push_back(std::move(likeliest));
  // The last layout that fits came first; now those with the fewest bindings, which were made for
  // what the module uses.
  for (const llpc::ResourceMappingData *layout : fewestBindingsFirst(learned)) {
    if (guesses.size() == maxGuesses)
      break;
    auto other = KILN_TRY(guess(layout, false));
    if (llvm::is_contained(guesses, other))
      continue;
    auto proof = KILN_TRY(guess(layout, true));
    if (other == proof)
      guesses.push_back(std::move(other));
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

llvm::Error PartialPipeline::buildGraphicsPart(llvm::ArrayRef<llpc::PipelineShaderInfo> shaders,
                                               lgc::PartKind kind, const Guess &guess,
                                               const TaskPool::Announce &announce) {
  const bool isFragment = kind == lgc::PartKind::Fragment;
  llpc::GraphicsPipelineBuildInfo build;
  build.resourceMapping = guess.mapping;
  for (const llpc::PipelineShaderInfo &shader : shaders)
    build.shader(shader.entryStage) = shader;
  llpc::Compiler::guessAssembly(build);
  build.iaState.dynamicPatchControlPoints = guess.isSecond;
  build.iaState.enableMultiView = llvm::any_of(shaders, llpc::Compiler::guessMultiView);
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

std::optional<TaskSubject>
PartialPipeline::subjectOf(llvm::ArrayRef<const llpc::PipelineShaderInfo *> shaders) {
  if (shaders.empty())
    return std::nullopt;
  llpc::Hasher hasher = subjectHasher();
  for (const llpc::PipelineShaderInfo *shader : shaders) {
    const auto &entries = shader->module.entries();
    const auto *it = llvm::find_if(entries, [&](const llpc::ShaderEntryName &entry) {
      return entry.stage == shader->entryStage && entry.name == shader->entryTarget;
    });
    if (it == std::end(entries))
      return std::nullopt;
    addToSubject(hasher, shader->module, it - std::begin(entries));
  }
  return TaskSubject{hasher.finish()};
}

bool PartialPipeline::later(std::function<void()> work) {
  if (partSettings.mode != PartMode::Sync)
    return pool.enqueue(
        {0, {}, 0, [work = std::move(work)](const TaskPool::Announce &) { work(); }});
  work();
  return true;
}

} // namespace icd
