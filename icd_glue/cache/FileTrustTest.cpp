//===- FileTrustTest.cpp --------------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/FileTrust.h"
#include "icd_glue/cache/CacheFile.h"
#include "icd_glue/cache/CacheFolder.h"
#include "icd_glue/cache/DiskCacheForTest.h"
#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

namespace icd {
namespace {

using namespace disktest;

constexpr uid_t stranger = 12345;

struct FileTrust : testing::Test {
  std::string path(const char *name) const { return place.folder + "/" + name; }
  std::string makeFolder(const char *name, mode_t mode = 0700) const {
    EXPECT_EQ(mkdir(path(name).c_str(), 0700), 0);
    EXPECT_EQ(chmod(path(name).c_str(), mode), 0); // whatever the umask is
    return path(name);
  }
  std::string makeFile(const char *name, mode_t mode = 0600) const {
    writeFile(path(name), {1, 2, 3});
    EXPECT_EQ(chmod(path(name).c_str(), mode), 0);
    return path(name);
  }
  Folder place;
};

TEST_F(FileTrust, folders) {
  EXPECT_EQ(whyFolderIsUnsafe(makeFolder("good"), Owner::User), "");
  EXPECT_EQ(whyFolderIsUnsafe(path("good") + "/", Owner::User), "");
  EXPECT_EQ(whyFolderIsUnsafe(makeFolder("readable", 0755), Owner::User), "");
  EXPECT_EQ(whyFolderIsUnsafe(makeFolder("group", 0770), Owner::User), "can be written by others");
  EXPECT_EQ(whyFolderIsUnsafe(makeFolder("world", 0707), Owner::User), "can be written by others");
  EXPECT_EQ(whyFolderIsUnsafe(makeFolder("sticky", 01777), Owner::User),
            "can be written by others");
  EXPECT_EQ(whyFolderIsUnsafe(path("none"), Owner::User), "no folder");
  EXPECT_EQ(whyFolderIsUnsafe(makeFile("file"), Owner::User), "no folder");
  ASSERT_EQ(symlink("good", path("link").c_str()), 0);
  EXPECT_EQ(whyFolderIsUnsafe(path("link"), Owner::User), "is a symbolic link");
  for (const char *end : {"//", "/.", "/./", "/.//."})
    EXPECT_EQ(whyFolderIsUnsafe(path("link") + end, Owner::User), "is a symbolic link") << end;
  // Links on the way are the user's own affair; what counts is where they lead.
  makeFolder("good/inner");
  EXPECT_EQ(whyFolderIsUnsafe(path("link/inner"), Owner::User), "");
  makeFolder("world/inner");
  EXPECT_EQ(whyFolderIsUnsafe(path("world/inner"), Owner::User), "others can exchange it");
  ASSERT_EQ(symlink("world", path("toWorld").c_str()), 0);
  EXPECT_EQ(whyFolderIsUnsafe(path("toWorld/inner"), Owner::User), "others can exchange it");
  makeFolder("sticky/inner"); // as in /tmp
  EXPECT_EQ(whyFolderIsUnsafe(path("sticky/inner"), Owner::User), "");
}

TEST_F(FileTrust, foldersAbove) {
  const std::string above = makeFolder("above"), inner = makeFolder("above/inner");
  for (mode_t mode : {0775, 02775}) {
    ASSERT_EQ(chmod(above.c_str(), mode), 0);
    EXPECT_EQ(whyFolderIsUnsafe(inner, Owner::User), "") << "the user's own group";
    if (geteuid() != 0)
      continue;
    ASSERT_EQ(chown(above.c_str(), -1, stranger), 0);
    ASSERT_EQ(chmod(above.c_str(), mode), 0);
    EXPECT_EQ(whyFolderIsUnsafe(inner, Owner::User), "others can exchange it");
    EXPECT_EQ(whyFolderCannotBeMade(above + "/a/b"), "others can exchange it");
    ASSERT_EQ(chown(above.c_str(), -1, getegid()), 0);
  }
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give folders away";
  for (mode_t mode : {0755, 01777}) { // who owns it renames what is in it, sticky or not
    ASSERT_EQ(chown(above.c_str(), stranger, stranger), 0);
    ASSERT_EQ(chmod(above.c_str(), mode), 0);
    EXPECT_EQ(whyFolderIsUnsafe(inner, Owner::User), "lies in a folder of somebody else");
    EXPECT_EQ(whyFolderCannotBeMade(above + "/a/b"), "lies in a folder of somebody else");
  }
}

TEST_F(FileTrust, foldersToBeMade) {
  EXPECT_EQ(whyFolderCannotBeMade(makeFolder("good")), "");
  EXPECT_EQ(whyFolderCannotBeMade(path("good/a/b/c")), "");
  makeFolder("world", 0777);
  EXPECT_EQ(whyFolderCannotBeMade(path("world/a")), "others can exchange it");
  EXPECT_EQ(whyFolderCannotBeMade(path("world/a/b")), "others can exchange it");
  ASSERT_EQ(symlink("world", path("toWorld").c_str()), 0);
  EXPECT_EQ(whyFolderCannotBeMade(path("toWorld/a")), "others can exchange it");
  makeFile("file");
  EXPECT_EQ(whyFolderCannotBeMade(path("file/a")), "no folder");
}

TEST_F(FileTrust, files) {
  EXPECT_EQ(whyFileIsUnsafe(path("none"), Owner::User), "");
  EXPECT_EQ(whyFileIsUnsafe(makeFile("good"), Owner::User), "");
  EXPECT_EQ(whyFileIsUnsafe(makeFile("readable", 0644), Owner::User), "");
  EXPECT_EQ(whyFileIsUnsafe(makeFile("group", 0660), Owner::User), "can be written by others");
  EXPECT_EQ(whyFileIsUnsafe(makeFile("world", 0602), Owner::User), "can be written by others");
  EXPECT_EQ(whyFileIsUnsafe(makeFolder("folder"), Owner::User), "is no file");
  for (const char *target : {"good", "nothing"}) {
    ASSERT_EQ(symlink(target, path("link").c_str()), 0);
    EXPECT_EQ(whyFileIsUnsafe(path("link"), Owner::User), "is a symbolic link") << target;
    ASSERT_EQ(unlink(path("link").c_str()), 0);
  }
}

TEST_F(FileTrust, owners) {
  const std::string folder = makeFolder("folder"), file = makeFile("file");
  if (geteuid() == 0) {
    for (const std::string &path : {folder, file})
      ASSERT_EQ(chown(path.c_str(), stranger, stranger), 0);
    for (Owner owner : {Owner::User, Owner::UserOrRoot}) {
      EXPECT_EQ(whyFolderIsUnsafe(folder, owner), "belongs to somebody else");
      EXPECT_EQ(whyFileIsUnsafe(file, owner), "belongs to somebody else");
    }
  } else { // what is there belongs to root
    EXPECT_EQ(whyFolderIsUnsafe("/etc", Owner::User), "belongs to somebody else");
    EXPECT_EQ(whyFileIsUnsafe("/etc/passwd", Owner::User), "belongs to somebody else");
  }
  EXPECT_EQ(whyFolderIsUnsafe("/etc", Owner::UserOrRoot), "");
  EXPECT_EQ(whyFileIsUnsafe("/etc/passwd", Owner::UserOrRoot), "");
}

// Numbers of linux/magic.h, of statfs(2), and of the sources of Lustre, GPFS, BeeGFS and FUSE.
TEST(FileSystems, ofOtherMachines) {
  for (uint32_t type : {0x6969u, 0xff534d42u, 0xfe534d42u, 0x517bu, 0x00c36400u, 0x01021997u,
                        0x5346414fu, 0x6b414653u, 0x73757245u, 0x564cu, 0x0bd00bd0u, 0x47504653u,
                        0x19830326u, 0x65735546u, 0x7461636fu, 0x01161970u, 0x786f4256u})
    EXPECT_TRUE(isRemoteFileSystem(type)) << std::hex << type;
  // ext4, XFS, btrfs, tmpfs, ramfs, overlayfs, ZFS, F2FS, squashfs, FAT, exFAT, NTFS3, bcachefs.
  for (uint32_t type :
       {0xef53u, 0x58465342u, 0x9123683eu, 0x01021994u, 0x858458f6u, 0x794c7630u, 0x2fc12fc1u,
        0xf2f52010u, 0x73717368u, 0x4d44u, 0x2011bab0u, 0x7366746eu, 0xca451a4eu})
    EXPECT_FALSE(isRemoteFileSystem(type)) << std::hex << type;
}

//===--- The cache itself -------------------------------------------------===//

/// A cache with one entry, in whose folder a test does something.
struct PlantedCache : testing::Test {
  PlantedCache() {
    DiskCache cache(place.options());
    EXPECT_TRUE(cache.storeNow(keyOf(1), bytesOf(1)));
  }
  /// What is said when the cache is opened; nothing is read or written then. Empty: it is used.
  std::string refusal(const DiskCache::Options &options) {
    place.messages.clear();
    DiskCache cache(options);
    EXPECT_EQ(cache.isUsed(), place.messages.empty());
    EXPECT_EQ(cache.load(keyOf(1)).has_value(), place.messages.empty());
    EXPECT_EQ(cache.storeNow(keyOf(2), bytesOf(2)),
              place.messages.empty() && !options.isReadOnly && !options.path.empty());
    return place.messages.empty() ? "" : place.messages.front();
  }
  std::string refusal() { return refusal(place.options()); }
  std::string file(const char *suffix) const { return place.path() + suffix; }
  Folder place, elsewhere;
};

TEST_F(PlantedCache, filesAreForTheUserAlone) {
  DiskCache cache(place.options());
  EXPECT_TRUE(cache.storeNow(keyOf(3), bytesOf(3)));
  for (const char *suffix : {"", "-lock", "-wal", "-shm"}) {
    struct stat status = {};
    ASSERT_EQ(stat(file(suffix).c_str(), &status), 0) << suffix;
    EXPECT_EQ(status.st_mode & 0777, 0600u) << suffix;
  }
}

TEST_F(PlantedCache, isNoLink) {
  // A good cache at the end of it.
  ASSERT_EQ(rename(file("").c_str(), elsewhere.path().c_str()), 0);
  ASSERT_EQ(symlink(elsewhere.path().c_str(), file("").c_str()), 0);
  EXPECT_EQ(refusal(), "cache '" + place.path() + "' is not used: it is a symbolic link");
  DiskCache::Options options = place.options();
  options.isReadOnly = true;
  EXPECT_NE(refusal(options), "");
  // Nothing at the end: no file is made there.
  ASSERT_EQ(unlink(elsewhere.path().c_str()), 0);
  EXPECT_NE(refusal(), "");
  EXPECT_FALSE(llvm::sys::fs::exists(elsewhere.path()));
}

TEST_F(PlantedCache, itsOtherFilesAreNoLinks) {
  for (const char *suffix : {"-lock", "-wal", "-shm", "-journal"}) {
    unlink(file(suffix).c_str());
    writeFile(elsewhere.path(), {'a'});
    ASSERT_EQ(symlink(elsewhere.path().c_str(), file(suffix).c_str()), 0);
    EXPECT_EQ(refusal(), "cache '" + place.path() + "' is not used: its file '" + suffix +
                             "' is a symbolic link");
    EXPECT_EQ(readFile(elsewhere.path()), std::vector<uint8_t>{'a'});
    ASSERT_EQ(unlink(file(suffix).c_str()), 0);
    EXPECT_EQ(refusal(), "");
  }
}

TEST_F(PlantedCache, othersCannotWriteToIt) {
  for (const char *suffix : {"", "-lock", "-wal"}) {
    writeFile(file(suffix), {}); // a log that was not there is empty
    ASSERT_EQ(chmod(file(suffix).c_str(), 0666), 0);
    EXPECT_NE(refusal().find("can be written by others"), std::string::npos) << suffix;
    ASSERT_EQ(chmod(file(suffix).c_str(), 0600), 0);
    EXPECT_EQ(refusal(), "");
  }
}

TEST_F(PlantedCache, aStrangersIsNotTrusted) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  ASSERT_EQ(chown(file("").c_str(), stranger, stranger), 0);
  EXPECT_EQ(refusal(), "cache '" + place.path() + "' is not used: it belongs to somebody else");
  DiskCache::Options options = elsewhere.options();
  options.path.clear();
  options.readOnlyPaths = {place.path()};
  options.log = place.options().log;
  EXPECT_EQ(refusal(options),
            "cache '" + place.path() + "' is not used: it belongs to somebody else");
}

// Somebody puts another folder there while the cache is open: connections made then do not trust
// it.
TEST_F(PlantedCache, anotherFolderInItsPlace) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give folders away";
  const std::string folder = place.folder + "/inner", planted = place.folder + "/planted";
  const std::string old = place.folder + "/old";
  CacheFile::Options options;
  options.path = folder + "/test.db";
  for (const std::string &made : {planted, folder}) {
    ASSERT_EQ(mkdir(made.c_str(), 0700), 0);
    CacheFile::Options own;
    own.path = made + "/test.db";
    const std::vector<uint8_t> bytes = bytesOf(1);
    CacheDatabase::Changes changes;
    changes.generation = bytes;
    changes.stored.push_back({1, bytes});
    changes.maxBytes = 1 << 20;
    ASSERT_EQ(CacheFile(own).apply(changes), SqlResult::Done);
  }
  for (CacheDatabase::Mode mode : {CacheDatabase::Mode::ReadWrite, CacheDatabase::Mode::ReadOnly,
                                   CacheDatabase::Mode::Immutable})
    for (bool isPlanted : {false, true}) {
      options.mode = mode;
      CacheFile file(options);
      ASSERT_TRUE(file.isUsed());
      SqlResult second = SqlResult::Failed;
      // The first connection is in use while the second read makes another.
      const SqlResult first = file.read(1, [&](int64_t, llvm::ArrayRef<uint8_t>) {
        if (isPlanted) {
          ASSERT_EQ(rename(folder.c_str(), old.c_str()), 0);
          ASSERT_EQ(rename(planted.c_str(), folder.c_str()), 0);
          ASSERT_EQ(chown(folder.c_str(), stranger, stranger), 0);
        }
        second = file.read(1, [](int64_t, llvm::ArrayRef<uint8_t>) {});
        if (isPlanted) {
          ASSERT_EQ(chown(folder.c_str(), 0, 0), 0);
          ASSERT_EQ(rename(folder.c_str(), planted.c_str()), 0);
          ASSERT_EQ(rename(old.c_str(), folder.c_str()), 0);
        }
      });
      EXPECT_EQ(first, SqlResult::Row);
      EXPECT_EQ(second, isPlanted ? SqlResult::Busy : SqlResult::Row) << isPlanted;
    }
}

