//===- AdapterTest.cpp - the interface as a driver uses it ----------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/amd/AdapterForTest.h"
#include "llpc/PipeFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>
#include <thread>

using namespace icd::amd;
using Vkgc::IPipelineDumper;
using Vkgc::Result;

namespace {

class AmdCompiler : public testing::Test {
protected:
  void create(std::vector<const char *> options = {}) {
    ASSERT_EQ(
        Llpc::ICompiler::Create({11, 0, 0}, unsigned(options.size()), options.data(), &compiler),
        Result::Success);
  }
  ~AmdCompiler() override {
    if (compiler)
      compiler->Destroy();
  }

  const void *moduleOf(const char *text, const char *stage) {
    return moduleFor(*compiler, memory, text, stage);
  }

  Vkgc::ComputePipelineBuildInfo computeInfo() {
    Vkgc::ComputePipelineBuildInfo info = {};
    info.pInstance = &memory;
    info.pfnOutputAlloc = Memory::allocate;
    info.cs.pModuleData = moduleOf(computeText, "comp");
    info.cs.pEntryTarget = "main";
    info.cs.entryStage = Vkgc::ShaderStageCompute;
    info.resourceMapping = layout.data();
    info.options.optimizationLevel = 2;
    return info;
  }

  Vkgc::GraphicsPipelineBuildInfo graphicsInfo() {
    Vkgc::GraphicsPipelineBuildInfo info = {};
    info.pInstance = &memory;
    info.pfnOutputAlloc = Memory::allocate;
    info.vs.pModuleData = moduleOf(vertexText, "vert");
    info.vs.entryStage = Vkgc::ShaderStageVertex;
    info.fs.pModuleData = moduleOf(fragmentText, "frag");
    info.fs.entryStage = Vkgc::ShaderStageFragment;
    info.resourceMapping = layout.data();
    info.options.optimizationLevel = 2;
    info.iaState.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    info.rsState.numSamples = 1;
    info.vpState.depthClipEnable = true;
    info.nggState.enableNgg = true;
    info.cbState.target[0] = {false, false, 0xF, VK_FORMAT_R8G8B8A8_UNORM};
    binding = {0, 16, VK_VERTEX_INPUT_RATE_VERTEX};
    attribute = {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0};
    vertexInput.vertexBindingDescriptionCount = vertexInput.vertexAttributeDescriptionCount = 1;
    vertexInput.pVertexBindingDescriptions = &binding;
    vertexInput.pVertexAttributeDescriptions = &attribute;
    info.pVertexInput = &vertexInput;
    return info;
  }

  static bool isElf(const Vkgc::BinaryData &binary) {
    return binary.codeSize > 64 && std::memcmp(binary.pCode, "\177ELF", 4) == 0;
  }

  Llpc::ICompiler *compiler = nullptr;
  Memory memory;
  Layout layout;
  VkVertexInputBindingDescription binding = {};
  VkVertexInputAttributeDescription attribute = {};
  VkPipelineVertexInputStateCreateInfo vertexInput = {};
};

} // namespace

TEST_F(AmdCompiler, isCreatedForKnownGpusOnly) {
  EXPECT_NE(Llpc::ICompiler::Create({9, 0, 0}, 0, nullptr, &compiler), Result::Success);
  EXPECT_EQ(compiler, nullptr);
  const char *wrong[] = {"-kiln-parts=maybe"};
  EXPECT_EQ(Llpc::ICompiler::Create({11, 0, 0}, 1, wrong, &compiler), Result::ErrorInvalidShader);
  EXPECT_EQ(Llpc::ICompiler::Create({11, 0, 0}, 0, nullptr, nullptr), Result::ErrorInvalidPointer);
  create();
  EXPECT_NE(compiler, nullptr);
}

TEST_F(AmdCompiler, knowsVertexFormats) {
  EXPECT_TRUE(Llpc::ICompiler::IsVertexFormatSupported(VK_FORMAT_R32G32B32A32_SFLOAT));
  EXPECT_FALSE(Llpc::ICompiler::IsVertexFormatSupported(VK_FORMAT_D32_SFLOAT));
  EXPECT_FALSE(Llpc::ICompiler::IsVertexFormatSupported(VK_FORMAT_UNDEFINED));
}

TEST_F(AmdCompiler, buildsComputePipelinesOnce) {
  create({"-kiln-parts=off"});
  const Vkgc::ComputePipelineBuildInfo info = computeInfo();
  Llpc::ComputePipelineBuildOut first = {}, second = {};
  ASSERT_EQ(compiler->BuildComputePipeline(&info, &first), Result::Success);
  EXPECT_TRUE(isElf(first.pipelineBin));
  EXPECT_EQ(first.pipelineCacheAccess, Llpc::CacheMiss);
  ASSERT_EQ(compiler->BuildComputePipeline(&info, &second), Result::Success);
  EXPECT_EQ(second.pipelineCacheAccess, Llpc::InternalCacheHit);
  ASSERT_EQ(first.pipelineBin.codeSize, second.pipelineBin.codeSize);
  EXPECT_NE(first.pipelineBin.pCode, second.pipelineBin.pCode);
  EXPECT_EQ(
      std::memcmp(first.pipelineBin.pCode, second.pipelineBin.pCode, first.pipelineBin.codeSize),
      0);
}

