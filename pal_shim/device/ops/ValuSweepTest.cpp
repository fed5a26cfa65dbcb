//===- ValuSweepTest.cpp - every vector instruction of every target --------===//
// SPDX-License-Identifier: MIT
/// \file
/// Tries every opcode of every VALU encoding on LLVM's disassembler, for each target. What LLVM
/// accepts is an instruction of that target: it must be in the operation tables or excluded here
/// with a reason, it must decode, and its registers and constants must be those that LLVM sees,
/// since decodeValu takes them from the bits on its own.
#include "pal_shim/device/core/Decoder.h"
#include "pal_shim/device/core/OpIndex.h"
#include "pal_shim/device/ops/LaneOps.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>
#include <set>

using namespace llvm;
using namespace pal::device;

namespace {

struct Exclusion {
  StringLiteral prefix;
  StringLiteral reason;
};
/// Vector instructions that compute shaders do not contain.
constexpr Exclusion exclusions[] = {
    {"v_interp_", "operands of their own: ParametersTest.cpp"},
    {"v_wmma_", "operands of many registers: MatrixTest.cpp"},
    {"v_swmmac_", "matrices of which half is zero: no API reaches them"},
    {"v_mqsad_u32_u8", "four dwords of result; only an OpenCL built-in selects it"},
    {"v_mullit_f32", "never selected"},
    {"v_dot2_f16_f16", "only by an intrinsic that no SPIR-V reaches"},
    {"v_dot2_bf16_bf16", "bfloat16: converted by integer arithmetic"},
    {"v_dot2_f32_bf16", "bfloat16: converted by integer arithmetic"},
    {"v_dot2acc_f32_bf16", "bfloat16: converted by integer arithmetic"},
    {"v_dot4_f32_", "8-bit floats: converted by integer arithmetic"},
    {"v_cvt_f32_fp8", "8-bit floats: converted by integer arithmetic"},
    {"v_cvt_f32_bf8", "8-bit floats: converted by integer arithmetic"},
    {"v_cvt_pk_f32_fp8", "8-bit floats: converted by integer arithmetic"},
    {"v_cvt_pk_f32_bf8", "8-bit floats: converted by integer arithmetic"},
    {"v_cvt_pk_fp8_f32", "8-bit floats: converted by integer arithmetic"},
    {"v_cvt_pk_bf8_f32", "8-bit floats: converted by integer arithmetic"},
    {"v_cvt_sr_fp8_f32", "8-bit floats: converted by integer arithmetic"},
    {"v_cvt_sr_bf8_f32", "8-bit floats: converted by integer arithmetic"},
};
/// Forms of operations that are there, but not in these encodings: moves through an index with
/// exchange of lanes or selection of bytes on top. LLVM has no pattern that gives them.
bool isExcludedForm(StringRef mnemonic, Encoding encoding) {
  bool isPlain = encoding == Encoding::Vop1 || encoding == Encoding::Vop3;
  return mnemonic.starts_with("v_movrel") && !isPlain;
}

bool isExcluded(StringRef mnemonic) {
  return any_of(exclusions, [&](const Exclusion &e) { return mnemonic.starts_with(e.prefix); });
}

class Sweep {
public:
  Sweep(const char *target, unsigned waveSize)
      : target(target), generation(generationOf(*pal::abi::findTarget(target))), index(generation),
        decoder(cantFail(Decoder::create(*pal::abi::findTarget(target), waveSize))) {}

  void run();

  std::set<std::string> mnemonics; ///< with encoding
  std::set<std::string> decoded;   ///< the same, of those that some operands decode for

private:
  void compact(uint32_t opcodeBits);
  void longForms(uint32_t opcodeBits);
  void attempt(ArrayRef<uint32_t> dwords);
  bool check(const RawInstr &raw, ArrayRef<uint8_t> bytes);

