//===- SharedPages.cpp - memory that processes share ----------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/sync/SharedPages.h"
#include "icd_glue/context/Udmabuf.h"
#include "llvm/Support/MathExtras.h"
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace icd {

std::unique_ptr<SharedPages> SharedPages::map(int fd, uint64_t size, bool ofDmaBuf) {
  void *pages = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (pages == MAP_FAILED)
    return nullptr;
  return std::unique_ptr<SharedPages>(new SharedPages(fd, pages, size, ofDmaBuf));
}

/// Dma-bufs are made of whole pages.
static uint64_t wholePages(uint64_t size) {
  return llvm::alignTo(size, static_cast<uint64_t>(sysconf(_SC_PAGESIZE)));
}

std::unique_ptr<SharedPages> SharedPages::create(const char *name, uint64_t size) {
  const int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0)
    return nullptr;
  std::unique_ptr<SharedPages> made;
  if (!ftruncate(fd, static_cast<off_t>(wholePages(size))) &&
      fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
    made = map(fd, size);
  if (made)
    made->adopt();
  else
    close(fd);
  return made;
}

std::unique_ptr<SharedPages> SharedPages::open(int fd, uint64_t size) {
  struct stat status = {};
  struct statfs system = {};
  const int seals = fcntl(fd, F_GET_SEALS);
  // Huge pages can be taken away all the same.
  if (seals < 0 || !(seals & F_SEAL_SHRINK) || fstatfs(fd, &system) ||
      system.f_type != TMPFS_MAGIC || fstat(fd, &status) ||
      static_cast<uint64_t>(status.st_size) < size)
    return nullptr;
  return map(fd, size);
}

bool SharedPages::isDmaBuf(int fd) {
  struct statfs system = {};
  return !fstatfs(fd, &system) && system.f_type == DMA_BUF_MAGIC;
}

std::unique_ptr<SharedPages> SharedPages::openDmaBuf(int fd, uint64_t size) {
  if (!isDmaBuf(fd))
    return nullptr;
  const off_t has = lseek(fd, 0, SEEK_END);
  return has < 0 || static_cast<uint64_t>(has) < size ? nullptr : map(fd, size, true);
}

bool SharedPages::makeDmaBuf(const Udmabuf &device) {
  dmaBuf = device.create(fd, wholePages(size));
  return dmaBuf >= 0;
}

SharedPages::~SharedPages() {
  munmap(pages, size);
  if (ownsFile)
    close(fd);
  if (dmaBuf >= 0)
    close(dmaBuf);
}

uint64_t SharedPages::number() const {
  struct stat status = {};
  return fstat(dmaBuf >= 0 ? dmaBuf : fd, &status) ? 0 : status.st_ino;
}

int SharedPages::duplicate() const { return fcntl(fd, F_DUPFD_CLOEXEC, 0); }

int SharedPages::duplicateDmaBuf() const {
  return ofDmaBuf ? duplicate() : fcntl(dmaBuf, F_DUPFD_CLOEXEC, 0);
}

} // namespace icd
