//===- SelectOperands.cpp - values as operands of instructions ------------===//
// SPDX-License-Identifier: MIT
#include "lgc/CompileError.h"
#include "lgc/direct/shader/ShaderSelector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace lgc::direct {

namespace {

constexpr uint32_t signBit = 0x80000000;
constexpr unsigned halfBits = 16;

void appendBits(const APInt &bits, Words &words) {
  for (unsigned i = 0; i < bits.getBitWidth(); i += 32)
    words.push_back(Word::constant(static_cast<uint32_t>(
        bits.extractBitsAsZExtValue(std::min(32u, bits.getBitWidth() - i), i))));
}

/// HW: how many different scalar registers and literals a vector instruction can read.
unsigned scalarsMax(Opcode opcode) {
  switch (opcode) {
  case Opcode::VShiftLeft64:
  case Opcode::VShiftRight64:
  case Opcode::VShiftRightI64:
    return 1;
  default:
    return 2;
  }
}

bool isCommutative(Opcode opcode) {
  switch (opcode) {
  case Opcode::VAddF32:
  case Opcode::VMulF32:
  case Opcode::VMinF32:
  case Opcode::VMaxF32:
  case Opcode::VAnd:
  case Opcode::VOr:
  case Opcode::VXor:
  case Opcode::VAdd32:
  case Opcode::VMulShortU:
  case Opcode::VMinI:
  case Opcode::VMaxI:
  case Opcode::VMinU:
  case Opcode::VMaxU:
    return true;
  default:
    return false;
  }
}

bool hasOperand(Opcode opcode, char kind) {
  return any_of(operandInfo(opcode), [&](const OperandInfo &info) { return info.kind == kind; });
}

} // namespace

/// As it is.
void ShaderSelector::append(const MachineOp &op) {
  ops->push_back(op);
  ops->back().place = place;
}

/// From now on code is made of this instruction, or of none.
void ShaderSelector::beginPlace(const Instruction *inst) {
  if (!function.getSubprogram())
    return;
  const DILocation *location = inst ? inst->getDebugLoc().get() : nullptr;
  const auto next = static_cast<uint32_t>(program.places.size());
  const auto [number, isNew] = placeNumbers.try_emplace(location, location ? next : 0);
  if (isNew && location)
    program.places.push_back(location);
  place = number->second;
}

/// Lanes without a fragment change no memory.
void ShaderSelector::emit(Opcode opcode, ArrayRef<Operand> operands) {
  const InstructionClass kind = classOf(opcode);
  const bool isChange =
      kind == InstructionClass::VectorAtomic || kind == InstructionClass::VectorStore;
  hasMemory |= isChange || kind == InstructionClass::VectorLoad ||
               kind == InstructionClass::Sample || kind == InstructionClass::Lds;
  const bool isExact = live.kind != Operand::Kind::None && isChange;
  if (!isExact)
    return append(MachineOp(opcode, operands));
  const Operand saved = newMask();
  emit(byWave(Opcode::SMov, Opcode::SMov64), {saved, exec()});
  emit(byWave(Opcode::SAnd32, Opcode::SAnd64), {exec(), exec(), live});
  append(MachineOp(opcode, operands));
  emit(byWave(Opcode::SMov, Opcode::SMov64), {exec(), saved});
}

// --- Values