  const char *target;
  Generation generation;
  OpIndex index;
  std::unique_ptr<Decoder> decoder;
  std::map<std::string, std::string> problems;
  friend void reportSweep(const Sweep &sweep);
};

/// Source codes: a VGPR, an SGPR, inline constants, a literal.
constexpr uint32_t sourceCodes[] = {256 + 6, 10, 106, 128, 130, 192, 193, 208, 240, 243, 248, 255};
constexpr uint32_t literal = 0x87654321;

void Sweep::run() {
  for (uint32_t op = 0; op < 256; ++op)
    compact(0x3Fu << 25 | op << 9 | 4 << 17); // VOP1, v4
  for (uint32_t op = 0; op < 62; ++op)
    compact(op << 25 | 8 << 9 | 4 << 17); // VOP2, v4 and v8
  for (uint32_t op = 0; op < 256; ++op)
    compact(0x3Eu << 25 | op << 17 | 8 << 9); // VOPC
  for (uint32_t op = 0; op < 1024; ++op)
    longForms(0x35u << 26 | op << 16 | 4);
  for (uint32_t op = 0; op < 128; ++op)
    longForms(0x33u << 26 | op << 16 | 4);
  for (uint32_t x = 0; x < 16; ++x)
    for (uint32_t y = 0; y < 32; ++y)
      attempt({0x32u << 26 | x << 22 | y << 17 | 8 << 9 | (256 + 6),
               4u << 24 | 2 << 17 | 9 << 9 | (256 + 7), literal});
}

void Sweep::compact(uint32_t bits) {
  for (uint32_t code : sourceCodes)
    attempt({bits | code, literal, 0});
  // A source or destination register above v127 is a high half for 16-bit operands.
  attempt({bits | (256 + 0x86), literal, 0});
  attempt({bits | 250, 0xFFu << 24 | 0x1B << 8 | 6, 0});
  attempt({bits | 250, 0xFFu << 24 | 0x1B << 8 | 0x86, 0});
  attempt({bits | 233, 0x123456u << 8 | 6, 0});
  attempt({bits | 234, 0x123456u << 8 | 6, 0});
  attempt({bits | 249, 6u << 24 | 5 << 16 | 6 << 8 | 6, 0});           // VOP1, VOP2: dwords
  attempt({bits | 249, 4u << 24 | 1 << 16 | 0x8000 | 20 << 8 | 6, 0}); // VOPC to s20
}

void Sweep::longForms(uint32_t bits) {
  constexpr uint32_t v6 = 256 + 6, v8 = 256 + 8, v12 = 256 + 12, s10 = 10, s20 = 20, s30 = 30;
  auto sources = [](uint32_t a, uint32_t b, uint32_t c) { return a | b << 9 | c << 18; };
  // VOP3B and lane masks need SGPRs in places; op_sel_hi is set for VOP3P.
  uint32_t packed = bits >> 26 == 0x33 ? 1u << 14 : 0, packedHi = packed ? 3u << 27 : 0;
  const uint32_t sets[] = {sources(v6, v8, v12),  sources(v6, v8, s30),  sources(v6, s20, s30),
                           sources(v6, s20, 0),   sources(s10, v8, v12), sources(v6, v8, 0),
                           sources(v6, 0, 0),     sources(s10, s10, 0),  sources(s10, 0, 0),
                           sources(255, v8, v12), sources(v6, 255, v12), sources(v6, v8, 255)};
  for (uint32_t set : sets) {
    attempt({bits | packed, set | packedHi, literal});
    attempt({bits | packed | 14 << 8, set | packedHi, literal}); // an SGPR for VOP3B
  }
  for (uint32_t code : sourceCodes) {
    attempt({bits | packed, sources(code, v8, v12) | packedHi, literal});
    attempt({bits | packed, sources(code, v8, 0) | packedHi, literal});
    attempt({bits | packed, sources(code, 0, 0) | packedHi, literal});
  }
  for (uint32_t last : {0u, v12, s30}) {
    attempt({bits | packed, sources(250, v8, last) | packedHi, 0xFFu << 24 | 0x1B << 8 | 6});
    attempt({bits | packed, sources(233, v8, last) | packedHi, 0x123456u << 8 | 6});
    attempt({bits | packed | 14 << 8, sources(250, v8, last), 0xFFu << 24 | 0x1B << 8 | 6});
  }
  attempt({bits, sources(250, 0, 0), 0xFFu << 24 | 0x1B << 8 | 6});
  attempt({bits, sources(233, 0, 0), 0x123456u << 8 | 6});
}

void Sweep::attempt(ArrayRef<uint32_t> dwords) {
  ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(dwords.data()), dwords.size() * 4);
  MachineInstr machine;
  if (Error error = decoder->decode(bytes, 0, machine)) {
    consumeError(std::move(error));
    return;
  }
  if (!StringRef(machine.first.mnemonic).starts_with("v_"))
    return;
  auto count = [&](const RawInstr &raw) {
    if (isExcluded(raw.mnemonic) || isExcludedForm(raw.mnemonic, raw.encoding))
      return;
    std::string key = (raw.mnemonic + " " + encodingName(raw.encoding)).str();
    mnemonics.insert(key);
    if (check(raw, bytes))
      decoded.insert(key);
  };
  count(machine.first);
  if (machine.isDual)
    count(machine.second);
}

/// Whether \p src is the constant that LLVM sees. Not compared are inline floats of 16-bit
/// integers, which assemblers never make, and the upper half of literals of 64-bit signed integers:
/// LLVM does not know that hardware sign-extends them.
bool sameConstant(const Src &src, LaneType type, uint64_t imm) {
  if (src.kind != Src::Kind::Imm)
    return false;
  bool isInteger16 = type == LaneType::U16 || type == LaneType::I16;
  if (isInteger16 && src.imm > 64 && int32_t(src.imm) < -16)
    return true;
  bool isLow = dwordsOf(type) != 2 || (type == LaneType::I64 && uint32_t(imm) == literal);
  uint64_t mask = isInteger16 || type == LaneType::F16 ? 0xFFFF : isLow ? 0xFFFFFFFF : ~0ull;
  return ((src.imm ^ imm) & mask) == 0;
}

