//===- SelectIntegers.cpp - integers, compares and conversions ------------===//
// SPDX-License-Identifier: MIT
#include "lgc/Ops.h"
#include "lgc/direct/shader/ShaderSelector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace lgc::direct {

namespace {

/// What computes 32 bits, and for vectors whether the sources change places.
struct BinaryRow {
  unsigned opcode;
  Opcode scalar, vector;
  bool isReversed = false;
};
constexpr BinaryRow binaryRows[] = {
    {Instruction::Add, Opcode::SAdd, Opcode::VAdd32},
    {Instruction::Sub, Opcode::SSub, Opcode::VSub32},
    {Instruction::Mul, Opcode::SMul, Opcode::VMulLow},
    {Instruction::And, Opcode::SAnd32, Opcode::VAnd},
    {Instruction::Or, Opcode::SOr32, Opcode::VOr},
    {Instruction::Xor, Opcode::SXor32, Opcode::VXor},
    {Instruction::Shl, Opcode::SShiftLeft32, Opcode::VShiftLeft32, true},
    {Instruction::LShr, Opcode::SShiftRight32, Opcode::VShiftRight32, true},
    {Instruction::AShr, Opcode::SShiftRightI32, Opcode::VShiftRightI32, true},
};

struct CompareRow {
  CmpInst::Predicate predicate;
  Opcode scalar, vector, vector64;
};
constexpr CompareRow compareRows[] = {
    {CmpInst::ICMP_EQ, Opcode::SCmpEqU, Opcode::VCmpEqU, Opcode::VCmpEqU64},
    {CmpInst::ICMP_NE, Opcode::SCmpLgU, Opcode::VCmpNeU, Opcode::VCmpNeU64},
    {CmpInst::ICMP_UGT, Opcode::SCmpGtU, Opcode::VCmpGtU, Opcode::VCmpGtU64},
    {CmpInst::ICMP_UGE, Opcode::SCmpGeU, Opcode::VCmpGeU, Opcode::VCmpGeU64},
    {CmpInst::ICMP_ULT, Opcode::SCmpLtU, Opcode::VCmpLtU, Opcode::VCmpLtU64},
    {CmpInst::ICMP_ULE, Opcode::SCmpLeU, Opcode::VCmpLeU, Opcode::VCmpLeU64},
    {CmpInst::ICMP_SGT, Opcode::SCmpGtI, Opcode::VCmpGtI, Opcode::VCmpGtI64},
    {CmpInst::ICMP_SGE, Opcode::SCmpGeI, Opcode::VCmpGeI, Opcode::VCmpGeI64},
    {CmpInst::ICMP_SLT, Opcode::SCmpLtI, Opcode::VCmpLtI, Opcode::VCmpLtI64},
    {CmpInst::ICMP_SLE, Opcode::SCmpLeI, Opcode::VCmpLeI, Opcode::VCmpLeI64},
};

struct FloatCompareRow {
  CmpInst::Predicate predicate;
  Opcode opcode;
};
constexpr FloatCompareRow floatCompareRows[] = {
    {CmpInst::FCMP_OEQ, Opcode::VCmpEqF32},  {CmpInst::FCMP_OGT, Opcode::VCmpGtF32},
    {CmpInst::FCMP_OGE, Opcode::VCmpGeF32},  {CmpInst::FCMP_OLT, Opcode::VCmpLtF32},
    {CmpInst::FCMP_OLE, Opcode::VCmpLeF32},  {CmpInst::FCMP_ONE, Opcode::VCmpLgF32},
    {CmpInst::FCMP_ORD, Opcode::VCmpOF32},   {CmpInst::FCMP_UNO, Opcode::VCmpUF32},
    {CmpInst::FCMP_UEQ, Opcode::VCmpNlgF32}, {CmpInst::FCMP_UGT, Opcode::VCmpNleF32},
    {CmpInst::FCMP_UGE, Opcode::VCmpNltF32}, {CmpInst::FCMP_ULT, Opcode::VCmpNgeF32},
    {CmpInst::FCMP_ULE, Opcode::VCmpNgtF32}, {CmpInst::FCMP_UNE, Opcode::VCmpNeqF32},
};

/// The row with the key; null: none.
template <typename Row, typename Key, size_t N>
const Row *findRow(const Row (&rows)[N], Key Row::*key, Key wanted) {
  const Row *found = find_if(rows, [&](const Row &row) { return row.*key == wanted; });
  return found == std::end(rows) ? nullptr : found;
}

unsigned elementBits(const Value &value) { return value.getType()->getScalarSizeInBits(); }

} // namespace

