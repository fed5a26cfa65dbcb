//===- Udmabuf.h - dma-bufs of anonymous files ----------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace icd {

/// The kernel's device that makes dma-bufs of anonymous files, where there is one and this process
/// may use it. It stays open: programs may lock themselves up later.
class Udmabuf {
public:
  explicit Udmabuf(const char *path = "/dev/udmabuf");
  ~Udmabuf();
  Udmabuf(const Udmabuf &) = delete;

  bool exists() const { return device >= 0; }
  /// A dma-buf of the first \p size bytes, whole pages, of an anonymous file that cannot be made
  /// smaller. Negative: the kernel makes none, as of more than its limit (64 MiB, if nobody has
  /// changed it).
  int create(int file, uint64_t size) const;

private:
  const int device;
};

} // namespace icd
