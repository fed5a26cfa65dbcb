//===- Interface.cpp - names of hardware values, texel formats ------------===//
// SPDX-License-Identifier: MIT
#include "lgc/Interface.h"
#include "lgc/TexelFormat.h"
#include <iterator>

namespace lgc {

const char *hwValueName(HwValue value) {
  constexpr const char *names[] = {
#define LGC_HW_VALUE(name, type) #name,
      LGC_HW_VALUES(LGC_HW_VALUE)
#undef LGC_HW_VALUE
  };
  auto index = static_cast<size_t>(value);
  return index < std::size(names) ? names[index] : "";
}

namespace {

constexpr const char *layoutNames[] = {
#define LGC_X(name) #name,
    LGC_TEXEL_LAYOUTS(LGC_X)
#undef LGC_X
};
constexpr const char *kindNames[] = {"unorm", "snorm", "uscaled", "sscaled",
                                     "uint",  "sint",  "float",   "srgb"};
static_assert(std::size(kindNames) == static_cast<size_t>(NumericKind::Count));
constexpr uint8_t layoutChannels[] = {0, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1,
                                      2, 3, 4, 2, 3, 4, 4, 4, 3, 3, 1, 1, 1, 1};
static_assert(std::size(layoutChannels) == static_cast<size_t>(TexelLayout::Count));

/// Cuts the text up to the next dot off.
std::string takePart(std::string &text) {
  size_t dot = text.find('.');
  std::string part = text.substr(0, dot);
  text = dot == std::string::npos ? std::string() : text.substr(dot + 1);
  return part;
}

template <typename Enum, size_t N>
bool findName(const std::string &name, const char *const (&names)[N], Enum &value) {
  for (size_t i = 0; i < N; ++i) {
    if (name == names[i]) {
      value = static_cast<Enum>(i);
      return true;
    }
  }
  return false;
}

} // namespace

unsigned channelCount(TexelLayout layout) {
  auto index = static_cast<size_t>(layout);
  return index < std::size(layoutChannels) ? layoutChannels[index] : 0;
}

std::string toString(const TexelFormat &format) {
  std::string text = layoutNames[static_cast<size_t>(format.layout)];
  text += '.';
  text += kindNames[static_cast<size_t>(format.kind)];
  if (format.swapRedBlue)
    text += ".swapRedBlue";
  if (format.alphaFirst)
    text += ".alphaFirst";
  return text;
}

bool parseTexelFormat(const std::string &text, TexelFormat &format) {
  std::string rest = text;
  TexelFormat result;
  if (!findName(takePart(rest), layoutNames, result.layout) ||
      !findName(takePart(rest), kindNames, result.kind))
    return false;
  while (!rest.empty()) {
    std::string flag = takePart(rest);
    if (flag == "swapRedBlue" && !result.swapRedBlue)
      result.swapRedBlue = true;
    else if (flag == "alphaFirst" && !result.alphaFirst)
      result.alphaFirst = true;
    else
      return false;
  }
  format = result;
  return true;
}

} // namespace lgc
