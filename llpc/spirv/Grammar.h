//===- Grammar.h - look-ups in the generated SPIR-V grammar ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What the reader and the messages know about opcodes, operand kinds, enumerants and extended
/// instruction sets. The tables are generated from the SPIR-V headers by generateGrammar.py.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <spirv/unified1/spirv.hpp11>
#include <string>

namespace llpc::spirv {

#define KILN_GRAMMAR_ENUMS
#include "llpc/spirv/Grammar.inc"

/// What the oldest headers do not have (NEWER_... in generateGrammar.py).
namespace newer {
inline constexpr spv::Capability Float8EXT{4212};
inline constexpr spv::Capability Float8CooperativeMatrixEXT{4213};
inline constexpr spv::Capability BFloat16TypeKHR{5116};
inline constexpr spv::Capability BFloat16DotProductKHR{5117};
inline constexpr spv::Capability BFloat16CooperativeMatrixKHR{5118};
inline constexpr spv::Capability FMAKHR{6030};
inline constexpr spv::Decoration SaturatedToLargestFloat8NormalConversionEXT{4216};
inline constexpr spv::Op OpFmaKHR{4427};
inline constexpr spv::FPEncoding BFloat16KHR{0};
inline constexpr spv::FPEncoding Float8E4M3EXT{4214};
inline constexpr spv::FPEncoding Float8E5M2EXT{4215};
} // namespace newer

enum class Quantifier : uint8_t { One, Optional, Many };
enum class KindCategory : uint8_t { BitEnum, ValueEnum, Id, Literal, Composite };

struct OperandSpec {
  OperandKind kind;
  Quantifier quantifier;
};

/// One opcode. Indices point into the tables; use the functions below.
struct OpInfo {
  uint32_t nameOffset;
  uint16_t opcode;
  uint16_t operandBegin;
  uint16_t capabilityBegin;
  uint16_t version; ///< 0x0106: first core version; 0xffff: extensions only
  OpClass opClass;
  uint8_t operandCount; ///< without result type and result id
  uint8_t capabilityCount;
  bool hasType;
  bool hasResult;
  bool isType;           ///< OpType*, OpTypeForwardPointer too
  bool isConstant;       ///< OpConstant* and OpSpecConstant*
  bool isTerminator;     ///< ends a block
  bool isSpecConstantOp; ///< OpSpecConstantOp may hold it
};

/// One enumerant of a ValueEnum or bit of a BitEnum, with the operands that follow it.
struct EnumInfo {
  uint32_t nameOffset;
  uint32_t value;
  uint16_t paramBegin;
  uint16_t capabilityBegin;
  uint16_t version;
  uint8_t paramCount;
  uint8_t capabilityCount;
};

struct KindInfo {
  uint32_t nameOffset;
  uint16_t enumBegin;
  uint16_t enumCount;
  uint16_t denseCount; ///< so many enumerants at the begin have value == index
  uint32_t allBits;    ///< BitEnum: every known bit
  KindCategory category;
  OperandKind bases[2]; ///< Composite: its two parts
};

struct ExtInstInfo {
  uint32_t nameOffset;
  uint16_t number;
  uint16_t operandCount;
};

struct ExtSetInfo {
  uint32_t nameOffset;
  uint16_t instBegin;
  uint16_t instCount;
};

/// Defined in Grammar.cpp. Here only for the functions that the reader calls several times for each
/// instruction, which are inline.
namespace tables {
extern const OperandSpec operandTable[];
extern const EnumInfo enumTable[];
extern const KindInfo kindTable[];
extern const OpInfo opTable[];
extern const uint16_t opcodeIndex[];
} // namespace tables

/// Null for numbers outside the grammar.
inline const OpInfo *findOp(uint32_t opcode) {
  if (opcode >= opcodeIndexSize || tables::opcodeIndex[opcode] == noOpcode)
    return nullptr;
  return &tables::opTable[tables::opcodeIndex[opcode]];
}
inline llvm::ArrayRef<OperandSpec> operandsOf(const OpInfo &info) {
  return {tables::operandTable + info.operandBegin, info.operandCount};
}
llvm::StringRef nameOf(const OpInfo &info);
/// As the grammar spells it: "Control-Flow".
llvm::StringRef nameOf(OpClass opClass);
/// Any one of them enables the opcode; empty: always there.
llvm::ArrayRef<uint16_t> capabilitiesOf(const OpInfo &info);
/// Instructions of the classes Group and Non-Uniform: what they give depends on which invocations
/// of a subgroup execute them together.
inline bool isGroupOp(spv::Op opcode) {
  const OpInfo *info = findOp(static_cast<uint32_t>(opcode));
  return info && (info->opClass == OpClass::Group || info->opClass == OpClass::NonUniform);
}
/// Does the capability enable such an instruction?
bool enablesGroupOps(spv::Capability capability);

inline const KindInfo &kindInfo(OperandKind kind) {
  return tables::kindTable[static_cast<size_t>(kind)];
}
llvm::StringRef nameOf(OperandKind kind);
/// findEnumerant() for values that are no index.
const EnumInfo *findSparseEnumerant(const KindInfo &info, uint32_t value);
/// Null when the kind has no such enumerant; for a BitEnum `value` is one bit (or 0).
inline const EnumInfo *findEnumerant(OperandKind kind, uint32_t value) {
  const KindInfo &info = kindInfo(kind);
  return value < info.denseCount ? tables::enumTable + info.enumBegin + value
                                 : findSparseEnumerant(info, value);
}
inline llvm::ArrayRef<OperandSpec> operandsOf(const EnumInfo &info) {
  return {tables::operandTable + info.paramBegin, info.paramCount};
}
llvm::StringRef nameOf(const EnumInfo &info);
llvm::ArrayRef<uint16_t> capabilitiesOf(const EnumInfo &info);
/// The enumerant's name, or the number when unknown: enumName(OperandKind::Dim, 1) is "2D".
std::string enumName(OperandKind kind, uint32_t value);

/// Null for sets that are not in the tables (also those that exist, e.g. NonSemantic.DebugPrintf).
const ExtSetInfo *findExtSet(llvm::StringRef name);
/// Null when the set has no such instruction.
const ExtInstInfo *findExtInst(const ExtSetInfo &set, uint32_t number);
llvm::StringRef nameOf(const ExtSetInfo &set);
llvm::StringRef nameOf(const ExtInstInfo &info);
/// True for sets whose instructions change nothing: NonSemantic.* and the debug-info sets.
bool isNonSemanticSet(llvm::StringRef name);
/// Instructions of a set that isNonSemanticSet() whose operands may be literals.
bool hasLiteralOperands(llvm::StringRef set);

} // namespace llpc::spirv
