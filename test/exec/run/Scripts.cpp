//===- Scripts.cpp - runs test files on a device --------------------------===//
// SPDX-License-Identifier: MIT
#include "Picture.h"
#include "Runners.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace exec {

namespace {

/// Files of lavapipe's results, one per case and expectation.
class References {
public:
  explicit References(std::string folder) : folder(std::move(folder)) {}

  Error write(const Case &test, size_t index, const Bytes &bytes) const {
    if (folder.empty())
      return Error::success();
    std::error_code code;
    llvm::raw_fd_ostream out(path(test, index), code);
    if (code)
      return failure(path(test, index) + ": " + code.message());
    out.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    return Error::success();
  }

  Expected<Bytes> read(const Case &test, size_t index) const {
    auto file = llvm::MemoryBuffer::getFile(path(test, index));
    if (folder.empty() || !file)
      return failure("no reference: run the same test on lavapipe first with --reference=DIR");
    StringRef text = (*file)->getBuffer();
    return Bytes(text.bytes_begin(), text.bytes_end());
  }

  static std::string fileName(const Case &test, size_t index) {
    StringRef file = llvm::sys::path::filename(StringRef(test.name).split(' ').first);
    return (file + "." + llvm::utohexstr(llvm::xxh3_64bits(test.name)) + "." + Twine(index)).str();
  }

private:
  std::string path(const Case &test, size_t index) const {
    return folder + "/" + fileName(test, index);
  }
  std::string folder;
};

class ScriptRunner {
public:
  ScriptRunner(Session &session, Report &report, const RunOptions &options)
      : session(session), report(report), options(options), references(options.referenceFolder) {}

  void run(const Script &script) {
    for (const std::string &name : {session.name(), std::string("kiln")}) {
      auto skip = script.skips.find(name);
      if (skip != script.skips.end() && (name != "kiln" || session.name() != "lavapipe"))
        return report.skip(script.path, skip->second);
    }
    if (auto skip = script.skips.find("validation");
        options.validation && skip != script.skips.end())
      return report.skip(script.path, skip->second);
    if (std::string reason = session.missing(script.features, script.extensions); !reason.empty())
      return report.skip(script.path, reason);
    for (const std::string &feature : script.features)
      if (isSpecialFeature(feature))
        special.push_back(feature);
    if (!script.sections.empty()) {
      Expected<Device *> device = session.device(special);
      if (!device)
        return report.fail(script.path, llvm::toString(device.takeError()));
      if (!(*device)->canDraw())
        return report.skip(script.path, "no queue that draws");
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
  void runCase(const Script &script, const std::map<std::string, std::string> &variant,
               uint32_t size) {
    Expected<Case> test = buildCase(script, variant, size, size ? size : session.subgroupSize());
    if (!test)
      return report.fail(script.path, llvm::toString(test.takeError()));
    Expected<JobResult> result = session.run(test->job, special);
    if (!result)
      return report.fail(test->name, llvm::toString(result.takeError()));
    for (auto [index, expected] : llvm::enumerate(test->expectations)) {
      const Bytes &actual =
          expected.isImage ? result->images[expected.resource] : result->buffers[expected.resource];
      std::string difference = judge(*test, index, expected, actual);
      if (!difference.empty())
        return report.fail(test->name, expected.resourceName + ": " + difference +
                                           picture(*test, index, expected, actual));
    }
    report.pass(test->name);
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
    if (session.physical().isCpuReference()) {
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

void runScripts(Session &session, Report &report, const RunOptions &options) {
  for (const std::string &path : findFiles(options.inputs, {".comp", ".spvasm", ".draw"})) {
    if (path.find(options.filter) == std::string::npos)
      continue;
    Expected<Script> script = loadScript(path, options.modules);
    if (!script) {
      report.fail(path, llvm::toString(script.takeError()));
      continue;
    }
    ScriptRunner(session, report, options).run(*script);
  }
}

} // namespace exec
