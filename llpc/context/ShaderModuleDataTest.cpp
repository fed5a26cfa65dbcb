//===- ShaderModuleDataTest.cpp - modules to blocks and back --------------===//
// SPDX-License-Identifier: MIT
#include "llpc/ShaderModuleData.h"
#include "llpc/Parts.h"
#include "llpc/context/Hash.h"
#include "llpc/reflect/EntryReflection.h"
#include "llpc/spirv/TestModule.h"
#include <thread>

using namespace llpc;
using namespace llpc::spirv::test;
using lgc::ResourceNodeType;
using spv::Decoration;
using spv::Op;
using spv::StorageClass;

namespace {

struct Allocation {
  std::vector<uint64_t> words;
  unsigned calls = 0;
  size_t size = 0;
  bool fails = false;

  static void *allocate(void *instance, void *, size_t size) {
    auto &self = *static_cast<Allocation *>(instance);
    ++self.calls;
    self.size = size;
    self.words.assign((size + 7) / 8, 0xababababababababull); // what was there must not show
    return self.fails ? nullptr : self.words.data();
  }
};

llvm::Expected<ShaderModuleBuildOut> describe(const std::vector<uint8_t> &spirv,
                                              Allocation &memory) {
  ShaderModuleBuildInfo info;
  info.instance = &memory;
  info.pfnOutputAlloc = Allocation::allocate;
  info.shaderBin = {spirv.size(), spirv.data()};
  return buildShaderModuleData(info);
}

std::vector<uint8_t> storedForm(const ShaderModuleDataEx &data) {
  std::vector<uint8_t> bytes(data.blockSize);
  storeShaderModuleData(data, bytes);
  return bytes;
}

enum : uint32_t {
  imageType = firstFree,
  samplerType,
  imagePointer,
  samplerPointer,
  image,
  sampler,
  specLength,
  textureArray,
  texturePointer,
  textures,
  fragmentMain,
  fragmentLabel,
  outPointer,
  out,
  tmp,
  tmp2,
  tmp3,
};

/// "main" (compute) uses the buffer (0, 3); "shade" (fragment) an image and a sampler that share
/// (1, 0), and an array of images (1, 1) whose length is specialization constant 9, which is 6.
TestModule twoEntries(bool bindSampler = true) {
  TestModule m(0x00010000, 200);
  m.op(Op::OpCapability, {spv::Capability::Shader});
  m.op(Op::OpMemoryModel, {spv::AddressingModel::Logical, spv::MemoryModel::GLSL450});
  m.op(Op::OpEntryPoint, {spv::ExecutionModel::GLCompute, mainId, "main"});
  m.op(Op::OpEntryPoint, {spv::ExecutionModel::Fragment, fragmentMain, "shade", out});
  m.op(Op::OpExecutionMode, {mainId, spv::ExecutionMode::LocalSize, 8, 4, 1});
  m.op(Op::OpExecutionMode, {fragmentMain, spv::ExecutionMode::OriginUpperLeft});
  m.op(Op::OpSource, {spv::SourceLanguage::GLSL, 450});
  m.op(Op::OpDecorate, {arrayId, Decoration::ArrayStride, 16});
  m.op(Op::OpMemberDecorate, {structId, 0, Decoration::Offset, 0});
  m.op(Op::OpDecorate, {structId, Decoration::BufferBlock});
  auto bind = [&](uint32_t id, uint32_t set, uint32_t binding) {
    m.op(Op::OpDecorate, {id, Decoration::DescriptorSet, set});
    m.op(Op::OpDecorate, {id, Decoration::Binding, binding});
  };
  bind(bufferId, 0, 3);
  bind(image, 1, 0);
  if (bindSampler)
    bind(sampler, 1, 0);
  bind(textures, 1, 1);
  m.op(Op::OpDecorate, {specLength, Decoration::SpecId, 9});
  m.op(Op::OpDecorate, {out, Decoration::Location, 2});
  m.op(Op::OpTypeVoid, {voidId}).op(Op::OpTypeFunction, {voidFunctionId, voidId});
  m.op(Op::OpTypeInt, {uintId, 32, 0}).op(Op::OpTypeFloat, {floatId, 32});
  m.op(Op::OpTypeVector, {vec4Id, floatId, 4}).op(Op::OpConstant, {uintId, uint4Id, 4});
  m.op(Op::OpTypeArray, {arrayId, vec4Id, uint4Id}).op(Op::OpTypeStruct, {structId, arrayId});
  m.op(Op::OpTypePointer, {bufferPointerId, StorageClass::Uniform, structId});
  m.op(Op::OpVariable, {bufferPointerId, bufferId, StorageClass::Uniform});
  m.op(Op::OpTypeImage,
       {imageType, floatId, spv::Dim::Dim2D, 0, 0, 0, 1, spv::ImageFormat::Unknown});
  m.op(Op::OpTypeSampler, {samplerType});
  m.op(Op::OpTypePointer, {imagePointer, StorageClass::UniformConstant, imageType});
  m.op(Op::OpTypePointer, {samplerPointer, StorageClass::UniformConstant, samplerType});
  m.op(Op::OpVariable, {imagePointer, image, StorageClass::UniformConstant});
  m.op(Op::OpVariable, {samplerPointer, sampler, StorageClass::UniformConstant});
  m.op(Op::OpSpecConstant, {uintId, specLength, 6});
  m.op(Op::OpTypeArray, {textureArray, imageType, specLength});
  m.op(Op::OpTypePointer, {texturePointer, StorageClass::UniformConstant, textureArray});
  m.op(Op::OpVariable, {texturePointer, textures, StorageClass::UniformConstant});
  m.op(Op::OpTypePointer, {outPointer, StorageClass::Output, vec4Id});
  m.op(Op::OpVariable, {outPointer, out, StorageClass::Output});
  m.op(Op::OpFunction, {voidId, mainId, 0, voidFunctionId}).op(Op::OpLabel, {entryId});
  m.op(Op::OpCopyObject, {bufferPointerId, tmp, bufferId});
  m.op(Op::OpReturn).op(Op::OpFunctionEnd);
  m.op(Op::OpFunction, {voidId, fragmentMain, 0, voidFunctionId}).op(Op::OpLabel, {fragmentLabel});
  m.op(Op::OpLoad, {imageType, tmp2, image}).op(Op::OpLoad, {samplerType, tmp3, sampler});
  m.op(Op::OpCopyObject, {texturePointer, tmp3 + 1, textures});
  m.op(Op::OpReturn).op(Op::OpFunctionEnd);
  return m;
}

TEST(ShaderModuleData, DescribesEveryEntry) {
  const std::vector<uint8_t> spirv = twoEntries().bytes();
  Allocation memory;
  auto out = describe(spirv, memory);
  ASSERT_TRUE(bool(out)) << lgc::consumeToText(out.takeError()).message;
  EXPECT_EQ(memory.calls, 1u);
  const ShaderModuleDataEx &data = *out->dataEx();
  EXPECT_EQ(data.blockSize, memory.size);
  EXPECT_TRUE(data.common.usage.useSpecConstant);
  ASSERT_EQ(data.common.binCode.codeSize, spirv.size());
  EXPECT_EQ(memcmp(data.common.binCode.pCode, spirv.data(), spirv.size()), 0);
  const Hash128 hash = hashBytes(spirv);
  EXPECT_EQ(memcmp(data.common.hash, hash.data(), sizeof(hash)), 0);
  EXPECT_NE(memcmp(data.common.cacheHash, hash.data(), sizeof(hash)), 0); // no OpSource in it

  llvm::ArrayRef<ShaderModuleEntryData> entries = entriesOf(data);
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].stage, ShaderStage::Compute);
  EXPECT_STREQ(entries[0].pEntryName, "main");
  const ResourceNodeData ofMain[] = {{ResourceNodeType::DescriptorBuffer, 0, 3, 1}};
  EXPECT_EQ(resourcesOf(entries[0]), llvm::ArrayRef(ofMain));
  EXPECT_TRUE(fragmentOutputsOf(data, entries[0]).empty());
  EXPECT_EQ(entries[1].stage, ShaderStage::Fragment);
  EXPECT_STREQ(entries[1].pEntryName, "shade");
  const ResourceNodeData ofShade[] = {{ResourceNodeType::DescriptorCombinedTexture, 1, 0, 1},
                                      {ResourceNodeType::DescriptorResource, 1, 1, 6}};
  EXPECT_EQ(resourcesOf(entries[1]), llvm::ArrayRef(ofShade));
  const FsOutInfo outputs[] = {{2, 0, BasicType::Float, 4}};
  EXPECT_EQ(fragmentOutputsOf(data, entries[1]), llvm::ArrayRef(outputs));
}

