//===- Samples.cpp - shaders with generated inputs on two drivers ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// lavapipe writes the contents of all resources to --reference; any other driver runs the same job
/// and compares.
#include "Compare.h"
#include "Runners.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

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
    if (!options.referenceFolder.empty())
      if (Error error = writeBytes(referencePath(options, *sample), resourcesOf(*sample, *result)))
        return report.fail(text, llvm::toString(std::move(error)));
    return report.pass(text);
  }
  std::string difference =
      compareResources(*sample, *result, (*reference)->getBuffer(), {options.exact, ""});
  difference.empty() ? report.pass(text) : report.fail(text, difference);
}

} // namespace

void runSamples(Session &session, Report &report, const RunOptions &options) {
  report.begin(options.inputs.size(), options.quiet);
  for (const std::string &text : options.inputs)
    if (report.goesOn() && text.find(options.filter) != std::string::npos)
      runSample(session, report, options, text);
}

} // namespace exec
