//===- PartialPipelineTest.cpp --------------------------------------------===//
// SPDX-License-Identifier: MIT
// Parts that are compiled when a module is created, and pipelines that are linked of them; what the
// code computes is tested in test/api and test/exec with KILN_PARTS=sync.
#include "icd_glue/partial/PartCounters.h"
#include "icd_glue/partial/PartsForTest.h"
#include <random>
#include <thread>

namespace icd {
namespace {

TEST_F(Parts, ModulesAreCompiledBeforeTheirPipelines) {
  begin({{"KILN_PARTS", "on"}});
  VkShaderModule shader = module(computeShader());
  partial().waitIdle();
  EXPECT_EQ(counters().partsBuilt, 1u);
  // The part does not know where its binding is.
  const PipelineData &first = pipeline(shader, layout({1}));
  EXPECT_EQ(counters().linkedReady, 1u);
  const PipelineData &second = pipeline(shader, layout({0, 1, 2}));
  EXPECT_EQ(counters().linkedReady, 2u);
  EXPECT_NE(first.code(object()), second.code(object()));
  // The monolithic code is known now.
  EXPECT_EQ(pipeline(shader, layouts[0]).code(object()), first.code(object()));
  EXPECT_EQ(counters().codeHits, 1u);
  EXPECT_EQ(counters().compiled, 0u);
  EXPECT_EQ(counters().partsBuiltLate, 0u);
  EXPECT_GT(counters().savedMicroseconds, 0);
  EXPECT_TRUE(counters().misses().empty());
  EXPECT_EQ(counters().wanted[0], 2u);
  EXPECT_EQ(counters().there[0], 2u);
  // What is told about it comes from the code object.
  ASSERT_EQ(first.executables(object()).size(), 1u);
  const ExecutableInfo &executable = first.executables(object()).front();
  EXPECT_EQ(executable.name, "compute");
  EXPECT_EQ(executable.statistics.workgroupSize, (std::array<uint32_t, 3>{32, 1, 1}));
  EXPECT_GT(executable.statistics.instructions, 4u);
  EXPECT_GT(executable.statistics.codeBytes, executable.statistics.instructions);
  EXPECT_GT(executable.statistics.wavesPerSimd, 0u);
  destroy(shader);
}

TEST_F(Parts, OffMeansMonolithicCompiles) {
  begin({{"KILN_PARTS", "off"}});
  EXPECT_EQ(object().partial(), nullptr);
  VkShaderModule shader = module(computeShader());
  pipeline(shader, layout({1}));
  pipeline(shader, layout({1}));
  EXPECT_EQ(counters().modules, 0u);
  EXPECT_EQ(counters().compiled, 1u);
  EXPECT_EQ(counters().codeHits, 1u); // set and pipeline layouts of the same contents
  destroy(shader);
}

TEST_F(Parts, SyncBuildsWhatIsMissing) {
  begin({{"KILN_PARTS", "sync"}});
  VkShaderModule shader = module(computeShader());
  EXPECT_EQ(counters().partsBuilt, 1u);
  const ConstantZero constant(9);
  VkPipeline made = VK_NULL_HANDLE;
  EXPECT_EQ(create(shader, layout({1}), made, 0, &constant.info), VK_SUCCESS);
  keep(made);
  EXPECT_EQ(counters().partsBuilt, 2u);
  EXPECT_EQ(counters().partsBuiltLate, 1u);
  EXPECT_EQ(counters().linked, 1u);
  EXPECT_EQ(counters().linkedReady, 0u);
  destroy(shader);
}

TEST_F(Parts, MissesHaveReasons) {
  begin({{"KILN_PARTS", "on"}, {"KILN_PART_QUEUE_ENTRIES", "0"}});
  VkShaderModule shader = module(computeShader());
  EXPECT_EQ(partial().poolCounters().dropped, 1u);
  pipeline(shader, layout({1}));
  const ConstantZero constant(9);
  VkPipeline made = VK_NULL_HANDLE;
  EXPECT_EQ(create(shader, layouts[0], made, 0, &constant.info), VK_SUCCESS);
  keep(made);
  pipeline(shader, layouts[0], VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR);
  EXPECT_EQ(counters().misses(),
            (std::map<std::string, uint64_t>{{"compute: built without specialization", 1},
                                             {"compute: not built in advance", 1},
                                             {"texts of the compile are wanted", 1}}));
  EXPECT_EQ(counters().compiled, 3u);
  EXPECT_NE(counters()
                .text(object().shaderCache().counters(), nullptr)
                .find("miss 1: compute: not built in advance\n"),
            std::string::npos);
  destroy(shader);
}

TEST_F(Parts, LayoutsAreLearned) {
  begin({{"KILN_PARTS", "on"}});
  VkPipelineLayout dynamic = layout({1}, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC);
  VkShaderModule shader = module(computeShader());
  partial().waitIdle();
  pipeline(shader, dynamic);
  EXPECT_EQ(counters().linkedReady, 1u);
  // The other kind of buffer is another part, which nobody has expected.
  pipeline(shader, layout({1}));
  EXPECT_EQ(counters().compiled, 1u);
  EXPECT_EQ(counters().misses(),
            (std::map<std::string, uint64_t>{{"compute: built for another layout or state", 1}}));
  destroy(shader);
}

TEST_F(Parts, TwoLayoutsThatFitAreBothGuessed) {
  begin({{"KILN_PARTS", "on"}});
  VkPipelineLayout dynamic = layout({1}, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC);
  VkPipelineLayout plain = layout({1});
  VkShaderModule shader = module(computeShader());
  partial().waitIdle();
  EXPECT_EQ(counters().partsBuilt, 2u);
  pipeline(shader, dynamic);
  pipeline(shader, plain);
  EXPECT_EQ(counters().linkedReady, 2u);
  EXPECT_EQ(counters().compiled, 0u);
  destroy(shader);
}

TEST_F(Parts, WhoAsksForTheViewExpectsSeveral) {
  begin({{"KILN_PARTS", "on"}});
  const std::string head = "#version 450\n#extension GL_EXT_multiview : require\n";
  VkShaderModule vertex = module(spirvOfGlsl(head + R"(
layout(location = 0) in vec4 position;
layout(location = 0) out vec2 place;
void main() { gl_Position = position; place = position.xy * gl_ViewIndex; })",
                                             "vert"));
  VkShaderModule fragment = module(spirvOfGlsl(head + R"(
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;
void main() { color = vec4(place, gl_ViewIndex, 1); })",
                                               "frag"));
  partial().waitIdle();
  drawPipeline(vertex, fragment, VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R8G8B8A8_UNORM, 3);
  EXPECT_EQ(counters().partsBuilt, 2u);
  EXPECT_EQ(counters().linked, 1u);
  EXPECT_EQ(counters().compiled, 0u);
  destroy(vertex);
  destroy(fragment);
}