TEST(ShaderModuleData, SameBytesWhereverAndHoweverBuilt) {
  const std::vector<uint8_t> spirv = twoEntries().bytes();
  Allocation first, second, third;
  auto out = describe(spirv, first);
  ASSERT_TRUE(bool(out));
  const std::vector<uint8_t> stored = storedForm(*out->dataEx());
  std::vector<uint8_t> shifted(1, 0);
  shifted.insert(shifted.end(), spirv.begin(), spirv.end());
  ShaderModuleBuildInfo info;
  info.instance = &second;
  info.pfnOutputAlloc = Allocation::allocate;
  info.shaderBin = {spirv.size(), shifted.data() + 1}; // not aligned
  out = buildShaderModuleData(info);
  ASSERT_TRUE(bool(out));
  EXPECT_EQ(storedForm(*out->dataEx()), stored);
  // Of a module that exists, and from the other byte order.
  auto module = Compiler::buildShaderModule(spirv);
  ASSERT_TRUE(bool(module));
  info.instance = &third;
  info.shaderBin = {};
  out = buildShaderModuleData(*module, info);
  ASSERT_TRUE(bool(out));
  EXPECT_EQ(storedForm(*out->dataEx()), stored);
  Allocation swapped;
  out = describe(twoEntries().bytes(true), swapped);
  ASSERT_TRUE(bool(out));
  EXPECT_EQ(storedForm(*out->dataEx()), stored);
}

