//===- StreamOutOps.cpp - counters of transform feedback -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// DS_ORDERED_COUNT and DS_ADD_GS_REG_RTN, DS_SUB_GS_REG_RTN (gfx11): atomics on registers behind
/// the geometry engine, passed on to the group's port. Encodings: LLVM's assembler; the first has
/// its value in ADDR, the counter's number in bits 7:2 of the offset and release and done in bits 8
/// and 9, the ordered id in M0; the others have theirs in DATA0 and the number times four.
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/graphics/PortAccess.h"
#include "pal_shim/device/memory/Fields.h"
#include "pal_shim/device/memory/MemOps.h"

namespace pal::device {

namespace {

constexpr unsigned counterShift = 2, counterMask = 0x3F, doneBit = 9;

template <class MakeAccess>
void runOnCounter(Wave &wave, const Instr &instr, const uint32_t *values, MakeAccess makeAccess) {
  StagePort *port = portFor(wave, "counter access");
  if (!port)
    return;
  uint32_t before[maxLanes];
  forEachLane(wave.exec(), [&](unsigned lane) {
    before[lane] = port->addToCounter(wave, makeAccess(values[lane]));
  });
  forEachLane(wave.exec(),
              [&](unsigned lane) { wave.v[instr.dst[0].reg].lane[lane] = before[lane]; });
}

void runOrderedCount(Wave &wave, const Instr &instr) {
  auto offset = uint32_t(instr.simm);
  runOnCounter(wave, instr, wave.v[instr.src[0].reg].lane, [&](uint32_t value) {
    return CounterAccess{.counter = offset >> counterShift & counterMask,
                         .amount = value,
                         .isOrdered = true,
                         .orderedId = wave.s[sreg::m0],
                         .endsTurn = (offset >> doneBit & 1) != 0};
  });
}

template <int sign> void runGsRegister(Wave &wave, const Instr &instr) {
  runOnCounter(wave, instr, wave.v[instr.src[1].reg].lane, [&](uint32_t value) {
    return CounterAccess{.counter = uint32_t(instr.simm) >> counterShift,
                         .amount = uint32_t(sign) * value};
  });
}

constexpr MemOp counterOp = {.apply = nullptr, .kind = MemKind::Load, .resultDwords = 1};

const OpEntry table[] = {
    {"ds_ordered_count", runOrderedCount, decodeCounter, &counterOp},
    {"ds_add_gs_reg_rtn", runGsRegister<1>, decodeCounter, &counterOp},
    {"ds_sub_gs_reg_rtn", runGsRegister<-1>, decodeCounter, &counterOp},
};

} // namespace

llvm::ArrayRef<OpEntry> streamOutCounterOps() { return table; }

} // namespace pal::device
