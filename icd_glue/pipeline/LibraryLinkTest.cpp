// SPDX-License-Identifier: MIT
// What creating libraries and linking them compiles, and when; what is drawn is tested in test/api.
#include "icd_glue/pipeline/LibraryLink.h"
#include "icd_glue/device/TestDevice.h"
#include "icd_glue/partial/PartCounters.h"
#include "icd_glue/partial/PartialPipeline.h"
#include "test/vulkan/GraphicsInfo.h"
#include "tools/frontend/Glsl.h"
#include <chrono>
#include <cstdlib>
#include <thread>

namespace icd {
namespace {

std::vector<uint32_t> compileGlsl(const std::string &text, const std::string &stage) {
  return frontend::wordsOf(llvm::cantFail(frontend::compileGlsl(text, stage)));
}

class LibraryLink : public TestDevice {
protected:
  void SetUp() override {}
  void begin(const char *parts) {
    setenv("KILN_PARTS", parts, 1); // read when an instance is created
    TestDevice::SetUp();
    unsetenv("KILN_PARTS");
  }
  void TearDown() override {
    for (VkPipeline pipeline : pipelines)
      DestroyPipeline(device, pipeline, nullptr);
    TestDevice::TearDown();
    EXPECT_TRUE(messages.empty()) << messages.front();
  }

  /// Of the subsets \p own and of libraries.
  VkResult tryCreate(Subsets own, const std::vector<VkPipeline> &libraries,
                     VkPipelineCreateFlags flags, VkPipeline &made, VkPipelineCache cache) {
    vktest::GraphicsInfo graphics;
    VkShaderModuleCreateInfo modules[2] = {};
    auto addStage = [&](const std::vector<uint32_t> &words, VkShaderStageFlagBits stage) {
      VkShaderModuleCreateInfo &module = modules[graphics.stages.size()];
      module.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
      module.codeSize = words.size() * 4;
      module.pCode = words.data();
      graphics.addStage(stage, VK_NULL_HANDLE, &module);
    };
    if (own & preRasterizationSubset)
      addStage(vertexWords, VK_SHADER_STAGE_VERTEX_BIT);
    if (own & fragmentShaderSubset)
      addStage(fragmentWords, VK_SHADER_STAGE_FRAGMENT_BIT);
    graphics.bindings = {{0, 16, VK_VERTEX_INPUT_RATE_VERTEX}};
    graphics.attributes = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}};
    graphics.assembly.topology = topology;
    graphics.rendering.viewMask = viewMask;
    auto library = vkStruct<VkGraphicsPipelineLibraryCreateInfoEXT>(
        VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
    library.flags = own;
    auto link = vkStruct<VkPipelineLibraryCreateInfoKHR>(
        VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, &library);
    link.libraryCount = static_cast<uint32_t>(libraries.size());
    link.pLibraries = libraries.data();
    graphics.info.pNext = &link;
    graphics.info.flags = flags;
    return CreateGraphicsPipelines(device, cache, 1, &graphics.done(), nullptr, &made);
  }
  VkPipeline create(Subsets own, const std::vector<VkPipeline> &libraries = {},
                    VkPipelineCreateFlags flags = 0, VkPipelineCache cache = VK_NULL_HANDLE) {
    VkPipeline made = VK_NULL_HANDLE;
    EXPECT_EQ(tryCreate(own, libraries, flags, made, cache), VK_SUCCESS);
    pipelines.push_back(made);
    return made;
  }
  VkPipeline library(Subsets own) { return create(own, {}, VK_PIPELINE_CREATE_LIBRARY_BIT_KHR); }
  std::vector<VkPipeline> four() {
    return {library(vertexInputSubset), library(preRasterizationSubset),
            library(fragmentShaderSubset), library(fragmentOutputSubset)};
  }
  const PipelineData &data(VkPipeline pipeline) { return *fromHandle<Pipeline>(pipeline)->data; }
  llvm::ArrayRef<uint8_t> elfOf(VkPipeline pipeline) {
    const CodeObject *code = data(pipeline).code(object());
    EXPECT_TRUE(code);
    return code ? code->elf() : llvm::ArrayRef<uint8_t>();
  }
  PartCounters &counters() { return object().counters(); }

  const std::vector<uint32_t> vertexWords = compileGlsl(R"(#version 450
layout(location = 0) in vec4 position;
layout(location = 0) out vec2 place;
void main() { gl_Position = position; gl_PointSize = 1; place = position.xy; })",
                                                        "vert");
  std::vector<uint32_t> fragmentWords = compileGlsl(R"(#version 450
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;
void main() { color = vec4(place, 0.5, 1); })",
                                                    "frag");
  uint32_t viewMask = 0;
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  std::vector<VkPipeline> pipelines;
};