bool ShaderSelector::readConstant(const Constant &constant, Words &words) {
  Type *type = constant.getType();
  const unsigned count = dwordsOf(type);
  if (!count)
    return refuse("a constant of another type");
  if (isa<UndefValue>(constant)) { // and poison
    words.append(count, Word());
    return true;
  }
  if (constant.isNullValue()) {
    words.append(count, Word::constant(0));
    return true;
  }
  if (type->isIntegerTy(1)) {
    words.push_back(Word::constant(~0u));
    return true;
  }
  if (const auto *number = dyn_cast<ConstantInt>(&constant)) {
    appendBits(number->getValue(), words);
    return true;
  }
  if (const auto *number = dyn_cast<ConstantFP>(&constant)) {
    appendBits(number->getValueAPF().bitcastToAPInt(), words);
    return true;
  }
  if (const auto *expression = dyn_cast<ConstantExpr>(&constant);
      expression && readExpression(*expression, words))
    return true;
  if (const auto *vector = dyn_cast<FixedVectorType>(type)) {
    Words all;
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      const Constant *element = constant.getAggregateElement(i);
      if (!element || !readConstant(*element, all))
        return refuse("a constant of another kind");
    }
    if (vector->getScalarSizeInBits() != halfBits) {
      words.append(all);
      return true;
    }
    for (unsigned i = 0; i < all.size(); i += 2) {
      const uint32_t high = i + 1 < all.size() ? all[i + 1].operand.value << halfBits : 0;
      words.push_back(Word::constant((all[i].operand.value & 0xFFFF) | high));
    }
    return true;
  }
  if (type->isPointerTy()) {
    APInt offset(layout.getIndexTypeSizeInBits(type), 0);
    const Value *base = constant.stripAndAccumulateConstantOffsets(layout, offset, true);
    if (auto found = ldsPlaces.find(base); found != ldsPlaces.end()) {
      words.push_back(Word::constant(found->second + static_cast<uint32_t>(offset.getSExtValue())));
      return true;
    }
    Words data;
    int64_t distance = 0;
    if (readDataAddress(constant, data, distance)) {
      words.append(addOffset(data, distance));
      return true;
    }
  }
  return refuse("a constant of another kind");
}

bool ShaderSelector::read(const Value *value, Words &words) {
  if (auto found = known.find(value); found != known.end()) {
    words = found->second;
    if (auto offset = pointerOffsets.find(value); offset != pointerOffsets.end())
      words = addOffset(words, offset->second);
    return true;
  }
  if (const auto *constant = dyn_cast<Constant>(value))
    return readConstant(*constant, words);
  const auto *phi = dyn_cast<PHINode>(value);
  if (!phi)
    return refuse("a value that is used before it is known");
  const bool isMask = phi->getType()->getScalarType()->isIntegerTy(1);
  for (unsigned i = 0; i < dwordsOf(phi->getType()); ++i) {
    words.push_back({isMask ? newMask() : isVector(phi) ? newVgprs() : newSgprs()});
    if (isMask && isVector(phi))
      program.units[words.back().operand.value].acrossIterations =
          locations.outlivesIterations(*phi);
  }
  known[phi] = words;
  return true;
}

bool ShaderSelector::readDefined(const Value *value, Words &words) {
  if (!read(value, words))
    return false;
  for (Word &word : words)
    word = word.isUndefined() ? Word::constant(0) : plain(word);
  return true;
}

bool ShaderSelector::readWord(const Value *value, Word &word) {
  Words words;
  if (!read(value, words))
    return false;
  if (words.size() != 1)
    return refuse("a value of another size");
  word = words.front();
  return true;
}

/// Where lanes wait with a value for others that go round a loop again, it must be in a vector
/// register, and of a mask only the bits of active lanes may be replaced.
bool ShaderSelector::define(const Instruction &inst, Words words) {
  if (isVector(&inst) && locations.outlivesIterations(inst)) {
    const bool isMask = inst.getType()->getScalarType()->isIntegerTy(1);
    for (Word &word : words) {
      if (isMask) {
        const Operand kept = newMask();
        program.units[kept.value].acrossIterations = true;
        mergeMask(kept, laneMask(word));
        word = {kept};
      } else if (isSgpr(word.operand)) {
        word = {toVgpr(word)};
      }
    }
  }
  known[&inst] = std::move(words);
  return true;
}

Words ShaderSelector::wordsOf(const Operand &first, unsigned count) const {
  Words words;
  for (unsigned i = 0; i < count; ++i)
    words.push_back({part(first, i)});
  return words;
}

