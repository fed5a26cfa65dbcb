//===- RecordTest.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/Record.h"
#include "icd_glue/cache/RecordsForTest.h"
#include "icd_glue/cache/Revive.h"
#include <gtest/gtest.h>
#include <map>

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
  const Record record = llvm::cantFail(decodeRecord(bytes, RecordKind::Code, gfx1100()));
  EXPECT_EQ(record.name, "main");
  EXPECT_EQ(record.stages, uint32_t(VK_SHADER_STAGE_COMPUTE_BIT));
  EXPECT_NE(record.pipelineHash, llpc::Hash128{});
  EXPECT_EQ(contentHash(bytes), contentHash(codeObject()->record()));
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
  // One that says the one thing and holds the other.
  Record lie = llvm::cantFail(decodeRecord(code, RecordKind::Code, gfx1100()));
  EXPECT_EQ(errorOf(encodeRecord(lie, gfx1030()), RecordKind::Code, gfx1030()),
            "invalid input: record: the ELF is for another GPU");
  lie.elf = {};
  EXPECT_NE(errorOf(encodeRecord(lie, gfx1100())), "");
  // A whole code object that calls itself a part.
  lie = llvm::cantFail(decodeRecord(code, RecordKind::Code, gfx1100()));
  lie.kind = RecordKind::Part;
  auto revived = PartObject::fromRecord(encodeRecord(lie, gfx1100()), gfx1100());
  EXPECT_FALSE(revived);
  llvm::consumeError(revived.takeError());
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
      if (!record) {
        llvm::consumeError(record.takeError());
        continue;
      }
      EXPECT_EQ(record->elf.size(), sound.elf.size()) << i;
      EXPECT_EQ(encodeRecord(*record, gfx1100()), bytes) << i;
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
    ShaderCache cache(1 << 20, &store, reviverFor(gfx1100()));
    cache.insert(codeKey, code);
    cache.insert(partKey, part);
    cache.alias(name, codeKey, code);
    cache.alias(partName, partKey, part);
    EXPECT_EQ(cache.findAlias(name, /*inMemory=*/true), code);
  }
  ShaderCache cache(1 << 20, &store, reviverFor(gfx1100()));
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
  ShaderCache mixedUp(1 << 20, &store, reviverFor(gfx1100()));
  EXPECT_EQ(mixedUp.findAlias(name), nullptr);
  EXPECT_EQ(mixedUp.findAlias(partName), nullptr);
  store.store(name, encodeAlias(codeKey));
  // Of another GPU: nothing fits.
  ShaderCache other(1 << 20, &store, reviverFor(gfx1030()));
  EXPECT_EQ(other.findAlias(name), nullptr);
  EXPECT_EQ(other.findOrLoad(partKey), nullptr);
  EXPECT_EQ(other.findOrLoad({CacheKey::Domain::Code, {9}}), nullptr);
}

} // namespace
} // namespace icd
