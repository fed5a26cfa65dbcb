//===- Scripts.cpp - runs test files on a device --------------------------===//
// SPDX-License-Identifier: MIT
#include "Picture.h"
#include "Recorded.h"
#include "References.h"
#include "Runners.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace exec {

namespace {

class ScriptRunner {
public:
  /// \p recorded: may be null.
  ScriptRunner(Session &session, Report &report, const RunOptions &options, Recorded *recorded)
      : session(session), report(report), options(options), references(options.referenceFolder),
        recorded(recorded) {}

  void run(const Script &script) {
    if (isControl()) {
      references.removeAbsence(script.path);
      references.noteRunning(script.path);
    }
    if (std::string reason = whyNot(script); !reason.empty())
      return skip(script.path, reason);
    for (const std::string &feature : script.features)
      if (isSpecialFeature(feature))
        special.push_back(feature);
    if (!script.sections.empty() && !script.tracesRays) {
      Expected<Device *> device = session.device(special);
      if (!device)
        return fail(script.path, llvm::toString(device.takeError()));
      if (!(*device)->canDraw())
        return skip(script.path, "no queue that draws");
    }
    std::vector<uint32_t> sizes = script.subgroupSizes;
    if (sizes.empty())
      sizes.push_back(0);
    const VkPhysicalDeviceSubgroupSizeControlProperties &control = session.physical().subgroupSizes;
    for (uint32_t size : sizes) {
      if (size && (size < control.minSubgroupSize || size > control.maxSubgroupSize)) {
        report.skip(script.path, "no subgroup size " + Twine(size));
        continue;
      }
      for (const auto &variant : variantsOf(script))
        runCase(script, variant, size);
    }
  }

private:
  bool isControl() const { return session.physical().isCpuReference(); }

  /// Why the file cannot be run here, or empty.
  std::string whyNot(const Script &script) {
    std::vector<std::string> names = {session.name()};
    if (session.physical().isKiln())
      names.push_back("kiln");
    if (options.validation)
      names.push_back("validation");
    for (const std::string &name : names)
      if (auto found = script.skips.find(name); found != script.skips.end())
        return found->second;
    return session.missing(script.features, script.extensions);
  }

  // What the control does not judge, nobody can compare with.
  void skip(StringRef name, const Twine &reason) {
    if (isControl())
      references.writeAbsence(name, reason);
    report.skip(name, reason);
  }
  void fail(StringRef name, const Twine &message) {
    if (isControl())
      references.writeAbsence(name, message);
    report.fail(name, message);
  }

  void runCase(const Script &script, const std::map<std::string, std::string> &variant,
               uint32_t size) {
    Expected<Case> test = buildCase(script, variant, size, size ? size : session.subgroupSize());
    if (!test)
      return fail(script.path, llvm::toString(test.takeError()));
    if (isControl())
      references.writeAbsence(test->name, "lavapipe ended in the middle of it");
    if (test->job.rays)
      test->job.rays->captureFolder = options.captures;
    Expected<JobResult> result = session.run(test->job, special);
    if (!result)
      return fail(test->name, llvm::toString(result.takeError()));
    unsigned judged = 0;
    std::string absence;
    std::vector<Bytes> parts;
    for (auto [index, expected] : llvm::enumerate(test->expectations)) {
      if (std::string why = missingReference(script, *test, expected); !why.empty()) {
        absence = why;
        report.leaveOut(test->name + ", " + expected.resourceName, why);
        continue;
      }
      ++judged;
      const Bytes &actual =
          expected.isImage ? result->images[expected.resource] : result->buffers[expected.resource];
      std::string difference = judge(*test, index, expected, actual);
      if (!difference.empty()) {
        if (recorded && options.record)
          recorded->addDifference(*test, expected.resourceName + ": " + difference);
        return fail(test->name, expected.resourceName + ": " + difference +
                                    picture(*test, index, expected, actual));
      }
      const size_t size =
          expected.sameAsReference ? actual.size() - expected.offset : expected.values.size();
      parts.emplace_back(actual.begin() + expected.offset, actual.begin() + expected.offset + size);
    }
    if (recorded && options.record)
      recorded->add(*test, parts);
    else if (std::string difference = recorded ? recorded->compare(*test, parts) : "";
             !difference.empty())
      return fail(test->name, difference);
    if (judged == 0)
      return report.skip(test->name, "nothing to compare with: " + absence);
    if (isControl())
      references.removeAbsence(test->name);
    report.pass(test->name);
  }

