//===- Values.cpp - lists of values as tests write them -------------------===//
// SPDX-License-Identifier: MIT
#include "Values.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/Twine.h"
#include <cmath>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace exec {

uint64_t Random::next() {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

uint64_t randomBits(ScalarType type, Random &random) {
  if (isFloat(type)) // steps of 2^-7, so that the value is the same in all types
    return fromDouble(type, (static_cast<double>(random.below(1025)) - 512) / 128);
  uint64_t bits = random.next();
  // Small ones as often as large ones: shift by a random amount.
  bits >>= random.below(8 * sizeOf(type));
  return toBits(type, Number::of(static_cast<int64_t>(bits)));
}

namespace {

/// One number without repetition; false when it is none.
bool parseNumber(ScalarType type, StringRef word, uint64_t &bits) {
  StringRef inner = word;
  if (inner.consume_front("bits(") && inner.consume_back(")"))
    return !inner.getAsInteger(0, bits);
  if (isFloat(type)) {
    bool negative = word.consume_front("-");
    double value = 0;
    if (word == "inf")
      value = INFINITY;
    else if (word == "nan")
      value = NAN;
    else if (word.getAsDouble(value))
      return false;
    bits = fromDouble(type, negative ? -value : value);
    return true;
  }
  int64_t value = 0;
  uint64_t unsignedValue = 0;
  if (!word.getAsInteger(0, unsignedValue))
    value = static_cast<int64_t>(unsignedValue);
  else if (word.getAsInteger(0, value))
    return false;
  bits = toBits(type, Number::of(value));
  return true;
}

/// A..B or A..B/S.
bool parseRange(ScalarType type, StringRef word, Bytes &bytes) {
  auto [first, rest] = word.split("..");
  auto [last, step] = rest.split('/');
  double from = 0, to = 0, by = 1;
  if (first.getAsDouble(from) || last.getAsDouble(to) || (!step.empty() && step.getAsDouble(by)))
    return false;
  if (!(by > 0) || !(to >= from) || (to - from) / by > 1e6)
    return false;
  auto count = static_cast<uint64_t>(std::floor((to - from) / by + 1e-9)) + 1;
  for (uint64_t i = 0; i < count; ++i) {
    double value = from + static_cast<double>(i) * by;
    appendBits(type,
               isFloat(type) ? fromDouble(type, value)
                             : toBits(type, Number::of(static_cast<int64_t>(value))),
               bytes);
  }
  return true;
}

bool parseRandom(ScalarType type, StringRef word, Bytes &bytes) {
  uint64_t seed = 0, count = 0;
  if (!word.consume_front("random(") || !word.consume_back(")"))
    return false;
  auto [seedText, countText] = word.split(',');
  if (seedText.getAsInteger(0, seed) || countText.getAsInteger(0, count) || count > 1'000'000)
    return false;
  Random random(seed);
  for (uint64_t i = 0; i < count; ++i)
    appendBits(type, randomBits(type, random), bytes);
  return true;
}

bool parseWord(ScalarType type, StringRef word, Bytes &bytes) {
  if (word.starts_with("random("))
    return parseRandom(type, word, bytes);
  if (word.contains(".."))
    return parseRange(type, word, bytes);
  auto [value, count] = word.split('*');
  uint64_t bits = 0, repeat = 1;
  if (!parseNumber(type, value, bits) || (!count.empty() && count.getAsInteger(0, repeat)) ||
      repeat > 10'000'000)
    return false;
  for (uint64_t i = 0; i < repeat; ++i)
    appendBits(type, bits, bytes);
  return true;
}

/// `eval N { E }` at the front of \p text, which is consumed.
Error parseEval(ScalarType type, StringRef &text, const ExpressionScope &scope, Bytes &bytes) {
  auto [head, tail] = text.split('{');
  StringRef countText = head.trim();
  countText.consume_front("eval");
  ExpressionScope inner = scope;
  Expected<Number> count = evaluate(countText.trim(), scope);
  if (!count)
    return count.takeError();
  if (!tail.contains('}') || count->asInteger() < 0 || count->asInteger() > 1'000'000)
    return failure("eval needs a count and braces");
  auto [body, rest] = tail.split('}');
  inner.variables["N"] = count->asInteger();
  for (int64_t i = 0; i < count->asInteger(); ++i) {
    inner.variables["i"] = i;
    Number value = KILN_TRY(evaluate(body.trim(), inner));
    appendBits(type, toBits(type, value), bytes);
  }
  text = rest;
  return Error::success();
}

} // namespace

Error parseValues(ScalarType type, StringRef text, const ExpressionScope &scope, Bytes &bytes) {
  while (true) {
    text = text.ltrim(" \t,");
    if (text.empty())
      return Error::success();
    if (text.starts_with("eval ")) {
      KILN_TRY(parseEval(type, text, scope, bytes));
      continue;
    }
    // A comma inside parentheses belongs to the word.
    size_t length = 0;
    for (int depth = 0; length < text.size(); ++length) {
      char c = text[length];
      depth += (c == '(') - (c == ')');
      if (depth == 0 && (c == ' ' || c == ',' || c == '\t'))
        break;
    }
    StringRef word = text.take_front(length);
    if (!parseWord(type, word, bytes))
      return failure("'" + word + "' is no value of type " + nameOf(type));
    text = text.drop_front(length);
  }
}

} // namespace exec
