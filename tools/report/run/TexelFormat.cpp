//===- TexelFormat.cpp - formats of generated inputs ----------------------===//
// SPDX-License-Identifier: MIT
#include "test/exec/script/Formats.h"
#include "tools/report/run/Inputs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;
using pal::formats::Format;
using pal::srd::Select;

namespace report {

/// "r16g16_sfloat": "X16Y16_Float", as Formats.def calls it.
static std::string nameOf(StringRef name) {
  constexpr std::pair<StringRef, StringRef> packed[] = {
      {"d32_sfloat", "X32_Float"},
      {"b10g11r11_ufloat_pack32", "X11Y11Z10_Float"},
      {"a2b10g10r10_unorm_pack32", "X10Y10Z10W2_Unorm"}};
  for (const auto &[vulkan, ours] : packed)
    if (name == vulkan)
      return ours.str();
  constexpr std::pair<StringRef, StringRef> kinds[] = {{"sfloat", "Float"}, {"unorm", "Unorm"},
                                                       {"snorm", "Snorm"},  {"uint", "Uint"},
                                                       {"sint", "Sint"},    {"srgb", "Srgb"}};
  auto [channels, kind] = name.split('_');
  std::string result;
  for (const char c : channels) {
    const size_t channel = StringRef("rgba").find(c);
    result += channel == StringRef::npos ? c : "XYZW"[channel];
  }
  for (const auto &[vulkan, ours] : kinds)
    if (kind == vulkan)
      return result + "_" + ours.str();
  return "";
}

llvm::Expected<TexelFormat> texelFormatOf(VkFormat format) {
  const exec::FormatRow *row = exec::findFormat(format);
  const std::string name = row ? nameOf(row->name) : "";
  for (unsigned i = 1; i < pal::formats::formatCount; ++i) {
    TexelFormat result;
    result.format = static_cast<Format>(i);
    const pal::formats::FormatInfo &info = pal::formats::formatInfo(result.format);
    if (name != info.name)
      continue;
    for (unsigned c = info.channels(); c < 4; ++c)
      result.swizzle[c] = c == 3 ? Select::One : Select::Zero;
    return result;
  }
  return exec::failure("no inputs can be made in the format " +
                       (row ? row->name.str() : std::to_string(format)));
}

} // namespace report
