//===- JsonText.cpp - parsing, and finding places again -------------------===//
// SPDX-License-Identifier: MIT
#include "JsonText.h"
#include "lgc/CompileError.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cctype>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace replay {
namespace {

/// Takes every event and remembers where parsing failed.
struct ErrorFinder {
  size_t position = 0;
  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_integer(int64_t) { return true; }
  bool number_unsigned(uint64_t) { return true; }
  bool number_float(double, const std::string &) { return true; }
  bool string(std::string &) { return true; }
  bool binary(Json::binary_t &) { return true; }
  bool start_object(size_t) { return true; }
  bool key(std::string &) { return true; }
  bool end_object() { return true; }
  bool start_array(size_t) { return true; }
  bool end_array() { return true; }
  bool parse_error(size_t at, const std::string &, const nlohmann::detail::exception &) {
    position = at;
    return false;
  }
};

std::string lineAndColumn(StringRef text, size_t position) {
  StringRef before = text.take_front(position);
  size_t column = before.size() - (before.rfind('\n') + 1) + 1; // npos + 1 is 0
  return (Twine(before.count('\n') + 1) + ":" + Twine(column)).str();
}

/// Walks over text that is known to be JSON.
class Scanner {
public:
  explicit Scanner(StringRef text) : text(text) {}

  /// Position of the value at a place, from the root.
  size_t find(const Place &place) {
    if (place.parent)
      enter(place);
    skipSpace();
    return at;
  }

private:
  char peek() const { return at < text.size() ? text[at] : '\0'; }
  void skipSpace() {
    while (std::isspace(static_cast<unsigned char>(peek())))
      ++at;
  }
  void skipString() {
    for (++at; at < text.size() && text[at] != '"'; ++at)
      if (text[at] == '\\')
        ++at;
    ++at;
  }
  /// Behind the value that starts here.
  void skipValue() {
    skipSpace();
    size_t open = 0;
    while (at < text.size()) {
      char c = text[at];
      if (c == '"') {
        skipString();
      } else if (c == '{' || c == '[') {
        ++open;
        ++at;
      } else if (c == '}' || c == ']') {
        if (open == 0)
          return;
        --open;
        ++at;
      } else if (open == 0 && (c == ',' || c == ':')) {
        return;
      } else {
        ++at;
        continue;
      }
      if (open == 0)
        return;
    }
  }
  void enter(const Place &place) {
    find(*place.parent);
    ++at; // the bracket
    for (size_t index = 0; at < text.size(); ++index) {
      skipSpace();
      if (place.isElement() && index == place.index)
        return;
      if (!place.isElement()) {
        size_t start = at;
        skipString();
        StringRef key = text.slice(start + 1, at - 1);
        skipSpace();
        ++at; // the colon
        if (key == place.key)
          return;
      }
      skipValue();
      skipSpace();
      if (peek() != ',')
        return;
      ++at;
    }
  }

  StringRef text;
  size_t at = 0;
};

} // namespace

std::string Place::pointer() const {
  if (!parent)
    return "";
  return parent->pointer() + "/" + (isElement() ? std::to_string(index) : key.str());
}

Expected<JsonText> JsonText::parse(std::string name, std::string text) {
  JsonText result;
  result.fileName = std::move(name);
  result.text = std::move(text);
  result.value = Json::parse(result.text, nullptr, /*allow_exceptions=*/false);
  if (!result.value.is_discarded())
    return result;
  ErrorFinder finder;
  Json::sax_parse(result.text, &finder);
  return lgc::invalidInput(result.fileName + ":" + lineAndColumn(result.text, finder.position) +
                           ": no JSON");
}

Expected<JsonText> JsonText::load(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return lgc::invalidInput(path + ": " + file.getError().message());
  return parse(path, (*file)->getBuffer().str());
}

Error JsonText::error(const Place &place, const Twine &message) const {
  return lgc::invalidInput(this->place(place) + ": " + message);
}

std::string JsonText::place(const Place &place) const {
  const std::string pointer = place.pointer();
  return fileName + ":" + lineAndColumn(text, Scanner(text).find(place)) +
         (pointer.empty() ? "" : ": ") + pointer;
}

const Json *member(const Json &value, StringRef name) {
  if (!value.is_object())
    return nullptr;
  auto found = value.find(name.str());
  return found == value.end() ? nullptr : &*found;
}

} // namespace replay
