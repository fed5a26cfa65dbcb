//===- RecipeFile.h - pipelines that outlive the compiler -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Code on disk is stale after every change of the driver. What does not go stale is what a program
/// asks for: a recipe is a pipeline as a .pipe file (llpc/PipeFile.h), which names its SPIR-V by
/// hash, and modules are kept beside, once for all programs. A SQLite file of its own, with the
/// tables, limits and manners of the cache on disk (CacheFile.h):
///
///   generation "recipe PROGRAM"   name of a recipe -> its text
///   generation "module"           name of a module -> its SPIR-V
///
/// A body is behind a checksum (CheckedBytes.h): u32[4] name | u32 bytes | the bytes, packed if
/// fewer follow.
///
/// Threads: any number.
#pragma once

#include "icd_glue/cache/CacheFile.h"
#include <optional>

namespace icd {

/// One pipeline of a program.
struct Recipe {
  llpc::Hash128 name = {}; ///< what tells it from the program's others
  std::string text;        ///< of the .pipe file
  struct Module {
    llpc::Hash128 name = {};
    llvm::ArrayRef<uint32_t> words;
  };
  std::vector<Module> modules; ///< that the text names; empty when it was read
  int64_t used = 0;            ///< seconds; when it was read
};

class RecipeFile {
public:
  struct Options {
    std::string path;
    bool isReadOnly = false;
    uint64_t maxBytes = 64 << 20; ///< what was used least recently makes room
    std::function<void(llvm::StringRef)> log = {};
  };
  explicit RecipeFile(Options options);

  /// Stores recipes that were used now; those of \p usedToo that are there were used, too. False:
  /// not everything is stored.
  bool store(llvm::StringRef program, llvm::ArrayRef<Recipe> recipes,
             llvm::ArrayRef<llpc::Hash128> usedToo = {});
  /// At most \p most recipes that can be read, the last used first.
  std::vector<Recipe> recipes(llvm::StringRef program, size_t most);
  /// The name of the module that a text calls \p fileName.
  static llpc::Hash128 nameOfModule(llvm::StringRef fileName);
  /// A module's words.
  std::optional<std::vector<uint8_t>> module(const llpc::Hash128 &name);

  struct Program {
    std::string name;
    int64_t used = 0; ///< seconds
    uint64_t recipes = 0, bytes = 0;
  };
  std::vector<Program> programs();
  bool isUsed() const { return file.isUsed(); }

private:
  bool apply(llvm::ArrayRef<uint8_t> generation, std::vector<CacheDatabase::Entry> stored,
             std::vector<int64_t> used);
  void markUsed(llvm::StringRef generation, const llpc::Hash128 &name,
                std::vector<int64_t> &recipes, std::vector<int64_t> &modules);

  const Options options;
  CacheFile file;
};

} // namespace icd
