//===- Main.cpp - kiln-pcc ------------------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The pipeline cache compiler for Vulkan SC; docs/vulkansc.md.
#include "Batch.h"
#include "CacheCommands.h"
#include "CacheWriter.h"
#include "Manifest.h"
#include "OutputFile.h"
#include "Report.h"
#include "icd_glue/device/DeviceIds.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <csignal>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace pcc;

namespace {

/// Messages go here.
class Log {
public:
  Error open(const std::string &path) {
    std::error_code code;
    if (!path.empty()) {
      auto opened = std::make_unique<raw_fd_ostream>(path, code);
      if (code) {
        opened->clear_error(); // or else its destructor would end the process
        return lgc::invalidInput(path + ": " + code.message());
      }
      file = std::move(opened);
    }
    return Error::success();
  }
  /// Like close(), but the file stays open when there are no errors.
  Error flush() {
    if (!file)
      return Error::success();
    file->flush();
    return file->has_error() ? close() : Error::success();
  }
  /// Errors: not all of it could be written. Messages go to standard error then.
  Error close() {
    if (!file)
      return Error::success();
    file->close();
    const std::error_code code = file->error();
    file->clear_error();
    file.reset();
    return code ? lgc::invalidInput("log: " + code.message()) : Error::success();
  }
  raw_ostream &out() { return file ? *file : errs(); }

private:
  std::unique_ptr<raw_fd_ostream> file;
};

Expected<std::string> targetNamed(StringRef name) {
  const pal::abi::GpuTarget *target = pal::abi::findTarget(name);
  if (target)
    return target->name.str();
  return lgc::invalidInput("unknown chip " + name + "; --list-architectures names all");
}

Expected<std::vector<std::string>> targetsOf(const Options &options) {
  if (!options.device.empty()) {
    uint32_t id = 0;
    if (!to_integer(options.device, id, 0))
      return lgc::invalidInput("--device: no number: " + options.device);
    StringRef target = icd::targetOfDevice(id);
    if (target.empty())
      return lgc::invalidInput("--device: no device of the id " + options.device);
    return std::vector<std::string>{target.str()};
  }
  std::vector<std::string> targets;
  for (const std::string &chip : options.chips) {
    Expected<std::string> target = targetNamed(chip);
    if (!target)
      return target.takeError();
    if (!is_contained(targets, *target))
      targets.push_back(*target);
  }
  if (targets.empty())
    targets.push_back("gfx1100");
  return targets;
}

/// FILE, or with the target in front of its suffix.
std::string outputFor(const std::string &path, StringRef target, bool isOneOfMany) {
  if (!isOneOfMany)
    return path;
  const StringRef suffix = sys::path::extension(path);
  return (StringRef(path).drop_back(suffix.size()) + "." + target + suffix).str();
}

std::string escapeForMake(StringRef path) {
  std::string text;
  for (char c : path) {
    if (c == ' ' || c == '#')
      text += '\\';
    if (c == '$')
      text += '$';
    text += c;
  }
  return text;
}

class Run {
public:
  Run(const Options &options, Log &log) : options(options), log(log) {}

  /// Success only when all caches were written.
  Error run() {
    Expected<std::vector<std::string>> targets = targetsOf(options);
    if (!targets)
      return targets.takeError();
    for (const std::string &target : *targets)
      if (Error error = compile(target, targets->size() > 1))
        return error;
    if (hasErrors)
      return lgc::invalidInput("there were errors, nothing was written");
    if (!options.depfile.empty())
      texts.push_back({options.depfile, dependencies()});
    return write();
  }

private:
  struct Output {
    std::string path;
    std::vector<uint8_t> bytes;
  };
  struct Text {
    std::string path, text;
  };

  Error compile(const std::string &target, bool isOneOfMany) {
    const std::string path = outputFor(options.out, target, isOneOfMany);
    BatchOptions batch;
    batch.folder = options.path;
    batch.prefix = options.prefix;
    batch.target = target;
    batch.jobs = options.jobs ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
    batch.debug = options.debug;
    std::unique_ptr<MemoryBuffer> oldFile;
    std::optional<icd::sc::CacheView> old = openOld(path, oldFile);
    batch.old = old ? &*old : nullptr;
    auto progress = [&](size_t done, size_t all) { showProgress(target, done, all); };
    if (!options.quiet && isatty(STDERR_FILENO))
      batch.progress = progress;
    Expected<BatchResult> result = compileFolder(batch);
    if (!result)
      return result.takeError();
    for (const Message &message : result->messages)
      print(log.out(), message, options.diagnostics);
    hasErrors |= result->hasErrors;
    inputs = std::move(result->inputs);
    return result->hasErrors ? Error::success() : finish(*result, target, path, isOneOfMany);
  }

