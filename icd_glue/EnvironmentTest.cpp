//===- EnvironmentTest.cpp ------------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/Environment.h"
#include "icd_glue/Entrypoints.h"
#include "icd_glue/ProcessEnvironment.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace icd;

namespace {

using Variables = std::map<std::string, std::string>;

llvm::Expected<Environment> readFrom(const Variables &variables) {
  return Environment::read([&](const char *name) -> const char * {
    auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

std::string errorOf(const Variables &variables) {
  llvm::Expected<Environment> environment = readFrom(variables);
  return environment ? "no error" : llvm::toString(environment.takeError());
}

TEST(Environment, nothingSetMeansOneGfx1100) {
  llvm::Expected<Environment> environment = readFrom({});
  ASSERT_TRUE(static_cast<bool>(environment));
  EXPECT_EQ(environment->devices, std::vector<std::string>{"gfx1100"});
  EXPECT_FALSE(environment->device.trace.enabled);
  EXPECT_FALSE(environment->optLevel.has_value());
  EXPECT_EQ(environment->tier, lgc::Tier::Llvm);
  EXPECT_EQ(environment->device.seed, 0u);
}

TEST(Environment, everyVariableIsUnderstood) {
  llvm::Expected<Environment> environment = readFrom({{"KILN_DEVICES", "gfx1030, 11.5.0,gfx1201"},
                                                      {"KILN_LOG", "log.txt"},
                                                      {"KILN_TRACE", "group=1,2,3;wave=4;lane=all"},
                                                      {"KILN_POISON", "1"},
                                                      {"KILN_STRICT", "1"},
                                                      {"KILN_SEED", "0x10"},
                                                      {"KILN_ULP", "1"},
                                                      {"KILN_INSTRUCTION_LIMIT", "5000000000"},
                                                      {"KILN_THREADS", "3"},
                                                      {"KILN_OPCODE_COUNTS", "counts.txt"},
                                                      {"KILN_DUMP_DIR", "pipelines"},
                                                      {"KILN_PRESENT_DIR", "frames"},
                                                      {"KILN_PARTS", "sync"},
                                                      {"KILN_PART_WORKERS", "1"},
                                                      {"KILN_PART_QUEUE_ENTRIES", "7"},
                                                      {"KILN_PART_QUEUE_BYTES", "8"},
                                                      {"KILN_UNIFORM_BUFFERS_DYNAMIC", "1"},
                                                      {"KILN_STORAGE_BUFFERS_DYNAMIC", "1"},
                                                      {"KILN_MONOLITHIC_LATER", "1"},
                                                      {"KILN_CACHE_BYTES", "9"},
                                                      {"KILN_CACHE", "readonly"},
                                                      {"KILN_CACHE_DIR", "caches"},
                                                      {"KILN_CACHE_MAX_MB", "3"},
                                                      {"KILN_CACHE_READ_ONLY", "a.db:/b/c.db"},
                                                      {"KILN_CACHE_SALT", "other"},
                                                      {"KILN_RECIPES", "wait"},
                                                      {"KILN_STATS", "1"},
                                                      {"KILN_COMPILE_THREADS", "1"},
                                                      {"KILN_NGG", "culling,gfx10"},
                                                      {"KILN_OPT_LEVEL", "2"},
                                                      {"KILN_TIER", "direct"}});
  ASSERT_TRUE(static_cast<bool>(environment));
  EXPECT_EQ(environment->devices, (std::vector<std::string>{"gfx1030", "gfx1150", "gfx1201"}));
  EXPECT_EQ(environment->logFile, "log.txt");
  EXPECT_EQ(environment->device.trace.workgroup, (std::array<uint32_t, 3>{1, 2, 3}));
  EXPECT_EQ(environment->device.trace.wave, 4u);
  EXPECT_EQ(environment->device.trace.lane, -1);
  EXPECT_TRUE(environment->device.trace.enabled);
  EXPECT_TRUE(environment->device.poison);
  EXPECT_TRUE(environment->device.perturbApproximate);
  EXPECT_EQ(environment->device.seed, 16u);
  EXPECT_EQ(environment->device.instructionLimit, 5000000000u);
  EXPECT_EQ(environment->device.threads, 3u);
  EXPECT_EQ(environment->opcodeCountsFile, "counts.txt");
  EXPECT_EQ(environment->dumpFolder, "pipelines");
  EXPECT_EQ(environment->presentFolder, "frames");
  EXPECT_EQ(environment->optLevel, 2u);
  EXPECT_EQ(environment->tier, lgc::Tier::Direct);
  EXPECT_FALSE(environment->directFirst);
  EXPECT_TRUE(environment->ngg.force && environment->ngg.enableGsUse);
  EXPECT_TRUE(environment->ngg.backfaceCulling && environment->ngg.smallPrimitiveFilter);
  EXPECT_EQ(environment->compileThreads, 1u);
  EXPECT_EQ(environment->parts.mode, PartMode::Sync);
  EXPECT_EQ(environment->parts.workers, 1u);
  EXPECT_EQ(environment->parts.queueEntries, 7u);
  EXPECT_EQ(environment->parts.queueBytes, 8u);
  EXPECT_TRUE(environment->parts.uniformBuffersDynamic);
  EXPECT_TRUE(environment->parts.storageBuffersDynamic);
  EXPECT_TRUE(environment->parts.monolithicLater);
  EXPECT_EQ(environment->cacheBytes, 9u);
  EXPECT_EQ(environment->disk.mode, DiskMode::ReadOnly);
  EXPECT_EQ(environment->disk.folder, "caches");
  EXPECT_EQ(environment->disk.maxBytes, 3u << 20);
  EXPECT_EQ(environment->disk.readOnlyFiles, (std::vector<std::string>{"a.db", "/b/c.db"}));
  EXPECT_EQ(environment->disk.salt, "other");
  EXPECT_EQ(environment->disk.recipes, RecipeMode::Wait);
  EXPECT_TRUE(environment->stats);
}

TEST(Environment, serversAndSignaturesHaveTheirKeys) {
  llvm::Expected<Environment> environment = readFrom({{"KILN_CACHE_READ_ONLY_KEYS", "/b/keys"},
                                                      {"KILN_CACHE_SERVER", "unix:/c"},
                                                      {"KILN_CACHE_SERVER_KEYS", "/d"}});
  ASSERT_TRUE(static_cast<bool>(environment));
  EXPECT_EQ(environment->disk.readOnlyKeys, "/b/keys");
  EXPECT_EQ(environment->disk.server, "unix:/c");
  EXPECT_EQ(environment->disk.serverKeys, "/d");
}

TEST(Environment, foldersOfPipelinesAskForBuildInfos) {
  EXPECT_FALSE(readFrom({})->needsBuildInfos());
  EXPECT_TRUE(readFrom({{"KILN_DUMP_DIR", "here"}})->needsBuildInfos());
  llvm::Expected<Environment> environment = readFrom({{"KILN_REPLACE_DIR", "others"}});
  ASSERT_TRUE(static_cast<bool>(environment));
  EXPECT_EQ(environment->replaceFolder, "others");
  EXPECT_TRUE(environment->needsBuildInfos());
}

TEST(Environment, registersAreLimited) {
  llvm::Expected<Environment> environment = readFrom({{"KILN_REGISTERS", "24,32"}});
  ASSERT_TRUE(static_cast<bool>(environment));
  EXPECT_EQ(environment->vgprLimit, 24u);
  EXPECT_EQ(environment->sgprLimit, 32u);
  EXPECT_EQ(errorOf({{"KILN_REGISTERS", "24,8"}}), "KILN_REGISTERS: '8' is less than 16");
  EXPECT_EQ(errorOf({{"KILN_REGISTERS", "24"}}), "KILN_REGISTERS: '' is no number");
}

TEST(Environment, badValuesAreErrorsThatNameTheVariable) {
  EXPECT_EQ(errorOf({{"KILN_DEVICES", "gfx906"}}),
            "KILN_DEVICES: 'gfx906' is no known target, such as gfx1100");
  EXPECT_EQ(errorOf({{"KILN_DEVICES", ","}}), "KILN_DEVICES: no target is named");
  EXPECT_EQ(errorOf({{"KILN_POISON", "yes"}}), "KILN_POISON: 'yes' is neither 0 nor 1");
  EXPECT_EQ(errorOf({{"KILN_STRICT", "2"}}), "KILN_STRICT: '2' is neither 0 nor 1");
  EXPECT_EQ(errorOf({{"KILN_SEED", "-1"}}), "KILN_SEED: '-1' is no number");
  EXPECT_EQ(errorOf({{"KILN_THREADS", "99999999999999999999"}}),
            "KILN_THREADS: '99999999999999999999' is no number");
  EXPECT_EQ(errorOf({{"KILN_OPT_LEVEL", "4"}}), "KILN_OPT_LEVEL: '4' is not in 0..3");
  EXPECT_EQ(errorOf({{"KILN_TIER", "fast"}}), "KILN_TIER: 'fast' is none of llvm, direct, auto");
  EXPECT_EQ(errorOf({{"KILN_COMPILE_THREADS", "3"}}),
            "KILN_COMPILE_THREADS: '3' is neither 1 nor 2");
  EXPECT_EQ(errorOf({{"KILN_PARTS", "1"}}), "KILN_PARTS: '1' is none of off, on, sync");
  EXPECT_EQ(errorOf({{"KILN_CACHE", "1"}}), "KILN_CACHE: '1' is none of off, on, readonly");
  EXPECT_EQ(errorOf({{"KILN_RECIPES", "1"}}), "KILN_RECIPES: '1' is none of off, on, wait");
  EXPECT_EQ(errorOf({{"KILN_CACHE_MAX_MB", "0"}}), "KILN_CACHE_MAX_MB: '0' is not in 1..16777216");
  EXPECT_EQ(errorOf({{"KILN_PART_WORKERS", "65"}}), "KILN_PART_WORKERS: '65' is more than 64");
  EXPECT_EQ(errorOf({{"KILN_TRACE", "group=1,2"}}),
            "KILN_TRACE: 'group=1,2' does not have three numbers");
  EXPECT_EQ(errorOf({{"KILN_TRACE", "lane=64"}}), "KILN_TRACE: lane '64' is not in 0..63");
  EXPECT_EQ(errorOf({{"KILN_TRACE", "simd=1"}}),
            "KILN_TRACE: 'simd=1' is none of group=X,Y,Z, wave=N, lane=N, lane=all");
}

TEST(Environment, traceDefaultsAreTheFirstLane) {
  llvm::Expected<pal::device::TraceOptions> trace = parseTrace("lane=3");
  ASSERT_TRUE(static_cast<bool>(trace));
  EXPECT_EQ(trace->lane, 3);
  EXPECT_EQ(trace->wave, 0u);
  EXPECT_EQ(trace->workgroup, (std::array<uint32_t, 3>{0, 0, 0}));
}

//===--- Programs with more rights than their user ------------------------===//

constexpr const char *logVariable = "KILN_LOG";

/// What the next test starts.
TEST(ProcessEnvironment, DISABLED_child) {
  if (!getauxval(AT_SECURE))
    _exit(77); // the folder is mounted nosuid
  VkInstanceCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  VkInstance instance = VK_NULL_HANDLE;
  // A value that is refused where it is read, and a file that would be made.
  if (!getenv(logVariable) || processEnvironment(logVariable) ||
      CreateInstance(&info, nullptr, &instance) != VK_SUCCESS)
    _exit(1);
  DestroyInstance(instance, nullptr);
  _exit(access(getenv(logVariable), F_OK) == 0 ? 2 : 0);
}

TEST(ProcessEnvironment, isNotReadWithMoreRights) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can make a program that runs as somebody else";
  llvm::SmallString<64> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("kiln-environment", folder));
  const std::string program = (folder + "/program").str(), log = (folder + "/log").str();
  ASSERT_FALSE(llvm::sys::fs::copy_file("/proc/self/exe", program));
  constexpr uid_t somebody = 12345;
  ASSERT_EQ(chown(program.c_str(), somebody, somebody), 0);
  ASSERT_EQ(chmod(program.c_str(), 04755), 0);
  ASSERT_EQ(chmod(folder.c_str(), 0777), 0);
  const std::string command = "KILN_LOG='" + log + "' KILN_PARTS=nonsense '" + program +
                              "' --gtest_also_run_disabled_tests "
                              "--gtest_filter=ProcessEnvironment.DISABLED_child >/dev/null";
  // NOLINTNEXTLINE(bugprone-command-processor): of this file
  const int status = std::system(command.c_str());
  EXPECT_FALSE(llvm::sys::fs::exists(log));
  EXPECT_FALSE(llvm::sys::fs::remove_directories(folder));
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77)
    GTEST_SKIP() << "programs of that folder get no more rights";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

} // namespace
