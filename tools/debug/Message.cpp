//===- Message.cpp - messages of the Debug Adapter Protocol -----------------===//
// SPDX-License-Identifier: MIT
#include "tools/debug/Message.h"
#include <cstdio>

using llvm::StringRef;

namespace debug {

/// Against absurd lengths.
static constexpr uint64_t messageMax = 16u << 20;

/// A line without its end; nothing: the input has ended.
static std::optional<std::string> readLine() {
  std::string line;
  for (int c = std::getchar(); c != EOF; c = std::getchar()) {
    if (c == '\n') {
      if (!line.empty() && line.back() == '\r')
        line.pop_back();
      return line;
    }
    line.push_back(static_cast<char>(c));
    if (line.size() > messageMax)
      break;
  }
  return std::nullopt;
}

std::optional<Json> readMessage() {
  uint64_t length = 0;
  while (true) {
    const std::optional<std::string> line = readLine();
    if (!line)
      return std::nullopt;
    if (line->empty())
      break;
    StringRef rest = *line;
    if (rest.consume_front_insensitive("content-length:") &&
        (rest.trim().getAsInteger(10, length) || length > messageMax))
      return std::nullopt;
  }
  std::string text(length, '\0');
  if (std::fread(text.data(), 1, length, stdin) != length)
    return std::nullopt;
  Json message = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return message.is_object() ? std::optional(std::move(message)) : std::nullopt;
}

void writeMessage(const Json &message) {
  const std::string text =
      message.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
  std::printf("Content-Length: %zu\r\n\r\n", text.size());
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

static const Json *find(const Json &object, StringRef key) {
  if (!object.is_object())
    return nullptr;
  const auto found = object.find(key.str());
  return found == object.end() ? nullptr : &*found;
}

std::string textOf(const Json &object, StringRef key) {
  const Json *value = find(object, key);
  return value && value->is_string() ? value->get<std::string>() : std::string();
}

std::optional<uint64_t> numberOf(const Json &object, StringRef key) {
  const Json *value = find(object, key);
  return value && value->is_number_unsigned() ? std::optional(value->get<uint64_t>())
                                              : std::nullopt;
}

std::optional<uint32_t> dwordOf(const Json &object, StringRef key) {
  const std::optional<uint64_t> number = numberOf(object, key);
  return number && *number <= UINT32_MAX ? std::optional(uint32_t(*number)) : std::nullopt;
}

bool flagOf(const Json &object, StringRef key) {
  const Json *value = find(object, key);
  return value && value->is_boolean() && value->get<bool>();
}

Json objectOf(const Json &object, StringRef key) {
  const Json *value = find(object, key);
  return value && value->is_object() ? *value : Json::object();
}

std::vector<Json> listOf(const Json &object, StringRef key) {
  const Json *value = find(object, key);
  return value && value->is_array() ? std::vector<Json>(value->begin(), value->end())
                                    : std::vector<Json>();
}

} // namespace debug
