//===- ModuleBlockTest.cpp - blocks survive caches, and nothing else ------===//
// SPDX-License-Identifier: MIT
#include "llpc/reflect/ModuleBlock.h"
#include "llpc/spirv/TestModule.h"
#include "llvm/ADT/STLExtras.h"
#include <cstddef>

using namespace llpc;

namespace {

/// 8-byte aligned memory of a size that is no multiple of 8.
class Memory {
public:
  explicit Memory(size_t size) : words((size + 7) / 8), size(size) {}
  explicit Memory(llvm::ArrayRef<uint8_t> bytes) : Memory(bytes.size()) {
    llvm::copy(bytes, reinterpret_cast<uint8_t *>(words.data()));
  }
  llvm::MutableArrayRef<uint8_t> bytes() {
    return {reinterpret_cast<uint8_t *>(words.data()), size};
  }

private:
  std::vector<uint64_t> words;
  size_t size;
};

/// A vertex and a fragment entry with something of everything.
struct Sample {
  Sample() {
    vertex.traits = {EntryTrait::ReadsVertexIndex, EntryTrait::WritesPosition};
    vertex.inputs = {{0, 0, InterfaceSlot::Base::Float, 32, 3},
                     {5, 0, InterfaceSlot::Base::Sint, 16, 4}};
    vertex.usage.nodes = {
        {lgc::ResourceNodeType::DescriptorConstBuffer, 0, 1, 1},
        {lgc::ResourceNodeType::DescriptorCombinedTexture, 0, 2, ResourceNodeData::runtimeArray},
        {lgc::ResourceNodeType::DescriptorBuffer, 3, 0, 7}};
    vertex.usage.pushConstSize = 64;
    fragment.traits = {EntryTrait::ReadsSampleId};
    fragment.usage.nodes = {{lgc::ResourceNodeType::DescriptorImage, 1, 0, 1}};
    fragment.usage.isSpecialized = true;
    fragment.outputs = {{0, 0, InterfaceSlot::Base::Float, 16, 4},
                        {0, 1, InterfaceSlot::Base::Float, 32, 2},
                        {2, 0, InterfaceSlot::Base::Uint, 64, 1}};
    entries = {{ShaderStage::Vertex, "main", &vertex}, {ShaderStage::Fragment, "shade", &fragment}};
    source.hash = {1, 2, 3, 4};
    source.cacheHash = {5, 6, 7, 8};
    source.usage.useSubgroupSize = source.usage.enableRayQuery = true;
    source.words = words;
    source.entries = entries;
  }
  Sample(const Sample &) = delete;

  Memory stored() const {
    auto size = moduleBlockSize(source);
    Memory memory(cantFail(std::move(size)));
    writeModuleBlock(source, memory.bytes());
    return memory;
  }

