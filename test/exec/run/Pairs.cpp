//===- Pairs.cpp - generated scenes of shader pairs on two drivers --------===//
// SPDX-License-Identifier: MIT
/// \file
/// lavapipe writes the attachments to --reference; any other driver draws the same scene and
/// compares. A picture that is not like lavapipe's goes to --output as a PNG.
#include "../diff/PairSample.h"
#include "../script/Formats.h"
#include "Picture.h"
#include "Runners.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <cmath>
#include <cstdio>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace exec {

namespace {

const std::string robust[] = {"robustBufferAccess", "robustBufferAccess2", "robustImageAccess2"};

/// How many texels may be apart by more than the tolerance: along the outlines of triangles and
/// where a shader compares or discards, the least rounding chooses the other side.
constexpr double outlierShare = 0.03;
/// With tessellation: how the inside of a patch becomes triangles is not specified, and shows where
/// values are no linear function of the domain.
constexpr double tessellatedOutlierShare = 0.15;
/// And how many of those that are not like the first one, so that thin things must be there, too.
constexpr double thinOutlierShare = 0.5;

std::string nameOf(const RunOptions &options, const Sample &sample) {
  return "pair." + llvm::utohexstr(llvm::xxh3_64bits(sample.job.name)) + "." +
         std::to_string(options.seed);
}

/// Colours by their place in the scene, resolved where they have samples; then depth if it has
/// none.
std::vector<uint32_t> attachments(const Sample &sample) {
  std::vector<uint32_t> images;
  for (const AttachmentSpec &color : sample.job.graphics->colors)
    images.push_back(color.resolves ? color.resolveImage : color.image);
  uint32_t depth = sample.job.graphics->depth->image;
  if (sample.job.images[depth].samples == VK_SAMPLE_COUNT_1_BIT)
    images.push_back(depth);
  return images;
}

ScalarType typeOf(const ImageSpec &image) {
  return image.format == VK_FORMAT_D32_SFLOAT ? ScalarType::F32
                                              : componentType(findFormat(image.format)->name);
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

Error writeReference(const std::string &path, const Sample &sample, const JobResult &result) {
  std::error_code code;
  llvm::raw_fd_ostream out(path, code);
  if (code)
    return failure(path + ": " + code.message());
  for (uint32_t index : attachments(sample))
    out.write(reinterpret_cast<const char *>(result.images[index].data()),
              result.images[index].size());
  return Error::success();
}

bool isLike(ScalarType type, uint64_t is, uint64_t should, bool isExact) {
  if (isExact)
    return is == should;
  // Where the reference has no number, arithmetic on the way to it decides what comes out.
  if (isFloat(type) && !std::isfinite(toDouble(type, should)))
    return true;
  return agree(type, is, should, isFloat(type) ? Tolerance{0, 1e-2, 1e-2} : Tolerance{});
}

/// Empty when few enough texels differ.
std::string compareAttachment(const ImageSpec &image, const Bytes &actual, const Bytes &expected,
                              double mostOutliers, bool isExact) {
  ScalarType type = typeOf(image);
  uint32_t size = sizeOf(type), channels = image.blockBytes / size;
  uint64_t texels = expected.size() / image.blockBytes, differences = 0, drawn = 0;
  std::string first;
  for (uint64_t texel = 0; texel < texels; ++texel) {
    auto isDrawn = [&](const Bytes &bytes) {
      return !std::equal(expected.begin(), expected.begin() + image.blockBytes,
                         bytes.begin() + ptrdiff_t(texel * image.blockBytes));
    };
    drawn += isDrawn(expected) || isDrawn(actual);
    for (uint32_t channel = 0; channel < channels; ++channel) {
      uint64_t offset = texel * image.blockBytes + uint64_t(channel) * size;
      uint64_t is = loadBits(type, &actual[offset]), should = loadBits(type, &expected[offset]);
      if (isLike(type, is, should, isExact))
        continue;
      if (differences++ == 0)
        first = ("at " + Twine(texel % image.extent.width) + "," +
                 Twine(texel / image.extent.width) + " channel " + Twine(channel) + " is " +
                 toText(type, is) + ", the reference has " + toText(type, should))
                    .str();
      break;
    }
  }
  double allowed = std::min(mostOutliers * static_cast<double>(texels),
                            thinOutlierShare * static_cast<double>(drawn));
  if (static_cast<double>(differences) <= (isExact ? 0 : allowed))
    return "";
  return first + " (" + std::to_string(differences) + " of " + std::to_string(texels) +
         " texels differ)";
}

std::string comparePictures(const Sample &sample, const JobResult &result, StringRef reference,
                            const std::string &picturePath, bool isExact) {
  for (auto [place, index] : llvm::enumerate(attachments(sample))) {
    const Bytes &actual = result.images[index];
    const ImageSpec &image = sample.job.images[index];
    if (reference.size() < actual.size())
      return "the reference is too short: it was made with other inputs";
    Bytes expected(reference.bytes_begin(), reference.bytes_begin() + actual.size());
    reference = reference.drop_front(actual.size());
    double mostOutliers =
        sample.job.graphics->patchControlPoints ? tessellatedOutlierShare : outlierShare;
    std::string difference = compareAttachment(image, actual, expected, mostOutliers, isExact);
    if (difference.empty())
      continue;
    std::string path = picturePath + "." + std::to_string(place) + ".png";
    if (Error error = writeComparison(path, image, typeOf(image), actual, expected))
      path = llvm::toString(std::move(error));
    return ("attachment " + Twine(place) + " " + difference + "; " + path).str();
  }
  return "";
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
    if (Error error = writeReference(path, *sample, *result))
      return report.fail(text, llvm::toString(std::move(error)));
    return report.pass(text);
  }
  std::string picture = options.output + "/" + nameOf(options, *sample) + "." + session.name();
  std::string difference =
      comparePictures(*sample, *result, (*reference)->getBuffer(), picture, options.exact);
  difference.empty() ? report.pass(text) : report.fail(text, difference);
}

} // namespace

void runPairs(Session &session, Report &report, const RunOptions &options) {
  Emptiness emptiness;
  for (const std::string &text : options.inputs)
    if (text.find(options.filter) != std::string::npos)
      runPair(session, report, options, text, emptiness);
  std::printf("%s: %u of %u pictures are empty\n", session.name().c_str(), emptiness.empty,
              emptiness.pictures);
  // Scenes that show nothing prove nothing.
  if (emptiness.empty * 4 > emptiness.pictures)
    report.fail("all pairs", "more than a quarter of the pictures are empty");
}

} // namespace exec
