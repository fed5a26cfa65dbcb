//===- FragmentPort.h - the hardware around fragment shader waves ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// What waves of the PS stage that run at the same time are given, ask for and leave behind:
/// registers, parameters, exports, order. Private to the fragment stage.
#pragma once

#include "pal_shim/device/Debug.h"
#include "pal_shim/device/graphics/FragmentExports.h"
#include "pal_shim/device/graphics/FragmentOrder.h"
#include "pal_shim/device/graphics/FragmentWave.h"

namespace pal::device {

/// What a wave leaves behind.
struct WaveResult {
  uint64_t live = 0;
  std::vector<FragmentPixel> pixels; ///< of the lanes in `live`, in their order
};

/// The hardware around waves that run at the same time.
class FragmentPort : public StagePort {
public:
  FragmentPort(const FragmentSetup &setup, bool isDualSource)
      : setup(setup), isDualSource(isDualSource) {}

  /// \p newWaves: the quads of each; \p overlapped: as FragmentOrder takes it, empty without order.
  void begin(std::vector<llvm::ArrayRef<FragmentQuad>> newWaves,
             llvm::ArrayRef<uint32_t> overlapped);
  void fill(Wave &wave);
  /// For debuggers: lane \p lane of wave \p wave.
  DrawInvocation describe(size_t wave, unsigned lane) const;
  void exportData(Wave &wave, const ExportData &data) override;
  void message(Wave &wave, unsigned id, uint32_t payload) override;
  void loadParameter(Wave &wave, unsigned attribute, unsigned channel, ParameterRow *rows) override;
  bool isExportReady(const Wave &wave) override;
  void watchPacker(Wave &wave, uint32_t value) override;
  void ended(Wave &wave) override;
  bool isDone(size_t wave) const { return exports[wave].isDone(); }
  WaveResult result(size_t wave) const;

private:
  const FragmentSetup &setup;
  bool isDualSource, isOrdered = false;
  std::vector<llvm::ArrayRef<FragmentQuad>> waves;
  std::vector<FragmentExports> exports;
  FragmentOrder order;
};

} // namespace pal::device
