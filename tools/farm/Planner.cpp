//===- Planner.cpp - inputs become a plan ---------------------------------===//
// SPDX-License-Identifier: MIT
#include "Planner.h"
#include "Item.h"
#include "lgc/CompileError.h"
#include "llpc/PipeFile.h"
#include "pal_shim/abi/Try.h"
#include "tools/replay/FozCaptures.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstring>
#include <unordered_map>

using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallString;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace farm {
namespace {

/// Of a file or an entry that is read as text.
constexpr uint64_t maxTextBytes = 16 << 20, maxModuleBytes = 64 << 20;
/// Modules whose names are remembered, by where they come from; more would take memory.
constexpr size_t mostKnown = 1 << 16;
/// What an item costs beside what its modules do, in the bytes of those.
constexpr uint32_t costOfItem = 4096;

ArrayRef<uint8_t> bytesOf(ArrayRef<uint32_t> words) {
  return {reinterpret_cast<const uint8_t *>(words.data()), words.size() * 4};
}

Expected<std::string> readText(const std::string &file, uint64_t most) {
  auto buffer =
      llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return lgc::invalidInput(file + ": " + buffer.getError().message());
  if ((*buffer)->getBufferSize() > most)
    return lgc::limitExceeded(file + ": more than " + llvm::Twine(most) + " bytes");
  return (*buffer)->getBuffer().str();
}

class Planner {
public:
  explicit Planner(const PlanOptions &options) : options(options) {}

  Expected<Planned> run() {
    Plan &plan = planned.plan;
    plan.folder = options.folder;
    plan.compiler = options.compiler;
    plan.targets = options.targets;
    plan.optLevel = options.optLevel;
    KILN_TRY(makeFolders());
    pack = KILN_TRY(PackWriter::create(plan.file("pack")));
    KILN_TRY(openWanted());
    for (const std::string &input : options.inputs)
      add(input);
    if (!options.goesOn())
      return lgc::invalidInput("interrupted; there is no plan");
    if (!pack->items())
      return lgc::invalidInput("no pipelines in what was given");
    KILN_TRY(finishWanted());
    plan.items = pack->items();
    plan.buckets = bucketsFor(pack->items());
    planned.modules = pack->modules();
    PlanHasher hasher(plan);
    KILN_TRY(pack->finish([&](const PackRow &row) { hasher.add(row); }));
    plan.hash = hasher.finish();
    KILN_TRY(plan.save());
    return planned;
  }

private:
  //===--- Files of the plan ----------------------------------------------===//

  Error makeFolders() const {
    const Plan &plan = planned.plan;
    if (fs::exists(plan.file("plan.json")))
      return lgc::invalidInput(options.folder + ": there is a plan already");
    fs::remove(plan.file("pack")); // of one that was not finished
    for (const char *name : {"buckets", "poison", "progress", "stats"})
      if (std::error_code code = fs::create_directories(plan.file(name)))
        return lgc::limitExceeded(plan.file(name) + ": " + code.message());
    return Error::success();
  }
  Error openWanted() {
    std::error_code code;
    wanted = std::make_unique<llvm::raw_fd_ostream>(planned.plan.file("wanted.tsv"), code);
    return code ? lgc::limitExceeded(planned.plan.file("wanted.tsv") + ": " + code.message())
                : Error::success();
  }
  Error finishWanted() {
    wanted->flush();
    const std::error_code code = wanted->error();
    wanted->clear_error();
    return code ? lgc::limitExceeded(planned.plan.file("wanted.tsv") + ": " + code.message())
                : Error::success();
  }

  //===--- Inputs ---------------------------------------------------------===//

  void fault(Error error) {
    if (!error)
      return;
    ++planned.faults;
    const std::string text = lgc::consumeToText(std::move(error)).message;
    if (options.fault)
      options.fault(text);
  }

  /// A file, or all that are below a folder, those of each sorted.
  void add(const std::string &place) {
    if (!options.goesOn())
      return;
    if (!fs::is_directory(place))
      return addFile(place, /*isNamed=*/true);
    std::vector<std::string> names;
    std::error_code code;
    for (fs::directory_iterator at(place, code), end; at != end && !code; at.increment(code))
      names.push_back(path::filename(at->path()).str());
    if (code)
      return fault(lgc::invalidInput(place + ": " + code.message()));
    llvm::sort(names);
    for (const std::string &name : names) {
      SmallString<256> inner(place);
      path::append(inner, name);
      if (fs::is_directory(inner))
        add(inner.str().str());
      else
        addFile(inner.str().str(), /*isNamed=*/false);
    }
  }

  void addFile(const std::string &file, bool isNamed) {
    if (!options.goesOn())
      return;
    const StringRef extension = path::extension(file);
    if (extension == ".foz")
      return addDatabase(file);
    if (extension == ".pipe")
      return fault(addPipe(file));
    if (extension == ".json" && path::filename(file) != "application.json")
      return fault(addJson(file));
    if (isNamed)
      fault(lgc::invalidInput(file + ": neither .foz, .json, .pipe nor a folder"));
  }

  void addDatabase(const std::string &file) {
    auto archive = replay::FozArchive::open(file);
    if (!archive)
      return fault(archive.takeError());
    std::optional<std::vector<std::string>> features;
    const auto note = [&](std::string text) { fault(lgc::invalidInput(text)); };
    replay::eachInFoz(std::move(*archive), note, [&](replay::FozPipeline pipeline) {
      if (!options.goesOn())
        return;
      if (!features) {
        auto read = pipeline.source->features();
        if (!read)
          return fault(read.takeError());
        features = codeFeaturesOf(*read);
      }
      const std::string json = pipeline.json;
      auto capture = replay::captureOf(std::move(pipeline));
      fault(capture ? addCapture(**capture, json, file, *features) : capture.takeError());
    });
  }

  Error addJson(const std::string &file) {
    std::string text = KILN_TRY(readText(file, maxTextBytes));
    // Vulkan SC's is not always JSON to the letter.
    if (StringRef(text).contains("\"GraphicsPipelineState\"") ||
        StringRef(text).contains("\"ComputePipelineState\""))
      return addSc(file, text);
    auto capture = KILN_TRY(replay::Capture::load(file));
    std::vector<std::string> features = KILN_TRY(featuresBeside(*capture));
    return addCapture(*capture, text, "", features);
  }

  static std::vector<std::string> codeFeaturesOf(ArrayRef<std::string> names) {
    std::vector<std::string> result;
    for (const char *feature : replay::codeFeatures())
      if (llvm::is_contained(names, StringRef(feature)))
        result.push_back(feature);
    return result;
  }

  /// Captures of one program lie in one folder, and come one after another.
  Expected<std::vector<std::string>> featuresBeside(const replay::Capture &capture) {
    const std::string folder = path::parent_path(capture.name).str();
    if (folder != featureFolder) {
      std::vector<std::string> names = KILN_TRY(replay::loadFeatures(capture));
      folderFeatures = codeFeaturesOf(names);
      featureFolder = folder;
    }
    return folderFeatures;
  }

  Error addCapture(const replay::Capture &capture, const std::string &json, StringRef database,
                   ArrayRef<std::string> features) {
    if (!capture.libraries.empty() || isLibrary(capture))
      return lgc::unsupported(capture.name + ": pipeline libraries");
    std::vector<Name> modules;
    uint64_t cost = costOfItem;
    for (const std::string &hash : capture.modules) {
      Module module = KILN_TRY(moduleOf(capture, hash, database));
      modules.push_back(module.name);
      cost += module.bytes;
    }
    Item item;
    item.kind = ItemKind::Capture;
    item.features = features.vec();
    item.writesNames = !capture.source;
    item.pipeline = KILN_TRY(canonicalPipeline(capture, json, modules));
    addItem(item, cost, capture.name);
    return Error::success();
  }

  static bool isLibrary(const replay::Capture &capture) {
    if (capture.rays.flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR)
      return true;
    auto *next = static_cast<const VkBaseInStructure *>(capture.chain());
    for (; next; next = next->pNext) {
      if (next->sType == VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT)
        return true;
      if (next->sType == VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO &&
          reinterpret_cast<const VkPipelineCreateFlags2CreateInfo *>(next)->flags &
              VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR)
        return true;
    }
    return false;
  }

  struct Module {
    Name name = {};
    uint64_t bytes = 0;
  };

  Expected<Module> moduleOf(const replay::Capture &capture, const std::string &hash,
                            StringRef database) {
    const StringRef place =
        database.empty() ? path::parent_path(path::parent_path(capture.name)) : database;
    const std::string where = (place + "\n" + hash).str();
    if (auto found = known.find(where); found != known.end())
      return found->second;
    std::vector<uint32_t> words = KILN_TRY(replay::loadModule(capture, hash));
    const Module module = {pack->addModule(bytesOf(words)), words.size() * 4};
    if (known.size() >= mostKnown)
      known.clear();
    known.emplace(where, module);
    return module;
  }

  /// Who wrote an input has no say in what else is read.
  static Expected<std::string> besideFile(const std::string &file, StringRef name) {
    SmallString<128> place(name);
    path::remove_dots(place, /*remove_dot_dot=*/true);
    if (place.empty() || path::is_absolute(place) || *path::begin(place) == "..")
      return lgc::invalidInput(file + ": " + name + " is not in its folder");
    SmallString<256> found(path::parent_path(file));
    path::append(found, place);
    return found.str().str();
  }

  /// Reads a module beside \p file into the pack and \p item.
  Expected<Words> loadBeside(const std::string &file, StringRef name, Item &item, uint64_t &cost) {
    std::string place = KILN_TRY(besideFile(file, name));
    std::string bytes = KILN_TRY(readText(place, maxModuleBytes));
    auto words = std::make_shared<std::vector<uint32_t>>(bytes.size() / 4);
    if (bytes.size() % 4)
      return lgc::invalidInput(place + ": no SPIR-V module");
    if (!bytes.empty())
      std::memcpy(words->data(), bytes.data(), bytes.size());
    item.files[name.str()] = pack->addModule(bytesOf(*words));
    cost += bytes.size();
    return words;
  }

  Error addSc(const std::string &file, const std::string &text) {
    if (!options.readSc)
      return lgc::unsupported(file + ": pipelines of Vulkan SC, in this build");
    Item item;
    item.kind = ItemKind::Sc;
    uint64_t cost = costOfItem;
    KILN_TRY(options.readSc(file, text,
                            [&](StringRef name) { return loadBeside(file, name, item, cost); }));
    item.text = pack->addModule(farm::bytesOf(text));
    addItem(item, cost, file);
    return Error::success();
  }

  Error addPipe(const std::string &file) {
    std::string text = KILN_TRY(readText(file, maxTextBytes));
    std::vector<std::string> warnings;
    llpc::PipeFile pipe = KILN_TRY(llpc::readPipeFile(text, file, warnings));
    Item item;
    item.kind = ItemKind::Pipe;
    uint64_t cost = costOfItem;
    for (const llpc::PipeShader &shader : pipe.shaders) {
      if (shader.source != llpc::PipeSource::SpvFile)
        return lgc::unsupported(file + ": shaders that are text; those in files of SPIR-V, as "
                                       "KILN_DUMP_DIR writes them, are supported");
      KILN_TRY(loadBeside(file, StringRef(shader.text).trim(), item, cost));
    }
    if (!pipe.hasMapping)
      return lgc::unsupported(file + ": no resource mapping");
    item.text = pack->addModule(farm::bytesOf(text));
    addItem(item, cost, file);
    return Error::success();
  }

  void addItem(const Item &item, uint64_t cost, StringRef input) {
    Name name;
    const auto units = static_cast<uint32_t>(std::min<uint64_t>(cost, UINT32_MAX));
    pack->addItem(item.body(), units, name);
    std::string shown = input.str(); // a line each
    std::replace(shown.begin(), shown.end(), '\n', ' ');
    *wanted << toText(name) << '\t' << shown << '\n';
    ++planned.inputs;
    if (options.progress)
      options.progress(planned.inputs);
  }

  const PlanOptions &options;
  Planned planned;
  std::unique_ptr<PackWriter> pack;
  std::unique_ptr<llvm::raw_fd_ostream> wanted;
  std::unordered_map<std::string, Module> known; ///< by folder or database, and hash
  std::string featureFolder;
  std::vector<std::string> folderFeatures;
};

} // namespace

Expected<Planned> makePlan(const PlanOptions &options) { return Planner(options).run(); }

} // namespace farm
