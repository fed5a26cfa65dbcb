//===- FuzzCacheBlob.cpp - fuzz target: data of a VkPipelineCache ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// The input is what an application gives as initial data. Whatever it is, reading it returns; what
/// comes out is code for this GPU that can be written and read again. Inputs are made from data
/// with parts built by hand; some mutations are made inside of the records, and packed again with
/// right checksums: random bytes would not get past these.
#include "icd_glue/cache/BytesForTest.h"
#include "icd_glue/cache/CacheContent.h"
#include "icd_glue/cache/CodePacking.h"
#include "icd_glue/cache/Record.h"
#include "lgc/link/PartsForTest.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace icd;

/// The driver's own is made of code that it compiles. Here are words that parts have.
llvm::ArrayRef<uint8_t> icd::packingDictionary(const pal::abi::GpuTarget &) {
  static constexpr uint8_t words[] = "amdpal.pipelines.hardware_stages.registers.kiln.part";
  return words;
}

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace {

const pal::abi::GpuTarget &gfx1100() { return *pal::abi::findTarget("gfx1100"); }

void require(bool condition, const char *what) {
  if (condition)
    return;
  std::fprintf(stderr, "fuzz-cache-blob: %s\n", what);
  std::abort();
}

constexpr CacheKey codeKey = {CacheKey::Domain::Pipeline, {1, 2, 3, 4}};
constexpr CacheKey partKey = {CacheKey::Domain::Part, {5, 6, 7, 8}};

std::vector<uint8_t> sampleRecord(const CacheKey &key) {
  const std::vector<uint8_t> elf = lgc::test::computePart().build();
  if (key.domain == CacheKey::Domain::Part)
    return encodeRecord({RecordKind::Part, 0, {}, {.isStandIn = true}, {}, {"warning"}}, elf,
                        gfx1100());
  return encodeRecord({RecordKind::Code, 0x20, {1, 2, 3, 4}, {.isLinked = true}, "main", {}}, elf,
                      gfx1100());
}

/// As the driver does it (pipeline/Deserialize.cpp), but that the objects keep the record only.
llvm::Expected<ShaderCache::Object> deserialize(const CacheKey &key, std::vector<uint8_t> record) {
  const bool isPart = key.domain == CacheKey::Domain::Part;
  auto content = decodeRecord(record, isPart ? RecordKind::Part : RecordKind::Code, gfx1100());
  if (!content)
    return content.takeError();
  auto elf = unpackElf(content->elfBytes, content->stored, gfx1100());
  if (!elf)
    return elf.takeError();
  if (isPart)
    if (auto part = lgc::Part::create(*elf); !part)
      return part.takeError();
  // Others may have packed it in another way.
  const std::vector<uint8_t> encoded = encodeRecord(content->head, *elf, gfx1100());
  auto again = decodeRecord(encoded, content->head.kind, gfx1100());
  require(again && again->head.name == content->head.name && again->elfBytes == elf->size(),
          "a record is read wrongly");
  return std::make_shared<BytesObject>(std::move(record));
}

/// Data with one record under each key.
std::vector<uint8_t> dataOf(std::vector<uint8_t> code, std::vector<uint8_t> part) {
  CacheContent content(deserialize, /*isExternallySynchronized=*/true);
  content.insert(codeKey, std::make_shared<BytesObject>(std::move(code)));
  content.insert(partKey, std::make_shared<BytesObject>(std::move(part)));
  bool isComplete = false;
  return content.write(SIZE_MAX, isComplete);
}

/// Is what was found what its own record says?
void judge(const CacheKey &key, const ShaderCache::Object &object) {
  if (!object)
    return;
  auto again = deserialize(key, object->record());
  require(bool(again), "a record that was taken is refused");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  CacheContent content(deserialize, /*isExternallySynchronized=*/false);
  content.read({data, size});
  for (const CacheKey &key : {codeKey, partKey})
    judge(key, content.find(key));
  bool isComplete = false;
  const std::vector<uint8_t> written = content.write(SIZE_MAX, isComplete);
  CacheContent again(deserialize, /*isExternallySynchronized=*/true);
  again.read(written);
  require(again.write(SIZE_MAX, isComplete) == written, "data changes when it is read and written");
  content.write(size / 2, isComplete);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  if (size > 64 && seed % 4)
    return LLVMFuzzerMutate(data, size, maxSize);
  // A record that is changed inside.
  std::vector<uint8_t> records[] = {sampleRecord(codeKey), sampleRecord(partKey)};
  std::vector<uint8_t> &changed = records[seed / 4 % 2];
  const size_t room = changed.size() + 64;
  changed.resize(room);
  changed.resize(LLVMFuzzerMutate(changed.data(), room - 64, room));
  const std::vector<uint8_t> made = dataOf(records[0], records[1]);
  if (made.size() > maxSize)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::memcpy(data, made.data(), made.size());
  return made.size();
}
