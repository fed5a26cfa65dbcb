//===- SharedPages.h - memory that processes share ------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What an opaque file descriptor of Vulkan stands for here: an anonymous file whose size is
/// sealed. Nobody who has it can make it smaller, and an access beyond its end cannot end this
/// process. Other files are refused.
#pragma once

#include <cstdint>
#include <memory>

namespace icd {

/// Pages of an anonymous file, mapped into this process.
class SharedPages {
public:
  /// Zeros. \p name: for people who look at the process. Null: the system has none.
  static std::unique_ptr<SharedPages> create(const char *name, uint64_t size);
  /// Of a file that somebody else has made with at least \p size bytes; it stays the caller's until
  /// adopt(). Null: it is no such file.
  static std::unique_ptr<SharedPages> open(int fd, uint64_t size);
  void adopt() { ownsFile = true; }
  ~SharedPages();
  SharedPages(const SharedPages &) = delete;

  void *data() const { return pages; }
  /// The same for all that share the pages.
  uint64_t number() const;
  /// Another handle of the file, for the caller. Negative: there is none left.
  int duplicate() const;

private:
  SharedPages(int fd, void *pages, uint64_t size) : fd(fd), pages(pages), size(size) {}
  static std::unique_ptr<SharedPages> map(int fd, uint64_t size);

  const int fd;
  void *const pages;
  const uint64_t size;
  bool ownsFile = false;
};

} // namespace icd
