//===- StagePort.h - how waves of graphics stages reach fixed function -----===//
// SPDX-License-Identifier: MIT
/// \file
/// Instructions of graphics stages that talk to the hardware around the shader core: exports,
/// messages, parameter loads. A group of waves has one port; compute groups have none, and such an
/// instruction is a fault there.
#pragma once

#include "pal_shim/device/core/Wave.h"

namespace pal::device {

/// EXP (RDNA ISA manuals, "Export"). Lanes that EXEC leaves out export nothing.
struct ExportData {
  unsigned target = 0; ///< number in the encoding: 0.. mrt, 8 mrtz, 9 null, 12.. pos, 20 prim,
                       ///< 21 and 22 dual source blend, 32.. param
  unsigned enable = 0; ///< bit per dword (gfx10 with compr: two bits per dword)
  bool done = false;
  bool compressed = false; ///< gfx10: two dwords of packed 16-bit values
  bool validMask = false;  ///< gfx10: EXEC says which pixels live
  bool hasRow = false;     ///< gfx11+ row exports (mesh): for a wave's worth of vertices
  unsigned row = 0;        ///< which one; from M0
  std::array<const Row *, 4> data = {}; ///< null where not enabled
  uint64_t exec = 0;
};

/// One dword of a parameter for the three vertices of each quad's primitive.
struct ParameterRow {
  uint32_t p0, p10, p20;
};

/// DS_ORDERED_COUNT, DS_ADD_GS_REG_RTN, DS_SUB_GS_REG_RTN (gfx11): the counters of transform
/// feedback, which were once registers of the global data share.
struct CounterAccess {
  unsigned counter = 0; ///< number of the register
  uint32_t amount = 0;  ///< added
  bool isOrdered = false;
  uint32_t orderedId = 0; ///< ordered: waits until it is the turn of this one
  bool endsTurn = false;  ///< ordered: the next one may go on
};

class StagePort {
public:
  virtual ~StagePort() = default;
  virtual void exportData(Wave &wave, const ExportData &data) = 0;
  /// S_SENDMSG: \p message as in the encoding (id and operation), \p m0.
  virtual void message(Wave &wave, unsigned message, uint32_t m0) = 0;
  /// V_INTERP_*, LDS_PARAM_LOAD: \p attribute as encoded, \p channel 0..3; for quad
  /// 0 .. lanes / 4 - 1. M0 is opaque to the device.
  virtual void loadParameter(Wave &wave, unsigned attribute, unsigned channel,
                             ParameterRow *quads) = 0;
  /// Returns the counter's value before. Faults where the stage has no counters.
  virtual uint32_t addToCounter(Wave &wave, const CounterAccess &access);

  // Order of overlapping fragments.
  /// S_WAIT_EVENT (gfx11+): may \p wave export? It asks again until it may.
  virtual bool isExportReady(const Wave &) { return true; }
  /// S_SETREG of POPS_PACKER (gfx10).
  virtual void watchPacker(Wave &, uint32_t) {}
  /// S_ENDPGM.
  virtual void ended(Wave &) {}
};

} // namespace pal::device
