//===- ShaderBinary.h - shader objects as bytes ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What vkGetShaderBinaryDataEXT gives: all that the shader was created with but its layouts, and
/// records (cache/Record.h) of code made of it, each under a key that says what that code depends
/// on. With the SPIR-V a binary is as good as the shader: where a draw needs something else than
/// its code, or the application creates it with other layouts, it is compiled. Vulkan: a binary
/// does not depend on the features that the device has enabled. Behind a checksum
/// (cache/CheckedBytes.h) that covers shaderBinaryUUID, little-endian:
///
///   u32 magic | u32 version | u32 stage | u32 flags | u32 required subgroup size |
///   u32 bytes of the name | u32 number of constants | u32 bytes of their values |
///   u32 bytes of SPIR-V | u32 number of records | name of the entry point |
///   u32 id, u32 offset, u32 size of each constant | values | SPIR-V |
///   u32[4] key, u32 bytes of each record, and the record
#pragma once

#include "llpc/Compiler.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>
#include <vulkan/vulkan_core.h>

namespace icd {

/// What a shader is made of, besides layouts.
struct ShaderSource {
  VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
  VkShaderCreateFlagsEXT flags = 0;
  uint32_t requiredSubgroupSize = 0; ///< 0: any
  std::string entry;
  std::vector<VkSpecializationMapEntry> constants; ///< inside of `values`
  std::vector<uint8_t> values;
  std::vector<uint8_t> spirv;
};

struct ShaderBinary {
  struct Code {
    llpc::Hash128 key = {};
    std::vector<uint8_t> record;
  };
  ShaderSource source;
  std::vector<Code> codes; ///< none: nothing but monolithic pipelines can be made of the shader

  /// The record of that key, or null.
  const std::vector<uint8_t> *find(const llpc::Hash128 &key) const;
};

/// \p uuid: shaderBinaryUUID. Empty: the shader is too large (64 MB).
std::vector<uint8_t> encodeShaderBinary(const ShaderBinary &binary, const uint8_t *uuid);
/// None for anything that encodeShaderBinary() has not written for the same UUID. What the record
/// holds is not looked at.
std::optional<ShaderBinary> decodeShaderBinary(llvm::ArrayRef<uint8_t> bytes, const uint8_t *uuid);

} // namespace icd
