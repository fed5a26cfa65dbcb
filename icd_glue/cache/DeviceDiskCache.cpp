//===- DeviceDiskCache.cpp - a device's cache on disk ---------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/DeviceDiskCache.h"
#include "icd_glue/cache/CacheFolder.h"
#include "icd_glue/context/CompilerIdentity.h"
#include "icd_glue/context/Instance.h"
#include "icd_glue/context/PhysicalDevice.h"
#include "llvm/Support/raw_ostream.h"
#include <sys/auxv.h>

using namespace llvm;

namespace icd {

/// Compiler and GPU; keys say the rest. But two ways of making code give other code under one key.
std::vector<uint8_t> diskGenerationOf(PhysicalDevice &device) {
  const auto &uuid = device.coreProperties().pipelineCacheUUID;
  const PartSettings &parts = device.instance().environment().parts;
  std::vector<uint8_t> generation(std::begin(uuid), std::end(uuid));
  generation.push_back(parts.mode != PartMode::Off);
  generation.push_back(device.instance().environment().directFirst);
  append_range(generation, device.instance().environment().disk.salt);
  return generation;
}

std::unique_ptr<DiskCache> openDiskCache(PhysicalDevice &device) {
  const DiskSettings &settings = device.instance().environment().disk;
  // Without one nobody can tell what another driver has stored.
  if (settings.mode == DiskMode::Off || getauxval(AT_SECURE) || compilerIdentity().empty())
    return nullptr;
  DiskCache::Options options;
  options.log = [&device](StringRef text) {
    const Object *subject = &device;
    device.instance().report({VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
                              VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT, "KILN-disk-cache",
                              text.str(), ArrayRef<const Object *>(subject)});
  };
  if (Expected<std::string> path = cacheFileOf(settings))
    options.path = std::move(*path);
  else
    options.log(toString(path.takeError()));
  options.isReadOnly = settings.mode == DiskMode::ReadOnly;
  options.readOnlyPaths = settings.readOnlyFiles;
  options.maxBytes = settings.maxBytes;
  options.generation = diskGenerationOf(device);
  options.writesLater = true;
  auto cache = std::make_unique<DiskCache>(std::move(options));
  return cache->isUsed() ? std::move(cache) : nullptr;
}

std::string textOf(const DiskCache::Counters &counters) {
  std::string text;
  raw_string_ostream os(text);
  os << "disk " << counters.hits << " hits, " << counters.readOnlyHits << " of them read only, "
     << counters.misses << " misses, " << counters.stored << " stored, " << counters.notStored
     << " not stored, " << counters.evicted << " evicted, " << counters.damaged << " damaged, "
     << counters.busy << " busy";
  return text;
}

} // namespace icd
