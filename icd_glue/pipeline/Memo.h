//===- Memo.h - a short list of values that only grows --------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <utility>

namespace icd {

/// Values by key, for few keys: a list that any number of threads may read, without a lock, while
/// others add to it. What find() gives is valid as long as the memo. Adding a key twice keeps both
/// values, and the later one is found.
template <typename Key, typename Value> class Memo {
public:
  Memo() = default;
  Memo(const Memo &) = delete;
  ~Memo() {
    for (const Node *node = first.load(std::memory_order_relaxed); node;)
      delete std::exchange(node, node->next);
  }

  /// Null: not there.
  const Value *find(const Key &key) const {
    for (const Node *node = first.load(std::memory_order_acquire); node; node = node->next)
      if (node->key == key)
        return &node->value;
    return nullptr;
  }

  const Value *add(Key key, Value value) const {
    const Node *next = first.load(std::memory_order_relaxed);
    auto *node = new Node{std::move(key), std::move(value), next};
    while (!first.compare_exchange_weak(node->next, node, std::memory_order_release,
                                        std::memory_order_relaxed)) {
    }
    return &node->value;
  }

private:
  struct Node {
    Key key;
    Value value;
    const Node *next;
  };
  mutable std::atomic<const Node *> first = nullptr;
};

} // namespace icd
