//===- Batch.h - compiles a folder of pipelines ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Every JSON file of a folder -> entries of a pipeline cache, by several threads. The result is
/// the same whatever their number is: files in the order of their names, errors of all of them.
///
/// Pipelines are created on Kiln's own driver, which is part of the program, so that state becomes
/// code in one way only; what the cache keeps are the code objects.
#pragma once

#include "PipelineFile.h"
#include "icd_glue/sc/ScCache.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace pcc {

/// A pipeline that was compiled, or found in an old cache. Owns what an entry points to.
struct CompiledPipeline {
  std::string file;
  icd::sc::Uuid identifier = {};
  std::vector<uint8_t> elf;
  std::string json; ///< these two only with debug information
  std::vector<Words> modules;
  uint32_t stages = 0; ///< VkShaderStageFlags
  std::array<uint8_t, 16> inputs = {};
  bool isReused = false;

  icd::sc::Entry entry() const;
};

struct BatchOptions {
  std::string folder, target;
  std::vector<std::string> names; ///< findPipelines()
  unsigned jobs = 1;
  bool debug = false;
  /// Unchanged pipelines are taken out of it; null: none are. Must outlive the call.
  const icd::sc::CacheView *old = nullptr;
  /// Called when one more is done, by any thread.
  llvm::function_ref<void()> progress;
  /// Asked by any thread before each pipeline; false: those that are left are not
  /// compiled, which is an error.
  llvm::function_ref<bool()> goesOn;
};

struct BatchResult {
  icd::sc::Header header;
  std::vector<CompiledPipeline> pipelines; ///< those without errors, by the names of their files
  std::vector<Message> messages;           ///< in the same order
  std::vector<std::string> inputs;         ///< every file that was read, sorted
  bool hasErrors = false;
};

/// Names of the *.json files of a folder that begin with \p prefix, sorted. Errors: no such folder;
/// a prefix with which nothing begins. A folder without such files is none: it may be meant so.
llvm::Expected<std::vector<std::string>> findPipelines(const std::string &folder,
                                                       llvm::StringRef prefix);
std::string inFolder(llvm::StringRef folder, llvm::StringRef name);

/// Errors: what is not about single pipelines (no driver).
llvm::Expected<BatchResult> compileFolder(const BatchOptions &options);

/// Bytes that a pipeline takes from its pool: the code object and the driver's objects, in steps
/// that keep the number of pools small (multiples of 4 KiB, at most a third too much).
uint64_t poolBytes(size_t elfBytes);

} // namespace pcc
