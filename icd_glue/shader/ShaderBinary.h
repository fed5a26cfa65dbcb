//===- ShaderBinary.h - shader objects as bytes ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What vkGetShaderBinaryDataEXT gives: the SPIR-V, and the record (cache/Record.h) of the code
/// that was made of it, under a key that says what that code depends on. With the SPIR-V a binary
/// is as good as the shader: where a draw needs something else than its code, or the application
/// creates it with other layouts or on a device with other options, it is compiled. Behind a
/// checksum (cache/CheckedBytes.h) that covers shaderBinaryUUID, little-endian:
///
///   u32 magic | u32 version | u32 stage | u32[4] key | u32 bytes of SPIR-V |
///   u32 bytes of the record | SPIR-V | record
#pragma once

#include "llpc/Compiler.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <vector>
#include <vulkan/vulkan_core.h>

namespace icd {

/// VkPhysicalDeviceShaderObjectPropertiesEXT::shaderBinaryVersion. The UUID names the build, so
/// that nothing is ever read that another build wrote.
inline constexpr uint32_t shaderBinaryVersion = 1;

struct ShaderBinary {
  VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
  llpc::Hash128 key =
      {}; ///< what the record is for: a pipeline key (compute), or the name of a part
  std::vector<uint8_t> spirv;
  std::vector<uint8_t> record; ///< empty: nothing but whole pipelines can be made of the shader
};

/// \p uuid: shaderBinaryUUID. Empty: the shader is too large (64 MB).
std::vector<uint8_t> encodeShaderBinary(const ShaderBinary &binary, const uint8_t *uuid);
/// None for anything that encodeShaderBinary() has not written for the same UUID. What the record
/// holds is not looked at.
std::optional<ShaderBinary> decodeShaderBinary(llvm::ArrayRef<uint8_t> bytes, const uint8_t *uuid);

} // namespace icd
