//===- Samples.cpp - shaders with generated inputs on two drivers ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// lavapipe writes the contents of all resources to --reference; any other driver runs the same job
/// and compares.
#include "../diff/Sample.h"
#include "Runners.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <cstring>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace exec {

namespace {

/// Every address stays inside: what lies outside of a resource is defined.
const std::string robust[] = {"robustBufferAccess", "robustBufferAccess2", "robustImageAccess2"};

std::string referencePath(const RunOptions &options, const Sample &sample) {
  return options.referenceFolder + "/diff." + llvm::utohexstr(llvm::xxh3_64bits(sample.job.name)) +
         "." + std::to_string(options.seed);
}

const Bytes &contents(const JobResult &result, const SampleResource &resource) {
  return resource.isImage ? result.images[resource.index] : result.buffers[resource.index];
}

Error writeReference(const RunOptions &options, const Sample &sample, const JobResult &result) {
  if (options.referenceFolder.empty())
    return Error::success();
  std::error_code code;
  llvm::raw_fd_ostream out(referencePath(options, sample), code);
  if (code)
    return failure(referencePath(options, sample) + ": " + code.message());
  for (const SampleResource &resource : sample.resources) {
    const Bytes &bytes = contents(result, resource);
    out.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  }
  return Error::success();
}

std::string compareImage(const Job &job, const SampleResource &resource, const Bytes &actual,
                         const Bytes &expected) {
  bool isNormal = !isFloat(resource.texelType) && sizeOf(resource.texelType) < 4;
  // One step of a normalized component is rounding.
  for (size_t i = 0; isNormal && sizeOf(resource.texelType) == 1 && i < actual.size(); ++i)
    if (std::abs(int(actual[i]) - int(expected[i])) > 1)
      return "texel byte " + std::to_string(i) + " is " + std::to_string(actual[i]) +
             ", lavapipe has " + std::to_string(expected[i]);
  if (isNormal && sizeOf(resource.texelType) == 1)
    return "";
  Tolerance tolerance;
  if (isFloat(resource.texelType))
    tolerance = {0, 2e-2, 2e-2};
  std::string text = compareBytes(resource.texelType, actual, expected, tolerance);
  return text;
}

/// The first difference of any resource, or empty.
std::string compareResult(const Sample &sample, const JobResult &result, StringRef reference,
                          bool isExact) {
  for (const SampleResource &resource : sample.resources) {
    const Bytes &actual = contents(result, resource);
    if (reference.size() < actual.size())
      return "the reference is too short: it was made with other inputs";
    Bytes expected(reference.bytes_begin(), reference.bytes_begin() + actual.size());
    reference = reference.drop_front(actual.size());
    std::string difference = isExact ? compareBytes(ScalarType::U8, actual, expected, Tolerance())
                             : resource.isImage
                                 ? compareImage(sample.job, resource, actual, expected)
                                 : compareLayout(resource.layout, actual, expected);
    if (!difference.empty())
      return resource.name + ": " + difference;
  }
  return "";
}

void runSample(Session &session, Report &report, const RunOptions &options, StringRef text) {
  Expected<SampleInput> input = parseSampleInput(text);
  if (!input)
    return report.fail(text, llvm::toString(input.takeError()));
  Expected<Sample> sample = makeSample(*input, options.seed);
  if (!sample)
    return report.skip(text, llvm::toString(sample.takeError()));
  if (std::string reason = session.missing(sample->features, {}); !reason.empty())
    return report.skip(text, reason);
  bool isReference = options.record || session.physical().isCpuReference();
  auto reference = llvm::MemoryBuffer::getFile(referencePath(options, *sample));
  if (!isReference && !reference)
    return report.skip(text, "the reference has no result");
  if (isReference) // what an earlier run left there
    llvm::sys::fs::remove(referencePath(options, *sample));
  Expected<JobResult> result = session.run(sample->job, robust);
  if (!result)
    return report.fail(text, llvm::toString(result.takeError()));
  if (isReference) {
    if (Error error = writeReference(options, *sample, *result))
      return report.fail(text, llvm::toString(std::move(error)));
    return report.pass(text);
  }
  std::string difference =
      compareResult(*sample, *result, (*reference)->getBuffer(), options.exact);
  difference.empty() ? report.pass(text) : report.fail(text, difference);
}

} // namespace

void runSamples(Session &session, Report &report, const RunOptions &options) {
  for (const std::string &text : options.inputs)
    if (text.find(options.filter) != std::string::npos)
      runSample(session, report, options, text);
}

} // namespace exec
