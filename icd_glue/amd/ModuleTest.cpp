//===- ModuleTest.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/amd/Module.h"
#include "icd_glue/amd/AdapterForTest.h"
#include "icd_glue/amd/BuildInfos.h"
#include "icd_glue/amd/Hashes.h"
#include <cstring>

using namespace icd::amd;

namespace {

Llpc::ShaderModuleBuildInfo infoOf(const std::vector<uint8_t> &spirv, Memory &memory) {
  Llpc::ShaderModuleBuildInfo info = {};
  info.pInstance = &memory;
  info.pfnOutputAlloc = Memory::allocate;
  info.shaderBin = {spirv.size(), spirv.data()};
  return info;
}

lgc::ErrorKind kindOf(const Llpc::ShaderModuleBuildInfo &info) {
  auto built = buildModule(info);
  return built ? lgc::ErrorKind() : lgc::consumeToText(built.takeError()).kind;
}

} // namespace

TEST(AmdModule, hasWhatADriverReads) {
  Memory memory;
  const std::vector<uint8_t> spirv = spirvOf(vertexText, "vert");
  auto built = buildModule(infoOf(spirv, memory));
  ASSERT_TRUE(bool(built));
  ASSERT_EQ(memory.blocks.size(), 1u); // one block, which the driver frees
  EXPECT_EQ(memory.blocks[0], built->data);
  const Vkgc::ShaderModuleData &data = *built->data;
  EXPECT_EQ(data.binType, Vkgc::BinaryType::Spirv);
  ASSERT_EQ(data.binCode.codeSize, spirv.size());
  EXPECT_EQ(std::memcmp(data.binCode.pCode, spirv.data(), spirv.size()), 0);
  EXPECT_TRUE(data.usage.usePointSize);
  EXPECT_FALSE(data.usage.useShadingRate);
  EXPECT_FALSE(data.usage.useSpecConstant);
  EXPECT_NE(moduleHashOf(data), 0u);
}

TEST(AmdModule, isFoundByContentWhenItsBlockHasMoved) {
  const std::vector<uint8_t> spirv = spirvOf(computeText, "comp");
  Memory memory;
  auto built = buildModule(infoOf(spirv, memory));
  ASSERT_TRUE(bool(built));
  ModuleCache modules;
  auto parsed = modules.moduleOf(*built->data);
  ASSERT_TRUE(bool(parsed));
  EXPECT_EQ(parsed->hash(), built->module.hash());
  EXPECT_TRUE(parsed->usage().useSpecConstant);
  auto again = modules.moduleOf(*built->data);
  ASSERT_TRUE(bool(again));
  EXPECT_EQ(&again->spirvModule(), &parsed->spirvModule());
}

TEST(AmdModule, keepsWhatThereIsRoomFor) {
  Memory memory;
  ModuleCache modules(1); // always one
  std::vector<BuiltModule> all;
  for (const char *stage : {"vert", "frag"}) {
    auto built =
        buildModule(infoOf(spirvOf(stage[0] == 'v' ? vertexText : fragmentText, stage), memory));
    ASSERT_TRUE(bool(built));
    all.push_back(*built);
    modules.keep(built->module);
  }
  auto dropped = modules.moduleOf(*all[0].data);
  ASSERT_TRUE(bool(dropped));
  EXPECT_NE(&dropped->spirvModule(), &all[0].module.spirvModule());
}

TEST(AmdModule, refusesWhatIsNoModule) {
  Memory memory;
  const std::vector<uint8_t> spirv = spirvOf(computeText, "comp");
  Llpc::ShaderModuleBuildInfo info = infoOf(spirv, memory);
  info.pfnOutputAlloc = nullptr;
  EXPECT_EQ(kindOf(info), lgc::ErrorKind::InvalidInput);
  info = infoOf(spirv, memory);
  info.shaderBin = {0, nullptr};
  EXPECT_EQ(kindOf(info), lgc::ErrorKind::InvalidInput);
  info.shaderBin = {spirv.size() / 2, spirv.data()};
  EXPECT_EQ(kindOf(info), lgc::ErrorKind::InvalidInput);
  EXPECT_TRUE(memory.blocks.empty());
  info = infoOf(spirv, memory);
  memory.isEmpty = true;
  EXPECT_EQ(kindOf(info), lgc::ErrorKind::Internal);

  ModuleCache modules;
  alignas(16) unsigned char zeros[1024] = {};
  auto other = modules.moduleOf(*reinterpret_cast<Vkgc::ShaderModuleData *>(zeros));
  ASSERT_FALSE(bool(other));
  EXPECT_EQ(lgc::consumeToText(other.takeError()).message,
            "shader module data of another compiler");
}

