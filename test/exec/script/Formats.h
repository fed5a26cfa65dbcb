//===- Formats.h - image formats by name ----------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "../vk/Instance.h"
#include "llvm/ADT/StringRef.h"

namespace exec {

struct FormatRow {
  llvm::StringLiteral name; ///< the Vulkan name in lower case without VK_FORMAT_
  VkFormat format;
  uint32_t bytes; ///< of a texel, or of a 4x4 block; depth/stencil: of depth in a buffer
  uint32_t block = 1;
  VkImageAspectFlags aspects = 0; ///< of depth/stencil formats
};

/// Null when the table has no such name.
const FormatRow *findFormat(llvm::StringRef name);
const FormatRow *findFormat(VkFormat format);
llvm::ArrayRef<FormatRow> allFormats();

} // namespace exec
