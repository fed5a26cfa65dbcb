//===- FileTrust.cpp - who may have written what is read ------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/FileTrust.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace icd {
namespace {

/// Numbers as linux/magic.h and the file systems' own sources have them.
constexpr uint32_t remoteTypes[] = {
    0x6969,     // NFS
    0x517b,     // SMB
    0xff534d42, // CIFS
    0xfe534d42, // SMB 2 and later
    0x564c,     // NetWare
    0x5346414f, // AFS (OpenAFS)
    0x6b414653, // AFS (kernel)
    0x73757245, // Coda
    0x00c36400, // Ceph
    0x01021997, // 9p
    0x0bd00bd0, // Lustre
    0x47504653, // GPFS
    0x19830326, // BeeGFS
    0x20030528, // OrangeFS, PVFS2
    0xaad7aaea, // PanFS
    0xbeefdead, // StorNext
    0x013111a8, // IBRIX
    0x61636673, // ACFS
    0x01161970, // GFS2
    0x7461636f, // OCFS2
    0x65735546, // FUSE: sshfs, GlusterFS, clients of object stores
    0x786f4256, // folders of VirtualBox's host
    0xbacbacbc, // of VMware's
    0x7c7c6673, // of Parallels'
};

bool isOwner(uid_t uid, Owner owner) {
  return uid == geteuid() || (owner == Owner::UserOrRoot && uid == 0);
}

/// Empty: nobody else may change it.
std::string whyUnsafe(const struct stat &status, Owner owner) {
  if (!isOwner(status.st_uid, owner))
    return "belongs to somebody else";
  // With access control lists the bits of the group are those of everybody in the list.
  if (status.st_mode & (S_IWGRP | S_IWOTH))
    return "can be written by others";
  return {};
}

/// In a user namespace, such as that of a sandbox, what belongs to root outside seems to belong to
/// the user that stands for all who have no number inside (user_namespaces(7)).
bool isOutsideOfNamespace(uid_t uid) {
  std::ifstream map("/proc/self/uid_map"), overflow("/proc/sys/kernel/overflowuid");
  uint64_t inside = 0, outside = 0, count = 0, unmapped = 0;
  const bool isWhole = !(map >> inside >> outside >> count) || count == UINT32_MAX;
  return !isWhole && overflow >> unmapped && uid == unmapped;
}

/// Why somebody else may put another folder in the place of what lies in the folder \p status.
std::string whyExchangeable(const struct stat &status) {
  // Owners rename what is in it, sticky or not.
  if (!isOwner(status.st_uid, Owner::UserOrRoot) && !isOutsideOfNamespace(status.st_uid))
    return "lies in a folder of somebody else";
  const bool byGroup = (status.st_mode & S_IWGRP) && status.st_gid != getegid();
  // Sticky, as /tmp is: only owners rename what is in it.
  if ((byGroup || (status.st_mode & S_IWOTH)) && !(status.st_mode & S_ISVTX))
    return "others can exchange it";
  return {};
}

/// The same for every folder above \p path, whose links are resolved.
std::string whyExchangeable(StringRef path) {
  for (StringRef above = sys::path::parent_path(path); !above.empty();
       above = sys::path::parent_path(above)) {
    struct stat status;
    if (stat(above.str().c_str(), &status) != 0)
      return "others can exchange it";
    if (std::string why = whyExchangeable(status); !why.empty())
      return why;
  }
  return {};
}

} // namespace

std::string resolvedPath(const std::string &path) {
  char *real = realpath(path.c_str(), nullptr);
  std::string result = real ? real : "";
  free(real);
  return result;
}

std::string withResolvedFolder(const std::string &path) {
  SmallString<128> name{StringRef(path)};
  sys::path::remove_dots(name); // a link in front of them or of a slash would be followed
  StringRef folder = sys::path::parent_path(name);
  SmallString<128> result{StringRef(resolvedPath(folder.empty() ? "." : folder.str()))};
  if (result.empty())
    return path;
  sys::path::append(result, sys::path::filename(name));
  return result.str().str();
}

std::string whyFolderIsUnsafe(const std::string &path, Owner owner) {
  const std::string place = withResolvedFolder(path);
  struct stat status;
  if (lstat(place.c_str(), &status) != 0)
    return "no folder";
  if (S_ISLNK(status.st_mode))
    return "is a symbolic link";
  if (!S_ISDIR(status.st_mode))
    return "no folder";
  std::string why = whyUnsafe(status, owner);
  return why.empty() ? whyExchangeable(place) : why;
}

std::string whyFolderCannotBeMade(const std::string &path) {
  SmallString<128> place{StringRef(path)};
  struct stat status;
  if (lstat(place.c_str(), &status) == 0)
    return {};
  for (;; sys::path::remove_filename(place)) {
    if (place.empty())
      place = ".";
    if (lstat(place.c_str(), &status) == 0)
      break;
    if (errno != ENOENT || place == ".")
      return errno == ENOTDIR ? "no folder" : "cannot be looked at";
  }
  const std::string above = resolvedPath(place.str().str());
  if (above.empty() || stat(above.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
    return "no folder";
  std::string why = whyExchangeable(status);
  return why.empty() ? whyExchangeable(above) : why;
}

std::string whyFileIsUnsafe(const std::string &path, Owner owner) {
  struct stat status;
  if (lstat(path.c_str(), &status) != 0)
    return errno == ENOENT ? "" : "cannot be looked at";
  if (S_ISLNK(status.st_mode))
    return "is a symbolic link";
  if (!S_ISREG(status.st_mode))
    return "is no file";
  return whyUnsafe(status, owner);
}

bool isRemoteFileSystem(uint32_t type) { return is_contained(remoteTypes, type); }

} // namespace icd
