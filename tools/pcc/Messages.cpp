//===- Messages.cpp - errors and warnings of a run ------------------------===//
// SPDX-License-Identifier: MIT
#include "Messages.h"
#include "llvm/ADT/StringExtras.h"
#include <nlohmann/json.hpp>

using llvm::StringRef;

namespace pcc {
namespace {

using Json = nlohmann::ordered_json;

/// "12:4: /place: what" with as much of it as is there.
void addPlace(Json &json, StringRef text) {
  auto [line, afterLine] = text.split(':');
  auto [column, rest] = afterLine.split(':');
  unsigned lineNumber = 0, columnNumber = 0;
  if (!llvm::to_integer(line, lineNumber, 10) || !llvm::to_integer(column, columnNumber, 10)) {
    json["message"] = text.trim().str();
    return;
  }
  json["line"] = lineNumber;
  json["column"] = columnNumber;
  rest = rest.ltrim();
  if (rest.starts_with("/")) {
    auto [pointer, message] = rest.split(": ");
    json["pointer"] = pointer.str();
    rest = message;
  }
  json["message"] = rest.str();
}

} // namespace

// Texts come from files: bytes that are no UTF-8 must not stop a message.
static std::string dump(const Json &json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void print(llvm::raw_ostream &out, const Message &message, Diagnostics format) {
  const char *severity = message.isError ? "error" : "warning";
  StringRef text = message.text;
  if (format == Diagnostics::Text) {
    out << "kiln-pcc: " << severity << ": ";
    if (!message.file.empty() && !text.contains(message.file))
      out << message.file << ": ";
    out << text;
    if (!message.pipeline.empty())
      out << " [pipeline " << message.pipeline << "]";
    out << '\n';
    return;
  }
  Json json;
  json["severity"] = severity;
  if (!message.file.empty())
    json["file"] = message.file;
  if (!message.pipeline.empty())
    json["pipeline"] = message.pipeline;
  text.consume_front("invalid input: ");
  if (!message.file.empty() && text.consume_front(message.file))
    text.consume_front(":");
  addPlace(json, text);
  out << dump(json) << '\n';
}

std::string quoteJson(StringRef text) { return dump(Json(text.str())); }

} // namespace pcc
