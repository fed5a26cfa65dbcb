//===- OptionsTest.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/amd/Options.h"
#include "icd_glue/amd/AdapterForTest.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstddef>
#include <cstring>

using namespace icd::amd;

namespace {

template <typename Options> llpc::Hash128 hashOf(const Options &options) {
  llpc::Hasher hasher;
  hashOptions(hasher, options);
  return hasher.finish();
}

/// Bytes of the structure that no row of its table sees, of those from \p begin to \p end. Each is
/// set alone, to 1 (which bool allows) and to the highest bit.
template <typename Options>
std::vector<size_t> unseenBytes(std::initializer_list<std::pair<size_t, size_t>> skipped) {
  std::vector<size_t> unseen;
  alignas(Options) unsigned char bytes[sizeof(Options)] = {};
  Options options;
  auto hashWith = [&](size_t at, unsigned char value) {
    bytes[at] = value;
    std::memcpy(static_cast<void *>(&options), bytes, sizeof(options));
    bytes[at] = 0;
    return hashOf(options);
  };
  const llpc::Hash128 zero = hashWith(0, 0);
  for (size_t at = 0; at < sizeof(Options); ++at) {
    bool isSkipped = false;
    for (auto [begin, end] : skipped)
      isSkipped |= at >= begin && at < end;
    if (!isSkipped && hashWith(at, 1) == zero && hashWith(at, 0x80) == zero)
      unseen.push_back(at);
  }
  return unseen;
}

template <typename Rows> void expectDifferentNames(llvm::StringSet<> &names, Rows rows) {
  for (const auto &row : rows)
    EXPECT_TRUE(names.insert(row.name).second) << row.name.str();
}

std::string textOf(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

} // namespace

#define SKIP_UNTIL(T, member, next) {offsetof(T, member), offsetof(T, next)}

/// What is left is padding behind members of one byte, and behind the last member of a structure.
TEST(AmdOptions, everyFieldHasARow) {
  using P = Vkgc::PipelineOptions;
  using S = Vkgc::PipelineShaderOptions;
  // A pointer is followed, reserved21 is nothing.
  EXPECT_EQ(unseenBytes<P>({SKIP_UNTIL(P, compileConstInfo, temporalHintControl),
                            SKIP_UNTIL(P, reserved21, optimizePointSizeWrite)}),
            (std::vector<size_t>{11, 27, 54, 55, 78, 79, 101, 102, 103}));
  // noAllocs goes with its count; std::optional has a byte of its own.
  EXPECT_EQ(
      unseenBytes<S>({SKIP_UNTIL(S, cachePolicyLlc.noAllocs, cachePolicyLlc.resourceCount),
                      SKIP_UNTIL(S, scalarizeWaterfallLoads, overrideForceThreadIdSwizzling)}),
      (std::vector<size_t>{41,  42,  43,  58,  59,  70,  71,  89,  90,  91,  107, 121, 122, 123,
                           138, 139, 147, 148, 149, 150, 151, 164, 165, 166, 167, 174, 175}));
  EXPECT_EQ(unseenBytes<Vkgc::NggState>({}), (std::vector<size_t>{10, 11}));
}

TEST(AmdOptions, namesDiffer) {
  llvm::StringSet<> names;
  expectDifferentNames(names, pipelineOptionRows());
  expectDifferentNames(names, shaderOptionRows());
  expectDifferentNames(names, nggOptionRows());
  expectDifferentNames(names, graphicsOptionRows());
  names.clear();
  expectDifferentNames(names, computeOptionRows());
}

TEST(AmdOptions, saysOnceWhatHasNoEffect) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("kiln-amd", "log", path));
  Log log{std::string(path)};
  Vkgc::ComputePipelineBuildInfo info = {};
  info.options.optimizeTessFactor = true;
  info.options.scalarBlockLayout = true;
  info.options.shadowDescriptorTableUsage = Vkgc::ShadowDescriptorTableUsage::Enable;
  info.cs.options.vgprLimit = UINT32_MAX;
  info.cs.options.trapPresent = true;
  info.cs.options.forceUnderflowPrevention = true;
  info.clientMetadataSize = 8;
  warnOfOptions(log, info, 11);
  warnOfOptions(log, info, 11);
  EXPECT_EQ(textOf(path),
            "kiln: option options.optimizeTessFactor = 1 has no effect: code may be slower\n"
            "kiln: option clientMetadataSize = 8 has no effect: debuggers and profilers see less\n"
            "kiln: option shader.trapPresent = 1 has no effect: debuggers and profilers see less\n"
            "kiln: option shader.forceUnderflowPrevention = 1 has no effect: results may differ "
            "from what "
            "the driver wants\n");
  warnOfOptions(log, info, 10); // which has FMASK
  EXPECT_NE(textOf(path).find("shadowDescriptorTableUsage"), std::string::npos);
  EXPECT_FALSE(llvm::sys::fs::remove(path));
}

TEST(AmdOptions, areTranslated) {
  Vkgc::PipelineOptions from = {};
  from.extendedRobustness = {true, true, true};
  from.optimizationLevel = 9;
  from.enablePrimGeneratedQuery = true;
  const llpc::PipelineOptions options = pipelineOptionsOf(from);
  EXPECT_TRUE(options.robustBufferAccess && options.robustBufferAccess2 &&
              options.robustImageAccess2 && options.nullDescriptor &&
              options.primitivesGeneratedQuery);
  EXPECT_EQ(options.optLevel, lgc::OptLevel::Fast);
}

TEST(AmdOptions, denormalsOfAnUnknownModeStayAsTheyAre) {
  Vkgc::PipelineShaderOptions from = {};
  from.fp32DenormalMode = Vkgc::DenormalMode::Preserve;
  EXPECT_EQ(shaderOptionsOf(from, 64, {}).fp32DenormalMode, llpc::DenormalMode::Preserve);
  from.fp32DenormalMode = static_cast<Vkgc::DenormalMode>(3);
  EXPECT_EQ(shaderOptionsOf(from, 64, {}).fp32DenormalMode, llpc::DenormalMode::Auto);
}

TEST(AmdOptions, subgroupSizesAreTheDevicesUnlessTheShaderMayChoose) {
  Vkgc::PipelineShaderOptions from = {};
  from.vgprLimit = UINT32_MAX;
  llpc::ShaderModuleUsage usage;
  EXPECT_EQ(shaderOptionsOf(from, 64, usage).subgroupSize, 0u);
  EXPECT_EQ(shaderOptionsOf(from, 64, usage).vgprLimit, 0u);
  usage.useSubgroupSize = true;
  EXPECT_EQ(shaderOptionsOf(from, 64, usage).subgroupSize, 64u);
  from.allowVaryWaveSize = true;
  EXPECT_EQ(shaderOptionsOf(from, 64, usage).subgroupSize, 0u);
  from.waveSize = 32;
  EXPECT_EQ(shaderOptionsOf(from, 64, usage).waveSize, 32u);
}