constexpr VkPipelineCreateFlags optimised = VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT;
constexpr VkPipelineCreateFlags noCompile =
    VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;

// The first part is the direct tier's; when a pipeline that it is linked to is used, the background
// makes LLVM's for libraries that come later.
TEST_F(LibraryLink, PartsMayBeStandIns) {
  begin("off");
  auto partOf = [&](VkPipeline made) -> PartPointer {
    const ShaderPiece &piece = *data(made).pieces().preRasterization;
    const PartPointer *part = piece.parts.find(piece.partClass(PrimitiveClass::Triangles));
    return part ? *part : nullptr;
  };
  const std::vector<VkPipeline> libraries = four();
  const PartPointer first = partOf(libraries[1]);
  ASSERT_TRUE(first && first->isStandIn());
  EXPECT_EQ(partOf(library(preRasterizationSubset)), first); // nobody has used it
  const VkPipeline linked = create(0, libraries);
  EXPECT_TRUE(data(linked).program(object()));
  EXPECT_TRUE(data(linked).code(object())->isStandIn());
  PartPointer later = first;
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (later && later->isStandIn() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    later = partOf(library(preRasterizationSubset));
  }
  ASSERT_TRUE(later);
  EXPECT_FALSE(later->isStandIn());
  // Libraries that live have it for pipelines to come; glue is the same.
  const uint64_t glue = counters().glueBuilt;
  const VkPipeline again = create(0, libraries);
  EXPECT_EQ(partOf(libraries[1]), later);
  EXPECT_NE(elfOf(again), elfOf(linked));
  EXPECT_EQ(counters().glueBuilt, glue);
  EXPECT_NE(later->hash, first->hash);
  EXPECT_EQ(later->glueSignature, first->glueSignature);
  // As records say.
  auto read = PartObject::fromRecord(first->record(), object().target());
  ASSERT_TRUE(static_cast<bool>(read));
  EXPECT_TRUE((*read)->lacksImprovement());
}

TEST_F(LibraryLink, LibrariesCompilePartsAndLinksNothing) {
  begin("off");
  const std::vector<VkPipeline> libraries = four();
  EXPECT_EQ(counters().partsBuilt, 2u);
  EXPECT_EQ(counters().glueBuilt, 0u); // there is no background
  const VkPipeline first = create(0, libraries);
  EXPECT_EQ(counters().glueBuilt, 2u);
  EXPECT_EQ(counters().linked, 0u); // nobody has needed the code
  EXPECT_FALSE(elfOf(first).empty());
  EXPECT_EQ(counters().linked, 1u);
  EXPECT_EQ(elfOf(create(0, libraries)), elfOf(first));
  EXPECT_EQ(counters().linked, 2u);
  // The same shaders in other libraries.
  create(0, {library(preRasterizationSubset), libraries[0], libraries[2], libraries[3]});
  EXPECT_EQ(counters().partsBuilt, 2u);
  EXPECT_EQ(counters().glueBuilt, 2u);
  EXPECT_EQ(counters().compiled, 0u);
}

TEST_F(LibraryLink, GlueIsBuiltInTheBackground) {
  begin("on");
  const std::vector<VkPipeline> libraries = four();
  object().partial()->waitIdle();
  EXPECT_EQ(counters().glueBuilt, 2u);
  VkPipeline made = VK_NULL_HANDLE;
  EXPECT_EQ(tryCreate(0, libraries, noCompile, made, VK_NULL_HANDLE), VK_SUCCESS);
  pipelines.push_back(made);
  EXPECT_EQ(counters().linked, 1u); // at once
  EXPECT_FALSE(elfOf(made).empty());
  EXPECT_EQ(counters().linked, 1u);
  // Lines take the same part.
  topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  const VkPipeline lines = library(vertexInputSubset);
  object().partial()->waitIdle();
  const uint64_t glue = counters().glueBuilt;
  const VkPipeline drawsLines = create(0, {lines, libraries[1], libraries[2], libraries[3]});
  EXPECT_NE(elfOf(drawsLines), elfOf(made)); // a register says it
  EXPECT_EQ(counters().partsBuilt, 2u);
  EXPECT_EQ(counters().glueBuilt, glue);
}

