//===- Batch.cpp - compiles a folder of pipelines -------------------------===//
// SPDX-License-Identifier: MIT
#include "Batch.h"
#include "InputHash.h"
#include "PipelineCompiler.h"
#include "icd_glue/pipeline/Pipeline.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include <atomic>
#include <mutex>
#include <pthread.h>
#include <set>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace pcc {
namespace {

Expected<Words> loadModule(const std::string &path) {
  auto file = readFile(path, maxModuleBytes);
  if (!file)
    return lgc::invalidInput(path + ": " + lgc::consumeToText(file.takeError()).message);
  Expected<Words> words = wordsOf((*file)->getBuffer());
  if (!words)
    return lgc::invalidInput(path + ": " + lgc::consumeToText(words.takeError()).message);
  return words;
}

/// What becomes of one file.
struct Row {
  std::optional<CompiledPipeline> pipeline;
  Identity identity; ///< also of a pipeline with errors
  std::vector<Message> messages;
  std::vector<std::string> inputs;
};

class Batch {
public:
  Batch(const BatchOptions &options, PipelineCompiler &compiler)
      : options(options), compiler(compiler), names(options.names), rows(names.size()) {}

  BatchResult run() {
    // Not std::thread, which ends the process when there can be no more threads.
    std::vector<pthread_t> others;
    const size_t threads = std::min<size_t>(options.jobs, names.size());
    for (pthread_t thread; others.size() + 1 < threads; others.push_back(thread))
      if (pthread_create(&thread, nullptr, &Batch::workIn, this))
        break; // those that there are do all of it
    work();
    for (pthread_t thread : others)
      pthread_join(thread, nullptr);
    return gather();
  }

private:
  static void *workIn(void *batch) {
    static_cast<Batch *>(batch)->work();
    return nullptr;
  }
  void work() {
    for (size_t i = next++; i < rows.size(); i = next++) {
      Row &row = rows[i];
      if (options.goesOn && !options.goesOn()) {
        ++leftOut;
        continue;
      }
      compile(names[i], row);
      for (Message &message : row.messages) {
        if (message.place.file.empty())
          message.place.file = names[i];
        if (row.identity.uuid)
          message.pipeline = icd::sc::uuidText(*row.identity.uuid);
      }
      if (options.progress)
        options.progress();
    }
  }

  void compile(const std::string &name, Row &row) {
    const std::string path = inFolder(options.folder, name);
    row.inputs.push_back(path);
    auto text = readFile(path, maxJsonBytes);
    if (!text) {
      row.messages.push_back({true, "", {}, lgc::consumeToText(text.takeError()).message});
      return;
    }
    auto load = [&](StringRef module) -> Expected<Words> {
      std::string place = KILN_TRY(insideFolder(module));
      row.inputs.push_back(inFolder(options.folder, place));
      return this->load(row.inputs.back());
    };
    Faults faults;
    const std::optional<PipelineFile> file =
        PipelineFile::read(name, (*text)->getBuffer().str(), load, row.identity, faults);
    row.messages = faults.take();
    if (!file)
      return;
    CompiledPipeline pipeline;
    pipeline.file = name;
    pipeline.identifier = file->identifier;
    for (const VkPipelineShaderStageCreateInfo &stage : file->capture->stages())
      pipeline.stages |= stage.stage;
    pipeline.inputs = inputsOf(*file, options.target);
    if (options.debug) {
      pipeline.json = file->json;
      pipeline.modules = file->capture->code;
    }
    if (!reuse(pipeline)) {
      std::optional<std::vector<uint8_t>> elf = compiler.compile(*file, row.messages);
      if (!elf)
        return;
      pipeline.elf = std::move(*elf);
    }
    row.pipeline = std::move(pipeline);
  }

  /// Whoever wrote the JSON has no say in what else this program reads. Links are the folder's own.
  static Expected<std::string> insideFolder(StringRef name) {
    llvm::SmallString<128> place(name);
    // Not left to the system, to which a/.. is another folder where a is a link.
    llvm::sys::path::remove_dots(place, /*remove_dot_dot=*/true);
    if (llvm::sys::path::is_absolute(place) || *llvm::sys::path::begin(place) == "..")
      return lgc::invalidInput(name + ": not in the folder of the pipelines");
    return place.str().str();
  }

  /// Files that several pipelines use are in memory once.
  Expected<Words> load(const std::string &path) {
    std::lock_guard lock(moduleMutex);
    std::weak_ptr<const std::vector<uint32_t>> &known = modules[path];
    if (Words words = known.lock())
      return words;
    Expected<Words> words = loadModule(path);
    if (words)
      known = *words;
    return words;
  }

