//===- SharedPages.h - memory that processes share ------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What an opaque file descriptor of Vulkan stands for here: an anonymous file whose size is
/// sealed. Nobody who has it can make it smaller, and an access beyond its end cannot end this
/// process. Other files are refused, but for dma-bufs where these are asked for, which never become
/// smaller.
#pragma once

#include <cstdint>
#include <memory>

namespace icd {

class Udmabuf;

/// Pages of an anonymous file or of a dma-buf, mapped into this process.
class SharedPages {
public:
  /// Zeros, in whole pages. \p name: for people who look at the process. Null: the system has none.
  static std::unique_ptr<SharedPages> create(const char *name, uint64_t size);
  /// Of a file that somebody else has made with at least \p size bytes; it stays the caller's until
  /// adopt(). Null: it is no such file.
  static std::unique_ptr<SharedPages> open(int fd, uint64_t size);
  /// The same of a dma-buf.
  static std::unique_ptr<SharedPages> openDmaBuf(int fd, uint64_t size);
  static bool isDmaBuf(int fd);
  void adopt() { ownsFile = true; }
  /// Of a created file: makes a dma-buf of it besides. False: the kernel does not.
  bool makeDmaBuf(const Udmabuf &device);
  ~SharedPages();
  SharedPages(const SharedPages &) = delete;

  void *data() const { return pages; }
  /// The same for all that share the pages.
  uint64_t number() const;
  /// Another handle of the file, for the caller. Negative: there is none left.
  int duplicate() const;
  /// Another handle of the dma-buf, for the caller. Negative: the pages are of none, or there is no
  /// handle left.
  int duplicateDmaBuf() const;
  /// Is the file that is mapped a dma-buf, so that duplicate() gives one?
  bool isOfDmaBuf() const { return ofDmaBuf; }
  /// Is there a dma-buf of these pages?
  bool hasDmaBuf() const { return ofDmaBuf || dmaBuf >= 0; }
  /// The file that is mapped.
  int file() const { return fd; }

private:
  SharedPages(int fd, void *pages, uint64_t size, bool ofDmaBuf)
      : fd(fd), pages(pages), size(size), ofDmaBuf(ofDmaBuf) {}
  static std::unique_ptr<SharedPages> map(int fd, uint64_t size, bool ofDmaBuf = false);

  const int fd;
  void *const pages;
  const uint64_t size;
  const bool ofDmaBuf;
  bool ownsFile = false;
  int dmaBuf = -1; ///< of fd, which is not one itself
};

} // namespace icd
