//===- RespClient.h - a server of keys and values -------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// MGET and SET of Redis and Valkey, by the second version of their protocol. A server is an
/// optimisation: whatever it does, the result of a call is an answer or none, within a time that is
/// known beforehand. After some failures in a row it is left alone for a while.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace farm {

struct ServerAddress {
  std::string host, port; ///< of TCP
  std::string path;       ///< of a Unix socket, if not empty
  /// "unix:/run/valkey.sock", "tcp:host:6379". Errors: InvalidInput.
  static llvm::Expected<ServerAddress> parse(llvm::StringRef text);
};

class RespClient {
public:
  struct Options {
    ServerAddress address;
    std::string user, password;                      ///< empty: none is sent
    double connectSeconds = 0.25, callSeconds = 0.2; ///< of each connection, of each call
    unsigned failuresToOpen = 3;
    double openSeconds = 30;       ///< so long nobody asks
    std::function<double()> clock; ///< for tests; else seconds()
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

private:
  enum class End : uint8_t { Refused, Late, Broken };
  struct Reply;

  bool isOpen();
  bool connect();
  bool authenticate();
  /// Sends \p request and reads \p count replies. False: failed, counted and disconnected.
  bool call(const std::string &request, size_t count, std::vector<Reply> &replies);
  bool send(llvm::StringRef bytes);
  std::optional<Reply> readReply(unsigned depth);
  std::optional<std::string> readLine();
  std::optional<std::string> readBytes(size_t count);
  bool fill();
  bool wait(short events);
  bool fail(End end);
  void disconnect();

  const Options options;
  Counters totals;
  int channel = -1;
  double deadline = 0, openUntil = 0;
  unsigned inARow = 0;
  std::string received;
  End reason = End::Broken; ///< of what fails just now
};

} // namespace farm
