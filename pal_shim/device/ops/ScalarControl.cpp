//===- ScalarControl.cpp - control flow, waits, modes ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Source: RDNA ISA manuals, chapters "Program flow control" and "SOPP instructions". Waits, hints
/// and cache control have nothing to do here: every instruction is complete when the next one
/// starts, and a wave that polls memory is interrupted by the scheduler. Only other waves are
/// waited for: at barriers, and for the right to export.
#include "pal_shim/abi/AbiError.h"
#include "pal_shim/device/core/Barrier.h"
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/core/ProgramData.h"
#include "pal_shim/device/core/StagePort.h"
#include "pal_shim/device/ops/Scalar.h"
#include "llvm/ADT/STLExtras.h"
#include <chrono>

namespace pal::device {

namespace {

// ---- jumps
// ------------------------------------------------------------------------------------------
void doNothing(Wave &, const Instr &) {}

void jump(Wave &wave, const Instr &instr) { wave.ip = instr.target; }

template <auto Condition> void jumpIf(Wave &wave, const Instr &instr) {
  if (Condition(wave))
    wave.ip = instr.target;
}
bool sccIs0(const Wave &wave) { return !wave.scc; }
bool sccIs1(const Wave &wave) { return wave.scc; }
bool vccIsZero(const Wave &wave) { return !wave.vcc(); }
bool vccIsNotZero(const Wave &wave) { return wave.vcc(); }
bool execIsZero(const Wave &wave) { return !wave.exec(); }
bool execIsNotZero(const Wave &wave) { return wave.exec(); }

GpuAddress addressAfter(const Wave &wave, const Instr &instr) {
  return wave.program->codeBase + instr.pc + instr.sizeBytes;
}

void jumpTo(Wave &wave, GpuAddress address) {
  const ProgramData &program = *wave.program;
  uint64_t offset = address - program.codeBase;
  uint32_t index = ~0u;
  if (offset % 4 == 0 && offset / 4 < program.indexOfDword.size())
    index = program.indexOfDword[offset / 4];
  if (index == ~0u)
    wave.fault(DeviceFault::Kind::BadInstruction,
               "jump to " + abi::hex(address) + ", where no instruction of the program starts");
  else
    wave.ip = index;
}

void getPc(Wave &wave, const Instr &instr) {
  writeScalar64(wave, instr.dst[0], addressAfter(wave, instr));
}
void setPc(Wave &wave, const Instr &instr) { jumpTo(wave, readScalar64(wave, instr.src[0])); }
void swapPc(Wave &wave, const Instr &instr) {
  GpuAddress target = readScalar64(wave, instr.src[0]);
  writeScalar64(wave, instr.dst[0], addressAfter(wave, instr));
  jumpTo(wave, target);
}
void callFunction(Wave &wave, const Instr &instr) {
  writeScalar64(wave, instr.dst[0], addressAfter(wave, instr));
  wave.ip = instr.target;
}

// ---- end, barrier
// -----------------------------------------------------------------------------------
void endProgram(Wave &wave, const Instr &) {
  if (StagePort *port = wave.group->port)
    port->ended(wave);
  if (wave.state != WaveState::Faulted)
    endWave(wave);
}

void faultAtEnd(Wave &wave, const Instr &) {
  wave.fault(DeviceFault::Kind::BadInstruction, "execution ran into padding after the code");
}
void trap(Wave &wave, const Instr &instr) {
  wave.fault(DeviceFault::Kind::BadInstruction, "trap " + llvm::Twine(instr.simm & 0xFF));
}

void barrier(Wave &wave, const Instr &) {
  signalBarrier(wave);
  waitAtBarrier(wave);
}
void barrierSignal(Wave &wave, const Instr &) { signalBarrier(wave); }
void barrierSignalIsFirst(Wave &wave, const Instr &) {
  bool isFirst = wave.group->barrierArrived == 0;
  signalBarrier(wave);
  wave.scc = isFirst;
}
void barrierWait(Wave &wave, const Instr &) { waitAtBarrier(wave); }

/// gfx12: -1 is the barrier of the workgroup; others are named barriers and the trap barrier.
bool decodeBarrier(const RawInstr &raw, Instr &instr, std::string &why) {
  int64_t number = raw.encoding == Encoding::Sopp ? int16_t(raw.bits(0, 16)) : 0;
  if (raw.encoding == Encoding::Sop1) {
    // The operand is a source field with an inline constant, where 193 is -1.
    uint32_t field = raw.bits(0, 8);
    number = field >= 193 && field <= 208 ? 192 - int64_t(field) : int64_t(field);
  }
  if (number == -1)
    return true;
  why = "barrier other than the workgroup's";
  return false;
}

// ---- messages
// ---------------------------------------------------------------------------------------
uint64_t nanoseconds() {
  using namespace std::chrono;
  return uint64_t(
      duration_cast<std::chrono::nanoseconds>(steady_clock::now().time_since_epoch()).count());
}

/// The constant-rate counter runs at 100 MHz.
void getRealTime(Wave &wave, const Instr &instr) {
  writeScalar64(wave, instr.dst[0], nanoseconds() / 10);
}

/// s_sendmsg_rtn_*: the message number is in the place of the source.
bool decodeMessageReturn(const RawInstr &raw, Instr &instr, std::string &why) {
  constexpr uint32_t getRealTimeMessage = 131;
  if (raw.bits(0, 8) != getRealTimeMessage) {
    why = "message " + std::to_string(raw.bits(0, 8));
    return false;
  }
  return decodeSalu(raw, instr, why);
}

/// S_WAIT_EVENT. Bit 0 (gfx11): not for the right to export; bit 1 (gfx12): for it.
void waitForEvent(Wave &wave, const Instr &instr) {
  bool forExport = isGfx12(wave.generation) ? instr.simm & 2 : !(instr.simm & 1);
  StagePort *port = wave.group->port;
  if (forExport && port && !port->isExportReady(wave))
    --wave.ip; // the next turn asks again
}

// ---- MODE and hardware registers
// --------------------------------------------------------------------
void setMode(Wave &wave, uint32_t bits) {
  wave.modeBits = bits;
  wave.invalidateFloatMode();
}
void roundMode(Wave &wave, const Instr &instr) {
  setMode(wave, (wave.modeBits & ~0xFu) | (instr.simm & 0xF));
}
void denormMode(Wave &wave, const Instr &instr) {
  setMode(wave, (wave.modeBits & ~0xF0u) | (instr.simm & 0xF) << 4);
}

/// A hardware register that s_getreg and s_setreg may name.
struct HwReg {
  unsigned id;
  uint8_t generations; ///< bit per Generation
  uint32_t (*read)(const Wave &wave);
  void (*write)(Wave &wave, uint32_t value); ///< null: read only
};

uint32_t readMode(const Wave &wave) { return wave.modeBits; }
uint32_t readStatus(const Wave &wave) {
  return wave.scc | uint32_t(!wave.exec()) << 9 | uint32_t(!wave.vcc()) << 10;
}
uint32_t readZero(const Wave &) { return 0; }
/// WAVE_ID; all workgroups run on shader engine, array, WGP and SIMD 0.
uint32_t readHwId1(const Wave &wave) { return wave.index & 0x1F; }
uint32_t readCyclesLow(const Wave &) { return uint32_t(nanoseconds()); }
uint32_t readCycles20(const Wave &) { return uint32_t(nanoseconds()) & 0xFFFFF; }
uint32_t readCyclesHigh(const Wave &) { return uint32_t(nanoseconds() >> 32); }
void writeNothing(Wave &, uint32_t) {}
void writePopsPacker(Wave &wave, uint32_t value) {
  if (StagePort *port = wave.group->port)
    port->watchPacker(wave, value);
}

constexpr uint8_t gen10 = 0x03, gen11 = 0x0C, gen12 = 0x10, allGenerations = 0x1F;

/// Numbers: RDNA ISA manuals, "Hardware register values". Scratch is not found through its base
/// register here, so writing that (gfx10) or the scheduling mode (gfx12) has no effect.
constexpr HwReg hwRegs[] = {
    {1, allGenerations, readMode, setMode},
    {2, allGenerations, readStatus, nullptr},
    {3, gen10 | gen11, readZero, writeNothing}, // TRAPSTS: no exception is ever pending
    {20, gen10, readZero, writeNothing},        // FLAT_SCR_LO
    {21, gen10, readZero, writeNothing},        // FLAT_SCR_HI
    {23, allGenerations, readHwId1, nullptr},
    {24, allGenerations, readZero, nullptr}, // HW_ID2: queue, pipe and process 0
    {25, gen10, readZero, writePopsPacker},
    {26, gen12, readZero, writeNothing}, // SCHED_MODE
    {29, gen10 | gen11, readCycles20, nullptr},
    {29, gen12, readCyclesLow, nullptr},
    {30, gen12, readCyclesHigh, nullptr},
};

const HwReg *findHwReg(Generation generation, unsigned id) {
  const HwReg *found = llvm::find_if(hwRegs, [&](const HwReg &reg) {
    return reg.id == id && reg.generations >> unsigned(generation) & 1;
  });
  return found == std::end(hwRegs) ? nullptr : found;
}

struct HwRegField {
  unsigned id, offset;
  uint32_t mask; ///< of the field, at bit 0
};
/// simm16: id [5:0], offset [10:6], size - 1 [15:11].
HwRegField hwRegField(int32_t simm) {
  return {unsigned(simm) & 0x3F, unsigned(simm) >> 6 & 0x1F,
          uint32_t((2ull << (unsigned(simm) >> 11 & 0x1F)) - 1)};
}

void getReg(Wave &wave, const Instr &instr) {
  HwRegField field = hwRegField(instr.simm);
  uint32_t value = findHwReg(wave.generation, field.id)->read(wave);
  writeScalar32(wave, instr.dst[0], value >> field.offset & field.mask);
}

void setReg(Wave &wave, const Instr &instr) {
  HwRegField field = hwRegField(instr.simm);
  const HwReg &reg = *findHwReg(wave.generation, field.id);
  uint32_t value = readScalar32(wave, instr.src[0]);
  uint32_t mask = field.mask << field.offset;
  reg.write(wave, (reg.read(wave) & ~mask) | (value << field.offset & mask));
}

bool checkHwReg(const RawInstr &raw, Instr &instr, bool isWrite, std::string &why) {
  instr.simm = int32_t(raw.bits(0, 16));
  HwRegField field = hwRegField(instr.simm);
  const HwReg *reg = findHwReg(raw.generation, field.id);
  if (reg && (reg->write || !isWrite))
    return true;
  why = (isWrite ? "write of hardware register " : "hardware register ") + std::to_string(field.id);
  return false;
}

bool decodeGetReg(const RawInstr &raw, Instr &instr, std::string &why) {
  return decodeSalu(raw, instr, why) && checkHwReg(raw, instr, false, why);
}

/// The register to store, or the literal of s_setreg_imm32_b32, becomes src[0].
bool decodeSetReg(const RawInstr &raw, Instr &instr, std::string &why) {
  if (!decodeSalu(raw, instr, why))
    return false;
  if (raw.dwords.size() > 1) {
    instr.src[0].kind = Src::Kind::Imm;
    instr.src[0].imm = raw.dwords[1];
  }
  return checkHwReg(raw, instr, true, why);
}

bool decodeHalt(const RawInstr &raw, Instr &, std::string &why) {
  if (raw.bits(0, 16) == 0)
    return true;
  why = "halting the wave";
  return false;
}

#define KILN_NOTHING(names) {names, doNothing, decodeSalu}

constexpr OpEntry ops[] = {
    {"s_branch", jump, decodeSalu},
    {"s_cbranch_scc0", jumpIf<sccIs0>, decodeSalu},
    {"s_cbranch_scc1", jumpIf<sccIs1>, decodeSalu},
    {"s_cbranch_vccz", jumpIf<vccIsZero>, decodeSalu},
    {"s_cbranch_vccnz", jumpIf<vccIsNotZero>, decodeSalu},
    {"s_cbranch_execz", jumpIf<execIsZero>, decodeSalu},
    {"s_cbranch_execnz", jumpIf<execIsNotZero>, decodeSalu},
    {"s_getpc_b64", getPc, decodeSalu},
    {"s_setpc_b64", setPc, decodeSalu},
    {"s_swappc_b64", swapPc, decodeSalu},
    {"s_call_b64", callFunction, decodeSalu},
    {"s_endpgm", endProgram, decodeSalu},
    {"s_code_end", faultAtEnd, decodeSalu},
    {"s_trap", trap, decodeSalu},
    {"s_sethalt", doNothing, decodeHalt},
    {"s_barrier", barrier, decodeSalu},
    {"s_barrier_signal", barrierSignal, decodeBarrier},
    {"s_barrier_signal_isfirst", barrierSignalIsFirst, decodeBarrier},
    {"s_barrier_wait", barrierWait, decodeBarrier},
    {"s_sendmsg_rtn_b64", getRealTime, decodeMessageReturn},
    {"s_round_mode", roundMode, decodeSalu},
    {"s_denorm_mode", denormMode, decodeSalu},
    {"s_getreg_b32", getReg, decodeGetReg},
    {"s_setreg_b32", setReg, decodeSetReg},
    {"s_setreg_imm32_b32", setReg, decodeSetReg},
    {"s_wait_event", waitForEvent, decodeSalu},
    KILN_NOTHING("s_nop"),
    KILN_NOTHING("s_clause"),
    KILN_NOTHING("s_delay_alu"),
    KILN_NOTHING("s_sleep"),
    KILN_NOTHING("s_sleep_var"),
    KILN_NOTHING("s_wakeup"),
    KILN_NOTHING("s_setprio"),
    KILN_NOTHING("s_set_inst_prefetch_distance s_inst_prefetch"),
    KILN_NOTHING("s_icache_inv"),
    KILN_NOTHING("s_version"),
    KILN_NOTHING("s_incperflevel"),
    KILN_NOTHING("s_decperflevel"),
    KILN_NOTHING("s_ttracedata"),
    KILN_NOTHING("s_ttracedata_imm"),
    KILN_NOTHING("s_waitcnt"),
    KILN_NOTHING("s_waitcnt_depctr s_wait_alu"),
    KILN_NOTHING("s_waitcnt_vscnt"),
    KILN_NOTHING("s_waitcnt_vmcnt"),
    KILN_NOTHING("s_waitcnt_expcnt"),
    KILN_NOTHING("s_waitcnt_lgkmcnt"),
    KILN_NOTHING("s_wait_idle"),
    KILN_NOTHING("s_wait_loadcnt"),
    KILN_NOTHING("s_wait_storecnt"),
    KILN_NOTHING("s_wait_samplecnt"),
    KILN_NOTHING("s_wait_bvhcnt"),
    KILN_NOTHING("s_wait_expcnt"),
    KILN_NOTHING("s_wait_dscnt"),
    KILN_NOTHING("s_wait_kmcnt"),
    KILN_NOTHING("s_wait_loadcnt_dscnt"),
    KILN_NOTHING("s_wait_storecnt_dscnt"),
};

} // namespace

llvm::ArrayRef<OpEntry> scalarControlOps() { return ops; }

} // namespace pal::device
