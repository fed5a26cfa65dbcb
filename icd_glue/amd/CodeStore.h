//===- CodeStore.h - how a pipeline of a driver comes by its code ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// In this order: it is kept, it is linked of parts that are there or about to be, it is compiled
/// as a whole. Drivers keep finished code by keys of their own; what is kept here serves those who
/// ask for the same again all the same, such as links of pipeline libraries.
///
///     BuildShaderModule -> moduleBuilt() -> queue -> part for each entry point that can be one
///     BuildGraphicsPipeline -> codeOf() -> parts by the keys of what is really needed -> link
///
/// Parts are guesses, and keys are truths: a wrong guess is a miss, never wrong code. What modules
/// do not say (options of shaders, layouts) is guessed to be what the last pipelines had.
///
/// Threads: any number, for everything but construction and destruction.
#pragma once

#include "icd_glue/amd/Log.h"
#include "icd_glue/amd/Settings.h"
#include "icd_glue/cache/ShaderCache.h"
#include "icd_glue/partial/StageChains.h"
#include "icd_glue/partial/TaskPool.h"
#include "llpc/Parts.h"

namespace icd::amd {

/// Code objects that are kept.
class Code final : public CacheObject {
public:
  explicit Code(std::vector<uint8_t> elf) : elf(std::move(elf)) {}
  std::vector<uint8_t> record() const override { return elf; }
  bool isKeptBelow() const override { return false; }
  size_t memoryBytes() const override { return sizeof(*this) + elf.size(); }

  const std::vector<uint8_t> elf;
};

class Pieces;

class CodeStore {
public:
  enum class Source : uint8_t { Kept, Linked, Compiled };
  struct Found {
    std::shared_ptr<const Code> code;
    Source source = Source::Compiled;
  };

  /// \p compiler and \p log must outlive it.
  CodeStore(const llpc::Compiler &compiler, const Settings &settings, Log &log);
  /// Ends what runs in the background.
  ~CodeStore();

  /// Errors: those of the compiler.
  llvm::Expected<Found> codeOf(const llpc::ComputePipelineBuildInfo &info);
  llvm::Expected<Found> codeOf(const llpc::GraphicsPipelineBuildInfo &info);

  /// Queues the module's entry points. \p options: of the device.
  void moduleBuilt(const llpc::ShaderModule &module, const llpc::PipelineOptions &options);

  /// Builds the part of \p info that a library is: links of it find it; once a pipeline had its
  /// attributes described in memory, also that for such links. Errors are forgotten, links have
  /// them again.
  void libraryBuilt(const llpc::GraphicsPipelineBuildInfo &info, lgc::PartKind kind);

  /// Waits until nothing is left to do in the background.
  void waitIdle() { pool.waitIdle(); }

  /// One line of counters.
  std::string statistics() const;

private:
  struct Wanted;
  class Guesses;
  llvm::Expected<Found> find(const Pieces &pieces);
  std::shared_ptr<const Code> link(const Pieces &pieces, const llpc::PipelineHashes &hashes);
  llvm::Expected<std::shared_ptr<const Code>> collectAndLink(const Pieces &pieces,
                                                             const llpc::PipelineHashes &hashes);
  llvm::Expected<Wanted> want(const Pieces &pieces, lgc::PartKind kind);
  void leaveConstants(const Pieces &pieces, Wanted &wanted);
  static TaskSubject subjectOf(llvm::ArrayRef<const llpc::PipelineShaderInfo *> shaders);
  void enqueue(uint64_t owner, StageChains::Chain stages, const llpc::PipelineOptions &options);
  void look(uint64_t owner, const llpc::ShaderModule &module, const llpc::PipelineOptions &options);
  std::vector<llpc::PipelineShaderInfo> shadersOf(const StageChains::Chain &stages) const;
  void buildAhead(const StageChains::Chain &stages, const llpc::PipelineOptions &options,
                  const TaskPool::Announce &announce);
  llvm::ArrayRef<llpc::SpecializedAt>
  waysToSpecialize(llvm::ArrayRef<llpc::PipelineShaderInfo> shaders) const;
  void buildCompute(const llpc::PipelineShaderInfo &shader, const llpc::PipelineOptions &options,
                    const TaskPool::Announce &announce);
  void buildGraphics(llpc::GraphicsPipelineBuildInfo &info,
                     llvm::ArrayRef<llpc::PipelineShaderInfo> shaders, lgc::PartKind kind,
                     const TaskPool::Announce &announce);
  void buildGuess(const Pieces &pieces, lgc::PartKind kind, llpc::SpecializedAt at,
                  const TaskPool::Announce &announce);

  const llpc::Compiler &compiler;
  const Settings &settings;
  Log &log;
  ShaderCache cache;
  const std::unique_ptr<Guesses> guesses;
  StageChains chains; ///< modules have numbers there
  std::atomic<uint64_t> modules{0};
  std::atomic<uint64_t> linked{0}, compiled{0}, kept{0}, ahead{0}, late{0};
  TaskPool pool; ///< last: its threads use the rest
};

} // namespace icd::amd
