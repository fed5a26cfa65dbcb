//===- PipeValues.h - values of .pipe files -------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/Compiler.h"
#include <variant>

namespace llpc {

/// A VkFormat has no type of its own.
struct FormatRef {
  uint32_t *value;
};
/// Two 64-bit numbers.
struct HashRef {
  uint64_t (*value)[2];
};

/// Where a key's value is stored; the type says how it is written.
using ValueRef = std::variant<bool *, uint32_t *, lgc::Topology *, ProvokingVertexMode *,
                              lgc::VertexInputRate *, lgc::OptLevel *, lgc::Tier *, DenormalMode *,
                              lgc::ResourceNodeType *, FormatRef, HashRef>;

/// Error without a place: "'x' is no number" and the like.
llvm::Error parseValue(llvm::StringRef text, const ValueRef &value);
std::string formatValue(const ValueRef &value);

/// Numbers of a list that commas or blanks separate; `bytes` of each little-endian.
llvm::Error parseData(llvm::StringRef text, llvm::StringRef type, std::vector<uint8_t> &bytes);
/// "uint", "int", "float", "double", "uint64", "int64".
bool isDataType(llvm::StringRef type);

} // namespace llpc
