//===- FloatModes.cpp - what float arithmetic may and must do -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Fast-math flags of single instructions, and the denormal and rounding modes of the entry point.
///
/// The modes belong to a register of the hardware. LLVM's optimiser knows of denormals in a few
/// places only and of rounding in none: it folds constants as IEEE 754 says, and drops what changes
/// nothing but denormals (x * 1, min(x, x)). So
/// - where denormals must be flushed, operands and each result pass llvm.canonicalize, which every
///   pass folds by the function's denormal mode (operands: 1 > 0 where 1 is a denormal is folded to
///   true otherwise):
///     before: %r = fmul float %x, 1.0
///     after:  %y = call float @llvm.canonicalize.f32(float %x)
///             %r = call float @llvm.canonicalize.f32(float (fmul float %y, 1.0))
/// - where results round toward zero, operands pass llvm.arithmetic.fence, which nothing folds.
/// lgc-lower-signs removes these guards where they have done their work.
#include "llpc/spirv/Grammar.h"
#include "llpc/translate/TranslatorState.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"
#include "llvm/IR/IntrinsicInst.h"
#include <spirv/unified1/GLSL.std.450.h>

using namespace llvm;

namespace llpc {

const lgc::FloatMode &Translator::floatMode(unsigned width) const {
  return state->floatModes[floatModeIndex(width)];
}

namespace {

/// Bits of the floats that a scalar, vector or matrix is made of; 0 for everything else.
unsigned floatBits(const Type *type) {
  if (auto *array = dyn_cast<ArrayType>(type))
    type = array->getElementType();
  const Type *scalar = type->getScalarType();
  return scalar->isFloatingPointTy() ? scalar->getScalarSizeInBits() : 0;
}

/// Instructions whose results follow the modes ("The following core SPIR-V instructions must
/// respect ...", Vulkan, "Precision and Operation of SPIR-V Instructions").
bool followsModes(const Translator &t, const Inst &inst) {
  if (inst.opcode == spv::Op::OpFConvert || inst.opcode == spv::Op::OpQuantizeToF16)
    return true;
  if (inst.opcode != spv::Op::OpExtInst) {
    const spirv::OpInfo *info = spirv::findOp(static_cast<uint32_t>(inst.opcode));
    return info && info->opClass == spirv::OpClass::Arithmetic;
  }
  if (t.spv.extInstSet(inst[0]) != "GLSL.std.450")
    return true;
  // Moves bits, and may be undone by an instruction that does.
  return inst[1] != GLSLstd450PackDouble2x32;
}

/// Instructions that take denormal operands as zeros, which are some more: "Only floating-point
/// conversion, arithmetic, relational (except OpIsNaN, OpIsInf), and extended instructions must
/// flush" (VK_KHR_shader_float_controls, issue 1).
bool flushesOperands(const Translator &t, const Inst &inst) {
  switch (inst.opcode) {
  case spv::Op::OpConvertFToS:
  case spv::Op::OpConvertFToU:
    return true;
  case spv::Op::OpIsNan:
  case spv::Op::OpIsInf:
  case spv::Op::OpSelect:
    return false;
  case spv::Op::OpExtInst: // the other one that moves bits
    return followsModes(t, inst) &&
           !(t.spv.extInstSet(inst[0]) == "GLSL.std.450" && inst[1] == GLSLstd450UnpackDouble2x32);
  default:
    break;
  }
  const spirv::OpInfo *info = spirv::findOp(static_cast<uint32_t>(inst.opcode));
  return followsModes(t, inst) || (info && info->opClass == spirv::OpClass::RelationalAndLogical);
}

/// `change` of every float scalar and vector in a value, which may be a matrix or a pair.
Value *mapFloats(IRBuilder<> &b, Value *value, function_ref<Value *(Value *)> change) {
  Type *type = value->getType();
  if (isFloatShape(type))
    return change(value);
  const unsigned parts = type->isArrayTy()    ? type->getArrayNumElements()
                         : type->isStructTy() ? type->getStructNumElements()
                                              : 0;
  for (unsigned i = 0; i < parts; ++i) {
    Value *part = b.CreateExtractValue(value, i);
    if (isFloatShape(part->getType()))
      value = b.CreateInsertValue(value, change(part), i);
  }
  return value;
}

/// What FPFastMathMode flags allow. AllowReassoc and AllowTransform are never made use of, see
/// below; approximations are a matter of precision, not of these flags.
struct FastMathMode {
  bool isGiven = false;
  uint32_t allowed = ~0u;

