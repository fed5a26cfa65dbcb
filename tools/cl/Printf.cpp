//===- Printf.cpp - what kernels print ------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// "OpenCL C, printf": as C's, but for vectors (%v4hlf) and their lengths (hh, h, hl, l).
#include "tools/cl/Printf.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstdio>
#include <cstring>

using llvm::ArrayRef;
using llvm::StringRef;

namespace kiln_cl {

namespace {

/// Text of one of C's conversions; \p form ends with it.
template <typename T> std::string formatted(const std::string &form, T value) {
  const int size = std::snprintf(nullptr, 0, form.c_str(), value);
  if (size < 0)
    return "";
  std::string text(static_cast<size_t>(size) + 1, '\0');
  std::snprintf(text.data(), text.size(), form.c_str(), value);
  text.pop_back();
  return text;
}

/// What stands between '%' and the conversion's letter.
struct Conversion {
  std::string flags; ///< with width and precision, as C has them
  unsigned count = 1;
  StringRef length;
  char letter = 0; ///< 0: the format ends before
  StringRef all;   ///< from '%' on
};

/// Longer numbers are cut off: a width decides how much memory text takes.
constexpr size_t maxDigits = 4;

std::string digits(StringRef &rest) {
  const StringRef number = rest.take_while(llvm::isDigit);
  rest = rest.drop_front(number.size());
  return number.take_back(maxDigits).str();
}

/// Takes a conversion off \p rest, which begins behind its '%'.
Conversion takeConversion(StringRef &rest) {
  const char *begin = rest.data() - 1;
  Conversion conversion;
  const StringRef flags = rest.take_while([](char c) { return StringRef("-+ #0").contains(c); });
  rest = rest.drop_front(flags.size());
  conversion.flags = flags.str() + digits(rest);
  if (rest.consume_front("."))
    conversion.flags += '.' + digits(rest);
  if (rest.consume_front("v"))
    digits(rest); // as many as the value has
  for (StringRef length : {"hh", "hl", "h", "ll", "l"})
    if (rest.consume_front(length)) {
      conversion.length = length;
      break;
    }
  if (!rest.empty()) {
    conversion.letter = rest.front();
    rest = rest.drop_front();
  }
  conversion.all = StringRef(begin, static_cast<size_t>(rest.data() - begin));
  return conversion;
}

double floatOf(const uint8_t *bytes, unsigned size) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, size);
  const llvm::fltSemantics &semantics = size == 2   ? llvm::APFloat::IEEEhalf()
                                        : size == 4 ? llvm::APFloat::IEEEsingle()
                                                    : llvm::APFloat::IEEEdouble();
  llvm::APFloat value(semantics, llvm::APInt(size * 8, bits));
  bool isInexact = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &isInexact);
  return value.convertToDouble();
}

/// Of an integer with \p size bytes, as the conversion's length sees it.
uint64_t integerOf(const uint8_t *bytes, unsigned size, const Conversion &conversion) {
  uint64_t value = 0;
  std::memcpy(&value, bytes, size);
  unsigned bits = size * 8;
  if (conversion.length == "hh")
    bits = 8;
  else if (conversion.length == "h")
    bits = 16;
  const bool isSigned = conversion.letter == 'd' || conversion.letter == 'i';
  value &= llvm::maskTrailingOnes<uint64_t>(bits);
  return isSigned ? static_cast<uint64_t>(llvm::SignExtend64(value, bits)) : value;
}

std::string componentText(const llpc::KernelPrintf::Value &value, const uint8_t *bytes,
                          const Conversion &conversion) {
  const std::string form = "%" + conversion.flags;
  switch (conversion.letter) {
  case 'd':
  case 'i':
  case 'o':
  case 'u':
  case 'x':
  case 'X':
    return formatted(form + "ll" + conversion.letter,
                     static_cast<unsigned long long>(integerOf(bytes, value.bytes, conversion)));
  case 'c':
    return formatted(form + "c", static_cast<int>(bytes[0]));
  case 'p': {
    uint64_t address = 0;
    std::memcpy(&address, bytes, value.bytes);
    return formatted(form + "s", ("0x" + llvm::utohexstr(address, /*LowerCase=*/true)).c_str());
  }
  default:
    return formatted(form + conversion.letter, floatOf(bytes, value.bytes));
  }
}

bool fits(const llpc::KernelPrintf::Value &value, char letter) {
  if (letter == 's')
    return value.text || value.bytes == 8;
  if (StringRef("fFeEgGaA").contains(letter))
    return value.isFloat && value.bytes >= 2;
  return letter && StringRef("diouxXcp").contains(letter) && !value.isFloat;
}

/// Takes values in their order.
class Values {
public:
  Values(const llpc::KernelPrintf &print, ArrayRef<uint8_t> bytes) : print(print), rest(bytes) {}

  std::string take(const Conversion &conversion) {
    if (next >= print.values.size())
      return conversion.all.str();
    const llpc::KernelPrintf::Value &value = print.values[next++];
    const size_t size = value.text ? 0 : llvm::alignTo(value.size(), 4);
    if (size > rest.size())
      return conversion.all.str();
    const ArrayRef<uint8_t> bytes = rest.take_front(size);
    rest = rest.drop_front(size);
    if (!fits(value, conversion.letter))
      return conversion.all.str();
    if (conversion.letter == 's')
      return formatted("%" + conversion.flags + "s", value.text ? value.text->c_str() : "(null)");
    const uint8_t zero[8] = {};
    std::string text;
    for (unsigned i = 0; i < value.count; ++i)
      text += (i ? "," : "") +
              componentText(value, value.text ? zero : &bytes[i * value.bytes], conversion);
    return text;
  }

private:
  const llpc::KernelPrintf &print;
  ArrayRef<uint8_t> rest;
  size_t next = 0;
};

} // namespace

std::string printedText(const llpc::KernelPrintf &print, ArrayRef<uint8_t> bytes) {
  Values values(print, bytes);
  std::string text;
  for (StringRef rest = print.format; !rest.empty();) {
    const char c = rest.front();
    rest = rest.drop_front();
    if (c != '%')
      text += c;
    else if (rest.consume_front("%"))
      text += '%';
    else
      text += values.take(takeConversion(rest));
  }
  return text;
}

std::string printedRecords(ArrayRef<llpc::KernelPrintf> prints, ArrayRef<uint8_t> buffer,
                           bool &isFull) {
  uint64_t used = 0;
  std::memcpy(&used, buffer.data(), sizeof(used));
  ArrayRef<uint8_t> rest = buffer.drop_front(llpc::KernelPrintf::headerBytes);
  isFull = used > rest.size();
  rest = rest.take_front(used);
  std::string text;
  while (rest.size() >= 8) {
    uint32_t words[2]; // number, size
    std::memcpy(words, rest.data(), sizeof(words));
    // What did not fit leaves zeros.
    if (words[0] >= prints.size() || words[1] < sizeof(words) || words[1] > rest.size())
      break;
    text += printedText(prints[words[0]], rest.slice(sizeof(words), words[1] - sizeof(words)));
    rest = rest.drop_front(words[1]);
  }
  return text;
}

} // namespace kiln_cl