/// Operations with op_sel or fixed halves where LLVM's operand is the whole register.
bool ignoresHalves(const Instr &instr, LaneType type, Generation generation) {
  return type == LaneType::Packed || type == LaneType::Mix || instr.op->flags & HighResultOp ||
         isGfx10(generation);
}

bool sameOperand(const RawOperand &operand, const Instr &instr, const LaneOp &op,
                 Generation generation) {
  // Exchanged and indexed registers are sources to one and destinations to the other.
  bool isEither = StringRef(instr.op->names).starts_with("v_swap") ||
                  StringRef(instr.op->names).starts_with("v_movrel");
  if (operand.isDef || isEither) {
    bool anyHalf = ignoresHalves(instr, op.result, generation);
    bool found = any_of(instr.dst, [&](const Dst &dst) {
      switch (operand.kind) {
      case RawOperand::Kind::Vgpr:
        return dst.kind == Dst::Kind::Vgpr && dst.reg == operand.reg &&
               (anyHalf || dst.hi == operand.hi);
      case RawOperand::Kind::Sgpr:
        return dst.kind == Dst::Kind::Sgpr && dst.reg == operand.reg;
      default:
        return operand.kind == RawOperand::Kind::Null && dst.kind == Dst::Kind::Null;
      }
    });
    if (found || !isEither)
      return found;
  }
  for (unsigned i = 0; i < op.sources; ++i) {
    const Src &src = instr.src[i];
    LaneType type = op.src[i];
    bool anyHalf = ignoresHalves(instr, type, generation);
    switch (operand.kind) {
    case RawOperand::Kind::Vgpr:
      if (src.kind == Src::Kind::Vgpr && src.reg == operand.reg &&
          (anyHalf || src.hi == operand.hi))
        return true;
      break;
    case RawOperand::Kind::Sgpr:
      if (src.kind == Src::Kind::Sgpr && src.reg == operand.reg)
        return true;
      break;
    case RawOperand::Kind::Imm:
      if (sameConstant(src, type, operand.imm))
        return true;
      break;
    case RawOperand::Kind::Null:
      if (src.kind == Src::Kind::Imm && src.imm == 0)
        return true;
      break;
    default:
      return true;
    }
  }
  return false;
}

bool Sweep::check(const RawInstr &raw, ArrayRef<uint8_t> bytes) {
  auto problem = [&](const Twine &what) {
    problems.try_emplace((raw.mnemonic + " " + encodingName(raw.encoding)).str(),
                         (what + ": '" + decoder->text(bytes, 0) + "' " + raw.mcName).str());
    return false;
  };
  const OpEntry *op = index.find(raw.mnemonic);
  if (!op)
    return problem("not in the operation tables");
  Instr instr;
  instr.op = op;
  instr.run = op->run;
  instr.kernel = op->kernel;
  std::string why;
  if (!op->decode(raw, instr, why))
    return false;
  if (!op->kernel)
    return true; // v_nop and the like
  const LaneOp &shape = *static_cast<const LaneOp *>(instr.kernel);
  for (const RawOperand &operand : raw.operands)
    if (!operand.isTied && !sameOperand(operand, instr, shape, generation))
      return problem("operand " + Twine(&operand - raw.operands.begin()) + " (" +
                     utohexstr(operand.imm) + ") differs");
  return true;
}

void reportSweep(const Sweep &sweep) {
  for (const auto &[key, what] : sweep.problems)
    ADD_FAILURE() << sweep.target << ": " << key << ": " << what;
  for (const std::string &key : sweep.mnemonics)
    if (!sweep.decoded.count(key) && !sweep.problems.count(key))
      ADD_FAILURE() << sweep.target << ": " << key << " does not decode with any operands";
}

using TargetAndSize = std::pair<const char *, unsigned>;
class ValuSweep : public testing::TestWithParam<TargetAndSize> {};

TEST_P(ValuSweep, EveryInstructionDecodesAsLlvmSeesIt) {
  Sweep sweep(GetParam().first, GetParam().second);
  sweep.run();
  reportSweep(sweep);
  // Far fewer would mean that the sweep itself is broken.
  EXPECT_GT(sweep.mnemonics.size(), 900u);
}

INSTANTIATE_TEST_SUITE_P(Targets, ValuSweep,
                         testing::Values(TargetAndSize{"gfx1010", 32}, TargetAndSize{"gfx1030", 64},
                                         TargetAndSize{"gfx1100", 32}, TargetAndSize{"gfx1150", 64},
                                         TargetAndSize{"gfx1200", 32}),
                         [](const auto &info) { return std::string(info.param.first); });

TEST(ValuSweepList, ExclusionsAreNotInTheTables) {
  for (unsigned generation = 0; generation < 5; ++generation) {
    OpIndex index{Generation(generation)};
    for (const Exclusion &e : exclusions)
      EXPECT_FALSE(index.find(e.prefix)) << e.prefix.str() << ": " << e.reason.str();
  }
}

} // namespace
