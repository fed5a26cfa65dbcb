//===- Choice.cpp - which invocation is to stop, in numbers ----------------===//
// SPDX-License-Identifier: MIT
#include "tools/debug/Choice.h"
#include "lgc/CompileError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cmath>

using llvm::ArrayRef;
using llvm::Error;
using llvm::StringRef;

namespace debug {

namespace {

using Numbers = ArrayRef<double>;

std::optional<uint32_t> wholeAt(Numbers numbers, size_t i) {
  return i < numbers.size() ? std::optional(uint32_t(numbers[i])) : std::nullopt;
}

/// What is missing is 0.
template <size_t count> std::array<uint32_t, count> listOf(Numbers numbers) {
  std::array<uint32_t, count> list = {};
  for (size_t i = 0; i < count; ++i)
    list[i] = wholeAt(numbers, i).value_or(0);
  return list;
}

template <auto member> void setNumber(Selection &selection, Numbers numbers) {
  selection.*member = uint32_t(numbers[0]);
}

template <auto member, size_t count> void setList(Selection &selection, Numbers numbers) {
  selection.*member = listOf<count>(numbers);
}

template <auto member> void setPrimitive(Selection &selection, Numbers numbers) {
  selection.*member = {uint32_t(numbers[0]), wholeAt(numbers, 1)};
}

template <auto member> void setGroupMember(Selection &selection, Numbers numbers) {
  selection.*member = {listOf<3>(numbers), wholeAt(numbers, 3)};
}

void setPoint(Selection &selection, Numbers numbers) {
  selection.evaluation = {uint32_t(numbers[0]), std::nullopt};
  if (numbers.size() == 3)
    selection.evaluation->at = {numbers[1], numbers[2]};
}

constexpr size_t none = 100;
constexpr Choice table[] = {
    {"invocation", "X,Y,Z", 1, 3, none, setList<&Selection::invocation, 3>},
    {"pixel", "X,Y", 2, 2, none, setList<&Selection::pixel, 2>},
    {"sample", "N", 1, 1, none, setNumber<&Selection::sample>},
    {"vertex", "N", 1, 1, none, setNumber<&Selection::vertex>},
    {"instance", "N", 1, 1, none, setNumber<&Selection::instance>},
    {"control", "PATCH[,N]", 1, 2, none, setPrimitive<&Selection::control>},
    {"evaluation", "PATCH[,U,V]", 1, 3, 1, setPoint},
    {"geometry", "PRIMITIVE[,N]", 1, 2, none, setPrimitive<&Selection::geometry>},
    {"task", "X,Y,Z[,N]", 3, 4, none, setGroupMember<&Selection::task>},
    {"mesh", "X,Y,Z[,N]", 3, 4, none, setGroupMember<&Selection::mesh>},
};

bool isWhole(double number) {
  return number >= 0 && number <= UINT32_MAX && number == std::floor(number);
}

} // namespace

ArrayRef<Choice> choices() { return table; }

Error choose(Selection &selection, const Choice &choice, Numbers numbers) {
  const bool isPart = choice.set == setPoint && numbers.size() == 2;
  bool isRight = numbers.size() >= choice.least && numbers.size() <= choice.most && !isPart;
  for (size_t i = 0; i < numbers.size(); ++i)
    isRight &= i < choice.fractions ? isWhole(numbers[i]) : std::isfinite(numbers[i]);
  if (!isRight)
    return lgc::invalidInput(llvm::Twine("what ") + choice.name + " is given is no " + choice.form);
  choice.set(selection, numbers);
  return Error::success();
}

Error choose(Selection &selection, const Choice &choice, StringRef text) {
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ',');
  llvm::SmallVector<double> numbers;
  for (const StringRef part : parts)
    if (part.getAsDouble(numbers.emplace_back()))
      return lgc::invalidInput("'" + text + "' is no " + choice.form);
  return choose(selection, choice, numbers);
}

} // namespace debug
