//===- CacheFolder.cpp - where the cache on disk lies ---------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/CacheFolder.h"
#include "icd_glue/cache/FileTrust.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <sys/auxv.h>
#include <sys/vfs.h>
#include <unistd.h>

using namespace llvm;

namespace icd {
namespace {

/// The number is that of the tables (CacheDatabase): files of other versions lie beside it.
constexpr const char *fileName = "cache-1.db";

bool isRemote(const std::string &folder) {
  struct statfs status;
  return statfs(folder.c_str(), &status) == 0 &&
         isRemoteFileSystem(static_cast<uint32_t>(status.f_type));
}

/// Why the folder is of no use. Empty: it is.
std::string whyUnusable(const DiskSettings &settings) {
  const bool isWritten = settings.mode == DiskMode::On;
  std::string why = whyFolderIsUnsafe(settings.folder, isWritten ? Owner::User : Owner::UserOrRoot);
  if (!why.empty())
    return why;
  const int access = isWritten ? R_OK | W_OK | X_OK : R_OK | X_OK;
  if (::access(settings.folder.c_str(), access) != 0)
    return "no permission";
  // SQLite's log needs memory that all users share.
  return isRemote(settings.folder) ? "lies on another machine" : "";
}

/// Somebody may be up to something; everything else happens to the usual folder in good faith, such
/// as the user's home when root runs the program.
bool isSuspicious(StringRef why) {
  return why == "is a symbolic link" || why == "can be written by others" ||
         why == "others can exchange it";
}

} // namespace

Expected<std::string> cacheFileOf(const DiskSettings &settings) {
  if (settings.mode == DiskMode::Off || settings.folder.empty() || getauxval(AT_SECURE))
    return std::string();
  std::string why;
  if (settings.mode == DiskMode::On) {
    why = whyFolderCannotBeMade(settings.folder);
    if (why.empty())
      consumeError(
          errorCodeToError(sys::fs::create_directories(settings.folder, true, sys::fs::owner_all)));
  }
  if (why.empty())
    why = whyUnusable(settings);
  if (!why.empty()) {
    if (settings.isFolderChosen || isSuspicious(why))
      return createStringError(inconvertibleErrorCode(),
                               "cache folder '" + settings.folder + "': " + why);
    return std::string();
  }
  SmallString<128> path{StringRef(withResolvedFolder(settings.folder))};
  sys::path::append(path, fileName);
  return path.str().str();
}

std::string recipeFileBeside(StringRef cacheFile) {
  SmallString<128> path(sys::path::parent_path(cacheFile));
  sys::path::append(path, "recipes-1.db");
  return path.str().str();
}

} // namespace icd
