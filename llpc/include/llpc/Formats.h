//===- Formats.h - VkFormats by number, by name and as texel formats ------===//
// SPDX-License-Identifier: MIT
/// \file
/// The formats that vertex attributes and colour targets can have. All others are unknown here.
#pragma once

#include "lgc/TexelFormat.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace llpc {

inline constexpr uint32_t vkFormatUndefined = 0;

/// "VK_FORMAT_R8_UNORM"; "VK_FORMAT_UNDEFINED" for 0; the number in decimal for unknown formats.
std::string vkFormatName(uint32_t format);
/// The number of a name, or a decimal number as it is; none when the name is unknown.
std::optional<uint32_t> findVkFormat(llvm::StringRef name);
/// Layout None for VK_FORMAT_UNDEFINED; nothing for unknown formats.
std::optional<lgc::TexelFormat> texelFormatOf(uint32_t vkFormat);
/// The VkFormat with the smallest number that is this texel format; 0 when there is none.
uint32_t vkFormatOf(const lgc::TexelFormat &format);
/// Bytes of a vertex attribute of the format; 0: vertex shaders cannot fetch it.
unsigned vertexElementBytes(uint32_t vkFormat);
/// What Vulkan wants the address of such an attribute to be a multiple of; 1 for other formats.
unsigned vertexAlignment(uint32_t vkFormat);

} // namespace llpc
