//===- CacheTimes.cpp - what pipelines cost that are not compiled ---------===//
// SPDX-License-Identifier: MIT
#include "CacheTimes.h"
#include "ProcessorOfThread.h"
#include "Repeat.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Support/Compression.h"
#include <array>
#include <atomic>
#include <thread>

using llvm::Error;
using llvm::Expected;

namespace replay {
namespace {

template <typename T> T vkStruct(VkStructureType type, const void *next = nullptr) {
  T result = {};
  result.sType = type;
  result.pNext = const_cast<void *>(next);
  return result;
}

using Bytes = std::vector<uint8_t>;
template <typename T> using ByKind = std::array<T, std::size(pipelineKinds)>;

/// A capture that the device can have.
struct Entry {
  const Capture *capture;
  std::unique_ptr<PipelineInfo> info;
};

/// A device, its objects and create infos.
struct Setup {
  explicit Setup(std::unique_ptr<Device> made) : device(std::move(made)), replayer(*device) {}

  static Expected<std::unique_ptr<Setup>> create(const Driver &driver, size_t index,
                                                 const std::vector<std::string> &features,
                                                 const Captures &captures) {
    std::unique_ptr<Device> device = KILN_TRY(Device::create(driver, index, features));
    auto setup = std::make_unique<Setup>(std::move(device));
    for (const auto &capture : captures) {
      if (!setup->replayer.missing(*capture).empty())
        continue;
      std::unique_ptr<PipelineInfo> info = KILN_TRY(setup->replayer.info(*capture));
      // Libraries, and what is linked of them, have not all shaders themselves.
      const bool isLibrary = info->flags() & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
      if (isLibrary || !capture->libraries.empty() || capture->modules.empty())
        continue;
      setup->entries.push_back({capture.get(), std::move(info)});
    }
    return setup;
  }

  std::unique_ptr<Device> device;
  Replayer replayer;
  std::vector<Entry> entries;
};

class Pipelines {
public:
  explicit Pipelines(const Device &device) : device(device), handles(repeatBatch) {}
  ~Pipelines() { destroy(); }
  Pipelines(const Pipelines &) = delete;
  VkPipeline *operator[](size_t i) { return &handles[i]; }
  void destroy() {
    for (VkPipeline &handle : handles) {
      device.DestroyPipeline(device.handle, handle, nullptr);
      handle = VK_NULL_HANDLE;
    }
  }

private:
  const Device &device;
  std::vector<VkPipeline> handles;
};

class Cache {
public:
  explicit Cache(const Device &device, const Bytes &data = {}) : device(device) {
    auto info = vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
    info.initialDataSize = data.size();
    info.pInitialData = data.data();
    device.CreatePipelineCache(device.handle, &info, nullptr, &handle);
  }
  ~Cache() { device.DestroyPipelineCache(device.handle, handle, nullptr); }
  Cache(const Cache &) = delete;

  Bytes data() const {
    size_t size = 0;
    device.GetPipelineCacheData(device.handle, handle, &size, nullptr);
    Bytes bytes(size);
    device.GetPipelineCacheData(device.handle, handle, &size, bytes.data());
    bytes.resize(size);
    return bytes;
  }

  const Device &device;
  VkPipelineCache handle = VK_NULL_HANDLE;
};

/// What is packed already stays as it is.
double packedSize(const Bytes &bytes) {
  if (!llvm::compression::zstd::isAvailable())
    return static_cast<double>(bytes.size());
  llvm::SmallVector<uint8_t, 0> packed;
  llvm::compression::zstd::compress(bytes, packed, /*Level=*/3);
  return static_cast<double>(std::min(packed.size(), bytes.size()));
}

/// Captures of programs that had the same features enabled.
class CacheTimes {
public:
  CacheTimes(Setup &setup, const CacheTimesOptions &options, ReportFigure report)
      : setup(setup), device(*setup.device), options(options), report(report), pipelines(device),
        caches{Cache(device), Cache(device), Cache(device)} {}

  Error run() {
    KILN_TRY(forEach([&](Entry &entry) { return compileRequired(entry); }));
    KILN_TRY(forEach([&](Entry &entry) { return fill(entry); }));
    if (!options.goesOn())
      return Error::success();
    reportTotals();
    KILN_TRY(forEach([&](Entry &entry) -> Error {
      sameCache(entry);
      key(entry);
      KILN_TRY(identifiers(entry));
      return binaries(entry);
    }));
    for (const PipelineKindRow &row : pipelineKinds)
      if (options.goesOn())
        throughput(row.kind);
    return Error::success();
  }

