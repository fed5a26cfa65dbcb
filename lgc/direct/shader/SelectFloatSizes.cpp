//===- SelectFloatSizes.cpp - floats of 16 and 64 bits --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Halves are plain words with anything above; their signs are changed by integer instructions.
/// What changes the sign of a double stands at its high word until an instruction reads it.
#include "lgc/direct/shader/ShaderSelector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace lgc::direct {

namespace {

constexpr uint32_t halfSign = 0x8000, wordSign = 0x80000000, halfInverseTwoPi = 0x3118;
constexpr Opcode none = Opcode::SEndPgm;

/// With one, two or three sources, and nothing more to them.
struct CallRow {
  Intrinsic::ID intrinsic;
  Opcode half, wide;
};
constexpr CallRow callRows[] = {
    {Intrinsic::floor, Opcode::VFloorF16, Opcode::VFloorF64},
    {Intrinsic::ceil, Opcode::VCeilF16, Opcode::VCeilF64},
    {Intrinsic::trunc, Opcode::VTruncF16, Opcode::VTruncF64},
    {Intrinsic::rint, Opcode::VRoundF16, Opcode::VRoundF64},
    {Intrinsic::roundeven, Opcode::VRoundF16, Opcode::VRoundF64},
    {Intrinsic::nearbyint, Opcode::VRoundF16, Opcode::VRoundF64},
    {Intrinsic::amdgcn_fract, Opcode::VFractF16, Opcode::VFractF64},
    {Intrinsic::amdgcn_rcp, Opcode::VRcpF16, Opcode::VRcpF64},
    {Intrinsic::amdgcn_rsq, Opcode::VRsqF16, Opcode::VRsqF64},
    {Intrinsic::amdgcn_sqrt, Opcode::VSqrtF16, Opcode::VSqrtF64},
    {Intrinsic::amdgcn_sin, Opcode::VSinF16, none},
    {Intrinsic::amdgcn_cos, Opcode::VCosF16, none},
    {Intrinsic::sqrt, Opcode::VSqrtF16, none},
    {Intrinsic::exp2, Opcode::VExpF16, none},
    {Intrinsic::log2, Opcode::VLogF16, none},
    {Intrinsic::minnum, Opcode::VMinF16, Opcode::VMinF64},
    {Intrinsic::maxnum, Opcode::VMaxF16, Opcode::VMaxF64},
    {Intrinsic::canonicalize, Opcode::VMaxF16, Opcode::VMaxF64},
    {Intrinsic::fma, Opcode::VFmaF16, Opcode::VFmaF64},
    {Intrinsic::amdgcn_frexp_mant, Opcode::VFrexpMantF16, Opcode::VFrexpMantF64},
    {Intrinsic::amdgcn_frexp_exp, Opcode::VFrexpExpF16, Opcode::VFrexpExpF64},
};

struct CompareRow {
  CmpInst::Predicate predicate;
  Opcode half, wide;
};
constexpr CompareRow compareRows[] = {
    {CmpInst::FCMP_OEQ, Opcode::VCmpEqF16, Opcode::VCmpEqF64},
    {CmpInst::FCMP_OGT, Opcode::VCmpGtF16, Opcode::VCmpGtF64},
    {CmpInst::FCMP_OGE, Opcode::VCmpGeF16, Opcode::VCmpGeF64},
    {CmpInst::FCMP_OLT, Opcode::VCmpLtF16, Opcode::VCmpLtF64},
    {CmpInst::FCMP_OLE, Opcode::VCmpLeF16, Opcode::VCmpLeF64},
    {CmpInst::FCMP_ONE, Opcode::VCmpLgF16, Opcode::VCmpLgF64},
    {CmpInst::FCMP_ORD, Opcode::VCmpOF16, Opcode::VCmpOF64},
    {CmpInst::FCMP_UNO, Opcode::VCmpUF16, Opcode::VCmpUF64},
    {CmpInst::FCMP_UEQ, Opcode::VCmpNlgF16, Opcode::VCmpNlgF64},
    {CmpInst::FCMP_UGT, Opcode::VCmpNleF16, Opcode::VCmpNleF64},
    {CmpInst::FCMP_UGE, Opcode::VCmpNltF16, Opcode::VCmpNltF64},
    {CmpInst::FCMP_ULT, Opcode::VCmpNgeF16, Opcode::VCmpNgeF64},
    {CmpInst::FCMP_ULE, Opcode::VCmpNgtF16, Opcode::VCmpNgtF64},
    {CmpInst::FCMP_UNE, Opcode::VCmpNeqF16, Opcode::VCmpNeqF64},
};

bool isHalf(const Value &value) { return value.getType()->getScalarType()->isHalfTy(); }
bool isDouble(const Value &value) { return value.getType()->getScalarType()->isDoubleTy(); }

} // namespace

