//===- ContextPool.cpp - LLVM contexts that are used again ----------------===//
// SPDX-License-Identifier: MIT
#include "lgc/pipeline/ContextPool.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace lgc {

ContextLease::ContextLease(ContextPool *pool, std::unique_ptr<LLVMContext> context, size_t wear)
    : pool(pool), context(std::move(context)), wear(wear) {}

ContextLease::ContextLease(ContextLease &&other) noexcept = default;

ContextLease::~ContextLease() {
  // A context of a few big shaders holds megabytes. Small ones leave some hundred bytes each.
  constexpr size_t mostWear = 20000;
  if (pool && context && isKept && wear < mostWear)
    pool->takeBack({std::move(context), wear});
}

void ContextLease::keep(size_t instructions) {
  constexpr size_t ofAnyModule = 100;
  wear += ofAnyModule + instructions;
  isKept = true;
}

ContextLease ContextPool::lend() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!idle.empty()) {
      Idle last = std::move(idle.back());
      idle.pop_back();
      return ContextLease(this, std::move(last.context), last.wear);
    }
  }
  auto context = std::make_unique<LLVMContext>();
  context->setDiscardValueNames(true);
  return ContextLease(this, std::move(context), 0);
}

ContextLease ContextPool::makeNamed() {
  return ContextLease(nullptr, std::make_unique<LLVMContext>(), 0);
}

void ContextPool::clear() {
  std::vector<Idle> ended; // outside of the lock
  std::lock_guard<std::mutex> lock(mutex);
  ended.swap(idle);
}

void ContextPool::takeBack(Idle returned) {
  std::lock_guard<std::mutex> lock(mutex);
  idle.push_back(std::move(returned));
}

} // namespace lgc
