//===- Channel.cpp - a connection with deadlines --------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/server/Channel.h"
#include "lgc/CompileError.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using llvm::Expected;
using llvm::StringRef;

namespace icd {

Expected<ServerAddress> ServerAddress::parse(StringRef text) {
  ServerAddress address;
  StringRef rest = text;
  if (rest.consume_front("unix:") && !rest.empty() && rest.size() < sizeof(sockaddr_un::sun_path)) {
    address.path = rest.str();
    return address;
  }
  rest = text;
  address.isTls = rest.consume_front("tls:");
  const bool isNetwork = address.isTls || rest.consume_front("tcp:");
  const auto [name, port] = rest.rsplit(':');
  const StringRef host = name.trim("[]");
  unsigned number = 0;
  if (!isNetwork || host.empty() || port.getAsInteger(10, number) || !number || number > 65535)
    return lgc::invalidInput("'" + text +
                             "' is no server: unix:PATH, tcp:HOST:PORT or tls:HOST:PORT");
  address.host = host.str();
  address.port = port.str();
  return address;
}

double steadySeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool Channel::isOpen() const {
  pollfd file = {descriptor, POLLRDHUP, 0};
  return descriptor >= 0 && poll(&file, 1, 0) == 0;
}

void Channel::close() {
  session.reset();
  if (descriptor >= 0)
    ::close(descriptor);
  descriptor = -1;
}

bool Channel::wait(short events, double deadline) {
  while (true) {
    const double left = deadline - steadySeconds();
    if (left <= 0)
      return failed(End::Late);
    pollfd file = {descriptor, events, 0};
    const int count = poll(&file, 1, static_cast<int>(std::ceil(left * 1000)));
    if (count > 0)
      return true;
    if (count < 0 && errno != EINTR)
      return failed(End::Broken);
  }
}

//===--- Connecting -------------------------------------------------------===//

bool Channel::connectTo(int family, const sockaddr *to, unsigned size, double deadline) {
  close();
  descriptor = ::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0)
    return failed(End::Refused);
  if (::connect(descriptor, to, size) < 0) {
    if (errno != EINPROGRESS)
      return failed(End::Refused);
    if (!wait(POLLOUT, deadline))
      return false;
    int error = 0;
    socklen_t bytes = sizeof error;
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &bytes);
    if (error)
      return failed(End::Refused);
  }
  const int yes = 1;
  if (family != AF_UNIX)
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return true;
}

/// Null: there is none, or it is not known in time.
static addrinfo *lookUp(const std::string &host, const std::string &port, double deadline,
                        bool looksUpAside) {
  addrinfo hints = {}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICHOST;
  if (getaddrinfo(host.c_str(), port.c_str(), &hints, &found) == 0)
    return found;
  hints.ai_flags = AI_ADDRCONFIG;
  if (!looksUpAside)
    return getaddrinfo(host.c_str(), port.c_str(), &hints, &found) == 0 ? found : nullptr;
  struct Request {
    std::string host, port;
    addrinfo hints;
    gaicb block = {};
  };
  auto request = std::make_unique<Request>(Request{host, port, hints});
  request->block.ar_name = request->host.c_str();
  request->block.ar_service = request->port.c_str();
  request->block.ar_request = &request->hints;
  gaicb *list[] = {&request->block};
  if (getaddrinfo_a(GAI_NOWAIT, list, 1, nullptr) != 0)
    return nullptr;
  const double left = std::max(0.0, deadline - steadySeconds());
  const timespec limit = {static_cast<time_t>(left),
                          static_cast<long>((left - std::floor(left)) * 1e9)};
  gai_suspend(list, 1, &limit);
  if (gai_error(&request->block) == EAI_INPROGRESS && gai_cancel(&request->block) != EAI_CANCELED &&
      gai_error(&request->block) == EAI_INPROGRESS) {
    (void)request.release(); // the library still writes to it
    return nullptr;
  }
  return gai_error(&request->block) == 0 ? request->block.ar_result : nullptr;
}

