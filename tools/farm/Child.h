//===- Child.h - a process that compiles ----------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Whatever inputs do to a compiler, it happens to a process of its own: a child that is told what
/// to compile, one after another, and answers. If it ends, takes too long or too much memory, the
/// parent knows with what, and has another one.
///
/// The parent has no threads: children are forked as they are needed.
#pragma once

#include "Bucket.h"
#include <functional>
#include <sys/types.h>

namespace farm {

/// An item for a target.
struct Unit {
  uint32_t item = 0, target = 0;
};

struct Outcome {
  Status status = Status::Good;
  std::string payload;
  double cpuMs = 0; ///< nothing depends on it
};

using Compile = std::function<Outcome(const Unit &)>;
/// Called in the child. \p dumpFolder: not empty: where a .pipe file of each pipeline goes. Errors
/// end the child, with a message.
using StartCompiler = std::function<llvm::Expected<Compile>(const std::string &dumpFolder)>;

struct Limits {
  double seconds = 120;                ///< for one unit, by the clock
  uint64_t memory = uint64_t(4) << 30; ///< of the process, all addresses
  Limits doubled() const { return {seconds * 2, memory * 2}; }
};

class Child {
public:
  /// Errors: the system gives no process.
  static llvm::Expected<std::unique_ptr<Child>>
  start(const StartCompiler &start, const Limits &limits, const std::string &dumpFolder = {});
  /// Kills it if it lives.
  ~Child();
  Child(const Child &) = delete;

  int descriptor() const { return channel; } ///< to poll
  bool isReady() const { return ready; }     ///< its compiler has started
  bool isBusy() const { return busy; }
  const Unit &unit() const { return current; }
  double busySince() const { return since; }
  /// When it has had enough time, by seconds(); only when it is busy or starting.
  double deadline() const { return since + limits.seconds; }

  void give(const Unit &unit);
  enum class Event : uint8_t { Nothing, Ready, Done, Dead };
  /// Reads what has come, without waiting.
  Event receive(Outcome &outcome);
  /// Kills it and returns \p why; if that is empty it is dead already: how it ended, "signal 11
  /// (Segmentation fault)".
  std::string end(const std::string &why);
  /// The last lines that it wrote to standard error since it was given its unit.
  std::string lastLines() const;

private:
  Child() = default;
  [[noreturn]] static void runChild(int channel, int errors, const StartCompiler &start,
                                    const Limits &limits, const std::string &dumpFolder);

  pid_t process = -1;
  int channel = -1, errors = -1;
  bool ready = false, busy = false;
  Unit current;
  double since = 0;
  Limits limits;
  std::string received;
};

/// Of a clock that only goes forward.
double seconds();

} // namespace farm
