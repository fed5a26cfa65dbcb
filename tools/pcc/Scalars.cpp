//===- Scalars.cpp - numbers, names and bytes in JSON of Vulkan SC --------===//
// SPDX-License-Identifier: MIT
#include "Scalars.h"
#include "LenientJson.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include <cmath>
#include <limits>

using llvm::StringRef;

namespace pcc {
namespace {

struct Macro {
  StringRef name;
  uint64_t value;
};
constexpr Macro macros[] = {
    {"VK_TRUE", 1},
    {"VK_FALSE", 0},
    {"VK_ATTACHMENT_UNUSED", VK_ATTACHMENT_UNUSED},
    {"VK_SUBPASS_EXTERNAL", VK_SUBPASS_EXTERNAL},
    {"VK_REMAINING_MIP_LEVELS", VK_REMAINING_MIP_LEVELS},
    {"VK_REMAINING_ARRAY_LAYERS", VK_REMAINING_ARRAY_LAYERS},
    {"VK_QUEUE_FAMILY_IGNORED", VK_QUEUE_FAMILY_IGNORED},
    {"VK_QUEUE_FAMILY_EXTERNAL", VK_QUEUE_FAMILY_EXTERNAL},
    {"VK_QUEUE_FAMILY_FOREIGN_EXT", VK_QUEUE_FAMILY_FOREIGN_EXT},
    {"VK_WHOLE_SIZE", VK_WHOLE_SIZE},
    {"VK_SHADER_UNUSED_KHR", VK_SHADER_UNUSED_KHR},
};

struct FloatName {
  StringRef name;
  float value;
};
constexpr FloatName floatNames[] = {
    {"NaN", std::numeric_limits<float>::quiet_NaN()},
    {"VK_LOD_CLAMP_NONE", VK_LOD_CLAMP_NONE},
    {infinity, std::numeric_limits<float>::infinity()},
    {negativeInfinity, -std::numeric_limits<float>::infinity()},
};

const std::string *textOf(const Json &json) { return json.get_ptr<const std::string *>(); }

std::optional<double> toDouble(const Json &json) {
  if (json.is_number_float())
    return *json.get_ptr<const Json::number_float_t *>();
  if (json.is_number_unsigned())
    return static_cast<double>(*json.get_ptr<const Json::number_unsigned_t *>());
  if (json.is_number_integer())
    return static_cast<double>(*json.get_ptr<const Json::number_integer_t *>());
  double value = 0;
  if (const std::string *text = textOf(json); text && llvm::to_float(StringRef(*text), value))
    return value;
  return std::nullopt;
}

} // namespace

std::optional<uint64_t> toUnsigned(const Json &json) {
  if (json.is_number_unsigned())
    return *json.get_ptr<const Json::number_unsigned_t *>();
  const std::string *text = textOf(json);
  if (!text)
    return std::nullopt;
  for (const Macro &macro : macros)
    if (macro.name == *text)
      return macro.value;
  uint64_t value = 0;
  if (llvm::to_integer(StringRef(*text), value, 0))
    return value;
  return std::nullopt;
}

std::optional<int64_t> toSigned(const Json &json) {
  if (json.is_number_integer() && !json.is_number_unsigned())
    return *json.get_ptr<const Json::number_integer_t *>();
  if (std::optional<uint64_t> value = toUnsigned(json);
      value && *value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
    return static_cast<int64_t>(*value);
  int64_t value = 0;
  if (const std::string *text = textOf(json); text && llvm::to_integer(StringRef(*text), value, 0))
    return value;
  return std::nullopt;
}

std::optional<float> toFloat(const Json &json) {
  if (const std::string *text = textOf(json))
    for (const FloatName &row : floatNames)
      if (row.name == *text)
        return row.value;
  const std::optional<double> value = toDouble(json);
  if (!value || (std::isfinite(*value) && std::fabs(*value) > std::numeric_limits<float>::max()))
    return std::nullopt;
  return static_cast<float>(*value);
}

std::optional<bool> toBool(const Json &json) {
  if (json.is_boolean())
    return *json.get_ptr<const bool *>();
  if (const std::string *text = textOf(json); text && (*text == "true" || *text == "false"))
    return *text == "true";
  const std::optional<uint64_t> value = toUnsigned(json);
  if (!value || *value > 1)
    return std::nullopt;
  return *value == 1;
}

std::optional<int64_t> toEnum(const Json &json, const replay::Enumeration &values) {
  if (const std::string *text = textOf(json))
    if (const replay::EnumValue *value = values.find(*text))
      return value->value;
  const std::optional<int64_t> number = toSigned(json);
  return number && values.has(*number) ? number : std::nullopt;
}

static std::optional<uint64_t> parseFlags(const Json &json, const replay::Enumeration &values,
                                          std::string &unknown) {
  const std::string *text = textOf(json);
  if (!text)
    return toUnsigned(json);
  if (text->empty() || *text == "NULL")
    return 0;
  uint64_t bits = 0;
  llvm::SmallVector<StringRef, 8> names;
  StringRef(*text).split(names, '|');
  for (StringRef name : names) {
    name = name.trim();
    uint64_t number = 0;
    if (const replay::EnumValue *value = values.find(name)) {
      bits |= static_cast<uint64_t>(value->value);
    } else if (llvm::to_integer(name, number, 0)) {
      bits |= number;
    } else {
      unknown = name.str();
      return std::nullopt;
    }
  }
  return bits;
}

std::optional<uint64_t> toFlags(const Json &json, const replay::Enumeration &values,
                                std::string &unknown) {
  const std::optional<uint64_t> bits = parseFlags(json, values, unknown);
  const uint64_t others = bits ? *bits & ~values.bits() : 0;
  if (!others)
    return bits;
  unknown = "0x" + llvm::utohexstr(others, /*LowerCase=*/true);
  return std::nullopt;
}

std::string nameOfValue(const char *enumName, int64_t value) {
  if (const replay::Enumeration *names = replay::findEnumeration(enumName))
    for (const replay::EnumValue &each : names->values.drop_front())
      if (each.value == value)
        return each.name;
  return std::string(enumName) + " " + std::to_string(value);
}

std::optional<std::vector<uint8_t>> toBytes(const Json &json) {
  std::vector<uint8_t> bytes;
  if (json.is_array()) {
    for (const Json &element : json) {
      const std::optional<uint64_t> value = toUnsigned(element);
      if (!value || *value > 255)
        return std::nullopt;
      bytes.push_back(static_cast<uint8_t>(*value));
    }
    return bytes;
  }
  const std::string *text = textOf(json);
  if (!text)
    return std::nullopt;
  if (*text == "NULL")
    return bytes;
  std::vector<char> decoded;
  if (llvm::Error error = llvm::decodeBase64(*text, decoded)) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  bytes.assign(decoded.begin(), decoded.end());
  return bytes;
}

} // namespace pcc