  EntryReflection vertex, fragment;
  std::vector<ModuleBlockSource::Entry> entries;
  uint32_t words[5] = {spv::MagicNumber, 0x00010000, 0, 1, 0};
  ModuleBlockSource source;
};

std::string errorOf(llvm::MutableArrayRef<uint8_t> block) {
  auto data = relocateShaderModuleData(block);
  if (data)
    return "";
  lgc::ErrorText error = lgc::consumeToText(data.takeError());
  EXPECT_EQ(error.kind, lgc::ErrorKind::InvalidInput);
  return error.message;
}

void fixChecksum(llvm::MutableArrayRef<uint8_t> block) {
  const auto checksum = moduleBlockChecksum(block);
  memcpy(block.data() + offsetof(ShaderModuleDataEx, checksum), checksum.data(), sizeof(checksum));
}

/// Reads all that a block gives access to; what it returns depends on every byte of it.
uint64_t readEverything(const ShaderModuleDataEx &data) {
  uint64_t sum = 0;
  auto add = [&](const void *begin, size_t size) {
    for (size_t i = 0; i < size; ++i)
      sum = sum * 31 + static_cast<const uint8_t *>(begin)[i];
  };
  add(data.common.binCode.pCode, data.common.binCode.codeSize);
  for (const ShaderModuleEntryData &entry : entriesOf(data)) {
    add(entry.pEntryName, strlen(entry.pEntryName));
    add(entry.pResNodeDatas, entry.resNodeDataCount * sizeof(ResourceNodeData));
    llvm::ArrayRef<FsOutInfo> outputs = fragmentOutputsOf(data, entry);
    add(outputs.data(), outputs.size() * sizeof(FsOutInfo));
    const EntryReflection reflection = reflectionOf(data, entry);
    sum = sum * 31 + reflection.traits.bits() + reflection.inputs.size();
    EXPECT_EQ(reflection.usage.nodes.size(), entry.resNodeDataCount);
  }
  return sum;
}

TEST(ModuleBlock, HoldsWhatWasWritten) {
  Sample sample;
  Memory memory = sample.stored();
  auto data = relocateShaderModuleData(memory.bytes());
  ASSERT_TRUE(bool(data));
  const ShaderModuleDataEx &block = **data;
  EXPECT_EQ(block.common.hash[0], 1u);
  EXPECT_EQ(block.common.cacheHash[3], 8u);
  EXPECT_EQ(block.common.binType, BinaryType::Spirv);
  ASSERT_EQ(block.common.binCode.codeSize, sizeof(sample.words));
  EXPECT_EQ(memcmp(block.common.binCode.pCode, sample.words, sizeof(sample.words)), 0);
  EXPECT_EQ(block.common.usage, sample.source.usage);
  EXPECT_EQ(block.extra.fsOutInfoCount, 3u);
  ASSERT_EQ(entriesOf(block).size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    const ShaderModuleEntryData &entry = entriesOf(block)[i];
    const EntryReflection &expected = *sample.entries[i].reflection;
    EXPECT_EQ(entry.stage, sample.entries[i].stage);
    EXPECT_EQ(sample.entries[i].name, entry.pEntryName);
    EXPECT_EQ(entry.pushConstSize, expected.usage.pushConstSize);
    EXPECT_EQ(resourcesOf(entry), llvm::ArrayRef(expected.usage.nodes));
    const EntryReflection back = reflectionOf(block, entry);
    EXPECT_EQ(back.traits, expected.traits);
    EXPECT_EQ(back.usage, expected.usage);
    EXPECT_EQ(back.inputs, expected.inputs);
    EXPECT_EQ(back.outputs, expected.outputs);
  }
  EXPECT_TRUE(fragmentOutputsOf(block, entriesOf(block)[0]).empty());
  const FsOutInfo outputs[] = {
      {0, 0, BasicType::Float16, 4}, {0, 1, BasicType::Float, 2}, {2, 0, BasicType::Uint64, 1}};
  EXPECT_EQ(fragmentOutputsOf(block, entriesOf(block)[1]), llvm::ArrayRef(outputs));
}

TEST(ModuleBlock, TheStoredFormIsTheSameAfterATripThroughPointers) {
  Sample sample;
  Memory first = sample.stored(), again = sample.stored(), moved = sample.stored();
  EXPECT_EQ(first.bytes(), again.bytes());
  auto data = relocateShaderModuleData(moved.bytes());
  ASSERT_TRUE(bool(data));
  EXPECT_NE(first.bytes(), moved.bytes()); // now it has pointers
  Memory stored(moved.bytes().size());
  storeShaderModuleData(**data, stored.bytes());
  EXPECT_EQ(first.bytes(), stored.bytes());
  // Elsewhere, and from bytes that are not aligned.
  std::vector<uint8_t> shifted(stored.bytes().size() + 1);
  memcpy(shifted.data() + 1, stored.bytes().data(), stored.bytes().size());
  Memory elsewhere(stored.bytes().size());
  auto copy = relocateShaderModuleData(llvm::ArrayRef(shifted).drop_front(), elsewhere.bytes());
  ASSERT_TRUE(bool(copy));
  EXPECT_EQ(readEverything(**data), readEverything(**copy));
}

TEST(ModuleBlock, AnEntryThatIsNotDescribed) {
  Sample sample;
  EntryReflection failed;
  failed.traits = sample.fragment.traits;
  failed.error = lgc::ErrorText{lgc::ErrorKind::InvalidInput, "no binding"};
  sample.entries[1].reflection = &failed;
  Memory memory = sample.stored();
  auto data = relocateShaderModuleData(memory.bytes());
  ASSERT_TRUE(bool(data));
  llvm::ArrayRef<ShaderModuleEntryData> entries = entriesOf(**data);
  EXPECT_TRUE(entries[0].isDescribed);
  EXPECT_EQ(resourcesOf(entries[0]), llvm::ArrayRef(sample.vertex.usage.nodes));
  EXPECT_FALSE(entries[1].isDescribed);
  EXPECT_STREQ(entries[1].pEntryName, "shade");
  EXPECT_TRUE(resourcesOf(entries[1]).empty());
  EXPECT_TRUE(fragmentOutputsOf(**data, entries[1]).empty());
}

TEST(ModuleBlock, AModuleWithoutEntries) {
  Sample sample;
  sample.source.entries = {};
  Memory memory = sample.stored();
  auto data = relocateShaderModuleData(memory.bytes());
  ASSERT_TRUE(bool(data));
  EXPECT_TRUE(entriesOf(**data).empty());
}

TEST(ModuleBlock, EveryChangedByteIsAnError) {
  Sample sample;
  Memory stored = sample.stored();
  for (size_t at = 0; at < stored.bytes().size(); ++at)
    for (uint8_t change : {0x01, 0x10, 0x80, 0xff}) {
      Memory changed(stored.bytes());
      changed.bytes()[at] ^= change;
      Memory before(changed.bytes());
      EXPECT_NE(errorOf(changed.bytes()), "") << "byte " << at;
      EXPECT_EQ(changed.bytes(), before.bytes()) << "an error changed the bytes";
    }
}

TEST(ModuleBlock, EveryOtherSizeIsAnError) {
  Sample sample;
  Memory stored = sample.stored();
  for (size_t size = 0; size < stored.bytes().size(); ++size) {
    Memory shorter(stored.bytes().take_front(size));
    EXPECT_NE(errorOf(shorter.bytes()), "") << size;
  }
  Memory longer(stored.bytes().size() + 8);
  memcpy(longer.bytes().data(), stored.bytes().data(), stored.bytes().size());
  EXPECT_EQ(errorOf(longer.bytes()), "shader module block: blockSize differs from the size given");
  Memory shifted(stored.bytes().size() + 4);
  memcpy(shifted.bytes().data() + 4, stored.bytes().data(), stored.bytes().size());
  EXPECT_EQ(errorOf(shifted.bytes().drop_front(4)), "shader module block: not aligned to 8 bytes");
}

/// Whoever can write a file can compute its checksum too. A change is then either refused or gives
/// a block that is another one, but safe to read.
TEST(ModuleBlock, ChangesWithARightChecksumAreSafe) {
  Sample sample;
  Memory stored = sample.stored();
  const size_t code = stored.bytes().size() - sizeof(sample.words);
  size_t refused = 0, accepted = 0;
  for (size_t at = 0; at < code; ++at)
    for (unsigned value = 0; value < 256; ++value) {
      Memory changed(stored.bytes());
      changed.bytes()[at] = static_cast<uint8_t>(value);
      fixChecksum(changed.bytes());
      auto data = relocateShaderModuleData(changed.bytes());
      if (data) {
        readEverything(**data);
        ++accepted;
        continue;
      }
      llvm::consumeError(data.takeError());
      ++refused;
    }
  EXPECT_GT(refused, 0u);
  EXPECT_GT(accepted, 0u);
}

template <typename T> std::string errorWith(size_t offset, T value) {
  Sample sample;
  Memory stored = sample.stored();
  memcpy(stored.bytes().data() + offset, &value, sizeof(value));
  fixChecksum(stored.bytes());
  std::string text = errorOf(stored.bytes());
  llvm::StringRef rest = text;
  EXPECT_TRUE(rest.empty() || rest.consume_front("shader module block: "));
  return rest.str();
}

TEST(ModuleBlock, FieldsThatDoNotFit) {
#define FIELD(field) offsetof(ShaderModuleDataEx, field)
  constexpr size_t entry0 = FIELD(extra.entryDatas),
                   entry1 = entry0 + sizeof(ShaderModuleEntryData);
  constexpr size_t own0 = entry1 + sizeof(ShaderModuleEntryData);
  constexpr size_t own1 = own0 + sizeof(ShaderModuleEntry);
  constexpr size_t inputs = own1 + sizeof(ShaderModuleEntry);
  constexpr size_t nodes = inputs + 2 * sizeof(FsOutInfo);
  constexpr size_t outputs = nodes + 4 * sizeof(ResourceNodeData);
  constexpr size_t names = outputs + 3 * sizeof(FsOutInfo);
  EXPECT_EQ(errorWith(FIELD(magic), 1u), "wrong magic number");
  EXPECT_EQ(errorWith(FIELD(version), 1u), "version 1, this compiler has 2");
  EXPECT_EQ(errorWith(FIELD(common.binType), 0u), "unknown binType");
  EXPECT_EQ(errorWith(FIELD(common.usage) + 2, uint8_t(2)), "usage flag 2 is no bool");
  EXPECT_EQ(errorWith(FIELD(common.binCode.pCode), uint64_t(8)), "a stored pointer is not 0");
  EXPECT_EQ(errorWith(FIELD(common.binCode.codeSize), ~uint64_t(0)),
            "codeSize 18446744073709551615");
  EXPECT_EQ(errorWith(FIELD(common.binCode.codeSize), uint64_t(18)), "codeSize 18");
  EXPECT_EQ(errorWith(FIELD(extra.entryCount), ~0u), "entryCount 4294967295 is too large");
  EXPECT_EQ(errorWith(FIELD(extra.fsOutInfoCount), 2u),
            "fsOutInfoCount differs from the sum over the entries");
  EXPECT_EQ(errorWith(FIELD(codeOffset), 0u).substr(0, 10), "codeOffset");
  EXPECT_EQ(errorWith(FIELD(entryOffset), 0u).substr(0, 11), "entryOffset");
  EXPECT_EQ(errorWith(FIELD(resNodeOffset), 8u).substr(0, 13), "resNodeOffset");
  EXPECT_EQ(errorWith(FIELD(fsOutInfoOffset), ~0u).substr(0, 15), "fsOutInfoOffset");
  EXPECT_EQ(errorWith(entry0 + offsetof(ShaderModuleEntryData, stage), uint8_t(15)),
            "entry 0: unknown stage");
  EXPECT_EQ(errorWith(entry0 + offsetof(ShaderModuleEntryData, stage), uint8_t(6)),
            "entry 0: its stage has no such interface");
  EXPECT_EQ(errorWith(entry1 + offsetof(ShaderModuleEntryData, pResNodeDatas), uint64_t(8)),
            "entry 1: a stored pointer is not 0");
  EXPECT_EQ(errorWith(entry1 + offsetof(ShaderModuleEntryData, pushConstSize), 65537u),
            "entry 1: pushConstSize is too large");
  EXPECT_EQ(errorWith(entry0 + offsetof(ShaderModuleEntryData, isDescribed), 2u),
            "entry 0: isDescribed is 2");
  EXPECT_EQ(errorWith(entry1 + offsetof(ShaderModuleEntryData, isDescribed), 0u),
            "entry 1: isDescribed is 0");
  EXPECT_EQ(errorWith(entry0 + offsetof(ShaderModuleEntryData, resNodeDataCount), ~0u),
            "entry 0: a count is too large");
  EXPECT_EQ(errorWith(own1 + offsetof(ShaderModuleEntry, inputCount), ~0u),
            "entry 1: a count is too large");
  EXPECT_EQ(errorWith(own0 + offsetof(ShaderModuleEntry, traits), ~uint64_t(0)),
            "entry 0: unknown traits");
  EXPECT_EQ(errorWith(own0 + offsetof(ShaderModuleEntry, nameOffset), 0u),
            "entry 0: the name is not at " + std::to_string(names));
  EXPECT_EQ(errorWith(names + 2, uint8_t(0)), "entry 0: the name has not 4 bytes");
  EXPECT_EQ(errorWith(names + 4, 'x'), "entry 0: the name has not 4 bytes");
  EXPECT_EQ(errorWith(inputs + offsetof(FsOutInfo, basicType), 12u), "input 0 has an unknown type");
  EXPECT_EQ(errorWith(nodes, 0u), "entry 0: resource 0 has an unknown type");
  EXPECT_EQ(errorWith(nodes + 1, uint8_t(1)), "entry 0: resource 0 has an unknown type");
  EXPECT_EQ(errorWith(nodes + offsetof(ResourceNodeData, binding), 2u),
            "entry 0: resource 1 is out of order");
  EXPECT_EQ(errorWith(outputs + offsetof(FsOutInfo, componentCount), 5u),
            "output 0 has 5 components");
}

} // namespace