// --- Words as operands

/// Without what only some instructions do to their sources.
Word ShaderSelector::plain(Word word) {
  if (word.isPlain() || word.isUndefined())
    return {word.operand};
  const uint32_t clear = word.isAbsolute ? signBit : 0, flip = word.isNegated ? signBit : 0;
  if (word.isConstant())
    return Word::constant((word.operand.value & ~clear) ^ flip);
  const bool isScalar = isSgpr(word.operand);
  const Operand result = isScalar ? newSgprs() : newVgprs();
  const bool isOr = clear && flip;
  const Opcode opcode = isOr       ? isScalar ? Opcode::SOr32 : Opcode::VOr
                        : clear    ? isScalar ? Opcode::SAnd32 : Opcode::VAnd
                        : isScalar ? Opcode::SXor32
                                   : Opcode::VXor;
  emit(opcode, {result, Operand::constant(clear && !isOr ? ~signBit : signBit), word.operand});
  return {result};
}

Operand ShaderSelector::toVgpr(Word word) {
  word = plain(word);
  if (isVgpr(word.operand))
    return word.operand;
  const Operand result = newVgprs();
  emit(Opcode::VMov, {result, word.isUndefined() ? Operand::constant(0) : word.operand});
  return result;
}

/// An SGPR or a constant. What is in a vector register is the same in all active lanes here.
Operand ShaderSelector::scalarSource(Word word) {
  word = plain(word);
  if (word.isUndefined())
    return Operand::constant(0);
  if (!isVgpr(word.operand))
    return word.operand;
  const Operand result = newSgprs();
  emit(Opcode::VReadFirstLane, {result, word.operand});
  return result;
}

Operand ShaderSelector::toSgpr(Word word) {
  const Operand source = scalarSource(word);
  if (isSgpr(source))
    return source;
  const Operand result = newSgprs();
  emit(Opcode::SMov, {result, source});
  return result;
}

/// Registers in a row with these words.
Operand ShaderSelector::tuple(ArrayRef<Word> words, Bank bank) {
  const bool isScalar = bank == Bank::Scalar;
  if (words.size() == 1)
    return isScalar ? toSgpr(words.front()) : toVgpr(words.front());
  const unsigned alignment = isScalar ? words.size() == 2 ? 2 : 4 : 1;
  const Operand &first = words.front().operand;
  bool isRow = first.isUnit() && program.units[first.value].bank == bank &&
               first.index % alignment == 0 && program.units[first.value].alignment >= alignment;
  for (unsigned i = 0; isRow && i < words.size(); ++i)
    isRow = words[i].isPlain() && words[i].operand == part(first, i);
  if (isRow)
    return first;
  auto isSame = [](const Word &a, const Word &b) {
    return a.operand == b.operand && a.isPlain() && b.isPlain();
  };
  // Addresses of tables, mostly. What is read of lanes depends on which are active.
  const bool isKept =
      isScalar && none_of(words, [&](const Word &word) { return isVgpr(word.operand); });
  if (isKept)
    for (const auto &[known, row] : scalarRows)
      if (equal(known, words, isSame))
        return row;
  const auto count = static_cast<unsigned>(words.size());
  const Operand result = isScalar ? newSgprs(count) : newVgprs(count);
  for (unsigned i = 0; i < count; ++i) {
    if (words[i].isUndefined())
      continue;
    if (isScalar)
      emit(Opcode::SMov, {part(result, i), scalarSource(words[i])});
    else
      emit(Opcode::VMov, {part(result, i), plain(words[i]).operand});
  }
  if (isKept)
    scalarRows.push_back({Words(words), result});
  return result;
}