TEST_F(Parts, OnePartDoesForAllPrimitives) {
  begin({{"KILN_PARTS", "on"}});
  VkShaderModule vertex = module(spirvOfGlsl(R"(#version 450
layout(location = 0) in vec4 position;
layout(location = 0) out vec2 place;
void main() { gl_Position = position; gl_PointSize = position.w; place = position.xy; })",
                                             "vert"));
  VkShaderModule fragment = module(spirvOfGlsl(fragmentShader, "frag"));
  partial().waitIdle();
  EXPECT_EQ(counters().partsBuilt, 2u);
  // Any vertex may be the provoking one: without a geometry shader it is the hardware's matter.
  for (VkPrimitiveTopology type :
       {VK_PRIMITIVE_TOPOLOGY_POINT_LIST, VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
        VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP})
    for (VkProvokingVertexModeEXT mode :
         {VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT, VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT}) {
      topology = type;
      provokingVertex = mode;
      drawPipeline(vertex, fragment, VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R8G8B8A8_UNORM);
    }
  EXPECT_EQ(counters().partsBuilt, 2u);
  EXPECT_EQ(counters().compiled, 0u);
  EXPECT_TRUE(counters().misses().empty());
  destroy(vertex);
  destroy(fragment);
}

TEST_F(Parts, TheApplicationsOptionsDecideWhatIsGuessed) {
  begin({{"KILN_PARTS", "sync"}, {"KILN_STORAGE_BUFFERS_DYNAMIC", "1"}});
  VkShaderModule shader = module(computeShader());
  pipeline(shader, layout({1}, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC));
  EXPECT_EQ(counters().linkedReady, 1u);
  destroy(shader);
}

