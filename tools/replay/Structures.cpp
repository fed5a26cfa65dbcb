//===- Structures.cpp - lookups in the tables -----------------------------===//
// SPDX-License-Identifier: MIT
#include "Structures.h"
#include "llvm/ADT/STLExtras.h"
#include <cstddef>

using llvm::ArrayRef;
using llvm::StringRef;

namespace replay {
namespace {

#include "replay/Structures.inc"

} // namespace

const EnumValue *Enumeration::find(StringRef wanted) const {
  const EnumValue *at = llvm::lower_bound(
      values, wanted, [](const EnumValue &value, StringRef name) { return value.name < name; });
  return !wanted.empty() && at != values.end() && at->name == wanted ? at : nullptr;
}

bool Enumeration::has(int64_t wanted) const {
  return llvm::any_of(values.drop_front(), [&](const EnumValue &v) { return v.value == wanted; });
}

uint64_t Enumeration::bits() const {
  uint64_t bits = 0;
  for (const EnumValue &value : values)
    bits |= static_cast<uint64_t>(value.value);
  return bits;
}

bool Structure::extends(const Structure &base) const {
  return llvm::any_of(rawExtended.drop_back(),
                      [&](uint16_t number) { return &structures[number] == &base; });
}

size_t elementBytes(const Member &member) {
  switch (member.kind) {
  case Kind::Unsigned8:
    return 1;
  case Kind::Unsigned16:
    return 2;
  case Kind::Unsigned64:
  case Kind::Flags64:
    return 8;
  case Kind::String:
    return sizeof(const char *);
  case Kind::Struct:
    return structure(member.refers).size;
  default:
    return 4;
  }
}

const Enumeration &enumeration(uint16_t number) { return enumerations[number]; }
const Structure &structure(uint16_t number) { return structures[number]; }

const Enumeration *findEnumeration(StringRef name) {
  const Enumeration *at =
      llvm::find_if(enumerations, [&](const Enumeration &e) { return name == e.name; });
  return at == std::end(enumerations) ? nullptr : at;
}

const Structure *findStructure(StringRef name) {
  const Structure *at =
      llvm::find_if(structures, [&](const Structure &s) { return name == s.name; });
  return at == std::end(structures) ? nullptr : at;
}

const Structure *findStructureOfType(StringRef typeName) {
  const EnumValue *value = structureTypes.find(typeName);
  if (!value)
    return nullptr;
  return findStructureOfType(static_cast<VkStructureType>(value->value));
}

const Structure *findStructureOfType(VkStructureType type) {
  const Structure *at =
      llvm::find_if(structures, [&](const Structure &s) { return s.hasType() && s.type == type; });
  return at == std::end(structures) ? nullptr : at;
}

} // namespace replay
