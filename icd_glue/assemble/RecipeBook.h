//===- RecipeBook.h - what a program makes, for after an update -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// After an update of the driver all code on disk is stale, and the program waits for compiles as
/// the first time. But which pipelines it makes is known: each one is noted as a recipe
/// (cache/RecipeFile.h). A device whose build of the driver has no code of the program yet has the
/// background compile its recipes, the last used first, before any module is there.
///
///     vkCreateDevice -> begin() -> a task of the background for each recipe: parts and glue
///     vkCreate*Pipelines -> note()
///     vkDestroyDevice -> end(): what was noted is written
///
/// A program is known by its name in VkApplicationInfo (Instance::programName()).
#pragma once

#include "icd_glue/assemble/BuildInfo.h"
#include "icd_glue/cache/RecipeFile.h"
#include "llpc/PipeFile.h"
#include <map>
#include <set>

namespace icd {

class Device;

class RecipeBook {
public:
  /// Null: there is no cache on disk that is written, no background, or KILN_RECIPES=off.
  static std::unique_ptr<RecipeBook> open(Device &device);

  /// Queues what is remembered, unless this build of the driver has compiled it before.
  void begin();
  /// A pipeline is made of what \p copy gives, which is called once for each \p name.
  void note(const llpc::Hash128 &name, llvm::function_ref<OwnBuildInfo()> copy);
  /// A pipeline was made that had been noted, perhaps by another process.
  void touch(const llpc::Hash128 &name);
  /// Writes what is left. The background has ended.
  void end() { write(); }

private:
  RecipeBook(Device &device, std::string path);
  void warm();
  void compile(const std::string &text);
  llvm::Expected<llpc::ShaderModule> moduleOf(llvm::StringRef fileName);
  void countCompiled();
  void finishWarming();
  void write();

  Device &device;
  const std::string program;
  RecipeFile file;

  std::mutex mutex; ///< of all that follows
  struct Noted {
    llpc::Hash128 name;
    OwnBuildInfo build;
  };
  std::set<llpc::Hash128> known; ///< noted or touched by this device
  std::vector<Noted> noted;
  std::vector<llpc::Hash128> touched;
  std::map<std::string, llpc::ShaderModule> modules; ///< while recipes are compiled
  size_t toCompile = 0, compiled = 0;                ///< recipes
};

} // namespace icd