TEST_F(AmdCompiler, linksGraphicsPipelinesOfParts) {
  create();
  const Vkgc::GraphicsPipelineBuildInfo info = graphicsInfo();
  Llpc::GraphicsPipelineBuildOut out = {};
  ASSERT_EQ(compiler->BuildGraphicsPipeline(&info, &out), Result::Success);
  EXPECT_TRUE(isElf(out.pipelineBin));
  // Both modules are known since before, so their parts are there or awaited.
  EXPECT_EQ(out.pipelineCacheAccess, Llpc::PartialPipelineHit);
}

TEST_F(AmdCompiler, compilesWholeGraphicsPipelinesWithoutParts) {
  create({"-kiln-parts=off"});
  const Vkgc::GraphicsPipelineBuildInfo info = graphicsInfo();
  Llpc::GraphicsPipelineBuildOut out = {};
  ASSERT_EQ(compiler->BuildGraphicsPipeline(&info, &out), Result::Success);
  EXPECT_EQ(out.pipelineCacheAccess, Llpc::CacheMiss);
}

TEST_F(AmdCompiler, leavesHalvesToTheWhole) {
  create();
  const Vkgc::GraphicsPipelineBuildInfo info = graphicsInfo();
  Llpc::GraphicsPipelineBuildOut out = {};
  EXPECT_EQ(compiler->buildGraphicsShaderStage(&info, &out, Vkgc::UnlinkedStageFragment),
            Result::RequireFullPipeline);
  const Vkgc::BinaryData elfs[Vkgc::UnlinkedStageCount] = {};
  EXPECT_EQ(compiler->buildGraphicsPipelineWithElf(&info, &out, elfs), Result::RequireFullPipeline);
  EXPECT_EQ(compiler->BuildColorExportShader(&info, nullptr, &out), Result::RequireFullPipeline);
}

TEST_F(AmdCompiler, saysWhatCannotBe) {
  create({"-kiln-log=/dev/null"});
  Vkgc::ComputePipelineBuildInfo info = computeInfo();
  Llpc::ComputePipelineBuildOut out = {};
  EXPECT_EQ(compiler->BuildComputePipeline(nullptr, &out), Result::ErrorInvalidPointer);
  EXPECT_EQ(compiler->BuildComputePipeline(&info, nullptr), Result::ErrorInvalidPointer);
  info.cs.pEntryTarget = "other";
  EXPECT_EQ(compiler->BuildComputePipeline(&info, &out), Result::ErrorInvalidShader);
  info.cs.pEntryTarget = "main";
  info.unlinked = true;
  EXPECT_EQ(compiler->BuildComputePipeline(&info, &out), Result::Unsupported);
  info.unlinked = false;
  memory.isEmpty = true;
  EXPECT_EQ(compiler->BuildComputePipeline(&info, &out), Result::ErrorOutOfMemory);
  memory.isEmpty = false;
  info.pfnOutputAlloc = nullptr;
  EXPECT_EQ(compiler->BuildComputePipeline(&info, &out), Result::ErrorInvalidPointer);
  Vkgc::RayTracingPipelineBuildInfo rays = {};
  Llpc::RayTracingPipelineBuildOut raysOut = {};
  EXPECT_EQ(compiler->BuildRayTracingPipeline(&rays, &raysOut), Result::Unsupported);
}

TEST_F(AmdCompiler, servesManyThreads) {
  create({"-kiln-part-workers=2"});
  const Vkgc::GraphicsPipelineBuildInfo graphics = graphicsInfo();
  const Vkgc::ComputePipelineBuildInfo compute = computeInfo();
  std::vector<std::thread> threads;
  std::array<bool, 8> ok = {};
  for (unsigned i = 0; i < ok.size(); ++i)
    threads.emplace_back([&, i] {
      Memory own;
      Vkgc::GraphicsPipelineBuildInfo mine = graphics;
      Vkgc::ComputePipelineBuildInfo mineToo = compute;
      mine.pInstance = mineToo.pInstance = &own;
      mine.cbState.target[0].format = i % 2 ? VK_FORMAT_R32_UINT : VK_FORMAT_R8G8B8A8_UNORM;
      Llpc::GraphicsPipelineBuildOut out = {};
      Llpc::ComputePipelineBuildOut computeOut = {};
      ok[i] = compiler->BuildGraphicsPipeline(&mine, &out) == Result::Success &&
              compiler->BuildComputePipeline(&mineToo, &computeOut) == Result::Success;
    });
  for (std::thread &thread : threads)
    thread.join();
  for (bool each : ok)
    EXPECT_TRUE(each);
}

//===--- Static functions ---===//