bool Channel::connectByName(double deadline, bool looksUpAside) {
  addrinfo *found = lookUp(address.host, address.port, deadline, looksUpAside);
  bool isConnected = failed(End::Refused);
  unsigned left = 0;
  for (const addrinfo *one = found; one; one = one->ai_next)
    ++left;
  // Each has an equal part of what is left, so that the first one that says nothing is not all.
  for (const addrinfo *one = found; one && !isConnected; one = one->ai_next, --left) {
    const double now = steadySeconds();
    isConnected =
        connectTo(one->ai_family, one->ai_addr, one->ai_addrlen, now + (deadline - now) / left);
  }
  if (found)
    freeaddrinfo(found);
  return isConnected;
}

bool Channel::connect(double deadline, bool looksUpAside) {
  bool isConnected = false;
  if (address.path.empty()) {
    isConnected = connectByName(deadline, looksUpAside);
  } else {
    sockaddr_un to = {};
    to.sun_family = AF_UNIX;
    std::memcpy(to.sun_path, address.path.data(),
                std::min(address.path.size(), sizeof to.sun_path - 1));
    isConnected = connectTo(AF_UNIX, reinterpret_cast<const sockaddr *>(&to), sizeof to, deadline);
  }
  if (isConnected && address.isTls)
    isConnected = shakeHands(deadline);
  if (!isConnected)
    close();
  return isConnected;
}

bool Channel::shakeHands(double deadline) {
  if (!tls)
    return failed(End::Refused);
  auto made = std::make_unique<TlsSession>(*tls, address.host);
  while (true) {
    const TlsSession::Step step = made->handshake();
    if (const std::string bytes = made->take(); !bytes.empty() && !sendRaw(bytes, deadline))
      return false;
    if (step == TlsSession::Step::Done)
      break;
    std::string bytes;
    if (step == TlsSession::Step::Failed)
      return failed(End::Refused);
    if (!receiveRaw(bytes, deadline))
      return false;
    made->put(bytes);
  }
  session = std::move(made);
  return true;
}

//===--- Sending and receiving --------------------------------------------===//

bool Channel::sendRaw(StringRef bytes, double deadline) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count > 0)
      bytes = bytes.drop_front(static_cast<size_t>(count));
    else if (errno == EAGAIN && !wait(POLLOUT, deadline))
      return false;
    else if (errno != EAGAIN && errno != EINTR)
      return failed(End::Broken);
  }
  return true;
}

/// Looks at the clock every time: a server that never stops sending is late as well.
bool Channel::receiveRaw(std::string &bytes, double deadline) {
  char some[65536];
  while (wait(POLLIN, deadline)) {
    const ssize_t count = ::recv(descriptor, some, sizeof some, 0);
    if (count > 0) {
      bytes.append(some, static_cast<size_t>(count));
      return true;
    }
    if (count == 0 || (errno != EAGAIN && errno != EINTR))
      return failed(End::Broken);
  }
  return false;
}

bool Channel::send(StringRef bytes, double deadline) {
  if (!session)
    return sendRaw(bytes, deadline);
  constexpr size_t atOnce = 1 << 20;
  for (; !bytes.empty(); bytes = bytes.drop_front(std::min(bytes.size(), atOnce)))
    if (session->write(bytes.take_front(atOnce)) != TlsSession::Step::Done)
      return failed(End::Broken);
    else if (!sendRaw(session->take(), deadline))
      return false;
  return true;
}

bool Channel::receive(std::string &bytes, double deadline) {
  if (!session)
    return receiveRaw(bytes, deadline);
  while (true) {
    const TlsSession::Step step = session->read(bytes);
    if (const std::string answer = session->take(); !answer.empty() && !sendRaw(answer, deadline))
      return false;
    if (step == TlsSession::Step::Done)
      return true;
    std::string line;
    if (step == TlsSession::Step::Failed)
      return failed(End::Broken);
    if (!receiveRaw(line, deadline))
      return false;
    session->put(line);
  }
}

} // namespace icd
