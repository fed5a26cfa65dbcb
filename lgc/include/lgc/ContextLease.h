//===- ContextLease.h - LLVM contexts that are used again -----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

namespace llvm {
class LLVMContext;
}

namespace lgc {

class ContextPool;

/// An LLVMContext for one module. Making one and taking it down takes as long as a seventh of all
/// that a small shader needs, so a Backend lends those that others have used before. A context goes
/// back where keep() was called, and ends with the lease otherwise: after an error nobody knows
/// what is left in it. Modules go before the lease does.
class ContextLease {
public:
  ContextLease(ContextLease &&other) noexcept;
  ContextLease &operator=(ContextLease &&) = delete;
  ~ContextLease();

  llvm::LLVMContext &operator*() const { return *context; }
  /// The context may be used again. Constants and types stay in it, so it ends some time:
  /// \p instructions, of the module, say how soon.
  void keep(size_t instructions);

private:
  friend class ContextPool;
  ContextLease(ContextPool *pool, std::unique_ptr<llvm::LLVMContext> context, size_t wear);

  ContextPool *pool; ///< null: of nobody
  std::unique_ptr<llvm::LLVMContext> context;
  size_t wear; ///< instructions of all modules
  bool isKept = false;
};

} // namespace lgc
