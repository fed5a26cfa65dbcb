//===- SyncPayload.cpp - what semaphores and fences hold ------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/sync/SyncPayload.h"
#include <atomic>
#include <new>
#include <poll.h>
#include <sys/stat.h>
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

/// With an error it is signaled as well: nobody shall wait for it for ever. That the question was
/// interrupted says nothing.
bool SyncPayload::SyncFile::isSignaled() const {
  pollfd file = {fd, POLLIN, 0};
  return poll(&file, 1, 0) > 0;
}

/// A sync file has no place in the file system, as all that the kernel makes (a pipe is as good).
/// Others may be served by programs that let this one wait.
static bool isSyncFile(int fd) {
  struct stat status = {};
  if (fstat(fd, &status))
    return false;
  return (status.st_mode & S_IFMT) == 0 || S_ISFIFO(status.st_mode);
}

SyncPayload::Shared &SyncPayload::sharedOf(const Source &source) {
  return *static_cast<Shared *>(source.pages->data());
}

uint64_t SyncPayload::Source::load() {
  if (pages)
    return sharedOf(*this).value.load(std::memory_order_acquire);
  if (file && file->isSignaled()) {
    file.reset();
    value = 1;
  }
  return value;
}

void SyncPayload::Source::store(uint64_t newValue) {
  if (pages)
    sharedOf(*this).value.store(newValue, std::memory_order_release);
  else
    value = newValue;
}

void SyncPayload::consume() {
  store(0); // others may share it
  temporary.reset();
}

void SyncPayload::reset() {
  temporary.reset();
  store(0);
}

int SyncPayload::share() {
  Source &source = current();
  if (source.file)
    return -1;
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
  // Nothing imports temporarily into timelines (VUID-VkImportSemaphoreFdInfoKHR-flags-03323).
  if (isTemporary && kind != Kind::Timeline) {
    temporary = std::make_shared<Source>(std::move(source));
  } else {
    permanent = std::move(source);
    temporary.reset();
  }
  isSharedWithOthers = true;
  return true;
}

bool SyncPayload::importSyncFile(int fd) {
  if (fd != -1 && !isSyncFile(fd))
    return false;
  temporary = std::make_shared<Source>();
  if (fd == -1) {
    temporary->value = 1;
    return true;
  }
  temporary->file = std::make_unique<SyncFile>(fd);
  isSharedWithOthers = true;
  return true;
}

} // namespace icd
