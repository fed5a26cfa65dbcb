//===- Environment.h - the variables that the ICD reads -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// An application that only knows Vulkan cannot pass options, so the driver takes them from the
/// environment. This is the one place of the Vulkan driver that reads KILN_* variables at run time,
/// and where the user's caches are; they are read once for each VkInstance. The table for people is
/// docs/environment.md.
#pragma once

#include "lgc/Pipeline.h"
#include "pal_shim/device/Device.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace icd {

/// KILN_PARTS: whether pipelines are made of parts.
enum class PartMode : uint8_t {
  Off,
  On,   ///< modules are compiled in the background
  Sync, ///< everything happens in the call that asks for it, and all parts are built: for tests
};

struct PartSettings {
  PartMode mode = PartMode::On;
  unsigned workers = 2;
  uint64_t queueEntries = 4096;   ///< entry points that wait
  uint64_t queueBytes = 64 << 20; ///< SPIR-V that they keep alive
  bool uniformBuffersDynamic = false, storageBuffersDynamic = false; ///< what is guessed of layouts
  bool monolithicLater = false; ///< linked pipelines are compiled monolithically in the background
};

/// KILN_CACHE: whether compiled code is kept on disk.
enum class DiskMode : uint8_t { Off, On, ReadOnly };

/// KILN_RECIPES: whether it is remembered which pipelines a program makes (assemble/RecipeBook.h).
enum class RecipeMode : uint8_t {
  Off,
  On,
  Wait, ///< vkCreateDevice waits until everything is compiled that is remembered
};

struct DiskSettings {
  DiskMode mode = DiskMode::On;
  std::string folder;          ///< empty: there is no home
  bool isFolderChosen = false; ///< by KILN_CACHE_DIR
  uint64_t maxBytes = uint64_t(1) << 30;
  std::vector<std::string> readOnlyFiles; ///< asked after the one in the folder
  std::string readOnlyKeys;               ///< file of keys that must have signed them; empty: none
  std::string server, serverKeys;         ///< asked after all files; empty: none
  RecipeMode recipes = RecipeMode::On;
  /// For tests: code that was stored with another salt is not found, as that of another build.
  std::string salt;
};

struct Environment {
  std::vector<std::string> devices = {"gfx1100"}; ///< targets, one physical device each
  std::string logFile;                            ///< empty: standard error
  std::string opcodeCountsFile;                   ///< empty: not written
  std::string dumpFolder;                         ///< empty: pipelines are not written
  std::string replaceFolder;                      ///< empty: no code is replaced
  std::string presentFolder;                      ///< empty: presented images are not written
  unsigned compileThreads = 2;                    ///< of one graphics pipeline: 1 or 2
  std::optional<unsigned> optLevel;               ///< 0..3; none: the compiler's default
  lgc::Tier tier = lgc::Tier::Llvm;               ///< KILN_TIER
  /// KILN_TIER=auto: monolithic compiles are the direct tier's first, `tier` makes better code of
  /// what is used, later.
  bool directFirst = true;
  /// KILN_REGISTERS: the most VGPRs and SGPRs of a shader; 0: all.
  unsigned vgprLimit = 0, sgprLimit = 0;
  lgc::NggState ngg; ///< KILN_NGG; the compiler's default
  PartSettings parts;
  uint64_t cacheBytes = 256 << 20; ///< budget of the cache of compiled code
  DiskSettings disk;
  bool stats = false;      ///< counters are logged when a device is destroyed
  bool readyDraws = false; ///< for tests: draws that would wait for their code are errors
  /// Pipelines are looked for by what the compiler is told of them, in every creation.
  bool needsBuildInfos() const { return !dumpFolder.empty() || !replaceFolder.empty(); }
  /// Everything but `target` and `log`, which each device fills in.
  pal::device::DeviceOptions device;

  /// Looks variables up by name; returns null for those that are not set.
  using Lookup = std::function<const char *(const char *name)>;
  /// Errors: a value that cannot be understood, with its variable's name. Nothing is guessed.
  static llvm::Expected<Environment> read(const Lookup &lookup);
};

/// "group=X,Y,Z;wave=N;lane=N|all", every part optional.
llvm::Expected<pal::device::TraceOptions> parseTrace(llvm::StringRef text);

} // namespace icd
