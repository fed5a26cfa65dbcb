//===- MetadataTree.h - metadata that are being written -------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include <string>

namespace llvm::msgpack {
class Writer;
}

namespace lgc {

/// A value of PAL's metadata: a map, an array or a scalar, which is what it is first used as. Using
/// it as something else later is a defect of ours and ends the process, but a scalar may be
/// replaced.
class MetadataNode {
public:
  /// Of a map; made if it is not there.
  MetadataNode &operator[](llvm::StringRef key);
  /// Of an array; elements that nobody sets are 0.
  MetadataNode &at(unsigned index);
  MetadataNode &add();
  /// A map that may stay empty.
  MetadataNode &asMap();
  void set(bool value) { setNumber(Kind::Bool, value); }
  void set(uint32_t value) { setNumber(Kind::Number, value); }
  void set(uint64_t value) { setNumber(Kind::Number, value); }
  void set(llvm::StringRef value); ///< copied
  void set(const char *value) { set(llvm::StringRef(value)); }
  void set(llvm::ArrayRef<uint64_t> values);
  template <typename Value> MetadataNode &operator=(Value value) {
    set(value);
    return *this;
  }
  MetadataNode(const MetadataNode &) = delete;
  MetadataNode &operator=(const MetadataNode &) = delete;

private:
  friend class MetadataTree;
  enum class Kind : uint8_t { None, Bool, Number, Text, Map, Array };

  MetadataNode(llvm::BumpPtrAllocator &allocator, llvm::StringRef name)
      : allocator(allocator), name(name) {}
  void become(Kind wanted);
  void setNumber(Kind wanted, uint64_t value);
  MetadataNode *make(llvm::StringRef key);
  void write(llvm::msgpack::Writer &writer) const;

  llvm::BumpPtrAllocator &allocator;
  llvm::StringRef name; ///< in a map
  Kind kind = Kind::None;
  unsigned count = 0; ///< of children
  uint64_t number = 0;
  llvm::StringRef text;
  MetadataNode *first = nullptr, *next = nullptr; ///< of a map in alphabetical order
  MetadataNode *last = nullptr;                   ///< of an array
};

/// All nodes of one text. LLVM's msgpack::Document costs four times as much, which is a tenth of
/// all that a small shader takes.
class MetadataTree {
public:
  MetadataNode &root() { return top; }
  /// MessagePack as LLVM's documents write it.
  std::string text() const;

private:
  llvm::BumpPtrAllocator allocator;
  MetadataNode top{allocator, ""};
};

} // namespace lgc
