//===- CacheDamageTest.cpp ------------------------------------------------===//
// SPDX-License-Identifier: MIT
// Data of a pipeline cache with real code: whatever is damaged, what comes out is the code that
// went in, or nothing, and then it is compiled and put there again. What is inside sound entries
// may be made by somebody who means harm: it is refused, or is code that a device can refuse.
#include "icd_glue/cache/BytesForTest.h"
#include "icd_glue/cache/CacheContent.h"
#include "icd_glue/cache/RecordsForTest.h"
#include "icd_glue/pipeline/Deserialize.h"
#include <gtest/gtest.h>
#include <random>

namespace icd {
namespace {

struct Entry {
  CacheKey key;
  ShaderCache::Object object;
};

llvm::ArrayRef<uint8_t> elfOf(const Entry &entry, const ShaderCache::Object &object) {
  if (entry.key.domain == CacheKey::Domain::Part)
    return static_cast<const PartObject &>(*object).part->elf();
  return static_cast<const CodeObject &>(*object).elf();
}

/// Twenty: compute, graphics, parts.
std::vector<Entry> entries() {
  std::vector<Entry> all;
  auto add = [&](CacheKey::Domain domain, ShaderCache::Object object) {
    const auto number = uint32_t(all.size());
    all.push_back({{domain, {number, 1, 2, number * 77}}, std::move(object)});
  };
  for (unsigned number = 0; number < 12; ++number)
    add(CacheKey::Domain::Pipeline, codeObject(number));
  for (unsigned number = 0; number < 6; ++number)
    add(CacheKey::Domain::Pipeline, drawObject(number));
  for (unsigned number = 0; number < 2; ++number)
    add(CacheKey::Domain::Part, partObject(number));
  return all;
}

class CacheDamage : public testing::Test {
protected:
  static void SetUpTestSuite() {
    all = new std::vector<Entry>(entries());
    data = new std::vector<uint8_t>;
    CacheContent content(deserializerFor(gfx1100()), /*isExternallySynchronized=*/true);
    for (const Entry &entry : *all)
      content.insert(entry.key, entry.object);
    bool isComplete = false;
    *data = content.write(SIZE_MAX, isComplete);
  }
  static void TearDownTestSuite() {
    delete all;
    delete data;
  }

  /// How many come out; each must be what went in.
  static size_t readAll(llvm::ArrayRef<uint8_t> damaged, const std::string &what) {
    CacheContent content(deserializerFor(gfx1100()), /*isExternallySynchronized=*/true);
    content.read(damaged);
    size_t found = 0;
    for (const Entry &entry : *all)
      if (ShaderCache::Object object = content.find(entry.key)) {
        ++found;
        EXPECT_EQ(elfOf(entry, object), elfOf(entry, entry.object)) << what;
      }
    return found;
  }

  static std::vector<Entry> *all;
  static std::vector<uint8_t> *data;
};
std::vector<Entry> *CacheDamage::all;
std::vector<uint8_t> *CacheDamage::data;

TEST_F(CacheDamage, SoundDataGivesEverything) {
  EXPECT_EQ(readAll(*data, "sound"), all->size());
  size_t plain = 0;
  for (const Entry &entry : *all)
    plain += elfOf(entry, entry.object).size();
  EXPECT_LT(data->size(), plain);
  RecordProperty("bytes", static_cast<int>(data->size()));
}

TEST_F(CacheDamage, EveryFlippedByteCostsAtMostOneEntry) {
  std::vector<uint8_t> damaged = *data;
  for (size_t at = 0; at < data->size(); ++at) {
    const uint8_t sound = damaged[at];
    damaged[at] ^= uint8_t(1 << at % 8);
    // All of them now and then, else those that may be hit: that takes most of the time.
    CacheContent content(deserializerFor(gfx1100()), /*isExternallySynchronized=*/true);
    content.read(damaged);
    EXPECT_GE(content.size() + 1, at < 8 ? 0 : all->size()) << at;
    if (at % 16 == 0 || at < 64) {
      EXPECT_GE(readAll(damaged, std::to_string(at)) + 1, at < 8 ? 0 : all->size()) << at;
    }
    damaged[at] = sound;
  }
}

TEST_F(CacheDamage, TruncatedDataGivesWhatIsWhole) {
  std::minstd_rand random(7);
  for (unsigned i = 0; i < 200; ++i) {
    const size_t size = random() % data->size();
    EXPECT_LT(readAll(llvm::ArrayRef(*data).take_front(size), std::to_string(size)), all->size());
  }
}

TEST_F(CacheDamage, RandomDamageOfManyBytes) {
  std::minstd_rand random(8);
  for (unsigned i = 0; i < 300; ++i) {
    std::vector<uint8_t> damaged = *data;
    for (unsigned count = 1 + random() % 64; count; --count)
      damaged[random() % damaged.size()] = uint8_t(random());
    if (random() % 4 == 0) // a piece of the data somewhere else
      std::copy_n(data->begin() + long(random() % (data->size() / 2)), 1000,
                  damaged.begin() + long(random() % (data->size() / 2)));
    readAll(damaged, "seed " + std::to_string(i));
  }
}

TEST_F(CacheDamage, MaliciousRecordsInSoundEntries) {
  // Somebody who can compute checksums puts other records under the keys: they are refused, or are
  // code objects whose bytes the device's loader judges.
  std::minstd_rand random(9);
  size_t refused = 0;
  for (unsigned i = 0; i < 600; ++i) {
    const Entry &entry = (*all)[random() % all->size()];
    std::vector<uint8_t> record = entry.object->record();
    for (unsigned count = 1 + random() % 4; count; --count)
      record[random() % (i % 2 ? 64 : record.size())] = uint8_t(random() % 3 ? random() : 0xFF);
    if (i % 5 == 0)
      record.resize(random() % record.size());
    CacheContent forged(deserializerFor(gfx1100()), true),
        content(deserializerFor(gfx1100()), true);
    forged.insert(entry.key, std::make_shared<BytesObject>(record));
    bool isComplete = false;
    content.read(forged.write(SIZE_MAX, isComplete));
    const ShaderCache::Object object = content.find(entry.key);
    refused += object == nullptr;
    if (!object)
      continue;
    EXPECT_EQ(object->record().size(), record.size());
    (void)elfOf(entry, object); // nothing that crashes
  }
  EXPECT_GT(refused, 200u);
}

} // namespace
} // namespace icd
