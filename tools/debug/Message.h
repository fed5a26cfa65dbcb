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
/// A list of up to \p count numbers; zeros for those that are missing.
template <size_t count>
std::optional<std::array<uint32_t, count>> numbersOf(const Json &object, llvm::StringRef key) {
  const std::vector<Json> list = listOf(object, key);
  std::array<uint32_t, count> numbers = {};
  if (list.empty() || list.size() > count)
    return std::nullopt;
  for (size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_number_unsigned() || list[i].get<uint64_t>() > UINT32_MAX)
      return std::nullopt;
    numbers[i] = list[i].get<uint32_t>();
  }
  return numbers;
}

} // namespace debug
