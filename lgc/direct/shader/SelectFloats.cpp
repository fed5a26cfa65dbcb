//===- SelectFloats.cpp - floats of 32 bits -------------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/ShaderSelector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace lgc::direct {

namespace {

constexpr uint32_t inverseTwoPi = 0x3E22F983;

/// With one, two or three sources, and nothing more to them.
struct FloatCallRow {
  Intrinsic::ID intrinsic;
  Opcode opcode;
  bool needsApproximation = false; ///< without afn, LLVM does more
};
constexpr FloatCallRow floatCallRows[] = {
    {Intrinsic::floor, Opcode::VFloorF32},
    {Intrinsic::ceil, Opcode::VCeilF32},
    {Intrinsic::trunc, Opcode::VTruncF32},
    {Intrinsic::rint, Opcode::VRoundF32},
    {Intrinsic::roundeven, Opcode::VRoundF32},
    {Intrinsic::nearbyint, Opcode::VRoundF32},
    {Intrinsic::amdgcn_fract, Opcode::VFractF32},
    {Intrinsic::amdgcn_rcp, Opcode::VRcpF32},
    {Intrinsic::amdgcn_rsq, Opcode::VRsqF32},
    {Intrinsic::amdgcn_sqrt, Opcode::VSqrtF32},
    {Intrinsic::amdgcn_sin, Opcode::VSinF32},
    {Intrinsic::amdgcn_cos, Opcode::VCosF32},
    {Intrinsic::amdgcn_exp2, Opcode::VExpF32},
    {Intrinsic::amdgcn_log, Opcode::VLogF32},
    {Intrinsic::sqrt, Opcode::VSqrtF32, true},
    {Intrinsic::exp2, Opcode::VExpF32, true},
    {Intrinsic::log2, Opcode::VLogF32, true},
    {Intrinsic::minnum, Opcode::VMinF32},
    {Intrinsic::maxnum, Opcode::VMaxF32},
    {Intrinsic::fma, Opcode::VFma},
    {Intrinsic::amdgcn_fmul_legacy, Opcode::VMulLegacyF32},
    {Intrinsic::amdgcn_fmed3, Opcode::VMed3F32},
    {Intrinsic::ldexp, Opcode::VLdexpF32},
    {Intrinsic::amdgcn_frexp_mant, Opcode::VFrexpMantF32},
    {Intrinsic::amdgcn_frexp_exp, Opcode::VFrexpExpF32},
    {Intrinsic::fptosi_sat, Opcode::VIntOfFloat},
    {Intrinsic::fptoui_sat, Opcode::VUintOfFloat},
};

bool isFloat32(const Value &value) { return value.getType()->getScalarType()->isFloatTy(); }

Word negated(Word word) {
  if (word.isConstant() && word.isPlain())
    return Word::constant(word.operand.value ^ 0x80000000);
  word.isNegated = !word.isNegated;
  return word;
}

} // namespace

/// Of two words without modifiers, rounded once. As LLVM has it, which needs denormal numbers in
/// between, whether or not the shader has them.
Word ShaderSelector::divideFloats(const Word &x, const Word &y) {
  constexpr uint32_t single = 3, others = 3 << 2; // HW: of s_denorm_mode
  const Word one = Word::constant(0x3F800000);
  auto keeps = [&](const fltSemantics &type) {
    return function.getDenormalMode(type) == DenormalMode::getIEEE();
  };
  const bool keepsSingle = keeps(APFloat::IEEEsingle());
  const uint32_t mode = keeps(APFloat::IEEEdouble()) ? others : 0;
  auto fused = [&](const Word &a, const Word &b, const Word &c) {
    return vector(Opcode::VFma, {a, b, c});
  };
  auto scale = [&](const Word &what, const Operand &mask) {
    const Operand result = newVgprs();
    vectorInto(Opcode::VDivScale, {result, mask}, {what, y, x});
    return Word{result};
  };
  const Operand unused = newMask(), mask = newMask();
  const Word divisor = scale(y, unused), dividend = scale(x, mask);
  Word inverse = vector(Opcode::VRcpF32, {divisor});
  const Word negated = {divisor.operand, /*isNegated=*/true};
  // HW(gfx10): not right behind an atomic of floats, of which the scaling is in front.
  if (!keepsSingle)
    emit(Opcode::SDenormMode, {Operand::number(mode | single)});
  inverse = fused(fused(negated, inverse, one), inverse, inverse);
  const Word product = vector(Opcode::VMulF32, {dividend, inverse});
  const Word quotient = fused(fused(negated, product, dividend), inverse, product);
  const Word rest = fused(negated, quotient, dividend);
  if (!keepsSingle)
    emit(Opcode::SDenormMode, {Operand::number(mode)});
  emit(byWave(Opcode::SMov, Opcode::SMov64), {Operand::sgpr(regVcc), mask});
  return vector(Opcode::VDivFixup, {vector(Opcode::VDivFmas, {rest, inverse, quotient}), y, x});
}