TEST(ShaderModuleData, BlocksBecomeModulesAgain) {
  const std::vector<uint8_t> spirv = twoEntries().bytes();
  Allocation memory;
  auto out = describe(spirv, memory);
  ASSERT_TRUE(bool(out));
  const std::vector<uint8_t> stored = storedForm(*out->dataEx());
  std::vector<uint64_t> elsewhere((stored.size() + 7) / 8);
  auto data = relocateShaderModuleData(
      stored, {reinterpret_cast<uint8_t *>(elsewhere.data()), stored.size()});
  ASSERT_TRUE(bool(data)) << lgc::consumeToText(data.takeError()).message;
  auto loaded = Compiler::loadShaderModule(**data);
  ASSERT_TRUE(bool(loaded)) << lgc::consumeToText(loaded.takeError()).message;
  auto built = Compiler::buildShaderModule(spirv);
  ASSERT_TRUE(bool(built));
  EXPECT_EQ(loaded->hash(), built->hash());
  EXPECT_EQ(loaded->cacheHash(), built->cacheHash());
  EXPECT_EQ(loaded->usage(), built->usage());
  ASSERT_EQ(loaded->entries().size(), 2u);
  for (const ShaderEntryName &entry : built->entries()) {
    const EntryReflection *a = loaded->reflection(entry.stage, entry.name);
    const EntryReflection *b = built->reflection(entry.stage, entry.name);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->traits, b->traits);
    EXPECT_EQ(a->usage, b->usage);
    EXPECT_EQ(a->outputs, b->outputs);
  }
  EXPECT_TRUE(built->reflection(ShaderStage::Fragment, "shade")->usage.isSpecialized);
  EXPECT_FALSE(built->reflection(ShaderStage::Compute, "main")->usage.isSpecialized);
  EXPECT_EQ(built->reflection(ShaderStage::Compute, "shade"), nullptr);
  EXPECT_EQ(ShaderModule().reflection(ShaderStage::Compute, "main"), nullptr);
}

/// A block can be right in itself and still not be that of its SPIR-V.
TEST(ShaderModuleData, BlocksThatDoNotFitTheirSpirv) {
  Allocation memory;
  auto out = describe(twoEntries().bytes(), memory);
  ASSERT_TRUE(bool(out));
  ShaderModuleDataEx &data = *out->dataEx();
  auto error = [&] {
    auto loaded = Compiler::loadShaderModule(data);
    return loaded ? "" : lgc::consumeToText(loaded.takeError()).message;
  };
  data.extra.entryDatas[0].stage = ShaderStage::Fragment;
  EXPECT_EQ(error(), "shader module block: entry 0 is not that of its SPIR-V");
  data.extra.entryDatas[0].stage = ShaderStage::Compute;
  data.extra.entryCount = 1;
  EXPECT_EQ(error(), "shader module block: entryCount is not that of its SPIR-V");
  data.extra.entryCount = 2;
  data.common.hash[2] ^= 1;
  EXPECT_EQ(error(), "shader module block: the hash is not that of its SPIR-V");
  data.common.hash[2] ^= 1;
  EXPECT_EQ(error(), "");
  data.common.binCode.codeSize = 0;
  EXPECT_EQ(error(), "SPIR-V module is empty");
}

TEST(ShaderModuleData, Errors) {
  auto error = [](llvm::Expected<ShaderModuleBuildOut> out) {
    return out ? "" : lgc::consumeToText(out.takeError()).message;
  };
  Allocation memory;
  EXPECT_EQ(error(describe({1, 2, 3, 4}, memory)),
            "SPIR-V module has 4 bytes; the header alone needs 20");
  EXPECT_EQ(memory.calls, 0u);
  memory.fails = true;
  EXPECT_EQ(error(describe(sample().bytes(), memory)),
            "pfnOutputAlloc gave no memory that fits a shader module block");
  auto module = Compiler::buildShaderModule(sample().bytes());
  ASSERT_TRUE(bool(module));
  EXPECT_EQ(error(buildShaderModuleData(*module, {})),
            "buildShaderModuleData needs pfnOutputAlloc");
  EXPECT_EQ(error(buildShaderModuleData(ShaderModule(), {})), "no shader module");
}

