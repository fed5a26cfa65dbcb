//===- PipeRaysTest.cpp - .pipe files of ray tracing pipelines ------------===//
// SPDX-License-Identifier: MIT
#include "llpc/pipefile/PipeFileForTest.h"
#include <gtest/gtest.h>

namespace llpc {
namespace {

/// A file of a ray tracing pipeline that sets every key of its state.
const char *const everyRayKey = R"([Version]
version = 75

[missGlsl]
void main() {}

[missInfo]
entryPoint = sky
id = 7
specConst.mapEntry[0].constantID = 1
specConst.mapEntry[0].offset = 0
specConst.mapEntry[0].size = 4
specConst.uintData = 0x5

[rgenSpvFile]
fileName = r.spv

[rgenInfo]
entryPoint = main
id = 4294967295

[missSpvFile]
fileName = m.spv

[missInfo]
entryPoint = main
id = 3
options.waveSize = 32

[ResourceMapping]
userDataNode[0].type = PushConst
userDataNode[0].sizeInDwords = 4

[RayTracingPipelineState]
options.robustBufferAccess = 1
launchUserData = 8
maxRecursionDepth = 31
skipTriangles = 1
skipAabbs = 0
)";

/// Shaders of a stage are several, in the file's order; what is said of one stands behind it.
TEST(PipeFileRays, ShadersAndState) {
  ReadResult result = read(everyRayKey);
  ASSERT_EQ(result.error, "");
  EXPECT_TRUE(result.warnings.empty());
  const PipeFile &file = result.file;
  EXPECT_TRUE(file.isRays() && !file.isCompute());
  ASSERT_EQ(file.shaders.size(), 3u);
  ASSERT_EQ(file.rays.shaders.size(), 3u);
  const ShaderStage stages[] = {ShaderStage::Miss, ShaderStage::RayGen, ShaderStage::Miss};
  const uint32_t ids[] = {7, UINT32_MAX, 3};
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(file.shaders[i].stage, stages[i]);
    EXPECT_EQ(file.rays.shaders[i].entryStage, stages[i]);
    EXPECT_EQ(file.rays.shaders[i].id, ids[i]);
  }
  EXPECT_EQ(file.infoOf(0).entryTarget, "sky");
  EXPECT_EQ(file.infoOf(0).specialization, (std::vector<SpecConstant>{{1, 4, 5}}));
  EXPECT_EQ(file.infoOf(2).options.waveSize, 32u);
  EXPECT_EQ(file.rays.resourceMapping.roots.size(), 1u);
  EXPECT_EQ(write(file), everyRayKey);
}

TEST(PipeFileRays, WhatIsLeftOut) {
  ReadResult result = read("[rgenGlsl]\nx\n[sectGlsl]\ny\n[ResourceMapping]\n"
                           "userDataNode[0].type = PushConst\nuserDataNode[0].sizeInDwords = 3\n"
                           "userDataNode[0].offsetInDwords = 2\n[RayTracingPipelineState]\n"
                           "groups[0].type = 2\nmode = 3\nlibraryMode = 1\n");
  ASSERT_EQ(result.error, "");
  EXPECT_EQ(result.warnings,
            (std::vector<std::string>{"t.pipe:12: 'libraryMode' is not honoured"}));
  EXPECT_EQ(result.file.rays.launchUserData, 5u);
  EXPECT_EQ(result.file.rays.shaders[0].id, 1u);
  EXPECT_EQ(result.file.rays.shaders[1].id, 2u);
  EXPECT_EQ(result.file.rays.maxRecursionDepth, 1u);
}

} // namespace
} // namespace llpc
