//===- PipeValues.cpp - values of .pipe files -----------------------------===//
// SPDX-License-Identifier: MIT
#include "llpc/pipefile/PipeValues.h"
#include "llpc/Formats.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"

namespace llpc {

using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// Names of an enum's values in the order of their numbers. Numbers are understood too.
template <typename T> struct Names;
template <> struct Names<lgc::Topology> {
  static constexpr llvm::StringLiteral list[] = {
      "VK_PRIMITIVE_TOPOLOGY_POINT_LIST",
      "VK_PRIMITIVE_TOPOLOGY_LINE_LIST",
      "VK_PRIMITIVE_TOPOLOGY_LINE_STRIP",
      "VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST",
      "VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP",
      "VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN",
      "VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY",
      "VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY",
      "VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY",
      "VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY",
      "VK_PRIMITIVE_TOPOLOGY_PATCH_LIST"};
};
template <> struct Names<ProvokingVertexMode> {
  static constexpr llvm::StringLiteral list[] = {"VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT",
                                                 "VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT"};
};
template <> struct Names<lgc::OptLevel> {
  static constexpr llvm::StringLiteral list[] = {"None", "Quick", "Default", "Fast"};
};
template <> struct Names<lgc::Tier> {
  static constexpr llvm::StringLiteral list[] = {"Llvm", "Direct"};
};
template <> struct Names<DenormalMode> {
  static constexpr llvm::StringLiteral list[] = {"Auto", "FlushToZero", "Preserve"};
};
template <> struct Names<lgc::VertexInputRate> {
  static constexpr llvm::StringLiteral list[] = {"VK_VERTEX_INPUT_RATE_VERTEX",
                                                 "VK_VERTEX_INPUT_RATE_INSTANCE"};
};

Error parseNumber(StringRef text, uint32_t &value) {
  if (text.getAsInteger(0, value))
    return lgc::invalidInput("'" + text + "' is no number of 32 bits");
  return Error::success();
}

llvm::Expected<uint32_t> parseName(StringRef text, llvm::ArrayRef<llvm::StringLiteral> names) {
  for (uint32_t i = 0; i < names.size(); ++i)
    if (names[i] == text)
      return i;
  uint32_t number = 0;
  if (!text.getAsInteger(0, number) && number < names.size())
    return number;
  return lgc::invalidInput("'" + text + "' is none of " + names.front() + " ... " + names.back());
}

struct Parser {
  StringRef text;

  Error operator()(bool *value) const {
    const bool isTrue = text == "1" || text.equals_insensitive("true");
    if (!isTrue && text != "0" && !text.equals_insensitive("false"))
      return lgc::invalidInput("'" + text + "' is none of 0, 1, false, true");
    *value = isTrue;
    return Error::success();
  }
  Error operator()(uint32_t *value) const { return parseNumber(text, *value); }
  template <typename T> Error operator()(T *value) const {
    auto number = KILN_TRY(parseName(text, Names<T>::list));
    *value = static_cast<T>(number);
    return Error::success();
  }
  Error operator()(lgc::ResourceNodeType *value) const {
    for (unsigned i = 1; i < static_cast<unsigned>(lgc::ResourceNodeType::Count); ++i) {
      auto type = static_cast<lgc::ResourceNodeType>(i);
      if (text == lgc::resourceNodeTypeName(type)) {
        *value = type;
        return Error::success();
      }
    }
    return lgc::invalidInput("'" + text + "' is no type of a resource node");
  }
  Error operator()(FormatRef format) const {
    std::optional<uint32_t> number = findVkFormat(text);
    if (!number)
      return lgc::invalidInput("'" + text + "' is neither a vertex nor a colour format");
    *format.value = *number;
    return Error::success();
  }
  Error operator()(HashRef hash) const {
    auto [first, second] = text.split(',');
    if (first.trim().getAsInteger(0, (*hash.value)[0]) ||
        second.trim().getAsInteger(0, (*hash.value)[1]))
      return lgc::invalidInput("'" + text + "' is not of the form NUMBER, NUMBER");
    return Error::success();
  }
};

struct Formatter {
  std::string operator()(const bool *value) const { return *value ? "1" : "0"; }
  std::string operator()(const uint32_t *value) const { return llvm::utostr(*value); }
  template <typename T> std::string operator()(const T *value) const {
    return Names<T>::list[static_cast<unsigned>(*value)].str();
  }
  std::string operator()(const lgc::ResourceNodeType *value) const {
    return lgc::resourceNodeTypeName(*value);
  }
  std::string operator()(FormatRef format) const { return vkFormatName(*format.value); }
  std::string operator()(HashRef hash) const {
    return "0x" + llvm::utohexstr((*hash.value)[0]) + ", 0x" + llvm::utohexstr((*hash.value)[1]);
  }
};

struct DataType {
  llvm::StringLiteral name;
  uint8_t bytes;
  const llvm::fltSemantics &(*semantics)(); ///< null: an integer
};
constexpr DataType dataTypes[] = {{"uint", 4, nullptr},
                                  {"int", 4, nullptr},
                                  {"float", 4, llvm::APFloat::IEEEsingle},
                                  {"double", 8, llvm::APFloat::IEEEdouble},
                                  {"uint64", 8, nullptr},
                                  {"int64", 8, nullptr}};

const DataType *findDataType(StringRef name) {
  for (const DataType &type : dataTypes)
    if (type.name == name)
      return &type;
  return nullptr;
}

Error parseElement(StringRef text, const DataType &type, uint64_t &bits) {
  if (type.semantics) {
    llvm::APFloat number(type.semantics());
    auto status = number.convertFromString(text, llvm::APFloat::rmNearestTiesToEven);
    if (status) {
      bits = number.bitcastToAPInt().getZExtValue();
      return Error::success();
    }
    llvm::consumeError(status.takeError());
    return lgc::invalidInput("'" + text + "' is no " + type.name + " number");
  }
  StringRef digits = text;
  const bool isNegative = digits.consume_front("-");
  if (digits.getAsInteger(0, bits) || (type.bytes == 4 && bits >> 32))
    return lgc::invalidInput("'" + text + "' is no " + type.name + " number");
  bits = isNegative ? 0 - bits : bits;
  return Error::success();
}

} // namespace

Error parseValue(StringRef text, const ValueRef &value) { return std::visit(Parser{text}, value); }

std::string formatValue(const ValueRef &value) { return std::visit(Formatter(), value); }

bool isDataType(StringRef type) { return findDataType(type); }

Error parseData(StringRef text, StringRef typeName, std::vector<uint8_t> &bytes) {
  constexpr size_t maxBytes = 1u << 20;
  const DataType *type = findDataType(typeName);
  if (!type)
    return lgc::invalidInput("'" + typeName + "' is no type of data");
  while (true) {
    text = text.ltrim(", \t");
    if (text.empty())
      return Error::success();
    StringRef element = text.take_until([](char c) { return c == ',' || c == ' ' || c == '\t'; });
    text = text.drop_front(element.size());
    uint64_t bits = 0;
    KILN_TRY(parseElement(element, *type, bits));
    if (bytes.size() + type->bytes > maxBytes)
      return lgc::limitExceeded("more than " + Twine(maxBytes) + " bytes of data");
    for (unsigned i = 0; i < type->bytes; ++i)
      bytes.push_back(static_cast<uint8_t>(bits >> 8 * i));
  }
}

} // namespace llpc
