//===- CompilerTest.cpp - the compiler's interface ------------------------===//
// SPDX-License-Identifier: MIT
#include "llpc/context/CompilerForTest.h"
#include "pal_shim/abi/Verify.h"
#include <atomic>
#include <thread>

using namespace llpc;
using namespace llpc::spirv::test;
using namespace llpc::test;
using spv::Op;

namespace {

/// A shader that stores a vector of four times `value` to element 1 of its storage buffer.
TestModule storeModule(uint32_t value, const char *name = nullptr) {
  enum : uint32_t { constant = firstFree, composite, pointer, vectorPointer, zero };
  Parts parts;
  if (name)
    parts.names = [name](TestModule &m) { m.op(Op::OpMemberName, {structId, 0, name}); };
  parts.globals = [value](TestModule &m) {
    m.op(Op::OpConstant, {floatId, constant, value});
    m.op(Op::OpConstant, {uintId, zero, 0});
    m.op(Op::OpConstantComposite, {vec4Id, composite, constant, constant, constant, constant});
    m.op(Op::OpTypePointer, {vectorPointer, spv::StorageClass::Uniform, vec4Id});
  };
  parts.body = [](TestModule &m) {
    m.op(Op::OpAccessChain, {vectorPointer, pointer, bufferId, zero, uint1Id});
    m.op(Op::OpStore, {pointer, composite});
  };
  return sample(parts);
}

ComputePipelineBuildInfo infoFor(const ShaderModule &module) {
  ComputePipelineBuildInfo info;
  info.cs.module = module;
  auto mapping = Compiler::buildAutoLayout(module, info.cs);
  if (mapping)
    info.resourceMapping = *mapping;
  else
    ADD_FAILURE() << lgc::consumeToText(mapping.takeError()).message;
  return info;
}

std::vector<uint8_t> buildElf(const Compiler &compiler, const ComputePipelineBuildInfo &info) {
  auto result = compiler.buildComputePipeline(info);
  if (result)
    return result->elf.bytes().vec();
  ADD_FAILURE() << lgc::consumeToText(result.takeError()).message;
  return {};
}

std::string errorOfBuild(const Compiler &compiler, const ComputePipelineBuildInfo &info) {
  auto result = compiler.buildComputePipeline(info);
  return result ? "" : lgc::consumeToText(result.takeError()).message;
}

TEST(Compiler, UnknownTargetsAreNamed) {
  auto compiler = Compiler::create({.target = "gfx900"});
  ASSERT_FALSE(bool(compiler));
  lgc::ErrorText error = lgc::consumeToText(compiler.takeError());
  EXPECT_EQ(error.kind, lgc::ErrorKind::Unsupported);
  EXPECT_NE(error.message.find("unknown target 'gfx900'; known are gfx1010"), std::string::npos);
}

TEST(Compiler, TargetsHaveTwoSpellings) {
  EXPECT_EQ(compilerFor("gfx1150")->target(), "gfx1150");
  EXPECT_EQ(compilerFor("11.5.0")->target(), "gfx1150");
}

TEST(Compiler, BuildsAVerifiedElf) {
  auto compiler = compilerFor("gfx1100");
  auto result = compiler->buildComputePipeline(infoFor(moduleOf(storeModule(0x40000000))));
  ASSERT_TRUE(bool(result)) << lgc::consumeToText(result.takeError()).message;
  EXPECT_TRUE(pal::abi::verifyCodeObject(result->elf.bytes(), nullptr).empty());
  EXPECT_GT(result->statistics.vgprs, 0u);
  EXPECT_GT(result->statistics.instructions, 2u);
  EXPECT_GT(result->statistics.codeBytes, 8u);
  EXPECT_TRUE(result->statistics.waveSize == 32 || result->statistics.waveSize == 64);
  EXPECT_GT(result->statistics.wavesPerSimd, 0u);
  EXPECT_EQ(result->statistics.workgroupSize, (std::array<uint32_t, 3>{8, 4, 1}));
  EXPECT_GT(result->times.codegen, 0.0);
}

TEST(Compiler, OutputComesFromTheCallback) {
  struct Arena {
    std::vector<uint8_t> memory;
    void *instance = nullptr;
    bool fail = false;
  } arena;
  auto compiler = compilerFor("gfx1100");
  ComputePipelineBuildInfo info = infoFor(moduleOf(storeModule(1)));
  std::vector<uint8_t> owned = buildElf(*compiler, info);
  int instance = 0;
  info.instance = &instance;
  info.userData = &arena;
  info.pfnOutputAlloc = [](void *instance, void *userData, size_t size) -> void * {
    auto *arena = static_cast<Arena *>(userData);
    arena->instance = instance;
    arena->memory.resize(size);
    return arena->fail ? nullptr : arena->memory.data();
  };
  auto result = compiler->buildComputePipeline(info);
  ASSERT_TRUE(bool(result));
  EXPECT_EQ(arena.instance, &instance);
  EXPECT_EQ(result->elf.bytes().data(), arena.memory.data());
  EXPECT_EQ(arena.memory, owned);
  arena.fail = true;
  EXPECT_EQ(errorOfBuild(*compiler, info),
            "pfnOutputAlloc gave no memory for " + std::to_string(owned.size()) + " bytes");
}

TEST(Compiler, DebugInstructionsChangeTheHashButNotTheCacheHash) {
  auto compiler = compilerFor("gfx1100");
  ShaderModule a = moduleOf(storeModule(1));
  ShaderModule b = moduleOf(storeModule(1, "other"));
  ShaderModule c = moduleOf(storeModule(2));
  EXPECT_NE(a.hash(), b.hash());
  EXPECT_EQ(a.cacheHash(), b.cacheHash());
  EXPECT_NE(a.cacheHash(), c.cacheHash());
  auto kept = compiler->buildShaderModule(storeModule(1).bytes(), {.trimDebugInfo = false});
  ASSERT_TRUE(bool(kept));
  EXPECT_EQ(kept->hash(), kept->cacheHash());
}

TEST(Compiler, ModulesOfEitherEndiannessAreOne) {
  auto compiler = compilerFor("gfx1100");
  auto little = compiler->buildShaderModule(storeModule(1).bytes(false));
  auto big = compiler->buildShaderModule(storeModule(1).bytes(true));
  ASSERT_TRUE(little && big);
  EXPECT_EQ(little->hash(), big->hash());
}

TEST(Compiler, HashesAreKnownBeforeTheBuild) {
  auto compiler = compilerFor("gfx1100");
  ComputePipelineBuildInfo info = infoFor(moduleOf(storeModule(1)));
  auto result = compiler->buildComputePipeline(info);
  ASSERT_TRUE(bool(result));
  PipelineHashes before = compiler->hashComputePipeline(info);
  EXPECT_EQ(before.pipelineHash, result->hashes.pipelineHash);
  EXPECT_EQ(before.cacheHash, result->hashes.cacheHash);
  info.cs.options.vgprLimit = 32;
  EXPECT_EQ(compiler->hashComputePipeline(info).pipelineHash, before.pipelineHash);
  EXPECT_NE(compiler->hashComputePipeline(info).cacheHash, before.cacheHash);
  EXPECT_NE(compilerFor("gfx1030")->hashComputePipeline(info).pipelineHash, before.pipelineHash);
}

TEST(Compiler, WrongInfosAreErrors) {
  auto compiler = compilerFor("gfx1100");
  EXPECT_EQ(errorOfBuild(*compiler, {}), "no shader module");
  ComputePipelineBuildInfo info = infoFor(moduleOf(storeModule(1)));
  info.cs.entryTarget = "nothing";
  EXPECT_EQ(errorOfBuild(*compiler, info), "no compute entry point 'nothing'");
  info.cs.entryStage = ShaderStage::Fragment;
  EXPECT_EQ(errorOfBuild(*compiler, info), "a compute pipeline cannot have a fragment shader");
}

TEST(Compiler, PlacesOfTheMappingAreLimited) {
  auto compiler = compilerFor("gfx1100");
  ComputePipelineBuildInfo info = infoFor(moduleOf(storeModule(1)));
  ASSERT_FALSE(info.resourceMapping.roots.empty());
  const uint32_t place = std::exchange(info.resourceMapping.roots[0].offsetInDwords, ~0u - 5);
  EXPECT_EQ(errorOfBuild(*compiler, info), "resource mapping: offset, size or stride of 4294967290 "
                                           "dwords; the limit is 268435456");
  info.resourceMapping.roots[0].offsetInDwords = place;
  ASSERT_FALSE(info.resourceMapping.roots[0].table.empty());
  info.resourceMapping.roots[0].table[0].strideInDwords = 1u << 30;
  EXPECT_EQ(errorOfBuild(*compiler, info), "resource mapping: offset, size or stride of 1073741824 "
                                           "dwords; the limit is 268435456");
}

/// Two compilers with different targets, several threads on each, modules shared between them: each
/// build gives the bytes that a single thread gets.
TEST(Compiler, ThreadsGetTheSameBytes) {
  const char *targets[] = {"gfx1030", "gfx1100"};
  constexpr unsigned moduleCount = 3;
  constexpr unsigned threadCount = 4;
  constexpr unsigned rounds = 6;
  std::unique_ptr<Compiler> compilers[2] = {compilerFor(targets[0]), compilerFor(targets[1])};
  std::vector<ComputePipelineBuildInfo> infos;
  for (unsigned i = 0; i < moduleCount; ++i)
    infos.push_back(infoFor(moduleOf(storeModule(100 + i))));
  std::vector<uint8_t> expected[2][moduleCount];
  for (unsigned c = 0; c < 2; ++c)
    for (unsigned i = 0; i < moduleCount; ++i)
      expected[c][i] = buildElf(*compilers[c], infos[i]);
  EXPECT_NE(expected[0][0], expected[1][0]);
  EXPECT_NE(expected[0][0], expected[0][1]);

  std::atomic<unsigned> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < threadCount; ++t)
    threads.emplace_back([&, t] {
      for (unsigned round = 0; round < rounds; ++round) {
        unsigned c = (t + round) % 2, i = (t + round) % moduleCount;
        auto result = compilers[c]->buildComputePipeline(infos[i]);
        if (!result) {
          llvm::consumeError(result.takeError());
          ++wrong;
        } else if (result->elf.bytes() != llvm::ArrayRef<uint8_t>(expected[c][i])) {
          ++wrong;
        }
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0u);
}

} // namespace