TEST_F(Parts, NothingIsCompiledThatMayNotBe) {
  begin({{"KILN_PARTS", "on"}});
  constexpr VkPipelineCreateFlags fail = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  VkShaderModule shader = module(computeShader());
  partial().waitIdle();
  const ConstantZero constant(9);
  VkPipeline made = VK_NULL_HANDLE;
  EXPECT_EQ(create(shader, layout({1}), made, fail, &constant.info), VK_PIPELINE_COMPILE_REQUIRED);
  EXPECT_EQ(made, VkPipeline(VK_NULL_HANDLE));
  EXPECT_EQ(counters().refused, 1u);
  // Linking is no compile.
  pipeline(shader, layouts[0], fail);
  EXPECT_EQ(counters().linkedReady, 1u);
  EXPECT_EQ(counters().compiled, 0u);
  destroy(shader);
}

/// No pipeline of these shaders had a name before.
TEST_F(Parts, IdentifiersOfModulesThatAreAliveFindParts) {
  const auto features = vkStruct<VkPhysicalDeviceShaderModuleIdentifierFeaturesEXT>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MODULE_IDENTIFIER_FEATURES_EXT);
  auto enabled = features;
  enabled.shaderModuleIdentifier = VK_TRUE;
  deviceFeatures = &enabled;
  begin({{"KILN_PARTS", "on"}});
  VkShaderModule shader = module(computeShader()), same = module(computeShader());
  partial().waitIdle();
  auto name = vkStruct<VkShaderModuleIdentifierEXT>(VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT);
  GetShaderModuleIdentifierEXT(device, shader, &name);
  auto identifier = vkStruct<VkPipelineShaderStageModuleIdentifierCreateInfoEXT>(
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT);
  identifier.identifierSize = name.identifierSize;
  identifier.pIdentifier = name.identifier;
  auto info = vkStruct<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
  info.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  info.stage = vkStruct<VkPipelineShaderStageCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, &identifier);
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.pName = "main";
  auto createOf = [&](VkPipelineLayout used, VkPipeline &made) {
    info.layout = used;
    return CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &made);
  };
  VkPipeline made = VK_NULL_HANDLE;
  destroy(same);
  ASSERT_EQ(createOf(layout({1}), made), VK_SUCCESS);
  keep(made);
  EXPECT_EQ(counters().linkedReady, 1u);
  // A size is no value that linking knows, and a compile is not allowed.
  const ConstantZero constant(9);
  info.stage.pSpecializationInfo = &constant.info;
  EXPECT_EQ(createOf(layouts[0], made), VK_PIPELINE_COMPILE_REQUIRED);
  info.stage.pSpecializationInfo = nullptr;
  destroy(shader);
  EXPECT_EQ(createOf(layout({0, 1}), made), VK_PIPELINE_COMPILE_REQUIRED);
  // By the name that the first one has.
  ASSERT_EQ(createOf(layouts[0], made), VK_SUCCESS);
  keep(made);
}