/// One entry point that cannot be described takes nothing from the others, in the module that the
/// block becomes neither. Whoever wants a part of it is told what is wrong with which entry.
TEST(ShaderModuleData, AnEntryWithAResourceThatHasNoBinding) {
  Allocation memory;
  auto out = describe(twoEntries(/*bindSampler=*/false).bytes(), memory);
  ASSERT_TRUE(bool(out)) << lgc::consumeToText(out.takeError()).message;
  llvm::ArrayRef<ShaderModuleEntryData> entries = entriesOf(*out->dataEx());
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_TRUE(entries[0].isDescribed);
  EXPECT_EQ(entries[0].resNodeDataCount, 1u);
  EXPECT_FALSE(entries[1].isDescribed);
  EXPECT_EQ(entries[1].resNodeDataCount, 0u);

  auto built = Compiler::buildShaderModule(twoEntries(false).bytes());
  auto loaded = Compiler::loadShaderModule(*out->dataEx());
  ASSERT_TRUE(built && loaded);
  for (const ShaderModule *module : {&*built, &*loaded}) {
    const EntryReflection *compute = module->reflection(ShaderStage::Compute, "main");
    EXPECT_FALSE(compute->error);
    EXPECT_EQ(compute->usage.nodes.size(), 1u);
    const EntryReflection *fragment = module->reflection(ShaderStage::Fragment, "shade");
    ASSERT_TRUE(fragment->error);
    EXPECT_TRUE(llvm::StringRef(fragment->error->message)
                    .ends_with("a resource variable needs DescriptorSet and Binding"));

    PipelineShaderInfo shader;
    shader.entryTarget = "main";
    shader.entryStage = ShaderStage::Compute;
    EXPECT_TRUE(bool(Compiler::guessLayout(*module, shader, {})));
    shader.entryTarget = "shade";
    shader.entryStage = ShaderStage::Fragment;
    auto guess = Compiler::guessLayout(*module, shader, {});
    ASSERT_FALSE(bool(guess));
    lgc::ErrorText error = lgc::consumeToText(guess.takeError());
    EXPECT_EQ(error.kind, lgc::ErrorKind::InvalidInput);
    EXPECT_TRUE(llvm::StringRef(error.message).starts_with("entry point 'shade': OpVariable %"))
        << error.message;
  }
}

TEST(ShaderModuleData, EntriesThatShareTooMuchCode) {
  // 1,000 entry points that all are one function of 4,000 instructions.
  TestModule m(0x00010000, 10000);
  m.op(Op::OpCapability, {spv::Capability::Shader});
  m.op(Op::OpMemoryModel, {spv::AddressingModel::Logical, spv::MemoryModel::GLSL450});
  for (uint32_t i = 0; i < 1000; ++i)
    m.op(Op::OpEntryPoint,
         {spv::ExecutionModel::GLCompute, mainId, ("e" + std::to_string(i)).c_str()});
  m.op(Op::OpTypeVoid, {voidId}).op(Op::OpTypeFunction, {voidFunctionId, voidId});
  m.op(Op::OpTypeInt, {uintId, 32, 0}).op(Op::OpConstant, {uintId, uint1Id, 1});
  m.op(Op::OpFunction, {voidId, mainId, 0, voidFunctionId}).op(Op::OpLabel, {entryId});
  for (uint32_t i = 0; i < 4000; ++i)
    m.op(Op::OpIAdd, {uintId, 1000 + i, uint1Id, uint1Id});
  m.op(Op::OpReturn).op(Op::OpFunctionEnd);
  Allocation memory;
  auto out = describe(m.bytes(), memory);
  ASSERT_FALSE(bool(out));
  lgc::ErrorText error = lgc::consumeToText(out.takeError());
  EXPECT_EQ(error.kind, lgc::ErrorKind::LimitExceeded);
  EXPECT_EQ(error.message, "entry points share too much code to describe each");
}

TEST(ShaderModuleData, ReflectionFromSeveralThreads) {
  auto module = Compiler::buildShaderModule(twoEntries().bytes());
  ASSERT_TRUE(bool(module));
  const EntryReflection *seen[4] = {};
  std::vector<std::thread> threads;
  for (auto &slot : seen)
    threads.emplace_back([&] { slot = module->reflection(ShaderStage::Fragment, "shade"); });
  for (std::thread &thread : threads)
    thread.join();
  for (const EntryReflection *reflection : seen)
    EXPECT_EQ(reflection, seen[0]);
  EXPECT_EQ(seen[0]->usage.nodes.size(), 2u);
}

} // namespace
