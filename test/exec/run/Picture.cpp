//===- Picture.cpp - failed images for people ------------------------------===//
// SPDX-License-Identifier: MIT
#include "Picture.h"
#include <algorithm>
#include <cmath>
#include <png.h>

using llvm::Error;

namespace exec {

namespace {

/// Small pictures are enlarged by whole numbers until a panel is about this wide.
constexpr uint32_t panelWidth = 256;
constexpr uint32_t gap = 4;

/// A channel of a texel as 0..255.
uint8_t shade(ScalarType type, const uint8_t *data) {
  uint64_t bits = loadBits(type, data);
  if (isFloat(type)) {
    double value = toDouble(type, bits);
    return std::isnan(value) ? 255 : uint8_t(std::lround(std::clamp(value, 0.0, 1.0) * 255));
  }
  return uint8_t(bits >> (sizeOf(type) * 8 - 8));
}

struct Pixel {
  uint8_t rgb[3] = {0, 0, 0};
};

Pixel pixelAt(const ImageSpec &image, ScalarType type, const Bytes &bytes, uint32_t x, uint32_t y) {
  Pixel pixel;
  uint64_t offset = (uint64_t(y) * image.extent.width + x) * image.blockBytes;
  uint32_t channels = std::max(image.blockBytes / sizeOf(type), 1u);
  for (uint32_t i = 0; i < 3; ++i) {
    uint64_t at = offset + std::min(i, channels - 1) * sizeOf(type);
    bool isThere = at + sizeOf(type) <= bytes.size() && (i < channels || channels == 1);
    pixel.rgb[i] = isThere ? shade(type, bytes.data() + at) : 0;
  }
  return pixel;
}

/// Differences are lifted, so that one step of 255 is visible.
Pixel differenceOf(const Pixel &a, const Pixel &b) {
  Pixel result;
  for (unsigned i = 0; i < 3; ++i)
    if (int distance = std::abs(a.rgb[i] - b.rgb[i]))
      result.rgb[i] = uint8_t(std::min(255, 64 + distance * 4));
  return result;
}

} // namespace

Error writeComparison(const std::string &path, const ImageSpec &image, ScalarType type,
                      const Bytes &actual, const Bytes &expected) {
  uint32_t width = image.extent.width, height = image.extent.height;
  uint32_t scale = std::max(panelWidth / std::max(width, 1u), 1u);
  uint32_t total = 3 * width * scale + 2 * gap;
  std::vector<uint8_t> rows(size_t(total) * height * scale * 3, 128);
  for (uint32_t y = 0; y < height * scale; ++y)
    for (uint32_t x = 0; x < width * scale; ++x) {
      Pixel ours = pixelAt(image, type, actual, x / scale, y / scale);
      Pixel theirs = pixelAt(image, type, expected, x / scale, y / scale);
      const Pixel panels[3] = {ours, theirs, differenceOf(ours, theirs)};
      for (unsigned panel = 0; panel < 3; ++panel)
        std::copy_n(panels[panel].rgb, 3,
                    &rows[(size_t(y) * total + panel * (width * scale + gap) + x) * 3]);
    }
  png_image png = {};
  png.version = PNG_IMAGE_VERSION;
  png.width = total;
  png.height = height * scale;
  png.format = PNG_FORMAT_RGB;
  if (!png_image_write_to_file(&png, path.c_str(), 0, rows.data(), 0, nullptr))
    return failure(path + ": " + png.message);
  return Error::success();
}

} // namespace exec
