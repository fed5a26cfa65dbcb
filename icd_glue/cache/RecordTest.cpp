//===- RecordTest.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/Record.h"
#include "icd_glue/cache/CodePacking.h"
#include "icd_glue/cache/RecordsForTest.h"
#include "icd_glue/pipeline/Deserialize.h"
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace icd {
namespace {

std::string errorOf(llvm::ArrayRef<uint8_t> bytes, RecordKind kind = RecordKind::Code,
                    const pal::abi::GpuTarget &target = gfx1100()) {
  auto record = decodeRecord(bytes, kind, target);
  return record ? "" : llvm::toString(record.takeError());
}

TEST(Record, CodeComesBack) {
  const auto object = codeObject();
  const std::vector<uint8_t> bytes = object->record();
  const auto back = llvm::cantFail(CodeObject::fromRecord(bytes, gfx1100()));
  EXPECT_EQ(back->elf(), object->elf());
  EXPECT_EQ(back->warnings(), (std::vector<std::string>{"first", ""}));
  EXPECT_EQ(back->record(), bytes);
  const RecordHead head = llvm::cantFail(decodeRecord(bytes, RecordKind::Code, gfx1100())).head;
  EXPECT_EQ(head.name, "main");
  EXPECT_EQ(head.stages, uint32_t(VK_SHADER_STAGE_COMPUTE_BIT));
  EXPECT_NE(head.pipelineHash, llpc::Hash128{});
  EXPECT_EQ(contentHash(bytes), contentHash(codeObject()->record()));
}

/// Code that was linked and code that is a stand-in are different things: it may be both.
TEST(Record, OriginsComeBack) {
  const std::vector<uint8_t> elf = codeObject()->elf().vec();
  for (bool isLinked : {false, true})
    for (bool isStandIn : {false, true}) {
      CodeObject::Description description;
      description.isLinked = isLinked;
      description.isStandIn = isStandIn;
      const CodeObject code(gfx1100(), llpc::PipelineBinary::own(elf), description);
      const auto back = llvm::cantFail(CodeObject::fromRecord(code.record(), gfx1100()));
      EXPECT_EQ(back->isLinked(), isLinked);
      EXPECT_EQ(back->isStandIn(), isStandIn);
      EXPECT_EQ(back->lacksImprovement(), isStandIn);
    }
}

TEST(Record, PartsComeBack) {
  const auto object = partObject();
  const std::vector<uint8_t> bytes = object->record();
  const auto back = llvm::cantFail(PartObject::fromRecord(bytes, gfx1100()));
  EXPECT_EQ(back->part->elf(), object->part->elf());
  EXPECT_EQ(back->part->info(), object->part->info());
  EXPECT_EQ(back->warnings, object->warnings);
  EXPECT_EQ(back->record(), bytes);
}

TEST(Record, OthersAreRefused) {
  const std::vector<uint8_t> code = codeObject()->record(), part = partObject()->record();
  EXPECT_EQ(errorOf(code), "");
  EXPECT_EQ(errorOf(code, RecordKind::Part), "invalid input: record: of another kind");
  EXPECT_EQ(errorOf(part), "invalid input: record: of another kind");
  EXPECT_EQ(errorOf(code, RecordKind::Code, gfx1030()), "invalid input: record: for another GPU");
  EXPECT_EQ(errorOf({}), "invalid input: record: not one of this version");
  // A complete code object that calls itself a part.
  RecordHead lie = llvm::cantFail(decodeRecord(code, RecordKind::Code, gfx1100())).head;
  lie.kind = RecordKind::Part;
  auto deserialized =
      PartObject::fromRecord(encodeRecord(lie, codeObject()->elf(), gfx1100()), gfx1100());
  EXPECT_FALSE(deserialized);
  llvm::consumeError(deserialized.takeError());
}

/// What CodeObject::load() says of code that is unpacked when it is needed.
std::string loadErrorOf(std::vector<uint8_t> record, const pal::abi::GpuTarget &target) {
  auto code = llvm::cantFail(CodeObject::fromRecord(std::move(record), target));
  auto gpu = llvm::cantFail(
      pal::device::SoftwareDevice::create({.target = target.name.str(), .threads = 1}));
  auto program = code->load(*gpu);
  EXPECT_EQ(code->elf().empty(), !program);
  return program ? "" : llvm::toString(program.takeError());
}

TEST(Record, CodeIsCheckedBeforeItIsLoaded) {
  const std::vector<uint8_t> code = codeObject()->record();
  const Record record = llvm::cantFail(decodeRecord(code, RecordKind::Code, gfx1100()));
  EXPECT_EQ(loadErrorOf(code, gfx1100()), "");
  // One that says the one thing and holds the other.
  EXPECT_EQ(loadErrorOf(encodeRecord(record.head, codeObject()->elf(), gfx1030()), gfx1030()),
            "invalid input: record: the ELF is for another GPU");
  EXPECT_NE(loadErrorOf(encodeRecord(record.head, {}, gfx1100()), gfx1100()), "");
  // Damage inside of what is packed, and beginnings of it.
  ASSERT_LT(record.stored.size(), record.elfBytes);
  const size_t begin = code.size() - record.stored.size();
  for (size_t i = begin; i < code.size(); i += 3) {
    std::vector<uint8_t> bytes = code;
    bytes[i] ^= 1 << i % 8;
    auto elf = unpackElf(record.elfBytes, llvm::ArrayRef(bytes).drop_front(begin), gfx1100());
    if (elf)
      EXPECT_EQ(elf->size(), record.elfBytes);
    else
      llvm::consumeError(elf.takeError());
    EXPECT_EQ(
        llvm::toString(
            unpackElf(record.elfBytes, record.stored.take_front(i - begin), gfx1100()).takeError()),
        "invalid input: record: the ELF cannot be unpacked");
  }
}

TEST(Record, CodeThatCannotBePackedStaysAsItIs) {
  std::vector<uint8_t> noise(300);
  std::mt19937 random(1);
  for (uint8_t &byte : noise)
    byte = static_cast<uint8_t>(random());
  const std::vector<uint8_t> bytes = encodeRecord({}, noise, gfx1100());
  const Record record = llvm::cantFail(decodeRecord(bytes, RecordKind::Code, gfx1100()));
  EXPECT_EQ(record.stored.vec(), noise);
  EXPECT_EQ(record.elfBytes, noise.size());
}

/// Words of the metadata come from the dictionary, on every generation.
TEST(Record, DictionariesAreOfTheirGeneration) {
  for (const pal::abi::GpuTarget &target : pal::abi::allTargets()) {
    const llvm::ArrayRef<uint8_t> dictionary = packingDictionary(target);
    const unsigned mach = dictionary[48]; // e_flags of the first ELF
    ASSERT_NE(pal::abi::findTargetByMach(mach), nullptr) << target.name.str();
    EXPECT_EQ(pal::abi::findTargetByMach(mach)->major, target.major) << target.name.str();
    // The first code object, in front of which everything is known.
    const std::vector<uint8_t> code = dictionary.take_front(2048).vec();
    const std::vector<uint8_t> packed = packCode(code, dictionary);
    EXPECT_LT(4 * packed.size(), packCode(code, {}).size()) << target.name.str();
    std::vector<uint8_t> unpacked(code.size());
    EXPECT_TRUE(unpackCode(packed, dictionary, unpacked));
    EXPECT_EQ(unpacked, code);
    EXPECT_FALSE(unpackCode(packed, {}, unpacked));
  }
}

TEST(Record, DamageIsAnErrorOrInsideTheElf) {
  const std::vector<uint8_t> code = codeObject()->record();
  for (size_t size = 0; size < code.size(); ++size)
    EXPECT_NE(errorOf(llvm::ArrayRef(code).take_front(size)), "") << size;
  std::vector<uint8_t> longer = code;
  longer.push_back(0);
  EXPECT_NE(errorOf(longer), "");
  const Record sound = llvm::cantFail(decodeRecord(code, RecordKind::Code, gfx1100()));
  for (size_t i = 0; i < code.size(); ++i)
    for (uint8_t bit : {0x01, 0x80}) {
      std::vector<uint8_t> bytes = code;
      bytes[i] ^= bit;
      auto record = decodeRecord(bytes, RecordKind::Code, gfx1100());
      if (!record)
        llvm::consumeError(record.takeError());
      else
        EXPECT_EQ(record->stored.size(), sound.stored.size()) << i;
    }
}

TEST(Record, NamesOfKeysComeBack) {
  const CacheKey key{CacheKey::Domain::Code, {1, 2, 0xFFFFFFFF, 4}};
  const std::vector<uint8_t> bytes = encodeAlias(key);
  EXPECT_EQ(decodeAlias(bytes), key);
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decodeAlias(llvm::ArrayRef(bytes).take_front(size))) << size;
  for (size_t i = 0; i < 5; ++i) {
    std::vector<uint8_t> other = bytes;
    other[i] ^= 4;
    EXPECT_FALSE(decodeAlias(other)) << i;
  }
  EXPECT_FALSE(decodeAlias(codeObject()->record()));
}

/// A layer below that keeps everything, as a disk would.
class Store final : public CacheLayer {
public:
  std::optional<std::vector<uint8_t>> load(const CacheKey &key) override {
    auto found = data.find({unsigned(key.domain), key.hash});
    return found == data.end() ? std::nullopt : std::optional(found->second);
  }
  void store(const CacheKey &key, llvm::ArrayRef<uint8_t> record) override {
    data[{unsigned(key.domain), key.hash}] = record.vec();
  }
  std::map<std::pair<unsigned, llpc::Hash128>, std::vector<uint8_t>> data;
};

TEST(Record, CachesFindWhatOthersStored) {
  const CacheKey codeKey{CacheKey::Domain::Code, {1}}, partKey{CacheKey::Domain::Part, {2}};
  const CacheKey name{CacheKey::Domain::Pipeline, {3}}, partName{CacheKey::Domain::Part, {4}};
  const auto code = codeObject();
  const auto part = partObject();
  Store store;
  {
    ShaderCache cache(1 << 20, &store, deserializerFor(gfx1100()));
    cache.insert(codeKey, code);
    cache.insert(partKey, part);
    cache.alias(name, codeKey, code);
    cache.alias(partName, partKey, part);
    EXPECT_EQ(cache.findAlias(name, /*inMemory=*/true), code);
  }
  ShaderCache cache(1 << 20, &store, deserializerFor(gfx1100()));
  EXPECT_EQ(cache.find(codeKey), nullptr);
  EXPECT_EQ(cache.findAlias(name, /*inMemory=*/true), nullptr);
  const ShaderCache::Object found = cache.findAlias(name);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(static_cast<const CodeObject &>(*found).elf(), code->elf());
  EXPECT_EQ(cache.find(codeKey), found);
  EXPECT_EQ(cache.findAlias(name, /*inMemory=*/true), found);
  const ShaderCache::Object foundPart = cache.findOrLoad(partKey);
  ASSERT_NE(foundPart, nullptr);
  EXPECT_EQ(static_cast<const PartObject &>(*foundPart).part->elf(), part->part->elf());
  EXPECT_EQ(cache.findAlias(partName), foundPart);
  EXPECT_EQ(cache.counters().loaded, 2u);
  // What a damaged store calls by another kind's name is not there.
  store.store(name, encodeAlias(partKey));
  store.store(partName, encodeAlias(codeKey));
  ShaderCache mixedUp(1 << 20, &store, deserializerFor(gfx1100()));
  EXPECT_EQ(mixedUp.findAlias(name), nullptr);
  EXPECT_EQ(mixedUp.findAlias(partName), nullptr);
  store.store(name, encodeAlias(codeKey));
  // Of another GPU: nothing fits.
  ShaderCache other(1 << 20, &store, deserializerFor(gfx1030()));
  EXPECT_EQ(other.findAlias(name), nullptr);
  EXPECT_EQ(other.findOrLoad(partKey), nullptr);
  EXPECT_EQ(other.findOrLoad({CacheKey::Domain::Code, {9}}), nullptr);
}

} // namespace
} // namespace icd
