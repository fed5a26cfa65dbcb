//===- CacheFolder.cpp - where the cache on disk lies ---------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/CacheFolder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

using namespace llvm;

namespace icd {
namespace {

/// The number is that of the tables (CacheDatabase): files of other versions lie beside it.
constexpr const char *fileName = "cache-1.db";

/// f_type of NFS, SMB, CIFS, SMB2, AFS, Ceph, 9p.
constexpr uint32_t remoteTypes[] = {0x6969,     0x517b,     0xff534d42, 0xfe534d42,
                                    0x5346414f, 0x00c36400, 0x01021997};

Error unusable(const Twine &folder, const Twine &why) {
  return createStringError(inconvertibleErrorCode(), "cache folder '" + folder + "': " + why);
}

bool isRemote(const std::string &folder) {
  struct statfs status;
  return statfs(folder.c_str(), &status) == 0 &&
         is_contained(remoteTypes, static_cast<uint32_t>(status.f_type));
}

Error checkFolder(const DiskSettings &settings) {
  struct stat status;
  if (stat(settings.folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
    return unusable(settings.folder, "no folder");
  // Such as the user's home when root runs the program: what root writes there is in the way later.
  if (!settings.isFolderChosen && status.st_uid != geteuid())
    return unusable(settings.folder, "belongs to somebody else");
  const int access = settings.mode == DiskMode::On ? R_OK | W_OK | X_OK : R_OK | X_OK;
  if (::access(settings.folder.c_str(), access) != 0)
    return unusable(settings.folder, "no permission");
  // SQLite's log needs memory that all users share.
  if (isRemote(settings.folder))
    return unusable(settings.folder, "lies on another machine");
  return Error::success();
}

} // namespace

Expected<std::string> cacheFileOf(const DiskSettings &settings) {
  if (settings.mode == DiskMode::Off || settings.folder.empty() || getauxval(AT_SECURE))
    return std::string();
  if (settings.mode == DiskMode::On)
    (void)sys::fs::create_directories(settings.folder, true, sys::fs::owner_all);
  if (Error error = checkFolder(settings)) {
    if (settings.isFolderChosen)
      return std::move(error);
    consumeError(std::move(error));
    return std::string();
  }
  SmallString<128> path(settings.folder);
  sys::path::append(path, fileName);
  return path.str().str();
}

} // namespace icd
