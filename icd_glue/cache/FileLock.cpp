//===- FileLock.cpp - who uses a file of the cache ------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/FileLock.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace icd {

FileLock::~FileLock() {
  if (descriptor >= 0)
    close(descriptor);
}

bool FileLock::open(const std::string &path, bool mayCreate) {
  const int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  descriptor = mayCreate ? ::open(path.c_str(), flags | O_RDWR | O_CREAT, 0600)
                         : ::open(path.c_str(), flags | O_RDONLY);
  return descriptor >= 0;
}

static bool lock(int descriptor, int operation) {
  int result = 0;
  do
    result = flock(descriptor, operation | LOCK_NB);
  while (result != 0 && errno == EINTR);
  return result == 0;
}

bool FileLock::share() { return lock(descriptor, LOCK_SH); }
bool FileLock::takeAlone() { return lock(descriptor, LOCK_EX); }
void FileLock::release() { lock(descriptor, LOCK_UN); }

uint64_t FileLock::number() const {
  uint64_t number = 0;
  return pread(descriptor, &number, sizeof(number), 0) == sizeof(number) ? number : 0;
}

bool FileLock::setNumber(uint64_t number) {
  return pwrite(descriptor, &number, sizeof(number), 0) == sizeof(number);
}

} // namespace icd
