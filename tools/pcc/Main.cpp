//===- Main.cpp - kiln-pcc ------------------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The pipeline cache compiler for Vulkan SC; docs/vulkansc.md.
#include "Batch.h"
#include "CacheCommands.h"
#include "Depfile.h"
#include "FileClaims.h"
#include "FilePlace.h"
#include "Manifest.h"
#include "Messages.h"
#include "OutputFile.h"
#include "Report.h"
#include "icd_glue/context/DeviceIds.h"
#include "icd_glue/sc/CacheWriter.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/abi/Try.h"
#include "tools/cli/Arguments.h"
#include "tools/cli/Interrupt.h"
#include "tools/cli/Progress.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <csignal>
#include <fcntl.h>
#include <map>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace pcc;

namespace {

/// Messages go here. What was in the file stays until there is something to say: it may turn out to
/// be an input.
class Log {
public:
  Error open(const std::string &path) {
    if (path.empty())
      return Error::success();
    if (std::optional<int> descriptor = openDescriptor(path)) {
      // Not opened again, at its beginning, but written to where it is.
      file = std::make_unique<raw_fd_ostream>(*descriptor, /*shouldClose=*/false);
      isOurs = false;
      return Error::success();
    }
    if (std::error_code code = sys::fs::openFileForWrite(path, handle, sys::fs::CD_OpenAlways))
      return lgc::invalidInput(path + ": " + code.message());
    file = std::make_unique<raw_fd_ostream>(handle, /*shouldClose=*/true);
    return Error::success();
  }
  /// Leaves the file as it is; messages go to standard error.
  void abandon() { file.reset(); }
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
    out();
    if (isOurs)
      file->close();
    else
      file->flush();
    const std::error_code code = file->error();
    file->clear_error();
    file.reset();
    return code ? lgc::invalidInput("log: " + code.message()) : Error::success();
  }
  raw_ostream &out() {
    if (!file)
      return errs();
    if (isOurs && file->isRegularFile() && !isEmpty) {
      // What cannot be cut off is overwritten.
      (void)sys::fs::resize_file(handle, 0);
      isEmpty = true;
    }
    return *file;
  }

private:
  static std::optional<int> openDescriptor(const std::string &path) {
    if (path == "-")
      return STDOUT_FILENO;
    Expected<FilePlace> place = findPlace(path);
    if (place)
      return place->descriptor;
    consumeError(place.takeError()); // opening it says why
    return std::nullopt;
  }

  std::unique_ptr<raw_fd_ostream> file;
  int handle = -1; ///< of the file, where isOurs
  bool isOurs = true;
  bool isEmpty = false;
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
    std::string target = KILN_TRY(targetNamed(chip));
    if (!is_contained(targets, target))
      targets.push_back(target);
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

class Run {
public:
  Run(const Options &options, Log &log) : options(options), log(log) {}

  /// Before anything is written, also to the log. Errors: a file would have two meanings.
  Error claimFiles() {
    Expected<std::vector<std::string>> targets = targetsOf(options);
    if (!targets) {
      consumeError(targets.takeError()); // run() says it
      return Error::success();
    }
    Error errors = Error::success();
    auto claim = [&](const std::string &path, StringRef option) {
      if (path.empty())
        return;
      errors = joinErrors(std::move(errors), claims.write(path, option));
      if (looksLikeInput(path) || looksLikeInput(resolved(path)))
        errors = joinErrors(std::move(errors),
                            lgc::invalidInput(option + " " + path + ": it would be a pipeline of " +
                                              options.path + " in the next run"));
    };
    errors = joinErrors(std::move(errors), checkOutputs(targets->size() > 1));
    for (const std::string &target : *targets) {
      claim(outputFor(options.out, target, targets->size() > 1), "--out");
      claim(outputFor(options.report, target, targets->size() > 1), "--report");
    }
    claim(options.depfile, "--depfile");
    claim(options.log, "--log");
    Expected<std::vector<std::string>> found = findPipelines(options.path, options.prefix);
    if (!found) {
      consumeError(found.takeError());
      return errors;
    }
    for (const std::string &name : *found)
      errors = joinErrors(std::move(errors), claims.read(inFolder(options.path, name)));
    return errors;
  }

