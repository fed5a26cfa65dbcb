//===- Window.cpp - where presented images go -----------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/wsi/Window.h"
#include <cstring>
#include <utility>

namespace icd {

void copyRows(const Picture &picture, uint32_t first, uint32_t count, uint8_t *out) {
  const size_t rowBytes = size_t(picture.width) * 4;
  for (uint32_t y = 0; y < count; ++y)
    std::memcpy(out + rowBytes * y, picture.row(first + y), rowBytes);
  if (!picture.isBgr)
    for (size_t at = 0; at < rowBytes * count; at += 4)
      std::swap(out[at], out[at + 2]);
}

} // namespace icd