  /// What cannot be used is no error: everything is compiled then.
  std::optional<icd::sc::CacheView> openOld(const std::string &path,
                                            std::unique_ptr<MemoryBuffer> &file) const {
    if (!options.incremental)
      return std::nullopt;
    // Not mapped: somebody may write it meanwhile.
    auto opened = MemoryBuffer::getFile(path, false, false, /*IsVolatile=*/true);
    if (!opened)
      return std::nullopt;
    file = std::move(*opened);
    auto view = icd::sc::CacheView::create(arrayRefFromStringRef(file->getBuffer()));
    if (view)
      return std::move(*view);
    print(log.out(), {false, "", path, toString(view.takeError()) + "; all is compiled"},
          options.diagnostics);
    return std::nullopt;
  }

  void showProgress(StringRef target, size_t done, size_t all) const {
    constexpr unsigned width = 40;
    const size_t filled = done * width / all;
    errs() << '\r' << target << " [" << std::string(filled, '=') << std::string(width - filled, ' ')
           << "] " << done << "/" << all << (done == all ? "\n" : "");
  }

  Error finish(const BatchResult &result, const std::string &target, const std::string &path,
               bool isOneOfMany) {
    std::vector<icd::sc::Entry> entries;
    std::vector<std::string> names;
    size_t reused = 0;
    for (const CompiledPipeline &pipeline : result.pipelines) {
      entries.push_back(pipeline.entry());
      names.push_back(pipeline.file);
      reused += pipeline.isReused;
    }
    caches.push_back({path, writeCache(result.header, entries)});
    if (!options.quiet)
      log.out() << formatv("kiln-pcc: {0}: {1} pipelines for {2}, {3} unchanged, {4} bytes\n", path,
                           entries.size(), target, reused, caches.back().bytes.size());
    if (options.report.empty())
      return Error::success();
    const std::string report = outputFor(options.report, target, isOneOfMany);
    texts.push_back({report, StringRef(report).ends_with(".html")
                                 ? reportAsHtml(target, entries, names)
                                 : reportAsJson(target, entries, names)});
    return Error::success();
  }

  /// No file is replaced unless all of all targets could be written.
  Error write() {
    std::vector<OutputFile> files;
    auto add = [&](const std::string &path, ArrayRef<uint8_t> bytes) -> Error {
      Expected<OutputFile> file = OutputFile::create(path, bytes);
      if (!file)
        return file.takeError();
      files.push_back(std::move(*file));
      return Error::success();
    };
    for (const Text &text : texts)
      if (Error error = add(text.path, arrayRefFromStringRef(text.text)))
        return error;
    for (const Output &cache : caches)
      if (Error error = add(cache.path, cache.bytes))
        return error;
    if (Error error = log.flush())
      return error;
    for (OutputFile &file : files)
      if (Error error = file.keep())
        return error;
    return Error::success();
  }

  std::string dependencies() const {
    std::string text;
    for (const Output &cache : caches)
      text += escapeForMake(cache.path) + " ";
    text += ":";
    for (const std::string &input : inputs)
      text += " \\\n  " + escapeForMake(input);
    return text + "\n";
  }

  const Options &options;
  Log &log;
  std::vector<Output> caches;
  std::vector<Text> texts; ///< reports and dependencies
  std::vector<std::string> inputs;
  bool hasErrors = false;
};

int report(Log &log, Error error, Diagnostics format) {
  if (!error)
    return 0;
  print(log.out(), {true, "", "", lgc::consumeToText(std::move(error)).message}, format);
  return 1;
}

} // namespace

int main(int count, char **arguments) {
  std::signal(SIGXFSZ, SIG_IGN); // files that become too large are errors, of write
  const ArrayRef<const char *> all(arguments + 1, static_cast<size_t>(count - 1));
  if (!all.empty() && isCacheCommand(all[0]))
    return runCacheCommand(all[0], all.drop_front());
  Log log;
  Expected<Options> options = parseOptions(all);
  if (!options)
    return report(log, options.takeError(), Diagnostics::Text);
  if (options->help) {
    outs() << usage;
    return 0;
  }
  if (options->listArchitectures) {
    for (const pal::abi::GpuTarget &target : pal::abi::allTargets())
      outs() << target.name << '\n';
    return 0;
  }
  if (!options->manifest.empty()) {
    outs() << manifestOf(options->manifest);
    return 0;
  }
  if (Error error = log.open(options->log))
    return report(log, std::move(error), options->diagnostics);
  const int code = report(log, Run(*options, log).run(), options->diagnostics);
  return std::max(code, report(log, log.close(), options->diagnostics));
}