// --- Doubles as operands

/// HW: constants that instructions have are floats of any size, with the same number.
std::optional<Word> ShaderSelector::doubleConstant(uint32_t low, uint32_t high) const {
  const uint64_t bits = static_cast<uint64_t>(high) << 32 | low;
  if (!bits)
    return Word::constant(0);
  constexpr uint32_t firstFloat = 240, inverseTwoPi = 248;
  const double number = bit_cast<double>(bits);
  if (!(number >= -4 && number <= 4))
    return std::nullopt;
  const auto single = static_cast<float>(number);
  const uint32_t source = sourceOfConstant(bit_cast<uint32_t>(single));
  if (single != number || source < firstFloat || source >= inverseTwoPi)
    return std::nullopt;
  return Word::constant(bit_cast<uint32_t>(single));
}

/// Two words as one operand, with what is done to its sign.
Word ShaderSelector::doubleSource(ArrayRef<Word> words) {
  Word low = plain(words[0]), high = words[1];
  for (Word *word : {&low, &high})
    if (word->isUndefined())
      *word = Word::constant(0);
  if (high.isConstant())
    high = plain(high);
  if (low.isConstant() && high.isConstant())
    if (const auto constant = doubleConstant(low.operand.value, high.operand.value))
      return *constant;
  Word result = {tuple({low, {high.operand}}, Bank::Vector)};
  result.isNegated = high.isNegated;
  result.isAbsolute = high.isAbsolute;
  return result;
}

Words ShaderSelector::doubleResult(Opcode opcode, ArrayRef<Word> sources) {
  const Operand result = newVgprs(2);
  vectorInto(opcode, {result}, sources);
  return wordsOf(result, 2);
}

// --- Arithmetic

bool ShaderSelector::selectHalf(const Instruction &inst) {
  if (const std::optional<Opcode> opcode = packedOpcodeOf(inst))
    return selectPacked(inst, *opcode);
  Words a, b, result;
  if (!readElements(inst.getOperand(0), a) ||
      (inst.getNumOperands() > 1 && !readElements(inst.getOperand(1), b)))
    return false;
  for (unsigned i = 0; i < a.size(); ++i) {
    switch (inst.getOpcode()) {
    case Instruction::FNeg:
      result.push_back(integer(Arith::Xor, extended(a[i], 32, false), Word::constant(halfSign)));
      break;
    case Instruction::FAdd:
      result.push_back(vector(Opcode::VAddF16, {a[i], b[i]}));
      break;
    case Instruction::FSub:
      result.push_back(vector(Opcode::VSubF16, {a[i], b[i]}));
      break;
    case Instruction::FMul:
      result.push_back(vector(Opcode::VMulF16, {a[i], b[i]}));
      break;
    default:
      return refuse(inst);
    }
  }
  return defineElements(inst, result);
}

bool ShaderSelector::selectDouble(const Instruction &inst) {
  Words a, b, result;
  if (!read(inst.getOperand(0), a) || (inst.getNumOperands() > 1 && !read(inst.getOperand(1), b)))
    return false;
  for (unsigned i = 0; i < a.size(); i += 2) {
    if (inst.getOpcode() == Instruction::FNeg) {
      Word high = a[i + 1].isConstant() ? plain(a[i + 1]) : a[i + 1];
      if (high.isConstant())
        high = Word::constant(high.operand.value ^ wordSign);
      else
        high.isNegated = !high.isNegated;
      result.append({a[i], high});
      continue;
    }
    if (inst.getOpcode() == Instruction::FDiv) {
      // HW: the signs of operands that are scaled must be in their bits.
      result.append(divideDoubles(doubleSource({a[i], plain(a[i + 1])}),
                                  doubleSource({b[i], plain(b[i + 1])})));
      continue;
    }
    Word left = doubleSource(ArrayRef(a).slice(i, 2)),
         right = doubleSource(ArrayRef(b).slice(i, 2));
    switch (inst.getOpcode()) {
    case Instruction::FSub:
      right.isNegated = !right.isNegated;
      [[fallthrough]];
    case Instruction::FAdd:
      result.append(doubleResult(Opcode::VAddF64, {left, right}));
      break;
    case Instruction::FMul:
      result.append(doubleResult(Opcode::VMulF64, {left, right}));
      break;
    default:
      return refuse(inst);
    }
  }
  return define(inst, result);
}

