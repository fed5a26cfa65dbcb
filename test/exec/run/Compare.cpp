//===- Compare.cpp - what a sample wrote, on two drivers ------------------===//
// SPDX-License-Identifier: MIT
#include "Compare.h"
#include "../script/Formats.h"
#include "Picture.h"
#include "Session.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

namespace exec {

namespace {

/// How many texels may be apart by more than the tolerance: along the outlines of triangles and
/// where a shader compares or discards, the least rounding chooses the other side.
constexpr double outlierShare = 0.03;
/// With tessellation: how the inside of a patch becomes triangles is not specified, and shows where
/// values are no linear function of the domain.
constexpr double tessellatedOutlierShare = 0.15;
/// And how many of those that are not like the first one, so that thin things must be there, too.
constexpr double thinOutlierShare = 0.5;

const Bytes &contents(const JobResult &result, const SampleResource &resource) {
  return resource.isImage ? result.images[resource.index] : result.buffers[resource.index];
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

ScalarType typeOf(const ImageSpec &image) {
  return image.format == VK_FORMAT_D32_SFLOAT ? ScalarType::F32
                                              : componentType(findFormat(image.format)->name);
}

/// Of components that are numbers between 0 and 1 in a byte: what blending and encoding round.
constexpr int normalizedSteps = 2;
bool isNormalized(const ImageSpec &image) {
  const StringRef name = findFormat(image.format)->name;
  return name.ends_with("unorm") || name.ends_with("snorm") || name.ends_with("srgb");
}

bool isLike(const ImageSpec &image, ScalarType type, uint64_t is, uint64_t should, bool isExact) {
  if (isExact)
    return is == should;
  // Where the reference has no number, arithmetic on the way to it decides what comes out.
  if (isFloat(type) && !std::isfinite(toDouble(type, should)))
    return true;
  if (sizeOf(type) == 1 && isNormalized(image))
    return std::abs(int(is) - int(should)) <= normalizedSteps;
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
      if (isLike(image, type, is, should, isExact))
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

/// Takes as many bytes off the front of \p reference. Nothing: there are not so many.
std::optional<Bytes> takeFront(StringRef &reference, size_t size) {
  if (reference.size() < size)
    return std::nullopt;
  Bytes bytes(reference.bytes_begin(), reference.bytes_begin() + size);
  reference = reference.drop_front(size);
  return bytes;
}
constexpr const char *tooShort = "the reference is too short: it was made with other inputs";

} // namespace

std::vector<uint32_t> attachments(const Sample &sample) {
  const GraphicsSpec &scene = *sample.job.graphics;
  std::vector<uint32_t> images;
  for (const AttachmentSpec &color : scene.colors)
    images.push_back(color.resolves ? color.resolveImage : color.image);
  const std::optional<AttachmentSpec> &depth = scene.depth ? scene.depth : scene.stencil;
  if (depth && sample.job.images[depth->image].samples == VK_SAMPLE_COUNT_1_BIT)
    images.push_back(depth->image);
  return images;
}

Bytes resourcesOf(const Sample &sample, const JobResult &result) {
  Bytes all;
  for (const SampleResource &resource : sample.resources) {
    const Bytes &bytes = contents(result, resource);
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  return all;
}

Bytes attachmentsOf(const Sample &sample, const JobResult &result) {
  Bytes all;
  for (uint32_t image : attachments(sample))
    all.insert(all.end(), result.images[image].begin(), result.images[image].end());
  return all;
}

std::string compareResources(const Sample &sample, const JobResult &result, StringRef reference,
                             const Comparison &how) {
  for (const SampleResource &resource : sample.resources) {
    const Bytes &actual = contents(result, resource);
    const std::optional<Bytes> expected = takeFront(reference, actual.size());
    if (!expected)
      return tooShort;
    std::string difference =
        how.isExact        ? compareBytes(ScalarType::U8, actual, *expected, Tolerance())
        : resource.isImage ? compareImage(sample.job, resource, actual, *expected)
                           : compareLayout(resource.layout, actual, *expected);
    if (!difference.empty())
      return resource.name + ": " + difference;
  }
  return "";
}

std::string compareAttachments(const Sample &sample, const JobResult &result, StringRef reference,
                               const Comparison &how) {
  for (auto [place, index] : llvm::enumerate(attachments(sample))) {
    const Bytes &actual = result.images[index];
    const ImageSpec &image = sample.job.images[index];
    const std::optional<Bytes> expected = takeFront(reference, actual.size());
    if (!expected)
      return tooShort;
    double mostOutliers =
        sample.job.graphics->patchControlPoints ? tessellatedOutlierShare : outlierShare;
    std::string difference = compareAttachment(image, actual, *expected, mostOutliers, how.isExact);
    if (difference.empty())
      continue;
    std::string path = how.picturePath + "." + std::to_string(place) + ".png";
    if (Error error = writeComparison(path, image, typeOf(image), actual, *expected))
      path = llvm::toString(std::move(error));
    return ("attachment " + Twine(place) + " " + difference + "; " + path).str();
  }
  return "";
}

Error writeBytes(const std::string &path, const Bytes &bytes) {
  std::error_code code;
  llvm::raw_fd_ostream out(path, code);
  if (code)
    return failure(path + ": " + code.message());
  out.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  return Error::success();
}

} // namespace exec
