//===- Parameters.cpp - parameters of fragment shaders ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What fragment shaders read of the vertices. StagePort::loadParameter gives three dwords a quad
/// for a channel of an attribute: P0, P10 = P1 - P0, P20 = P2 - P0 (RDNA 1 to 4 ISA manuals,
/// "Parameter interpolation").
///   gfx10:   v_interp_p1_f32 v2, v0, attr0.x     v2 = P10 * v0 + P0
///            v_interp_p2_f32 v2, v1, attr0.x     v2 = P20 * v1 + v2
///   gfx11+:  lds_param_load v3, attr0.x          lanes 0, 1, 2 of each quad = P0, P10, P20
///            v_interp_p10_f32 v2, v3, v0, v3     v2 = v3[lane 1 of the quad] * v0 + v3[lane 0]
///            v_interp_p2_f32 v2, v3, v1, v2      v2 = v3[lane 2 of the quad] * v1 + v2
/// 16-bit forms read a half of the parameters; their products and sums are 32 bits wide.
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/graphics/PortAccess.h"
#include "pal_shim/device/ops/FloatMath.h"
#include "pal_shim/device/ops/ValuDetail.h"

namespace pal::device {

using namespace detail;

namespace {

constexpr unsigned maxQuads = maxLanes / 4;

/// Instr::simm of these instructions.
struct Fields {
  unsigned attribute = 0, channel = 0;
  bool high = false; ///< half of the parameters that 16-bit forms read
  /// Which parameter sources 0 and 2 are: 0 P0, 1 P10, 2 P20. On gfx11+, the lane of the quad.
  unsigned first = 0, third = fromRegister;

  static constexpr unsigned fromRegister = 3;