TEST(AmdBuildInfos, specializationLiesInItsData) {
  const uint32_t data[] = {5, 6};
  VkSpecializationMapEntry entries[] = {{7, 4, 4}, {8, 0, 8}};
  VkSpecializationInfo info = {2, entries, sizeof(data), data};
  auto constants = specializationOf(&info);
  ASSERT_TRUE(bool(constants));
  EXPECT_EQ(constants->at(0), (llpc::SpecConstant{7, 4, 6}));
  EXPECT_EQ(constants->at(1), (llpc::SpecConstant{8, 8, 6ull << 32 | 5}));
  // What no shader has may be of any size.
  const uint32_t large[4] = {};
  const VkSpecializationMapEntry unused = {1, 0, sizeof(large)};
  const VkSpecializationInfo other = {1, &unused, sizeof(large), large};
  constants = specializationOf(&other);
  ASSERT_TRUE(bool(constants));
  EXPECT_TRUE(constants->empty());
  for (const VkSpecializationMapEntry &bad :
       {VkSpecializationMapEntry{1, 8, 1}, VkSpecializationMapEntry{1, 0, 9},
        VkSpecializationMapEntry{1, UINT32_MAX, 4}, VkSpecializationMapEntry{1, 4, SIZE_MAX}}) {
    entries[0] = bad;
    auto failed = specializationOf(&info);
    ASSERT_FALSE(bool(failed));
    EXPECT_EQ(lgc::consumeToText(failed.takeError()).kind, lgc::ErrorKind::InvalidInput);
  }
}

TEST(AmdBuildInfos, vertexInputHasDivisors) {
  const VkVertexInputBindingDescription bindings[] = {{0, 12, VK_VERTEX_INPUT_RATE_VERTEX},
                                                      {3, 8, VK_VERTEX_INPUT_RATE_INSTANCE}};
  const VkVertexInputAttributeDescription attribute = {1, 3, VK_FORMAT_R8G8_UNORM, 4};
  const VkVertexInputBindingDivisorDescriptionEXT divisor = {3, 5};
  VkPipelineVertexInputDivisorStateCreateInfoEXT divisors = {};
  divisors.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT;
  divisors.vertexBindingDivisorCount = 1;
  divisors.pVertexBindingDivisors = &divisor;
  VkPipelineVertexInputStateCreateInfo info = {};
  info.pNext = &divisors;
  info.vertexBindingDescriptionCount = 2;
  info.pVertexBindingDescriptions = bindings;
  info.vertexAttributeDescriptionCount = 1;
  info.pVertexAttributeDescriptions = &attribute;
  const llpc::VertexInputInfo input = llvm::cantFail(vertexInputOf(&info));
  ASSERT_EQ(input.bindings.size(), 2u);
  EXPECT_EQ(input.bindings[0], (lgc::VertexBinding{0, 12, lgc::VertexInputRate::Vertex, 1}));
  EXPECT_EQ(input.bindings[1], (lgc::VertexBinding{3, 8, lgc::VertexInputRate::Instance, 5}));
  EXPECT_EQ(input.attributes.at(0),
            (llpc::VertexAttributeInfo{1, 3, uint32_t(VK_FORMAT_R8G8_UNORM), 4}));
  EXPECT_TRUE(vertexInputOf(nullptr)->bindings.empty());
}

TEST(AmdBuildInfos, nullArraysWithElementsAreErrors) {
  auto kindOf = [](auto failed) {
    return failed ? lgc::ErrorKind::Internal : lgc::consumeToText(failed.takeError()).kind;
  };
  const VkSpecializationMapEntry entry = {};
  const VkSpecializationInfo noEntries = {1, nullptr, 0, nullptr}, noData = {1, &entry, 4, nullptr};
  EXPECT_EQ(kindOf(specializationOf(&noEntries)), lgc::ErrorKind::InvalidInput);
  EXPECT_EQ(kindOf(specializationOf(&noData)), lgc::ErrorKind::InvalidInput);
  VkPipelineVertexInputDivisorStateCreateInfoEXT divisors = {};
  divisors.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT;
  divisors.vertexBindingDivisorCount = 1;
  VkPipelineVertexInputStateCreateInfo input = {};
  input.pNext = &divisors;
  EXPECT_EQ(kindOf(vertexInputOf(&input)), lgc::ErrorKind::InvalidInput);
  input = {};
  input.vertexBindingDescriptionCount = 1;
  EXPECT_EQ(kindOf(vertexInputOf(&input)), lgc::ErrorKind::InvalidInput);
  input = {};
  input.vertexAttributeDescriptionCount = 1;
  EXPECT_EQ(kindOf(vertexInputOf(&input)), lgc::ErrorKind::InvalidInput);
  // Names of such pipelines are asked for, too.
  Vkgc::GraphicsPipelineBuildInfo info = {};
  info.pVertexInput = &input;
  info.resourceMapping.userDataNodeCount = info.resourceMapping.staticDescriptorValueCount = 1;
  EXPECT_NE(Vkgc::IPipelineDumper::GetPipelineHash(&info), 0u);
}