std::pair<Opcode, Opcode> compareOpcodes(CmpInst::Predicate predicate) {
  const CompareRow *row = findRow(compareRows, &CompareRow::predicate, predicate);
  return {row->scalar, row->vector};
}

/// A mask, whatever the banks of the sources are.
Word ShaderSelector::compare64(CmpInst::Predicate predicate, ArrayRef<Word> a, ArrayRef<Word> b) {
  const CompareRow *row = findRow(compareRows, &CompareRow::predicate, predicate);
  return vector(row->vector64, {{pairSource(a, Bank::Vector)}, {pairSource(b, Bank::Vector)}});
}

// --- Arithmetic

bool ShaderSelector::selectMaskLogic(const Instruction &inst) {
  Words a, b, result;
  if (!read(inst.getOperand(0), a) || !read(inst.getOperand(1), b))
    return false;
  for (unsigned i = 0; i < a.size(); ++i) {
    switch (inst.getOpcode()) {
    case Instruction::And:
      result.push_back(maskOp(Opcode::SAnd32, Opcode::SAnd64, {a[i], b[i]}));
      break;
    case Instruction::Or:
      result.push_back(maskOp(Opcode::SOr32, Opcode::SOr64, {a[i], b[i]}));
      break;
    case Instruction::Xor:
      result.push_back(maskOp(Opcode::SXor32, Opcode::SXor64, {a[i], b[i]}));
      break;
    default:
      return refuse(inst);
    }
  }
  return define(inst, result);
}

bool ShaderSelector::selectBinary(const Instruction &inst) {
  const unsigned bits = elementBits(inst);
  if (bits == 1)
    return selectMaskLogic(inst);
  if (inst.isIntDivRem())
    return selectIntegerDivision(inst);
  if (bits == 64)
    return inst.getType()->isVectorTy() || inst.getOpcode() == Instruction::Mul
               ? selectWideBinary(inst)
               : selectBinary64(inst);
  if (bits == 8 || bits == 16)
    return selectNarrowBinary(inst);
  const BinaryRow *row = findRow(binaryRows, &BinaryRow::opcode, inst.getOpcode());
  if (!row || bits != 32)
    return refuse(inst);
  Words a, b, result;
  if (!read(inst.getOperand(0), a) || !read(inst.getOperand(1), b))
    return false;
  const Opcode vectorOp =
      isVector(&inst) && isShortProduct(inst) ? Opcode::VMulShortU : row->vector;
  for (unsigned i = 0; i < a.size(); ++i) {
    if (inst.getOpcode() == Instruction::Mul && a[i].isConstant())
      std::swap(a[i], b[i]);
    const bool isShift = inst.getOpcode() == Instruction::Mul && b[i].isConstant() &&
                         isPowerOf2_32(b[i].operand.value);
    if (isShift) {
      const Word count = Word::constant(Log2_32(b[i].operand.value));
      result.push_back(isVector(&inst) ? vector(Opcode::VShiftLeft32, {count, a[i]})
                                       : scalar(Opcode::SShiftLeft32, {a[i], count}));
      continue;
    }
    if (!isVector(&inst))
      result.push_back(scalar(row->scalar, {a[i], b[i]}));
    else if (row->isReversed)
      result.push_back(vector(row->vector, {b[i], a[i]}));
    else
      result.push_back(vector(vectorOp, {a[i], b[i]}));
  }
  return define(inst, result);
}