  bool reuse(CompiledPipeline &pipeline) const {
    const icd::sc::Entry *entry = options.old ? options.old->find(pipeline.identifier) : nullptr;
    if (!entry || entry->inputs != pipeline.inputs || entry->stages != pipeline.stages)
      return false;
    pipeline.elf = entry->elf.vec();
    pipeline.isReused = true;
    return true;
  }

  /// Of pipelines with one identifier nobody knows which is meant: none is in the result.
  void dropRepeated() {
    std::map<icd::sc::Uuid, size_t> first;
    for (size_t i = 0; i < rows.size(); ++i) {
      Row &row = rows[i];
      if (!row.identity.uuid)
        continue;
      auto [at, isNew] = first.emplace(*row.identity.uuid, i);
      if (isNew)
        continue;
      row.messages.push_back({true, icd::sc::uuidText(*row.identity.uuid), row.identity.place,
                              names[at->second] + " has this identifier already"});
      row.pipeline.reset();
      rows[at->second].pipeline.reset();
    }
  }

  BatchResult gather() {
    dropRepeated();
    BatchResult result;
    std::set<std::string> inputs;
    for (Row &row : rows) {
      inputs.insert(row.inputs.begin(), row.inputs.end());
      for (Message &message : row.messages) {
        result.hasErrors |= message.isError;
        result.messages.push_back(std::move(message));
      }
      if (row.pipeline)
        result.pipelines.push_back(std::move(*row.pipeline));
    }
    if (leftOut) {
      result.hasErrors = true;
      result.messages.push_back(
          {true,
           "",
           {},
           (options.folder + ": interrupted, " + Twine(leftOut.load()) +
            (leftOut == 1 ? " pipeline was" : " pipelines were") + " not compiled")
               .str()});
    }
    result.inputs.assign(inputs.begin(), inputs.end());
    return result;
  }

  const BatchOptions &options;
  PipelineCompiler &compiler;
  const std::vector<std::string> &names;
  std::vector<Row> rows;
  std::atomic<size_t> next = 0, leftOut = 0;
  std::mutex moduleMutex;
  std::map<std::string, std::weak_ptr<const std::vector<uint32_t>>> modules; ///< by path
};

} // namespace

icd::sc::Entry CompiledPipeline::entry() const {
  icd::sc::Entry entry;
  entry.identifier = identifier;
  entry.memoryBytes = poolBytes(elf.size());
  entry.json = json;
  // Hosts of the driver are little-endian, like the cache.
  for (const Words &words : modules)
    entry.modules.emplace_back(reinterpret_cast<const uint8_t *>(words->data()), words->size() * 4);
  entry.elf = elf;
  entry.stages = stages;
  entry.inputs = inputs;
  entry.debugHash = icd::sc::DebugHasher().hashOf(entry);
  return entry;
}

uint64_t poolBytes(size_t elfBytes) {
  constexpr uint64_t page = 4096, objects = 4096;
  static_assert(sizeof(icd::Pipeline) + sizeof(icd::PipelineData) + sizeof(icd::CodeObject) +
                        sizeof(icd::GraphicsPipelineData) <=
                    objects * 3 / 4,
                "no room for what they refer to");
  const uint64_t pages = llvm::divideCeil(elfBytes + objects, page);
  // 2, 3, 4, 6, 8, 12, 16, ...
  const uint64_t power = llvm::PowerOf2Ceil(pages);
  return (power >= 4 && pages <= power / 4 * 3 ? power / 4 * 3 : power) * page;
}

std::string inFolder(StringRef folder, StringRef name) {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

Expected<std::vector<std::string>> findPipelines(const std::string &folder, StringRef prefix) {
  namespace fs = llvm::sys::fs;
  std::vector<std::string> names;
  std::error_code code;
  for (fs::directory_iterator at(folder, code), end; at != end && !code; at.increment(code)) {
    const StringRef name = llvm::sys::path::filename(at->path());
    // Not only files: a link to nothing is a pipeline that would be missing without a word.
    if (name.ends_with(".json") && name.starts_with(prefix) && !fs::is_directory(at->path()))
      names.push_back(name.str());
  }
  if (code)
    return lgc::invalidInput(folder + ": " + code.message());
  if (names.empty() && !prefix.empty())
    return lgc::invalidInput(folder + ": no pipeline's name begins with " + prefix);
  llvm::sort(names); // directories have another order on every system
  return names;
}

Expected<BatchResult> compileFolder(const BatchOptions &options) {
  std::unique_ptr<PipelineCompiler> compiler = KILN_TRY(PipelineCompiler::create(options.target));
  BatchResult result = Batch(options, *compiler).run();
  result.header = compiler->header();
  if (options.names.empty())
    result.messages.push_back({false, "", {}, options.folder + ": no pipelines there"});
  return result;
}

} // namespace pcc
