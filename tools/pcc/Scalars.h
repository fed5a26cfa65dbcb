//===- Scalars.h - numbers, names and bytes in JSON of Vulkan SC ----------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "tools/replay/JsonText.h"
#include "tools/replay/Structures.h"
#include <optional>
#include <vector>

namespace pcc {

using replay::Json;

// Nothing: the value is not what is asked for.

/// Numbers, decimal and hexadecimal strings, and macros of vulkan.h.
std::optional<uint64_t> toUnsigned(const Json &json);
std::optional<int64_t> toSigned(const Json &json);
std::optional<float> toFloat(const Json &json);
std::optional<bool> toBool(const Json &json);
/// A name of \p values or its number.
std::optional<int64_t> toEnum(const Json &json, const replay::Enumeration &values);
/// Names with | between them, or a number. \p unknown gets a name or the bits that \p values lacks.
std::optional<uint64_t> toFlags(const Json &json, const replay::Enumeration &values,
                                std::string &unknown);
/// A name of a value, or its number where it has none.
std::string nameOfValue(const char *enumName, int64_t value);
/// Base64, an array of bytes, or "NULL".
std::optional<std::vector<uint8_t>> toBytes(const Json &json);

} // namespace pcc
