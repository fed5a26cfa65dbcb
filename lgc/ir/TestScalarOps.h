//===- TestScalarOps.h - what single-lane instructions compute (tests) ----===//
// SPDX-License-Identifier: MIT
/// \file
/// Arithmetic of TestInterpreter.h: plain instructions and intrinsics on the bits of one scalar.
#pragma once

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include <bit>
#include <cmath>
#include <vector>

namespace lgc::test {

/// One scalar: bits, and whether they mean anything.
struct Scalar {
  uint64_t bits = 0;
  bool defined = false;
};
/// A value of one lane, flattened to scalars; and that of all lanes.
using LaneValue = std::vector<Scalar>;
using WaveValue = std::vector<LaneValue>;

inline double toDouble(uint64_t bits, const llvm::Type *type) {
  if (type->isDoubleTy())
    return std::bit_cast<double>(bits);
  if (type->isFloatTy())
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  llvm::APFloat half(llvm::APFloat::IEEEhalf(), llvm::APInt(16, bits & 0xFFFF));
  bool lost = false;
  half.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &lost);
  return half.convertToDouble();
}

inline uint64_t fromDouble(double value, const llvm::Type *type,
                           llvm::APFloat::roundingMode mode = llvm::APFloat::rmNearestTiesToEven) {
  llvm::APFloat number(value);
  bool lost = false;
  number.convert(type->getFltSemantics(), mode, &lost);
  return number.bitcastToAPInt().getZExtValue();
}

/// False means that the operation is not known.
struct ScalarOps {
  static uint64_t truncated(uint64_t bits, unsigned width) {
    return width >= 64 ? bits : bits & ((1ull << width) - 1);
  }
  static int64_t extended(uint64_t bits, unsigned width) {
    return width >= 64 ? static_cast<int64_t>(bits)
                       : static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
  }

  // --- plain instructions ---

  bool operation(const llvm::Instruction &inst, const llvm::Type *from, const llvm::Type *to,
                 const std::vector<uint64_t> &a, Scalar &s) {
    using namespace llvm;
    unsigned width = from->getScalarSizeInBits();
    if (const auto *compare = dyn_cast<CmpInst>(&inst)) {
      s.bits =
          compare->isFPPredicate()
              ? FCmpInst::compare(toFloat(a[0], from), toFloat(a[1], from), compare->getPredicate())
              : ICmpInst::compare(APInt(width, truncated(a[0], width)),
                                  APInt(width, truncated(a[1], width)), compare->getPredicate());
      return true;
    }
    if (inst.getOpcode() == Instruction::FNeg) {
      s.bits = a[0] ^ 1ull << (width - 1);
      return true;
    }
    if (const auto *binary = dyn_cast<BinaryOperator>(&inst))
      return to->isFloatingPointTy() ? floatBinary(binary->getOpcode(), to, a, s)
                                     : intBinary(binary->getOpcode(), width, a, s);
    if (const auto *cast = dyn_cast<CastInst>(&inst))
      return conversion(cast->getOpcode(), from, to, a[0], s);
    return false;
  }

  static llvm::APFloat toFloat(uint64_t bits, const llvm::Type *type) {
    return llvm::APFloat(type->getFltSemantics(),
                         llvm::APInt(type->getScalarSizeInBits(), bits, false, true));
  }

  static bool floatBinary(unsigned opcode, const llvm::Type *type, const std::vector<uint64_t> &a,
                          Scalar &s) {
    using namespace llvm;
    APFloat x = toFloat(a[0], type);
    const APFloat y = toFloat(a[1], type);
    constexpr auto nearest = APFloat::rmNearestTiesToEven;
    switch (opcode) {
    case Instruction::FAdd:
      x.add(y, nearest);
      break;
    case Instruction::FSub:
      x.subtract(y, nearest);
      break;
    case Instruction::FMul:
      x.multiply(y, nearest);
      break;
    case Instruction::FDiv:
      x.divide(y, nearest);
      break;
    default:
      return false;
    }
    s.bits = x.bitcastToAPInt().getZExtValue();
    return true;
  }

  static bool intBinary(unsigned opcode, unsigned width, const std::vector<uint64_t> &a,
                        Scalar &s) {
    using namespace llvm;
    // 128 bits wide values only occur between two conversions; their low 64 bits are not enough.
    if (width > 64)
      return false;
    const APInt x(width, truncated(a[0], width)), y(width, truncated(a[1], width));
    bool isShift =
        opcode == Instruction::Shl || opcode == Instruction::LShr || opcode == Instruction::AShr;
    bool isDivision = opcode == Instruction::UDiv || opcode == Instruction::SDiv ||
                      opcode == Instruction::URem || opcode == Instruction::SRem;
    if ((isShift && y.uge(width)) || (isDivision && y.isZero())) {
      s.defined = false;
      return !isDivision; // a division by zero must never be executed
    }
    APInt r(width, 0);
    switch (opcode) {
    case Instruction::Add:
      r = x + y;
      break;
    case Instruction::Sub:
      r = x - y;
      break;
    case Instruction::Mul:
      r = x * y;
      break;
    case Instruction::And:
      r = x & y;
      break;
    case Instruction::Or:
      r = x | y;
      break;
    case Instruction::Xor:
      r = x ^ y;
      break;
    case Instruction::Shl:
      r = x.shl(y);
      break;
    case Instruction::LShr:
      r = x.lshr(y);
      break;
    case Instruction::AShr:
      r = x.ashr(y);
      break;
    case Instruction::UDiv:
      r = x.udiv(y);
      break;
    case Instruction::SDiv:
      r = x.sdiv(y);
      break;
    case Instruction::URem:
      r = x.urem(y);
      break;
    case Instruction::SRem:
      r = x.srem(y);
      break;
    default:
      return false;
    }
    s.bits = r.getZExtValue();
    return true;
  }