Words ShaderSelector::shift64(const Instruction &inst, Opcode scalarOp, Opcode vectorOp,
                              ArrayRef<Word> number, const Word &count) {
  if (!isVector(&inst)) {
    const Operand result = newSgprs(2);
    const Operand source = pairSource(number, Bank::Scalar);
    emit(scalarOp, {result, source, scalarSource(count)});
    return wordsOf(result, 2);
  }
  const Operand result = newVgprs(2);
  vectorInto(vectorOp, {result}, {count, {pairSource(number, Bank::Vector)}});
  return wordsOf(result, 2);
}

bool ShaderSelector::selectBinary64(const Instruction &inst) {
  Words a, b;
  if (inst.getType()->isVectorTy() || !inst.getType()->isIntegerTy())
    return refuse(inst);
  if (!read(inst.getOperand(0), a) || !read(inst.getOperand(1), b))
    return false;
  auto byHalves = [&](Opcode scalarOp, Opcode vectorOp) {
    Words result;
    for (unsigned i = 0; i < 2; ++i) {
      const bool isAnd = inst.getOpcode() == Instruction::And;
      // Masks of halves are common: what is all ones or zeros needs no instruction.
      const Word &mask = b[i];
      const bool isIdentity = mask.isConstant() && mask.operand.value == (isAnd ? ~0u : 0u);
      const bool isZero = isAnd && mask.isConstant() && mask.operand.value == 0;
      if (isIdentity || isZero)
        result.push_back(isZero ? Word::constant(0) : a[i]);
      else if (!isAnd && a[i].isConstant() && a[i].operand.value == 0)
        result.push_back(mask);
      else
        result.push_back(isVector(&inst) ? vector(vectorOp, {a[i], b[i]})
                                         : scalar(scalarOp, {a[i], b[i]}));
    }
    return define(inst, result);
  };
  switch (inst.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
    return define(inst, add64(a, b, isVector(&inst), inst.getOpcode() == Instruction::Sub));
  case Instruction::And:
    return byHalves(Opcode::SAnd32, Opcode::VAnd);
  case Instruction::Or:
    return byHalves(Opcode::SOr32, Opcode::VOr);
  case Instruction::Xor:
    return byHalves(Opcode::SXor32, Opcode::VXor);
  case Instruction::Shl:
    return define(inst, shift64(inst, Opcode::SShiftLeft64, Opcode::VShiftLeft64, a, b[0]));
  case Instruction::LShr:
    return define(inst, shift64(inst, Opcode::SShiftRight64, Opcode::VShiftRight64, a, b[0]));
  case Instruction::AShr:
    return define(inst, shift64(inst, Opcode::SShiftRightI64, Opcode::VShiftRightI64, a, b[0]));
  default:
    return refuse(inst);
  }
}

// --- Compares and selects

Word ShaderSelector::maskOfScc() {
  const Operand result = newMask();
  emit(byWave(Opcode::SSelect32, Opcode::SSelect64),
       {result, Operand::constant(~0u), Operand::constant(0)});
  return {result};
}

/// Into SCC. HW: there is no instruction for the order of 64 bits; the borrow of a difference says
/// it.
void ShaderSelector::compareOrder64(CmpInst::Predicate predicate, ArrayRef<Word> a,
                                    ArrayRef<Word> b) {
  constexpr uint32_t sign = 0x80000000;
  const bool isNegated = CmpInst::isNonStrictPredicate(predicate);
  if (isNegated)
    predicate = CmpInst::getInversePredicate(predicate);
  if (predicate == CmpInst::ICMP_UGT || predicate == CmpInst::ICMP_SGT)
    std::swap(a, b);
  Word highs[] = {a[1], b[1]};
  if (CmpInst::isSigned(predicate))
    for (Word &high : highs)
      high = high.isConstant() ? Word::constant(high.operand.value ^ sign)
                               : scalar(Opcode::SXor32, {high, Word::constant(sign)});
  scalar(Opcode::SSub, {a[0], b[0]});
  scalar(Opcode::SSubBorrow, {highs[0], highs[1]}); // SCC stays as it is in between
  if (isNegated)
    emit(Opcode::SCmpLgU,
         {toSgpr(scalar(Opcode::SSelect32, {Word::constant(0), Word::constant(1)})),
          Operand::constant(0)});
}