TEST_F(Parts, ConstantsThatAreValuesAreLinked) {
  begin({{"KILN_PARTS", "on"}});
  constexpr VkPipelineCreateFlags fail = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  VkShaderModule shader = module(linkableShader());
  partial().waitIdle();
  EXPECT_EQ(counters().partsBuilt, 2u); // with the module's value, and with none
  layout({1});
  auto specialized = [&](uint32_t value, VkPipelineCreateFlags flags) -> const PipelineData & {
    const ConstantZero constant(value);
    VkPipeline made = VK_NULL_HANDLE;
    EXPECT_EQ(create(shader, layouts[0], made, flags, &constant.info), VK_SUCCESS);
    return keep(made);
  };
  const PipelineData &first = specialized(9, 0), &second = specialized(~0u, fail);
  EXPECT_EQ(counters().linkedReady, 2u);
  EXPECT_NE(first.code(object())->elf(), second.code(object())->elf());
  EXPECT_FALSE(first.code(object())->isKeptBelow());
  // Code that has the value folded is made for the next creation.
  partial().waitIdle();
  const PipelineData &better = specialized(9, fail);
  EXPECT_FALSE(better.code(object())->isLinked());
  EXPECT_TRUE(better.code(object())->isKeptBelow());
  EXPECT_EQ(counters().compiled, 0u);
  EXPECT_TRUE(counters().misses().empty());
  // What the module says itself is compiled with its value.
  EXPECT_TRUE(specialized(3, fail).code(object())->isKeptBelow());
  EXPECT_EQ(counters().linkedReady, 3u);
  destroy(shader);
}

TEST_F(Parts, ConstantsThatNothingUsesDecideNothing) {
  begin({{"KILN_PARTS", "on"}});
  VkShaderModule shader = module(spirvOfGlsl(R"(#version 450
layout(constant_id = 0) const uint unused = 3;
layout(set = 0, binding = 1) buffer B { uint b[]; };
void main() { b[gl_GlobalInvocationID.x] += 1; })",
                                             "comp"));
  partial().waitIdle();
  EXPECT_EQ(counters().partsBuilt, 1u);
  const ConstantZero constant(9);
  VkPipeline made = VK_NULL_HANDLE;
  EXPECT_EQ(create(shader, layout({1}), made, 0, &constant.info), VK_SUCCESS);
  EXPECT_TRUE(keep(made).code(object())->isKeptBelow());
  EXPECT_EQ(counters().linkedReady, 1u);
  destroy(shader);
}

TEST_F(Parts, GraphicsPipelinesAreLinkedOfPartsAndGlue) {
  begin({{"KILN_PARTS", "on"}});
  VkShaderModule vertex = module(spirvOfGlsl(vertexShader, "vert"));
  VkShaderModule fragment = module(spirvOfGlsl(fragmentShader, "frag"));
  partial().waitIdle();
  EXPECT_EQ(counters().partsBuilt, 2u);
  EXPECT_EQ(counters().glueBuilt, 1u); // of the colours
  drawPipeline(vertex, fragment, VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R8G8B8A8_UNORM);
  EXPECT_EQ(counters().linked, 1u);
  EXPECT_EQ(counters().glueBuiltLate, 1u); // of the vertices
  // Other formats need other glue only.
  const PipelineData &other =
      drawPipeline(vertex, fragment, VK_FORMAT_R8G8B8A8_SNORM, VK_FORMAT_R32G32B32A32_SFLOAT);
  EXPECT_EQ(counters().linked, 2u);
  EXPECT_EQ(counters().glueBuiltLate, 3u);
  EXPECT_EQ(counters().partsBuilt, 2u);
  EXPECT_EQ(counters().compiled, 0u);
  ASSERT_EQ(other.executables(object()).size(), 2u);
  for (const ExecutableInfo &executable : other.executables(object()))
    EXPECT_TRUE(executable.name == "vertex" || executable.name == "fragment") << executable.name;
  destroy(vertex);
  destroy(fragment);
}

