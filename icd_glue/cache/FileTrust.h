//===- FileTrust.h - who may have written what is read --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The cache on disk holds code that is executed, and is written with the user's rights. So what
/// lies there must be the user's own, and nobody else may have been able to put it there, or to
/// lead writes to another place.
#pragma once

#include <cstdint>
#include <string>

namespace icd {

/// Whose files count as good: the user's, and for what is only read those of root, who may change
/// everything anyway.
enum class Owner : uint8_t { User, UserOrRoot };

/// Why a folder cannot be used: no folder, a symbolic link, somebody else's, or others may write to
/// it or exchange it, because a folder above belongs to somebody else than the user and root or can
/// be written by others (without its sticky bit; the user's own group is not others there). Empty:
/// it can.
std::string whyFolderIsUnsafe(const std::string &path, Owner owner);
/// Why no folder should be made at \p path, of which a part may exist: others could exchange it.
/// Empty: it can be tried, or there is one.
std::string whyFolderCannotBeMade(const std::string &path);
/// The same for a file; one that is not there is safe.
std::string whyFileIsUnsafe(const std::string &path, Owner owner);

/// \p path with all symbolic links resolved; empty if there is nothing.
std::string resolvedPath(const std::string &path);
/// \p path with all symbolic links of its folder resolved, without dots and slashes at its end;
/// itself if there is no such folder.
std::string withResolvedFolder(const std::string &path);

/// Is that a file system of other machines, or one whose files a program makes up? \p type: f_type
/// of statfs(). Their locks and shared memory do not do what a database needs.
bool isRemoteFileSystem(uint32_t type);

} // namespace icd
