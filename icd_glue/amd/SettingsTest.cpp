//===- SettingsTest.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/amd/Settings.h"
#include "lgc/CompileError.h"
#include <gtest/gtest.h>

using namespace icd::amd;

/// What AMD's driver gives to its compiler.
constexpr const char *driverOptions[] = {"amdvlk",
                                         "-enable-errs=1",
                                         "-enable-outs=0",
                                         "-log-file-outs=/tmp/Llpc",
                                         "-log-file-dbgs=",
                                         "-pipeline-dump-dir=/tmp",
                                         "-cache-full-pipelines=0",
                                         "-subgroup-size=32"};

TEST(AmdSettings, takesWhatTheDriverGives) {
  auto settings = parseSettings(driverOptions);
  ASSERT_TRUE(bool(settings));
  EXPECT_EQ(settings->subgroupSize, 32u);
  EXPECT_TRUE(settings->parts);
  EXPECT_FALSE(settings->linkConstants);
  EXPECT_TRUE(settings->unknown.empty());
}

TEST(AmdSettings, knowsItsOwnOptionsAndReportsOthers) {
  auto settings = parseSettings({"-kiln-parts=off", "--kiln-stats=on", "-kiln-part-workers=5",
                                 nullptr, "-kiln-link-constants=on", "-kiln-cache-mb=0",
                                 "-kiln-log=a b", "-kiln-dump=d", "-unroll=7"});
  ASSERT_TRUE(bool(settings));
  EXPECT_FALSE(settings->parts);
  EXPECT_TRUE(settings->linkConstants);
  EXPECT_TRUE(settings->stats);
  EXPECT_EQ(settings->partWorkers, 5u);
  EXPECT_EQ(settings->cacheMegabytes, 0u);
  EXPECT_EQ(settings->logFile, "a b");
  EXPECT_EQ(settings->dumpFolder, "d");
  EXPECT_EQ(settings->unknown, std::vector<std::string>{"-unroll=7"});
}

TEST(AmdSettings, refusesValuesThatAreNone) {
  for (const char *option : {"-kiln-parts=1", "-kiln-part-workers=0", "-kiln-part-workers=65",
                             "-kiln-cache-mb=x", "-subgroup-size=16", "-kiln-other=1"}) {
    auto settings = parseSettings(option);
    ASSERT_FALSE(bool(settings)) << option;
    EXPECT_EQ(lgc::consumeToText(settings.takeError()).kind, lgc::ErrorKind::InvalidInput);
  }
}

TEST(AmdSettings, splitsAVariable) {
  EXPECT_EQ(splitOptions("  -a=1 -b  "), (std::vector<std::string>{"-a=1", "-b"}));
  EXPECT_TRUE(splitOptions("").empty());
}
