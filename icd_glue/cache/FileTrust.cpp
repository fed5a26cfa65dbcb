//===- FileTrust.cpp - who may have written what is read ------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/FileTrust.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstdlib>
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

/// Whether others may put another folder in the place of \p path, whose links are resolved.
bool isExchangeable(StringRef path) {
  for (StringRef above = sys::path::parent_path(path); !above.empty();
       above = sys::path::parent_path(above)) {
    struct stat status;
    if (stat(above.str().c_str(), &status) != 0)
      return true;
    // Sticky, as /tmp is: only owners rename what is in it.
    if ((status.st_mode & S_IWOTH) && !(status.st_mode & S_ISVTX))
      return true;
  }
  return false;
}

} // namespace

std::string withResolvedFolder(const std::string &path) {
  StringRef folder = sys::path::parent_path(path);
  char *real = realpath(folder.empty() ? "." : folder.str().c_str(), nullptr);
  if (!real)
    return path;
  SmallString<128> result{StringRef(real)};
  free(real);
  sys::path::append(result, sys::path::filename(path));
  return result.str().str();
}

std::string whyFolderIsUnsafe(const std::string &path, Owner owner) {
  StringRef name(path);
  while (name.size() > 1 && name.ends_with("/")) // would be followed
    name = name.drop_back();
  const std::string resolved = withResolvedFolder(name.str());
  struct stat status;
  if (lstat(resolved.c_str(), &status) != 0)
    return "no folder";
  if (S_ISLNK(status.st_mode))
    return "is a symbolic link";
  if (!S_ISDIR(status.st_mode))
    return "no folder";
  std::string why = whyUnsafe(status, owner);
  return why.empty() && isExchangeable(resolved) ? "others can exchange it" : why;
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
