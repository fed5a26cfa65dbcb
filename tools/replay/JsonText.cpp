//===- JsonText.cpp - parsing, and finding places again -------------------===//
// SPDX-License-Identifier: MIT
#include "JsonText.h"
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

TextPlace placeAt(const std::string &file, StringRef text, size_t position) {
  const StringRef before = text.take_front(position);
  // npos + 1 is 0
  return {file, before.count('\n') + 1, before.size() - (before.rfind('\n') + 1) + 1, ""};
}

/// A string's text, of which \p raw is what stands between the quotes.
std::string unescaped(StringRef raw) {
  if (!raw.contains('\\'))
    return raw.str();
  const Json json = Json::parse("\"" + raw.str() + "\"", nullptr, /*allow_exceptions=*/false);
  const auto *text = json.get_ptr<const std::string *>();
  return text ? *text : raw.str();
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
        const std::string key = unescaped(text.slice(start + 1, at - 1));
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

char PlacedError::ID = 0;

std::string Place::pointer() const {
  if (!parent)
    return "";
  std::string result = parent->pointer() + "/";
  if (isElement())
    return result + std::to_string(index);
  for (char c : key)
    result += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return result;
}

std::string TextPlace::text() const {
  std::string result = file;
  if (line)
    result += ":" + std::to_string(line) + ":" + std::to_string(column);
  return result + (result.empty() || pointer.empty() ? "" : ": ") + pointer;
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
  return llvm::make_error<PlacedError>(placeAt(result.fileName, result.text, finder.position),
                                       "no JSON");
}

Expected<JsonText> JsonText::load(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return lgc::invalidInput(path + ": " + file.getError().message());
  return parse(path, (*file)->getBuffer().str());
}

Error JsonText::error(const Place &place, const Twine &message) const {
  return llvm::make_error<PlacedError>(this->place(place), message.str());
}

TextPlace JsonText::place(const Place &place) const {
  TextPlace result = placeAt(fileName, text, Scanner(text).find(place));
  result.pointer = place.pointer();
  return result;
}

const Json *member(const Json &value, StringRef name) {
  if (!value.is_object())
    return nullptr;
  auto found = value.find(name.str());
  return found == value.end() ? nullptr : &*found;
}

} // namespace replay
