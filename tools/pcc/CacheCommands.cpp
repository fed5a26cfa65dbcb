//===- CacheCommands.cpp - kiln-pcc info|verify|merge|strip|extract -------===//
// SPDX-License-Identifier: MIT
#include "CacheCommands.h"
#include "InputHash.h"
#include "Messages.h"
#include "OutputFile.h"
#include "PipelineFile.h"
#include "Report.h"
#include "icd_glue/context/DeviceIds.h"
#include "icd_glue/sc/CacheWriter.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/abi/Verify.h"
#include "tools/cli/Arguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::formatv;
using llvm::outs;
using llvm::raw_ostream;
using llvm::StringRef;
using llvm::Twine;

namespace pcc {
namespace {

using icd::sc::CacheView;
using icd::sc::Entry;

constexpr uint32_t vendorOfAmd = 0x1002;

constexpr const char usageOfCommands[] =
    "usage: kiln-pcc info FILE               what is in a cache\n"
    "       kiln-pcc verify FILE...          reads all of it, and checks that everything fits\n"
    "       kiln-pcc merge -o OUT FILE...    pipelines of several caches for one device\n"
    "       kiln-pcc strip -o OUT FILE       without JSON and SPIR-V\n"
    "       kiln-pcc extract -o DIR FILE     ELF, JSON and SPIR-V of each pipeline, as files\n";

struct Arguments {
  std::string out;
  std::vector<std::string> files;
};

Expected<Arguments> parse(ArrayRef<const char *> arguments) {
  Arguments result;
  const cli::Option table[] = {{"o|out", &result.out}};
  KILN_TRY(cli::parse(arguments, table, &result.files));
  return result;
}

/// A cache and the file that it lies in.
struct CacheFile {
  std::string path;
  std::unique_ptr<llvm::MemoryBuffer> file;
  CacheView view;
  const pal::abi::GpuTarget *target = nullptr; ///< of the header and of all code

