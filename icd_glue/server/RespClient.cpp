//===- RespClient.cpp - a server of keys and values -----------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/server/RespClient.h"
#include <cstring>

using llvm::ArrayRef;
using llvm::StringRef;

namespace icd {
namespace {

/// No server has longer lines for us.
constexpr uint64_t mostLineBytes = 4096;

void appendText(std::string &request, StringRef text) {
  request += "$" + std::to_string(text.size()) + "\r\n";
  request += text;
  request += "\r\n";
}

std::string command(ArrayRef<StringRef> words) {
  std::string request = "*" + std::to_string(words.size()) + "\r\n";
  for (StringRef word : words)
    appendText(request, word);
  return request;
}

} // namespace

/// What a server answers.
struct RespClient::Reply {
  enum class Kind : uint8_t { Text, Nothing, Error, List } kind = Kind::Nothing;
  std::string text;
  std::vector<Reply> list;
};

RespClient::RespClient(Options given)
    : options(std::move(given)), channel(options.address, std::move(options.tls)) {}
RespClient::~RespClient() { forget(); }

void RespClient::forget() {
  disconnect();
  channel.forget();
  explicit_bzero(options.password.data(), options.password.size());
  options.password.clear();
}

void RespClient::disconnect() {
  channel.close();
  received.clear();
  position = 0;
}

//===--- The connection ---------------------------------------------------===//

static double now(const RespClient::Options &options) {
  return options.clock ? options.clock() : steadySeconds();
}

bool RespClient::fail(End end) {
  ++(end == End::Refused ? totals.refused : end == End::Late ? totals.late : totals.broken);
  disconnect();
  if (isTrial || ++inARow >= options.failuresToOpen) {
    openUntil = now(options) + options.openSeconds;
    inARow = 0;
    isTrial = true;
  }
  return false;
}

bool RespClient::isOpen() {
  if (now(options) >= openUntil)
    return false;
  ++totals.skipped;
  return true;
}

bool RespClient::connect() {
  budget = options.mostReplyBytes;
  if (channel.isOpen())
    return true;
  deadline = steadySeconds() + options.connectSeconds;
  return channel.connect(deadline, options.looksUpAside) ? authenticate() : fail(channel.reason());
}

bool RespClient::authenticate() {
  if (options.password.empty())
    return true;
  std::string request = options.user.empty() ? command({"AUTH", options.password})
                                             : command({"AUTH", options.user, options.password});
  const bool isSent = send(request);
  explicit_bzero(request.data(), request.size());
  if (!isSent)
    return fail(reason);
  const std::optional<Reply> reply = readReply(0);
  if (!reply)
    return fail(reason);
  if (reply->kind != Reply::Kind::Error)
    return true;
  ++totals.denied;
  return fail(End::Refused);
}

bool RespClient::send(StringRef bytes) {
  totals.sent += bytes.size();
  if (channel.send(bytes, deadline))
    return true;
  reason = channel.reason();
  return false;
}

bool RespClient::fill() {
  received.erase(0, position);
  position = 0;
  const size_t before = received.size();
  reason = End::Broken;
  if (!channel.receive(received, deadline)) {
    reason = channel.reason();
    return false;
  }
  const uint64_t count = received.size() - before;
  totals.received += count;
  if (count > budget)
    return false;
  budget -= count;
  return true;
}

std::optional<std::string> RespClient::readLine() {
  while (true) {
    if (const size_t end = received.find("\r\n", position); end != std::string::npos) {
      std::string line = received.substr(position, end - position);
      position = end + 2;
      return line;
    }
    reason = End::Broken;
    if (received.size() - position > mostLineBytes || !fill())
      return std::nullopt;
  }
}

std::optional<std::string> RespClient::readBytes(size_t count) {
  while (received.size() - position < count)
    if (!fill())
      return std::nullopt;
  std::string bytes = received.substr(position, count);
  position += count;
  return bytes;
}

/// \p elements: that a list may have; 0: none is expected.
std::optional<RespClient::Reply> RespClient::readReply(size_t elements) {
  const std::optional<std::string> line = readLine();
  if (!line)
    return std::nullopt;
  reason = End::Broken;
  if (line->empty())
    return std::nullopt;
  const StringRef rest = StringRef(*line).drop_front();
  Reply reply;
  int64_t number = 0;
  const bool isNumber = !rest.getAsInteger(10, number);
  switch (line->front()) {
  case '+':
  case ':':
    reply.kind = Reply::Kind::Text;
    reply.text = rest.str();
    return reply;
  case '-':
    reply.kind = Reply::Kind::Error;
    reply.text = rest.str();
    return reply;
  case '$': {
    if (!isNumber || number < -1 || number > int64_t(options.mostReplyBytes))
      return std::nullopt;
    if (number < 0)
      return reply;
    auto bytes = readBytes(static_cast<size_t>(number) + 2);
    reason = bytes ? End::Broken : reason;
    if (!bytes || !StringRef(*bytes).ends_with("\r\n"))
      return std::nullopt;
    bytes->resize(bytes->size() - 2);
    reply.kind = Reply::Kind::Text;
    reply.text = std::move(*bytes);
    return reply;
  }
  case '*':
    return isNumber ? readList(number, elements) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// Lists in lists are none of what is asked for.
std::optional<RespClient::Reply> RespClient::readList(int64_t count, size_t elements) {
  if (!elements || count != static_cast<int64_t>(elements))
    return std::nullopt;
  Reply reply;
  reply.kind = Reply::Kind::List;
  for (int64_t i = 0; i < count; ++i) {
    std::optional<Reply> element = readReply(0);
    if (!element)
      return std::nullopt;
    reply.list.push_back(std::move(*element));
  }
  return reply;
}

//===--- Calls ------------------------------------------------------------===//

bool RespClient::call(const std::string &request, size_t count, size_t elements,
                      std::vector<Reply> &replies) {
  ++totals.calls;
  if (!connect())
    return false;
  deadline = steadySeconds() + options.callSeconds;
  if (!send(request))
    return fail(reason);
  for (size_t i = 0; i < count; ++i) {
    std::optional<Reply> reply = readReply(elements);
    if (!reply)
      return fail(reason);
    replies.push_back(std::move(*reply));
  }
  if (received.size() != position) // nobody has asked for that
    return fail(End::Broken);
  inARow = 0;
  isTrial = false;
  return true;
}

std::optional<RespClient::Values> RespClient::get(ArrayRef<std::string> keys) {
  if (isOpen())
    return std::nullopt;
  std::vector<StringRef> words = {"MGET"};
  words.insert(words.end(), keys.begin(), keys.end());
  std::vector<Reply> replies;
  if (!call(command(words), 1, keys.size(), replies))
    return std::nullopt;
  Reply &reply = replies.front();
  if (reply.kind == Reply::Kind::Error) {
    ++totals.denied;
    return std::nullopt;
  }
  if (reply.kind != Reply::Kind::List) {
    fail(End::Broken);
    return std::nullopt;
  }
  Values values;
  for (Reply &element : reply.list)
    values.push_back(element.kind == Reply::Kind::Text ? std::optional(std::move(element.text))
                                                       : std::nullopt);
  return values;
}

size_t RespClient::set(ArrayRef<std::pair<std::string, std::string>> pairs) {
  if (isOpen())
    return 0;
  std::string request;
  for (const auto &[key, value] : pairs)
    request += command({"SET", key, value});
  std::vector<Reply> replies;
  if (!call(request, pairs.size(), 0, replies))
    return 0;
  size_t taken = 0;
  for (const Reply &reply : replies)
    ++(reply.kind == Reply::Kind::Error ? totals.denied : taken);
  return taken;
}

} // namespace icd
