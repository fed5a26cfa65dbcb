//===- FragmentInputs.cpp - registers of a fragment shader at its start ----===//
// SPDX-License-Identifier: MIT
/// \file
/// SGPRs: user data, primitive mask, collision word (gfx10), provoking vertex word, scratch offset
/// (gfx10). VGPRs: the inputs below, in this order, as far as SPI_PS_INPUT_ADDR has them; those of
/// SPI_PS_INPUT_ENA are loaded (docs/hw-notes.md, "Fragment shaders"; AMDGPUUsage).
///
/// Barycentric coordinates refer to the primitive's vertices in the order of the hardware: the
/// provoking one of a triangle first. Helpers have valid inputs.
#include "pal_shim/device/graphics/FragmentWave.h"
#include "llvm/ADT/bit.h"
#include <bit>
#include <cmath>

namespace pal::device {

namespace {

struct Point {
  double x = 0, y = 0;
};

/// One fragment, a pixel or several, as the functions that make inputs see it.
struct Pixel {
  const FragmentSetup &setup;
  const FragmentQuad &quad;
  const RasterPrimitive &primitive;
  unsigned lane; ///< of the quad

  double x() const { return quad.pixelX(lane); }
  double y() const { return quad.pixelY(lane); }
  /// \p bit: of SampleBits.
  Point atSample(unsigned bit) const {
    unsigned pixel = bit / bitsPerPixel;
    const std::array<float, 2> &position = setup.draw->raster.samplePositions[bit % bitsPerPixel];
    return {quad.pixelX(lane, pixel) + double(position[0]),
            quad.pixelY(lane, pixel) + double(position[1])};
  }
  Point center() const {
    return {x() + (1 << quad.size.log2Width) * 0.5, y() + (1 << quad.size.log2Height) * 0.5};
  }
  /// Of this invocation: sample 0 when it shades all of the pixel.
  Point sample() const { return atSample(quad.sample); }
  Point centroid() const;
};

uint32_t allSamples(const FragmentSetup &setup) { return (1u << setup.draw->raster.samples) - 1; }

/// Those of all pixels of a fragment.
SampleBits allSamples(const FragmentSetup &setup, const FragmentQuad &quad) {
  unsigned unused = (4 - quad.pixels()) * bitsPerPixel;
  return allSamples(setup) * inAllPixels << unused >> unused;
}

/// Vulkan: the centre of a fragment that is covered wholly, else any covered sample: the one
/// nearest to the centre.
Point Pixel::centroid() const {
  SampleBits covered = quad.covered[lane];
  if (!covered || covered == allSamples(setup, quad))
    return center();
  Point best = center();
  double bestDistance = 8;
  for (; covered; covered &= covered - 1) {
    Point point = atSample(unsigned(llvm::countr_zero(covered)));
    double dx = point.x - center().x, dy = point.y - center().y;
    if (double distance = dx * dx + dy * dy; distance < bestDistance) {
      bestDistance = distance;
      best = point;
    }
  }
  return best;
}

uint32_t bitsOf(double value) { return std::bit_cast<uint32_t>(float(value)); }

/// Weights of vertices 1 and 2 in the order of the hardware. \p one: what all three add up to.
Point rotated(const Pixel &pixel, double i, double j, double one) {
  if (pixel.primitive.vertexCount != 3)
    return {i, j};
  const double weights[] = {one - i - j, i, j};
  unsigned first = pixel.setup.primitive(pixel.quad).provoking;
  return {weights[(first + 1) % 3], weights[(first + 2) % 3]};
}

void perspective(const Pixel &pixel, Point at, uint32_t *out) {
  const RasterPrimitive &p = pixel.primitive;
  double w = 1 / p.inverseW.at(at.x, at.y);
  double i = p.perspectiveI.at(at.x, at.y) * w, j = p.perspectiveJ.at(at.x, at.y) * w;
  Point ij = rotated(pixel, i, j, 1);
  out[0] = bitsOf(ij.x);
  out[1] = bitsOf(ij.y);
}

void linear(const Pixel &pixel, Point at, uint32_t *out) {
  const RasterPrimitive &p = pixel.primitive;
  Point ij = rotated(pixel, p.linearI.at(at.x, at.y), p.linearJ.at(at.x, at.y), 1);
  out[0] = bitsOf(ij.x);
  out[1] = bitsOf(ij.y);
}

void perspectiveSample(const Pixel &pixel, uint32_t *out) {
  perspective(pixel, pixel.sample(), out);
}
void perspectiveCenter(const Pixel &pixel, uint32_t *out) {
  perspective(pixel, pixel.center(), out);
}
void perspectiveCentroid(const Pixel &pixel, uint32_t *out) {
  perspective(pixel, pixel.centroid(), out);
}
void linearSample(const Pixel &pixel, uint32_t *out) { linear(pixel, pixel.sample(), out); }
void linearCenter(const Pixel &pixel, uint32_t *out) { linear(pixel, pixel.center(), out); }
void linearCentroid(const Pixel &pixel, uint32_t *out) { linear(pixel, pixel.centroid(), out); }

/// i / w, j / w, 1 / w at the centre: what is linear in x and y.
void pullModel(const Pixel &pixel, uint32_t *out) {
  const RasterPrimitive &p = pixel.primitive;
  Point at = pixel.center();
  double inverseW = p.inverseW.at(at.x, at.y);
  Point ij = rotated(pixel, p.perspectiveI.at(at.x, at.y), p.perspectiveJ.at(at.x, at.y), inverseW);
  out[0] = bitsOf(ij.x);
  out[1] = bitsOf(ij.y);
  out[2] = bitsOf(inverseW);
}

/// SPI_BARYC_CNTL.POS_FLOAT_LOCATION.
Point positionAt(const Pixel &pixel) {
  switch (pixel.setup.registers->posFloatLocation) {
  case 1:
    return pixel.centroid();
  case 2:
    return pixel.sample();
  default:
    return pixel.center();
  }
}

void positionX(const Pixel &pixel, uint32_t *out) {
  out[0] = bitsOf(pixel.setup.registers->posFloatUlc ? pixel.x() : positionAt(pixel).x);
}
void positionY(const Pixel &pixel, uint32_t *out) {
  out[0] = bitsOf(pixel.setup.registers->posFloatUlc ? pixel.y() : positionAt(pixel).y);
}
void positionZ(const Pixel &pixel, uint32_t *out) {
  Point at = positionAt(pixel);
  out[0] = bitsOf(pixel.primitive.depth.at(at.x, at.y));
}
/// w of the clip position.
void positionW(const Pixel &pixel, uint32_t *out) {
  Point at = positionAt(pixel);
  out[0] = bitsOf(1 / pixel.primitive.inverseW.at(at.x, at.y));
}

void frontFace(const Pixel &pixel, uint32_t *out) {
  out[0] = pixel.primitive.frontFacing ? ~0u : 0;
}

/// Shading rate in bits 5:2, sample in bits 11:8, layer in bits 26:16.
void ancillary(const Pixel &pixel, uint32_t *out) {
  out[0] = uint32_t(pixel.quad.size.log2Width) << 2 | uint32_t(pixel.quad.size.log2Height) << 4 |
           uint32_t(pixel.quad.sample) << 8 | (pixel.primitive.layer & 0x7FF) << 16;
}

/// Of fragments of one pixel, but for that a fragment of any size may be wholly inside.
void sampleCoverage(const Pixel &pixel, uint32_t *out) {
  out[0] = uint32_t(pixel.quad.visible[pixel.lane]);
  if (pixel.setup.registers->coverageInput == CoverageInput::InnerCovered)
    out[0] = pixel.quad.fullyCovered >> pixel.lane & 1 ? allSamples(pixel.setup) : 0;
}

void fixedPosition(const Pixel &pixel, uint32_t *out) {
  out[0] = (uint32_t(int(pixel.x())) & 0xFFFF) | uint32_t(int(pixel.y())) << 16;
}

struct Input {
  const char *name;
  unsigned rows;
  void (*make)(const Pixel &pixel, uint32_t *out);
};

/// By bit of SPI_PS_INPUT_ENA and _ADDR.
constexpr Input inputs[] = {
    {"PERSP_SAMPLE", 2, perspectiveSample},
    {"PERSP_CENTER", 2, perspectiveCenter},
    {"PERSP_CENTROID", 2, perspectiveCentroid},
    {"PERSP_PULL_MODEL", 3, pullModel},
    {"LINEAR_SAMPLE", 2, linearSample},
    {"LINEAR_CENTER", 2, linearCenter},
    {"LINEAR_CENTROID", 2, linearCentroid},
    {"LINE_STIPPLE_TEX", 1, nullptr},
    {"POS_X_FLOAT", 1, positionX},
    {"POS_Y_FLOAT", 1, positionY},
    {"POS_Z_FLOAT", 1, positionZ},
    {"POS_W_FLOAT", 1, positionW},
    {"FRONT_FACE", 1, frontFace},
    {"ANCILLARY", 1, ancillary},
    {"SAMPLE_COVERAGE", 1, sampleCoverage},
    {"POS_FIXED_PT", 1, fixedPosition},
};
constexpr unsigned perspectiveCentroidBit = 2, linearCentroidBit = 6;
constexpr uint32_t barycentricBits = 0x7F, perspectiveBits = 0xF, positionWBit = 1u << 11;

/// Centroid and centre are the same everywhere in the wave.
bool isCoveredWholly(const FragmentSetup &setup, llvm::ArrayRef<FragmentQuad> quads) {
  for (const FragmentQuad &quad : quads)
    for (SampleBits covered : quad.covered)
      if (covered != allSamples(setup, quad))
        return false;
  return true;
}

/// By how many places the vertices of each quad's triangle were rotated so that the provoking one
/// comes first; two bits a quad.
uint32_t provokingWord(const FragmentSetup &setup, llvm::ArrayRef<FragmentQuad> quads) {
  uint32_t word = 0;
  for (unsigned i = 0; i < quads.size(); ++i)
    if (setup.primitives[quads[i].primitive].vertexCount == 3)
      word |= (3u - setup.primitive(quads[i]).provoking) % 3 << 2 * i;
  return word;
}

void fillSgprs(Wave &wave, const FragmentSetup &setup, llvm::ArrayRef<FragmentQuad> quads,
               bool skipsCentroid, uint32_t collision) {
  uint32_t *next = std::copy(setup.userSgprs.begin(), setup.userSgprs.end(), wave.s);
  // The other bits of the primitive mask only come back as M0, which loads of parameters ignore.
  *next++ = skipsCentroid ? 1u << 31 : 0;
  if (setup.registers->loadCollisionWave)
    *next++ = collision;
  if (setup.registers->loadProvokingVertex)
    *next++ = provokingWord(setup, quads);
  if (setup.hasScratchOffset)
    *next++ = 0;
}

} // namespace

std::string checkFragmentInputs(const FragmentRegisters &registers) {
  uint32_t loaded = registers.inputEna;
  if (loaded & ~registers.inputAddr)
    return "SPI_PS_INPUT_ENA loads what SPI_PS_INPUT_ADDR has no place for";
  if (!(loaded & barycentricBits))
    return "SPI_PS_INPUT_ENA has no barycentric coordinates, which hangs";
  if (loaded & positionWBit && !(loaded & perspectiveBits))
    return "SPI_PS_INPUT_ENA has POS_W_FLOAT without perspective barycentric coordinates";
  for (unsigned bit = 0; bit < std::size(inputs); ++bit)
    if (loaded >> bit & 1 && !inputs[bit].make)
      return std::string("SPI_PS_INPUT_ENA.") + inputs[bit].name + " is not modelled";
  if (registers.coverageInput == CoverageInput::Raw)
    return "raw coverage as shader input is not modelled";
  if (registers.posFloatLocation > 2)
    return "SPI_BARYC_CNTL.POS_FLOAT_LOCATION " + std::to_string(registers.posFloatLocation);
  return "";
}

void fillFragmentWave(Wave &wave, const FragmentSetup &setup, llvm::ArrayRef<FragmentQuad> quads,
                      uint32_t collision) {
  const FragmentRegisters &registers = *setup.registers;
  // The hardware may then leave out the centroid, and this does.
  bool skipsCentroid = isCoveredWholly(setup, quads);
  fillSgprs(wave, setup, quads, skipsCentroid, collision);
  unsigned row = 0;
  for (unsigned bit = 0; bit < std::size(inputs); ++bit) {
    if (!(registers.inputAddr >> bit & 1))
      continue;
    const Input &input = inputs[bit];
    unsigned first = row;
    row += input.rows;
    bool isCentroid = bit == perspectiveCentroidBit || bit == linearCentroidBit;
    if (!(registers.inputEna >> bit & 1) || (isCentroid && skipsCentroid))
      continue;
    for (unsigned lane = 0; lane < 4 * quads.size(); ++lane) {
      const FragmentQuad &quad = quads[lane / 4];
      uint32_t values[3] = {};
      input.make({setup, quad, setup.primitives[quad.primitive], lane % 4}, values);
      for (unsigned i = 0; i < input.rows; ++i)
        wave.v[first + i].lane[lane] = values[i];
    }
  }
  uint64_t live = 0;
  for (unsigned lane = 0; lane < 4 * quads.size(); ++lane)
    live |= uint64_t(quads[lane / 4].samples[lane % 4] != 0) << lane;
  wave.setS64(sreg::execLo, live);
}

} // namespace pal::device
