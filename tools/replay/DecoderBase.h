//===- DecoderBase.h - what readers of structures share -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Walks over the tables (Structures.h) and JSON at the same time and fills structures; how members
/// are called and values are written is up to the reader of a kind of JSON: Decoder (captures) and
/// pcc::ScDecoder (Vulkan SC). Everything lives in the arena.
#pragma once

#include "JsonText.h"
#include "Structures.h"
#include "llvm/Support/Allocator.h"

namespace replay {

class DecoderBase {
public:
  /// A structure by its C++ type's name, sType and pNext included.
  template <typename T>
  llvm::Expected<T *> read(const char *typeName, const Json &json, const Place &place) {
    llvm::Expected<uint8_t *> bytes = readBytes(typeName, sizeof(T), json, place);
    if (!bytes)
      return bytes.takeError();
    return reinterpret_cast<T *>(*bytes);
  }

  const JsonText &text;

protected:
  DecoderBase(const JsonText &text, llvm::BumpPtrAllocator &arena) : text(text), arena(arena) {}
  ~DecoderBase() = default;

  /// Asked after every fault behind which others can be found: success if reading goes on.
  virtual llvm::Error goOn(llvm::Error error) { return error; }
  virtual bool isNull(const Json &json) const { return json.is_null(); }
  /// The member's name in the JSON, where what a structure inside holds stands in its place or
  /// has the part of the name that is in front of a dot.
  virtual llvm::StringRef nameOf(const Member &row) const = 0;
  /// Members that the JSON has beside those of the structure; whoever asks for it reads them.
  virtual bool isExtra(const Structure &type, llvm::StringRef name) const = 0;
  /// Everything but pNext.
  virtual llvm::Error decodeBody(const Structure &type, const Json &json, const Place &place,
                                 uint8_t *out) = 0;
  virtual llvm::Error decodeChain(const Structure &type, const Json &json, const Place &place,
                                  uint8_t *out) = 0;
  virtual llvm::Error decodeElement(const Member &row, const Json &json, const Place &place,
                                    uint8_t *out);
  /// A value that is no string and no structure.
  virtual llvm::Error decodeScalar(const Member &row, const Json &json, const Place &place,
                                   uint8_t *out) = 0;
  virtual llvm::Expected<std::vector<uint8_t>> bytesOf(const Json &json,
                                                       const Place &place) const = 0;
  virtual llvm::Expected<uint8_t *> readBytes(const char *typeName, size_t size, const Json &json,
                                              const Place &place);

  llvm::Error decode(const Structure &type, const Json &json, const Place &place, uint8_t *out);
  llvm::Error checkNames(const Structure &type, const Json &json, const Place &place);
  llvm::Error decodeMember(const Member &row, const Json &json, const Place &place, uint8_t *out);
  /// Members that are there must mean the same bits. Errors: none is there.
  llvm::Error decodeUnion(const Structure &type, const Json &json, const Place &place,
                          uint8_t *out);
  uint8_t *allocate(size_t size);

  static constexpr unsigned maxDepth = 64;

private:
  llvm::Error decodeElements(const Member &row, const Json &json, const Place &place, uint8_t *out);
  llvm::Error decodeArray(const Member &row, const Json &json, const Place &place, uint8_t *out);
  llvm::Error decodeBytes(const Member &row, const Json &json, const Place &place, uint8_t *out);
  llvm::Error decodeString(const Json &json, const Place &place, uint8_t *out);
  llvm::Error setCount(const Member &row, size_t count, const Place &place, uint8_t *out) const;

protected:
  llvm::BumpPtrAllocator &arena;
};

} // namespace replay
