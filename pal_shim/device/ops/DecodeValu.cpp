//===- DecodeValu.cpp - operands of vector operations ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// From encoding bits and the signature of a LaneOp to the operands of an Instr. The signature says
/// what the bits leave open: whether a third source exists and where it comes from, which pattern
/// an inline constant stands for, whether a register field means a half, which modifiers apply.
#include "pal_shim/device/ops/ValuDetail.h"
#include "pal_shim/device/ops/ValuFields.h"
#include "llvm/ADT/StringExtras.h"

namespace pal::device {

using namespace detail;

namespace {

bool isHalf(LaneType type) {
  return type == LaneType::F16 || type == LaneType::U16 || type == LaneType::I16;
}

constexpr FloatConstant floatConstants[] = {
    {0x3800, 0x3F00, 0x3F000000, 0x3FE0000000000000},
    {0xB800, 0xBF00, 0xBF000000, 0xBFE0000000000000},
    {0x3C00, 0x3F80, 0x3F800000, 0x3FF0000000000000},
    {0xBC00, 0xBF80, 0xBF800000, 0xBFF0000000000000},
    {0x4000, 0x4000, 0x40000000, 0x4000000000000000},
    {0xC000, 0xC000, 0xC0000000, 0xC000000000000000},
    {0x4400, 0x4080, 0x40800000, 0x4010000000000000},
    {0xC400, 0xC080, 0xC0800000, 0xC010000000000000},
    {0x3118, 0x3E22, 0x3E22F983, 0x3FC45F306DC9C882},
};

/// Builds the operands of one instruction.
class OperandDecoder {
public:
  OperandDecoder(const RawInstr &raw, const ValuFields &fields, const LaneOp &op, Instr &instr,
                 std::string &why)
      : raw(raw), fields(fields), op(op), instr(instr), why(why) {}

  bool decode();

private:
  bool isMixedConstant(unsigned i) const;
  bool decodeSource(unsigned i);
  bool decodeEncoded(unsigned i, unsigned field);
  bool decodeScalar(unsigned code, Src &src);
  void decodeConstant(unsigned code, unsigned i, Src &src);
  bool decodeLiteral(unsigned i, Src &src);
  void decodeVgpr(unsigned number, LaneType type, Src &src);
  void decodeModifiers(unsigned i, unsigned field, Src &src);
  bool decodeResult();
  bool decodeClamp();
  Dst vgprResult() const;
  bool scalarResult(unsigned code, Dst &dst);
  bool fail(llvm::StringRef reason) {
    why = reason.str();
    return false;
  }
  bool isVop3b() const { return fields.base == ValuBase::Vop3 && op.resultHasMask; }
  /// Third field of v_fmaak (after the sources) and v_fmamk (between them) is a literal.
  int literalPosition() const;

