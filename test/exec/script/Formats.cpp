//===- Formats.cpp - image formats by name --------------------------------===//
// SPDX-License-Identifier: MIT
#include "Formats.h"

namespace exec {

namespace {

constexpr VkImageAspectFlags depth = VK_IMAGE_ASPECT_DEPTH_BIT,
                             stencil = VK_IMAGE_ASPECT_STENCIL_BIT;

constexpr FormatRow rows[] = {
    {"r8_unorm", VK_FORMAT_R8_UNORM, 1},
    {"r8_snorm", VK_FORMAT_R8_SNORM, 1},
    {"r8_uint", VK_FORMAT_R8_UINT, 1},
    {"r8_sint", VK_FORMAT_R8_SINT, 1},
    {"r8g8_unorm", VK_FORMAT_R8G8_UNORM, 2},
    {"r8g8_snorm", VK_FORMAT_R8G8_SNORM, 2},
    {"r8g8_uint", VK_FORMAT_R8G8_UINT, 2},
    {"r8g8_sint", VK_FORMAT_R8G8_SINT, 2},
    {"r8g8b8a8_unorm", VK_FORMAT_R8G8B8A8_UNORM, 4},
    {"r8g8b8a8_snorm", VK_FORMAT_R8G8B8A8_SNORM, 4},
    {"r8g8b8a8_uint", VK_FORMAT_R8G8B8A8_UINT, 4},
    {"r8g8b8a8_sint", VK_FORMAT_R8G8B8A8_SINT, 4},
    {"r8g8b8a8_srgb", VK_FORMAT_R8G8B8A8_SRGB, 4},
    {"b8g8r8a8_unorm", VK_FORMAT_B8G8R8A8_UNORM, 4},
    {"b8g8r8a8_srgb", VK_FORMAT_B8G8R8A8_SRGB, 4},
    {"a8b8g8r8_unorm_pack32", VK_FORMAT_A8B8G8R8_UNORM_PACK32, 4},
    {"r5g6b5_unorm_pack16", VK_FORMAT_R5G6B5_UNORM_PACK16, 2},
    {"a1r5g5b5_unorm_pack16", VK_FORMAT_A1R5G5B5_UNORM_PACK16, 2},
    {"r4g4b4a4_unorm_pack16", VK_FORMAT_R4G4B4A4_UNORM_PACK16, 2},
    {"a2b10g10r10_unorm_pack32", VK_FORMAT_A2B10G10R10_UNORM_PACK32, 4},
    {"a2b10g10r10_uint_pack32", VK_FORMAT_A2B10G10R10_UINT_PACK32, 4},
    {"b10g11r11_ufloat_pack32", VK_FORMAT_B10G11R11_UFLOAT_PACK32, 4},
    {"e5b9g9r9_ufloat_pack32", VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, 4},
    {"r16_unorm", VK_FORMAT_R16_UNORM, 2},
    {"r16_snorm", VK_FORMAT_R16_SNORM, 2},
    {"r16_uint", VK_FORMAT_R16_UINT, 2},
    {"r16_sint", VK_FORMAT_R16_SINT, 2},
    {"r16_sfloat", VK_FORMAT_R16_SFLOAT, 2},
    {"r16g16_unorm", VK_FORMAT_R16G16_UNORM, 4},
    {"r16g16_snorm", VK_FORMAT_R16G16_SNORM, 4},
    {"r16g16_uint", VK_FORMAT_R16G16_UINT, 4},
    {"r16g16_sint", VK_FORMAT_R16G16_SINT, 4},
    {"r16g16_sfloat", VK_FORMAT_R16G16_SFLOAT, 4},
    {"r16g16b16a16_unorm", VK_FORMAT_R16G16B16A16_UNORM, 8},
    {"r16g16b16a16_snorm", VK_FORMAT_R16G16B16A16_SNORM, 8},
    {"r16g16b16a16_uint", VK_FORMAT_R16G16B16A16_UINT, 8},
    {"r16g16b16a16_sint", VK_FORMAT_R16G16B16A16_SINT, 8},
    {"r16g16b16a16_sfloat", VK_FORMAT_R16G16B16A16_SFLOAT, 8},
    {"r32_uint", VK_FORMAT_R32_UINT, 4},
    {"r32_sint", VK_FORMAT_R32_SINT, 4},
    {"r32_sfloat", VK_FORMAT_R32_SFLOAT, 4},
    {"r32g32_uint", VK_FORMAT_R32G32_UINT, 8},
    {"r32g32_sint", VK_FORMAT_R32G32_SINT, 8},
    {"r32g32_sfloat", VK_FORMAT_R32G32_SFLOAT, 8},
    {"r32g32b32a32_uint", VK_FORMAT_R32G32B32A32_UINT, 16},
    {"r32g32b32a32_sint", VK_FORMAT_R32G32B32A32_SINT, 16},
    {"r32g32b32a32_sfloat", VK_FORMAT_R32G32B32A32_SFLOAT, 16},
    {"r64_uint", VK_FORMAT_R64_UINT, 8},
    {"r64_sint", VK_FORMAT_R64_SINT, 8},
    {"bc1_rgba_unorm_block", VK_FORMAT_BC1_RGBA_UNORM_BLOCK, 8, 4},
    {"bc3_unorm_block", VK_FORMAT_BC3_UNORM_BLOCK, 16, 4},
    {"bc4_unorm_block", VK_FORMAT_BC4_UNORM_BLOCK, 8, 4},
    {"bc5_unorm_block", VK_FORMAT_BC5_UNORM_BLOCK, 16, 4},
    {"bc7_unorm_block", VK_FORMAT_BC7_UNORM_BLOCK, 16, 4},
    {"d16_unorm", VK_FORMAT_D16_UNORM, 2, 1, depth},
    {"x8_d24_unorm_pack32", VK_FORMAT_X8_D24_UNORM_PACK32, 4, 1, depth},
    {"d32_sfloat", VK_FORMAT_D32_SFLOAT, 4, 1, depth},
    {"s8_uint", VK_FORMAT_S8_UINT, 1, 1, stencil},
    {"d16_unorm_s8_uint", VK_FORMAT_D16_UNORM_S8_UINT, 2, 1, depth | stencil},
    {"d24_unorm_s8_uint", VK_FORMAT_D24_UNORM_S8_UINT, 4, 1, depth | stencil},
    {"d32_sfloat_s8_uint", VK_FORMAT_D32_SFLOAT_S8_UINT, 4, 1, depth | stencil},
};

/// Formats that only vertex buffers have here.
constexpr FormatRow vertexRows[] = {
    {"r8_uscaled", VK_FORMAT_R8_USCALED, 1},
    {"r8_sscaled", VK_FORMAT_R8_SSCALED, 1},
    {"r8g8_uscaled", VK_FORMAT_R8G8_USCALED, 2},
    {"r8g8_sscaled", VK_FORMAT_R8G8_SSCALED, 2},
    {"r8g8b8_unorm", VK_FORMAT_R8G8B8_UNORM, 3},
    {"r8g8b8_snorm", VK_FORMAT_R8G8B8_SNORM, 3},
    {"r8g8b8_uscaled", VK_FORMAT_R8G8B8_USCALED, 3},
    {"r8g8b8_sscaled", VK_FORMAT_R8G8B8_SSCALED, 3},
    {"r8g8b8_uint", VK_FORMAT_R8G8B8_UINT, 3},
    {"r8g8b8_sint", VK_FORMAT_R8G8B8_SINT, 3},
    {"r8g8b8a8_uscaled", VK_FORMAT_R8G8B8A8_USCALED, 4},
    {"r8g8b8a8_sscaled", VK_FORMAT_R8G8B8A8_SSCALED, 4},
    {"r16_uscaled", VK_FORMAT_R16_USCALED, 2},
    {"r16_sscaled", VK_FORMAT_R16_SSCALED, 2},
    {"r16g16_uscaled", VK_FORMAT_R16G16_USCALED, 4},
    {"r16g16_sscaled", VK_FORMAT_R16G16_SSCALED, 4},
    {"r16g16b16_unorm", VK_FORMAT_R16G16B16_UNORM, 6},
    {"r16g16b16_snorm", VK_FORMAT_R16G16B16_SNORM, 6},
    {"r16g16b16_uscaled", VK_FORMAT_R16G16B16_USCALED, 6},
    {"r16g16b16_sscaled", VK_FORMAT_R16G16B16_SSCALED, 6},
    {"r16g16b16_uint", VK_FORMAT_R16G16B16_UINT, 6},
    {"r16g16b16_sint", VK_FORMAT_R16G16B16_SINT, 6},
    {"r16g16b16_sfloat", VK_FORMAT_R16G16B16_SFLOAT, 6},
    {"r16g16b16a16_uscaled", VK_FORMAT_R16G16B16A16_USCALED, 8},
    {"r16g16b16a16_sscaled", VK_FORMAT_R16G16B16A16_SSCALED, 8},
    {"r32g32b32_uint", VK_FORMAT_R32G32B32_UINT, 12},
    {"r32g32b32_sint", VK_FORMAT_R32G32B32_SINT, 12},
    {"r32g32b32_sfloat", VK_FORMAT_R32G32B32_SFLOAT, 12},
    {"r64_sfloat", VK_FORMAT_R64_SFLOAT, 8},
    {"r64g64_uint", VK_FORMAT_R64G64_UINT, 16},
    {"r64g64_sint", VK_FORMAT_R64G64_SINT, 16},
    {"r64g64_sfloat", VK_FORMAT_R64G64_SFLOAT, 16},
    {"r64g64b64_uint", VK_FORMAT_R64G64B64_UINT, 24},
    {"r64g64b64_sint", VK_FORMAT_R64G64B64_SINT, 24},
    {"r64g64b64_sfloat", VK_FORMAT_R64G64B64_SFLOAT, 24},
    {"r64g64b64a64_uint", VK_FORMAT_R64G64B64A64_UINT, 32},
    {"r64g64b64a64_sint", VK_FORMAT_R64G64B64A64_SINT, 32},
    {"r64g64b64a64_sfloat", VK_FORMAT_R64G64B64A64_SFLOAT, 32},
    {"a2r10g10b10_unorm_pack32", VK_FORMAT_A2R10G10B10_UNORM_PACK32, 4},
    {"b8g8r8a8_snorm", VK_FORMAT_B8G8R8A8_SNORM, 4},
    {"a8b8g8r8_snorm_pack32", VK_FORMAT_A8B8G8R8_SNORM_PACK32, 4},
    {"a2b10g10r10_snorm_pack32", VK_FORMAT_A2B10G10R10_SNORM_PACK32, 4},
    {"a2r10g10b10_snorm_pack32", VK_FORMAT_A2R10G10B10_SNORM_PACK32, 4},
    {"b8g8r8a8_uscaled", VK_FORMAT_B8G8R8A8_USCALED, 4},
    {"a8b8g8r8_uscaled_pack32", VK_FORMAT_A8B8G8R8_USCALED_PACK32, 4},
    {"a2b10g10r10_uscaled_pack32", VK_FORMAT_A2B10G10R10_USCALED_PACK32, 4},
    {"a2r10g10b10_uscaled_pack32", VK_FORMAT_A2R10G10B10_USCALED_PACK32, 4},
    {"b8g8r8a8_sscaled", VK_FORMAT_B8G8R8A8_SSCALED, 4},
    {"a8b8g8r8_sscaled_pack32", VK_FORMAT_A8B8G8R8_SSCALED_PACK32, 4},
    {"a2b10g10r10_sscaled_pack32", VK_FORMAT_A2B10G10R10_SSCALED_PACK32, 4},
    {"a2r10g10b10_sscaled_pack32", VK_FORMAT_A2R10G10B10_SSCALED_PACK32, 4},
    {"b8g8r8a8_uint", VK_FORMAT_B8G8R8A8_UINT, 4},
    {"a8b8g8r8_uint_pack32", VK_FORMAT_A8B8G8R8_UINT_PACK32, 4},
    {"a2r10g10b10_uint_pack32", VK_FORMAT_A2R10G10B10_UINT_PACK32, 4},
    {"b8g8r8a8_sint", VK_FORMAT_B8G8R8A8_SINT, 4},
    {"a8b8g8r8_sint_pack32", VK_FORMAT_A8B8G8R8_SINT_PACK32, 4},
    {"a2b10g10r10_sint_pack32", VK_FORMAT_A2B10G10R10_SINT_PACK32, 4},
    {"a2r10g10b10_sint_pack32", VK_FORMAT_A2R10G10B10_SINT_PACK32, 4},
};

} // namespace

llvm::ArrayRef<FormatRow> allFormats() { return rows; }

const FormatRow *findFormat(llvm::StringRef name) {
  for (llvm::ArrayRef<FormatRow> table : {llvm::ArrayRef(rows), llvm::ArrayRef(vertexRows)})
    for (const FormatRow &row : table)
      if (row.name == name)
        return &row;
  return nullptr;
}

const FormatRow *findFormat(VkFormat format) {
  for (llvm::ArrayRef<FormatRow> table : {llvm::ArrayRef(rows), llvm::ArrayRef(vertexRows)})
    for (const FormatRow &row : table)
      if (row.format == format)
        return &row;
  return nullptr;
}

} // namespace exec
