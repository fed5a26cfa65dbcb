//===- SyncPayload.cpp - what semaphores and fences hold ------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/sync/SyncPayload.h"
#include <atomic>
#include <new>
#include <poll.h>
#include <unistd.h>

namespace icd {

/// The shared pages. Whoever has the descriptor can write anything here: nothing but the value is
/// read after the import, and any value is one.
struct SyncPayload::Shared {
  static constexpr uint64_t expectedMagic = 0x31636e79736e6c6b; // "klnsync1"
  uint64_t magic;
  Kind kind;
  std::atomic<uint64_t> value;
  static_assert(std::atomic<uint64_t>::is_always_lock_free);
};

SyncPayload::SyncFile::~SyncFile() { close(fd); }

/// What cannot be asked never will be signaled in another way: nobody shall wait for it for ever.
bool SyncPayload::SyncFile::isSignaled() const {
  pollfd file = {fd, POLLIN, 0};
  return poll(&file, 1, 0) != 0;
}

SyncPayload::Shared &SyncPayload::sharedOf(const Source &source) {
  return *static_cast<Shared *>(source.pages->data());
}

uint64_t SyncPayload::load() {
  Source &source = current();
  if (source.pages)
    return sharedOf(source).value.load(std::memory_order_acquire);
  if (source.file && source.file->isSignaled()) {
    source.file.reset();
    source.value = 1;
  }
  return source.value;
}

void SyncPayload::store(uint64_t value) {
  Source &source = current();
  if (source.pages)
    sharedOf(source).value.store(value, std::memory_order_release);
  else
    source.value = value;
}

void SyncPayload::consume() {
  if (temporary)
    temporary.reset();
  else
    store(0);
}

void SyncPayload::reset() {
  temporary.reset();
  store(0);
}

int SyncPayload::share() {
  Source &source = current();
  if (!source.pages) {
    source.pages = SharedPages::create("VkSemaphore", sizeof(Shared));
    if (!source.pages)
      return -1;
    new (source.pages->data()) Shared{Shared::expectedMagic, kind, source.value};
    isSharedWithOthers = true;
  }
  return source.pages->duplicate();
}

bool SyncPayload::importShared(int fd, bool isTemporary) {
  Source source;
  source.pages = SharedPages::open(fd, sizeof(Shared));
  if (!source.pages || sharedOf(source).magic != Shared::expectedMagic ||
      sharedOf(source).kind != kind)
    return false;
  // The pages need a descriptor for those who ask for one later.
  source.pages->adopt();
  if (isTemporary) {
    temporary = std::move(source);
  } else {
    permanent = std::move(source);
    temporary.reset();
  }
  isSharedWithOthers = true;
  return true;
}

void SyncPayload::importSyncFile(int fd) {
  temporary.emplace();
  if (fd < 0) {
    temporary->value = 1;
    return;
  }
  temporary->file = std::make_unique<SyncFile>(fd);
  isSharedWithOthers = true;
}

} // namespace icd
