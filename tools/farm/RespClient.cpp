//===- RespClient.cpp - a server of keys and values -----------------------===//
// SPDX-License-Identifier: MIT
#include "RespClient.h"
#include "Child.h"
#include "lgc/CompileError.h"
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using llvm::ArrayRef;
using llvm::Expected;
using llvm::StringRef;

namespace farm {
namespace {

/// No server has longer values or lists of ours, nor longer lines.
constexpr uint64_t mostValueBytes = 256 << 20, mostElements = 1 << 20, mostLineBytes = 4096;

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

Expected<ServerAddress> ServerAddress::parse(StringRef text) {
  ServerAddress address;
  StringRef rest = text;
  if (rest.consume_front("unix:") && !rest.empty() && rest.size() < sizeof(sockaddr_un::sun_path)) {
    address.path = rest.str();
    return address;
  }
  rest = text;
  const bool isTcp = rest.consume_front("tcp:");
  const auto [host, port] = rest.rsplit(':');
  unsigned number = 0;
  if (!isTcp || host.empty() || port.getAsInteger(10, number) || !number || number > 65535)
    return lgc::invalidInput("'" + text + "' is no server: unix:PATH or tcp:HOST:PORT");
  address.host = host.trim("[]").str();
  address.port = port.str();
  return address;
}

/// What a server answers.
struct RespClient::Reply {
  enum class Kind : uint8_t { Text, Nothing, Error, List } kind = Kind::Nothing;
  std::string text;
  std::vector<Reply> list;
};

RespClient::RespClient(Options given) : options(std::move(given)) {}
RespClient::~RespClient() { disconnect(); }

void RespClient::disconnect() {
  if (channel >= 0)
    ::close(channel);
  channel = -1;
  received.clear();
}

//===--- The connection ---------------------------------------------------===//

static double now(const RespClient::Options &options) {
  return options.clock ? options.clock() : seconds();
}

bool RespClient::fail(End end) {
  ++(end == End::Refused ? totals.refused : end == End::Late ? totals.late : totals.broken);
  disconnect();
  if (++inARow >= options.failuresToOpen) {
    openUntil = now(options) + options.openSeconds;
    inARow = 0;
  }
  return false;
}

bool RespClient::isOpen() {
  if (now(options) >= openUntil)
    return false;
  ++totals.skipped;
  return true;
}

bool RespClient::wait(short events) {
  while (true) {
    const double left = deadline - seconds();
    if (left <= 0) {
      reason = End::Late;
      return false;
    }
    pollfd file = {channel, events, 0};
    const int count = poll(&file, 1, static_cast<int>(std::ceil(left * 1000)));
    if (count > 0)
      return true;
    if (count < 0 && errno != EINTR) {
      reason = End::Broken;
      return false;
    }
  }
}

/// Names are looked up before there is a deadline: who wants none names an address.
static int openSocket(const ServerAddress &address, bool &isPending) {
  auto begin = [&](int family, const sockaddr *to, socklen_t size) {
    const int channel = ::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (channel < 0)
      return -1;
    const int done = ::connect(channel, to, size);
    isPending = done < 0 && errno == EINPROGRESS;
    if (done == 0 || isPending)
      return channel;
    ::close(channel);
    return -1;
  };
  if (!address.path.empty()) {
    sockaddr_un to = {};
    to.sun_family = AF_UNIX;
    std::memcpy(to.sun_path, address.path.data(), address.path.size());
    return begin(AF_UNIX, reinterpret_cast<const sockaddr *>(&to), sizeof to);
  }
  addrinfo hints = {}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  if (getaddrinfo(address.host.c_str(), address.port.c_str(), &hints, &found) != 0)
    return -1;
  const int channel = begin(found->ai_family, found->ai_addr, found->ai_addrlen);
  freeaddrinfo(found);
  const int yes = 1;
  if (channel >= 0)
    setsockopt(channel, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return channel;
}

bool RespClient::connect() {
  if (channel >= 0)
    return true;
  bool isPending = false;
  channel = openSocket(options.address, isPending);
  if (channel < 0)
    return fail(End::Refused);
  deadline = seconds() + options.connectSeconds;
  if (isPending) {
    if (!wait(POLLOUT))
      return fail(reason);
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(channel, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error)
      return fail(End::Refused);
  }
  return authenticate();
}

bool RespClient::authenticate() {
  if (options.password.empty())
    return true;
  const std::string request = options.user.empty()
                                  ? command({"AUTH", options.password})
                                  : command({"AUTH", options.user, options.password});
  if (!send(request))
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
  while (!bytes.empty()) {
    const ssize_t count = ::send(channel, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count > 0) {
      bytes = bytes.drop_front(static_cast<size_t>(count));
    } else if (errno == EAGAIN) {
      if (!wait(POLLOUT))
        return false;
    } else if (errno != EINTR) {
      reason = End::Broken;
      return false;
    }
  }
  return true;
}

bool RespClient::fill() {
  char bytes[65536];
  while (true) {
    const ssize_t count = ::read(channel, bytes, sizeof bytes);
    if (count > 0) {
      totals.received += static_cast<uint64_t>(count);
      received.append(bytes, static_cast<size_t>(count));
      return true;
    }
    if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
      reason = End::Broken;
      return false;
    }
    if (!wait(POLLIN))
      return false;
  }
}

std::optional<std::string> RespClient::readLine() {
  while (true) {
    if (const size_t end = received.find("\r\n"); end != std::string::npos) {
      std::string line = received.substr(0, end);
      received.erase(0, end + 2);
      return line;
    }
    reason = End::Broken;
    if (received.size() > mostLineBytes || !fill())
      return std::nullopt;
  }
}

std::optional<std::string> RespClient::readBytes(size_t count) {
  while (received.size() < count)
    if (!fill())
      return std::nullopt;
  std::string bytes = received.substr(0, count);
  received.erase(0, count);
  return bytes;
}

std::optional<RespClient::Reply> RespClient::readReply(unsigned depth) {
  const std::optional<std::string> line = readLine();
  if (!line)
    return std::nullopt;
  reason = End::Broken;
  if (line->empty() || depth > 1)
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
    if (!isNumber || number < -1 || number > int64_t(mostValueBytes))
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
    if (!isNumber || number < -1 || number > int64_t(mostElements))
      return std::nullopt;
    reply.kind = Reply::Kind::List;
    for (int64_t i = 0; i < number; ++i) {
      std::optional<Reply> element = readReply(depth + 1);
      if (!element)
        return std::nullopt;
      reply.list.push_back(std::move(*element));
    }
    return reply;
  default:
    return std::nullopt;
  }
}

//===--- Calls ------------------------------------------------------------===//

bool RespClient::call(const std::string &request, size_t count, std::vector<Reply> &replies) {
  ++totals.calls;
  if (!connect())
    return false;
  deadline = seconds() + options.callSeconds;
  if (!send(request))
    return fail(reason);
  for (size_t i = 0; i < count; ++i) {
    std::optional<Reply> reply = readReply(0);
    if (!reply)
      return fail(reason);
    replies.push_back(std::move(*reply));
  }
  if (!received.empty()) // nobody has asked for that
    return fail(End::Broken);
  inARow = 0;
  return true;
}

std::optional<RespClient::Values> RespClient::get(ArrayRef<std::string> keys) {
  if (isOpen())
    return std::nullopt;
  std::vector<StringRef> words = {"MGET"};
  words.insert(words.end(), keys.begin(), keys.end());
  std::vector<Reply> replies;
  if (!call(command(words), 1, replies))
    return std::nullopt;
  Reply &reply = replies.front();
  if (reply.kind == Reply::Kind::Error) {
    ++totals.denied;
    return std::nullopt;
  }
  if (reply.kind != Reply::Kind::List || reply.list.size() != keys.size()) {
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
  if (!call(request, pairs.size(), replies))
    return 0;
  size_t taken = 0;
  for (const Reply &reply : replies)
    ++(reply.kind == Reply::Kind::Error ? totals.denied : taken);
  return taken;
}

} // namespace farm