  int32_t pack() const {
    return int32_t(attribute | channel << 6 | unsigned(high) << 8 | first << 9 | third << 11);
  }
  static Fields of(const Instr &instr) {
    uint32_t bits = uint32_t(instr.simm);
    return {bits & 63, bits >> 6 & 3, (bits >> 8 & 1) != 0, bits >> 9 & 3, bits >> 11 & 3};
  }
};

/// False: the wave has faulted.
bool load(Wave &wave, const Fields &fields, ParameterRow *quads) {
  StagePort *port = portFor(wave, "parameter load");
  if (!port)
    return false;
  port->loadParameter(wave, fields.attribute, fields.channel, quads);
  return wave.state == WaveState::Running;
}

uint32_t select(const ParameterRow &row, unsigned which) {
  return which == 0 ? row.p0 : which == 1 ? row.p10 : row.p20;
}

//===--- Sums and products -------------------------------------------------===//

float moved(float x) { return x; }
float sumFromHalf(Half p, float weight, Half sum) {
  return __builtin_fmaf(toFloat(p), weight, toFloat(sum));
}
Half halfFromSum(Half p, float weight, float sum) {
  return toHalf(__builtin_fmaf(toFloat(p), weight, sum));
}

/// The same, rounding toward zero whatever MODE says.
template <const LaneOp &op> constexpr LaneOp towardZero() {
  LaneOp result = op;
  result.run = [](const RowArgs &args) -> uint64_t {
    unsigned hostMode = _mm_getcsr();
    _mm_setcsr(hostMode | unsigned(_MM_ROUND_TOWARD_ZERO));
    uint64_t mask = op.run(args);
    _mm_setcsr(hostMode);
    return mask;
  };
  return result;
}
template <const LaneOp &op> inline constexpr LaneOp rtz = towardZero<op>();

//===--- Execution ---------------------------------------------------------===//

/// Runs the LaneOp on \p args, whose sources are complete, and writes its result.
void finish(Wave &wave, const Instr &instr, RowArgs &args) {
  const LaneOp &op = laneOpOf(instr);
  wave.useFloatMode(op.mode);
  args.lanes = wave.lanes;
  args.ieee = inIeeeMode(wave);
  args.dst = wave.tmp[resultRow].lane;
  op.run(args);
  modifyResult(wave, instr, op.result, args.dst);
  writeResult(wave, instr, op.result, args.dst, wave.exec());
}

/// gfx10: sources 0 and, for most, 2 are parameters.
void runInterpolate(Wave &wave, const Instr &instr) {
  Fields fields = Fields::of(instr);
  ParameterRow quads[maxQuads] = {};
  if (!load(wave, fields, quads))
    return;
  const LaneOp &op = laneOpOf(instr);
  RowArgs args = {};
  uint64_t active = 0; // no DPP here
  for (unsigned i = 0; i < op.sources; ++i) {
    unsigned which = i == 0 ? fields.first : i == 2 ? fields.third : Fields::fromRegister;
    if (which == Fields::fromRegister) {
      args.src[i] = modifiedSource(wave, instr, i, op.src[i], active);
      continue;
    }
    uint32_t *row = wave.tmp[2 * i].lane;
    for (unsigned lane = 0; lane < wave.lanes; ++lane)
      row[lane] = select(quads[lane / 4], which) >> (fields.high ? 16 : 0);
    if (flushes(wave, instr, op.src[i], /*isResult=*/false))
      flushRow(op.src[i], row, row, wave.lanes);
    args.src[i] = row;
  }
  finish(wave, instr, args);
}

/// gfx11+: sources 0 and, for the first step, 2 come from one lane of each quad, on or off.
void runInRegister(Wave &wave, const Instr &instr) {
  Fields fields = Fields::of(instr);
  const LaneOp &op = laneOpOf(instr);
  RowArgs args = {};
  uint64_t active = 0;
  for (unsigned i = 0; i < op.sources; ++i) {
    args.src[i] = modifiedSource(wave, instr, i, op.src[i], active);
    unsigned which = i == 0 ? fields.first : i == 2 ? fields.third : Fields::fromRegister;
    if (which == Fields::fromRegister)
      continue;
    uint32_t *row = wave.tmp[2 * i + 1].lane;
    for (unsigned lane = 0; lane < wave.lanes; ++lane)
      row[lane] = args.src[i][(lane & ~3u) + which];
    args.src[i] = row;
  }
  finish(wave, instr, args);
}

/// Written for every quad with any lane on. Lane 3 gets 0: the manual leaves it open.
void runParameterLoad(Wave &wave, const Instr &instr) {
  ParameterRow quads[maxQuads] = {};
  if (!load(wave, Fields::of(instr), quads))
    return;
  uint32_t *to = wave.v[instr.dst[0].reg].lane;
  uint64_t exec = wave.exec();
  for (unsigned quad = 0; quad < wave.lanes / 4; ++quad) {
    if (!(exec >> 4 * quad & 15))
      continue;
    to[4 * quad] = quads[quad].p0;
    to[4 * quad + 1] = quads[quad].p10;
    to[4 * quad + 2] = quads[quad].p20;
    to[4 * quad + 3] = 0;
  }
}

/// One value of LDS for all lanes. M0: byte address in bits 15:0, type in bits 18:16 (RDNA3 ISA
/// manual, "LDS direct reads": 0 u8, 1 u16, 2 u32, 4 i8, 5 i16).
void runDirectLoad(Wave &wave, const Instr &instr) {
  uint32_t m0 = wave.s[sreg::m0], type = m0 >> 16 & 7, address = m0 & 0xFFFF;
  unsigned bytes = type == 2 ? 4 : 1u << (type & 1);
  if (type == 3 || type > 5)
    return wave.fault(DeviceFault::Kind::BadInstruction,
                      "LDS direct load of type " + llvm::Twine(type) + " in M0");
  uint32_t value = 0;
  const std::vector<uint8_t> &lds = wave.group->lds;
  for (unsigned i = 0; i < bytes; ++i)
    value |= address + i < lds.size() ? uint32_t(lds[address + i]) << 8 * i : 0;
  if (type >= 4)
    value = uint32_t(int32_t(value << (32 - 8 * bytes)) >> (32 - 8 * bytes));
  uint32_t *row = wave.tmp[resultRow].lane;
  broadcast(row, value, wave.lanes);
  blend(wave.v[instr.dst[0].reg].lane, row, wave.exec(), wave.lanes);
}

//===--- Decoding ----------------------------------------------------------===//

constexpr unsigned vgprCode = 256;

Dst vgprDst(unsigned number, bool hi = false) {
  Dst dst;
  dst.kind = Dst::Kind::Vgpr;
  dst.reg = uint16_t(number);
  dst.hi = hi;
  return dst;
}

bool vgprSource(unsigned code, Src &src, std::string &why) {
  if (code < vgprCode) {
    why = "interpolation of a scalar operand";
    return false;
  }
  src.kind = Src::Kind::Vgpr;
  src.reg = uint16_t(code - vgprCode);
  return true;
}

/// gfx10, VINTRP or VOP3. \p first, \p third: see Fields.
bool decodeInterpolate(const RawInstr &raw, Instr &instr, unsigned first, unsigned third,
                       std::string &why) {
  Fields fields;
  fields.first = first;
  fields.third = third;
  const LaneOp &op = laneOpOf(instr);
  bool isMove = op.sources == 1;
  bool isLong = raw.encoding == Encoding::Vop3;
  if ((!isLong && raw.encoding != Encoding::Vintrp) || raw.dwords.size() != (isLong ? 2u : 1u)) {
    why = "an encoding that is not for interpolation";
    return false;
  }
  unsigned source = isLong ? raw.bits(41, 9) : vgprCode + raw.bits(0, 8);
  unsigned vdst = isLong ? raw.bits(0, 8) : raw.bits(18, 8);
  fields.attribute = isLong ? raw.bits(32, 6) : raw.bits(10, 6);
  fields.channel = isLong ? raw.bits(38, 2) : raw.bits(8, 2);
  instr.dst[0] = vgprDst(vdst);
  if (isMove) {
    unsigned parameter = source & 0xFF; // HW: 0 P10, 1 P20, 2 P0
    if (parameter > 2) {
      why = "parameter " + std::to_string(parameter);
      return false;
    }
    fields.first = (parameter + 1) % 3;
  } else if (!vgprSource(source, instr.src[1], why)) {
    return false;
  }
  if (isLong) {
    instr.src[1].neg = raw.bits(62, 1);
    instr.src[1].abs = raw.bits(9, 1);
    instr.clamp = raw.bits(15, 1);
    instr.omod = uint8_t(raw.bits(59, 2));
    fields.high = raw.bits(40, 1);
    if (raw.bits(11, 4)) {
      why = "op_sel of an interpolation";
      return false;
    }
  }
  if (!isMove && third == Fields::fromRegister) {
    instr.src[2].kind = Src::Kind::Vgpr;
    instr.src[2].reg = uint16_t(vdst); // v_interp_p2_f32 adds to its destination
    bool hasThird = op.result == LaneType::F16 || op.src[2] == LaneType::F16;
    if (hasThird && !vgprSource(raw.bits(50, 9), instr.src[2], why))
      return false;
    if (hasThird) {
      instr.src[2].neg = raw.bits(63, 1);
      instr.src[2].abs = raw.bits(10, 1);
      instr.src[2].hi = op.src[2] == LaneType::F16 && fields.high;
    }
  }
  instr.simm = fields.pack();
  return true;
}

bool decodeMove(const RawInstr &raw, Instr &instr, std::string &why) {
  return decodeInterpolate(raw, instr, 0, Fields::fromRegister, why);
}
bool decodeFirst(const RawInstr &raw, Instr &instr, std::string &why) {
  return decodeInterpolate(raw, instr, 1, 0, why);
}
bool decodeFirstLoaded(const RawInstr &raw, Instr &instr, std::string &why) {
  return decodeInterpolate(raw, instr, 1, Fields::fromRegister, why);
}
bool decodeSecond(const RawInstr &raw, Instr &instr, std::string &why) {
  return decodeInterpolate(raw, instr, 2, Fields::fromRegister, why);
}

/// gfx11+, VINTERP.
bool decodeInRegister(const RawInstr &raw, Instr &instr, unsigned first, unsigned third,
                      std::string &why) {
  if (raw.encoding != Encoding::Vinterp || raw.dwords.size() != 2) {
    why = "an encoding that is not for interpolation";
    return false;
  }
  const LaneOp &op = laneOpOf(instr);
  unsigned opSel = raw.bits(11, 4);
  for (unsigned i = 0; i < 3; ++i) {
    if (!vgprSource(raw.bits(32 + 9 * i, 9), instr.src[i], why))
      return false;
    instr.src[i].neg = raw.bits(61 + i, 1);
    bool isHalf = op.src[i] == LaneType::F16;
    instr.src[i].hi = isHalf && opSel >> i & 1;
    if (!isHalf)
      opSel &= ~(1u << i); // no meaning
  }
  bool isHalf = op.result == LaneType::F16;
  instr.dst[0] = vgprDst(raw.bits(0, 8), isHalf && opSel & 8);
  instr.clamp = raw.bits(15, 1);
  Fields fields;
  fields.first = first;
  fields.third = third;
  instr.simm = fields.pack();
  return true;
}
bool decodeP10(const RawInstr &raw, Instr &instr, std::string &why) {
  return decodeInRegister(raw, instr, 1, 0, why);
}
bool decodeP2(const RawInstr &raw, Instr &instr, std::string &why) {
  return decodeInRegister(raw, instr, 2, Fields::fromRegister, why);
}

bool decodeLdsDirect(const RawInstr &raw, Instr &instr, std::string &why) {
  if (raw.encoding != Encoding::LdsDir) {
    why = "an encoding that is not for LDS direct loads";
    return false;
  }
  Fields fields;
  fields.attribute = raw.bits(10, 6);
  fields.channel = raw.bits(8, 2);
  instr.dst[0] = vgprDst(raw.bits(0, 8));
  instr.simm = fields.pack();
  return true;
}

//===--- Tables ------------------------------------------------------------===//

constexpr uint8_t gen10 = 0x03, gen11Up = 0x1C;

constexpr OpEntry entries[] = {
    {"v_interp_mov_f32", runInterpolate, decodeMove, &laneOp<moved>, KeepDenormals, gen10},
    {"v_interp_p1_f32", runInterpolate, decodeFirst, &laneOp<fmaFloat>, 0, gen10},
    {"v_interp_p1ll_f16", runInterpolate, decodeFirst, &laneOp<sumFromHalf>, 0, gen10},
    {"v_interp_p1lv_f16", runInterpolate, decodeFirstLoaded, &laneOp<sumFromHalf>, 0, gen10},
    {"v_interp_p2_f32", runInterpolate, decodeSecond, &laneOp<fmaFloat>, 0, gen10},
    {"v_interp_p2_f16", runInterpolate, decodeSecond, &laneOp<halfFromSum>, 0, gen10},

    {"lds_param_load ds_param_load", runParameterLoad, decodeLdsDirect, nullptr, 0, gen11Up},
    {"lds_direct_load ds_direct_load", runDirectLoad, decodeLdsDirect, nullptr, 0, gen11Up},
    {"v_interp_p10_f32", runInRegister, decodeP10, &laneOp<fmaFloat>, 0, gen11Up},
    {"v_interp_p2_f32", runInRegister, decodeP2, &laneOp<fmaFloat>, 0, gen11Up},
    {"v_interp_p10_f16_f32", runInRegister, decodeP10, &laneOp<sumFromHalf>, 0, gen11Up},
    {"v_interp_p2_f16_f32", runInRegister, decodeP2, &laneOp<halfFromSum>, 0, gen11Up},
    {"v_interp_p10_rtz_f16_f32", runInRegister, decodeP10, &rtz<laneOp<sumFromHalf>>, 0, gen11Up},
    {"v_interp_p2_rtz_f16_f32", runInRegister, decodeP2, &rtz<laneOp<halfFromSum>>, 0, gen11Up},
};

} // namespace

llvm::ArrayRef<OpEntry> parameterOps() { return entries; }

} // namespace pal::device
