//===- Effects.cpp - what an instruction does to registers and counters ---===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/strict/Effects.h"
#include "pal_shim/device/core/Decoder.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace pal::device::strict {

namespace {

Unit unitOf(const RawInstr &raw) {
  switch (raw.encoding) {
  case Encoding::Sop1:
  case Encoding::Sop2:
  case Encoding::Sopk:
  case Encoding::Sopc:
  case Encoding::Sopp:
    return Unit::Salu;
  case Encoding::Smem:
    return Unit::Smem;
  case Encoding::Mubuf:
  case Encoding::Mtbuf:
  case Encoding::Vbuffer:
  case Encoding::Mimg:
  case Encoding::Vimage:
  case Encoding::Vsample:
    return Unit::Vmem;
  case Encoding::Flat:
  case Encoding::Global:
  case Encoding::Scratch:
    return Unit::Flat;
  case Encoding::Ds:
    return Unit::Lds;
  case Encoding::LdsDir:
    return Unit::LdsDirect;
  case Encoding::Exp:
    return Unit::Export;
  case Encoding::Count:
    return Unit::Other;
  default:
    return Unit::Valu;
  }
}

void addRange(SmallVectorImpl<RegRange> &ranges, const RawOperand &operand) {
  if (operand.kind == RawOperand::Kind::Vgpr)
    ranges.push_back(operand.isHalf
                         ? RegRange{uint16_t(2 * operand.reg + operand.hi), 1}
                         : RegRange{uint16_t(2 * operand.reg), uint16_t(2 * operand.dwords)});
  else if (operand.kind == RawOperand::Kind::Sgpr)
    ranges.push_back({uint16_t(firstSgpr + operand.reg), operand.dwords});
}

void addOperands(const RawInstr &raw, Effects &effects) {
  for (ArrayRef<RawOperand> operands : {ArrayRef(raw.operands), ArrayRef(raw.implicits)})
    for (const RawOperand &operand : operands)
      addRange(operand.isDef ? effects.writes : effects.reads, operand);
}

bool isTransName(StringRef name) {
  name.consume_front("v_s_") || name.consume_front("v_");
  return any_of(ArrayRef<StringRef>{"exp_", "log_", "rcp_", "rsq_", "sqrt_", "sin_", "cos_"},
                [&](StringRef start) { return name.starts_with(start); });
}

uint8_t vmemKindOf(const RawInstr &raw) {
  const StringRef name = raw.mnemonic;
  if (name.starts_with("image_bvh"))
    return kind::bvh;
  const bool samples = name.starts_with("image_sample") || name.starts_with("image_gather4") ||
                       name == "image_get_lod" || name == "image_msaa_load";
  return samples ? kind::sampler : kind::vmem;
}

Counter vmemCounterOf(uint8_t kind, Generation generation) {
  if (!isGfx12(generation) || kind == kind::vmem)
    return Counter::Load;
  return kind == kind::bvh ? Counter::Bvh : Counter::Sample;
}

/// Instructions of vector memory that no counter knows: invalidations and prefetches.
bool isUncounted(StringRef name) {
  return name.contains("_gl0_inv") || name.contains("_gl1_inv") || name.contains("prefetch");
}

bool writesVgpr(const Effects &effects) {
  return any_of(effects.writes, [](const RegRange &range) { return range.isVgpr(); });
}

void addVmemEvent(const RawInstr &raw, Effects &effects) {
  if (isUncounted(raw.mnemonic))
    return;
  const uint8_t kind = vmemKindOf(raw);
  const bool loads = writesVgpr(effects) || raw.mnemonic == "global_inv";
  effects.events[0] = {loads ? vmemCounterOf(kind, raw.generation) : Counter::Store, kind};
}

void addFlatEvents(const RawInstr &raw, Effects &effects) {
  addVmemEvent(raw, effects);
  // One that may go to LDS comes back by both counters.
  if (!raw.mnemonic.starts_with("flat_") || effects.events[0].counter == Counter::Count)
    return;
  effects.events[0].kind = kind::flat;
  effects.events[1] = {Counter::Lds, kind::flat};
}

void addLdsEvents(const RawInstr &raw, Effects &effects) {
  const StringRef name = raw.mnemonic;
  effects.isLdsNop = name == "ds_nop";
  if (effects.isLdsNop)
    return;
  effects.events[0] = {Counter::Lds, kind::lds};
  const bool isGds = name == "ds_ordered_count" || name.starts_with("ds_gws") ||
                     name.ends_with("_gs_reg_rtn") ||
                     (!isGfx12(raw.generation) && raw.bits(17, 1) && raw.encoding == Encoding::Ds);
  if (isGds)
    effects.events[1] = {Counter::Export, kind::gds, true};
}

/// Channels that are off name a register all the same. EN in bits 3:0; gfx10, COMPR in bit 10: two
/// channels in one register.
bool isExported(const RawInstr &raw, unsigned source) {
  const unsigned channels = raw.bits(0, 4);
  if (isGfx10(raw.generation) && raw.bits(10, 1))
    return source < 2 && channels >> (2 * source) & 3;
  return channels >> source & 1;
}

void addExportEvent(const RawInstr &raw, Effects &effects) {
  effects.reads.clear();
  unsigned source = 0;
  for (const RawOperand &operand : raw.operands)
    if (operand.kind != RawOperand::Kind::Vgpr || isExported(raw, source++))
      addRange(effects.reads, operand);
  const unsigned target = raw.bits(4, 6);
  constexpr unsigned firstPosition = 12, lastPosition = 16, firstParameter = 32;
  uint8_t kind = kind::color;
  if (target >= firstParameter)
    kind = kind::parameter;
  else if (target >= firstPosition && target <= lastPosition)
    kind = kind::position;
  effects.events[0] = {Counter::Export, kind, true};
}

void addScalarMemoryEvent(const RawInstr &raw, Effects &effects) {
  if (raw.mnemonic.contains("prefetch"))
    return;
  effects.events[0] = {isGfx12(raw.generation) ? Counter::Scalar : Counter::Lds, kind::scalar};
}

void addLdsDirect(const RawInstr &raw, Effects &effects) {
  effects.events[0] = {Counter::Export, kind::ldsDirect};
  // RDNA3 ISA, LDSDIR: WAIT_VDST in bits 19:16; RDNA4 adds WAIT_VM_VSRC in bit 23.
  effects.waitVdst = uint8_t(raw.bits(16, 4));
  if (isGfx12(raw.generation))
    effects.waitVsrc = uint8_t(raw.bits(23, 1));
}

//===--- Waits ------------------------------------------------------------===//

void setWait(Effects &effects, Counter counter, unsigned left) {
  effects.waits[size_t(counter)] = uint8_t(left);
}

/// s_waitcnt: where each counter's bits are.
void addCombinedWait(const RawInstr &raw, Effects &effects) {
  const unsigned imm = raw.bits(0, 16);
  if (isGfx10(raw.generation)) {
    setWait(effects, Counter::Load, (imm & 15) | (imm >> 14 & 3) << 4);
    setWait(effects, Counter::Export, imm >> 4 & 7);
    setWait(effects, Counter::Lds, imm >> 8 & 63);
  } else {
    setWait(effects, Counter::Export, imm & 7);
    setWait(effects, Counter::Lds, imm >> 4 & 63);
    setWait(effects, Counter::Load, imm >> 10 & 63);
  }
  effects.waitsForAll = imm == 0;
}

struct WaitName {
  StringLiteral name;
  Counter low, high; ///< of bits 5:0 and 13:8
};
constexpr WaitName waitNames[] = {
    {"s_waitcnt_vmcnt", Counter::Load, Counter::Count},
    {"s_waitcnt_vscnt", Counter::Store, Counter::Count},
    {"s_waitcnt_expcnt", Counter::Export, Counter::Count},
    {"s_waitcnt_lgkmcnt", Counter::Lds, Counter::Count},
    {"s_wait_loadcnt", Counter::Load, Counter::Count},
    {"s_wait_storecnt", Counter::Store, Counter::Count},
    {"s_wait_samplecnt", Counter::Sample, Counter::Count},
    {"s_wait_bvhcnt", Counter::Bvh, Counter::Count},
    {"s_wait_expcnt", Counter::Export, Counter::Count},
    {"s_wait_dscnt", Counter::Lds, Counter::Count},
    {"s_wait_kmcnt", Counter::Scalar, Counter::Count},
    {"s_wait_loadcnt_dscnt", Counter::Lds, Counter::Load},
    {"s_wait_storecnt_dscnt", Counter::Lds, Counter::Store},
};

void addWaits(const RawInstr &raw, Effects &effects) {
  const StringRef name = raw.mnemonic;
  if (name == "s_waitcnt")
    addCombinedWait(raw, effects);
  else if (name == "s_waitcnt_depctr" || name == "s_wait_alu")
    effects.aluWait = uint16_t(raw.bits(0, 16));
  for (const WaitName &row : waitNames) {
    if (row.name != name)
      continue;
    setWait(effects, row.low, raw.bits(0, 16) & 63);
    if (row.high != Counter::Count)
      setWait(effects, row.high, raw.bits(8, 6));
  }
}

/// Scalar instructions that change their result, or leave it as it was. LLVM's disassembler does
/// not say so.
bool changesResult(StringRef name) {
  return any_of(ArrayRef<StringRef>{"s_bitset", "s_cmov", "s_addk_", "s_mulk_"},
                [&](StringRef start) { return name.starts_with(start); });
}

void addScalarControl(const RawInstr &raw, Effects &effects) {
  const StringRef name = raw.mnemonic;
  if (changesResult(name))
    for (const RawOperand &operand : raw.operands)
      if (operand.isDef)
        addRange(effects.reads, operand);
  effects.isSopp = raw.encoding == Encoding::Sopp;
  addWaits(raw, effects);
  if (name == "s_nop")
    effects.nops = uint8_t(raw.bits(0, 16) + 1);
  if (name == "s_setprio")
    effects.priority = int8_t(raw.bits(0, 2));
  effects.setsDenormMode = name == "s_denorm_mode";
  const Counter scalar = isGfx12(raw.generation) ? Counter::Scalar : Counter::Lds;
  if (name.starts_with("s_sendmsg_rtn") || name == "s_get_barrier_state")
    effects.events[0] = {scalar, kind::scalar};
  else if (name.starts_with("s_sendmsg")) {
    constexpr unsigned deallocVgprs = 3;
    effects.isDealloc = !isGfx10(raw.generation) && raw.bits(0, 16) == deallocVgprs;
    effects.events[0] = {scalar, kind::message};
  }
}

//===--- VALU -------------------------------------------------------------===//

bool readsLaneMask(StringRef name) {
  return name.starts_with("v_cndmask") || name.starts_with("v_div_fmas") ||
         name.contains("_co_ci_");
}

/// VCC where no operand says which, else the last source.
RegRange laneMaskOf(const RawInstr &raw) {
  RegRange mask;
  for (ArrayRef<RawOperand> operands : {ArrayRef(raw.operands), ArrayRef(raw.implicits)})
    for (const RawOperand &operand : operands)
      if (!operand.isDef && operand.kind == RawOperand::Kind::Sgpr && operand.reg < sreg::m0)
        mask = {uint16_t(firstSgpr + operand.reg), uint16_t(raw.waveSize / 32)};
  return mask;
}

bool hasLiteral(const RawInstr &raw) {
  switch (raw.encoding) {
  case Encoding::Vop1:
  case Encoding::Vop2:
  case Encoding::Vopc:
    return raw.dwords.size() > 1;
  case Encoding::Vop3:
  case Encoding::Vop3p:
  case Encoding::Vopd:
    return raw.dwords.size() > 2;
  default:
    return false;
  }
}

void addValu(const RawInstr &raw, Effects &effects) {
  const StringRef name = raw.mnemonic;
  effects.hasLiteral = hasLiteral(raw);
  effects.isTrans |= isTransName(name);
  effects.isVcmpx |= name.starts_with("v_cmpx");
  effects.isPermlane |= name.starts_with("v_permlane");
  effects.isVectorNop |= name == "v_nop";
  effects.isMatrix |= name.starts_with("v_wmma") || name.starts_with("v_swmmac");
  if (readsLaneMask(name))
    effects.laneMask = laneMaskOf(raw);
  // VINTERP, RDNA3 ISA: WAIT_EXP in bits 10:8 of the first dword.
  if (raw.encoding == Encoding::Vinterp)
    setWait(effects, Counter::Export, raw.bits(8, 3));
}

bool isFloatAtomicName(StringRef name) {
  return name.contains("atomic") &&
         (name.contains("_f32") || name.contains("_f64") || name.contains("_fmin") ||
          name.contains("_fmax") || name.contains("_fcmpswap") || name.contains("_pk_add"));
}

void addMemoryFacts(const RawInstr &raw, Effects &effects) {
  if (isFloatAtomicName(raw.mnemonic))
    effects.isFloatAtomic = true;
  if (raw.encoding == Encoding::Mimg && raw.dwords.size() > 3)
    effects.isWideNsa = true;
  if (raw.encoding == Encoding::Mubuf || raw.encoding == Encoding::Mtbuf)
    effects.isBufferWithOffset6 = (raw.bits(0, 12) & 6) != 0;
}

void addUnit(const RawInstr &raw, Effects &effects) {
  switch (effects.unit) {
  case Unit::Salu:
    return addScalarControl(raw, effects);
  case Unit::Valu:
    return addValu(raw, effects);
  case Unit::Smem:
    return addScalarMemoryEvent(raw, effects);
  case Unit::Vmem:
    addMemoryFacts(raw, effects);
    return addVmemEvent(raw, effects);
  case Unit::Flat:
    addMemoryFacts(raw, effects);
    return addFlatEvents(raw, effects);
  case Unit::Lds:
    return addLdsEvents(raw, effects);
  case Unit::LdsDirect:
    return addLdsDirect(raw, effects);
  case Unit::Export:
    return addExportEvent(raw, effects);
  case Unit::Other:
    return;
  }
}

} // namespace

