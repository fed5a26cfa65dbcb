//===- Grammar.cpp - look-ups in the generated SPIR-V grammar -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The generated arrays live in this file only. Opcode look-up is one index; enumerants are found
/// by index where values are dense from 0, else by binary search.
#include "llpc/spirv/Grammar.h"
#include "llpc/spirv/Module.h"
#include <algorithm>
#include <iterator>

namespace llpc::spirv {

namespace tables {
#define KILN_GRAMMAR_TABLES
#include "llpc/spirv/Grammar.inc"
} // namespace tables

static llvm::StringRef text(uint32_t offset) { return tables::textTable + offset; }

static_assert(std::size(tables::opcodeIndex) == opcodeIndexSize);

llvm::StringRef nameOf(OpClass opClass) {
  return text(tables::classTable[static_cast<size_t>(opClass)]);
}
llvm::StringRef nameOf(const OpInfo &info) { return text(info.nameOffset); }
llvm::ArrayRef<uint16_t> capabilitiesOf(const OpInfo &info) {
  return {tables::capabilityTable + info.capabilityBegin, info.capabilityCount};
}

bool enablesGroupOps(spv::Capability capability) {
  return std::binary_search(std::begin(tables::groupCapabilityTable),
                            std::end(tables::groupCapabilityTable),
                            static_cast<uint32_t>(capability));
}

llvm::StringRef nameOf(OperandKind kind) { return text(kindInfo(kind).nameOffset); }

const EnumInfo *findSparseEnumerant(const KindInfo &info, uint32_t value) {
  const EnumInfo *begin = tables::enumTable + info.enumBegin;
  const EnumInfo *end = begin + info.enumCount;
  const EnumInfo *found =
      std::lower_bound(begin + info.denseCount, end, value,
                       [](const EnumInfo &entry, uint32_t wanted) { return entry.value < wanted; });
  return found != end && found->value == value ? found : nullptr;
}

llvm::StringRef nameOf(const EnumInfo &info) { return text(info.nameOffset); }
llvm::ArrayRef<uint16_t> capabilitiesOf(const EnumInfo &info) {
  return {tables::capabilityTable + info.capabilityBegin, info.capabilityCount};
}

std::string enumName(OperandKind kind, uint32_t value) {
  if (const EnumInfo *info = findEnumerant(kind, value))
    return nameOf(*info).str();
  return std::to_string(value);
}

const ExtSetInfo *findExtSet(llvm::StringRef name) {
  for (const ExtSetInfo &set : tables::extSetTable)
    if (text(set.nameOffset) == name)
      return &set;
  return nullptr;
}

const ExtInstInfo *findExtInst(const ExtSetInfo &set, uint32_t number) {
  const ExtInstInfo *begin = tables::extInstTable + set.instBegin;
  const ExtInstInfo *end = begin + set.instCount;
  const ExtInstInfo *found =
      std::lower_bound(begin, end, number, [](const ExtInstInfo &entry, uint32_t wanted) {
        return entry.number < wanted;
      });
  return found != end && found->number == number ? found : nullptr;
}

llvm::StringRef nameOf(const ExtSetInfo &set) { return text(set.nameOffset); }
llvm::StringRef nameOf(const ExtInstInfo &info) { return text(info.nameOffset); }

std::string opName(spv::Op opcode) {
  if (const OpInfo *info = findOp(static_cast<uint32_t>(opcode)))
    return nameOf(*info).str();
  return "Op" + std::to_string(static_cast<uint32_t>(opcode));
}

bool isNonSemanticSet(llvm::StringRef name) {
  return name.starts_with("NonSemantic.") || hasLiteralOperands(name);
}

bool hasLiteralOperands(llvm::StringRef set) {
  return set == "OpenCL.DebugInfo.100" || set == "DebugInfo";
}

std::string capabilityName(spv::Capability capability) {
  return enumName(OperandKind::Capability, static_cast<uint32_t>(capability));
}

} // namespace llpc::spirv
