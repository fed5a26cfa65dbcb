//===- FragmentExports.h - what a wave of the PS stage exports -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Collects the exports of a wave and takes them apart into pixels. Private to the fragment stage.
#pragma once

#include "pal_shim/device/core/GraphicsProgram.h"
#include "pal_shim/device/core/StagePort.h"
#include "pal_shim/device/graphics/OutputMerger.h"

namespace pal::device {

/// What one invocation exported.
struct FragmentPixel {
  PixelColors colors;
  float depth = 0;
  int stencil = -1;    ///< -1: none
  uint32_t mask = ~0u; ///< samples that the shader lets through
  bool hasDepth = false;
  bool hasAlpha = false; ///< for alpha to coverage
  float alpha = 1;
};

class FragmentExports {
public:
  /// \p isDualSource: the blend equation has a second source.
  void begin(const FragmentRegisters &newRegisters, Generation newGeneration, bool isDualSource);
  /// Faults the wave for an export that does not fit the registers.
  void add(Wave &wave, const ExportData &data);

  /// Whether any export said which lanes live.
  bool isDone() const { return done; }
  /// Lanes that lived at the export that ended the wave's exports.
  uint64_t live() const { return liveLanes; }
  /// What \p lane exported.
  FragmentPixel pixel(unsigned lane) const;

private:
  /// What came to one export target.
  struct Target {
    uint64_t lanes = 0; ///< that exported it
    unsigned words = 0; ///< bit a dword
    Row data[4];
  };
  std::string problemOf(const ExportData &data) const;
  std::string colorProblem(const ExportData &data, unsigned number) const;
  Target *targetOf(unsigned number);
  std::array<uint32_t, 4> wordsOf(const Target &target, unsigned lane) const;
  void addColors(unsigned lane, PixelColors &colors) const;
  void addSources(unsigned lane, PixelColors &colors) const;
  void addDepth(unsigned lane, FragmentPixel &pixel) const;

  const FragmentRegisters *registers = nullptr;
  Generation generation = Generation::Gfx11;
  bool dualSource = false, done = false;
  uint64_t liveLanes = 0;
  std::array<uint8_t, maxColorTargets> colorTarget = {}; ///< of each mrt: skips unused ones
  unsigned colorCount = 0;
  std::array<Target, maxColorTargets> colors;
  std::array<Target, 2> sources; ///< gfx11+: dual source blending
  Target depth;
};

/// Values of a colour export as the output merger takes them: r, g, b, a; what is missing is 0.
std::array<uint32_t, 4> decodeExport(ExportFormat format, const std::array<uint32_t, 4> &words);

} // namespace pal::device
