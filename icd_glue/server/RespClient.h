//===- RespClient.h - a server of keys and values -------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// MGET and SET of Redis and Valkey, by the second version of their protocol. A server is an
/// optimisation: whatever it does, the result of a call is an answer or none, within a time that is
/// known beforehand. After some failures in a row it is left alone for a while; then one call tries
/// whether it is there again.
#pragma once

#include "icd_glue/server/Channel.h"
#include <functional>

namespace icd {

class RespClient {
public:
  struct Options {
    ServerAddress address;
    std::shared_ptr<const TlsContext> tls = nullptr; ///< for addresses of TLS
    std::string user, password;                      ///< empty: none is sent
    double connectSeconds = 0.25, callSeconds = 0.2; ///< of each connection, of each call
    unsigned failuresToOpen = 3;
    double openSeconds = 30;                 ///< so long nobody asks
    uint64_t mostReplyBytes = 64 << 20;      ///< of one call; more is a failure
    bool looksUpAside = false;               ///< see Channel::connect
    std::function<double()> clock = nullptr; ///< for tests; else steadySeconds()
  };
  /// Why calls had no answer.
  struct Counters {
    uint64_t calls = 0, refused = 0 /* no connection */, late = 0, broken = 0 /* protocol */,
             denied = 0 /* an error of the server: rights, no memory */, skipped = 0 /* open */;
    uint64_t sent = 0, received = 0; ///< bytes
    uint64_t failures() const { return refused + late + broken; }
  };

  explicit RespClient(Options options);
  ~RespClient();
  RespClient(const RespClient &) = delete;

  using Values = std::vector<std::optional<std::string>>;
  /// A value for each key that is there. Nothing: no answer.
  std::optional<Values> get(llvm::ArrayRef<std::string> keys);
  /// How many of \p pairs the server has taken.
  size_t set(llvm::ArrayRef<std::pair<std::string, std::string>> pairs);
  const Counters &counters() const { return totals; }

  /// Forgets the password and what TLS has, and closes the connection, without a word to the
  /// server: for a child of the process, whose business it is not.
  void forget();

private:
  using End = Channel::End;
  struct Reply;

  bool isOpen();
  bool connect();
  bool authenticate();
  /// Sends \p request and reads \p count replies, lists of them with \p elements. False: failed,
  /// counted and disconnected.
  bool call(const std::string &request, size_t count, size_t elements, std::vector<Reply> &replies);
  bool send(llvm::StringRef bytes);
  std::optional<Reply> readReply(size_t elements);
  std::optional<Reply> readList(int64_t count, size_t elements);
  std::optional<std::string> readLine();
  std::optional<std::string> readBytes(size_t count);
  bool fill();
  bool fail(End end);
  void disconnect();

  Options options;
  Counters totals;
  Channel channel;
  double deadline = 0, openUntil = 0;
  unsigned inARow = 0;
  bool isTrial = false; ///< nobody knows yet whether the server is there again
  std::string received;
  size_t position = 0;      ///< of what is not read yet
  uint64_t budget = 0;      ///< bytes that may still come
  End reason = End::Broken; ///< of what fails just now
};

} // namespace icd
