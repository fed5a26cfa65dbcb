//===- RecipeBook.cpp - what a program makes, for after an update ---------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/assemble/RecipeBook.h"
#include "icd_glue/Environment.h"
#include "icd_glue/assemble/PipelineCode.h"
#include "icd_glue/cache/CacheFolder.h"
#include "icd_glue/cache/DiskCache.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/context/Instance.h"
#include "icd_glue/partial/PartCounters.h"
#include "icd_glue/partial/PartialPipeline.h"
#include "llpc/Hasher.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace icd {
namespace {

/// Recipes that are compiled again after an update.
constexpr size_t mostRecipes = 2048;
/// Names that a device remembers, so that each pipeline is noted once.
constexpr size_t mostKnown = 65536;
/// So many are written by one task: waking a thread takes as long as noting ten of them, and those
/// that wait are lost when the process ends without destroying its device.
constexpr size_t notedAtOnce = 16;
/// What is more waits for nobody: the background has other things to do.
constexpr size_t mostNoted = 1024;
/// Modules that stay parsed, because the next recipe may need them.
constexpr size_t mostModules = 256;
/// Part of the size of the cache on disk.
constexpr uint64_t shareOfCache = 16;

/// The mark of a build of the driver that has compiled the program's recipes.
CacheKey markOf(StringRef program) {
  llpc::Hasher hasher("recipes-compiled", 1);
  hasher.string(program);
  return {CacheKey::Domain::Recipes, hasher.finish()};
}

/// A recipe of a pipeline. Errors: those of writing it.
Expected<Recipe> recipeOf(const llpc::Hash128 &name, const BuildInfo &build,
                          const llpc::Compiler &compiler) {
  llpc::PipeDump dump = KILN_TRY(build.dump(build.hashes(compiler)));
  Recipe recipe{name, std::move(dump.text), {}, 0};
  for (const llpc::PipeDump::Module &module : dump.modules)
    recipe.modules.push_back({RecipeFile::nameOfModule(module.fileName), module.words});
  return recipe;
}

} // namespace

std::unique_ptr<RecipeBook> RecipeBook::open(Device &device) {
  const DiskSettings &settings = device.environment().disk;
  if (!device.diskCache() || !device.partial() || settings.mode != DiskMode::On ||
      settings.recipes == RecipeMode::Off)
    return nullptr;
  Expected<std::string> cacheFile = cacheFileOf(settings);
  if (!cacheFile || cacheFile->empty()) {
    consumeError(cacheFile.takeError()); // the cache's own opening has said it
    return nullptr;
  }
  std::unique_ptr<RecipeBook> book(new RecipeBook(device, recipeFileBeside(*cacheFile)));
  return book->file.isUsed() ? std::move(book) : nullptr;
}

RecipeBook::RecipeBook(Device &device, std::string path)
    : device(device), program(device.instance().programName()),
      file({.path = std::move(path),
            .maxBytes = device.environment().disk.maxBytes / shareOfCache,
            .log = [&device](StringRef text) { device.reportWarning("KILN-recipes", text); }}) {}

//===--- Noting -----------------------------------------------------------===//

void RecipeBook::note(const llpc::Hash128 &name, function_ref<OwnBuildInfo()> copy) {
  bool isEnough = false;
  {
    std::lock_guard lock(mutex);
    if (noted.size() >= mostNoted || known.size() >= mostKnown || !known.insert(name).second)
      return;
    noted.push_back({name, copy()});
    isEnough = noted.size() % notedAtOnce == 0;
  }
  if (isEnough)
    device.partial()->later([this] { write(); });
}

void RecipeBook::touch(const llpc::Hash128 &name) {
  std::lock_guard lock(mutex);
  if (known.size() < mostKnown && known.insert(name).second)
    touched.push_back(name);
}

void RecipeBook::write() {
  std::vector<Noted> toWrite;
  std::vector<llpc::Hash128> used;
  {
    std::lock_guard lock(mutex);
    toWrite.swap(noted);
    used.swap(touched);
  }
  if (toWrite.empty() && used.empty())
    return;
  std::vector<Recipe> recipes;
  for (const Noted &one : toWrite) {
    auto recipe = recipeOf(one.name, one.build.get(), device.compiler());
    if (recipe)
      recipes.push_back(std::move(*recipe));
    else
      consumeError(recipe.takeError()); // a name that no .pipe file can have
  }
  device.counters().recipesNoted += recipes.size();
  file.store(program, recipes, used); // what is not stored is compiled when it is asked for
}

//===--- Compiling --------------------------------------------------------===//

void RecipeBook::begin() {
  PartialPipeline &partial = *device.partial();
  const bool waits = device.environment().disk.recipes == RecipeMode::Wait;
  if (partial.settings().mode != PartMode::On)
    return;
  partial.later([this] { warm(); });
  if (waits)
    partial.waitIdle();
}

void RecipeBook::warm() {
  if (device.diskCache()->load(markOf(program)))
    return;
  std::vector<Recipe> recipes = file.recipes(program, mostRecipes);
  if (recipes.empty())
    return finishWarming();
  {
    std::lock_guard lock(mutex);
    toCompile = recipes.size();
  }
  for (Recipe &recipe : recipes)
    device.partial()->later([this, text = std::move(recipe.text)] {
      compile(text);
      countCompiled();
    });
}

void RecipeBook::countCompiled() {
  size_t now = 0, all = 0;
  {
    std::lock_guard lock(mutex);
    now = ++compiled;
    all = toCompile;
    if (modules.size() > mostModules || now == all)
      modules.clear();
  }
  ++device.counters().recipesCompiled;
  if (device.environment().disk.recipes == RecipeMode::Wait)
    device.reportInfo("KILN-recipes", (Twine(now) + " of " + Twine(all) + " recipes").str());
  if (now == all)
    finishWarming();
}

/// Not before everything is done: a process that ends earlier leaves the rest to the next one.
void RecipeBook::finishWarming() { device.diskCache()->store(markOf(program), uint8_t(1)); }

/// A module that a recipe names. Errors: it is not there any more.
Expected<llpc::ShaderModule> RecipeBook::moduleOf(StringRef fileName) {
  {
    std::lock_guard lock(mutex);
    if (auto it = modules.find(fileName.str()); it != modules.end())
      return it->second;
  }
  const auto words = file.module(RecipeFile::nameOfModule(fileName));
  if (!words)
    return lgc::invalidInput("recipe: no module " + fileName);
  llpc::ShaderModule module = KILN_TRY(device.compiler().buildShaderModule(*words));
  std::lock_guard lock(mutex);
  return modules.emplace(fileName.str(), std::move(module)).first->second;
}

/// Errors have nobody to tell: the pipeline runs into them again when it is asked for.
void RecipeBook::compile(const std::string &text) {
  std::vector<std::string> warnings;
  auto pipe = llpc::readPipeFile(text, "recipe", warnings);
  if (!pipe)
    return consumeError(pipe.takeError());
  for (size_t i = 0; i < pipe->shaders.size(); ++i) {
    if (pipe->shaders[i].source != llpc::PipeSource::SpvFile)
      return;
    auto module = moduleOf(pipe->shaders[i].text);
    if (!module)
      return consumeError(module.takeError());
    pipe->infoOf(i).module = std::move(*module);
  }
  compileAhead(device, pipe->visit([](const auto &info) { return BuildInfo(info); }));
}

} // namespace icd