  ArrayRef<uint8_t> bytes() const { return llvm::arrayRefFromStringRef(file->getBuffer()); }
  Error error(const Twine &message) const { return lgc::invalidInput(path + ": " + message); }
  Error error(const Entry &entry, const Twine &message) const {
    return error(icd::sc::uuidText(entry.identifier) + ": " + message);
  }
};

/// Errors: ids that no target has, and code for another target.
Error findTarget(CacheFile &cache) {
  const icd::sc::Header &header = cache.view.header();
  const StringRef name = icd::targetOfDevice(header.deviceId);
  cache.target = name.empty() ? nullptr : pal::abi::findTarget(name);
  if (header.vendorId != vendorOfAmd || !cache.target)
    return cache.error("pipeline cache (byte 8): no target is device 0x" +
                       llvm::utohexstr(header.deviceId, true) + " of vendor 0x" +
                       llvm::utohexstr(header.vendorId, true));
  if (const icd::sc::Uuid wanted = icd::sc::cacheUuid(name); header.uuid != wanted)
    return cache.error("pipeline cache (byte 16): pipelineCacheUUID is " +
                       icd::sc::uuidText(header.uuid) + ", that of " + name + " is " +
                       icd::sc::uuidText(wanted));
  for (const Entry &entry : cache.view.entries()) {
    auto elf = pal::abi::ElfObject::parse(entry.elf);
    if (!elf)
      return cache.error(entry, lgc::consumeToText(elf.takeError()).message);
    const pal::abi::GpuTarget *of = pal::abi::findTargetByMach(elf->header().flags & 0xFF);
    if (of != cache.target)
      return cache.error(entry, "code for " + (of ? of->name : StringRef("no target")) +
                                    " in a pipeline cache for " + name);
  }
  return Error::success();
}

/// JSON that several entries share would be in memory, and in what is written, as often. Of modules
/// this is true of those that overlap without being the same.
Error checkDebugBytes(const CacheFile &cache) {
  uint64_t bytes = 0;
  std::set<std::pair<const uint8_t *, size_t>> modules;
  for (const Entry &entry : cache.view.entries()) {
    bytes += entry.json.size();
    for (ArrayRef<uint8_t> module : entry.modules)
      if (modules.emplace(module.data(), module.size()).second)
        bytes += module.size();
  }
  if (bytes > cache.bytes().size())
    return cache.error("pipeline cache: JSON and SPIR-V of pipelines overlap");
  icd::sc::DebugHasher hasher;
  for (const Entry &entry : cache.view.entries())
    if (entry.debugHash && entry.debugHash != hasher.hashOf(entry))
      return cache.error(entry, "pipeline cache: JSON or SPIR-V is damaged");
  return Error::success();
}

Expected<CacheFile> load(const std::string &path) {
  auto file = readFile(path, maxCacheBytes);
  if (!file)
    return lgc::invalidInput(path + ": " + lgc::consumeToText(file.takeError()).message);
  Expected<CacheView> view = CacheView::create(llvm::arrayRefFromStringRef((*file)->getBuffer()));
  if (!view)
    return lgc::invalidInput(path + ": " + lgc::consumeToText(view.takeError()).message);
  CacheFile cache{path, std::move(*file), std::move(*view)};
  KILN_TRY(checkDebugBytes(cache));
  KILN_TRY(findTarget(cache));
  return cache;
}

Error info(const Arguments &arguments, raw_ostream &out) {
  CacheFile cache = KILN_TRY(load(arguments.files[0]));
  const icd::sc::Header &header = cache.view.header();
  out << formatv("vendor {0:x}, device {1:x}, UUID {2}, format {3}, {4} pipelines for {5}\n",
                 header.vendorId, header.deviceId, icd::sc::uuidText(header.uuid),
                 header.implementationData, cache.view.entries().size(), cache.target->name);
  for (const PoolSize &size : poolSizesOf(cache.view.entries()))
    out << formatv("pool entries of {0} bytes: {1}\n", size.entryBytes, size.entryCount);
  for (const Entry &entry : cache.view.entries()) {
    out << formatv("{0}  memory {1}, ELF {2}, JSON {3}, modules {4}\n",
                   icd::sc::uuidText(entry.identifier), entry.memoryBytes, entry.elf.size(),
                   entry.json.size(), entry.modules.size());
    for (const StageReport &stage : stagesOf(entry))
      out << formatv("  {0,-28} {1,4} VGPRs {2,4} SGPRs {3,6} LDS {4,6} scratch {5,7} code "
                     "wave{6} {7,3} waves/SIMD\n",
                     stage.name, stage.vgprs, stage.sgprs, stage.ldsBytes, stage.scratchBytes,
                     stage.codeBytes, stage.waveSize, stage.wavesPerSimd);
  }
  return Error::success();
}

/// JSON and SPIR-V are those of the pipeline. \p proven is counted up where this build makes the
/// code of them; where it does not, another build may have, so that this is no error.
Error verifyDebug(const CacheFile &cache, const Entry &entry, size_t &proven) {
  if (entry.json.empty())
    return Error::success();
  size_t next = 0; // of the modules, which are in the order of pStages
  auto load = [&](StringRef) -> Expected<Words> {
    return next < entry.modules.size()
               ? wordsOf(llvm::toStringRef(entry.modules[next++]))
               : lgc::invalidInput("the pipeline cache has fewer modules than pStages");
  };
  Identity identity;
  Faults faults;
  const std::optional<PipelineFile> file =
      PipelineFile::read("JSON", entry.json.str(), load, identity, faults);
  Error errors = Error::success();
  auto add = [&](const Twine &message) {
    errors = llvm::joinErrors(std::move(errors), cache.error(entry, message));
  };
  for (const Message &message : faults.take())
    if (message.isError)
      add(message.place.text() + ": " + message.text);
  if (!file)
    return errors;
  if (file->identifier != entry.identifier)
    add("JSON: it is pipeline " + icd::sc::uuidText(file->identifier));
  if (next != entry.modules.size())
    add("the pipeline cache has more modules than pStages");
  VkShaderStageFlags stages = 0;
  for (const VkPipelineShaderStageCreateInfo &stage : file->capture->stages())
    stages |= stage.stage;
  if (stages != entry.stages)
    add("JSON: other stages than the code has");
  proven += inputsOf(*file, cache.target->name) == entry.inputs;
  return errors;
}

/// Whatever is in the file is what its pipelines need, where it belongs.
Error verifyBytes(const CacheFile &cache) {
  const std::vector<uint8_t> wanted =
      icd::sc::writeCache(cache.view.header(), cache.view.entries());
  const ArrayRef<uint8_t> found = cache.bytes();
  if (found == ArrayRef(wanted))
    return Error::success();
  const size_t place = static_cast<size_t>(
      std::mismatch(found.begin(), found.end(), wanted.begin(), wanted.end()).first -
      found.begin());
  if (place == wanted.size())
    return cache.error("pipeline cache (byte " + Twine(place) +
                       "): " + Twine(found.size() - place) + " bytes behind its end");
  return cache.error("pipeline cache (byte " + Twine(place) +
                     "): not what is written for these pipelines");
}

Error verify(const Arguments &arguments, raw_ostream &out) {
  Error errors = Error::success();
  for (const std::string &path : arguments.files) {
    Expected<CacheFile> cache = load(path);
    if (!cache) {
      errors = llvm::joinErrors(std::move(errors), cache.takeError());
      continue;
    }
    size_t described = 0, proven = 0, undamaged = 0;
    for (const Entry &entry : cache->view.entries()) {
      described += !entry.json.empty();
      undamaged += entry.debugHash != 0; // load() would have found damage
      for (const pal::abi::Violation &violation :
           pal::abi::verifyCodeObject(entry.elf, cache->target))
        errors = llvm::joinErrors(std::move(errors),
                                  cache->error(entry, violation.rule + ": " + violation.message));
      errors = llvm::joinErrors(std::move(errors), verifyDebug(*cache, entry, proven));
    }
    errors = llvm::joinErrors(std::move(errors), verifyBytes(*cache));
    out << formatv("{0}: {1} pipelines", path, cache->view.entries().size());
    if (described)
      out << formatv(
          ", {0} of them with the JSON and SPIR-V that were written, {1} with those that "
          "this build made their code of\n",
          undamaged, proven);
    else
      out << ", without JSON and SPIR-V\n";
  }
  return errors;
}

/// The same code; and the same JSON and SPIR-V, where both have them.
bool isSame(const Entry &one, const Entry &two) {
  const bool isSameDebug =
      one.json.empty() || two.json.empty() || (one.json == two.json && one.modules == two.modules);
  return one.memoryBytes == two.memoryBytes && one.stages == two.stages &&
         one.inputs == two.inputs && one.elf == two.elf && isSameDebug;
}

/// Which of two that are the same says more.
bool saysMore(const Entry &one, const Entry &two) {
  return std::pair(!one.json.empty(), one.debugHash) > std::pair(!two.json.empty(), two.debugHash);
}

/// In the order of identifiers: the order of the files does not matter.
Error merge(const Arguments &arguments, raw_ostream &) {
  std::vector<CacheFile> caches;
  struct Merged {
    Entry entry;
    std::string file;
  };
  std::map<icd::sc::Uuid, Merged> merged;
  for (const std::string &path : arguments.files) {
    CacheFile cache = KILN_TRY(load(path));
    const icd::sc::Header &header = cache.view.header();
    if (!caches.empty()) {
      const icd::sc::Header &first = caches[0].view.header();
      if (header.vendorId != first.vendorId || header.deviceId != first.deviceId ||
          header.uuid != first.uuid)
        return lgc::invalidInput(path + ": for another device than " + arguments.files[0]);
    }
    for (const Entry &entry : cache.view.entries()) {
      auto [at, isNew] = merged.try_emplace(entry.identifier, Merged{entry, path});
      Entry &known = at->second.entry;
      if (!isSame(entry, known))
        return lgc::invalidInput(path + ": pipeline " + icd::sc::uuidText(entry.identifier) +
                                 " is another one in " + at->second.file);
      if (saysMore(entry, known))
        known = entry;
    }
    caches.push_back(std::move(cache));
  }
  std::vector<Entry> entries;
  for (const auto &[identifier, each] : merged)
    entries.push_back(each.entry);
  return writeFile(arguments.out, icd::sc::writeCache(caches[0].view.header(), entries));
}

Error strip(const Arguments &arguments, raw_ostream &) {
  CacheFile cache = KILN_TRY(load(arguments.files[0]));
  std::vector<Entry> entries = cache.view.entries().vec();
  for (Entry &entry : entries) {
    entry.json = {};
    entry.modules.clear();
    entry.debugHash = 0;
  }
  return writeFile(arguments.out, icd::sc::writeCache(cache.view.header(), entries));
}

Error extract(const Arguments &arguments, raw_ostream &) {
  CacheFile cache = KILN_TRY(load(arguments.files[0]));
  if (std::error_code code = llvm::sys::fs::create_directories(arguments.out))
    return lgc::invalidInput(arguments.out + ": " + code.message());
  auto write = [&](const Entry &entry, const Twine &suffix, ArrayRef<uint8_t> bytes) {
    llvm::SmallString<256> path(arguments.out);
    llvm::sys::path::append(path, icd::sc::uuidText(entry.identifier) + suffix);
    return writeFile(path, bytes);
  };
  for (const Entry &entry : cache.view.entries()) {
    KILN_TRY(write(entry, ".elf", entry.elf));
    if (entry.json.empty())
      continue;
    KILN_TRY(write(entry, ".json", llvm::arrayRefFromStringRef(entry.json)));
    for (size_t i = 0; i < entry.modules.size(); ++i)
      KILN_TRY(write(entry, "." + Twine(i) + ".spv", entry.modules[i]));
  }
  return Error::success();
}

struct Command {
  StringRef name;
  Error (*run)(const Arguments &arguments, raw_ostream &out);
  bool wantsOut;
  bool takesSeveral;
};
constexpr Command commands[] = {
    {"info", info, false, false},  {"verify", verify, false, true},   {"merge", merge, true, true},
    {"strip", strip, true, false}, {"extract", extract, true, false},
};

Error run(const Command &command, ArrayRef<const char *> texts, raw_ostream &out) {
  Arguments arguments = KILN_TRY(parse(texts));
  if (arguments.files.empty() || (arguments.files.size() > 1 && !command.takesSeveral))
    return lgc::invalidInput(command.name +
                             (command.takesSeveral ? " wants files" : " wants one file"));
  if (arguments.out.empty() == command.wantsOut)
    return lgc::invalidInput(command.name + (command.wantsOut ? " wants -o" : " has no -o"));
  return command.run(arguments, out);
}

const Command *findCommand(StringRef name) {
  const Command *row = llvm::find_if(commands, [&](const Command &c) { return c.name == name; });
  return row == std::end(commands) ? nullptr : row;
}

} // namespace

bool isCacheCommand(StringRef name) { return findCommand(name); }

Error doCacheCommand(StringRef name, ArrayRef<const char *> arguments, raw_ostream &out) {
  return run(*findCommand(name), arguments, out);
}

int runCacheCommand(StringRef name, ArrayRef<const char *> arguments) {
  if (llvm::any_of(arguments, [](StringRef a) { return a == "--help" || a == "-h"; })) {
    outs() << usageOfCommands;
    return 0;
  }
  return printErrors(llvm::errs(), doCacheCommand(name, arguments, outs()), Diagnostics::Text);
}

} // namespace pcc
