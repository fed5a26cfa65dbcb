//===- Channel.h - a connection with deadlines ----------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/server/Tls.h"
#include <memory>

struct sockaddr;

namespace icd {

struct ServerAddress {
  std::string host, port; ///< of TCP
  std::string path;       ///< of a Unix socket, if not empty
  bool isTls = false;
  /// "unix:/run/valkey.sock", "tcp:host:6379", "tls:host:6379". Errors: InvalidInput.
  static llvm::Expected<ServerAddress> parse(llvm::StringRef text);
};

/// Of a clock that only goes forward.
double steadySeconds();

class Channel {
public:
  enum class End : uint8_t { Refused, Late, Broken };

  /// \p tls: for addresses that ask for it; null: connections to those are refused.
  Channel(ServerAddress address, std::shared_ptr<const TlsContext> tls)
      : address(std::move(address)), tls(std::move(tls)) {}
  ~Channel() { close(); }
  Channel(const Channel &) = delete;

  /// Also at the other end: servers and what is between close connections that are idle.
  bool isOpen() const;
  /// Tries all addresses of a name until \p deadline, by steadySeconds(). \p looksUpAside: names
  /// too cost no more than that, but a thread of the C library looks them up.
  bool connect(double deadline, bool looksUpAside);
  bool send(llvm::StringRef bytes, double deadline);
  /// Appends what has come, or will.
  bool receive(std::string &bytes, double deadline);
  /// Of what has failed.
  End reason() const { return why; }
  /// At once; without a word to the server.
  void close();
  /// close(), and nothing of TLS is left: servers of TLS are refused from then on.
  void forget() {
    close();
    tls.reset();
  }

private:
  bool connectTo(int family, const sockaddr *to, unsigned size, double deadline);
  bool connectByName(double deadline, bool looksUpAside);
  bool shakeHands(double deadline);
  bool wait(short events, double deadline);
  bool sendRaw(llvm::StringRef bytes, double deadline);
  bool receiveRaw(std::string &bytes, double deadline);
  bool failed(End reason) {
    why = reason;
    return false;
  }

  const ServerAddress address;
  std::shared_ptr<const TlsContext> tls;
  int descriptor = -1;
  std::unique_ptr<TlsSession> session;
  End why = End::Broken;
};

} // namespace icd
