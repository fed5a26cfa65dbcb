//===- TexelFormat.cpp - formats of generated inputs ----------------------===//
// SPDX-License-Identifier: MIT
#include "test/exec/diff/TexelChannels.h"
#include "tools/report/run/Inputs.h"
#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;
using pal::formats::Format;
using pal::srd::Select;

namespace report {

/// "r16g16_sfloat": "X16Y16_Float", as Formats.def calls it, and which channel is which component.
static std::string nameOf(const exec::FormatRow &row, pal::srd::Swizzle &swizzle) {
  constexpr std::pair<StringRef, StringRef> others[] = {
      {"d32_sfloat", "X32_Float"}, {"e5b9g9r9_ufloat_pack32", "X9Y9Z9E5_Float"}};
  for (const auto &[vulkan, ours] : others)
    if (row.name == vulkan)
      return ours.str();
  constexpr std::pair<StringRef, StringRef> kinds[] = {
      {"sfloat", "Float"}, {"ufloat", "Float"}, {"unorm", "Unorm"}, {"snorm", "Snorm"},
      {"uint", "Uint"},    {"sint", "Sint"},    {"srgb", "Srgb"}};
  llvm::SmallVector<exec::Channel, 4> channels = exec::channelsOf(row);
  llvm::sort(channels,
             [](const exec::Channel &a, const exec::Channel &b) { return a.shift < b.shift; });
  swizzle = {Select::Zero, Select::Zero, Select::Zero, Select::One};
  std::string result;
  for (const exec::Channel &channel : channels) {
    const size_t i = static_cast<size_t>(&channel - channels.begin());
    constexpr Select places[] = {Select::X, Select::Y, Select::Z, Select::W};
    swizzle[channel.component] = places[i];
    result += "XYZW"[i] + std::to_string(channel.bits);
  }
  for (const auto &[vulkan, ours] : kinds)
    if (exec::kindOf(row) == vulkan)
      return result + "_" + ours.str();
  return "";
}

llvm::Expected<TexelFormat> texelFormatOf(VkFormat format) {
  const exec::FormatRow *row = exec::findFormat(format);
  TexelFormat result;
  const std::string name = row ? nameOf(*row, result.swizzle) : "";
  for (unsigned i = 1; i < pal::formats::formatCount; ++i) {
    result.format = static_cast<Format>(i);
    if (name == pal::formats::formatInfo(result.format).name)
      return result;
  }
  return exec::failure("no inputs can be made in the format " +
                       (row ? row->name.str() : std::to_string(format)));
}

} // namespace report
