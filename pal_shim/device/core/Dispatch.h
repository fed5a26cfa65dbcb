//===- Dispatch.h - runs the workgroups of a dispatch ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Workgroups go out one at a time, in order, to the threads that take part; a thread runs all
/// waves of its workgroup in turns, so that waves may wait for each other.
#pragma once

#include "pal_shim/device/core/Launch.h"
#include "pal_shim/device/core/Loader.h"
#include "llvm/Support/ThreadPool.h"
#include <atomic>

namespace pal::device {

/// Storage of one thread that runs workgroups; large, so kept between dispatches.
struct GroupRunner;

class Debugger;

/// What dispatches of one device share.
class DispatchContext {
public:
  explicit DispatchContext(const DeviceOptions &options);
  ~DispatchContext();

  std::unique_ptr<GroupRunner> takeRunner();
  void giveBack(std::unique_ptr<GroupRunner> runner);
  void log(llvm::StringRef line);

  const DeviceOptions &options;
  unsigned threads;                              ///< that a dispatch may use, its caller included
  std::unique_ptr<llvm::DefaultThreadPool> pool; ///< null when threads is 1
  std::atomic<uint64_t> instructions = 0;        ///< of dispatches that have ended
  Debugger *debugger = nullptr;                  ///< null: waves do not stop

private:
  std::mutex mutex, logMutex;
  std::vector<std::unique_ptr<GroupRunner>> idle;
};

/// Runs \p info on \p program. Errors: DeviceFault.
llvm::Error runDispatch(DispatchContext &context, const LoadedProgram &program,
                        const DispatchInfo &info, std::shared_ptr<const RegionTable> memory);

} // namespace pal::device
