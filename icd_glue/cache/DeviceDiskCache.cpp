//===- DeviceDiskCache.cpp - a device's cache on disk ---------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/DeviceDiskCache.h"
#include "icd_glue/cache/CacheFolder.h"
#include "icd_glue/cache/FileTrust.h"
#include "icd_glue/context/CompilerIdentity.h"
#include "icd_glue/context/Instance.h"
#include "icd_glue/context/PhysicalDevice.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Support/Path.h"
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

static void warn(PhysicalDevice &device, const char *name, StringRef text) {
  const Object *subject = &device;
  device.instance().report({VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
                            VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT, name, text.str(),
                            ArrayRef<const Object *>(subject)});
}

/// Nobody else may write such a file, or put another one in its place.
static Expected<Secrets> keysOf(const std::string &path) {
  const std::string folder = sys::path::parent_path(path).str();
  if (std::string why = whyFolderIsUnsafe(folder.empty() ? "." : folder, Owner::UserOrRoot);
      !why.empty())
    return lgc::invalidInput("'" + path + "': the folder of the keys: " + why);
  return Secrets::load(path);
}

/// Why somebody else may have written what lies at \p path, without links; empty: nobody may.
static std::string whyUntrusted(const std::string &path) {
  std::string why = whyFolderIsUnsafe(sys::path::parent_path(path).str(), Owner::UserOrRoot);
  if (!why.empty())
    return "its folder " + why;
  why = whyFileIsUnsafe(path, Owner::UserOrRoot);
  return why.empty() ? why : "it " + why;
}

/// Those of \p files that somebody has signed who is trusted.
static std::vector<std::string> signedFiles(const DiskSettings &settings,
                                            function_ref<void(StringRef)> log) {
  std::vector<std::string> files;
  auto keys = keysOf(settings.readOnlyKeys);
  auto verifier = keys ? Verifier::create(keys->publics)
                       : Expected<std::unique_ptr<Verifier>>(keys.takeError());
  if (!verifier) {
    log(toString(verifier.takeError()) + "; no file of KILN_CACHE_READ_ONLY is used");
    return files;
  }
  for (const std::string &name : settings.readOnlyFiles) {
    // Links are followed once: what is verified is what is used.
    const std::string file = resolvedPath(name);
    // Nothing that others can exchange is read as a whole: it may have no end.
    if (std::string why = file.empty() ? "no such file" : whyUntrusted(file); !why.empty())
      log("'" + name + "' is not used: " + why);
    else if (Error error = (*verifier)->verifyFile(file))
      log(toString(std::move(error)) + "; it is not used");
    else
      files.push_back(file);
  }
  return files;
}

std::unique_ptr<DiskCache> openDiskCache(PhysicalDevice &device) {
  const DiskSettings &settings = device.instance().environment().disk;
  // Without one nobody can tell what another driver has stored.
  if (settings.mode == DiskMode::Off || getauxval(AT_SECURE) || compilerIdentity().empty())
    return nullptr;
  DiskCache::Options options;
  options.log = [&device](StringRef text) { warn(device, "KILN-disk-cache", text); };
  if (Expected<std::string> path = cacheFileOf(settings))
    options.path = std::move(*path);
  else
    options.log(toString(path.takeError()));
  options.isReadOnly = settings.mode == DiskMode::ReadOnly;
  options.readOnlyPaths =
      settings.readOnlyKeys.empty() ? settings.readOnlyFiles : signedFiles(settings, options.log);
  options.maxBytes = settings.maxBytes;
  options.generation = diskGenerationOf(device);
  options.writesLater = true;
  auto cache = std::make_unique<DiskCache>(std::move(options));
  return cache->isUsed() ? std::move(cache) : nullptr;
}

static Expected<ServerLayer::Options> serverOptionsOf(const DiskSettings &settings) {
  ServerLayer::Options options;
  options.server.address = KILN_TRY(ServerAddress::parse(settings.server));
  if (settings.serverKeys.empty())
    return lgc::invalidInput("KILN_CACHE_SERVER needs KILN_CACHE_SERVER_KEYS");
  Secrets keys = KILN_TRY(keysOf(settings.serverKeys));
  if (!keys.name)
    return lgc::invalidInput(settings.serverKeys + ": no key to name with");
  options.nameKey = *keys.name;
  options.verifier = KILN_TRY(Verifier::create(keys.publics));
  options.server.user = keys.user;
  options.server.password = keys.password;
  options.server.looksUpAside = true;
  if (options.server.address.isTls)
    options.server.tls = KILN_TRY(TlsContext::create(keys.tls));
  return options;
}

std::unique_ptr<ServerLayer> openServerLayer(PhysicalDevice &device, DiskCache *disk) {
  const DiskSettings &settings = device.instance().environment().disk;
  if (settings.server.empty() || getauxval(AT_SECURE) || compilerIdentity().empty())
    return nullptr;
  auto options = serverOptionsOf(settings);
  if (!options) {
    warn(device, "KILN-cache-server", toString(options.takeError()) + "; no server is asked");
    return nullptr;
  }
  options->compiler = compilerIdentity();
  options->target = device.target().name.str();
  return std::make_unique<ServerLayer>(std::move(*options), disk);
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
