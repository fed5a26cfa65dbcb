//===- ShaderBinary.cpp - shader objects as bytes -------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/shader/ShaderBinary.h"
#include "icd_glue/cache/CheckedBytes.h"
#include "icd_glue/context/Limits.h"
#include "icd_glue/key/KeyBytes.h"
#include "lgc/CompileError.h"
#include "lgc/FieldCount.h"
#include "llpc/Hasher.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

namespace icd {
namespace {

constexpr uint32_t binaryMagic = 0x4F534C4B; // "KLSO"
constexpr size_t headerWords = 10;

/// Takes pieces off the front; what is not there makes it fail for good.
class Reader {
public:
  explicit Reader(llvm::ArrayRef<uint8_t> bytes) : rest(bytes) {}
  uint32_t word() {
    const llvm::ArrayRef<uint8_t> piece = take(4);
    return piece.empty() ? 0 : llvm::support::endian::read32le(piece.data());
  }
  llvm::ArrayRef<uint8_t> take(uint64_t size) {
    failed |= size > rest.size();
    if (failed)
      return {};
    const llvm::ArrayRef<uint8_t> piece = rest.take_front(size);
    rest = rest.drop_front(size);
    return piece;
  }
  bool isComplete() const { return !failed && rest.empty(); }
  bool hasFailed() const { return failed; }

private:
  llvm::ArrayRef<uint8_t> rest;
  bool failed = false;
};

/// The constants lie inside of the values, and there are not more of them than bytes say.
bool readConstants(Reader &reader, uint32_t count, uint32_t valueBytes, ShaderSource &source) {
  for (uint32_t i = 0; i < count && !reader.hasFailed(); ++i) {
    const uint32_t id = reader.word(), offset = reader.word(), size = reader.word();
    if (uint64_t(offset) + size > valueBytes)
      return false;
    source.constants.push_back({id, offset, size});
  }
  source.values = reader.take(valueBytes).vec();
  return !reader.hasFailed();
}

} // namespace

const std::vector<uint8_t> *ShaderBinary::find(const llpc::Hash128 &key) const {
  for (const Code &code : codes)
    if (code.key == key)
      return &code.record;
  return nullptr;
}

std::vector<uint8_t> encodeShaderBinary(const ShaderBinary &binary, const uint8_t *uuid) {
  static_assert(lgc::fieldCount<ShaderSource>() == 7, "a field was added: is it in the binary?");
  const ShaderSource &source = binary.source;
  llpc::Hasher bytes;
  bytes.u32(binaryMagic);
  bytes.u32(shaderBinaryVersion);
  bytes.u32(source.stage);
  bytes.u32(source.flags);
  bytes.u32(source.requiredSubgroupSize);
  for (size_t size : {source.entry.size(), source.constants.size(), source.values.size(),
                      source.spirv.size(), binary.codes.size()})
    bytes.u32(static_cast<uint32_t>(size));
  KILN_CHECK(bytes.encoding().size() == headerWords * 4, "the size of a shader binary's header");
  bytes.raw(llvm::arrayRefFromStringRef(source.entry));
  for (const VkSpecializationMapEntry &constant : source.constants) {
    bytes.u32(constant.constantID);
    bytes.u32(constant.offset);
    bytes.u32(static_cast<uint32_t>(constant.size));
  }
  bytes.raw(source.values);
  bytes.raw(source.spirv);
  for (const ShaderBinary::Code &code : binary.codes) {
    bytes.hash(code.key);
    bytes.u32(static_cast<uint32_t>(code.record.size()));
    bytes.raw(code.record);
  }
  if (bytes.encoding().size() > mostCheckedBytes)
    return {};
  return withChecksum(hashOf(uuid), bytes.encoding());
}

std::optional<ShaderBinary> decodeShaderBinary(llvm::ArrayRef<uint8_t> bytes, const uint8_t *uuid) {
  const auto sound = checkedBytes(hashOf(uuid), bytes);
  if (!sound)
    return std::nullopt;
  Reader reader(*sound);
  if (reader.word() != binaryMagic || reader.word() != shaderBinaryVersion)
    return std::nullopt;
  ShaderBinary binary;
  ShaderSource &source = binary.source;
  source.stage = static_cast<VkShaderStageFlagBits>(reader.word());
  source.flags = reader.word();
  source.requiredSubgroupSize = reader.word();
  const uint32_t entryBytes = reader.word(), constants = reader.word();
  const uint32_t valueBytes = reader.word(), spirvBytes = reader.word();
  const uint32_t codes = reader.word();
  source.entry = llvm::toStringRef(reader.take(entryBytes)).str();
  if (!readConstants(reader, constants, valueBytes, source))
    return std::nullopt;
  source.spirv = reader.take(spirvBytes).vec();
  for (uint32_t i = 0; i < codes && !reader.hasFailed(); ++i) {
    ShaderBinary::Code &code = binary.codes.emplace_back();
    for (uint32_t &word : code.key)
      word = reader.word();
    code.record = reader.take(reader.word()).vec();
  }
  return reader.isComplete() ? std::optional(std::move(binary)) : std::nullopt;
}

} // namespace icd
