//===- Structures.h - Vulkan's create infos as tables ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What the generated tables (generate/structures.py, from vk.xml) say of each structure that may
/// take part in the creation of a pipeline, so that one decoder reads them all, also those that
/// come in pNext chains.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <vulkan/vulkan.h>

namespace replay {

enum class Kind : uint8_t {
  Unsigned8,
  Unsigned16,
  Unsigned32,
  Signed32,
  Unsigned64,
  Float,
  Bool, ///< VkBool32
  Enum,
  Flags,
  Flags64,
  String,
  Struct,
};

enum class Shape : uint8_t {
  Value,
  Fixed,   ///< an array inside the structure
  Pointer, ///< to one element, or null
  Array,   ///< pointer to elements
  Bytes,   ///< pointer to bytes
  Count,   ///< of an Array or Bytes of the same structure
};

inline constexpr uint32_t noCount = ~0u;
inline constexpr uint32_t wideCount = 1u << 31; ///< the count has 64 bits
inline constexpr uint16_t noStruct = 0xFFFF;

struct Member {
  const char *name;  ///< in JSON of captures
  const char *cName; ///< in C; of a structure that stands in its members' place: "offset.x"
  uint32_t offset;
  Shape shape;
  Kind kind;
  uint16_t refers;     ///< number of an enumeration or structure
  uint16_t fixedCount; ///< elements of Fixed
  uint32_t countPlace; ///< Array, Bytes: offset of the count, perhaps | wideCount; or noCount
  bool optional;       ///< may be absent; Count: may be there without the elements
};

/// Bytes of one element of a member.
size_t elementBytes(const Member &member);

struct EnumValue {
  const char *name;
  int64_t value;
};

/// Values ascending by name; the first one is a placeholder.
struct Enumeration {
  const char *name;
  llvm::ArrayRef<EnumValue> values;
  const EnumValue *find(llvm::StringRef name) const;
  /// Is it the value of one of the names?
  bool has(int64_t value) const;
  /// All bits of all names.
  uint64_t bits() const;
};

struct Structure {
  const char *name;
  const char *typeName; ///< of sType; empty where there is none
  VkStructureType type;
  uint32_t size;
  llvm::ArrayRef<Member> rawMembers;
  llvm::ArrayRef<uint16_t> rawExtended;

  bool isUnion;

  bool hasType() const { return *typeName; }
  llvm::ArrayRef<Member> members() const { return rawMembers.drop_back(); }
  /// Can it stand in \p base's pNext chain?
  bool extends(const Structure &base) const;
};

const Enumeration &enumeration(uint16_t number);
const Structure &structure(uint16_t number);
/// Null when there is none of this name.
const Enumeration *findEnumeration(llvm::StringRef name);
const Structure *findStructure(llvm::StringRef name);
/// By the name of sType's value, of which some have several.
const Structure *findStructureOfType(llvm::StringRef typeName);
const Structure *findStructureOfType(VkStructureType type);

} // namespace replay
