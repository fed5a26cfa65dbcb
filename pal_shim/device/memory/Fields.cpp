//===- Fields.cpp - decoding of memory encodings ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// See Fields.h. Layout tables first, one row per generation, then the decode functions.
#include "pal_shim/device/memory/Fields.h"
#include "pal_shim/device/memory/MemOps.h"
#include "pal_shim/device/memory/Smem.h"

namespace pal::device {

namespace {

template <class Layout> struct ByGeneration {
  Layout gfx10, gfx11, gfx12;
  const Layout &of(Generation g) const { return isGfx10(g) ? gfx10 : isGfx11(g) ? gfx11 : gfx12; }
};

struct SmemLayout {
  BitField sbase, sdata, offset, soffset;
};
constexpr ByGeneration<SmemLayout> smemLayouts = {
    {{0, 6}, {6, 7}, {32, 21}, {57, 7}},
    {{0, 6}, {6, 7}, {32, 21}, {57, 7}},
    {{0, 6}, {6, 7}, {32, 24}, {57, 7}},
};

struct BufferLayout {
  BitField offset, offen, idxen, vaddr, vdata, srsrc, soffset, format, tfe;
  BitField returns; ///< GLC; TH[0] on gfx12
  BitField lds;
  unsigned srsrcShift; ///< register number = field << shift
  unsigned dwords;
};
constexpr ByGeneration<BufferLayout> bufferLayouts = {
    {{0, 12},
     {12, 1},
     {13, 1},
     {32, 8},
     {40, 8},
     {48, 5},
     {56, 8},
     {19, 7},
     {55, 1},
     {14, 1},
     {16, 1},
     2,
     2},
    {{0, 12},
     {54, 1},
     {55, 1},
     {32, 8},
     {40, 8},
     {48, 5},
     {56, 8},
     {19, 7},
     {53, 1},
     {14, 1},
     {},
     2,
     2},
    {{72, 24},
     {62, 1},
     {63, 1},
     {64, 8},
     {32, 8},
     {41, 9},
     {0, 7},
     {55, 7},
     {22, 1},
     {52, 1},
     {},
     0,
     3},
};

struct FlatLayout {
  BitField offset, vaddr, vdata, vdst, saddr, returns, vaddrEnable, lds;
  BitField flatOffset; ///< of FLAT itself: gfx10 and gfx11 ignore the sign bit
  bool flatOffsetSigned;
  unsigned dwords;
};
constexpr ByGeneration<FlatLayout> flatLayouts = {
    {{0, 12}, {32, 8}, {40, 8}, {56, 8}, {48, 7}, {16, 1}, {}, {13, 1}, {0, 11}, false, 2},
    {{0, 13}, {32, 8}, {40, 8}, {56, 8}, {48, 7}, {14, 1}, {55, 1}, {}, {0, 12}, false, 2},
    {{72, 24}, {64, 8}, {55, 8}, {32, 8}, {0, 7}, {52, 1}, {49, 1}, {}, {72, 24}, true, 3},
};

// The same on all generations, except that gfx12 has no GDS.
constexpr BitField dsOffset0 = {0, 8}, dsOffset1 = {8, 8}, dsOffset = {0, 16}, dsGds = {17, 1},
                   dsAddr = {32, 8}, dsData0 = {40, 8}, dsData1 = {48, 8}, dsDst = {56, 8};

bool hasDwords(const RawInstr &raw, unsigned count, std::string &why) {
  if (raw.dwords.size() >= count)
    return true;
  why = "truncated encoding";
  return false;
}

void setResult(Instr &instr, const MemOp &op, unsigned vgpr) {
  if (op.kind == MemKind::Load || instr.mem.returnsValue) {
    instr.dst[0].kind = Dst::Kind::Vgpr;
    instr.dst[0].reg = uint16_t(vgpr);
  }
}

/// Data operands in consecutive registers: cmpswap has the new value first.
void setData(Instr &instr, const MemOp &op, unsigned vgpr) {
  instr.src[1] = vgprSource(vgpr);
  if (op.operands == 2)
    instr.src[2] = vgprSource(vgpr + op.dataDwords);
}

} // namespace

bool isNullRegister(Generation generation, unsigned code) {
  return code == (isGfx10(generation) ? 125 : 124);
}

bool decodeScalarSource(const RawInstr &raw, unsigned code, Src &src) {
  src = {};
  src.kind = Src::Kind::Imm;
  if (isNullRegister(raw.generation, code))
    return true;
  if (code < 128) {
    src.kind = Src::Kind::Sgpr;
    src.reg = uint16_t(code == 124 || code == 125 ? sreg::m0 : code);
    return true;
  }
  if (code <= 208) {
    src.imm = uint32_t(code <= 192 ? int(code) - 128 : 192 - int(code));
    return true;
  }
  // 0.5 -0.5 1.0 -1.0 2.0 -2.0 4.0 -4.0 1/(2 pi)
  constexpr uint32_t floats[] = {0x3F000000, 0xBF000000, 0x3F800000, 0xBF800000, 0x40000000,
                                 0xC0000000, 0x40800000, 0xC0800000, 0x3E22F983};
  if (code < 240 || code > 248)
    return false;
  src.imm = floats[code - 240];
  return true;
}

bool decodeScalarTuple(const RawInstr &raw, unsigned code, unsigned dwords, uint16_t &reg) {
  // Pairs begin at even registers, larger tuples at multiples of four: lower bits do not count.
  if (dwords > 1 && !isNullRegister(raw.generation, code))
    code &= dwords == 2 ? ~1u : ~3u;
  if (isNullRegister(raw.generation, code) || code + dwords > sreg::count)
    return false;
  bool isM0 = code == 124 || code == 125;
  if (isM0 && dwords > 1)
    return false;
  reg = uint16_t(isM0 ? sreg::m0 : code);
  return true;
}

bool decodeNothing(const RawInstr &, Instr &, std::string &) { return true; }
void runNothing(Wave &, const Instr &) {}

bool decodeSmem(const RawInstr &raw, Instr &instr, std::string &why) {
  const SmemLayout &layout = smemLayouts.of(raw.generation);
  const SmemOp &op = *static_cast<const SmemOp *>(instr.kernel);
  if (!hasDwords(raw, 2, why))
    return false;
  if (op.baseDwords) {
    instr.src[3].kind = Src::Kind::Sgpr;
    if (!decodeScalarTuple(raw, layout.sbase.of(raw) * 2, op.baseDwords, instr.src[3].reg)) {
      why = "scalar base address that is no register";
      return false;
    }
  }
  if (op.resultDwords) {
    unsigned code = layout.sdata.of(raw);
    instr.dst[0].kind = isNullRegister(raw.generation, code) ? Dst::Kind::Null : Dst::Kind::Sgpr;
    if (instr.dst[0].kind == Dst::Kind::Sgpr &&
        !decodeScalarTuple(raw, code, op.resultDwords, instr.dst[0].reg)) {
      why = "scalar destination beyond the last register";
      return false;
    }
  }
  instr.mem.offset = layout.offset.signedOf(raw);
  if (!decodeScalarSource(raw, layout.soffset.of(raw), instr.src[4])) {
    why = "scalar offset that is no register";
    return false;
  }
  return true;
}

bool decodeBuffer(const RawInstr &raw, Instr &instr, std::string &why) {
  const BufferLayout &layout = bufferLayouts.of(raw.generation);
  const MemOp &op = memOp(instr);
  if (!hasDwords(raw, layout.dwords, why))
    return false;
  if (raw.encoding != Encoding::Mtbuf && layout.lds.of(raw)) {
    why = "load to LDS";
    return false;
  }
  instr.mem.offset =
      isGfx12(raw.generation) ? layout.offset.signedOf(raw) : int32_t(layout.offset.of(raw));
  instr.mem.offen = layout.offen.of(raw);
  instr.mem.idxen = layout.idxen.of(raw);
  instr.mem.tfe = layout.tfe.of(raw);
  // A plain load has a cache policy in these bits.
  instr.mem.returnsValue = op.kind == MemKind::Atomic && layout.returns.of(raw);
  // Untyped instructions take the format from the V#.
  instr.mem.format = raw.mnemonic.starts_with("tbuffer") ? uint8_t(layout.format.of(raw)) : 0;
  instr.src[0] = vgprSource(layout.vaddr.of(raw));
  unsigned vdata = layout.vdata.of(raw);
  setData(instr, op, vdata);
  setResult(instr, op, vdata);
  instr.src[3].kind = Src::Kind::Sgpr;
  if (!decodeScalarTuple(raw, layout.srsrc.of(raw) << layout.srsrcShift, 4, instr.src[3].reg)) {
    why = "buffer descriptor that is not in registers";
    return false;
  }
  if (!decodeScalarSource(raw, layout.soffset.of(raw), instr.src[4])) {
    why = "unknown scalar offset operand";
    return false;
  }
  return true;
}

bool decodeFlat(const RawInstr &raw, Instr &instr, std::string &why) {
  const FlatLayout &layout = flatLayouts.of(raw.generation);
  const MemOp &op = memOp(instr);
  if (!hasDwords(raw, layout.dwords, why))
    return false;
  if (layout.lds.of(raw)) {
    why = "load to LDS";
    return false;
  }
  bool isFlat = raw.mnemonic.starts_with("flat_"), isScratch = raw.mnemonic.starts_with("scratch_");
  if (isFlat)
    instr.mem.offset = layout.flatOffsetSigned ? layout.flatOffset.signedOf(raw)
                                               : int32_t(layout.flatOffset.of(raw));
  else
    instr.mem.offset = layout.offset.signedOf(raw);
  instr.mem.returnsValue = op.kind == MemKind::Atomic && layout.returns.of(raw);
  unsigned saddr = layout.saddr.of(raw);
  // "off": NULL; before gfx11 also EXEC_HI, which for scratch means neither address.
  bool noSaddr = isNullRegister(raw.generation, saddr) || saddr == 127;
  instr.mem.offen =
      !isScratch || (layout.vaddrEnable.count ? layout.vaddrEnable.of(raw)
                                              : isNullRegister(raw.generation, saddr));
  if (isFlat && !isGfx12(raw.generation))
    noSaddr = true;
  if (!noSaddr) {
    instr.src[3].kind = Src::Kind::Sgpr;
    if (!decodeScalarTuple(raw, saddr, isScratch ? 1 : 2, instr.src[3].reg)) {
      why = "scalar address that is not in registers";
      return false;
    }
  }
  instr.src[0] = vgprSource(layout.vaddr.of(raw));
  setData(instr, op, layout.vdata.of(raw));
  setResult(instr, op, layout.vdst.of(raw));
  return true;
}

bool decodeDs(const RawInstr &raw, Instr &instr, std::string &why) {
  const MemOp &op = memOp(instr);
  if (!hasDwords(raw, 2, why))
    return false;
  if (!isGfx12(raw.generation) && dsGds.of(raw)) {
    why = "access to global data share";
    return false;
  }
  uint32_t unit = op.pairStride * op.bytes;
  instr.mem.offset = int32_t(unit ? dsOffset0.of(raw) * unit : dsOffset.of(raw));
  instr.mem.offset1 = int32_t(dsOffset1.of(raw) * unit);
  instr.simm = int32_t(dsOffset.of(raw));
  instr.src[0] = vgprSource(dsAddr.of(raw));
  instr.src[1] = vgprSource(dsData0.of(raw));
  instr.src[2] = vgprSource(dsData1.of(raw));
  // Until gfx10 the compare value came first.
  if (isGfx10(raw.generation) && raw.mnemonic.starts_with("ds_cmpst"))
    std::swap(instr.src[1], instr.src[2]);
  instr.mem.returnsValue = op.kind == MemKind::Atomic && raw.mnemonic.contains("_rtn");
  setResult(instr, op, dsDst.of(raw));
  return true;
}

bool decodeCounter(const RawInstr &raw, Instr &instr, std::string &why) {
  if (!hasDwords(raw, 2, why))
    return false;
  instr.simm = int32_t(dsOffset.of(raw));
  instr.src[0] = vgprSource(dsAddr.of(raw));
  instr.src[1] = vgprSource(dsData0.of(raw));
  setResult(instr, memOp(instr), dsDst.of(raw));
  return true;
}

} // namespace pal::device
