//===- Message.h - messages of the Debug Adapter Protocol -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// JSON behind a header with its length, on standard input and output. Clients may send anything:
/// what lacks, or is of another type, is nothing.
#pragma once

#include "nlohmann/json.hpp"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <optional>

namespace debug {

using Json = nlohmann::ordered_json;

/// Nothing: the input has ended, or is no such message.
std::optional<Json> readMessage();
void writeMessage(const Json &message);

std::string textOf(const Json &object, llvm::StringRef key);
std::optional<uint64_t> numberOf(const Json &object, llvm::StringRef key);
/// Up to 32 bits.
std::optional<uint32_t> dwordOf(const Json &object, llvm::StringRef key);
bool flagOf(const Json &object, llvm::StringRef key);
Json objectOf(const Json &object, llvm::StringRef key);
std::vector<Json> listOf(const Json &object, llvm::StringRef key);
} // namespace debug
