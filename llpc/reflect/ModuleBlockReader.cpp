//===- ModuleBlockReader.cpp - checking a ShaderModuleDataEx --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A block comes from a cache, which is a file that anyone may have written. The reader counts what
/// the block says it holds, computes the only layout that fits the counts, compares, and sets
/// pointers last.
///   before: stored block, every pointer 0
///   after:  the same bytes, pointers into the block; or an error and nothing changed
#include "llpc/reflect/ModuleBlockLayout.h"
#include "pal_shim/abi/Try.h"
#include <cstring>

namespace llpc {

namespace {

constexpr uint32_t maxPushConstBytes = 65536;

class BlockReader {
public:
  explicit BlockReader(llvm::MutableArrayRef<uint8_t> block) : block(block) {}
  llvm::Expected<ShaderModuleDataEx *> run();
  /// Of a block that is known to be right.
  void setPointers();

private:
  llvm::Error checkHeader();
  llvm::Error count();
  llvm::Error checkOffsets();
  llvm::Error checkEntry(uint64_t index, BlockLayout &next);
  llvm::Error checkNodes(uint64_t index, uint64_t first, uint64_t count);
  llvm::Error checkSlots(uint64_t first, uint64_t count, const char *what);
  llvm::Error checkName(uint64_t index, const ShaderModuleEntry &own, uint64_t name);

  template <typename T> T get(uint64_t offset) const {
    static_assert(std::has_unique_object_representations_v<T>);
    T value;
    KILN_CHECK(offset + sizeof(T) <= block.size(), "reading beyond a module block");
    std::memcpy(&value, block.data() + offset, sizeof(T));
    return value;
  }
  static llvm::Error bad(const llvm::Twine &what) {
    return lgc::invalidInput("shader module block: " + what);
  }
  static llvm::Error badEntry(uint64_t index, const llvm::Twine &what) {
    return bad("entry " + llvm::Twine(index) + ": " + what);
  }