  /// Success only when all caches were written with all pipelines.
  Error run() {
    std::vector<std::string> targets = KILN_TRY(targetsOf(options));
    names = KILN_TRY(findPipelines(options.path, options.prefix));
    Error error = Error::success();
    for (const std::string &target : targets)
      if (!error)
        error = compile(target, targets.size() > 1);
    if (!hasCollision)
      printMessages(targets.size());
    if (error)
      return error;
    if (hasErrors && caches.empty())
      return lgc::invalidInput("there were errors, nothing was written");
    if (!options.depfile.empty()) {
      std::string text = KILN_TRY(dependencies());
      texts.push_back({options.depfile, std::move(text)});
    }
    if (error = write(); error || !hasErrors)
      return error;
    return lgc::invalidInput(Twine(mostMissing) + " of " + Twine(names.size()) +
                             " pipelines had errors, only the others were written");
  }

private:
  /// Errors: an output that has no kind, or that is no file where several are wanted.
  Error checkOutputs(bool isOneOfMany) const {
    Error errors = Error::success();
    auto add = [&](StringRef option, const std::string &path, StringRef message) {
      errors = joinErrors(std::move(errors), lgc::invalidInput(option + " " + path + message));
    };
    const std::string &report = options.report;
    if (!report.empty() && !StringRef(report).ends_with(".json") &&
        !StringRef(report).ends_with(".html") && !isStream(report))
      add("--report", report, ": neither .json nor .html");
    for (auto [option, path] :
         {std::pair("--out", &options.out), std::pair("--report", &options.report)})
      if (isOneOfMany && isStream(*path))
        add(option, *path, ": several chips want a file each");
    return errors;
  }
  /// A pipe, a device, or what is open already.
  static bool isStream(const std::string &path) {
    sys::fs::file_status status;
    return path == "-" || (!sys::fs::status(path, status) && !OutputFile::isReplaced(path) &&
                           !sys::fs::is_directory(status));
  }

  bool looksLikeInput(StringRef path) const {
    const StringRef name = sys::path::filename(path);
    return name.ends_with(".json") && name.starts_with(options.prefix) && isInFolder(path);
  }
  bool isInFolder(StringRef path) const {
    const StringRef folder = sys::path::parent_path(path);
    return path != "-" && sys::fs::equivalent(folder.empty() ? "." : folder, options.path);
  }

  static std::string resolved(StringRef path) {
    Expected<FilePlace> place = findPlace(path);
    if (place)
      return place->path;
    consumeError(place.takeError()); // claims.write() says it
    return path.str();
  }

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
    batch.target = target;
    batch.names = names;
    batch.jobs = options.jobs ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
    batch.debug = options.debug;
    std::unique_ptr<MemoryBuffer> oldFile;
    std::vector<Message> warnings;
    std::optional<icd::sc::CacheView> old = openOld(path, oldFile, warnings);
    batch.old = old ? &*old : nullptr;
    const bool isQuiet = options.quiet || options.diagnostics == Diagnostics::Json;
    cli::Progress progress("kiln-pcc", ("pipelines for " + target), names.size(), isQuiet);
    auto showStep = [&] { progress.step(); };
    batch.progress = showStep;
    auto goesOn = [] { return !cli::isInterrupted(); };
    batch.goesOn = goesOn;
    BatchResult result = KILN_TRY(compileFolder(batch));
    progress.clear();
    for (const std::string &input : result.inputs)
      if (Error error = claims.read(input)) {
        hasCollision = true;
        log.abandon();
        return error;
      }
    for (const Message &message : concat<const Message>(warnings, result.messages))
      addMessage(message, target);
    hasErrors |= result.hasErrors;
    inputs = std::move(result.inputs);
    mostMissing = std::max(mostMissing, names.size() - result.pipelines.size());
    // Less than there was is no replacement; where there was nothing, --incremental goes on.
    if (cli::isInterrupted() && result.hasErrors && sys::fs::exists(path))
      return lgc::invalidInput(path + ": left as it was");
    // What there is of others is not replaced by nothing.
    if (result.hasErrors && result.pipelines.empty())
      return Error::success();
    return finish(result, target, path, isOneOfMany);
  }

  /// What several targets say is said once.
  void addMessage(const Message &message, const std::string &target) {
    Said &said = saidByText[message.place.text() + '\0' + message.text];
    if (said.targets.empty()) {
      said.message = message;
      order.push_back(&said);
    }
    if (!is_contained(said.targets, target))
      said.targets.push_back(target);
  }

  void printMessages(size_t targetCount) {
    for (const Said *said : order) {
      Message message = said->message;
      if (said->targets.size() < targetCount)
        message.text += " (" + join(said->targets, ", ") + ")";
      print(log.out(), message, options.diagnostics);
    }
  }

