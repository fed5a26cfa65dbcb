//===- DiskDamageTest.cpp - damaged files of the cache on disk ------------===//
// SPDX-License-Identifier: MIT
// Each byte of a file is changed, and the file cut off at random places: a cache may lose entries
// by that, but never gives wrong ones, and never stops working. The tests of all bytes are run
// by ./kiln test --all (cache-damage-all); else it is one byte of many.
#include "icd_glue/cache/DiskCacheForTest.h"

namespace icd {
namespace {

using namespace disktest;

constexpr uint32_t entryCount = 20;

/// The file and its log, as they are while the cache is in use or when the last user has ended.
struct Image {
  std::vector<uint8_t> file, log;
};

Image imageOf(bool isInUse) {
  Folder folder;
  Image image;
  DiskCache::Options options = folder.options();
  options.writesLater = true; // in few transactions: a short log
  auto cache = std::make_unique<DiskCache>(options);
  for (uint32_t number = 0; number < entryCount; ++number)
    cache->store(keyOf(number), bytesOf(number));
  cache->flush();
  if (!isInUse)
    cache.reset();
  image.file = readFile(folder.path());
  image.log = readFile(folder.path() + "-wal");
  EXPECT_EQ(image.log.empty(), !isInUse);
  return image;
}

struct Outcome {
  uint32_t found = 0;
  bool isUsed = false; ///< at the end
};

/// Has \p bytes been stored under this number? A damaged tree may hold one key twice.
bool isOneOf(const std::vector<uint8_t> &bytes, uint32_t number) {
  return bytes == bytesOf(number) || (number >= 10 && bytes == bytesOf(number + 100));
}

/// A new process finds \p image.
Outcome use(const Image &image) {
  Folder folder;
  writeFile(folder.path(), image.file);
  if (!image.log.empty())
    writeFile(folder.path() + "-wal", image.log);
  Outcome outcome;
  {
    DiskCache cache(folder.options());
    for (uint32_t number = 0; number < entryCount; ++number)
      if (auto found = cache.load(keyOf(number))) {
        EXPECT_EQ(*found, bytesOf(number));
        ++outcome.found;
      }
    for (uint32_t number = 10; number < entryCount + 5; ++number) {
      cache.storeNow(keyOf(number), bytesOf(number + 100));
      if (auto found = cache.load(keyOf(number))) {
        EXPECT_TRUE(isOneOf(*found, number));
      }
    }
    outcome.isUsed = cache.isUsed();
  }
  DiskCache next(folder.options());
  for (uint32_t number = 0; number < entryCount + 5; ++number)
    if (auto found = next.load(keyOf(number))) {
      EXPECT_TRUE(isOneOf(*found, number));
    }
  EXPECT_LE(folder.messages.size(), 4u);
  return outcome;
}

struct Sums {
  uint64_t images = 0, found = 0, unused = 0;

  void add(const Image &image, const char *what, size_t position) {
    SCOPED_TRACE(what + std::to_string(position));
    const Outcome outcome = use(image);
    ++images;
    found += outcome.found;
    unused += !outcome.isUsed;
  }
};

/// Changes every \p stride'th byte of what \p part gives, in one or in all bits.
Sums changeBytes(const Image &image, std::vector<uint8_t> Image::*part, size_t stride) {
  Sums sums;
  for (size_t position = 0; position < (image.*part).size(); position += stride) {
    Image damaged = image;
    (damaged.*part)[position] ^= position & 1 ? 0xff : 1 << (position / 2 % 8);
    sums.add(damaged, "changed byte ", position);
  }
  return sums;
}

Sums cutOff(const Image &image, std::vector<uint8_t> Image::*part, unsigned count) {
  Sums sums;
  std::mt19937 random(1);
  for (unsigned index = 0; index < count; ++index) {
    Image damaged = image;
    const size_t size = index < 20 ? index * 5 : random() % image.file.size();
    (damaged.*part).resize(std::min(size, (image.*part).size()));
    sums.add(damaged, "cut off at ", size);
  }
  return sums;
}

/// Most damage costs one entry; it would not be worth much otherwise.
void expectMostFound(const Sums &sums) {
  EXPECT_GT(sums.found, sums.images * entryCount / 2);
  EXPECT_LT(sums.unused, sums.images / 50 + 20);
}

TEST(DiskDamage, nothingIsLostWithoutDamage) {
  for (bool isInUse : {false, true}) {
    const Outcome outcome = use(imageOf(isInUse));
    EXPECT_EQ(outcome.found, entryCount);
    EXPECT_TRUE(outcome.isUsed);
  }
}

TEST(DiskDamage, someBytesOfTheFile) {
  expectMostFound(changeBytes(imageOf(false), &Image::file, 131));
}
TEST(DiskDamage, theHeaderOfTheFile) {
  Image image = imageOf(false);
  for (size_t position = 0; position < 100; ++position) {
    Image damaged = image;
    damaged.file[position] ^= 1;
    Sums().add(damaged, "changed byte ", position);
  }
}
TEST(DiskDamage, someBytesOfTheLog) { changeBytes(imageOf(true), &Image::log, 331); }
TEST(DiskDamage, cutOffFile) { cutOff(imageOf(false), &Image::file, 200); }
TEST(DiskDamage, cutOffLog) { cutOff(imageOf(true), &Image::log, 200); }

TEST(DiskDamage, DISABLED_allBytesOfTheFile) {
  expectMostFound(changeBytes(imageOf(false), &Image::file, 1));
}
TEST(DiskDamage, DISABLED_allBytesOfTheLog) { changeBytes(imageOf(true), &Image::log, 1); }

} // namespace
} // namespace icd