/// The result is in SCC.
bool ShaderSelector::emitScalarCompare(const CmpInst &compare, unsigned element) {
  Words a, b;
  if (!readCompared(compare, a, b))
    return false;
  const CompareRow *row = findRow(compareRows, &CompareRow::predicate, compare.getPredicate());
  const Type *type = compare.getOperand(0)->getType()->getScalarType();
  if (!row || type->isIntegerTy(24))
    return refuse(compare);
  if (type->isIntegerTy(1)) {
    const Word mask = compareMasks(compare.getPredicate(), a[element], b[element]);
    emit(byWave(Opcode::SCmpLgU, Opcode::SCmpLgU64), {laneMask(mask), Operand::constant(0)});
    return true;
  }
  if (dwordsOf(type) == 1) {
    Operand left = scalarSource(a[element]), right = scalarSource(b[element]);
    if (left.isConstant() && right.isConstant())
      left = toSgpr({left});
    emit(row->scalar, {left, right});
    return true;
  }
  if (const unsigned dwords = dwordsOf(type); dwords > 2 && compare.isEquality()) {
    Word bits = Word::constant(0);
    for (unsigned i = element * dwords; i < (element + 1) * dwords; ++i)
      bits = scalar(Opcode::SOr32, {bits, scalar(Opcode::SXor32, {a[i], b[i]})});
    emit(row->scalar, {bits.operand, Operand::constant(0)});
    return true;
  }
  if (dwordsOf(type) != 2)
    return refuse(compare);
  if (!compare.isEquality()) {
    compareOrder64(compare.getPredicate(), ArrayRef(a).slice(2 * element, 2),
                   ArrayRef(b).slice(2 * element, 2));
    return true;
  }
  const Operand left = tuple(ArrayRef(a).slice(2 * element, 2), Bank::Scalar);
  const Operand right = pairSource(ArrayRef(b).slice(2 * element, 2), Bank::Scalar);
  emit(compare.getPredicate() == CmpInst::ICMP_EQ ? Opcode::SCmpEqU64 : Opcode::SCmpLgU64,
       {left, right});
  return true;
}

bool ShaderSelector::selectCompare(const CmpInst &compare) {
  const Type *type = compare.getOperand(0)->getType()->getScalarType();
  const unsigned count = dwordsOf(compare.getType());
  Words a, b, result;
  if (type->isIntegerTy(1))
    return selectMaskCompare(compare);
  if (type->isFloatingPointTy() && !type->isFloatTy())
    return selectOtherFloatCompare(compare);
  if (!isVector(&compare)) {
    for (unsigned i = 0; i < count; ++i) {
      if (!emitScalarCompare(compare, i))
        return false;
      result.push_back(maskOfScc());
    }
    return define(compare, result);
  }
  if (!readCompared(compare, a, b))
    return false;
  if (type->isFloatTy()) {
    const FloatCompareRow *row =
        findRow(floatCompareRows, &FloatCompareRow::predicate, compare.getPredicate());
    if (!row)
      return refuse(compare);
    for (unsigned i = 0; i < count; ++i)
      result.push_back(vector(row->opcode, {a[i], b[i]}));
    return define(compare, result);
  }
  const CompareRow *row = findRow(compareRows, &CompareRow::predicate, compare.getPredicate());
  unsigned bits =
      static_cast<unsigned>(layout.getTypeSizeInBits(const_cast<Type *>(type)).getFixedValue());
  if (type->isIntegerTy(8) || type->isIntegerTy(16))
    bits = 32; // as they were read
  if (bits > 64 && bits % 32 == 0 && compare.isEquality()) {
    for (unsigned i = 0; i < count; ++i) {
      Word differences = Word::constant(0);
      for (unsigned k = i * bits / 32; k < (i + 1) * bits / 32; ++k)
        differences = integer(Arith::Or, differences, integer(Arith::Xor, a[k], b[k]));
      result.push_back(compareWords(compare.getPredicate(), differences, Word::constant(0)));
    }
    return define(compare, result);
  }
  if (!row || (bits != 32 && bits != 64) || type->isFloatingPointTy())
    return refuse(compare);
  for (unsigned i = 0; i < count; ++i)
    result.push_back(
        bits == 32
            ? vector(row->vector, {a[i], b[i]})
            : vector(row->vector64, {{pairSource(ArrayRef(a).slice(2 * i, 2), Bank::Vector)},
                                     {pairSource(ArrayRef(b).slice(2 * i, 2), Bank::Vector)}}));
  return define(compare, result);
}

