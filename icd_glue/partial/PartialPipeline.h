//===- PartialPipeline.h - compiling before the pipeline exists -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Applications load modules long before they create pipelines, and hate to wait for the latter.
/// So each entry point of a new module that can be a part becomes a task of the background, alone
/// or with others that it fits (StageChains.h): it guesses what modules alone do not say, compiles
/// the part, and the glue that is likely to go with it. Nothing of this is seen by the application:
/// the results are in the driver's cache, and pipelines find them there by the keys of what they
/// really need (assemble/PipelineCode.h).
///
///     vkCreateShaderModule -> AsyncBuildPartialPipeline -> queue
///     worker: Execute -> CreatePipelineLayoutFromModuleData -> part -> ColorTargetFromModuleData
///             -> glue
///
/// There is one for each device. Names of members follow the design note of this mechanism.
#pragma once

#include "icd_glue/Environment.h"
#include "icd_glue/context/CreationObserver.h"
#include "icd_glue/partial/LearnedLayouts.h"
#include "icd_glue/partial/StageChains.h"
#include "icd_glue/partial/TaskPool.h"
#include "llpc/Parts.h"
#include <unordered_set>

namespace icd {

class Device;
class ShaderObject;

/// A part that is compiled when it can be.
struct PartialPipelineTask {
  StageChains::Chain stages; ///< at least one
  /// The part for what is less likely, when the usual one is there: for a dynamic number of control
  /// points.
  bool isSecond = false;
};

class PartialPipeline final : public CreationObserver {
public:
  /// Null when the environment switches it off.
  static std::unique_ptr<PartialPipeline> Create(Device &device);
  /// Ends all work; queued tasks are dropped. Called before anything that tasks use dies.
  void Destroy() { pool.stop(); }

  void moduleCreated(const ShaderModule &shaderModule) override {
    AsyncBuildPartialPipeline(shaderModule);
  }
  /// Drops what is queued for the module; what runs may end.
  void moduleDestroyed(const ShaderModule &shaderModule) override;
  void layoutCreated(std::shared_ptr<const PipelineLayoutData> layout) override {
    learnedLayouts.add(std::move(layout));
  }
  void layoutCreated(std::shared_ptr<const SetLayout> layout) override {
    learnedLayouts.add(std::move(layout));
  }

  /// A graphics shader object, whose part alone is there if it has one, until shaderDestroyed():
  /// queues what draws may need besides. \p bytes: of its SPIR-V.
  void shaderCreated(const ShaderObject &object, const llpc::PipelineShaderInfo &shader,
                     std::shared_ptr<const PipelineLayoutData> layout, uint64_t bytes);
  void shaderDestroyed(const ShaderObject &object) { drop(ownerOf(object)); }

  /// Queues the entry points of a module that is alive until moduleDestroyed(). With
  /// KILN_PARTS=sync the work is done before this returns.
  void AsyncBuildPartialPipeline(const ShaderModule &shaderModule);

  /// Compiles what a task asks for. \p announce is called when the part can be waited for.
  void Execute(const PartialPipelineTask &task, const TaskPool::Announce &announce);
  /// Layouts that \p shaders could be used with, likeliest first, at most maxGuesses, each of which
  /// makes other code: those that the application has made, or else what the module alone suggests.
  llvm::Expected<std::vector<llpc::ResourceMappingData>>
  CreatePipelineLayoutFromModuleData(llvm::ArrayRef<llpc::PipelineShaderInfo> shaders) const;
  /// Most applications have layouts with dynamic buffers and others in which a shader fits, if any.
  static constexpr size_t maxGuesses = 3;
  /// Colour targets as the outputs of the fragment shader of \p build suggest.
  static llvm::Error CreateColorTargetFromModuleData(llpc::GraphicsPipelineBuildInfo &build);

  /// What a pipeline does about entry points that it needs together. subjectOf() is none when there
  /// are none, or a module has no such entry point.
  static std::optional<TaskSubject>
  subjectOf(llvm::ArrayRef<const llpc::PipelineShaderInfo *> shaders);
  /// Is there a task about it whose results cannot be waited for yet?
  bool isPending(const TaskSubject &subject) const { return pool.isPending(subject); }
  /// Waits until the results of one that runs can be waited for, but not for long.
  void awaitAnnouncement(const TaskSubject &subject) { pool.awaitAnnouncement(subject); }
  /// Has a task about it been executed? Tells misses by wrong guesses from others.
  bool wasExecuted(const TaskSubject &subject) const;

  /// Queues other work of the background. It may never be done; false: it will not.
  bool later(std::function<void()> work);
  /// Waits until nothing is queued or runs.
  void waitIdle() { pool.waitIdle(); }

  const PartSettings &settings() const { return partSettings; }
  TaskPool::Counters poolCounters() const { return pool.counters(); }

private:
  PartialPipeline(Device &device, const PartSettings &settings);
  /// What a part is made of besides the shaders.
  struct Guess {
    const llpc::ResourceMappingData &mapping;
    bool isSecond;
    llpc::SpecializedAt at;
  };
  llvm::Error buildComputePart(const llpc::PipelineShaderInfo &shader, const Guess &guess,
                               const TaskPool::Announce &announce);
  llvm::Error buildGraphicsPart(llvm::ArrayRef<llpc::PipelineShaderInfo> shaders,
                                lgc::PartKind kind, const Guess &guess,
                                const TaskPool::Announce &announce);
  void enqueue(uint64_t owner, PartialPipelineTask task, uint64_t bytes);
  template <typename Object> static uint64_t ownerOf(const Object &object) {
    return reinterpret_cast<uintptr_t>(&object);
  }
  void drop(uint64_t owner);
  void look(uint64_t owner, std::vector<EntryOfModule> entries, uint64_t bytes);
  void enqueueLessLikely(uint64_t owner, llvm::ArrayRef<EntryOfModule> entries, uint64_t bytes);

  Device &device;
  const PartSettings partSettings;
  LearnedLayouts learnedLayouts;
  StageChains chains;
  mutable std::mutex executedMutex;
  std::vector<TaskSubject> executed; ///< the last ones, a ring
  size_t nextExecuted = 0;
  TaskPool pool; ///< last: its threads use the rest
};

} // namespace icd
