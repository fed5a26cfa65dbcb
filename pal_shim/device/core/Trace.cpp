//===- Trace.cpp - what an instruction wrote -------------------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/Trace.h"
#include "pal_shim/abi/AbiError.h"

namespace pal::device {

namespace {

std::string sgprName(unsigned slot, unsigned lanes) {
  if (slot == sreg::vccLo || slot == sreg::vccHi)
    return slot == sreg::vccLo ? "vcc_lo" : "vcc_hi";
  if (slot == sreg::execLo || slot == sreg::execHi)
    return slot == sreg::execLo ? "exec_lo" : "exec_hi";
  if (slot == sreg::m0)
    return "m0";
  if (slot >= sreg::ttmp0 && slot < sreg::ttmp0 + 16)
    return "ttmp" + std::to_string(slot - sreg::ttmp0);
  return "s" + std::to_string(slot);
}

} // namespace

void TraceStep::before(const Wave &wave) {
  sgprs.assign(wave.s, wave.s + sreg::count);
  vgprs.assign(wave.v, wave.v + 256);
  scc = wave.scc;
}

void TraceStep::addVgpr(const Wave &wave, unsigned reg, bool always) {
  unsigned first = options.lane < 0 ? 0 : unsigned(options.lane);
  unsigned end = options.lane < 0 ? wave.lanes : first + 1;
  for (unsigned lane = first; lane < std::min(end, wave.lanes); ++lane)
    if (always || wave.v[reg].lane[lane] != vgprs[reg].lane[lane])
      line += " v" + std::to_string(reg) + "[" + std::to_string(lane) +
              "]=" + abi::hex(wave.v[reg].lane[lane]);
}

void TraceStep::addSgprs(const Wave &wave, const Instr &instr) {
  for (unsigned slot = 0; slot < sreg::count; ++slot) {
    bool isDst = false;
    for (const Dst &dst : instr.dst)
      isDst |= dst.kind == Dst::Kind::Sgpr && dst.reg == slot;
    if (isDst || wave.s[slot] != sgprs[slot])
      line += " " + sgprName(slot, wave.lanes) + "=" + abi::hex(wave.s[slot]);
  }
  if (wave.scc != scc)
    line += " scc=" + std::to_string(wave.scc);
}

std::string TraceStep::after(const Wave &wave, const Instr &instr) {
  line = abi::hex(instr.pc) + ": " + wave.program->textOf(instr.pc) + " |";
  for (unsigned reg = 0; reg < 256; ++reg) {
    bool isDst = false;
    for (const Dst &dst : instr.dst)
      isDst |= dst.kind == Dst::Kind::Vgpr && dst.reg == reg;
    addVgpr(wave, reg, isDst);
  }
  addSgprs(wave, instr);
  return line;
}

} // namespace pal::device