  ByKind<Bytes> data() const {
    ByKind<Bytes> all;
    for (size_t i = 0; i < all.size(); ++i)
      all[i] = caches[i].data();
    return all;
  }

private:
  Error forEach(llvm::function_ref<Error(Entry &)> step) {
    for (Entry &entry : setup.entries) {
      if (!options.goesOn())
        break;
      KILN_TRY(step(entry));
      options.step();
    }
    return Error::success();
  }

  Cache &cacheOf(PipelineKind kind) { return caches[static_cast<size_t>(kind)]; }
  void tell(const char *what, const Entry &entry, double value) {
    report({what, entry.info->kind, entry.capture, value});
  }

  Error compileRequired(Entry &entry) {
    Cache empty(device);
    entry.info->flags() |= VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    VkResult result = VK_SUCCESS;
    const double time =
        repeat([&](unsigned i) { result = entry.info->create(device, empty.handle, pipelines[i]); },
               [&] { pipelines.destroy(); });
    entry.info->flags() &= ~VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    if (result != VK_PIPELINE_COMPILE_REQUIRED) // the driver has it already, in parts for example
      return check(result, "creation");
    tell(figure::compileRequired, entry, time);
    return Error::success();
  }

  /// The pipeline into a cache of its own, and from there into that of all.
  Error fill(Entry &entry) {
    Cache own(device);
    KILN_TRY(check(entry.info->create(device, own.handle, pipelines[0]), "creation"));
    pipelines.destroy();
    const Bytes bytes = own.data();
    tell(figure::rawSize, entry, static_cast<double>(bytes.size()));
    tell(figure::packedSize, entry, packedSize(bytes));
    return check(
        device.MergePipelineCaches(device.handle, cacheOf(entry.info->kind).handle, 1, &own.handle),
        "vkMergePipelineCaches");
  }

  void reportTotals() {
    for (const PipelineKindRow &row : pipelineKinds) {
      if (llvm::none_of(setup.entries, [&](const Entry &e) { return e.info->kind == row.kind; }))
        continue;
      const Bytes bytes = cacheOf(row.kind).data();
      report({figure::rawTotal, row.kind, nullptr, static_cast<double>(bytes.size())});
      report({figure::packedTotal, row.kind, nullptr, packedSize(bytes)});
    }
  }

  void sameCache(const Entry &entry) {
    Cache &cache = cacheOf(entry.info->kind);
    tell(figure::sameCache, entry,
         repeat([&](unsigned i) { entry.info->create(device, cache.handle, pipelines[i]); },
                [&] { pipelines.destroy(); }));
  }

  void key(const Entry &entry) {
    if (!device.GetPipelineKeyKHR)
      return;
    const auto info = vkStruct<VkPipelineCreateInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR,
                                                        entry.info->structure());
    auto key = vkStruct<VkPipelineBinaryKeyKHR>(VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR);
    tell(figure::key, entry,
         repeat([&](unsigned) { device.GetPipelineKeyKHR(device.handle, &info, &key); }, [] {}));
  }

  /// Of the module of the first stage.
  Error identifiers(const Entry &entry) {
    if (!device.GetShaderModuleIdentifierEXT)
      return Error::success();
    constexpr unsigned more = 32; // one is shorter than a look at the clock, shared by a batch
    auto identifier =
        vkStruct<VkShaderModuleIdentifierEXT>(VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT);
    const VkShaderModule module = setup.replayer.module(entry.capture->modules.front());
    auto ask = [&](unsigned) {
      for (unsigned i = 0; i < more; ++i)
        device.GetShaderModuleIdentifierEXT(device.handle, module, &identifier);
    };
    tell(figure::identifier, entry, repeat(ask, [] {}) / more);
    Expected<std::vector<uint32_t>> words =
        loadModule(*entry.capture, entry.capture->modules.front());
    if (!words)
      return words.takeError();
    auto info = vkStruct<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    info.codeSize = words->size() * 4;
    info.pCode = words->data();
    auto askCode = [&](unsigned) {
      device.GetShaderModuleCreateInfoIdentifierEXT(device.handle, &info, &identifier);
    };
    tell(figure::codeIdentifier, entry, repeat(askCode, [] {}));
    return Error::success();
  }

