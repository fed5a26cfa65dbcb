//===- RayTracingPipelineTest.cpp - ray tracing pipelines -------------------===//
// SPDX-License-Identifier: MIT
#include "llpc/RayTracing.h"
#include "llpc/context/CompilerForTest.h"
#include "pal_shim/abi/Scratch.h"
#include "pal_shim/abi/TargetInfo.h"
#include <functional>

using namespace llpc;
using namespace llpc::spirv::test;
using spv::Op;

namespace {

/// A shader of this stage that does nothing; \p extra makes other words.
ShaderModule emptyShader(spv::ExecutionModel model, uint32_t extra = 0) {
  TestModule m(0x00010400);
  m.op(Op::OpCapability, {spv::Capability::RayTracingKHR});
  m.op(Op::OpExtension, {"SPV_KHR_ray_tracing"});
  m.op(Op::OpMemoryModel, {spv::AddressingModel::Logical, spv::MemoryModel::GLSL450});
  m.op(Op::OpEntryPoint, {model, mainId, "main"});
  m.op(Op::OpTypeVoid, {voidId}).op(Op::OpTypeFunction, {voidFunctionId, voidId});
  m.op(Op::OpTypeInt, {uintId, 32, 0}).op(Op::OpConstant, {uintId, uint1Id, extra});
  m.op(Op::OpFunction, {voidId, mainId, 0, voidFunctionId});
  m.op(Op::OpLabel, {entryId}).op(Op::OpReturn).op(Op::OpFunctionEnd);
  return test::moduleOf(m);
}

RayTracingShaderInfo shaderOf(spv::ExecutionModel model, ShaderStage stage, uint32_t id) {
  RayTracingShaderInfo shader;
  shader.module = emptyShader(model);
  shader.entryStage = stage;
  shader.id = id;
  return shader;
}

RayTracingPipelineBuildInfo sampleInfo() {
  RayTracingPipelineBuildInfo info;
  info.shaders.push_back(
      shaderOf(spv::ExecutionModel::RayGenerationKHR, ShaderStage::RayGen, 0x80000001));
  info.shaders.push_back(shaderOf(spv::ExecutionModel::MissKHR, ShaderStage::Miss, 7));
  return info;
}

std::string errorOf(const RayTracingPipelineBuildInfo &info) {
  auto result = test::compilerFor("gfx1100")->buildRayTracingPipeline(info);
  return result ? "" : lgc::consumeToText(result.takeError()).message;
}

TEST(RayTracingPipeline, IsOneKernelOfWorkgroupsThatAreWaves) {
  for (const pal::abi::GpuTarget &target : pal::abi::allTargets()) {
    SCOPED_TRACE(target.name.str());
    const auto compiler = test::compilerFor(target.name.str().c_str());
    auto result = compiler->buildRayTracingPipeline(sampleInfo());
    ASSERT_TRUE(static_cast<bool>(result)) << lgc::consumeToText(result.takeError()).message;
    EXPECT_EQ(result->statistics.workgroupSize, (std::array<uint32_t, 3>{32, 1, 1}));
    EXPECT_EQ(result->statistics.scratchBytes, 0u);
    ASSERT_EQ(result->shaders.size(), 2u);
    EXPECT_EQ(result->shaders[1].id, 7u);
    EXPECT_EQ(result->shaders[1].stage, ShaderStage::Miss);
    auto again = compiler->buildRayTracingPipeline(sampleInfo());
    ASSERT_TRUE(static_cast<bool>(again));
    EXPECT_EQ(again->elf.bytes(), result->elf.bytes());
    EXPECT_EQ(again->hashes.cacheHash, compiler->hashRayTracingPipeline(sampleInfo()).cacheHash);
  }
}

TEST(RayTracingPipeline, RefusesWhatIsNone) {
  RayTracingPipelineBuildInfo info = sampleInfo();
  info.shaders[1].id = 0x80000001;
  EXPECT_EQ(errorOf(info), "miss shader 'main': id 2147483649 is 0 or another shader's");
  info.shaders[1].id = 0;
  EXPECT_EQ(errorOf(info), "miss shader 'main': id 0 is 0 or another shader's");
  info = sampleInfo();
  info.shaders.erase(info.shaders.begin());
  EXPECT_EQ(errorOf(info), "a ray tracing pipeline without a ray generation shader");
  info = sampleInfo();
  info.shaders[0].entryStage = ShaderStage::Compute;
  EXPECT_EQ(errorOf(info), "a ray tracing pipeline cannot have a compute shader");
  info = sampleInfo();
  info.shaders[0].entryTarget = "other";
  EXPECT_EQ(errorOf(info), "no ray generation entry point 'other'");
  info = sampleInfo();
  info.launchUserData = 159;
  EXPECT_EQ(errorOf(info), "launchUserData 159; the limit is 158");
  info.launchUserData = UINT32_MAX;
  EXPECT_EQ(errorOf(info), "launchUserData 4294967295; the limit is 158");
  lgc::ResourceNode table;
  table.type = lgc::ResourceNodeType::DescriptorTableVaPtr;
  table.sizeInDwords = 1;
  table.offsetInDwords = 6;
  info.resourceMapping.roots = {table};
  for (uint32_t dword : {5u, 6u}) {
    info.launchUserData = dword;
    EXPECT_EQ(errorOf(info), "launchUserData " + std::to_string(dword) +
                                 ": the node at dword 6 has a dword of it");
  }
  for (uint32_t dword : {4u, 7u}) {
    info.launchUserData = dword;
    EXPECT_EQ(errorOf(info), "");
  }
  info = sampleInfo();
  info.shaders[1].options.waveSize = 64; // the other has no wish
  EXPECT_EQ(errorOf(info), "");
  info.shaders[1].options.waveSize = 48;
  EXPECT_EQ(errorOf(info), "miss shader: waveSize and subgroupSize are 0, 32 or 64");
  info.shaders[1].options.waveSize = 64;
  info.shaders[0].options.waveSize = 32;
  EXPECT_EQ(errorOf(info), "miss shader 'main' has another subgroup size than other "
                           "shaders of its pipeline");
}

/// A shader that traces a ray in a structure at a constant address.
ShaderModule tracingShader(spv::ExecutionModel model) {
  enum : uint32_t {
    structureId = firstFree,
    pointerId,
    payloadId,
    floatId,
    vectorId,
    pairId,
    oneId,
    addressId,
    f0Id,
    nullVectorId,
    convertedId
  };
  TestModule m(0x00010400);
  m.op(Op::OpCapability, {spv::Capability::RayTracingKHR});
  m.op(Op::OpExtension, {"SPV_KHR_ray_tracing"});
  m.op(Op::OpMemoryModel, {spv::AddressingModel::Logical, spv::MemoryModel::GLSL450});
  m.op(Op::OpEntryPoint, {model, mainId, "main", payloadId});
  m.op(Op::OpTypeVoid, {voidId}).op(Op::OpTypeFunction, {voidFunctionId, voidId});
  m.op(Op::OpTypeInt, {uintId, 32, 0}).op(Op::OpConstant, {uintId, uint1Id, 0});
  m.op(Op::OpTypeFloat, {floatId, 32}).op(Op::OpConstant, {floatId, f0Id, 0});
  m.op(Op::OpTypeVector, {vectorId, floatId, 3}).op(Op::OpConstantNull, {vectorId, nullVectorId});
  m.op(Op::OpTypeVector, {pairId, uintId, 2})
      .op(Op::OpConstant, {uintId, oneId, 1})
      .op(Op::OpConstantComposite, {pairId, addressId, oneId, oneId});
  m.op(Op::OpTypeAccelerationStructureKHR, {structureId});
  m.op(Op::OpTypePointer, {pointerId, spv::StorageClass::RayPayloadKHR, uintId});
  m.op(Op::OpVariable, {pointerId, payloadId, spv::StorageClass::RayPayloadKHR});
  m.op(Op::OpFunction, {voidId, mainId, 0, voidFunctionId}).op(Op::OpLabel, {entryId});
  m.op(Op::OpConvertUToAccelerationStructureKHR, {structureId, convertedId, addressId});
  m.op(Op::OpTraceRayKHR, {convertedId, uint1Id, uint1Id, uint1Id, uint1Id, uint1Id, nullVectorId,
                           f0Id, nullVectorId, f0Id, payloadId});
  m.op(Op::OpReturn).op(Op::OpFunctionEnd);
  return test::moduleOf(m);
}

/// Stacks are refused when pipelines are made, not when they are launched.
TEST(RayTracingPipeline, StacksEndWhereScratchDoes) {
  RayTracingPipelineBuildInfo info = sampleInfo();
  info.shaders[0].module = tracingShader(spv::ExecutionModel::RayGenerationKHR);
  info.shaders[1].module = tracingShader(spv::ExecutionModel::MissKHR);
  info.maxRecursionDepth = 31;
  for (const pal::abi::GpuTarget &target : pal::abi::allTargets()) {
    SCOPED_TRACE(target.name.str());
    const auto compiler = test::compilerFor(target.name.str().c_str());
    info.maxRecursionDepth = 31;
    auto result = compiler->buildRayTracingPipeline(info);
    ASSERT_TRUE(static_cast<bool>(result)) << lgc::consumeToText(result.takeError()).message;
    const uint32_t bytes = result->statistics.scratchBytes;
    const uint32_t limit = pal::abi::maxScratchBytes(target, 32);
    EXPECT_GT(bytes, 31 * 1024u);
    info.maxRecursionDepth = 62 * (limit / bytes + 1);
    auto tooDeep = compiler->buildRayTracingPipeline(info);
    ASSERT_FALSE(static_cast<bool>(tooDeep));
    const std::string message = lgc::consumeToText(tooDeep.takeError()).message;
    EXPECT_NE(message.find("levels of recursion, the limit is " + std::to_string(limit)),
              std::string::npos)
        << message;
  }
}

/// Of all targets: the traversal, by instructions and by code.
TEST(RayTracingPipeline, IsTheDirectTiersIfAllIsInlined) {
  RayTracingPipelineBuildInfo info = sampleInfo();
  info.shaders[0].module = tracingShader(spv::ExecutionModel::RayGenerationKHR);
  info.options.tier = lgc::Tier::Direct;
  for (const pal::abi::GpuTarget &target : pal::abi::allTargets()) {
    SCOPED_TRACE(target.name.str());
    const auto compiler = test::compilerFor(target.name.str().c_str());
    auto result = compiler->buildRayTracingPipeline(info);
    ASSERT_TRUE(static_cast<bool>(result)) << lgc::consumeToText(result.takeError()).message;
    EXPECT_TRUE(result->isDirect) << result->directRefusal;
    EXPECT_EQ(result->shaders[0].stackBytes, result->statistics.scratchBytes);
    EXPECT_GT(result->statistics.scratchBytes, 1024u);
  }
}

/// Every field but those of PipelineBuildInfo, which are encoded as for all pipelines.
TEST(RayTracingPipeline, KeysHaveWhatCodeDependsOn) {
  const auto compiler = test::compilerFor("gfx1100");
  const PipelineHashes before = compiler->hashRayTracingPipeline(sampleInfo());
  using Change = std::function<void(RayTracingPipelineBuildInfo &)>;
  const Change changes[] = {
      [](auto &info) { info.shaders[1].id = 8; },
      [](auto &info) { info.shaders.pop_back(); },
      [](auto &info) { std::swap(info.shaders[0], info.shaders[1]); },
      [](auto &info) { info.shaders[1].entryStage = ShaderStage::Callable; },
      [](auto &info) { info.shaders[1].entryTarget = "other"; },
      [](auto &info) { info.shaders[1].specialization = {{1, 4, 2}}; },
      [](auto &info) {
        info.shaders[0].module = emptyShader(spv::ExecutionModel::RayGenerationKHR, 1);
      },
      [](auto &info) { info.launchUserData = 4; },
      [](auto &info) { info.maxRecursionDepth = 2; },
      [](auto &info) { info.skipTriangles = true; },
      [](auto &info) { info.skipAabbs = true; },
      [](auto &info) { info.options.nullDescriptor = true; },
      [](auto &info) { info.resourceMapping.roots.emplace_back(); },
      [](auto &info) { info.output = OutputKind::LgcIr; },
  };
  for (const auto &[index, change] : llvm::enumerate(changes)) {
    RayTracingPipelineBuildInfo info = sampleInfo();
    change(info);
    const PipelineHashes after = compiler->hashRayTracingPipeline(info);
    EXPECT_NE(after.cacheHash, before.cacheHash) << index;
    EXPECT_NE(after.pipelineHash, before.pipelineHash) << index;
  }
  RayTracingPipelineBuildInfo info = sampleInfo();
  info.shaders[1].options.waveSize = 64; // tuning
  EXPECT_NE(compiler->hashRayTracingPipeline(info).cacheHash, before.cacheHash);
  EXPECT_EQ(compiler->hashRayTracingPipeline(info).pipelineHash, before.pipelineHash);
  info = sampleInfo();
  info.userData = &info;
  info.verifyIr = true;
  EXPECT_EQ(compiler->hashRayTracingPipeline(info).cacheHash, before.cacheHash);
  EXPECT_NE(test::compilerFor("gfx1030")->hashRayTracingPipeline(sampleInfo()).cacheHash,
            before.cacheHash);
}

} // namespace