  bool has(spv::FPFastMathModeMask flag) const {
    return (allowed & static_cast<uint32_t>(flag)) != 0;
  }
};

/// SPV_KHR_float_controls2: the decoration decides alone; without it the defaults of all float
/// types that the instruction touches, and a type without default allows nothing when the entry
/// point has any. (Where defaults of two types differ, what both allow is right in any reading.)
FastMathMode fastMathMode(const Translator &t, const Inst &inst, ArrayRef<Type *> types) {
  const auto *own = inst.resultId
                        ? t.spv.findDecoration(inst.resultId, spv::Decoration::FPFastMathMode)
                        : nullptr;
  if (own && !own->operands.empty()) {
    const bool isFast = own->operands[0] & static_cast<uint32_t>(spv::FPFastMathModeMask::Fast);
    return {true, isFast ? ~0u : own->operands[0]};
  }
  const Translator::State &s = t.internals();
  if (!s.hasFastMathDefaults)
    return {};
  FastMathMode mode{true, ~0u};
  for (const Type *type : types)
    if (const unsigned bits = floatBits(type))
      mode.allowed &= s.fastMathDefaults[floatModeIndex(bits)];
  return mode;
}

} // namespace

FastMathFlags fastMathFlags(const Translator &t, const Inst &inst, ArrayRef<Type *> types) {
  const Translator::State &s = t.internals();
  FastMathFlags flags;
  const unsigned width = types.empty() ? 0 : floatBits(types.front());
  if (!width)
    return flags;
  // Invariant outputs must come out alike in every shader that computes them alike: nothing may
  // depend on what else is around.
  const FastMathMode mode = fastMathMode(t, inst, types);
  const bool exact =
      s.invariantOutputs || !mode.has(spv::FPFastMathModeMask::AllowContract) ||
      (inst.resultId && t.hasDecoration(inst.resultId, spv::Decoration::NoContraction));
  // Why never nnan, ninf, reassoc: NaN and infinity reach later min/max/compare in real shaders,
  // and reassociation has no bound in the precision rules.
  if (mode.isGiven ? mode.has(spv::FPFastMathModeMask::NSZ) : !t.floatMode(width).preserveSpecials)
    flags.setNoSignedZeros();
  if (!exact)
    flags.setAllowContract();
  if (width != 64) {
    if (!s.invariantOutputs && mode.has(spv::FPFastMathModeMask::AllowRecip))
      flags.setAllowReciprocal();
    flags.setApproxFunc();
  }
  return flags;
}

/// Makes floats that are not known before the shader runs of operands that `isGuarded`.
static void guardOperands(Translator &t, MutableArrayRef<Value *> args, Intrinsic::ID guard,
                          function_ref<bool(const lgc::FloatMode &)> isGuarded) {
  IRBuilderBase::FastMathFlagGuard flags(t.b);
  t.b.clearFastMathFlags();
  for (Value *&arg : args) {
    const unsigned bits = floatBits(arg->getType());
    if (!bits || !isGuarded(t.floatMode(bits)))
      continue;
    arg = mapFloats(t.b, arg, [&](Value *part) -> Value * {
      auto *call = dyn_cast<IntrinsicInst>(part);
      if (call && call->getIntrinsicID() == guard)
        return part;
      return t.b.CreateIntrinsic(guard, {part->getType()}, {part});
    });
  }
}

static bool mustFlush(const lgc::FloatMode &mode) {
  // Without demand they may be flushed, and are where that is cheaper.
  return mode.flushDenorms && mode.demandsDenorms;
}

void guardOperands(Translator &t, const Inst &inst, MutableArrayRef<Value *> args) {
  if (llvm::any_of(t.internals().floatModes, mustFlush) && flushesOperands(t, inst))
    guardOperands(t, args, Intrinsic::canonicalize, mustFlush);
  // Conversions round toward zero by instructions of their own, which fold.
  if (inst.opcode == spv::Op::OpFConvert || inst.opcode == spv::Op::OpQuantizeToF16)
    return;
  const auto roundsTowardZero = [](const lgc::FloatMode &mode) { return mode.roundTowardZero; };
  if (llvm::any_of(t.internals().floatModes, roundsTowardZero) && followsModes(t, inst))
    guardOperands(t, args, Intrinsic::arithmetic_fence, roundsTowardZero);
}

Value *flushResult(Translator &t, const Inst &inst, Value *result) {
  const Type *type = result->getType();
  if (auto *pair = dyn_cast<StructType>(type); pair && pair->getNumElements())
    type = pair->getElementType(0); // ModfStruct, FrexpStruct
  const unsigned bits = floatBits(type);
  if (!bits)
    return result;
  if (!mustFlush(t.floatMode(bits)) || !followsModes(t, inst))
    return result;
  IRBuilderBase::FastMathFlagGuard guard(t.b);
  t.b.clearFastMathFlags();
  return mapFloats(t.b, result, [&](Value *part) {
    return t.b.CreateUnaryIntrinsic(Intrinsic::canonicalize, part);
  });
}

Value *flushValue(Translator &t, Value *value) {
  if (!mustFlush(t.floatMode(floatBits(value->getType()))))
    return value;
  IRBuilderBase::FastMathFlagGuard guard(t.b);
  t.b.clearFastMathFlags();
  return t.b.CreateUnaryIntrinsic(Intrinsic::canonicalize, value);
}

SpecialValues specialValues(const ValueOp &op) {
  SmallVector<Type *, 4> types;
  for (const Value *arg : op.args)
    types.push_back(arg->getType());
  const FastMathMode mode = fastMathMode(op.t, op.inst, types);
  if (mode.isGiven)
    return {!mode.has(spv::FPFastMathModeMask::NotInf), !mode.has(spv::FPFastMathModeMask::NotNaN)};
  const unsigned bits = types.empty() ? 0 : floatBits(types.front());
  const bool areKept = bits && op.t.floatMode(bits).preserveSpecials;
  return {areKept, areKept};
}

void setDenormalModes(const Translator &t, Function &function) {
  const auto kind = [](bool flush) { return flush ? "preserve-sign,preserve-sign" : "ieee,ieee"; };
  const bool flushOthers = t.floatMode(16).flushDenorms || t.floatMode(64).flushDenorms;
  function.addFnAttr("denormal-fp-math-f32", kind(t.floatMode(32).flushDenorms));
  function.addFnAttr("denormal-fp-math", kind(flushOthers));
}

Error readFloatMode(Translator &t, const spirv::ExecutionMode &mode) {
  if (mode.operands.empty())
    return lgc::invalidInput("float control mode without a width");
  const uint32_t width = mode.operands[0];
  if (width != 16 && width != 32 && width != 64)
    return lgc::invalidInput("float control mode for width " + Twine(width));
  lgc::FloatMode &target = width == 16   ? t.shader->fp16
                           : width == 32 ? t.shader->fp32
                                         : t.shader->fp64;
  switch (mode.mode) {
  case spv::ExecutionMode::DenormPreserve:
    target.flushDenorms = false;
    target.demandsDenorms = true;
    break;
  case spv::ExecutionMode::DenormFlushToZero:
    target.flushDenorms = target.demandsDenorms = true;
    break;
  case spv::ExecutionMode::SignedZeroInfNanPreserve:
    target.preserveSpecials = true;
    break;
  case spv::ExecutionMode::RoundingModeRTE:
    target.roundTowardZero = false;
    break;
  default:
    target.roundTowardZero = true;
    break;
  }
  return Error::success();
}

/// What the caller wants of 32 bits, for applications that rely on it: it is as if declared.
void applyDenormalOption(Translator &t) {
  lgc::FloatMode &mode = t.shader->fp32;
  const bool isKept = mode.demandsDenorms && !mode.flushDenorms;
  if (!t.options.keepDenormals32 && !(t.options.flushDenormals32 && !isKept))
    return;
  mode.flushDenorms = !t.options.keepDenormals32;
  mode.demandsDenorms = true;
}

/// FPFastMathDefault: a float type, and a constant of the flags that instructions on it allow.
Error readFastMathDefault(Translator &t, const spirv::ExecutionMode &mode) {
  const Inst *type = mode.operands.size() == 2 ? t.spv.definition(mode.operands[0]) : nullptr;
  if (!type || type->opcode != spv::Op::OpTypeFloat)
    return lgc::invalidInput("FPFastMathDefault without a float type and flags");
  auto flags = KILN_TRY(t.readConstant32(mode.operands[1]));
  if (const uint32_t unknown = flags & ~spirv::kindInfo(spirv::OperandKind::FPFastMathMode).allBits)
    return lgc::invalidInput("FPFastMathDefault with the unknown flags 0x" +
                             Twine::utohexstr(unknown));
  auto valueType = KILN_TRY(t.type(type->resultId));
  if (smallFloatOf(t, type->resultId))
    return Error::success(); // no arithmetic
  Translator::State &s = t.internals();
  s.hasFastMathDefaults = true;
  s.fastMathDefaults[floatModeIndex(valueType->getScalarSizeInBits())] = flags;
  return Error::success();
}

Error checkFloatModes(const Translator &t) {
  // One mode register serves both widths (independence "32 bits only" of Vulkan).
  const auto has = [&](spv::ExecutionMode kind, uint32_t width) {
    return llvm::any_of(t.internals().entry->modes, [&](const spirv::ExecutionMode &mode) {
      return mode.mode == kind && !mode.operands.empty() && mode.operands[0] == width;
    });
  };
  using Mode = spv::ExecutionMode;
  for (auto [first, second] : {std::pair(Mode::DenormPreserve, Mode::DenormFlushToZero),
                               std::pair(Mode::RoundingModeRTE, Mode::RoundingModeRTZ)})
    for (auto [a, b] : {std::pair(first, second), std::pair(second, first)})
      if (has(a, 16) && has(b, 64))
        return lgc::unsupported(
            spirv::enumName(spirv::OperandKind::ExecutionMode, static_cast<uint32_t>(a)) +
            " for 16 bits together with " +
            spirv::enumName(spirv::OperandKind::ExecutionMode, static_cast<uint32_t>(b)) +
            " for 64 bits not supported");
  return Error::success();
}

} // namespace llpc
