//===- CacheExports.cpp - the driver's caches, and its code ---------------===//
// SPDX-License-Identifier: MIT
#include "CacheEntries.h"
#include "ItemCompiler.h"
#include "icd_glue/cache/DeviceDiskCache.h"
#include "icd_glue/cache/Record.h"
#include "icd_glue/context/PhysicalDevice.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "tools/replay/BuiltIn.h"
#include "tools/replay/Driver.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include <cstdlib>
#include <cstring>

using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace farm {
namespace {

using Domain = icd::CacheKey::Domain;

/// The driver with the plan's targets; devices are in their order.
Expected<std::unique_ptr<replay::Driver>> openDriver(const Plan &plan) {
  setenv("KILN_DEVICES", llvm::join(plan.targets, ",").c_str(), 1);
  auto driver = KILN_TRY(replay::Driver::open(replay::builtInDriver()));
  if (driver->devices().size() != plan.targets.size())
    return lgc::internalError("the driver does not have the plan's targets");
  return driver;
}

//===--- The cache on disk ------------------------------------------------===//

/// Names lead to records as in the driver's own cache, but those are named by content: the
/// compiler's key of a pipeline is not known here, and nothing else would look for it.
class DiskCacheExport final : public Export {
public:
  Error open(const Plan &plan, const std::string &path) {
    std::unique_ptr<replay::Driver> driver = KILN_TRY(openDriver(plan));
    for (VkPhysicalDevice device : driver->devices()) {
      icd::DiskCache::Options options;
      options.path = path;
      options.maxBytes = UINT64_MAX >> 1;
      options.generation = icd::diskGenerationOf(*icd::fromHandle<icd::PhysicalDevice>(device));
      options.writesLater = true;
      options.log = [this](StringRef text) { problem = text.str(); };
      caches.push_back(std::make_unique<icd::DiskCache>(std::move(options)));
      if (!caches.back()->isUsed())
        return lgc::limitExceeded(path + ": cannot be written " + problem);
    }
    return Error::success();
  }

  Error add(const MergedRow &merged) override {
    if (!isKind(merged, PayloadKind::Cache))
      return Error::success();
    icd::DiskCache &cache = *caches[merged.row.target];
    KILN_TRY(eachEntry(merged, [&](const icd::CacheEntryView &entry) {
      const icd::CacheKey key{entry.domain == Domain::Part ? Domain::Part : Domain::Code,
                              icd::contentHash(entry.record)};
      cache.store(key, entry.record);
      for (size_t at = 0; at < entry.keys.size(); at += sizeof(icd::KeyBytes))
        cache.store({entry.domain, icd::hashOf(entry.keys.data() + at)}, icd::encodeAlias(key));
      waiting += entry.record.size();
      return Error::success();
    }));
    // Far less than what the queue takes.
    constexpr uint64_t mostWaiting = 4 << 20;
    if (waiting < mostWaiting)
      return Error::success();
    waiting = 0;
    return flush();
  }

  Error finish() override {
    KILN_TRY(flush());
    caches.clear();
    return Error::success();
  }

private:
  Error flush() {
    for (const auto &cache : caches) {
      cache->flush();
      if (cache->counters().notStored)
        return lgc::limitExceeded("the cache on disk cannot be written " + problem);
    }
    return Error::success();
  }

  std::string problem;
  std::vector<std::unique_ptr<icd::DiskCache>> caches; ///< by target, all in one file
  uint64_t waiting = 0;
};

//===--- Data of a VkPipelineCache ----------------------------------------===//

/// A file that is written from its beginning to its end.
class OutputStream {
public:
  explicit OutputStream(std::string path) : path(std::move(path)) {}
  Error open() {
    std::error_code code;
    file = std::make_unique<llvm::raw_fd_ostream>(beside(), code);
    return code ? fault(code) : Error::success();
  }
  void write(ArrayRef<uint8_t> bytes) { *file << textOf(bytes); }
  /// The file is there from now on.
  Error close() {
    file->flush();
    std::error_code code = file->error();
    file->clear_error();
    file.reset();
    if (!code)
      code = llvm::sys::fs::rename(beside(), path);
    if (code)
      llvm::sys::fs::remove(beside());
    return code ? fault(code) : Error::success();
  }

private:
  std::string beside() const { return path + ".new"; }
  Error fault(std::error_code code) const {
    return lgc::limitExceeded(path + ": " + code.message());
  }
  const std::string path;
  std::unique_ptr<llvm::raw_fd_ostream> file;
};

class PipelineCacheExport final : public Export {
public:
  PipelineCacheExport(const Plan &plan, uint32_t target, const std::string &path)
      : plan(plan), target(target), out(path) {}

  Error open() {
    std::unique_ptr<replay::Driver> driver = KILN_TRY(openDriver(plan));
    const VkPhysicalDeviceProperties properties = driver->properties(target);
    head.headerSize = sizeof head;
    head.headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE;
    head.vendorID = properties.vendorID;
    head.deviceID = properties.deviceID;
    std::memcpy(head.pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE);
    return out.open();
  }

  Error add(const MergedRow &merged) override {
    if (merged.row.target != target || !isKind(merged, PayloadKind::Cache))
      return Error::success();
    return eachEntry(merged, [&](const icd::CacheEntryView &entry) {
      const llpc::Hash128 hash = icd::contentHash(entry.record);
      const auto at = static_cast<uint64_t>(
          entry.record.data() - reinterpret_cast<const uint8_t *>(merged.row.payload.data()));
      for (size_t key = 0; key < entry.keys.size(); key += sizeof(icd::KeyBytes))
        rows.push_back({hash, icd::hashOf(entry.keys.data() + key), merged.row.place + at,
                        static_cast<uint32_t>(entry.record.size()), merged.bucket, entry.domain});
      return Error::success();
    });
  }

  /// In the order of the driver's own data, so that it is the same whoever made it.
  Error finish() override {
    llvm::sort(rows, [](const Row &a, const Row &b) {
      return std::tie(a.domain, a.hash, a.key) < std::tie(b.domain, b.hash, b.key);
    });
    out.write({reinterpret_cast<const uint8_t *>(&head), sizeof head});
    out.write(icd::beginOfCacheData());
    for (size_t i = 0; i < rows.size();) {
      std::vector<llpc::Hash128> keys;
      size_t next = i;
      for (; next < rows.size() && rows[next].domain == rows[i].domain &&
             rows[next].hash == rows[i].hash;
           ++next)
        if (keys.empty() || keys.back() != rows[next].key)
          keys.push_back(rows[next].key);
      KILN_TRY(writeEntry(rows[i], keys));
      i = next;
    }
    return out.close();
  }

private:
  /// Of a record: 64 bytes, so that a million fit into a fraction of the memory of their code.
  struct Row {
    llpc::Hash128 hash, key;
    uint64_t place = 0; ///< in the bucket's file
    uint32_t bytes = 0, bucket = 0;
    Domain domain = Domain::Pipeline;
  };

  Error writeEntry(const Row &row, ArrayRef<llpc::Hash128> keys) {
    const std::string path = plan.bucketFile(row.bucket);
    auto record = llvm::MemoryBuffer::getFileSlice(path, row.bytes, row.place);
    if (!record)
      return lgc::invalidInput(path + ": " + record.getError().message());
    const ArrayRef<uint8_t> bytes = bytesOf((*record)->getBuffer());
    if (icd::contentHash(bytes) != row.hash)
      return lgc::invalidInput(path + ": has changed");
    std::vector<uint8_t> entry;
    icd::appendCacheEntry(entry, row.domain, keys, bytes);
    out.write(entry);
    return Error::success();
  }

  const Plan &plan;
  const uint32_t target;
  OutputStream out;
  VkPipelineCacheHeaderVersionOne head = {};
  std::vector<Row> rows;
};

//===--- Code -------------------------------------------------------------===//

/// POSIX's ustar, with nothing in it that is not the same every time.
class TarWriter {
public:
  explicit TarWriter(const std::string &path) : out(path) {}
  Error open() { return out.open(); }
  void add(const std::string &name, ArrayRef<uint8_t> bytes) {
    std::array<uint8_t, blockBytes> head = {};
    put(head, 0, name);
    put(head, 100, "0000644");
    put(head, 108, "0000000");
    put(head, 116, "0000000");
    put(head, 124, octal(bytes.size()));
    put(head, 136, octal(0));
    put(head, 148, "        ");
    head[156] = '0';
    put(head, 257, "ustar");
    put(head, 263, "00");
    unsigned sum = 0;
    for (uint8_t byte : head)
      sum += byte;
    put(head, 148, octal(sum).substr(5));
    head[154] = 0;
    out.write(head);
    out.write(bytes);
    out.write(ArrayRef(zeros).take_front(-bytes.size() % blockBytes));
  }
  Error close() {
    out.write(zeros);
    out.write(zeros);
    return out.close();
  }

private:
  static constexpr size_t blockBytes = 512;
  static constexpr std::array<uint8_t, blockBytes> zeros = {};
  static void put(std::array<uint8_t, blockBytes> &head, size_t at, StringRef text) {
    std::memcpy(head.data() + at, text.data(), text.size());
  }
  static std::string octal(uint64_t number) {
    std::string digits(11, '0');
    for (size_t i = digits.size(); i-- > 0; number /= 8)
      digits[i] = static_cast<char>('0' + number % 8);
    return digits;
  }
  OutputStream out;
};

class ElfExport final : public Export {
public:
  ElfExport(const Plan &plan, const std::string &path) : plan(plan), tar(path) {}
  Error open() { return tar.open(); }

  Error add(const MergedRow &merged) override {
    const std::string name =
        toText(merged.row.item) + "." + plan.targets[merged.row.target] + ".elf";
    const ArrayRef<uint8_t> payload = bytesOf(merged.row.payload);
    if (isKind(merged, PayloadKind::Elf))
      tar.add(name, payload.drop_front());
    else if (isKind(merged, PayloadKind::Sc))
      tar.add(name, payload.drop_front(std::min(payload.size(), 1 + scHeadBytes)));
    else
      return addRecords(name, merged);
    return Error::success();
  }
  Error finish() override { return tar.close(); }

private:
  Error addRecords(const std::string &name, const MergedRow &merged) {
    const pal::abi::GpuTarget *target = pal::abi::findTarget(plan.targets[merged.row.target]);
    if (!target)
      return lgc::unsupported("target " + plan.targets[merged.row.target]);
    return eachEntry(merged, [&](const icd::CacheEntryView &entry) -> Error {
      if (entry.domain != Domain::Pipeline)
        return Error::success();
      icd::Record record =
          KILN_TRY(icd::decodeRecord(entry.record, icd::RecordKind::Code, *target));
      std::vector<uint8_t> elf = KILN_TRY(icd::unpackElf(record.elfBytes, record.stored, *target));
      tar.add(name, elf);
      return Error::success();
    });
  }

  const Plan &plan;
  TarWriter tar;
};

template <typename Made, typename... Args>
Expected<std::unique_ptr<Export>> opened(std::unique_ptr<Made> made, Args &&...args) {
  KILN_TRY(made->open(std::forward<Args>(args)...));
  return std::move(made);
}

} // namespace

Expected<std::unique_ptr<Export>> diskCacheExport(const Plan &plan, const std::string &path) {
  return opened(std::make_unique<DiskCacheExport>(), plan, path);
}

Expected<std::unique_ptr<Export>> pipelineCacheExport(const Plan &plan, uint32_t target,
                                                      const std::string &path) {
  return opened(std::make_unique<PipelineCacheExport>(plan, target, path));
}

Expected<std::unique_ptr<Export>> elfExport(const Plan &plan, const std::string &path) {
  return opened(std::make_unique<ElfExport>(plan, path));
}

} // namespace farm
