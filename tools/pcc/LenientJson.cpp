//===- LenientJson.cpp - JSON as pipeline files have it -------------------===//
// SPDX-License-Identifier: MIT
#include "LenientJson.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <vector>

namespace pcc {
namespace {

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool isNumber(char c) {
  return llvm::isDigit(c) || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E';
}

class Repair {
public:
  explicit Repair(std::string &text) : text(text) {}

  Repairs run() {
    while (at < text.size()) {
      const char c = text[at];
      if (c == '"')
        skipString();
      else if (c == ',')
        repairComma();
      else if (c == '-' || llvm::isDigit(c))
        repairNumber();
      else
        ++at;
    }
    return repairs;
  }

private:
  void skipString() {
    for (++at; at < text.size() && text[at] != '"'; ++at)
      if (text[at] == '\\')
        ++at;
    ++at;
  }
  void repairComma() {
    const size_t comma = at++;
    while (at < text.size() && isSpace(text[at]))
      ++at;
    if (at == text.size() || (text[at] != '}' && text[at] != ']'))
      return;
    text[comma] = ' ';
    count(comma);
  }
  void repairNumber() {
    const size_t begin = at;
    while (at < text.size() && isNumber(text[at]))
      ++at;
    // Shorter ones are no infinities: 1e309 has as many letters as what replaces it.
    const std::string token = text.substr(begin, at - begin);
    const std::string replacement =
        '"' + std::string(token[0] == '-' ? negativeInfinity : infinity) + '"';
    if (token.size() < replacement.size())
      return;
    char *end = nullptr;
    if (!std::isinf(std::strtod(token.c_str(), &end)) || *end)
      return;
    text.replace(begin, token.size(),
                 replacement + std::string(token.size() - replacement.size(), ' '));
    count(begin);
  }

  void count(size_t place) {
    if (!repairs.count++)
      repairs.first = place;
  }

  std::string &text;
  size_t at = 0;
  Repairs repairs;
};

} // namespace

size_t findTooDeep(const std::string &text, size_t most) {
  size_t depth = 0;
  bool isString = false;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"')
      isString = !isString;
    else if (isString)
      at += c == '\\';
    else if (c == '[' || c == '{')
      ++depth;
    else if ((c == ']' || c == '}') && depth)
      --depth;
    if (depth > most)
      return at;
  }
  return std::string::npos;
}

/// A string of JSON as it is without its quotes and escapes.
static std::string decodeString(std::string_view quoted) {
  if (quoted.find('\\') == std::string_view::npos)
    return std::string(quoted.substr(1, quoted.size() - 2));
  const auto json = nlohmann::json::parse(quoted, nullptr, /*allow_exceptions=*/false);
  const auto *text = json.get_ptr<const std::string *>();
  return text ? *text : std::string(quoted);
}

size_t findRepeatedMember(const std::string &text) {
  std::vector<std::set<std::string>> open; // names so far, of arrays none
  size_t begin = 0, end = 0;               // of the last string, with quotes
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      begin = at++;
      while (at < text.size() && text[at] != '"')
        at += text[at] == '\\' ? 2 : 1;
      end = at + 1;
    } else if (c == '{' || c == '[') {
      open.emplace_back();
    } else if ((c == '}' || c == ']') && !open.empty()) {
      open.pop_back();
    } else if (c == ':' && !open.empty()) {
      const std::string_view quoted = std::string_view(text).substr(begin, end - begin);
      if (!open.back().insert(decodeString(quoted)).second)
        return begin;
    }
  }
  return std::string::npos;
}

Repairs repairJson(std::string &text) { return Repair(text).run(); }

} // namespace pcc