  /// Why the control has no result to compare with, as it said itself; empty if it said nothing.
  std::string missingReference(const Script &script, const Case &test,
                               const Expectation &expected) {
    // A file that says itself that the control cannot run it has nothing to compare with anywhere.
    if (!expected.sameAsReference || isControl() || script.skips.count("lavapipe"))
      return "";
    std::string why = references.absence(test.name);
    return why.empty() ? references.absence(script.path) : why;
  }

  /// Where the picture of a failed image is, if someone said where to put pictures.
  std::string picture(const Case &test, size_t index, const Expectation &expected,
                      const Bytes &actual) {
    if (!expected.isImage || options.output.empty())
      return "";
    Bytes wanted(expected.offset);
    wanted.insert(wanted.end(), expected.values.begin(), expected.values.end());
    if (expected.sameAsReference) {
      Expected<Bytes> reference = references.read(test, index);
      if (!reference) {
        llvm::consumeError(reference.takeError()); // judge() has said so
        return "";
      }
      wanted = std::move(*reference);
    }
    std::string path =
        (options.output + "/" + References::fileName(test, index) + "." + session.name() + ".png");
    if (Error error = writeComparison(path, test.job.images[expected.resource], expected.type,
                                      actual, wanted))
      return " (" + llvm::toString(std::move(error)) + ")";
    return " (ours, theirs, difference: " + path + ")";
  }

  std::string judge(const Case &test, size_t index, const Expectation &expected,
                    const Bytes &actual) {
    if (!expected.sameAsReference)
      return compareBytes(expected.type, actual, expected.values, expected.tolerance,
                          expected.offset);
    if (isControl()) {
      Error error = references.write(test, index, actual);
      return error ? llvm::toString(std::move(error)) : "";
    }
    Expected<Bytes> reference = references.read(test, index);
    if (!reference)
      return llvm::toString(reference.takeError());
    return compareBytes(expected.type, actual, *reference, expected.tolerance);
  }

  Session &session;
  Report &report;
  const RunOptions &options;
  References references;
  Recorded *recorded;
  std::vector<std::string> special;
};

} // namespace

std::vector<std::string> findFiles(llvm::ArrayRef<std::string> paths,
                                   llvm::ArrayRef<StringRef> suffixes) {
  std::vector<std::string> files;
  for (const std::string &path : paths) {
    if (!llvm::sys::fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    std::error_code code;
    for (llvm::sys::fs::recursive_directory_iterator it(path, code), end; it != end && !code;
         it.increment(code))
      if (llvm::any_of(suffixes, [&](StringRef s) { return StringRef(it->path()).ends_with(s); }))
        files.push_back(it->path());
  }
  llvm::sort(files);
  return files;
}

static void runFiles(Session &session, Report &report, const RunOptions &options,
                     Recorded *recorded) {
  const std::vector<std::string> files =
      findFiles(options.inputs, {".comp", ".spvasm", ".draw", ".rays"});
  report.begin(files.size(), options.quiet);
  for (const std::string &path : files) {
    if (!report.goesOn())
      break;
    if (path.find(options.filter) == std::string::npos)
      continue;
    Expected<Script> script = loadScript(path, options.modules);
    if (!script) {
      report.fail(path, llvm::toString(script.takeError()));
      continue;
    }
    ScriptRunner(session, report, options, recorded).run(*script);
  }
  if (session.physical().isCpuReference())
    References(options.referenceFolder).noteRunning("");
}

void runScripts(Session &session, Report &report, const RunOptions &options) {
  if (options.recorded.empty())
    return runFiles(session, report, options, nullptr);
  Expected<Recorded> recorded =
      options.record ? Recorded::begin(session.physical()) : Recorded::load(options.recorded);
  if (!recorded)
    return report.fail(options.recorded, llvm::toString(recorded.takeError()));
  runFiles(session, report, options, &*recorded);
  if (options.record) {
    if (Error error = recorded->write(options.recorded))
      report.fail(options.recorded, llvm::toString(std::move(error)));
    return;
  }
  for (const std::string &name : recorded->unseen())
    report.fail(options.recorded, name + " is recorded, and has not run");
}

} // namespace exec
