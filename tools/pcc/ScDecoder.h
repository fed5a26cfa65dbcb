//===- ScDecoder.h - JSON of Vulkan SC pipelines -> structures ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Reads any structure of the tables (tools/replay/Structures.h) out of JSON as Vulkan SC has it:
/// members are named as in C, also counts; enumerations are names, bit masks "A | B"; a null
/// pointer is "NULL"; a pNext chain is an object in an object. What real writers do is accepted,
/// too:
///
///     VkBool32         "VK_TRUE", 1, true          bit mask    "A | B", 3, "0", "NULL", ""
///     number           7, "7", "0x7", "VK_REMAINING_MIP_LEVELS"
///     float            1.5, "NaN", "VK_LOD_CLAMP_NONE", infinity (LenientJson.h)
///     bytes            base64, [1, 2, 3], "NULL"
///
/// Everything lives in the arena. Members that may be absent in C (flags, pointers, counts of
/// nothing) may be absent here; anything else that is missing, unknown or of another type is an
/// error. Handles have no place in the tables: whoever asks for a structure reads them from the
/// JSON.
#pragma once

#include "tools/replay/JsonText.h"
#include "tools/replay/Structures.h"
#include "llvm/Support/Allocator.h"
#include <string>

namespace pcc {

using replay::Json;
using replay::Place;

/// Is it how a null pointer or handle is written?
bool isNull(const Json &json);
/// The text of a name of a handle: a string, or a number as text.
std::string handleName(const Json &json);

class ScDecoder {
public:
  ScDecoder(const replay::JsonText &text, llvm::BumpPtrAllocator &arena)
      : text(text), arena(arena) {}

  /// A structure by its C++ type's name, sType and pNext included.
  template <typename T>
  llvm::Expected<T *> read(const char *typeName, const Json &json, const Place &place) {
    llvm::Expected<uint8_t *> bytes = read(typeName, sizeof(T), json, place);
    if (!bytes)
      return bytes.takeError();
    return reinterpret_cast<T *>(*bytes);
  }
  /// A value of an enumeration, or a bit mask of one.
  llvm::Expected<uint64_t> value(const char *enumName, const Json &json, const Place &place) const;
  llvm::Expected<bool> boolean(const Json &json, const Place &place) const;

  const replay::JsonText &text;

private:
  llvm::Expected<uint8_t *> read(const char *typeName, size_t size, const Json &json,
                                 const Place &place);
  llvm::Error decode(const replay::Structure &type, const Json &json, const Place &place,
                     uint8_t *out);
  llvm::Error decodeBody(const replay::Structure &type, const Json &json, const Place &place,
                         uint8_t *out);
  llvm::Error checkNames(const replay::Structure &type, const Json &json, const Place &place) const;
  llvm::Error checkType(const replay::Structure &type, const Json &json, const Place &place) const;
  llvm::Error decodeMembers(const replay::Structure &type, const Json &json, const Place &place,
                            uint8_t *out);
  llvm::Error decodeMember(const replay::Member &row, const Json &json, const Place &place,
                           uint8_t *out);
  llvm::Error decodeArray(const replay::Member &row, const Json &json, const Place &place,
                          uint8_t *out);
  llvm::Error decodeBytes(const replay::Member &row, const Json &json, const Place &place,
                          uint8_t *out);
  llvm::Error decodeCount(const replay::Member &row, const Json &json, const Place &place,
                          uint8_t *out) const;
  llvm::Error decodeElement(const replay::Member &row, const Json &json, const Place &place,
                            uint8_t *out);
  llvm::Error decodeChain(const replay::Structure &type, const Json &json, const Place &place,
                          uint8_t *out);
  uint8_t *allocate(size_t size);

  llvm::BumpPtrAllocator &arena;
};

} // namespace pcc
