//===- CacheUser.cpp - uses the cache on disk until it is killed ----------===//
// SPDX-License-Identifier: MIT
// For kill.py:
//
//     kiln-cache-user FILE MAX-MB SEED     two threads store and load random entries for ever; each
//                                          number whose entry is stored is a line of the output
//     kiln-cache-user FILE MAX-MB check    loads the entries whose numbers are lines of the input;
//                                          those that are not there are lines of the output
//     kiln-cache-user FILE MAX-MB measure  prints how long everything takes; entries are as large
//     as
//                                          those of compute shaders
//
// An entry that is not what was stored, or any message of the cache, ends it with exit code 3.
#include "icd_glue/cache/DiskCache.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <unistd.h>

using namespace icd;

namespace {

constexpr uint32_t numberCount = 20000;

[[noreturn]] void fail(llvm::StringRef why) {
  fprintf(stderr, "%s\n", why.str().c_str());
  _exit(3);
}

CacheKey keyOf(uint32_t number) {
  return {number & 1 ? CacheKey::Domain::Part : CacheKey::Domain::Code,
          {number, ~number, number * 7, 5}};
}

/// Any version of an entry is right: number, version, and bytes that follow from both.
std::vector<uint8_t> bytesOf(uint32_t number, uint32_t version) {
  std::mt19937 random(number * 31 + version);
  std::vector<uint8_t> bytes(8 + random() % 300 + (random() % 16 ? 0 : random() % 20000));
  for (size_t position = 8; position < bytes.size(); ++position)
    bytes[position] = static_cast<uint8_t>(position % 5 ? number : random());
  memcpy(&bytes[0], &number, 4);
  memcpy(&bytes[4], &version, 4);
  return bytes;
}

bool isThere(DiskCache &cache, uint32_t number) {
  auto bytes = cache.load(keyOf(number));
  if (!bytes)
    return false;
  uint32_t version = 0;
  if (bytes->size() >= 8)
    memcpy(&version, &(*bytes)[4], 4);
  if (*bytes != bytesOf(number, version))
    fail("entry " + std::to_string(number) + " is wrong");
  return true;
}

void say(uint32_t number) {
  char line[16];
  const int size = snprintf(line, sizeof(line), "%u\n", number);
  // One write for each line: all of it arrives, or nothing.
  if (write(STDOUT_FILENO, line, static_cast<size_t>(size)) != size)
    _exit(4);
}

[[noreturn]] void useForEver(DiskCache &cache, uint32_t seed) {
  std::mt19937 random(seed);
  while (true) {
    const uint32_t number = random() % numberCount;
    if (random() % 2)
      isThere(cache, number);
    else if (cache.storeNow(keyOf(number), bytesOf(number, random())))
      say(number);
  }
}

void check(DiskCache &cache) {
  uint32_t number = 0;
  while (scanf("%u", &number) == 1)
    if (!isThere(cache, number))
      say(number);
}

/// Prints the median and the worst of a hundred, in microseconds.
template <typename Call> void measure(const char *what, uint32_t count, Call &&call) {
  std::vector<double> times;
  for (uint32_t index = 0; index < count; ++index) {
    const auto start = std::chrono::steady_clock::now();
    call(index);
    times.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
            .count());
  }
  std::sort(times.begin(), times.end());
  printf("%-24s median %7.1f us, 99 %% within %8.1f us\n", what, times[count / 2],
         times[count * 99 / 100]);
}

void measureAll(const DiskCache::Options &options) {
  constexpr uint32_t count = 2000;
  const auto entryOf = [](uint32_t number) {
    std::vector<uint8_t> bytes(3200, static_cast<uint8_t>(number));
    std::mt19937 random(number);
    std::generate_n(bytes.begin(), 1300, [&] { return static_cast<uint8_t>(random()); });
    return bytes;
  };
  {
    DiskCache cache(options);
    measure("store", count, [&](uint32_t index) { cache.storeNow(keyOf(index), entryOf(index)); });
    measure("hit of the same process", count, [&](uint32_t index) { cache.load(keyOf(index)); });
    measure("miss", count, [&](uint32_t index) { cache.load(keyOf(index + count)); });
  }
  measure("open and close", 100, [&](uint32_t) { DiskCache cache(options); });
  DiskCache cache(options);
  measure("first hit of an entry", count, [&](uint32_t index) { cache.load(keyOf(index)); });
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  DiskCache::Options options;
  options.path = argv[1];
  options.maxBytes = uint64_t(atoi(argv[2])) << 20;
  options.generation = {1};
  options.readWaitMs = options.writeWaitMs = 5000;
  options.log = fail;
  if (strcmp(argv[3], "measure") == 0) {
    measureAll(options);
    return 0;
  }
  DiskCache cache(options);
  if (!cache.isUsed())
    fail("no cache");
  if (strcmp(argv[3], "check") == 0) {
    check(cache);
    return 0;
  }
  const uint32_t seed = static_cast<uint32_t>(atoi(argv[3]));
  std::thread second([&] { useForEver(cache, 2 * seed); });
  useForEver(cache, 2 * seed + 1);
}