/// Sixty-four bits as a source: small numbers are constants.
Operand ShaderSelector::pairSource(ArrayRef<Word> words, Bank bank) {
  if (words[0].isConstant() && words[1].isConstant()) {
    const uint32_t low = words[0].operand.value, high = words[1].operand.value;
    const bool isSmall = (high == 0 && low <= 64) || (high == ~0u && low >= 0u - 16);
    if (isSmall)
      return Operand::constant(low);
  }
  return tuple(words, bank);
}

/// Writes \p results. \p last: a mask that is read.
void ShaderSelector::vectorInto(Opcode opcode, ArrayRef<Operand> results, ArrayRef<Word> sources,
                                ArrayRef<Operand> last) {
  const bool hasNegation = hasOperand(opcode, 'N'), hasAbsolute = hasOperand(opcode, 'A');
  const ArrayRef<OperandInfo> infos = operandInfo(opcode);
  Words words(sources.begin(), sources.end());
  for (Word &word : words) {
    if ((word.isNegated && !hasNegation) || (word.isAbsolute && !hasAbsolute))
      word = plain(word);
    if (word.isUndefined())
      word = Word::constant(0);
  }
  if (words.size() == 2 && isCommutative(opcode) && !isVgpr(words[1].operand))
    std::swap(words[0], words[1]);
  SmallVector<Operand, 3> scalars(last.begin(), last.end());
  uint32_t negated = 0, absolute = 0;
  SmallVector<Operand, maxOperands> operands(results.begin(), results.end());
  for (unsigned i = 0; i < words.size(); ++i) {
    Operand &operand = words[i].operand;
    const bool isLiteral = operand.isConstant() && sourceOfConstant(operand.value) == noSource;
    const bool needsVgpr = infos[results.size() + i].kind == 'V';
    if (needsVgpr && !isVgpr(operand)) {
      operand = toVgpr({operand});
    } else if ((isSgpr(operand) || isLiteral) && !is_contained(scalars, operand)) {
      const bool isSecondLiteral =
          isLiteral && any_of(scalars, [](const Operand &other) { return other.isConstant(); });
      if (isSecondLiteral || scalars.size() == scalarsMax(opcode))
        operand = toVgpr({operand});
      else
        scalars.push_back(operand);
    }
    negated |= unsigned(words[i].isNegated) << i;
    absolute |= unsigned(words[i].isAbsolute) << i;
    operands.push_back(operand);
  }
  operands.append(last.begin(), last.end());
  if (hasNegation)
    operands.push_back(Operand::number(negated));
  if (hasAbsolute)
    operands.push_back(Operand::number(absolute));
  emit(opcode, operands);
}

Word ShaderSelector::vector(Opcode opcode, ArrayRef<Word> sources) {
  const Operand result = operandInfo(opcode).front().kind == 'M' ? newMask() : newVgprs();
  vectorInto(opcode, {result}, sources);
  return {result};
}

/// One literal at most; two constants never meet in IR that has been folded, but may.
Word ShaderSelector::scalar(Opcode opcode, ArrayRef<Word> sources) {
  const Operand result = newSgprs();
  SmallVector<Operand, 3> operands = {result};
  bool hasLiteral = false;
  for (const Word &word : sources) {
    Operand source = scalarSource(word);
    const bool isLiteral = source.isConstant() && sourceOfConstant(source.value) == noSource;
    if (isLiteral && hasLiteral)
      source = toSgpr({source});
    hasLiteral |= isLiteral;
    operands.push_back(source);
  }
  emit(opcode, operands);
  return {result};
}

Operand ShaderSelector::laneMask(const Word &word) {
  return word.isUndefined() ? Operand::constant(0) : word.operand;
}

Word ShaderSelector::maskOp(Opcode wave32, Opcode wave64, ArrayRef<Word> sources) {
  const Operand result = newMask();
  SmallVector<Operand, 3> operands = {result};
  for (const Word &word : sources)
    operands.push_back(laneMask(word));
  emit(byWave(wave32, wave64), operands);
  return {result};
}

} // namespace lgc::direct