/// What selectFloat() does not do.
bool ShaderSelector::selectOtherFloat(const Instruction &inst) {
  return isHalf(inst) ? selectHalf(inst) : isDouble(inst) ? selectDouble(inst) : refuse(inst);
}

bool ShaderSelector::selectOtherFloatCompare(const CmpInst &compare) {
  const Value &first = *compare.getOperand(0);
  const auto *row = find_if(
      compareRows, [&](const CompareRow &r) { return r.predicate == compare.getPredicate(); });
  Words a, b, result;
  if (row == std::end(compareRows) || (!isHalf(first) && !isDouble(first)))
    return refuse(compare);
  if (!readElements(&first, a) || !readElements(compare.getOperand(1), b))
    return false;
  if (isHalf(first)) {
    for (unsigned i = 0; i < a.size(); ++i)
      result.push_back(vector(row->half, {a[i], b[i]}));
    return define(compare, result);
  }
  for (unsigned i = 0; i < a.size(); i += 2) {
    const Word left = doubleSource(ArrayRef(a).slice(i, 2));
    const Word right = doubleSource(ArrayRef(b).slice(i, 2));
    result.push_back(vector(row->wide, {left, right}));
  }
  return define(compare, result);
}

// --- Calls

bool ShaderSelector::selectHalfCall(const CallInst &call) {
  if (const std::optional<Opcode> opcode = packedOpcodeOf(call))
    return selectPacked(call, *opcode);
  const Intrinsic::ID id = call.getIntrinsicID();
  const CallRow *row = find_if(callRows, [&](const CallRow &r) { return r.intrinsic == id; });
  SmallVector<Words, 3> sources(call.arg_size());
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (!readElements(call.getArgOperand(i), sources[i]))
      return false;
  Words result;
  for (unsigned i = 0; i < sources[0].size(); ++i) {
    const Word &first = sources[0][i];
    switch (id) {
    case Intrinsic::fabs:
      result.push_back(
          integer(Arith::And, extended(first, 32, false), Word::constant(halfSign - 1)));
      break;
    case Intrinsic::copysign:
      if (!isHalf(*call.getArgOperand(1)))
        return refuse(call);
      result.push_back(
          vector(Opcode::VBitSelect, {Word::constant(halfSign - 1), first, sources[1][i]}));
      break;
    case Intrinsic::sin:
    case Intrinsic::cos:
      result.push_back(
          vector(id == Intrinsic::sin ? Opcode::VSinF16 : Opcode::VCosF16,
                 {vector(Opcode::VMulF16, {Word::constant(halfInverseTwoPi), first})}));
      break;
    case Intrinsic::ldexp: {
      // HW: an exponent of 16 bits.
      const Word exponent =
          integer(Arith::MinI, integer(Arith::MaxI, sources[1][i], Word::constant(0u - halfSign)),
                  Word::constant(halfSign - 1));
      if (call.getArgOperand(1)->getType()->getScalarSizeInBits() != 32)
        return refuse(call);
      result.push_back(vector(Opcode::VLdexpF16, {first, exponent}));
      break;
    }
    default: {
      if (row == std::end(callRows) || call.getType()->getScalarSizeInBits() != 16)
        return refuse(call);
      Words all;
      for (const Words &words : sources)
        all.push_back(words[i]);
      if (id == Intrinsic::canonicalize)
        all.push_back(first);
      result.push_back(vector(row->half, all));
    }
    }
  }
  return defineElements(call, result);
}

bool ShaderSelector::selectDoubleCall(const CallInst &call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  const CallRow *row = find_if(callRows, [&](const CallRow &r) { return r.intrinsic == id; });
  const bool isExponent = id == Intrinsic::amdgcn_frexp_exp;
  SmallVector<Words, 3> sources(call.arg_size());
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (!read(call.getArgOperand(i), sources[i]))
      return false;
  Words result;
  for (unsigned i = 0; i < sources[0].size(); i += 2) {
    const ArrayRef<Word> first = ArrayRef(sources[0]).slice(i, 2);
    if (id == Intrinsic::fabs) {
      Word high = plain(first[1]);
      if (high.isConstant())
        high = Word::constant(high.operand.value & ~wordSign);
      else
        high.isAbsolute = true;
      result.append({first[0], high});
      continue;
    }
    if (id == Intrinsic::copysign) {
      if (!isDouble(*call.getArgOperand(1)))
        return refuse(call);
      result.append(
          {first[0], vector(Opcode::VBitSelect, {Word::constant(~wordSign), plain(first[1]),
                                                 plain(sources[1][i + 1])})});
      continue;
    }
    Words all = {doubleSource(first)};
    if (id == Intrinsic::sqrt) {
      result.append(rootOfDouble(all[0]));
      continue;
    }
    if (id == Intrinsic::ldexp) {
      if (call.getArgOperand(1)->getType()->getScalarSizeInBits() != 32)
        return refuse(call);
      all.push_back(sources[1][i / 2]);
      result.append(doubleResult(Opcode::VLdexpF64, all));
      continue;
    }
    if (row == std::end(callRows) || row->wide == none ||
        call.getType()->getScalarSizeInBits() != (isExponent ? 32 : 64))
      return refuse(call);
    for (const Words &words : drop_begin(sources))
      all.push_back(doubleSource(ArrayRef(words).slice(i, 2)));
    if (id == Intrinsic::canonicalize)
      all.push_back(all[0]);
    if (isExponent)
      result.push_back(vector(row->wide, all));
    else
      result.append(doubleResult(row->wide, all));
  }
  return define(call, result);
}