TEST_F(PlantedCache, aFolderOfReadersThatOthersCanWriteTo) {
  DiskCache::Options options = place.options();
  options.path.clear();
  options.readOnlyPaths = {place.path()};
  EXPECT_EQ(refusal(options), "");
  ASSERT_EQ(chmod(place.folder.c_str(), 0777), 0);
  EXPECT_EQ(refusal(options),
            "cache '" + place.path() + "' is not used: its folder can be written by others");
}

TEST_F(PlantedCache, filesToBeReadByName) {
  DiskCache::Options options = place.options();
  options.path.clear();
  options.readOnlyPaths = {elsewhere.path()};
  // Somebody named it, so a link is no trick; what it leads to counts.
  ASSERT_EQ(symlink(place.path().c_str(), elsewhere.path().c_str()), 0);
  EXPECT_EQ(refusal(options), "");
  ASSERT_EQ(chmod(file("").c_str(), 0622), 0);
  EXPECT_EQ(refusal(options),
            "cache '" + elsewhere.path() + "' is not used: it can be written by others");
}

TEST_F(PlantedCache, foldersThatOthersCanWriteTo) {
  DiskSettings settings;
  settings.folder = elsewhere.folder + "/kiln";
  for (bool isChosen : {false, true}) {
    settings.isFolderChosen = isChosen;
    ASSERT_EQ(mkdir(settings.folder.c_str(), 0700), 0);
    ASSERT_EQ(chmod(settings.folder.c_str(), 0777), 0);
    auto path = cacheFileOf(settings);
    ASSERT_FALSE(static_cast<bool>(path));
    EXPECT_EQ(llvm::toString(path.takeError()),
              "cache folder '" + settings.folder + "': can be written by others");
    ASSERT_EQ(rmdir(settings.folder.c_str()), 0);
    ASSERT_EQ(symlink(place.folder.c_str(), settings.folder.c_str()), 0);
    path = cacheFileOf(settings);
    ASSERT_FALSE(static_cast<bool>(path));
    EXPECT_EQ(llvm::toString(path.takeError()),
              "cache folder '" + settings.folder + "': is a symbolic link");
    ASSERT_EQ(unlink(settings.folder.c_str()), 0);
  }
}

} // namespace
} // namespace icd
