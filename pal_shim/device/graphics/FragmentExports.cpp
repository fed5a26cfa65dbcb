//===- FragmentExports.cpp - what a wave of the PS stage exports -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Export targets of fragment shaders (docs/hw-notes.md, "Fragment shaders"): 0 .. 7 colours, 8
/// depth, 9 nothing, 21 and 22 the two blend sources (gfx11+). Colour number n goes to the n-th
/// target with a bit in CB_SHADER_MASK, in the n-th format of SPI_SHADER_COL_FORMAT. An export that
/// does not fit its format is a fault: the hardware would read other bits than the shader wrote.
#include "pal_shim/device/graphics/FragmentExports.h"
#include <bit>
#include <immintrin.h>

namespace pal::device {

namespace {

constexpr unsigned depthTarget = 8, nullTarget = 9, firstSource = 21, secondSource = 22;

bool isPacked(ExportFormat format) {
  return format >= ExportFormat::Fp16 && format <= ExportFormat::Sint16;
}

uint32_t bitsOf(float value) { return std::bit_cast<uint32_t>(value); }

/// A 16-bit component as 32 bits.
uint32_t unpackComponent(ExportFormat format, uint16_t bits) {
  switch (format) {
  case ExportFormat::Fp16:
    return bitsOf(_cvtsh_ss(bits));
  case ExportFormat::Unorm16:
    return bitsOf(float(double(bits) / 65535));
  case ExportFormat::Snorm16:
    return bitsOf(float(std::max(double(int16_t(bits)) / 32767, -1.0)));
  case ExportFormat::Sint16:
    return uint32_t(int32_t(int16_t(bits)));
  default:
    return bits;
  }
}

/// Every pair of lanes with a lane of \p lanes.
uint64_t wholePairs(uint64_t lanes) {
  uint64_t low = (lanes | lanes >> 1) & 0x5555555555555555;
  return low | low << 1;
}

} // namespace

std::array<uint32_t, 4> decodeExport(ExportFormat format, const std::array<uint32_t, 4> &words) {
  switch (format) {
  case ExportFormat::Zero:
    return {0, 0, 0, 0};
  case ExportFormat::R32:
    return {words[0], 0, 0, 0};
  case ExportFormat::GR32:
    return {words[0], words[1], 0, 0};
  case ExportFormat::AR32: // gfx10+: alpha is the second dword
    return {words[0], 0, 0, words[1]};
  case ExportFormat::Abgr32:
    return words;
  default:
    break;
  }
  std::array<uint32_t, 4> values;
  for (unsigned i = 0; i < 4; ++i)
    values[i] = unpackComponent(format, uint16_t(words[i / 2] >> (i % 2 * 16)));
  return values;
}

void FragmentExports::begin(const FragmentRegisters &newRegisters, Generation newGeneration,
                            bool isDualSource) {
  registers = &newRegisters;
  generation = newGeneration;
  dualSource = isDualSource;
  done = false;
  liveLanes = 0;
  colorCount = 0;
  for (unsigned i = 0; i < maxColorTargets; ++i)
    if (registers->colorMask >> 4 * i & 15)
      colorTarget[colorCount++] = uint8_t(i);
  for (Target &target : colors)
    target.lanes = target.words = 0;
  for (Target &target : sources)
    target.lanes = target.words = 0;
  depth.lanes = depth.words = 0;
}

FragmentExports::Target *FragmentExports::targetOf(unsigned number) {
  if (number < maxColorTargets)
    return &colors[number];
  if (number == depthTarget)
    return &depth;
  return number == firstSource || number == secondSource ? &sources[number - firstSource] : nullptr;
}

std::string FragmentExports::colorProblem(const ExportData &data, unsigned number) const {
  std::string name = "export to colour " + std::to_string(number);
  ExportFormat format = registers->colorFormats[number];
  if (format == ExportFormat::Zero)
    return name + ", which has no format";
  if (format > ExportFormat::Abgr32)
    return name + " in format " + std::to_string(unsigned(format));
  if (number >= colorCount)
    return name + ", but CB_SHADER_MASK has " + std::to_string(colorCount);
  if (isGfx10(generation) && data.compressed != isPacked(format))
    return name + (data.compressed ? ": compressed, but of a 32-bit format"
                                   : ": of a 16-bit format, but not compressed");
  return "";
}

/// Empty: the export is right.
std::string FragmentExports::problemOf(const ExportData &data) const {
  unsigned number = data.target;
  if (number == nullTarget)
    return "";
  bool isSource = number == firstSource || number == secondSource;
  bool isKnown = number <= depthTarget || (isSource && !isGfx10(generation));
  if (!isKnown)
    return "export target " + std::to_string(number) + " in a fragment shader";
  if (!data.enable) // only says which pixels live
    return "";
  if (number == depthTarget) {
    ExportFormat format = registers->depthFormat;
    bool isWide = format == ExportFormat::R32 || format == ExportFormat::GR32 ||
                  format == ExportFormat::AR32 || format == ExportFormat::Abgr32;
    if (!isWide || data.compressed)
      return "depth export in format " + std::to_string(unsigned(format)) +
             (data.compressed ? ", compressed" : "");
    return "";
  }
  return colorProblem(data, isSource ? 0 : number);
}

void FragmentExports::add(Wave &wave, const ExportData &data) {
  if (std::string problem = problemOf(data); !problem.empty())
    return wave.fault(DeviceFault::Kind::BadInstruction, problem);
  if (data.done || data.validMask) {
    liveLanes = data.exec;
    done = true;
  }
  Target *target = targetOf(data.target);
  if (!target || !data.enable)
    return;
  // A lane that is off carries a source of its neighbour.
  uint64_t lanes = data.target >= firstSource ? wholePairs(data.exec) : data.exec;
  target->lanes |= lanes;
  for (unsigned word = 0; word < 4; ++word) {
    if (!data.data[word])
      continue;
    target->words |= 1u << word;
    for (unsigned lane = 0; lane < wave.lanes; ++lane)
      if (lanes >> lane & 1)
        target->data[word].lane[lane] = data.data[word]->lane[lane];
  }
}

std::array<uint32_t, 4> FragmentExports::wordsOf(const Target &target, unsigned lane) const {
  std::array<uint32_t, 4> words = {};
  for (unsigned i = 0; i < 4; ++i)
    if (target.words >> i & 1)
      words[i] = target.data[i].lane[lane];
  return words;
}

void FragmentExports::addColors(unsigned lane, PixelColors &result) const {
  unsigned count = dualSource && isGfx10(generation) ? std::min(colorCount, 1u) : colorCount;
  for (unsigned i = 0; i < count; ++i) {
    if (!(colors[i].lanes >> lane & 1))
      continue;
    unsigned target = colorTarget[i];
    result.values[target] = decodeExport(registers->colorFormats[i], wordsOf(colors[i], lane));
    result.written |= uint8_t(1u << target);
  }
  if (dualSource && isGfx10(generation) && colors[1].lanes >> lane & 1)
    result.second = decodeExport(registers->colorFormats[1], wordsOf(colors[1], lane));
}

/// gfx11+: the first export has both sources of the even lanes, the second those of the odd ones;
/// of each pair the even lane holds source 0.
void FragmentExports::addSources(unsigned lane, PixelColors &result) const {
  const Target &target = sources[lane & 1];
  if (!(target.lanes >> lane & 1))
    return;
  unsigned even = lane & ~1u;
  ExportFormat format = registers->colorFormats[0];
  unsigned number = colorCount ? colorTarget[0] : 0;
  result.values[number] = decodeExport(format, wordsOf(target, even));
  result.second = decodeExport(format, wordsOf(target, even + 1));
  result.written |= uint8_t(1u << number);
}

void FragmentExports::addDepth(unsigned lane, FragmentPixel &pixel) const {
  if (!(depth.lanes >> lane & 1))
    return;
  std::array<uint32_t, 4> words = wordsOf(depth, lane);
  bool isAlphaSecond = registers->depthFormat == ExportFormat::AR32;
  unsigned alphaWord = isAlphaSecond ? 1 : 3;
  if (registers->zExport) {
    pixel.hasDepth = true;
    pixel.depth = std::bit_cast<float>(words[0]);
  }
  if (registers->stencilExport)
    pixel.stencil = int(words[1] & 0xFF);
  if (registers->maskExport)
    pixel.mask = words[2];
  // gfx11+: takes the place of the colour's alpha.
  if (!isGfx10(generation) && depth.words >> alphaWord & 1) {
    pixel.hasAlpha = true;
    pixel.alpha = std::bit_cast<float>(words[alphaWord]);
  }
}

FragmentPixel FragmentExports::pixel(unsigned lane) const {
  FragmentPixel result;
  addDepth(lane, result);
  if (!registers->dummyExport) {
    addColors(lane, result.colors);
    addSources(lane, result.colors);
  }
  if (!result.hasAlpha && result.colors.written & 1) {
    result.hasAlpha = true;
    result.alpha = std::bit_cast<float>(result.colors.values[0][3]);
  }
  return result;
}

} // namespace pal::device
