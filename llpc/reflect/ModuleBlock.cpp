//===- ModuleBlock.cpp - writing ShaderModuleDataEx -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
///   before: vertex entry "main" with 2 resources and 1 input, fragment entry "main" with 1 output
///   after:  ShaderModuleDataEx | 2nd entryData | 2 ShaderModuleEntry | 1 FsOutInfo (the input) |
///           2 ResourceNodeData | 1 FsOutInfo | "main\0main\0" | SPIR-V
///
/// Fields are written one by one into zeroed memory, because assigning a structure may bring
/// whatever its padding holds.
#include "llpc/reflect/ModuleBlock.h"
#include "llpc/reflect/ModuleBlockLayout.h"
#include "llvm/Support/xxhash.h"
#include <cstddef>
#include <cstring>

namespace llpc {

namespace {

BasicType basicTypeOf(const InterfaceSlot &slot) {
  const bool isFloat = slot.base == InterfaceSlot::Base::Float;
  const bool isSigned = slot.base == InterfaceSlot::Base::Sint;
  switch (slot.bits) {
  case 8:
    return isFloat ? BasicType::Unknown : isSigned ? BasicType::Int8 : BasicType::Uint8;
  case 16:
    return isFloat ? BasicType::Float16 : isSigned ? BasicType::Int16 : BasicType::Uint16;
  case 64:
    return isFloat ? BasicType::Double : isSigned ? BasicType::Int64 : BasicType::Uint64;
  default:
    return isFloat ? BasicType::Float : isSigned ? BasicType::Int : BasicType::Uint;
  }
}

InterfaceSlot slotOf(const FsOutInfo &info) {
  using Base = InterfaceSlot::Base;
  struct Row {
    Base base;
    uint8_t bits;
  };
  // By BasicType.
  static constexpr Row rows[] = {{Base::Float, 8}, {Base::Float, 32}, {Base::Float, 64},
                                 {Base::Sint, 32}, {Base::Uint, 32},  {Base::Sint, 64},
                                 {Base::Uint, 64}, {Base::Float, 16}, {Base::Sint, 16},
                                 {Base::Uint, 16}, {Base::Sint, 8},   {Base::Uint, 8}};
  static_assert(std::size(rows) == static_cast<size_t>(BasicType::Count));
  const Row &row = rows[static_cast<size_t>(info.basicType)];
  InterfaceSlot slot;
  slot.location = info.location;
  slot.index = info.index;
  slot.base = row.base;
  slot.bits = row.bits;
  slot.components = static_cast<uint8_t>(info.componentCount);
  return slot;
}

FsOutInfo infoOf(const InterfaceSlot &slot) {
  return {slot.location, slot.index, basicTypeOf(slot), slot.components};
}

BlockCounts countsOf(const ModuleBlockSource &source) {
  BlockCounts counts;
  counts.entries = source.entries.size();
  for (const ModuleBlockSource::Entry &entry : source.entries) {
    counts.inputs += entry.reflection->inputs.size();
    counts.nodes += entry.reflection->usage.nodes.size();
    counts.outputs += entry.reflection->outputs.size();
    counts.nameBytes += entry.name.size() + 1;
  }
  counts.codeBytes = source.words.size() * sizeof(uint32_t);
  return counts;
}

/// Writes fields and arrays at offsets of the block.
class Writer {
public:
  explicit Writer(llvm::MutableArrayRef<uint8_t> block) : block(block) {}
  template <typename T> void put(uint64_t offset, const T &value) {
    static_assert(std::has_unique_object_representations_v<T>, "padding would get in");
    bytes(offset, &value, sizeof(T));
  }
  void bytes(uint64_t offset, const void *data, size_t size) {
    KILN_CHECK(offset <= block.size() && size <= block.size() - offset, "module block overflow");
    if (size)
      std::memcpy(block.data() + offset, data, size);
  }

private:
  llvm::MutableArrayRef<uint8_t> block;
};

#define OFFSET(field) offsetof(ShaderModuleDataEx, field)

void writeHeader(Writer &out, const ModuleBlockSource &source, const BlockLayout &at) {
  out.put(OFFSET(common.hash), source.hash);
  out.put(OFFSET(common.binType), static_cast<uint32_t>(BinaryType::Spirv));
  out.put(OFFSET(common.binCode.codeSize), static_cast<size_t>(at.end - at.code));
  out.put(OFFSET(common.cacheHash), source.cacheHash);
  const bool flags[] = {source.usage.enableVarPtrStorageBuf, source.usage.enableVarPtr,
                        source.usage.useSubgroupSize,        source.usage.useHelpInvocation,
                        source.usage.useSpecConstant,        source.usage.keepUnusedFunctions,
                        source.usage.enableRayQuery};
  static_assert(sizeof(flags) == sizeof(ShaderModuleUsage));
  for (size_t i = 0; i < sizeof(flags); ++i)
    out.put(OFFSET(common.usage) + i, static_cast<uint8_t>(flags[i]));
  out.put(OFFSET(codeOffset), static_cast<uint32_t>(at.code));
  out.put(OFFSET(entryOffset), static_cast<uint32_t>(at.entries));
  out.put(OFFSET(resNodeOffset), static_cast<uint32_t>(at.nodes));
  out.put(OFFSET(fsOutInfoOffset), static_cast<uint32_t>(at.outputs));
  out.put(OFFSET(magic), ShaderModuleDataEx::blockMagic);
  out.put(OFFSET(version), ShaderModuleDataEx::blockVersion);
  out.put(OFFSET(blockSize), at.end);
  out.put(OFFSET(extra.fsOutInfoCount),
          static_cast<uint32_t>((at.names - at.outputs) / sizeof(FsOutInfo)));
  out.put(OFFSET(extra.entryCount), static_cast<uint32_t>(source.entries.size()));
}

} // namespace

llvm::Expected<uint32_t> moduleBlockSize(const ModuleBlockSource &source) {
  const uint64_t size = BlockLayout(countsOf(source)).end;
  if (size > UINT32_MAX)
    return lgc::limitExceeded("a shader module block of " + llvm::Twine(size) + " bytes");
  return static_cast<uint32_t>(size);
}

void writeModuleBlock(const ModuleBlockSource &source, llvm::MutableArrayRef<uint8_t> block) {
  const BlockLayout at(countsOf(source));
  KILN_CHECK(block.size() == at.end, "module block of another size than computed");
  std::memset(block.data(), 0, block.size());
  Writer out(block);
  writeHeader(out, source, at);
  uint64_t input = at.inputs, node = at.nodes, output = at.outputs, name = at.names;
  for (size_t i = 0; i < source.entries.size(); ++i) {
    const ModuleBlockSource::Entry &entry = source.entries[i];
    const EntryReflection &reflection = *entry.reflection;
    const uint64_t data = BlockLayout::entryData(i);
    out.put(data + offsetof(ShaderModuleEntryData, stage), static_cast<uint8_t>(entry.stage));
    out.put(data + offsetof(ShaderModuleEntryData, resNodeDataCount),
            static_cast<uint32_t>(reflection.usage.nodes.size()));
    out.put(data + offsetof(ShaderModuleEntryData, pushConstSize), reflection.usage.pushConstSize);
    out.put(data + offsetof(ShaderModuleEntryData, isDescribed), uint32_t(!reflection.error));

    ShaderModuleEntry own;
    own.traits = reflection.traits.bits();
    own.nameOffset = static_cast<uint32_t>(name);
    own.nameSize = static_cast<uint32_t>(entry.name.size());
    own.inputCount = static_cast<uint32_t>(reflection.inputs.size());
    own.fsOutInfoCount = static_cast<uint32_t>(reflection.outputs.size());
    own.isSpecialized = reflection.usage.isSpecialized;
    out.put(at.entries + i * sizeof(own), own);

    out.bytes(name, entry.name.data(), entry.name.size());
    name += entry.name.size() + 1;
    for (const InterfaceSlot &slot : reflection.inputs) {
      out.put(input, infoOf(slot));
      input += sizeof(FsOutInfo);
    }
    for (const ResourceNodeData &data : reflection.usage.nodes) {
      out.put(node, packedNode(data));
      node += sizeof(ResourceNodeData);
    }
    for (const InterfaceSlot &slot : reflection.outputs) {
      out.put(output, infoOf(slot));
      output += sizeof(FsOutInfo);
    }
  }
  out.bytes(at.code, source.words.data(), source.words.size() * sizeof(uint32_t));
  out.put(OFFSET(checksum), moduleBlockChecksum(block));
}

std::array<uint64_t, 2> moduleBlockChecksum(llvm::ArrayRef<uint8_t> block) {
  auto digest = [](llvm::ArrayRef<uint8_t> bytes) {
    const llvm::XXH128_hash_t hash = llvm::xxh3_128bits(bytes);
    return std::array<uint64_t, 2>{hash.low64, hash.high64};
  };
  const std::array<uint64_t, 2> rest =
      digest(block.drop_front(OFFSET(checksum) + sizeof(ShaderModuleDataEx::checksum)));
  uint8_t head[OFFSET(checksum) + sizeof(rest)];
  std::memcpy(head, block.data(), OFFSET(checksum));
  std::memcpy(head + OFFSET(checksum), rest.data(), sizeof(rest));
  return digest(head);
}

llvm::ArrayRef<ShaderModuleEntryData> entriesOf(const ShaderModuleDataEx &data) {
  return {data.extra.entryDatas, data.extra.entryCount};
}

static const ShaderModuleEntry *privateEntries(const ShaderModuleDataEx &data) {
  return reinterpret_cast<const ShaderModuleEntry *>(reinterpret_cast<const uint8_t *>(&data) +
                                                     data.entryOffset);
}

llvm::ArrayRef<FsOutInfo> fragmentOutputsOf(const ShaderModuleDataEx &data,
                                            const ShaderModuleEntryData &entry) {
  const ShaderModuleEntry *own = privateEntries(data);
  const size_t index = &entry - data.extra.entryDatas;
  size_t first = 0;
  for (size_t i = 0; i < index; ++i)
    first += own[i].fsOutInfoCount;
  return {data.extra.pFsOutInfos + first, own[index].fsOutInfoCount};
}

EntryReflection reflectionOf(const ShaderModuleDataEx &data, const ShaderModuleEntryData &entry) {
  const ShaderModuleEntry *own = privateEntries(data);
  const size_t index = &entry - data.extra.entryDatas;
  const auto *input = reinterpret_cast<const FsOutInfo *>(own + data.extra.entryCount);
  for (size_t i = 0; i < index; ++i)
    input += own[i].inputCount;
  EntryReflection result;
  result.traits = EntryTraits::fromBits(own[index].traits);
  llvm::ArrayRef<ResourceNodeData> nodes = resourcesOf(entry);
  result.usage.nodes.assign(nodes.begin(), nodes.end());
  result.usage.pushConstSize = entry.pushConstSize;
  result.usage.isSpecialized = own[index].isSpecialized != 0;
  for (size_t i = 0; i < own[index].inputCount; ++i)
    result.inputs.push_back(slotOf(input[i]));
  for (const FsOutInfo &info : fragmentOutputsOf(data, entry))
    result.outputs.push_back(slotOf(info));
  return result;
}

void storeShaderModuleData(const ShaderModuleDataEx &data, llvm::MutableArrayRef<uint8_t> into) {
  KILN_CHECK(into.size() == data.blockSize, "storing a module block needs blockSize bytes");
  std::memcpy(into.data(), &data, data.blockSize);
  Writer out(into);
  const uintptr_t none = 0;
  out.put(OFFSET(common.binCode.pCode), none);
  out.put(OFFSET(extra.pFsOutInfos), none);
  for (size_t i = 0; i < data.extra.entryCount; ++i)
    for (size_t field : entryPointerFields)
      out.put(BlockLayout::entryData(i) + field, none);
}

} // namespace llpc