  static bool conversion(unsigned opcode, const llvm::Type *from, const llvm::Type *to, uint64_t x,
                         Scalar &s) {
    using namespace llvm;
    unsigned fromWidth = from->getScalarSizeInBits(), width = to->getScalarSizeInBits();
    switch (opcode) {
    case Instruction::Trunc:
    case Instruction::ZExt:
      s.bits = truncated(truncated(x, fromWidth), width);
      return width <= 64;
    case Instruction::SExt:
      s.bits = truncated(static_cast<uint64_t>(extended(x, fromWidth)), width);
      return width <= 64;
    case Instruction::FPTrunc:
    case Instruction::FPExt:
      s.bits = fromDouble(toDouble(x, from), to);
      return true;
    case Instruction::SIToFP:
      s.bits = fromDouble(static_cast<double>(extended(x, fromWidth)), to);
      return true;
    case Instruction::UIToFP:
      s.bits = fromDouble(static_cast<double>(truncated(x, fromWidth)), to);
      return true;
    case Instruction::FPToSI:
    case Instruction::FPToUI: {
      APSInt result(width, opcode == Instruction::FPToUI);
      bool exact = false;
      s.defined &= toFloat(x, from).convertToInteger(result, APFloat::rmTowardZero, &exact) !=
                   APFloat::opInvalidOp;
      s.bits = result.getZExtValue();
      return width <= 64;
    }
    default:
      return false;
    }
  }

  // --- intrinsics of one lane ---

  static bool isPair(llvm::Intrinsic::ID id) {
    return id == llvm::Intrinsic::amdgcn_cvt_pkrtz ||
           id == llvm::Intrinsic::amdgcn_cvt_pknorm_i16 ||
           id == llvm::Intrinsic::amdgcn_cvt_pknorm_u16;
  }

  static bool packPair(const llvm::IntrinsicInst &call, const std::vector<LaneValue> &args,
                       LaneValue &out) {
    using namespace llvm;
    const Type *f32 = call.getArgOperand(0)->getType();
    for (unsigned i = 0; i < 2; ++i) {
      double x = toDouble(args[i][0].bits, f32);
      uint64_t bits = 0;
      if (call.getIntrinsicID() == Intrinsic::amdgcn_cvt_pkrtz) {
        bits = fromDouble(x, call.getType()->getScalarType(), APFloat::rmTowardZero);
      } else {
        bool isSigned = call.getIntrinsicID() == Intrinsic::amdgcn_cvt_pknorm_i16;
        x = std::isnan(x) ? 0 : std::fmin(std::fmax(x, isSigned ? -1 : 0), 1);
        bits = static_cast<uint64_t>(std::llrint(x * (isSigned ? 32767 : 65535))) & 0xFFFF;
      }
      out.push_back({bits, args[i][0].defined});
    }
    return true;
  }

  static bool frexp(const llvm::Instruction &inst, const LaneValue &x, LaneValue &out) {
    const llvm::Type *type = inst.getOperand(0)->getType()->getScalarType();
    LaneValue exponents;
    for (const Scalar &s : x) {
      int exponent = 0;
      double mantissa = std::frexp(toDouble(s.bits, type), &exponent);
      out.push_back({fromDouble(mantissa, type), s.defined});
      exponents.push_back({static_cast<uint32_t>(exponent), s.defined});
    }
    out.insert(out.end(), exponents.begin(), exponents.end());
    return true;
  }

  static bool withOverflow(const llvm::IntrinsicInst &call, const std::vector<LaneValue> &args,
                           LaneValue &out) {
    unsigned width = call.getArgOperand(0)->getType()->getScalarSizeInBits();
    bool isAdd = call.getIntrinsicID() == llvm::Intrinsic::uadd_with_overflow;
    LaneValue overflows;
    for (size_t i = 0; i < args[0].size(); ++i) {
      uint64_t x = args[0][i].bits, y = args[1][i].bits;
      uint64_t r = truncated(isAdd ? x + y : x - y, width);
      out.push_back({r, args[0][i].defined && args[1][i].defined});
      overflows.push_back({isAdd ? r < x : x < y, out.back().defined});
    }
    out.insert(out.end(), overflows.begin(), overflows.end());
    return true;
  }