TEST_F(Parts, LinkedCodeIsReplacedLater) {
  begin({{"KILN_PARTS", "sync"}, {"KILN_MONOLITHIC_LATER", "1"}});
  VkShaderModule shader = module(computeShader());
  const PipelineData &linked = pipeline(shader, layout({1}));
  EXPECT_EQ(counters().linked, 1u);
  const PipelineData &whole = pipeline(shader, layouts[0]);
  EXPECT_EQ(counters().codeHits, 1u);
  EXPECT_NE(linked.code(object()), whole.code(object()));
  EXPECT_EQ(counters().compiled, 0u); // nobody waited for it
  destroy(shader);
}

/// A pipeline that needs something else than the background would make takes nothing from others.
TEST_F(Parts, QueuedTasksAreNobodysToTake) {
  begin({{"KILN_PARTS", "on"}, {"KILN_PART_WORKERS", "1"}});
  std::vector<VkShaderModule> before;
  for (unsigned count = 0; count < 4; ++count)
    before.push_back(module(computeShader(10 + count)));
  VkShaderModule shader = module(computeShader(1)); // waits behind the others
  const ConstantZero constant(5);
  VkPipeline made = VK_NULL_HANDLE;
  EXPECT_EQ(create(shader, layout({1}), made, 0, &constant.info), VK_SUCCESS);
  keep(made);
  EXPECT_EQ(counters().there[static_cast<unsigned>(lgc::PartKind::Compute)], 0u);
  partial().waitIdle();
  pipeline(shader, layouts[0]);
  EXPECT_EQ(counters().linkedReady, 1u);
  for (VkShaderModule other : before)
    destroy(other);
  destroy(shader);
}

/// The application may be using such a cache when the background has better code for it.
TEST_F(Parts, CachesThatTheApplicationSynchronisesAreLeftAlone) {
  begin({{"KILN_PARTS", "sync"}, {"KILN_MONOLITHIC_LATER", "1"}});
  VkShaderModule shader = module(computeShader());
  for (VkPipelineCacheCreateFlags flags :
       {0, int(VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT)}) {
    auto info = vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
    info.flags = flags;
    ASSERT_EQ(CreatePipelineCache(device, &info, nullptr, &pipelineCache), VK_SUCCESS);
    // Another layout, so that the device's own cache does not have it.
    const VkPipelineLayout used = flags ? layout({0, 1}) : layout({1});
    EXPECT_TRUE(pipeline(shader, used).code(object())->isLinked());
    EXPECT_EQ(pipeline(shader, used).code(object())->isLinked(), flags != 0);
    DestroyPipelineCache(device, pipelineCache, nullptr);
    pipelineCache = VK_NULL_HANDLE;
  }
  destroy(shader);
}

TEST_F(Parts, ModulesMayGoWhileTheyAreCompiled) {
  begin({{"KILN_PARTS", "on"}, {"KILN_PART_WORKERS", "1"}});
  std::vector<VkShaderModule> modules;
  for (unsigned number = 0; number < 12; ++number)
    modules.push_back(module(computeShader(number)));
  for (VkShaderModule shader : modules)
    destroy(shader);
  partial().waitIdle();
  const TaskPool::Counters tasks = partial().poolCounters();
  EXPECT_EQ(tasks.accepted, 12u);
  EXPECT_EQ(tasks.ended + tasks.cancelled, 12u);
  EXPECT_GT(tasks.cancelled, 0u);
  EXPECT_EQ(counters().partsBuilt, tasks.ended);
}

