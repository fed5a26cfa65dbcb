//===- StandIn.h - code until better code comes ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The direct tier makes code quickly, LLVM better code, of what is used. Whole code objects and
/// parts have the same way from the one to the other:
///
///  - made: whoever creates a pipeline with a stand-in holds its improvement, which has all that
///  the
///    better code is made of. It goes with the last such pipeline: what nobody can use is not
///    improved, and caches keep code only;
///  - used: the first use has the improvement queued. If there is no room, the next use tries
///  again;
///  - better: whoever finds the stand-in takes the better code instead.
///
/// Threads: any number.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace icd {

class Improvement {
public:
  /// \p start queues the work. False: it could not.
  explicit Improvement(std::function<bool()> start) : start(std::move(start)) {}

  /// True: the work has been queued, now or before. False: it has not, or another thread is at it.
  bool begin() {
    std::unique_lock lock(mutex);
    if (isStarting || !start)
      return !isStarting;
    isStarting = true;
    std::function<bool()> now = std::exchange(start, {});
    lock.unlock();
    const bool isQueued = now();
    lock.lock();
    isStarting = false;
    if (!isQueued)
      start = std::move(now);
    return isQueued;
  }

private:
  std::mutex mutex;
  std::function<bool()> start; ///< empty: begun
  bool isStarting = false;
};

/// What an object of code has of this, and of those that are no stand-ins nothing happens.
template <typename Object> class StandIn {
public:
  /// Better code is to replace it.
  bool isStandIn() const { return isOne; }
  /// Better code is to be made when this is first used, but nobody is left who has asked for it.
  bool lacksImprovement() const {
    std::lock_guard lock(mutex);
    return isOne && !hasBegun && !betterObject && pending.expired();
  }
  /// Null: nobody has asked for it.
  std::shared_ptr<Improvement> improvement() const {
    std::lock_guard lock(mutex);
    return pending.lock();
  }
  /// use() begins \p improvement as long as somebody holds it.
  void improveWhenUsed(const std::shared_ptr<Improvement> &improvement) const {
    std::lock_guard lock(mutex);
    pending = improvement;
  }
  /// The same, held by this: for what keeps little alive.
  void improveInAnyCase(std::shared_ptr<Improvement> improvement) const {
    std::lock_guard lock(mutex);
    pending = improvement;
    held = std::move(improvement);
  }
  /// Somebody uses the code. False: its improvement has to be begun by another use.
  bool use() const {
    if (!isOne)
      return true;
    std::unique_lock lock(mutex);
    const std::shared_ptr<Improvement> improvement = hasBegun ? nullptr : pending.lock();
    lock.unlock();
    if (!improvement)
      return true;
    if (!improvement->begin())
      return false;
    lock.lock();
    hasBegun = true;
    held = nullptr;
    return true;
  }
  /// Whoever finds this takes \p object instead.
  void setBetter(std::shared_ptr<const Object> object) const {
    std::lock_guard lock(mutex);
    betterObject = std::move(object);
  }
  /// Null: there is none.
  std::shared_ptr<const Object> better() const {
    std::lock_guard lock(mutex);
    return betterObject;
  }

protected:
  explicit StandIn(bool isOne) : isOne(isOne) {}
  ~StandIn() = default;

private:
  const bool isOne;
  mutable std::mutex mutex;
  mutable bool hasBegun = false;
  mutable std::weak_ptr<Improvement> pending;
  mutable std::shared_ptr<Improvement> held;
  mutable std::shared_ptr<const Object> betterObject;
};

/// Of a stand-in that has been replaced, its better.
template <typename Object>
std::shared_ptr<const Object> bestOf(std::shared_ptr<const Object> object) {
  std::shared_ptr<const Object> better = object && object->isStandIn() ? object->better() : nullptr;
  return better ? better : object;
}

/// \p object, for whoever may use it: holds \p improvement, which may be null, too. Not for caches.
template <typename Object>
std::shared_ptr<const Object> withImprovement(std::shared_ptr<const Object> object,
                                              std::shared_ptr<Improvement> improvement) {
  if (!improvement)
    return object;
  using Both = std::pair<std::shared_ptr<const Object>, std::shared_ptr<Improvement>>;
  const Object *const place = object.get();
  return {std::make_shared<Both>(std::move(object), std::move(improvement)), place};
}
/// With the improvement that somebody else has asked for.
template <typename Object>
std::shared_ptr<const Object> withImprovement(std::shared_ptr<const Object> object) {
  if (!object || !object->isStandIn())
    return object;
  std::shared_ptr<Improvement> improvement = object->improvement();
  return withImprovement(std::move(object), std::move(improvement));
}

} // namespace icd
