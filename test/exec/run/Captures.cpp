//===- Captures.cpp - captured pipelines with generated inputs ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// With --record what a captured pipeline writes goes to --reference; without, it must be the same
/// bit by bit: the same driver makes the pipeline another way (KILN_PARTS). With --near it may
/// round otherwise: the reference is lavapipe's.
#include "../diff/CaptureSample.h"
#include "Compare.h"
#include "Runners.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <cstdio>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace exec {

namespace {

/// Every address stays inside: what lies outside of a resource is defined.
const std::string robust[] = {"robustBufferAccess", "robustBufferAccess2", "robustImageAccess2"};

/// Everything that can be read back.
Bytes allOf(const JobResult &result) {
  Bytes all;
  for (const std::vector<Bytes> *list : {&result.buffers, &result.images})
    for (const Bytes &bytes : *list)
      all.insert(all.end(), bytes.begin(), bytes.end());
  return all;
}

/// Where a byte of allOf() is.
std::string placeOf(const JobResult &result, size_t offset) {
  for (const std::vector<Bytes> *list : {&result.buffers, &result.images})
    for (size_t i = 0; i < list->size(); ++i) {
      if (offset < (*list)[i].size())
        return ((list == &result.buffers ? "buffer " : "image ") + Twine(i) + ", byte " +
                Twine(offset))
            .str();
      offset -= (*list)[i].size();
    }
  return "the end";
}

/// Has anything been drawn, or stored?
bool isEmpty(const Job &job, const JobResult &result) {
  if (!job.graphics)
    return std::equal(job.buffers.begin(), job.buffers.end(), result.buffers.begin());
  auto isUniform = [&](uint32_t image) {
    const Bytes &bytes = result.images[image];
    return std::equal(bytes.begin() + std::min<size_t>(job.images[image].blockBytes, bytes.size()),
                      bytes.end(), bytes.begin());
  };
  for (const AttachmentSpec &color : job.graphics->colors)
    if (!isUniform(color.resolves ? color.resolveImage : color.image))
      return false;
  const std::optional<AttachmentSpec> &depth =
      job.graphics->depth ? job.graphics->depth : job.graphics->stencil;
  return !depth || isUniform(depth->image);
}

std::string referencePath(const RunOptions &options, const std::string &file) {
  return options.referenceFolder + "/capture." + llvm::utohexstr(llvm::xxh3_64bits(file)) + "." +
         std::to_string(options.seed);
}

/// What lavapipe writes, or compares with it. True where something was compared or written.
bool compareNear(Session &session, Report &report, const RunOptions &options,
                 const std::string &file, const Sample &sample, const JobResult &result) {
  const std::string path = referencePath(options, file) + ".near";
  const bool draws = sample.job.graphics.has_value();
  if (session.physical().isCpuReference() || options.record) {
    Error error =
        writeBytes(path, draws ? attachmentsOf(sample, result) : resourcesOf(sample, result));
    if (!error) {
      report.pass(file);
      return true;
    }
    report.fail(file, llvm::toString(std::move(error)));
    return false;
  }
  auto reference = llvm::MemoryBuffer::getFile(path);
  if (!reference) {
    report.skip(file, "the reference has no result");
    return false;
  }
  const std::string name = "capture." + llvm::utohexstr(llvm::xxh3_64bits(file));
  const Comparison how = {options.exact, options.output + "/" + name + "." + session.name()};
  const auto compare = draws ? compareAttachments : compareResources;
  const std::string difference = compare(sample, result, (*reference)->getBuffer(), how);
  difference.empty() ? report.pass(file) : report.fail(file, difference);
  return true;
}

/// Nothing where a capture was reported already.
bool runCapture(Session &session, Report &report, const RunOptions &options,
                const std::string &file, unsigned &empty) {
  auto fail = [&](const Twine &message) {
    report.fail(file, message);
    return false;
  };
  Expected<std::shared_ptr<const replay::Capture>> capture = replay::Capture::load(file);
  if (!capture)
    return fail(llvm::toString(capture.takeError()));
  Expected<Sample> sample = makeCaptureSample(**capture, options.seed);
  if (!sample) // never green by not being understood: exceptions stand in a list
    return fail(llvm::toString(sample.takeError()));
  if (std::string reason = session.missing(sample->features, {}); !reason.empty()) {
    report.skip(file, reason);
    return false;
  }
  Expected<JobResult> result = session.run(sample->job, robust);
  if (!result)
    return fail(llvm::toString(result.takeError()));
  if (isEmpty(sample->job, *result)) {
    ++empty;
    if (options.verbose)
      std::printf("nothing to see: %s\n", file.c_str());
  }
  if (options.near)
    return compareNear(session, report, options, file, *sample, *result);
  const Bytes all = allOf(*result);
  std::string path = referencePath(options, file);
  if (options.record) {
    if (Error error = writeBytes(path, all))
      return fail(llvm::toString(std::move(error)));
  } else {
    auto reference = llvm::MemoryBuffer::getFile(path);
    if (!reference)
      return fail("the reference has no result");
    StringRef expected = (*reference)->getBuffer();
    if (expected.size() != all.size())
      return fail("the reference was made with other inputs");
    auto [is, should] = std::mismatch(all.begin(), all.end(), expected.bytes_begin());
    if (is != all.end())
      return fail(placeOf(*result, static_cast<size_t>(is - all.begin())) + " is " +
                  Twine(unsigned(*is)) + ", the reference has " + Twine(unsigned(*should)));
  }
  report.pass(file);
  return true;
}

} // namespace

void runCaptures(Session &session, Report &report, const RunOptions &options) {
  unsigned empty = 0, done = 0;
  std::vector<std::string> files;
  for (const std::string &input : options.inputs)
    llvm::append_range(files, replay::findCaptures(input));
  report.begin(files.size(), options.quiet);
  for (const std::string &file : files)
    if (report.goesOn() && file.find(options.filter) != std::string::npos)
      done += runCapture(session, report, options, file, empty);
  std::printf("%s: %u of %u captured pipelines change nothing\n", session.name().c_str(), empty,
              done);
  // What shows nothing proves nothing. Of a few it says nothing: whoever runs them alone counts.
  if (done >= 4 && empty * 4 > done)
    report.fail("all captures", "more than a quarter change nothing");
}

} // namespace exec
