//===- SelectVectors.cpp - elements of vectors ----------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/ShaderSelector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace lgc::direct {

namespace {
constexpr unsigned halfBits = 16;

/// Dwords of an element; 0: elements that share one.
unsigned perElement(const Type *vector) {
  return vector->getScalarSizeInBits() == halfBits ? 0 : dwordsOf(vector->getScalarType());
}

} // namespace

/// Elements of 16 bits share a dword.
bool ShaderSelector::selectExtract(const ExtractElementInst &extract) {
  const auto *index = dyn_cast<ConstantInt>(extract.getIndexOperand());
  const auto *type = dyn_cast<FixedVectorType>(extract.getVectorOperandType());
  Words words;
  if (!index || !type)
    return selectDynamicExtract(extract);
  if (!read(extract.getVectorOperand(), words))
    return false;
  const uint64_t element = index->getZExtValue();
  if (element >= type->getNumElements())
    return define(extract, Words(dwordsOf(extract.getType()), Word()));
  if (const unsigned count = perElement(type)) {
    const Words part(words.begin() + element * count, words.begin() + (element + 1) * count);
    return define(extract, part);
  }
  const Word pair = words[element / 2];
  if (element % 2 == 0)
    return define(extract, {pair});
  return define(extract, {isVector(&extract)
                              ? vector(Opcode::VShiftRight32, {Word::constant(halfBits), pair})
                              : scalar(Opcode::SShiftRight32, {pair, Word::constant(halfBits)})});
}

bool ShaderSelector::selectInsert(const InsertElementInst &insert) {
  const auto *index = dyn_cast<ConstantInt>(insert.getOperand(2));
  const auto *type = dyn_cast<FixedVectorType>(insert.getType());
  Words words, element;
  if (!index || !type)
    return selectDynamicInsert(insert);
  if (!read(insert.getOperand(0), words) || !read(insert.getOperand(1), element))
    return false;
  const uint64_t place = index->getZExtValue();
  if (place >= type->getNumElements())
    return define(insert, Words(words.size(), Word()));
  if (const unsigned count = perElement(type)) {
    for (unsigned i = 0; i < count; ++i)
      words[place * count + i] = element[i];
    return define(insert, words);
  }
  Word &pair = words[place / 2];
  const bool isHigh = place % 2;
  if (pair.isUndefined() && !isHigh) {
    pair = element[0];
    return define(insert, words);
  }
  const Word low = isHigh ? pair : element[0];
  if (!isVector(&insert)) {
    const Word high =
        isHigh ? element[0] : scalar(Opcode::SShiftRight32, {pair, Word::constant(halfBits)});
    pair = scalar(Opcode::SPackLow, {low, high});
  } else {
    // Bytes of the second source and the first one, from the high one down.
    constexpr uint32_t lowOfBoth = 0x05040100, highAndLow = 0x07060100;
    const Word other = isHigh ? element[0] : pair;
    pair = vector(Opcode::VPermute, {other, low, Word::constant(isHigh ? lowOfBoth : highAndLow)});
  }
  return define(insert, words);
}

bool ShaderSelector::selectShuffle(const ShuffleVectorInst &shuffle) {
  const unsigned count = std::max(perElement(shuffle.getType()), 1u);
  Words a, b, result;
  if (!readElements(shuffle.getOperand(0), a) || !readElements(shuffle.getOperand(1), b))
    return false;
  a.append(b);
  for (int element : shuffle.getShuffleMask())
    for (unsigned i = 0; i < count; ++i)
      result.push_back(element < 0 ? Word() : a[static_cast<unsigned>(element) * count + i]);
  return defineElements(shuffle, result);
}

/// Of what has two results: their words stand in a row.
bool ShaderSelector::selectExtractValue(const ExtractValueInst &extract) {
  const auto *type = dyn_cast<StructType>(extract.getAggregateOperand()->getType());
  Words words;
  if (!type || extract.getNumIndices() != 1 || !read(extract.getAggregateOperand(), words))
    return refuse(extract);
  unsigned first = 0;
  for (unsigned i = 0; i < extract.getIndices().front(); ++i)
    first += dwordsOf(type->getElementType(i));
  const unsigned count = dwordsOf(extract.getType());
  if (first + count > words.size())
    return refuse(extract);
  return define(extract, Words(words.begin() + first, words.begin() + first + count));
}

} // namespace lgc::direct
