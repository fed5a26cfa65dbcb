//===- JsonText.h - JSON with places for messages -------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A JSON file from anywhere: parsed without recursion, and with errors that name file, line and
/// place ("cube.json:12:4: /stages/0/name: ..."). Lines are looked up when a message needs them.
#pragma once

#include "lgc/CompileError.h"
#include <nlohmann/json.hpp>
#include <string>

namespace replay {

using Json = nlohmann::json;

/// A way from the root of a document, on the stack of whoever walks it.
struct Place {
  const Place *parent = nullptr;
  llvm::StringRef key; ///< of an object
  size_t index = 0;    ///< of an array, where key is null

  Place() = default;
  Place(const Place &parent, llvm::StringRef key) : parent(&parent), key(key) {}
  Place(const Place &parent, size_t index) : parent(&parent), index(index) {}
  bool isElement() const { return !key.data(); }
  unsigned depth() const { return parent ? parent->depth() + 1 : 0; }
  /// "/stages/0/name", as RFC 6901 has it: ~ and / in names are ~0 and ~1.
  std::string pointer() const;
};

/// What a message says of a place.
struct TextPlace {
  std::string file;
  size_t line = 0, column = 0; ///< from 1; 0: not known
  std::string pointer;
  /// "cube.json:12:4: /stages/0" with as much of it as is there.
  std::string text() const;
};

/// An InvalidInput whose parts need not be cut out of its message again.
class PlacedError : public llvm::ErrorInfo<PlacedError, lgc::CompileError> {
public:
  static char ID;
  PlacedError(TextPlace place, const std::string &what)
      : ErrorInfo(lgc::ErrorKind::InvalidInput, place.text() + ": " + what),
        place(std::move(place)), what(what) {}

  const TextPlace place;
  const std::string what;
};

class JsonText {
public:
  /// Errors: InvalidInput with line and column.
  static llvm::Expected<JsonText> parse(std::string name, std::string text);
  /// Errors: InvalidInput also for a file that cannot be read.
  static llvm::Expected<JsonText> load(const std::string &path);

  const Json &root() const { return value; }
  const std::string &name() const { return fileName; }
  /// InvalidInput at a place.
  llvm::Error error(const Place &place, const llvm::Twine &message) const;
  TextPlace place(const Place &place) const;

private:
  std::string fileName, text;
  Json value;
};

/// Null when \p value is no object or has no such member.
const Json *member(const Json &value, llvm::StringRef name);

} // namespace replay
