//===- Messages.cpp - errors, warnings and the summary of a run -----------===//
// SPDX-License-Identifier: MIT
#include "Messages.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <nlohmann/json.hpp>

using llvm::StringRef;

namespace pcc {
namespace {

using Json = nlohmann::ordered_json;

// Texts come from files: bytes that are no UTF-8 must not stop a message.
std::string dump(const Json &json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// A message is one line, and changes nothing but that line of a terminal.
std::string printable(StringRef text) {
  std::string result;
  for (char c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      result += "\\x" + llvm::utohexstr(static_cast<unsigned char>(c), true, 2);
    else
      result += c;
  return result;
}

std::string textOf(const Summary &summary) {
  return llvm::formatv("{0}: {1} pipelines for {2}, {3} unchanged, {4} bytes", summary.file,
                       summary.pipelines, summary.target, summary.unchanged, summary.bytes);
}

} // namespace

void print(llvm::raw_ostream &out, const Message &message, Diagnostics format) {
  const char *severity = message.isError ? "error" : "warning";
  if (format == Diagnostics::Text) {
    const std::string place = message.place.text();
    out << "kiln-pcc: " << severity << ": "
        << printable(place + (place.empty() ? "" : ": ") + message.text);
    if (!message.pipeline.empty())
      out << " [pipeline " << message.pipeline << "]";
    out << '\n';
    return;
  }
  Json json;
  json["severity"] = severity;
  if (!message.place.file.empty())
    json["file"] = message.place.file;
  if (!message.pipeline.empty())
    json["pipeline"] = message.pipeline;
  if (message.place.line) {
    json["line"] = message.place.line;
    json["column"] = message.place.column;
  }
  if (!message.place.pointer.empty())
    json["pointer"] = message.place.pointer;
  json["message"] = message.text;
  out << dump(json) << '\n';
}

int printErrors(llvm::raw_ostream &out, llvm::Error errors, Diagnostics format) {
  int exitCode = 0;
  auto say = [&](std::string text) {
    print(out, Message{true, "", {}, std::move(text)}, format);
    exitCode = 1;
  };
  llvm::handleAllErrors(
      std::move(errors), [&](const lgc::CompileError &error) { say(error.getMessage()); },
      [&](const llvm::ErrorInfoBase &error) { say(error.message()); });
  return exitCode;
}

void print(llvm::raw_ostream &out, const Summary &summary, Diagnostics format) {
  if (format == Diagnostics::Text) {
    out << "kiln-pcc: " << printable(textOf(summary)) << '\n';
    return;
  }
  Json json;
  json["severity"] = "note";
  json["file"] = summary.file;
  json["target"] = summary.target;
  json["pipelines"] = summary.pipelines;
  json["unchanged"] = summary.unchanged;
  json["bytes"] = summary.bytes;
  json["message"] = textOf(summary);
  out << dump(json) << '\n';
}

} // namespace pcc
