//===- Trace.h - what an instruction wrote ---------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/core/ProgramData.h"
#include "pal_shim/device/core/Wave.h"

namespace pal::device {

/// Compares registers before and after an instruction.
class TraceStep {
public:
  explicit TraceStep(const TraceOptions &options) : options(options) {}
  void before(const Wave &wave);
  /// "0x10: v_add_f32_e32 v0, v1, v2 | v0[0]=0x3f800000 s4=0x1 scc=1": registers that the
  /// instruction changed, and its destinations, changed or not.
  std::string after(const Wave &wave, const Instr &instr);

private:
  void addVgpr(const Wave &wave, unsigned reg, bool always);
  void addSgprs(const Wave &wave, const Instr &instr);

  const TraceOptions &options;
  std::vector<uint32_t> sgprs;
  std::vector<Row> vgprs;
  uint32_t scc = 0;
  std::string line;
};

} // namespace pal::device