  /// What an application keeps of a pipeline.
  Error capture(const Entry &entry, std::vector<VkPipelineBinaryKeyKHR> &keys,
                std::vector<Bytes> &data) {
    auto flags = vkStruct<VkPipelineCreateFlags2CreateInfoKHR>(
        VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR, entry.info->next());
    flags.flags = entry.info->flags() | VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR;
    entry.info->next() = &flags;
    const VkResult created = entry.info->create(device, VK_NULL_HANDLE, pipelines[0]);
    entry.info->next() = flags.pNext;
    KILN_TRY(check(created, "creation with captured data"));
    auto from =
        vkStruct<VkPipelineBinaryCreateInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR);
    from.pipeline = *pipelines[0];
    std::vector<VkPipelineBinaryKHR> handles(16);
    KILN_TRY(makeBinaries(from, handles));
    for (VkPipelineBinaryKHR handle : handles) {
      auto info =
          vkStruct<VkPipelineBinaryDataInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_BINARY_DATA_INFO_KHR);
      info.pipelineBinary = handle;
      keys.push_back(vkStruct<VkPipelineBinaryKeyKHR>(VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR));
      size_t size = 0;
      device.GetPipelineBinaryDataKHR(device.handle, &info, &keys.back(), &size, nullptr);
      data.emplace_back(size);
      device.GetPipelineBinaryDataKHR(device.handle, &info, &keys.back(), &size,
                                      data.back().data());
    }
    destroy(handles);
    pipelines.destroy();
    return Error::success();
  }

  /// As many as \p handles has room for, which then has as many as there are.
  Error makeBinaries(const VkPipelineBinaryCreateInfoKHR &from,
                     std::vector<VkPipelineBinaryKHR> &handles) {
    auto list = vkStruct<VkPipelineBinaryHandlesInfoKHR>(
        VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR);
    list.pipelineBinaryCount = static_cast<uint32_t>(handles.size());
    list.pPipelineBinaries = handles.data();
    const VkResult result = device.CreatePipelineBinariesKHR(device.handle, &from, nullptr, &list);
    handles.resize(list.pipelineBinaryCount);
    return check(result, "vkCreatePipelineBinariesKHR");
  }

  void destroy(std::vector<VkPipelineBinaryKHR> &handles) {
    for (VkPipelineBinaryKHR &handle : handles) {
      device.DestroyPipelineBinaryKHR(device.handle, handle, nullptr);
      handle = VK_NULL_HANDLE;
    }
  }

  Error binaries(Entry &entry) {
    if (!device.CreatePipelineBinariesKHR)
      return Error::success();
    std::vector<VkPipelineBinaryKeyKHR> keys;
    std::vector<Bytes> kept;
    KILN_TRY(capture(entry, keys, kept));
    std::vector<VkPipelineBinaryDataKHR> data;
    double size = 0, packed = 0;
    for (Bytes &bytes : kept) {
      data.push_back({bytes.size(), bytes.data()});
      size += static_cast<double>(bytes.size());
      packed += packedSize(bytes);
    }
    tell(figure::rawBinaries, entry, size);
    tell(figure::packedBinaries, entry, packed);
    const VkPipelineBinaryKeysAndDataKHR both = {static_cast<uint32_t>(keys.size()), keys.data(),
                                                 data.data()};
    auto from =
        vkStruct<VkPipelineBinaryCreateInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR);
    from.pKeysAndDataInfo = &both;
    std::vector<std::vector<VkPipelineBinaryKHR>> made(
        repeatBatch, std::vector<VkPipelineBinaryKHR>(keys.size()));
    KILN_TRY(makeBinaries(from, made[0])); // it can be done
    destroy(made[0]);
    tell(figure::makeBinaries, entry,
         repeat([&](unsigned i) { llvm::consumeError(makeBinaries(from, made[i])); },
                [&] { llvm::for_each(made, [&](auto &handles) { destroy(handles); }); }));
    KILN_TRY(makeBinaries(from, made[0]));
    createFrom(entry, made[0]);
    destroy(made[0]);
    return Error::success();
  }

  /// Without modules, which is the point of it, and which not every driver can do.
  void createFrom(Entry &entry, llvm::ArrayRef<VkPipelineBinaryKHR> handles) {
    auto info = vkStruct<VkPipelineBinaryInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR,
                                                  entry.info->next());
    info.binaryCount = static_cast<uint32_t>(handles.size());
    info.pPipelineBinaries = handles.data();
    const std::vector<VkPipelineShaderStageCreateInfo> stages = entry.info->stages;
    for (VkPipelineShaderStageCreateInfo &stage : entry.info->stages)
      stage.module = VK_NULL_HANDLE;
    entry.info->compute.stage.module = VK_NULL_HANDLE; // the others point to the stages
    entry.info->next() = &info;
    const bool isPossible = entry.info->create(device, VK_NULL_HANDLE, pipelines[0]) == VK_SUCCESS;
    pipelines.destroy();
    if (isPossible)
      tell(figure::fromBinaries, entry,
           repeat([&](unsigned i) { entry.info->create(device, VK_NULL_HANDLE, pipelines[i]); },
                  [&] { pipelines.destroy(); }));
    entry.info->next() = info.pNext;
    llvm::copy(stages, entry.info->stages.begin());
    entry.info->compute.stage.module = stages[0].module;
  }

  /// Hits a microsecond of \p count threads, of which this is one.
  double hits(const std::vector<const Entry *> &entries, unsigned count) {
    constexpr unsigned warm = 64, each = 1024; // less than a scheduler's slice
    using Clock = std::chrono::steady_clock;
    const VkPipelineCache cache = cacheOf(entries[0]->info->kind).handle;
    std::atomic<unsigned> ready = 0;
    std::vector<Clock::time_point> begins(count), ends(count);
    auto work = [&](unsigned thread) {
      // The scheduler leaves threads that live for so short a time on one processor.
      const ProcessorOfThread processor(thread);
      auto create = [&](unsigned i) {
        VkPipeline pipeline = VK_NULL_HANDLE;
        entries[(i * 7 + thread) % entries.size()]->info->create(device, cache, &pipeline);
        device.DestroyPipeline(device.handle, pipeline, nullptr);
      };
      for (unsigned i = 0; i < warm; ++i) // a new thread's heap
        create(i);
      ++ready;
      while (ready < count) {
      }
      begins[thread] = Clock::now();
      for (unsigned i = 0; i < each; ++i)
        create(i);
      ends[thread] = Clock::now();
    };
    std::vector<std::thread> threads;
    for (unsigned thread = 1; thread < count; ++thread)
      threads.emplace_back(work, thread);
    work(0);
    for (std::thread &thread : threads)
      thread.join();
    const std::chrono::duration<double, std::micro> took =
        *std::max_element(ends.begin(), ends.end()) -
        *std::min_element(begins.begin(), begins.end());
    return count * each / took.count();
  }

  void throughput(PipelineKind kind) {
    std::vector<const Entry *> entries;
    for (const Entry &entry : setup.entries)
      if (entry.info->kind == kind)
        entries.push_back(&entry);
    if (entries.size() < 16)
      return;
    // The best of many: what else runs on the machine takes away, and never adds.
    double one = 0, two = 0;
    for (unsigned slice = 0; slice < 200; ++slice) {
      one = std::max(one, hits(entries, 1));
      two = std::max(two, hits(entries, 2));
    }
    report({figure::threads, kind, nullptr, two / one});
  }

  Setup &setup;
  const Device &device;
  const CacheTimesOptions &options;
  ReportFigure report;
  Pipelines pipelines;
  ByKind<Cache> caches; ///< of all pipelines
};

