//===- Formats.cpp - VkFormats by number, by name and as texel formats ----===//
// SPDX-License-Identifier: MIT
#include "llpc/Formats.h"
#include "lgc/VertexFormats.h"
#include "llvm/ADT/StringExtras.h"

namespace llpc {

namespace {

struct FormatRow {
  uint32_t number;
  llvm::StringLiteral name; ///< without "VK_FORMAT_"
  lgc::TexelFormat texel;
};
constexpr FormatRow formatRows[] = {
#define KILN_VK_FORMAT(number, name, layout, kind, swapRedBlue, alphaFirst)                        \
  {number, #name, {lgc::TexelLayout::layout, lgc::NumericKind::kind, swapRedBlue, alphaFirst}},
#include "llpc/context/VkFormats.def"
};

const FormatRow *findRow(uint32_t format) {
  for (const FormatRow &row : formatRows)
    if (row.number == format)
      return &row;
  return nullptr;
}

} // namespace

std::string vkFormatName(uint32_t format) {
  if (format == vkFormatUndefined)
    return "VK_FORMAT_UNDEFINED";
  const FormatRow *row = findRow(format);
  return row ? "VK_FORMAT_" + row->name.str() : llvm::utostr(format);
}

std::optional<uint32_t> findVkFormat(llvm::StringRef name) {
  uint32_t number = 0;
  if (!name.getAsInteger(10, number))
    return number;
  if (!name.consume_front("VK_FORMAT_"))
    return std::nullopt;
  if (name == "UNDEFINED")
    return vkFormatUndefined;
  for (const FormatRow &row : formatRows)
    if (row.name == name)
      return row.number;
  return std::nullopt;
}

std::optional<lgc::TexelFormat> texelFormatOf(uint32_t vkFormat) {
  if (vkFormat == vkFormatUndefined)
    return lgc::TexelFormat();
  const FormatRow *row = findRow(vkFormat);
  return row ? std::optional(row->texel) : std::nullopt;
}

uint32_t vkFormatOf(const lgc::TexelFormat &format) {
  for (const FormatRow &row : formatRows)
    if (row.texel == format)
      return row.number;
  return vkFormatUndefined;
}

unsigned vertexElementBytes(uint32_t vkFormat) {
  std::optional<lgc::TexelFormat> format = texelFormatOf(vkFormat);
  return format ? lgc::vertexFormatInfo(*format).elementBytes : 0;
}

unsigned vertexAlignment(uint32_t vkFormat) {
  std::optional<lgc::TexelFormat> format = texelFormatOf(vkFormat);
  return format ? std::max(lgc::vertexFormatInfo(*format).alignment(), 1u) : 1;
}

} // namespace llpc
