//===- SelectDynamic.cpp - elements that are not known before -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// An element of a vector by a number that is computed: each element is compared with it. Vectors
/// are short.
#include "lgc/direct/shader/ShaderSelector.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace lgc::direct {

namespace {
constexpr unsigned elementsMax = 16, halfBits = 16;
}

/// \p yes where \p index is \p place. Words have no signs to be flipped.
Words ShaderSelector::chooseAt(const Word &index, unsigned place, const Words &yes, const Words &no,
                               bool isVec, bool isMask) {
  Words result;
  const Word number = Word::constant(place);
  if (isMask) {
    Word here;
    if (isVec) {
      here = vector(Opcode::VCmpEqU, {number, index});
    } else {
      const Operand source = scalarSource(index);
      emit(Opcode::SCmpEqU, {source, number.operand});
      here = maskOfScc();
    }
    const Word chosen = maskOp(Opcode::SAnd32, Opcode::SAnd64, {here, yes[0]});
    const Word kept = maskOp(Opcode::SAndNot32, Opcode::SAndNot64, {no[0], here});
    return {maskOp(Opcode::SOr32, Opcode::SOr64, {chosen, kept})};
  }
  if (!isVec) {
    const Operand source = scalarSource(index);
    emit(Opcode::SCmpEqU, {source, number.operand});
    // What becomes of sources here leaves SCC as it is.
    for (unsigned i = 0; i < yes.size(); ++i)
      result.push_back(no[i].isUndefined() ? yes[i] : scalar(Opcode::SSelect32, {yes[i], no[i]}));
    return result;
  }
  const Operand lanes = vector(Opcode::VCmpEqU, {number, index}).operand;
  for (unsigned i = 0; i < yes.size(); ++i) {
    if (no[i].isUndefined()) {
      result.push_back(yes[i]);
      continue;
    }
    const Operand chosen = newVgprs();
    vectorInto(Opcode::VSelect, {chosen}, {no[i], yes[i]}, {lanes});
    result.push_back({chosen});
  }
  return result;
}

bool ShaderSelector::selectDynamicExtract(const ExtractElementInst &extract) {
  const auto *type = dyn_cast<FixedVectorType>(extract.getVectorOperandType());
  Words words, index;
  const bool isVec = isVector(&extract);
  const unsigned bits = type ? type->getScalarSizeInBits() : 0;
  if (!type || type->getNumElements() > elementsMax)
    return refuse("an element that is not known before");
  if (!read(extract.getVectorOperand(), words) || !read(extract.getIndexOperand(), index))
    return false;
  for (Word &word : words)
    word = plain(word);
  const bool isPaired = bits == halfBits;
  const unsigned count = isPaired ? 1 : dwordsOf(type->getElementType());
  Word place = index[0];
  if (isPaired)
    place = isVec ? vector(Opcode::VShiftRight32, {Word::constant(1), place})
                  : scalar(Opcode::SShiftRight32, {place, Word::constant(1)});
  Words result(words.begin(), words.begin() + count);
  for (unsigned i = 1; i * count < words.size(); ++i)
    result = chooseAt(place, i, Words(words.begin() + i * count, words.begin() + (i + 1) * count),
                      result, isVec, bits == 1);
  if (!isPaired)
    return define(extract, result);
  // HW: of a shift, five bits count.
  const Word four = Word::constant(4);
  const Word shift = isVec ? vector(Opcode::VShiftLeft32, {four, index[0]})
                           : scalar(Opcode::SShiftLeft32, {index[0], four});
  return define(extract, {isVec ? vector(Opcode::VShiftRight32, {shift, result[0]})
                                : scalar(Opcode::SShiftRight32, {result[0], shift})});
}

bool ShaderSelector::selectDynamicInsert(const InsertElementInst &insert) {
  const auto *type = dyn_cast<FixedVectorType>(insert.getType());
  Words words, element, index;
  const unsigned bits = type ? type->getScalarSizeInBits() : 0;
  if (!type || bits == halfBits || type->getNumElements() > elementsMax)
    return refuse("an element that is not known before");
  // A mask that is undefined has no lanes (laneMask()).
  if (!read(insert.getOperand(0), words) || !readDefined(insert.getOperand(1), element) ||
      !read(insert.getOperand(2), index))
    return false;
  for (Word &word : words)
    word = plain(word);
  Words result;
  for (unsigned i = 0; i < type->getNumElements(); ++i)
    result.append(chooseAt(
        index[0], i, element,
        Words(words.begin() + i * element.size(), words.begin() + (i + 1) * element.size()),
        isVector(&insert), bits == 1));
  return define(insert, result);
}

} // namespace lgc::direct