  /// What cannot be used is no error: everything is compiled then.
  std::optional<icd::sc::CacheView> openOld(const std::string &path,
                                            std::unique_ptr<MemoryBuffer> &file,
                                            std::vector<Message> &warnings) const {
    if (!options.incremental)
      return std::nullopt;
    if (!sys::fs::exists(path))
      return std::nullopt;
    auto complain = [&](Error error) {
      warnings.push_back({false,
                          "",
                          {path, 0, 0, ""},
                          lgc::consumeToText(std::move(error)).message + "; all is compiled"});
      return std::nullopt;
    };
    auto opened = readFile(path, maxCacheBytes);
    if (!opened)
      return complain(opened.takeError());
    file = std::move(*opened);
    auto view = icd::sc::CacheView::create(arrayRefFromStringRef(file->getBuffer()));
    if (!view)
      return complain(view.takeError());
    return std::move(*view);
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
    caches.push_back({path, icd::sc::writeCache(result.header, entries)});
    summaries.push_back({path, target, entries.size(), reused, caches.back().bytes.size()});
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
      OutputFile file = KILN_TRY(OutputFile::create(path, bytes));
      files.push_back(std::move(file));
      return Error::success();
    };
    for (bool isReplaced : {true, false}) { // a pipe takes nothing back
      for (const Text &text : texts)
        if (OutputFile::isReplaced(text.path) == isReplaced)
          if (Error error = add(text.path, arrayRefFromStringRef(text.text)))
            return takeBackAll(files, std::move(error));
      for (const Output &cache : caches)
        if (OutputFile::isReplaced(cache.path) == isReplaced)
          if (Error error = add(cache.path, cache.bytes))
            return takeBackAll(files, std::move(error));
    }
    if (!options.quiet)
      for (const Summary &summary : summaries)
        print(log.out(), summary, options.diagnostics);
    if (Error error = log.flush())
      return takeBackAll(files, std::move(error));
    return keepAll(files);
  }

  Expected<std::string> dependencies() const {
    std::vector<std::string> outputs, read = inputs;
    for (const Output &cache : caches)
      outputs.push_back(cache.path);
    // It is newer when a pipeline has come or gone; but also when a file of ours has come.
    if (!writesIntoFolder())
      read.insert(read.begin(), options.path);
    return dependenciesOf(outputs, read);
  }

  bool writesIntoFolder() const {
    SmallVector<StringRef> paths = {options.depfile, options.log};
    for (const Output &cache : caches)
      paths.push_back(cache.path);
    for (const Text &text : texts) // reports
      paths.push_back(text.path);
    return any_of(paths, [&](StringRef path) {
      const std::string place = resolved(path);
      return !path.empty() && isInFolder(place);
    });
  }

  struct Said {
    Message message;
    std::vector<std::string> targets;
  };

  const Options &options;
  Log &log;
  std::map<std::string, Said> saidByText;
  std::vector<const Said *> order; ///< of saidByText, as it was said
  std::vector<Summary> summaries;
  std::vector<Output> caches;
  std::vector<Text> texts; ///< reports and dependencies
  std::vector<std::string> names, inputs;
  FileClaims claims;
  size_t mostMissing = 0; ///< pipelines, in any of the caches
  bool hasErrors = false, hasCollision = false;
};

/// No file that is opened later takes the place of a standard stream, or messages would go into it.
/// What is written to a closed standard output is an error, to standard error nothing.
bool reserveStandardStreams() {
  constexpr std::pair<int, int> modes[] = {
      {STDIN_FILENO, O_RDONLY}, {STDOUT_FILENO, O_RDONLY}, {STDERR_FILENO, O_WRONLY}};
  return all_of(modes, [](const auto &row) {
    const auto [stream, mode] = row;
    return fcntl(stream, F_GETFD) >= 0 || open("/dev/null", mode) == stream;
  });
}

/// What is lost of standard output is an error; LLVM's streams would end the program for it.
int finish(int code) {
  outs().flush();
  if (std::error_code lost = outs().error()) {
    outs().clear_error();
    code = printErrors(errs(), lgc::invalidInput("standard output: " + lost.message()),
                       Diagnostics::Text);
  }
  errs().clear_error(); // nobody is left to tell
  return code;
}

int report(Log &log, Error errors, Diagnostics format) {
  return errors ? printErrors(log.out(), std::move(errors), format) : 0;
}

} // namespace

static int runAll(ArrayRef<const char *> all) {
  if (!all.empty() && isCacheCommand(all[0]))
    return runCacheCommand(all[0], all.drop_front());
  Log log;
  Options options;
  if (Error errors = parseOptions(all, options))
    return report(log, std::move(errors), options.diagnostics);
  if (options.help) {
    outs() << usage;
    return 0;
  }
  if (options.listArchitectures) {
    for (const pal::abi::GpuTarget &target : pal::abi::allTargets())
      outs() << target.name << '\n';
    return 0;
  }
  if (!options.manifest.empty()) {
    outs() << manifestOf(options.manifest);
    return 0;
  }
  Run run(options, log);
  if (Error errors = run.claimFiles())
    return report(log, std::move(errors), options.diagnostics);
  if (Error error = log.open(options.log))
    return report(log, std::move(error), options.diagnostics);
  const int code = report(log, run.run(), options.diagnostics);
  return std::max(code, report(log, log.close(), options.diagnostics));
}

int main(int count, char **arguments) {
  if (!reserveStandardStreams())
    return 1;
  std::signal(SIGXFSZ, SIG_IGN); // files that become too large are errors, of write
  std::signal(SIGPIPE, SIG_IGN); // and so are pipes that nobody reads
  if (cli::printVersion("kiln-pcc", cli::argumentsOf(count, arguments)))
    return finish(0);
  cli::catchInterrupts();
  const int code = runAll({arguments + 1, static_cast<size_t>(count - 1)});
  return finish(code && cli::isInterrupted() ? cli::interruptedExitCode : code);
}