bool ShaderSelector::selectFloat(const Instruction &inst) {
  if (!isFloat32(inst))
    return selectOtherFloat(inst);
  Words a, b, result;
  if (!read(inst.getOperand(0), a))
    return false;
  if (inst.getOpcode() == Instruction::FNeg) {
    for (const Word &word : a)
      result.push_back(negated(word));
    return define(inst, result);
  }
  if (!read(inst.getOperand(1), b))
    return false;
  // Where an approximation will do there is none any more (lgc-decide-rounding), but for one that
  // is LLVM's own: both tiers must give the same.
  if (inst.getOpcode() == Instruction::FDiv) {
    if (inst.getMetadata(LLVMContext::MD_fpmath))
      return refuse(inst);
    for (unsigned i = 0; i < a.size(); ++i)
      result.push_back(divideFloats(plain(a[i]), plain(b[i])));
    return define(inst, result);
  }
  const Opcode opcode = inst.getOpcode() == Instruction::FAdd   ? Opcode::VAddF32
                        : inst.getOpcode() == Instruction::FSub ? Opcode::VSubF32
                                                                : Opcode::VMulF32;
  for (unsigned i = 0; i < a.size(); ++i)
    result.push_back(vector(opcode, {a[i], b[i]}));
  return define(inst, result);
}

/// HW: v_sin and v_cos take turns; HW(gfx10+): any number of them.
Word ShaderSelector::inTurns(const Word &angle) {
  return vector(Opcode::VMulF32, {Word::constant(inverseTwoPi), angle});
}

bool ShaderSelector::selectFloatCall(const CallInst &call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  if (!call.arg_size() || !isFloat32(*call.getArgOperand(0)))
    return refuse(call);
  SmallVector<Words, 3> sources(call.arg_size());
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (!read(call.getArgOperand(i), sources[i]))
      return false;
  Words result;
  auto byComponent = [&](auto compute) {
    for (unsigned i = 0; i < sources[0].size(); ++i)
      result.push_back(compute(i));
    return define(call, result);
  };
  switch (id) {
  case Intrinsic::fabs:
    return byComponent([&](unsigned i) {
      Word word = sources[0][i].isConstant() ? plain(sources[0][i]) : sources[0][i];
      word.isAbsolute = true;
      word.isNegated = false;
      return word.isConstant() ? plain(word) : word;
    });
  case Intrinsic::sin:
    return byComponent(
        [&](unsigned i) { return vector(Opcode::VSinF32, {inTurns(sources[0][i])}); });
  case Intrinsic::cos:
    return byComponent(
        [&](unsigned i) { return vector(Opcode::VCosF32, {inTurns(sources[0][i])}); });
  case Intrinsic::copysign:
    return byComponent([&](unsigned i) {
      return vector(Opcode::VBitSelect,
                    {Word::constant(0x7FFFFFFF), plain(sources[0][i]), plain(sources[1][i])});
    });
  case Intrinsic::amdgcn_cvt_pkrtz:
    return byComponent([&](unsigned i) {
      return vector(Opcode::VPackHalfLong, {plain(sources[0][i]), plain(sources[1][i])});
    });
  default:
    break;
  }
  const FloatCallRow *row =
      find_if(floatCallRows, [&](const FloatCallRow &r) { return r.intrinsic == id; });
  if (row == std::end(floatCallRows) ||
      (row->needsApproximation && !cast<FPMathOperator>(call).hasApproxFunc()) ||
      dwordsOf(call.getType()) != sources[0].size() || call.getType()->getScalarSizeInBits() != 32)
    return refuse(call);
  return byComponent([&](unsigned i) {
    Words all;
    for (const Words &words : sources)
      all.push_back(words[words.size() == 1 ? 0 : i]);
    return vector(row->opcode, all);
  });
}

} // namespace lgc::direct
