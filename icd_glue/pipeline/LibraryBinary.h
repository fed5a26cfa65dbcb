//===- LibraryBinary.h - a library's shaders as a pipeline binary ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// What a pipeline binary of a library holds: the part of one of its pieces, and the SPIR-V that it
/// was made of. The part is what fast links take. SPIR-V is for those that compile: link time
/// optimisation, parts that cannot be linked, primitives that the part was not made for. A library
/// made of its binaries can do whatever the library could that they were captured from. A library
/// with shaders for both sides of the rasteriser has two, pre-rasterization first.
///
///     u32 magic | u16 version | u8 lgc::PartKind | u8 PrimitiveClass | u32 EF_AMDGPU_MACH |
///     u32 number of shaders | u32 bytes of the part |
///     each shader: u32 VkShaderStageFlagBits | u8[16] hash of its SPIR-V | u32 words | words |
///     zeros up to a multiple of 8 | the part's record (cache/Record.h)
///
/// No words: the library was created from an identifier. No part: it can be compiled monolithically
/// only.
#pragma once

#include "icd_glue/pipeline/PipelineLibrary.h"

namespace icd {

class LibraryBinary final : public CacheObject {
public:
  struct Shader {
    VkShaderStageFlags stage = 0;
    llpc::Hash128 hash = {};   ///< of the SPIR-V
    llpc::ShaderModule module; ///< may be none
  };

  /// Of \p piece, with the part for \p primitives: none if it is not there and \p mayCompile is
  /// false. Errors: those of compiling it.
  static llvm::Expected<std::shared_ptr<const LibraryBinary>>
  create(Device &device, const ShaderPiece &piece, PrimitiveClass primitives, bool mayCompile);
  /// Without a part: what whoever compiles needs.
  static std::shared_ptr<const LibraryBinary> ofShaders(Device &device, const ShaderPiece &piece);
  /// Of what record() gave, for \p target. Nothing of it is believed. Errors: InvalidInput.
  static llvm::Expected<std::shared_ptr<const LibraryBinary>>
  fromRecord(llvm::ArrayRef<uint8_t> record, const pal::abi::GpuTarget &target);
  static bool isRecord(llvm::ArrayRef<uint8_t> record);

  std::vector<uint8_t> record() const override;
  size_t memoryBytes() const override;
  lgc::PartKind kind() const { return partKind; }
  VkShaderStageFlags stages() const;
  const Shader *shader(VkShaderStageFlags stage) const;
  PrimitiveClass primitives() const { return primitiveClass; }
  /// May be null.
  const std::shared_ptr<const PartObject> &part() const { return partObject; }

private:
  explicit LibraryBinary(const pal::abi::GpuTarget &target) : target(target) {}
  void takeShaders(const ShaderPiece &piece);

  const pal::abi::GpuTarget &target;
  lgc::PartKind partKind = lgc::PartKind::PreRasterization;
  PrimitiveClass primitiveClass = PrimitiveClass::Triangles;
  std::vector<Shader> shaders; ///< in the order of the stages' numbers
  std::shared_ptr<const PartObject> partObject;
};

} // namespace icd