/// Sources of a scalar choice are read in front of the compare, whose SCC nothing may touch.
bool ShaderSelector::selectScalarChoice(const SelectInst &select, ArrayRef<Word> yes,
                                        ArrayRef<Word> no) {
  SmallVector<Operand, 8> sources;
  for (unsigned i = 0; i < yes.size(); ++i) {
    Operand left = scalarSource(yes[i]), right = scalarSource(no[i]);
    auto isLiteral = [](const Operand &operand) {
      return operand.isConstant() && sourceOfConstant(operand.value) == noSource;
    };
    if (isLiteral(left) && isLiteral(right))
      left = toSgpr({left});
    sources.push_back(left);
    sources.push_back(right);
  }
  const auto *compare = dyn_cast<ICmpInst>(select.getCondition());
  if (compare && isFolded(*compare)) {
    if (!emitScalarCompare(*compare, 0))
      return false;
  } else {
    Word condition;
    if (!readWord(select.getCondition(), condition))
      return false;
    emit(byWave(Opcode::SCmpLgU, Opcode::SCmpLgU64), {laneMask(condition), Operand::constant(0)});
  }
  Words result;
  for (unsigned i = 0; i < yes.size(); ++i) {
    const Operand to = newSgprs();
    emit(Opcode::SSelect32, {to, sources[2 * i], sources[2 * i + 1]});
    result.push_back({to});
  }
  return define(select, result);
}

bool ShaderSelector::selectSelect(const SelectInst &select) {
  Words conditions, yes, no, result;
  if (!read(select.getTrueValue(), yes) || !read(select.getFalseValue(), no))
    return false;
  const bool isMask = select.getType()->getScalarType()->isIntegerTy(1);
  const bool hasConditions = select.getCondition()->getType()->isVectorTy();
  if (!isVector(&select) && !isMask && !hasConditions)
    return selectScalarChoice(select, yes, no);
  if (!read(select.getCondition(), conditions))
    return false;
  if (hasConditions && elementBits(select) == 16)
    return selectHalvesChoice(select);
  const size_t perCondition = yes.size() / conditions.size();
  if (perCondition * conditions.size() != yes.size())
    return refuse(select);
  for (unsigned i = 0; i < yes.size(); ++i) {
    const Word &condition = conditions[i / perCondition];
    if (isMask) {
      const Word chosen = maskOp(Opcode::SAnd32, Opcode::SAnd64, {yes[i], condition});
      const Word other = maskOp(Opcode::SAndNot32, Opcode::SAndNot64, {no[i], condition});
      result.push_back(maskOp(Opcode::SOr32, Opcode::SOr64, {chosen, other}));
      continue;
    }
    Operand mask = laneMask(condition);
    if (mask.isConstant()) {
      result.push_back(mask.value ? yes[i] : no[i]);
      continue;
    }
    const Operand to = newVgprs();
    vectorInto(Opcode::VSelect, {to}, {plain(no[i]), plain(yes[i])}, {mask});
    result.push_back({to});
  }
  return define(select, result);
}

