//===- CacheFolderTest.cpp ------------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/CacheFolder.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

namespace icd {
namespace {

using Variables = std::map<std::string, std::string>;

DiskSettings settingsOf(const Variables &variables) {
  auto environment = Environment::read([&](const char *name) -> const char * {
    auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
  EXPECT_TRUE(static_cast<bool>(environment));
  return environment->disk;
}

std::string folderOf(const Variables &variables) { return settingsOf(variables).folder; }

std::string fileOf(const Variables &variables) {
  auto file = cacheFileOf(settingsOf(variables));
  return file ? *file : "error: " + llvm::toString(file.takeError());
}

struct CacheFolder : testing::Test {
  CacheFolder() {
    llvm::SmallString<64> name;
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("kiln-cache-folder", name));
    home = name.str().str();
  }
  ~CacheFolder() override { llvm::sys::fs::remove_directories(home); }
  std::string home;
};

TEST(CacheSettings, whereTheFolderIs) {
  EXPECT_EQ(folderOf({}), "");
  EXPECT_EQ(folderOf({{"HOME", "/h"}}), "/h/.cache/kiln");
  EXPECT_EQ(folderOf({{"HOME", "/h"}, {"XDG_CACHE_HOME", "/x"}}), "/x/kiln");
  // What is not absolute does not count.
  EXPECT_EQ(folderOf({{"HOME", "/h"}, {"XDG_CACHE_HOME", "x"}}), "/h/.cache/kiln");
  EXPECT_EQ(folderOf({{"HOME", ""}}), "");
  EXPECT_EQ(folderOf({{"HOME", "/h"}, {"XDG_CACHE_HOME", "/x"}, {"KILN_CACHE_DIR", "here"}}),
            "here");
  EXPECT_FALSE(settingsOf({{"HOME", "/h"}}).isFolderChosen);
  EXPECT_TRUE(settingsOf({{"KILN_CACHE_DIR", "here"}}).isFolderChosen);
}

TEST_F(CacheFolder, isMadeForTheUserAlone) {
  EXPECT_EQ(fileOf({{"HOME", home}}), home + "/.cache/kiln/cache-1.db");
  for (const char *folder : {"/.cache", "/.cache/kiln"}) {
    struct stat status = {};
    ASSERT_EQ(stat((home + folder).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700u);
  }
  EXPECT_EQ(fileOf({{"KILN_CACHE_DIR", home + "/a/b"}}), home + "/a/b/cache-1.db");
  EXPECT_EQ(fileOf({{"HOME", home}, {"KILN_CACHE", "off"}}), "");
  EXPECT_EQ(fileOf({}), "");
}

TEST_F(CacheFolder, isNotMadeForReadersAlone) {
  EXPECT_EQ(fileOf({{"XDG_CACHE_HOME", home}, {"KILN_CACHE", "readonly"}}), "");
  EXPECT_FALSE(llvm::sys::fs::exists(home + "/kiln"));
  EXPECT_EQ(fileOf({{"XDG_CACHE_HOME", home}}), home + "/kiln/cache-1.db");
  EXPECT_EQ(fileOf({{"XDG_CACHE_HOME", home}, {"KILN_CACHE", "readonly"}}),
            home + "/kiln/cache-1.db");
}

TEST_F(CacheFolder, whatCannotBeAFolder) {
  const std::string file = home + "/file";
  FILE *made = fopen(file.c_str(), "w");
  ASSERT_TRUE(made);
  fclose(made);
  // Nobody asked for it: no word about it.
  EXPECT_EQ(fileOf({{"HOME", file}}), "");
  EXPECT_EQ(fileOf({{"KILN_CACHE_DIR", file}}), "error: cache folder '" + file + "': no folder");
  EXPECT_EQ(fileOf({{"KILN_CACHE_DIR", file + "/a"}}),
            "error: cache folder '" + file + "/a': no folder");
}

TEST_F(CacheFolder, thatCannotBeWritten) {
  if (geteuid() == 0)
    GTEST_SKIP() << "root may do everything";
  ASSERT_EQ(chmod(home.c_str(), 0500), 0);
  EXPECT_EQ(fileOf({{"HOME", home}}), "");
  EXPECT_EQ(fileOf({{"KILN_CACHE_DIR", home}}),
            "error: cache folder '" + home + "': no permission");
  ASSERT_EQ(chmod(home.c_str(), 0700), 0);
}

TEST_F(CacheFolder, thatBelongsToSomebodyElse) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give folders away";
  const std::string folder = home + "/kiln";
  ASSERT_EQ(mkdir(folder.c_str(), 0700), 0);
  ASSERT_EQ(chown(folder.c_str(), 12345, 12345), 0);
  EXPECT_EQ(fileOf({{"XDG_CACHE_HOME", home}}), "");
  for (const char *mode : {"on", "readonly"})
    EXPECT_EQ(fileOf({{"KILN_CACHE_DIR", folder}, {"KILN_CACHE", mode}}),
              "error: cache folder '" + folder + "': belongs to somebody else");
}

// Root with the environment of another user: nothing is made in that user's folders.
TEST_F(CacheFolder, inAFolderOfSomebodyElse) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give folders away";
  ASSERT_EQ(chown(home.c_str(), 12345, 12345), 0);
  EXPECT_EQ(fileOf({{"HOME", home}}), "");
  EXPECT_EQ(fileOf({{"KILN_CACHE_DIR", home + "/a/b"}}),
            "error: cache folder '" + home + "/a/b': lies in a folder of somebody else");
  EXPECT_FALSE(llvm::sys::fs::exists(home + "/.cache"));
  EXPECT_FALSE(llvm::sys::fs::exists(home + "/a"));
  ASSERT_EQ(chown(home.c_str(), 0, 0), 0);
}

} // namespace
} // namespace icd
