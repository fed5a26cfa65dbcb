//===- ShaderBinary.cpp - shader objects as bytes -------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/shader/ShaderBinary.h"
#include "icd_glue/cache/CheckedBytes.h"
#include "icd_glue/key/KeyWriter.h"

namespace icd {
namespace {

constexpr uint32_t binaryMagic = 0x4F534C4B; // "KLSO"
constexpr size_t headerWords = 9;

} // namespace

std::vector<uint8_t> encodeShaderBinary(const ShaderBinary &binary, const uint8_t *uuid) {
  KeyWriter bytes;
  bytes.u32(binaryMagic);
  bytes.u32(shaderBinaryVersion);
  bytes.u32(binary.stage);
  bytes.hash(binary.key);
  bytes.u32(static_cast<uint32_t>(binary.spirv.size()));
  bytes.u32(static_cast<uint32_t>(binary.record.size()));
  bytes.raw(binary.spirv);
  bytes.raw(binary.record);
  if (bytes.encoding().size() > mostCheckedBytes)
    return {};
  return withChecksum(hashOf(uuid), bytes.encoding());
}

std::optional<ShaderBinary> decodeShaderBinary(llvm::ArrayRef<uint8_t> bytes, const uint8_t *uuid) {
  const auto sound = checkedBytes(hashOf(uuid), bytes);
  if (!sound || sound->size() < headerWords * 4)
    return std::nullopt;
  auto word = [&](size_t index) {
    return llvm::support::endian::read32le(sound->data() + index * 4);
  };
  ShaderBinary binary;
  binary.stage = static_cast<VkShaderStageFlagBits>(word(2));
  for (size_t i = 0; i < binary.key.size(); ++i)
    binary.key[i] = word(3 + i);
  const uint64_t spirvBytes = word(7), recordBytes = word(8);
  if (word(0) != binaryMagic || word(1) != shaderBinaryVersion ||
      headerWords * 4 + spirvBytes + recordBytes != sound->size())
    return std::nullopt;
  const llvm::ArrayRef<uint8_t> rest = sound->drop_front(headerWords * 4);
  binary.spirv = rest.take_front(spirvBytes).vec();
  binary.record = rest.take_back(recordBytes).vec();
  return binary;
}

} // namespace icd
