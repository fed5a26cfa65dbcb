//===- DecodeScalar.cpp - operands of scalar instructions ------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/ops/Scalar.h"

namespace pal::device {

namespace {

bool makeSource(const RawOperand &operand, Src &src, std::string &why) {
  switch (operand.kind) {
  case RawOperand::Kind::Sgpr:
    src.kind = Src::Kind::Sgpr;
    src.reg = operand.reg;
    return true;
  case RawOperand::Kind::Imm:
    src.kind = Src::Kind::Imm;
    src.imm = operand.imm;
    return true;
  case RawOperand::Kind::Null: // reads as 0
    src.kind = Src::Kind::Imm;
    return true;
  case RawOperand::Kind::Scc:
    src.kind = Src::Kind::Scc;
    return true;
  case RawOperand::Kind::VccZ:
    src.kind = Src::Kind::VccZ;
    return true;
  case RawOperand::Kind::ExecZ:
    src.kind = Src::Kind::ExecZ;
    return true;
  case RawOperand::Kind::Vgpr:
    break;
  }
  why = "VGPR as scalar operand";
  return false;
}

bool makeDestination(const RawOperand &operand, Dst &dst, std::string &why) {
  if (operand.kind == RawOperand::Kind::Null) {
    dst.kind = Dst::Kind::Null;
    return true;
  }
  if (operand.kind != RawOperand::Kind::Sgpr) {
    why = "destination that is not an SGPR";
    return false;
  }
  dst.kind = Dst::Kind::Sgpr;
  dst.reg = operand.reg;
  return true;
}

} // namespace

bool decodeSalu(const RawInstr &raw, Instr &instr, std::string &why) {
  unsigned sources = 0;
  for (const RawOperand &operand : raw.operands) {
    if (operand.isDef) {
      if (!makeDestination(operand, instr.dst[0], why))
        return false;
      continue;
    }
    if (sources == std::size(instr.src)) {
      why = "more operands than a scalar operation has";
      return false;
    }
    Src &src = instr.src[sources++];
    if (!makeSource(operand, src, why))
      return false;
    // A literal follows the first dword; LLVM gives it zero-extended.
    if (src.kind == Src::Kind::Imm && raw.dwords.size() > 1 && instr.op &&
        instr.op->flags & SignExtendLiteral && src.imm == raw.dwords[1])
      src.imm = uint64_t(int64_t(int32_t(src.imm)));
  }
  if (raw.encoding == Encoding::Sopk || raw.encoding == Encoding::Sopp)
    instr.simm = int16_t(raw.bits(0, 16));
  if (raw.encoding == Encoding::Sopk && sources < std::size(instr.src)) {
    instr.src[sources].kind = Src::Kind::Imm;
    instr.src[sources].imm = uint64_t(int64_t(instr.simm));
  }
  return true;
}

} // namespace pal::device
