//===- BorderColors.cpp - the table of border colours ---------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/image/BorderColors.h"
#include "icd_glue/context/Limits.h"
#include <cstring>

namespace icd {

static_assert(sizeof(VkClearColorValue) == 16, "an entry of the table");

std::optional<uint32_t> BorderColors::acquire(const VkClearColorValue &color) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!table) {
    auto made =
        gpu.allocate({.size = maxCustomBorderColors * sizeof(color), .name = "border colours"});
    if (!made) {
      llvm::consumeError(made.takeError());
      return std::nullopt;
    }
    table = std::move(*made);
    tableAddress = table->address();
  }
  uint32_t index = used;
  if (!unused.empty()) {
    index = unused.back();
    unused.pop_back();
  } else if (used == maxCustomBorderColors) {
    return std::nullopt;
  } else {
    ++used;
  }
  std::memcpy(table->host() + size_t(index) * sizeof(color), &color, sizeof(color));
  return index;
}

void BorderColors::release(uint32_t index) {
  std::lock_guard<std::mutex> lock(mutex);
  unused.push_back(index);
}

} // namespace icd