  const RawInstr &raw;
  const ValuFields &fields;
  const LaneOp &op;
  Instr &instr;
  std::string &why;
};

int OperandDecoder::literalPosition() const {
  llvm::StringRef name =
      fields.base == ValuBase::Vopd ? vopdMnemonic(raw, raw.vopdHalf) : raw.mnemonic;
  if (fields.base != ValuBase::Vop2 && fields.base != ValuBase::Vopd)
    return -1;
  if (name.starts_with("v_fmaak_") || name.starts_with("v_madak_"))
    return 2;
  if (name.starts_with("v_fmamk_") || name.starts_with("v_madmk_"))
    return 1;
  return -1;
}

bool OperandDecoder::decodeLiteral(unsigned i, Src &src) {
  if (fields.sdwa.enabled || fields.dpp.mode != Dpp::Mode::None)
    return fail("literal constant with DPP or SDWA");
  if (raw.dwords.size() <= fields.literalDword)
    return fail("missing literal constant");
  uint64_t value = raw.dwords[fields.literalDword];
  src.kind = Src::Kind::Imm;
  LaneType type = op.src[i];
  src.imm = type == LaneType::F64   ? value << 32
            : type == LaneType::I64 ? uint64_t(int64_t(int32_t(value)))
                                    : value;
  return true;
}

/// A constant operand of v_fma_mix* that is read as f16.
bool OperandDecoder::isMixedConstant(unsigned i) const {
  return op.src[i] == LaneType::Mix && fields.opSelHi >> i & 1;
}

void OperandDecoder::decodeConstant(unsigned code, unsigned i, Src &src) {
  src.kind = Src::Kind::Imm;
  LaneType type = op.src[i];
  if (code <= 208) { // 128 is 0, then 1 .. 64, then -1 .. -16
    int64_t value = code <= 192 ? int64_t(code) - 128 : 192 - int64_t(code);
    src.imm = dwordsOf(type) == 2 ? uint64_t(value) : uint32_t(value);
    return;
  }
  const FloatConstant &c = floatConstant(code);
  bool isPackedFloat = type == LaneType::Packed && instr.op->flags & PackedFloatOp;
  if (raw.mnemonic.contains("bf16") && dwordsOf(type) == 1 && type != LaneType::F32)
    src.imm = c.bf16;
  else if (raw.mnemonic == "v_pk_fmac_f16" && !isGfx10(raw.generation))
    src.imm = c.f16 * 0x10001u; // there is no op_sel_hi: gfx11 fills both halves
  else if (isHalf(type) || isPackedFloat || isMixedConstant(i))
    src.imm = c.f16; // the low half only
  else if (dwordsOf(type) == 2)
    src.imm = c.f64;
  else
    src.imm = c.f32; // also for pairs of 16-bit integers
}

/// Operand codes 0 .. 127 (RDNA ISA manuals, table "Source operands"). M0 and NULL trade places
/// between gfx10 and gfx11.
bool OperandDecoder::decodeScalar(unsigned code, Src &src) {
  unsigned null = isGfx10(raw.generation) ? 125 : 124;
  if (code == null) {
    src.kind = Src::Kind::Imm;
    src.imm = 0;
    return true;
  }
  src.kind = Src::Kind::Sgpr;
  src.reg = uint16_t(code == 125 ? sreg::m0 : code);
  return true;
}

void OperandDecoder::decodeVgpr(unsigned number, LaneType type, Src &src) {
  src.kind = Src::Kind::Vgpr;
  src.reg = uint16_t(number);
  if (fields.isCompact() && isHalf(type) && !isGfx10(raw.generation)) {
    src.hi = number & 0x80;
    src.reg = number & 0x7F;
  }
}

bool OperandDecoder::decodeEncoded(unsigned i, unsigned field) {
  unsigned code = fields.src[field];
  Src &src = instr.src[i];
  decodeModifiers(i, field, src);
  if (code >= 256) {
    if (op.src[i] == LaneType::Mask)
      return fail("a vector register as lane mask");
    decodeVgpr(code - 256, op.src[i], src);
    return true;
  }
  if (code < 128)
    return decodeScalar(code, src);
  if (code <= 208 || isFloatConstant(code)) {
    decodeConstant(code, i, src);
    return true;
  }
  switch (code) {
  case 251:
    src.kind = Src::Kind::VccZ;
    return true;
  case 252:
    src.kind = Src::Kind::ExecZ;
    return true;
  case 253:
    src.kind = Src::Kind::Scc;
    return true;
  case 255:
    return decodeLiteral(i, src);
  default:
    return fail("source operand code " + std::to_string(code));
  }
}

void OperandDecoder::decodeModifiers(unsigned i, unsigned field, Src &src) {
  LaneType type = op.src[i];
  unsigned bit = 1u << field;
  src.neg = fields.neg & bit;
  if (fields.base == ValuBase::Vop3p) {
    if (type == LaneType::Packed || type == LaneType::Mix) {
      src.negHi = fields.abs & bit;
      src.hi = fields.opSel & bit;
      src.hiForHigh = fields.opSelHi & bit;
    }
    return;
  }
  src.abs = fields.abs & bit && !isVop3b();
  if (fields.base == ValuBase::Vop3 && isHalf(type) && !isVop3b())
    src.hi = fields.opSel & bit;
  if (fields.sdwa.enabled && field < 2) {
    src.sdwaSel = uint8_t(fields.sel[field]);
    src.sext = fields.sext & bit;
  }
}

bool OperandDecoder::decodeSource(unsigned i) {
  Src &src = instr.src[i];
  int literal = literalPosition();
  if (int(i) == literal)
    return decodeLiteral(i, src);
  unsigned field = literal >= 0 && int(i) > literal ? i - 1 : i;
  bool isMask = op.src[i] == LaneType::Mask;
  // A mask is a field of its own in the long encoding, also for operations that embed VOP2.
  if (field < fields.srcCount || (isMask && fields.base == ValuBase::Vop3 && field == 2))
    return decodeEncoded(i, field);
  if (isMask) {
    src.kind = Src::Kind::Sgpr;
    src.reg = sreg::vccLo;
    return true;
  }
  // The old destination.
  Dst dst = vgprResult();
  src.kind = Src::Kind::Vgpr;
  src.reg = dst.reg;
  src.hi = dst.hi && isHalf(op.src[i]);
  return true;
}

Dst OperandDecoder::vgprResult() const {
  Dst dst;
  dst.kind = Dst::Kind::Vgpr;
  dst.reg = uint16_t(fields.vdst);
  if (!isHalf(op.result))
    return dst;
  if (fields.isCompact() && !isGfx10(raw.generation)) {
    dst.hi = fields.vdst & 0x80;
    dst.reg = fields.vdst & 0x7F;
  } else if (fields.base == ValuBase::Vop3 && !isVop3b()) {
    dst.hi = fields.opSel & 8;
  }
  if (instr.op->flags & HighResultOp)
    dst.hi = true;
  return dst;
}

bool OperandDecoder::scalarResult(unsigned code, Dst &dst) {
  Src src;
  if (code > 127)
    return fail("scalar destination code " + std::to_string(code));
  decodeScalar(code, src);
  dst.kind = src.kind == Src::Kind::Sgpr ? Dst::Kind::Sgpr : Dst::Kind::Null;
  dst.reg = src.reg;
  return true;
}

bool OperandDecoder::decodeResult() {
  bool isLong = fields.base == ValuBase::Vop3;
  Dst vcc;
  vcc.kind = Dst::Kind::Sgpr;
  vcc.reg = sreg::vccLo;
  if (op.resultHasMask) {
    instr.dst[1] = vcc;
    if (isLong && !scalarResult(fields.sdst, instr.dst[1]))
      return false;
  }
  if (op.result == LaneType::Mask) {
    instr.dst[0] = vcc;
    if (instr.op->flags & CmpxOp)
      instr.dst[0].reg = sreg::execLo;
    else if (isLong || fields.hasSdst)
      return scalarResult(isLong ? fields.vdst : fields.sdst, instr.dst[0]);
    return true;
  }
  if (instr.op->flags & ScalarResultOp)
    return scalarResult(fields.vdst, instr.dst[0]);
  if (op.result != LaneType::None)
    instr.dst[0] = vgprResult();
  return true;
}

bool OperandDecoder::decodeClamp() {
  if (!fields.clamp)
    return true;
  bool isFloat = op.result == LaneType::F16 || op.result == LaneType::F32 ||
                 op.result == LaneType::F64 ||
                 (op.result == LaneType::Packed && instr.op->flags & PackedFloatOp);
  if (isFloat) {
    instr.clamp = true;
    return true;
  }
  // Compares have the bit, but no meaning for it that results show.
  if (op.result == LaneType::Mask)
    return true;
  if (!instr.op->clampKernel)
    return fail("clamp of an operation without saturation");
  instr.kernel = instr.op->clampKernel;
  return true;
}

bool OperandDecoder::decode() {
  instr.dpp = fields.dpp;
  instr.sdwa = fields.sdwa;
  instr.omod = uint8_t(fields.omod);
  for (unsigned i = 0; i < op.sources; ++i)
    if (!decodeSource(i))
      return false;
  return decodeResult() && decodeClamp();
}

void chooseHandler(const RawInstr &raw, Instr &instr) {
  if (instr.run != runValu)
    return;
  if (raw.encoding == Encoding::Vopd) {
    instr.run = runVopd;
    return;
  }
  const LaneOp &op = laneOpOf(instr);
  PlainForm form = plainForm(instr, op);
  if (form == PlainForm::No || (form == PlainForm::NegAbs && op.resultHasMask))
    return;
  bool hasNegAbs = form == PlainForm::NegAbs;
  if (op.resultHasMask)
    instr.run = runPlainCarry;
  else if (op.result == LaneType::Mask)
    instr.run = hasNegAbs ? runPlainCompare<true> : runPlainCompare<false>;
  else if (isHalf(op.result))
    instr.run = runPlainHalf;
  else
    instr.run = hasNegAbs ? runPlainValu<true> : runPlainValu<false>;
}

} // namespace

const FloatConstant &detail::floatConstant(unsigned code) { return floatConstants[code - 240]; }

bool decodeValu(const RawInstr &raw, Instr &instr, std::string &why) {
  ValuFields fields;
  if (!parseValuFields(raw, fields, why))
    return false;
  if (!OperandDecoder(raw, fields, laneOpOf(instr), instr, why).decode())
    return false;
  chooseHandler(raw, instr);
  return true;
}

llvm::StringRef vopdMnemonic(const RawInstr &raw, unsigned half) {
  // RDNA3 ISA manual, table "VOPD instructions"; min and max were renamed in RDNA4.
  static constexpr const char *names[] = {
      "v_fmac_f32", "v_fmaak_f32",  "v_fmamk_f32",        "v_mul_f32",          "v_add_f32",
      "v_sub_f32",  "v_subrev_f32", "v_mul_dx9_zero_f32", "v_mov_b32",          "v_cndmask_b32",
      "v_max_f32",  "v_min_f32",    "v_dot2acc_f32_f16",  "v_dot2acc_f32_bf16", "",
      "",           "v_add_nc_u32", "v_lshlrev_b32",      "v_and_b32"};
  if (raw.dwords.size() < 2)
    return "";
  unsigned opcode = half == 0 ? raw.bits(22, 4) : raw.bits(17, 5);
  if (opcode >= std::size(names))
    return "";
  if (isGfx12(raw.generation) && (opcode == 10 || opcode == 11))
    return opcode == 10 ? "v_max_num_f32" : "v_min_num_f32";
  return names[opcode];
}

} // namespace pal::device