/// On devices that have nothing, each pipeline for the first time.
class LoadTimes {
public:
  explicit LoadTimes(ByKind<Bytes> data) : data(std::move(data)) {}

  void add(const Setup &setup) {
    const Device &device = *setup.device;
    Stopwatch load;
    const ByKind<Cache> caches = {
        {Cache(device, data[0]), Cache(device, data[1]), Cache(device, data[2])}};
    loads.push_back(load.wall());
    times.resize(setup.entries.size());
    for (size_t i = 0; i < setup.entries.size(); ++i) {
      const PipelineInfo &info = *setup.entries[i].info;
      VkPipeline pipeline = VK_NULL_HANDLE;
      Stopwatch time;
      info.create(device, caches[static_cast<size_t>(info.kind)].handle, &pipeline);
      times[i].push_back(time.wall());
      device.DestroyPipeline(device.handle, pipeline, nullptr);
    }
  }

  void tell(const Setup &setup, ReportFigure report) const {
    for (size_t i = 0; i < setup.entries.size(); ++i) {
      const Entry &entry = setup.entries[i];
      report({figure::firstHit, entry.info->kind, entry.capture, medianOf(times[i])});
      report({figure::loadData, entry.info->kind, entry.capture,
              medianOf(loads) / static_cast<double>(setup.entries.size())});
    }
  }

private:
  const ByKind<Bytes> data;
  std::vector<std::vector<double>> times; ///< by entry
  std::vector<double> loads;
};

Error measureGroup(const Driver &driver, const std::vector<std::string> &features,
                   const Captures &captures, const CacheTimesOptions &options,
                   ReportFigure report) {
  auto setup = KILN_TRY(Setup::create(driver, options.device, features, captures));
  if (options.settle)
    options.settle(*setup->device);
  CacheTimes times(*setup, options, report);
  KILN_TRY(times.run());
  LoadTimes loaded(times.data());
  for (unsigned round = 0; round < options.rounds && options.goesOn(); ++round) {
    auto other = KILN_TRY(Setup::create(driver, options.device, features, captures));
    if (options.settle)
      options.settle(*other->device);
    loaded.add(*other);
  }
  if (options.goesOn())
    loaded.tell(*setup, report);
  return Error::success();
}

} // namespace

Error measureCaches(const Driver &driver, const Captures &captures,
                    const CacheTimesOptions &options, ReportFigure report) {
  FeatureGroups groups = KILN_TRY(byFeatures(captures));
  for (const auto &[features, group] : groups)
    KILN_TRY(measureGroup(driver, features, group, options, report));
  return Error::success();
}

} // namespace replay