Effects effectsOf(const MachineInstr &machine, const Instr &instr) {
  Effects effects;
  effects.pc = uint32_t(machine.first.pc);
  effects.unit = unitOf(machine.first);
  effects.isBranch = machine.isBranch;
  effects.endsFlow = machine.endsFlow;
  effects.isCall = machine.first.mnemonic == "s_swappc_b64";
  addOperands(machine.first, effects);
  // LLVM has one operation for image atomics with and without a result.
  if (machine.first.mnemonic.starts_with("image_atomic") && !instr.mem.returnsValue)
    effects.writes.clear();
  addUnit(machine.first, effects);
  if (machine.isDual) {
    addOperands(machine.second, effects);
    addUnit(machine.second, effects);
  }
  return effects;
}

bool contains(const SmallVectorImpl<RegRange> &ranges, unsigned reg) {
  return any_of(ranges, [&](const RegRange &range) {
    return reg >= range.first && reg < unsigned(range.first) + range.count;
  });
}

std::string registerName(unsigned reg) {
  if (reg < firstSgpr)
    return "v" + utostr(reg / 2);
  const unsigned slot = reg - firstSgpr;
  switch (slot) {
  case sreg::vccLo:
    return "vcc_lo";
  case sreg::vccHi:
    return "vcc_hi";
  case sreg::execLo:
    return "exec_lo";
  case sreg::execHi:
    return "exec_hi";
  case sreg::m0:
    return "m0";
  default:
    return "s" + utostr(slot);
  }
}

} // namespace pal::device::strict