/// Mantissas and exponents.
bool ShaderSelector::selectFrexp(const CallInst &call) {
  const Value &argument = *call.getArgOperand(0);
  const auto *type = cast<StructType>(call.getType());
  Words words, mantissas, exponents;
  if (!type->getElementType(1)->getScalarType()->isIntegerTy(32))
    return refuse(call);
  if (!readElements(&argument, words))
    return false;
  for (unsigned i = 0; i < words.size(); i += isDouble(argument) ? 2 : 1) {
    if (isDouble(argument)) {
      const Word source = doubleSource(ArrayRef(words).slice(i, 2));
      mantissas.append(doubleResult(Opcode::VFrexpMantF64, {source}));
      exponents.push_back(vector(Opcode::VFrexpExpF64, {source}));
    } else if (isHalf(argument)) {
      mantissas.push_back(vector(Opcode::VFrexpMantF16, {words[i]}));
      exponents.push_back(extended(vector(Opcode::VFrexpExpF16, {words[i]}), 16, true));
    } else {
      mantissas.push_back(vector(Opcode::VFrexpMantF32, {words[i]}));
      exponents.push_back(vector(Opcode::VFrexpExpF32, {words[i]}));
    }
  }
  if (isHalf(argument) && argument.getType()->isVectorTy())
    mantissas = packed(mantissas);
  mantissas.append(exponents);
  return define(call, mantissas);
}

/// Of 32 bits.
bool ShaderSelector::selectCanonical(const CallInst &call) {
  Words words, result;
  if (!read(call.getArgOperand(0), words))
    return false;
  for (const Word &word : words)
    result.push_back(vector(Opcode::VMaxF32, {word, word}));
  return define(call, result);
}

/// Of the three coordinates of a place on a cube.
bool ShaderSelector::selectCube(const CallInst &call) {
  constexpr std::pair<Intrinsic::ID, Opcode> rows[] = {
      {Intrinsic::amdgcn_cubeid, Opcode::VCubeId},
      {Intrinsic::amdgcn_cubesc, Opcode::VCubeS},
      {Intrinsic::amdgcn_cubetc, Opcode::VCubeT},
      {Intrinsic::amdgcn_cubema, Opcode::VCubeMajor}};
  Words words(3);
  for (unsigned i = 0; i < 3; ++i)
    if (!readWord(call.getArgOperand(i), words[i]))
      return false;
  const auto *row = find_if(rows, [&](const auto &r) { return r.first == call.getIntrinsicID(); });
  return define(call, {vector(row->second, words)});
}

ShaderSelector::CallSelector ShaderSelector::floatCallOf(const CallInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::frexp:
    return &ShaderSelector::selectFrexp;
  case Intrinsic::amdgcn_cubeid:
  case Intrinsic::amdgcn_cubesc:
  case Intrinsic::amdgcn_cubetc:
  case Intrinsic::amdgcn_cubema:
    return &ShaderSelector::selectCube;
  case Intrinsic::canonicalize:
    if (call.getType()->getScalarType()->isFloatTy())
      return &ShaderSelector::selectCanonical;
    break;
  case Intrinsic::fabs:
  case Intrinsic::copysign:
  case Intrinsic::ldexp:
  case Intrinsic::sin:
  case Intrinsic::cos:
    break;
  default:
    if (none_of(callRows,
                [&](const CallRow &row) { return row.intrinsic == call.getIntrinsicID(); }))
      return nullptr;
  }
  return isHalf(*call.getArgOperand(0))     ? &ShaderSelector::selectHalfCall
         : isDouble(*call.getArgOperand(0)) ? &ShaderSelector::selectDoubleCall
                                            : nullptr;
}

} // namespace lgc::direct
