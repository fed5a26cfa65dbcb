//===- SyncPayload.h - what semaphores and fences hold --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The number of a timeline semaphore, or whether a binary one or a fence is signaled; in this
/// object, in pages that other objects and processes share (VK_KHR_external_semaphore_fd,
/// VK_KHR_external_fence_fd: opaque descriptors), or behind a sync file of the kernel, which is
/// signaled when it can be read.
///
/// A payload that was imported temporarily hides the object's own until a wait for it is submitted,
/// or until it is reset. All members are guarded by Device::sync(). Others change what is shared
/// without a word to it, so that waits have to look again by themselves (SyncDomain::addForeign).
#pragma once

#include "icd_glue/sync/SharedPages.h"
#include <cstdint>
#include <memory>
#include <utility>

namespace icd {

class SyncPayload {
public:
  /// Objects of different kinds do not understand each other.
  enum class Kind : uint32_t { Binary = 1, Timeline, Fence };

  /// The file of a descriptor. Closed at the end.
  class SyncFile {
  public:
    explicit SyncFile(int fd) : fd(fd) {}
    ~SyncFile();
    SyncFile(const SyncFile &) = delete;
    bool isSignaled() const;

  private:
    const int fd;
  };
  struct Source {
    uint64_t value = 0;                 ///< of the object alone
    std::unique_ptr<SharedPages> pages; ///< null: the value
    std::unique_ptr<SyncFile> file;     ///< until it is signaled; then the value

    uint64_t load();
    void store(uint64_t value);
  };

  SyncPayload(Kind kind, uint64_t value) : kind(kind) { permanent.value = value; }

  uint64_t load() { return current().load(); }
  void store(uint64_t value) { current().store(value); }
  /// What a wait for a binary semaphore does: nothing is signaled any more, for others neither, and
  /// what was imported temporarily goes.
  void consume();
  /// What was imported temporarily, for a wait that is submitted: other operations that are
  /// submitted behind it find the object's own payload again. Null: there is none.
  std::shared_ptr<Source> takeTemporary() { return std::exchange(temporary, nullptr); }
  /// The same for a signal, which leaves it where it is.
  std::shared_ptr<Source> getTemporary() const { return temporary; }
  /// The reset of a fence: its own payload is not signaled either.
  void reset();
  /// Whether others may change it.
  bool isForeign() const { return isSharedWithOthers; }

  /// A descriptor of what the payload is from now on, for the caller. Negative: there is none left,
  /// or the payload is a sync file.
  int share();
  /// False: the descriptor is none of a payload of this kind, and stays the caller's. Else it is
  /// the payload's.
  [[nodiscard]] bool importShared(int fd, bool isTemporary);
  /// Temporary, as all sync files. It becomes the payload's; -1: signaled already. False: it is
  /// none, and stays the caller's.
  [[nodiscard]] bool importSyncFile(int fd);

private:
  struct Shared;

  Source &current() { return temporary ? *temporary : permanent; }
  static Shared &sharedOf(const Source &source);

  const Kind kind;
  Source permanent;
  std::shared_ptr<Source> temporary;
  bool isSharedWithOthers = false;
};

} // namespace icd