// --- Casts

/// Numbers of fewer bits have any bits above.
bool ShaderSelector::selectExtend(const CastInst &cast) {
  const unsigned from = elementBits(*cast.getOperand(0)), to = elementBits(cast);
  const bool isSigned = cast.getOpcode() == Instruction::SExt;
  Words words, result;
  if (to > 64 || (to < 32 && to != 16) || !read(cast.getOperand(0), words) ||
      (cast.getType()->isVectorTy() && (from == 8 || from == 16 || to == 16)))
    return refuse(cast);
  for (const Word &word : words) {
    Word low = word;
    if (from == 1) {
      const uint32_t one = isSigned ? ~0u : 1;
      const Operand mask = laneMask(word);
      if (mask.isConstant()) {
        low = Word::constant(mask.value & one);
      } else if (isVector(&cast)) {
        const Operand chosen = newVgprs();
        vectorInto(Opcode::VSelect, {chosen}, {Word::constant(0), Word::constant(one)}, {mask});
        low = {chosen};
      } else {
        low = isSigned ? Word{part(mask, 0)}
                       : scalar(Opcode::SAnd32, {{part(mask, 0)}, Word::constant(1)});
      }
    } else if (from < 32) {
      const Word mask = Word::constant((1u << from) - 1), width = Word::constant(from);
      if (!isVector(&cast))
        low = isSigned ? scalar(from == 8 ? Opcode::SSignExtend8 : Opcode::SSignExtend16, {word})
                       : scalar(Opcode::SAnd32, {word, mask});
      else
        low = isSigned ? vector(Opcode::VBitFieldI, {word, Word::constant(0), width})
                       : vector(Opcode::VAnd, {mask, word});
    }
    result.push_back(low);
    if (to != 64)
      continue;
    if (!isSigned)
      result.push_back(Word::constant(0));
    else if (isVector(&cast))
      result.push_back(vector(Opcode::VShiftRightI32, {Word::constant(31), low}));
    else
      result.push_back(scalar(Opcode::SShiftRightI32, {low, Word::constant(31)}));
  }
  return define(cast, result);
}

bool ShaderSelector::selectCast(const CastInst &cast) {
  for (const CastSelector select : {narrowCastOf(cast), conversionOf(cast)})
    if (select)
      return (this->*select)(cast);
  Words words;
  switch (cast.getOpcode()) {
  case Instruction::ZExt:
  case Instruction::SExt:
    return selectExtend(cast);
  case Instruction::Trunc: {
    if (!read(cast.getOperand(0), words))
      return false;
    const unsigned from = elementBits(*cast.getOperand(0)), to = elementBits(cast);
    if (cast.getType()->isVectorTy() || to == 1 || from > 64)
      return refuse(cast);
    words.truncate(dwordsOf(cast.getType()));
    return define(cast, words);
  }
  case Instruction::AddrSpaceCast:
    // The same memory, however it is read.
    if (cast.getOperand(0)->getType()->getPointerAddressSpace() != AddrSpace::Constant ||
        cast.getType()->getPointerAddressSpace() != AddrSpace::Global)
      return refuse(cast);
    [[fallthrough]];
  case Instruction::BitCast:
  case Instruction::IntToPtr:
  case Instruction::PtrToInt:
    if (!read(cast.getOperand(0), words))
      return false;
    if (cast.getOpcode() != Instruction::BitCast && !cast.getType()->isVectorTy() &&
        elementBits(*cast.getOperand(0)) % 32 == 0)
      words.resize(dwordsOf(cast.getType()), Word::constant(0));
    if (words.size() != dwordsOf(cast.getType()))
      return refuse(cast);
    // Bits are not floats any more, or the other way round.
    for (Word &word : words)
      word = plain(word);
    return define(cast, words);
  default:
    return refuse(cast);
  }
}

} // namespace lgc::direct
