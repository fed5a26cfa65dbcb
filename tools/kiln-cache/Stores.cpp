//===- Stores.cpp - lists, checks and prunes a cache ----------------------===//
// SPDX-License-Identifier: MIT
#include "Stores.h"
#include "lgc/CompileError.h"
#include "llpc/PipeFile.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <ctime>
#include <set>

using namespace llvm;

namespace kilncache {
namespace {

constexpr int64_t secondsOfDay = 24 * 3600;

std::string pathIn(const Options &options, StringRef file) {
  SmallString<128> path(options.folder);
  sys::path::append(path, file);
  return path.str().str();
}

std::string pathOfCode(const Options &options) { return pathIn(options, "cache-1.db"); }
std::string pathOfRecipes(const Options &options) { return pathIn(options, "recipes-1.db"); }

void say(StringRef message) { errs() << "kiln-cache: " << message << '\n'; }

/// "3 days ago".
std::string age(int64_t then) {
  const int64_t seconds = std::max<int64_t>(static_cast<int64_t>(std::time(nullptr)) - then, 0);
  if (seconds < 3600)
    return formatv("{0} min ago", seconds / 60);
  if (seconds < 2 * secondsOfDay)
    return formatv("{0} h ago", seconds / 3600);
  return formatv("{0} days ago", seconds / secondsOfDay);
}

void printRow(StringRef name, uint64_t count, uint64_t bytes, int64_t used) {
  outs() << formatv("{0,8} {1,9:f1} MB  {2,-14} {3}\n", count, bytes / 1048576.0, age(used), name);
}

/// Errors: there is no such file, or it cannot be used.
Expected<std::unique_ptr<icd::CacheFile>> openFile(const std::string &path, bool isReadOnly) {
  if (!sys::fs::exists(path))
    return lgc::invalidInput("there is no " + path);
  auto file = std::make_unique<icd::CacheFile>(icd::CacheFile::Options{
      .path = path,
      .mode = isReadOnly ? icd::CacheDatabase::Mode::ReadOnly : icd::CacheDatabase::Mode::ReadWrite,
      .readWaitMs = 2000,
      .writeWaitMs = 5000,
      .log = say});
  if (!file->isUsed())
    return lgc::invalidInput(path + " cannot be used");
  return std::move(file);
}

/// A generation of code is a build of the driver and a GPU.
std::string nameOfBuild(ArrayRef<uint8_t> generation) {
  return toHex(generation, /*LowerCase=*/true);
}

/// Removes entries of a generation that were used last before \p since.
Expected<uint64_t> pruneGeneration(icd::CacheFile &file, ArrayRef<uint8_t> generation,
                                   int64_t since) {
  icd::CacheDatabase::Changes changes;
  changes.generation = generation;
  changes.now = static_cast<int64_t>(std::time(nullptr));
  changes.maxBytes = uint64_t(1) << 44; // makes no room
  const icd::SqlResult found =
      file.list(generation, everything, [&](int64_t id, int64_t used, ArrayRef<uint8_t>) {
        if (used < since)
          changes.removed.push_back(id);
        return true;
      });
  const size_t count = changes.removed.size();
  if (icd::isGood(found) && (count == 0 || icd::isGood(file.apply(changes))))
    return count;
  return lgc::limitExceeded("the cache is in use or damaged");
}

Expected<std::vector<icd::CacheDatabase::Generation>> generationsOf(icd::CacheFile &file) {
  std::vector<icd::CacheDatabase::Generation> all;
  if (icd::isGood(file.generations(all)))
    return all;
  return lgc::limitExceeded("the cache is in use or damaged");
}

Expected<uint64_t> pruneFile(const std::string &path, int64_t since) {
  auto file = KILN_TRY(openFile(path, /*isReadOnly=*/false));
  auto generations = KILN_TRY(generationsOf(*file));
  uint64_t count = 0;
  for (const auto &generation : generations)
    count += KILN_TRY(pruneGeneration(*file, generation.name, since));
  return count;
}

/// Reads a program's recipes as the driver would. Returns how many it could not use.
Expected<uint64_t> verifyProgram(icd::RecipeFile &file, const icd::RecipeFile::Program &program) {
  const std::vector<icd::Recipe> recipes = file.recipes(program.name, program.recipes);
  uint64_t bad = program.recipes - recipes.size();
  std::set<std::string> good;
  for (const icd::Recipe &recipe : recipes) {
    std::vector<std::string> warnings;
    auto pipe = llpc::readPipeFile(recipe.text, "recipe", warnings);
    auto isThere = [&](const llpc::PipeShader &shader) {
      if (good.count(shader.text))
        return true;
      auto words = file.module(icd::RecipeFile::nameOfModule(shader.text));
      auto module = words ? llpc::Compiler::buildShaderModule(*words)
                          : Expected<llpc::ShaderModule>(lgc::invalidInput("not there"));
      if (!module)
        return consumeError(module.takeError()), false;
      return good.insert(shader.text).second;
    };
    const bool isGood = pipe && all_of(pipe->shaders, isThere);
    if (!pipe)
      consumeError(pipe.takeError());
    bad += !isGood;
  }
  return bad;
}

} // namespace

Expected<std::unique_ptr<icd::RecipeFile>> openRecipes(const Options &options, bool isReadOnly) {
  const std::string path = pathOfRecipes(options);
  if (isReadOnly && !sys::fs::exists(path))
    return lgc::invalidInput("there is no " + path);
  auto file = std::make_unique<icd::RecipeFile>(
      icd::RecipeFile::Options{.path = path, .isReadOnly = isReadOnly, .log = say});
  if (!file->isUsed())
    return lgc::invalidInput(path + " cannot be used");
  return std::move(file);
}

Error checkProgram(icd::RecipeFile &file, StringRef program) {
  std::string known;
  for (const icd::RecipeFile::Program &other : file.programs()) {
    if (other.name == program)
      return Error::success();
    known += (known.empty() ? "'" : ", '") + other.name + "'";
  }
  return lgc::invalidInput("no recipes of a program '" + program + "'; there are those of " +
                           (known.empty() ? "none" : known));
}

Error list(const Options &options) {
  auto code = KILN_TRY(openFile(pathOfCode(options), /*isReadOnly=*/true));
  auto generations = KILN_TRY(generationsOf(*code));
  outs() << "code:    entries        size  used           build and GPU\n";
  for (const auto &generation : generations)
    printRow(nameOfBuild(generation.name), generation.entries, generation.bytes, generation.used);
  if (!sys::fs::exists(pathOfRecipes(options)))
    return Error::success();
  auto recipes = KILN_TRY(openRecipes(options, /*isReadOnly=*/true));
  outs() << "recipes:  number        size  used           program\n";
  for (const icd::RecipeFile::Program &program : recipes->programs())
    printRow(program.name, program.recipes, program.bytes, program.used);
  return Error::success();
}

Error verify(const Options &options) {
  auto code = KILN_TRY(openFile(pathOfCode(options), /*isReadOnly=*/true));
  auto generations = KILN_TRY(generationsOf(*code));
  uint64_t entries = 0, bad = 0;
  for (const auto &generation : generations) {
    uint64_t read = 0;
    const icd::SqlResult result = code->list(
        generation.name, everything, [&](int64_t, int64_t, ArrayRef<uint8_t>) { return ++read; });
    entries += read;
    if (!icd::isGood(result) || read != generation.entries)
      return lgc::invalidInput(pathOfCode(options) + ": damaged; the driver makes it anew");
  }
  outs() << formatv("code: {0} entries can be read; their checksums are for those who have their "
                    "keys\n",
                    entries);
  if (!sys::fs::exists(pathOfRecipes(options)))
    return Error::success();
  auto recipes = KILN_TRY(openRecipes(options, /*isReadOnly=*/true));
  uint64_t count = 0;
  for (const icd::RecipeFile::Program &program : recipes->programs()) {
    auto badOfProgram = KILN_TRY(verifyProgram(*recipes, program));
    bad += badOfProgram;
    count += program.recipes;
    if (badOfProgram)
      say(formatv("{0}: {1} of {2} recipes are damaged or lack a module", program.name,
                  badOfProgram, program.recipes)
              .str());
  }
  outs() << formatv("recipes: {0} of {1} are good\n", count - bad, count);
  return bad ? lgc::invalidInput(formatv("{0} recipes are of no use", bad).str())
             : Error::success();
}

Error prune(const Options &options) {
  const int64_t since = static_cast<int64_t>(std::time(nullptr)) + 1 -
                        static_cast<int64_t>(options.olderThanDays) * secondsOfDay;
  auto entries = KILN_TRY(pruneFile(pathOfCode(options), since));
  uint64_t recipes = 0;
  if (sys::fs::exists(pathOfRecipes(options)))
    recipes = KILN_TRY(pruneFile(pathOfRecipes(options), since));
  outs() << formatv("removed {0} entries of code and {1} of recipes\n", entries, recipes);
  return Error::success();
}

} // namespace kilncache