  bool intrinsic(const llvm::IntrinsicInst &call, const llvm::Type *type,
                 const std::vector<uint64_t> &a, Scalar &s) {
    if (type->isFloatingPointTy())
      return floatIntrinsic(call.getIntrinsicID(), type, a, s);
    return intIntrinsic(call.getIntrinsicID(), type->getScalarSizeInBits(), a, s);
  }

  static bool floatIntrinsic(llvm::Intrinsic::ID id, const llvm::Type *type,
                             const std::vector<uint64_t> &a, Scalar &s) {
    using namespace llvm;
    double x = toDouble(a[0], type);
    double y = a.size() > 1 && id != Intrinsic::ldexp ? toDouble(a[1], type) : 0;
    double z = a.size() > 2 ? toDouble(a[2], type) : 0;
    double r = 0;
    switch (id) {
    case Intrinsic::sqrt:
      r = std::sqrt(x);
      break;
    case Intrinsic::exp2:
      r = std::exp2(x);
      break;
    case Intrinsic::log2:
      r = std::log2(x);
      break;
    case Intrinsic::sin:
      r = std::sin(x);
      break;
    case Intrinsic::cos:
      r = std::cos(x);
      break;
    case Intrinsic::pow:
      r = std::pow(x, y);
      break;
    case Intrinsic::fabs:
      r = std::fabs(x);
      break;
    case Intrinsic::floor:
      r = std::floor(x);
      break;
    case Intrinsic::ceil:
      r = std::ceil(x);
      break;
    case Intrinsic::trunc:
      r = std::trunc(x);
      break;
    case Intrinsic::roundeven:
      r = std::nearbyint(x);
      break;
    case Intrinsic::copysign:
      r = std::copysign(x, y);
      break;
    case Intrinsic::minnum:
      r = std::fmin(x, y);
      break;
    case Intrinsic::maxnum:
      r = std::fmax(x, y);
      break;
    case Intrinsic::fma:
      r = std::fma(x, y, z);
      break;
    case Intrinsic::amdgcn_fract:
      r = x - std::floor(x);
      break;
    case Intrinsic::amdgcn_fmed3:
      r = std::fmax(std::fmin(x, y), std::fmin(std::fmax(x, y), z));
      break;
    case Intrinsic::ldexp:
      r = std::ldexp(x, static_cast<int>(extended(a[1], 32)));
      break;
    default:
      return false;
    }
    s.bits = fromDouble(r, type);
    return true;
  }

  static bool intIntrinsic(llvm::Intrinsic::ID id, unsigned width, const std::vector<uint64_t> &a,
                           Scalar &s) {
    using namespace llvm;
    const APInt x(width, truncated(a[0], width));
    const APInt y(width, a.size() > 1 ? truncated(a[1], width) : 0);
    switch (id) {
    case Intrinsic::umin:
      s.bits = APIntOps::umin(x, y).getZExtValue();
      return true;
    case Intrinsic::umax:
      s.bits = APIntOps::umax(x, y).getZExtValue();
      return true;
    case Intrinsic::smin:
      s.bits = APIntOps::smin(x, y).getZExtValue();
      return true;
    case Intrinsic::smax:
      s.bits = APIntOps::smax(x, y).getZExtValue();
      return true;
    case Intrinsic::abs:
      s.bits = x.abs().getZExtValue();
      return true;
    case Intrinsic::sadd_sat:
      s.bits = x.sadd_sat(y).getZExtValue();
      return true;
    case Intrinsic::uadd_sat:
      s.bits = x.uadd_sat(y).getZExtValue();
      return true;
    case Intrinsic::ctpop:
      s.bits = x.popcount();
      return true;
    case Intrinsic::ctlz:
      s.bits = x.countl_zero();
      s.defined &= !(a[1] && x.isZero());
      return true;
    case Intrinsic::cttz:
      s.bits = x.countr_zero();
      // Poison, unless a select replaces it: the bits then never reach the result.
      s.defined &= !(a[1] && x.isZero());
      return true;
    case Intrinsic::bitreverse:
      s.bits = x.reverseBits().getZExtValue();
      return true;
    case Intrinsic::amdgcn_sffbh:
      s.bits = x.isZero() || x.isAllOnes() ? 0xFFFFFFFF
                                           : (x.isNegative() ? x.countl_one() : x.countl_zero());
      return true;
    case Intrinsic::amdgcn_ubfe:
    case Intrinsic::amdgcn_sbfe: {
      unsigned offset = a[1] & 31, count = a[2] & 31;
      APInt field = count ? x.lshr(offset).trunc(count) : APInt(1, 0);
      s.bits = count == 0                     ? 0
               : id == Intrinsic::amdgcn_ubfe ? field.zext(32).getZExtValue()
                                              : field.sext(32).getZExtValue();
      // A field past bit 31: the instruction repeats what is there; nothing may rely on it.
      s.defined &= offset + count <= 32;
      return true;
    }
    default:
      return false;
    }
  }
};

} // namespace lgc::test