TEST_F(Parts, DevicesMayGoWithAFullQueue) {
  begin({{"KILN_PARTS", "on"}, {"KILN_PART_WORKERS", "2"}, {"KILN_PART_QUEUE_ENTRIES", "4"}});
  std::vector<Spirv> sources; // all of them first: compiling GLSL takes as long as building parts
  for (unsigned number = 0; number < 12; ++number)
    sources.push_back(computeShader(number));
  std::vector<VkShaderModule> modules;
  for (const Spirv &spirv : sources)
    modules.push_back(module(spirv));
  EXPECT_GT(partial().poolCounters().dropped, 0u);
  partial().Destroy(); // what destroying the device begins with
  EXPECT_EQ(partial().poolCounters().accepted,
            partial().poolCounters().ended + partial().poolCounters().cancelled);
  for (VkShaderModule shader : modules)
    destroy(shader);
}

TEST_F(Parts, PipelinesOvertakeTheQueue) {
  begin({{"KILN_PARTS", "on"}, {"KILN_PART_WORKERS", "1"}});
  std::vector<VkShaderModule> modules;
  for (unsigned number = 0; number < 6; ++number)
    modules.push_back(module(computeShader(number)));
  // The last one waits behind the others: the pipeline builds its part itself.
  pipeline(modules.back(), layout({1}));
  EXPECT_EQ(counters().linked, 1u);
  EXPECT_EQ(counters().compiled, 0u);
  EXPECT_LE(counters().partsBuiltLate, 1u);
  partial().waitIdle();
  EXPECT_EQ(counters().partsBuilt, 6u); // none twice
  for (VkShaderModule shader : modules)
    destroy(shader);
}

/// Modules and pipelines come and go in several threads, compiled in the background by others; the
/// cache is too small for all of it. Under ThreadSanitizer this is the test that nothing races.
TEST_F(Parts, ThreadsStress) {
  begin({{"KILN_PARTS", "on"}, {"KILN_CACHE_BYTES", "60000"}});
  constexpr unsigned variants = 4;
  std::vector<Spirv> shaders;
  for (unsigned number = 0; number < variants; ++number)
    shaders.push_back(computeShader(number));
  const Spirv vertexCode = spirvOfGlsl(vertexShader, "vert");
  const Spirv fragmentCode = spirvOfGlsl(fragmentShader, "frag");
  layout({1});
  layout({0, 1});
  layout({1}, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC);
  std::atomic<unsigned> created = 0;
  auto use = [&](VkPipeline made) {
    EXPECT_NE(fromHandle<Pipeline>(made)->data->program(object()), nullptr);
    ++created;
    DestroyPipeline(device, made, nullptr);
  };
  auto draw = [&](uint32_t choice) {
    constexpr VkFormat attributes[] = {VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R8G8B8A8_SNORM};
    constexpr VkFormat targets[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R32G32B32A32_SFLOAT};
    VkShaderModule vertex = module(vertexCode), fragment = module(fragmentCode);
    VkPipeline made = VK_NULL_HANDLE;
    EXPECT_EQ(createDraw(vertex, fragment, attributes[choice & 1], targets[choice >> 1 & 1], made),
              VK_SUCCESS);
    destroy(vertex);
    use(made);
    destroy(fragment);
  };
  auto run = [&](uint32_t seed) {
    std::minstd_rand random(seed);
    for (unsigned i = 0; i < 12; ++i) {
      if (random() % 4 == 0)
        draw(static_cast<uint32_t>(random() >> 4));
      VkShaderModule shader = module(shaders[random() % variants]);
      if (random() % 4 == 0) {
        destroy(shader);
        continue;
      }
      for (unsigned count = random() % 3; count > 0; --count) {
        VkPipeline made = VK_NULL_HANDLE;
        EXPECT_EQ(create(shader, layouts[random() % layouts.size()], made), VK_SUCCESS);
        use(made);
      }
      destroy(shader);
    }
  };
  std::vector<std::thread> threads;
  for (uint32_t seed = 1; seed <= 3; ++seed)
    threads.emplace_back(run, seed);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_GT(created, 10u);
  EXPECT_LE(counters().linked + counters().codeHits + counters().compiled, created);
}

} // namespace
} // namespace icd
