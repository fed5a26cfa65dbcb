//===- Pairs.cpp - generated scenes of shader pairs on two drivers --------===//
// SPDX-License-Identifier: MIT
/// \file
/// lavapipe writes the attachments to --reference; any other driver draws the same scene and
/// compares. A picture that is not like lavapipe's goes to --output as a PNG.
#include "../diff/PairSample.h"
#include "Compare.h"
#include "Runners.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"
#include <cstdio>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace exec {

namespace {

const std::string robust[] = {"robustBufferAccess", "robustBufferAccess2", "robustImageAccess2"};

std::string nameOf(const RunOptions &options, const Sample &sample) {
  return "pair." + llvm::utohexstr(llvm::xxh3_64bits(sample.job.name)) + "." +
         std::to_string(options.seed);
}

/// Nothing was drawn: depth is as cleared (all draws write it), and every texel of every colour is
/// the first one.
bool isEmpty(const Sample &sample, const JobResult &result) {
  for (uint32_t index : attachments(sample)) {
    const Bytes &bytes = result.images[index];
    uint32_t texel = sample.job.images[index].blockBytes;
    bool isDepth = index == sample.job.graphics->depth->image;
    if (isDepth && loadBits(ScalarType::F32, bytes.data()) != fromDouble(ScalarType::F32, 1))
      return false;
    if (!std::equal(bytes.begin() + texel, bytes.end(), bytes.begin()))
      return false;
  }
  return true;
}

/// What one driver's run is counted by beside passes.
struct Emptiness {
  unsigned pictures = 0, empty = 0;
};

void runPair(Session &session, Report &report, const RunOptions &options, StringRef text,
             Emptiness &emptiness) {
  Expected<PairInput> input = parsePairInput(text);
  if (!input)
    return report.fail(text, llvm::toString(input.takeError()));
  Expected<Sample> sample = makePairSample(*input, options.seed);
  if (!sample) // never green by not being understood: exceptions stand in a list
    return report.fail(text, llvm::toString(sample.takeError()));
  if (std::string reason = session.missing(sample->features, {}); !reason.empty())
    return report.skip(text, reason);
  bool isReference = options.record || session.physical().isCpuReference();
  std::string path = options.referenceFolder + "/" + nameOf(options, *sample);
  auto reference = llvm::MemoryBuffer::getFile(path);
  if (!isReference && !reference)
    return report.skip(text, "the reference has no result");
  if (isReference) // what an earlier run left there
    llvm::sys::fs::remove(path);
  Expected<JobResult> result = session.run(sample->job, robust);
  if (!result)
    return report.fail(text, llvm::toString(result.takeError()));
  ++emptiness.pictures;
  if (isEmpty(*sample, *result)) {
    ++emptiness.empty;
    if (options.verbose)
      std::printf("nothing to see: %s\n", text.str().c_str());
  }
  if (isReference) {
    if (Error error = writeBytes(path, attachmentsOf(*sample, *result)))
      return report.fail(text, llvm::toString(std::move(error)));
    return report.pass(text);
  }
  std::string picture = options.output + "/" + nameOf(options, *sample) + "." + session.name();
  std::string difference =
      compareAttachments(*sample, *result, (*reference)->getBuffer(), {options.exact, picture});
  difference.empty() ? report.pass(text) : report.fail(text, difference);
}

} // namespace

void runPairs(Session &session, Report &report, const RunOptions &options) {
  Emptiness emptiness;
  report.begin(options.inputs.size(), options.quiet);
  for (const std::string &text : options.inputs)
    if (report.goesOn() && text.find(options.filter) != std::string::npos)
      runPair(session, report, options, text, emptiness);
  std::printf("%s: %u of %u pictures are empty\n", session.name().c_str(), emptiness.empty,
              emptiness.pictures);
  // Scenes that show nothing prove nothing.
  if (emptiness.empty * 4 > emptiness.pictures)
    report.fail("all pairs", "more than a quarter of the pictures are empty");
}

} // namespace exec