TEST_F(AmdCompiler, namesPipelinesByWhatTheyAre) {
  create({"-kiln-parts=off"});
  Vkgc::GraphicsPipelineBuildInfo info = graphicsInfo();
  const uint64_t hash = IPipelineDumper::GetPipelineHash(&info);
  char name[64];
  IPipelineDumper::GetPipelineName(&info, name, sizeof(name), 0xABCull);
  EXPECT_STREQ(name, "PipelineVsFs_0x0000000000000ABC");
  IPipelineDumper::GetPipelineName(&info, name, 9, 0xABCull);
  EXPECT_STREQ(name, "Pipeline");
  Vkgc::GraphicsPipelineBuildInfo same = graphicsInfo(); // other blocks, same modules
  EXPECT_EQ(IPipelineDumper::GetPipelineHash(&same), hash);
  attribute.offset = 4;
  EXPECT_NE(IPipelineDumper::GetPipelineHash(&info), hash);
  EXPECT_EQ(IPipelineDumper::GetGraphicsShaderBinaryHash(&info, Vkgc::ShaderStageFragment),
            IPipelineDumper::GetGraphicsShaderBinaryHash(&same, Vkgc::ShaderStageFragment));
  info.pipelineApiHash = 17;
  EXPECT_EQ(IPipelineDumper::GetPipelineHash(&info), 17u);
  EXPECT_EQ(IPipelineDumper::GetShaderHash(nullptr), 0u);
  EXPECT_NE(IPipelineDumper::GetShaderHash(info.vs.pModuleData),
            IPipelineDumper::GetShaderHash(info.fs.pModuleData));
}

TEST_F(AmdCompiler, dumpsPipelines) {
  create({"-kiln-parts=off"});
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("kiln-amd", folder));
  const Vkgc::GraphicsPipelineBuildInfo info = graphicsInfo();
  Vkgc::PipelineBuildInfo which = {};
  which.pGraphicsInfo = &info;
  Vkgc::PipelineDumpOptions options = {};
  const std::string path = folder.str().str();
  options.pDumpDir = path.c_str();
  options.filterPipelineDumpByType = 0x10; // not those of vertex and fragment shaders
  EXPECT_EQ(IPipelineDumper::BeginPipelineDump(&options, which, 5), nullptr);
  options.filterPipelineDumpByType = 0;
  options.filterPipelineDumpByHash = 6;
  EXPECT_EQ(IPipelineDumper::BeginPipelineDump(&options, which, 5), nullptr);
  options.filterPipelineDumpByHash = 0;
  void *dump = IPipelineDumper::BeginPipelineDump(&options, which, 5);
  ASSERT_NE(dump, nullptr);
  const Vkgc::BinaryData binary = {4, "elf!"};
  IPipelineDumper::DumpPipelineBinary(dump, {11, 0, 0}, &binary);
  IPipelineDumper::DumpPipelineExtraInfo(dump, "\n;CompileResult=VK_SUCCESS\n[VsGlsl]\n");
  IPipelineDumper::EndPipelineDump(dump);
  EXPECT_EQ(IPipelineDumper::BeginPipelineDump(&options, which, 5), nullptr); // is there

  auto text = llvm::MemoryBuffer::getFile(folder + "/PipelineVsFs_0x0000000000000005.pipe");
  ASSERT_TRUE(bool(text));
  EXPECT_TRUE((*text)->getBuffer().contains("; [VsGlsl]\n"));
  std::vector<std::string> warnings;
  auto file = llpc::readPipeFile((*text)->getBuffer(), "dump", warnings);
  ASSERT_TRUE(bool(file)) << lgc::consumeToText(file.takeError()).message;
  EXPECT_EQ(file->shaders.size(), 2u);
  EXPECT_EQ(file->graphics.vertexInput.attributes.size(), 1u);
  EXPECT_TRUE(llvm::sys::fs::exists(folder + "/PipelineVsFs_0x0000000000000005.elf"));
  IPipelineDumper::EndPipelineDump(nullptr);
  EXPECT_FALSE(llvm::sys::fs::remove_directories(folder));
}

TEST_F(AmdCompiler, findsTheEntryPointOfSpirv) {
  const std::vector<uint8_t> spirv = spirvOf(computeText, "comp");
  Vkgc::BinaryData binary = {spirv.size(), spirv.data()};
  EXPECT_STREQ(Vkgc::IUtil::GetEntryPointNameFromSpirvBinary(&binary), "main");
  for (size_t size = 0; size < spirv.size(); size += 4) {
    const std::vector<uint8_t> part(spirv.begin(), spirv.begin() + long(size)); // for sanitisers
    binary = {part.size(), part.data()};
    const char *name = Vkgc::IUtil::GetEntryPointNameFromSpirvBinary(&binary);
    EXPECT_TRUE(!std::strcmp(name, "main") || !*name);
  }
  EXPECT_STREQ(Vkgc::IUtil::GetEntryPointNameFromSpirvBinary(nullptr), "");
  EXPECT_STREQ(
      Vkgc::IUtil::GetResourceMappingNodeTypeName(Vkgc::ResourceMappingNodeType::DescriptorBuffer),
      "DescriptorBuffer");
}
