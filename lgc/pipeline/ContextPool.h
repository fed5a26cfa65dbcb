//===- ContextPool.h - LLVM contexts that are used again ------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/ContextLease.h"
#include <mutex>
#include <vector>

namespace lgc {

/// Contexts that nobody uses at the moment. Thread-safe; outlives its leases.
class ContextPool {
public:
  /// Without names of values, if the context may be one that was used before.
  ContextLease lend();
  /// A new one, which has names of values and does not come back.
  static ContextLease makeNamed();
  void clear();

private:
  friend class ContextLease;
  struct Idle {
    std::unique_ptr<llvm::LLVMContext> context;
    size_t wear;
  };
  void takeBack(Idle idle);

  std::mutex mutex;
  std::vector<Idle> idle;
};

} // namespace lgc