TEST_F(LibraryLink, OptimisedLinksAreMonolithicPipelines) {
  begin("off");
  const std::vector<VkPipeline> libraries = four();
  VkPipeline made = VK_NULL_HANDLE;
  EXPECT_EQ(tryCreate(0, libraries, optimised | noCompile, made, VK_NULL_HANDLE),
            VK_PIPELINE_COMPILE_REQUIRED);
  const VkPipeline link = create(0, libraries, optimised);
  EXPECT_EQ(counters().compiled, 1u);
  const VkPipeline whole = create(allSubsets);
  EXPECT_EQ(counters().compiled, 1u);
  EXPECT_EQ(counters().codeHits, 1u);
  EXPECT_EQ(data(whole).code(object()), data(link).code(object()));
  EXPECT_NE(elfOf(create(0, libraries)), elfOf(whole));
  // Found by name, without a compile.
  create(0, libraries, optimised | noCompile);
  EXPECT_EQ(counters().codeHits, 2u);
  EXPECT_EQ(counters().compiled, 1u);
}

// A monolithic pipeline may be linked of parts; an optimised link may not have that code.
TEST_F(LibraryLink, LinkedCodeIsNotOptimised) {
  begin("sync");
  auto cacheInfo =
      vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
  VkPipelineCache cache = VK_NULL_HANDLE;
  ASSERT_EQ(CreatePipelineCache(device, &cacheInfo, nullptr, &cache), VK_SUCCESS);
  const VkPipeline linked = create(allSubsets, {}, 0, cache);
  EXPECT_TRUE(data(linked).code(object())->isLinked());
  EXPECT_EQ(counters().compiled, 0u);
  const std::vector<VkPipeline> libraries = four();
  const VkPipeline link = create(0, libraries, optimised, cache);
  EXPECT_FALSE(data(link).code(object())->isLinked());
  EXPECT_EQ(counters().compiled, 1u);
  // From now on everybody gets the better code, from the application's cache too.
  EXPECT_FALSE(data(create(allSubsets, {}, noCompile, cache)).code(object())->isLinked());
  EXPECT_FALSE(data(create(0, libraries, optimised | noCompile, cache)).code(object())->isLinked());
  EXPECT_FALSE(data(create(allSubsets)).code(object())->isLinked());
  EXPECT_EQ(counters().compiled, 1u);
  DestroyPipelineCache(device, cache, nullptr);
}

/// Their parts are all that there is; what has no shader has none.
TEST_F(LibraryLink, ExecutablesOfLibraries) {
  begin("off");
  auto namesOf = [&](VkPipeline pipeline) {
    std::string names;
    for (const ExecutableInfo &executable : data(pipeline).executables(object())) {
      names += executable.name + ";";
      EXPECT_GT(executable.statistics.instructions, 1u);
      EXPECT_GT(executable.statistics.codeBytes, executable.statistics.instructions);
      EXPECT_TRUE(executable.subgroupSize == 32 || executable.subgroupSize == 64);
    }
    return names;
  };
  EXPECT_EQ(namesOf(library(vertexInputSubset)), "");
  EXPECT_EQ(namesOf(library(preRasterizationSubset)), "vertex;");
  EXPECT_EQ(namesOf(library(fragmentShaderSubset)), "fragment;");
  EXPECT_EQ(namesOf(library(fragmentOutputSubset)), "");
}

// ViewIndex is DeviceIndex in the shaders of the libraries that say so.
TEST_F(LibraryLink, EachLibrarySaysWhatViewIndexIs) {
  begin("off");
  constexpr VkPipelineCreateFlags fromDevice = VK_PIPELINE_CREATE_VIEW_INDEX_FROM_DEVICE_INDEX_BIT;
  fragmentWords = compileGlsl(R"(#version 450
#extension GL_EXT_multiview : require
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;
void main() { color = vec4(place, gl_ViewIndex, 1); })",
                              "frag");
  viewMask = 3;
  std::vector<VkPipeline> libraries = four();
  const VkPipeline views = create(0, libraries), whole = create(0, libraries, optimised);
  libraries[2] = create(fragmentShaderSubset, {}, VK_PIPELINE_CREATE_LIBRARY_BIT_KHR | fromDevice);
  EXPECT_EQ(counters().partsBuilt, 3u);
  EXPECT_NE(elfOf(create(0, libraries)), elfOf(views));
  EXPECT_NE(elfOf(create(0, libraries, optimised)), elfOf(whole));
  EXPECT_EQ(counters().compiled, 2u);
}

TEST_F(LibraryLink, LibrariesHaveNoCode) {
  begin("off");
  const VkPipeline one = library(preRasterizationSubset);
  EXPECT_EQ(data(one).kind, PipelineData::Kind::Library);
  EXPECT_EQ(data(one).code(object()), nullptr);
  EXPECT_EQ(data(one).program(object()), nullptr);
  VkPipeline made = VK_NULL_HANDLE;
  EXPECT_EQ(tryCreate(0, {one}, 0, made, VK_NULL_HANDLE), VK_ERROR_UNKNOWN);
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_NE(messages[0].find("no vertex input interface"), std::string::npos);
  messages.clear();
}

} // namespace
} // namespace icd
