//===- Decoder.h - JSON -> Vulkan structures ------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Reads any structure of the tables out of JSON whose members are named as in Vulkan, without a
/// leading `p`; counts follow from the arrays. Enumerations are names, bit masks arrays of names.
///
///     {"flags": [], "topology": "VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST",
///      "primitiveRestartEnable": false}              -> VkPipelineInputAssemblyStateCreateInfo
///
/// Everything lives in the arena. Unknown members, missing ones and values of other types are
/// errors: a pipeline that is not the captured one would prove nothing.
#pragma once

#include "JsonText.h"
#include "Structures.h"
#include "llvm/Support/Allocator.h"

namespace replay {

class Decoder {
public:
  Decoder(const JsonText &text, llvm::BumpPtrAllocator &arena) : text(text), arena(arena) {}

  /// A structure by its C++ type's name, sType and pNext included.
  template <typename T>
  llvm::Expected<T *> read(const char *typeName, const Json &json, const Place &place) {
    llvm::Expected<uint8_t *> bytes = read(typeName, sizeof(T), json, place);
    if (!bytes)
      return bytes.takeError();
    return reinterpret_cast<T *>(*bytes);
  }
  /// Elements, default-constructed.
  template <typename T> llvm::MutableArrayRef<T> array(size_t count) {
    T *elements = arena.Allocate<T>(count);
    for (size_t i = 0; i < count; ++i)
      new (&elements[i]) T();
    return {elements, count};
  }
  /// The string or array at a member; null when it is absent. Errors: another type.
  llvm::Expected<const std::string *> string(const Json &json, const Place &place,
                                             llvm::StringRef name) const;
  llvm::Expected<const Json *> list(const Json &json, const Place &place,
                                    llvm::StringRef name) const;
  /// As the member of any structure: a bit mask of an enumeration of values.
  llvm::Expected<uint64_t> flags(const char *enumName, const Json &json, const Place &place) const;
  llvm::Expected<uint32_t> number(const Json &json, const Place &place) const;

  const JsonText &text;

private:
  llvm::Expected<uint8_t *> read(const char *typeName, size_t size, const Json &json,
                                 const Place &place);
  llvm::Error decode(const Structure &type, const Json &json, const Place &place, uint8_t *out);
  llvm::Error decodeMember(const Member &row, const Json &json, const Place &place, uint8_t *out);
  llvm::Error decodeArray(const Member &row, const Json &json, const Place &place, uint8_t *out);
  llvm::Error decodeBytes(const Member &row, const Json &json, const Place &place, uint8_t *out);
  llvm::Error decodeElement(const Member &row, const Json &json, const Place &place, uint8_t *out);
  llvm::Error decodeChain(const Structure &type, const Json &json, const Place &place,
                          uint8_t *out);
  llvm::Error setCount(const Member &row, size_t count, const Place &place, uint8_t *out);
  llvm::Error checkNames(const Structure &type, const Json &json, const Place &place) const;
  llvm::Error checkCounts(const Structure &type, const Json &json, const Place &place,
                          uint8_t *out) const;
  uint8_t *allocate(size_t size);

  llvm::BumpPtrAllocator &arena;
};

} // namespace replay