  llvm::MutableArrayRef<uint8_t> block;
  BlockCounts counts;
};

#define OFFSET(field) offsetof(ShaderModuleDataEx, field)

llvm::Error BlockReader::checkHeader() {
  if (reinterpret_cast<uintptr_t>(block.data()) % 8)
    return bad("not aligned to 8 bytes");
  if (block.size() < sizeof(ShaderModuleDataEx) || block.size() > UINT32_MAX)
    return bad(llvm::Twine(block.size()) + " bytes");
  if (get<uint32_t>(OFFSET(magic)) != ShaderModuleDataEx::blockMagic)
    return bad("wrong magic number");
  if (uint32_t version = get<uint32_t>(OFFSET(version));
      version != ShaderModuleDataEx::blockVersion)
    return bad("version " + llvm::Twine(version) + ", this compiler has " +
               llvm::Twine(ShaderModuleDataEx::blockVersion));
  if (get<uint64_t>(OFFSET(blockSize)) != block.size())
    return bad("blockSize differs from the size given");
  if (get<std::array<uint64_t, 2>>(OFFSET(checksum)) != moduleBlockChecksum(block))
    return bad("the checksum differs");
  if (get<uint32_t>(OFFSET(common.binType)) != static_cast<uint32_t>(BinaryType::Spirv))
    return bad("unknown binType");
  for (size_t i = 0; i < sizeof(ShaderModuleUsage); ++i)
    if (get<uint8_t>(OFFSET(common.usage) + i) > 1)
      return bad("usage flag " + llvm::Twine(i) + " is no bool");
  if (get<uint64_t>(OFFSET(common.binCode.pCode)) || get<uint64_t>(OFFSET(extra.pFsOutInfos)))
    return bad("a stored pointer is not 0");
  return llvm::Error::success();
}

/// Counts what the sections hold; afterwards the private data of every entry is inside the block.
llvm::Error BlockReader::count() {
  counts.entries = get<uint32_t>(OFFSET(extra.entryCount));
  if (BlockLayout(counts).inputs > block.size())
    return bad("entryCount " + llvm::Twine(counts.entries) + " is too large");
  counts.outputs = get<uint32_t>(OFFSET(extra.fsOutInfoCount));
  counts.codeBytes = get<uint64_t>(OFFSET(common.binCode.codeSize));
  if (counts.codeBytes > block.size() || counts.codeBytes % sizeof(uint32_t))
    return bad("codeSize " + llvm::Twine(counts.codeBytes));
  const uint64_t own = BlockLayout(counts).entries;
  uint64_t outputs = 0;
  for (uint64_t i = 0; i < counts.entries; ++i) {
    const auto entry = get<ShaderModuleEntry>(own + i * sizeof(ShaderModuleEntry));
    counts.nodes += get<uint32_t>(BlockLayout::entryData(i) +
                                  offsetof(ShaderModuleEntryData, resNodeDataCount));
    counts.inputs += entry.inputCount;
    counts.nameBytes += uint64_t(entry.nameSize) + 1;
    outputs += entry.fsOutInfoCount;
    // Keeps the sums far from wrapping: there are fewer than 2^32 entries, but not that few.
    if (counts.nodes > block.size() || counts.inputs > block.size() ||
        counts.nameBytes > block.size())
      return badEntry(i, "a count is too large");
  }
  if (outputs != counts.outputs)
    return bad("fsOutInfoCount differs from the sum over the entries");
  return llvm::Error::success();
}

llvm::Error BlockReader::checkOffsets() {
  const BlockLayout at(counts);
  if (at.end != block.size())
    return bad("its sections take " + llvm::Twine(at.end) + " bytes of " +
               llvm::Twine(block.size()));
  struct Row {
    const char *name;
    size_t field;
    uint64_t expected;
  };
  const Row rows[] = {{"codeOffset", OFFSET(codeOffset), at.code},
                      {"entryOffset", OFFSET(entryOffset), at.entries},
                      {"resNodeOffset", OFFSET(resNodeOffset), at.nodes},
                      {"fsOutInfoOffset", OFFSET(fsOutInfoOffset), at.outputs}};
  for (const Row &row : rows)
    if (get<uint32_t>(row.field) != row.expected)
      return bad(llvm::Twine(row.name) + " is not " + llvm::Twine(row.expected));
  return llvm::Error::success();
}

llvm::Error BlockReader::checkNodes(uint64_t index, uint64_t first, uint64_t count) {
  uint64_t last = 0; // (set, binding) of the node before, plus 1
  for (uint64_t i = 0; i < count; ++i) {
    const auto node = get<PackedNode>(first + i * sizeof(PackedNode));
    if (node.type == 0 || node.type >= static_cast<uint32_t>(lgc::ResourceNodeType::Count))
      return badEntry(index, "resource " + llvm::Twine(i) + " has an unknown type");
    const uint64_t key = uint64_t(node.set) << 32 | node.binding;
    if (i && key < last)
      return badEntry(index, "resource " + llvm::Twine(i) + " is out of order");
    last = key + 1;
    if (i + 1 < count && last == 0)
      return badEntry(index, "resource " + llvm::Twine(i + 1) + " is out of order");
  }
  return llvm::Error::success();
}

llvm::Error BlockReader::checkSlots(uint64_t first, uint64_t count, const char *what) {
  for (uint64_t i = 0; i < count; ++i) {
    const auto slot = get<FsOutInfo>(first + i * sizeof(FsOutInfo));
    if (slot.basicType >= BasicType::Count)
      return bad(llvm::Twine(what) + " " + llvm::Twine(i) + " has an unknown type");
    if (slot.componentCount == 0 || slot.componentCount > 4)
      return bad(llvm::Twine(what) + " " + llvm::Twine(i) + " has " +
                 llvm::Twine(slot.componentCount) + " components");
  }
  return llvm::Error::success();
}

llvm::Error BlockReader::checkName(uint64_t index, const ShaderModuleEntry &own, uint64_t name) {
  if (own.nameOffset != name)
    return badEntry(index, "the name is not at " + llvm::Twine(name));
  const uint8_t *text = block.data() + name;
  if (strnlen(reinterpret_cast<const char *>(text), own.nameSize + size_t(1)) != own.nameSize)
    return badEntry(index, "the name has not " + llvm::Twine(own.nameSize) + " bytes");
  return llvm::Error::success();
}

/// \p next: where the entry's part of each section begins; moved behind it.
llvm::Error BlockReader::checkEntry(uint64_t index, BlockLayout &next) {
  const uint64_t data = BlockLayout::entryData(index);
  const auto own = get<ShaderModuleEntry>(next.entries);
  const uint64_t nodes = get<uint32_t>(data + offsetof(ShaderModuleEntryData, resNodeDataCount));
  const auto stage =
      static_cast<ShaderStage>(get<uint8_t>(data + offsetof(ShaderModuleEntryData, stage)));
  const auto isDescribed = get<uint32_t>(data + offsetof(ShaderModuleEntryData, isDescribed));
  const auto pushConstSize = get<uint32_t>(data + offsetof(ShaderModuleEntryData, pushConstSize));
  if (stage > ShaderStage::Count)
    return badEntry(index, "unknown stage");
  for (size_t field : entryPointerFields)
    if (get<uint64_t>(data + field))
      return badEntry(index, "a stored pointer is not 0");
  if (pushConstSize > maxPushConstBytes)
    return badEntry(index, "pushConstSize is too large");
  if (isDescribed > 1 || (!isDescribed && (nodes || pushConstSize || own.inputCount ||
                                           own.fsOutInfoCount || own.isSpecialized)))
    return badEntry(index, "isDescribed is " + llvm::Twine(isDescribed));
  if (own.traits >> static_cast<unsigned>(EntryTrait::Count) || own.isSpecialized > 1 ||
      own.reserved)
    return badEntry(index, "unknown traits");
  if ((own.inputCount && stage != ShaderStage::Vertex) ||
      (own.fsOutInfoCount && stage != ShaderStage::Fragment))
    return badEntry(index, "its stage has no such interface");
  KILN_TRY(checkName(index, own, next.names));
  KILN_TRY(checkNodes(index, next.nodes, nodes));
  next.entries += sizeof(ShaderModuleEntry);
  next.nodes += nodes * sizeof(ResourceNodeData);
  next.names += uint64_t(own.nameSize) + 1;
  return llvm::Error::success();
}

void BlockReader::setPointers() {
  counts.entries = get<uint32_t>(OFFSET(extra.entryCount));
  const uint64_t entries = get<uint32_t>(OFFSET(entryOffset));
  auto set = [&](uint64_t field, uint64_t target) {
    const uint8_t *pointer = block.data() + target;
    std::memcpy(block.data() + field, &pointer, sizeof(pointer));
  };
  set(OFFSET(common.binCode.pCode), get<uint32_t>(OFFSET(codeOffset)));
  set(OFFSET(extra.pFsOutInfos), get<uint32_t>(OFFSET(fsOutInfoOffset)));
  uint64_t nodes = get<uint32_t>(OFFSET(resNodeOffset));
  for (uint64_t i = 0; i < counts.entries; ++i) {
    const uint64_t data = BlockLayout::entryData(i);
    const uint64_t own = entries + i * sizeof(ShaderModuleEntry);
    set(data + offsetof(ShaderModuleEntryData, pEntryName), get<ShaderModuleEntry>(own).nameOffset);
    set(data + offsetof(ShaderModuleEntryData, pShaderEntry), own);
    set(data + offsetof(ShaderModuleEntryData, pResNodeDatas), nodes);
    nodes += get<uint32_t>(data + offsetof(ShaderModuleEntryData, resNodeDataCount)) *
             uint64_t(sizeof(ResourceNodeData));
  }
}

llvm::Expected<ShaderModuleDataEx *> BlockReader::run() {
  KILN_TRY(checkHeader());
  KILN_TRY(count());
  KILN_TRY(checkOffsets());
  const BlockLayout at(counts);
  BlockLayout next = at;
  for (uint64_t i = 0; i < counts.entries; ++i)
    KILN_TRY(checkEntry(i, next));
  KILN_TRY(checkSlots(at.inputs, counts.inputs, "input"));
  KILN_TRY(checkSlots(at.outputs, counts.outputs, "output"));
  setPointers();
  return reinterpret_cast<ShaderModuleDataEx *>(block.data());
}

} // namespace

void relocateWrittenBlock(llvm::MutableArrayRef<uint8_t> block) {
  BlockReader(block).setPointers();
}

llvm::Expected<ShaderModuleDataEx *>
relocateShaderModuleData(llvm::MutableArrayRef<uint8_t> block) {
  return BlockReader(block).run();
}

llvm::Expected<ShaderModuleDataEx *> relocateShaderModuleData(llvm::ArrayRef<uint8_t> stored,
                                                              llvm::MutableArrayRef<uint8_t> into) {
  if (into.size() != stored.size())
    return lgc::invalidInput("shader module block: the memory for it has another size");
  if (!stored.empty())
    std::memcpy(into.data(), stored.data(), stored.size());
  return relocateShaderModuleData(into);
}

} // namespace llpc
