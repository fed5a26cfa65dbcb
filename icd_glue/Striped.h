//===- Striped.h - counts that processors do not share --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What every creation of a pipeline counts, or refers to, is written to by all threads. One copy
/// of it would travel between the caches of the processors, which takes longer than the rest of a
/// hit. So there are several, each in lines of memory of its own, and a thread uses that of the
/// processor it runs on. Which one it is never matters for the result.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

namespace icd {

constexpr unsigned stripeCount = 8;
/// Two lines: processors fetch the neighbour with a line.
constexpr size_t memoryLineBytes = 128;

/// Below stripeCount. May be another one the next time.
unsigned currentStripe();

/// A count that is seldom read.
class StripedCounter {
public:
  StripedCounter &operator++() {
    stripes[currentStripe()].count.fetch_add(1, std::memory_order_relaxed);
    return *this;
  }
  operator uint64_t() const {
    uint64_t sum = 0;
    for (const Stripe &stripe : stripes)
      sum += stripe.count.load(std::memory_order_relaxed);
    return sum;
  }

private:
  struct alignas(memoryLineBytes) Stripe {
    std::atomic<uint64_t> count = 0;
  };
  std::array<Stripe, stripeCount> stripes;
};

/// The same object, with a count of owners of its own.
template <typename T> std::shared_ptr<T> ownApart(std::shared_ptr<T> object) {
  struct alignas(memoryLineBytes) Owner {
    std::shared_ptr<T> object;
  };
  T *address = object.get();
  return {std::make_shared<Owner>(Owner{std::move(object)}), address};
}

/// An object that many threads take a share in.
template <typename T> class StripedOwner {
public:
  explicit StripedOwner(std::shared_ptr<T> object) : object(std::move(object)) {}

  T *operator->() const { return object.get(); }
  T &operator*() const { return *object; }
  std::shared_ptr<T> share() const {
    const Stripe &stripe = stripes[currentStripe()];
    std::call_once(stripe.once, [&] { stripe.share = ownApart(object); });
    return stripe.share;
  }

private:
  struct Stripe {
    mutable std::once_flag once;
    mutable std::shared_ptr<T> share; ///< written once
  };
  const std::shared_ptr<T> object;
  std::array<Stripe, stripeCount> stripes;
};

} // namespace icd
