// SPDX-License-Identifier: MIT
// VK_EXT_graphics_pipeline_library: pipelines of libraries draw what monolithic ones draw, whatever
// they are linked of.
#include "LibraryScene.h"
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace api {
namespace {

using Picture = LibraryScene::Picture;
constexpr VkPipelineCreateFlags isLibrary = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
constexpr VkPipelineCreateFlags retains =
    VK_PIPELINE_CREATE_LIBRARY_BIT_KHR |
    VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
constexpr VkPipelineCreateFlags optimised = VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT;
constexpr Subsets each[] = {vertexInput, preRasterization, fragmentShader, fragmentOutput};

class LibraryApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME))
      GTEST_SKIP();
    scene.emplace(gpu);
  }
  VkPipeline library(const LibraryState &state, Subsets own, VkPipelineCreateFlags flags = retains,
                     std::vector<VkPipeline> libraries = {}) {
    LibraryOptions options;
    options.flags = flags;
    options.libraries = std::move(libraries);
    return scene->create(state, own, options);
  }
  std::vector<VkPipeline> fourLibraries(const LibraryState &state) {
    std::vector<VkPipeline> all;
    for (Subsets own : each)
      all.push_back(library(state, own));
    return all;
  }
  /// Vertices that the shader has stored since the last call.
  uint32_t stored() {
    if (!gpu.canExecute())
      return 6;
    uint32_t count = 0;
    for (uint32_t i = 0; i < 6; ++i)
      count += std::exchange(scene->writes.data[i], 0) == i + 1;
    return count;
  }
  std::optional<LibraryScene> scene;
};
API_TESTS_ON_ALL_DEVICES(LibraryApi);

/// Something was drawn, not all of it in one colour.
bool isPicture(const Picture &picture) {
  if (picture.empty()) // a driver that executes nothing
    return true;
  const uint32_t background = picture[LibraryScene::side - 1 + 2 * LibraryScene::side];
  uint32_t others = 0;
  for (uint32_t pixel : picture)
    others += pixel != background;
  return others > 30 && others < picture.size();
}

TEST_P(LibraryApi, PropertiesAreTrue) {
  VkPhysicalDeviceGraphicsPipelineLibraryPropertiesEXT libraries = {};
  libraries.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_PROPERTIES_EXT;
  VkPhysicalDeviceProperties2 properties = {};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = &libraries;
  gpu.vk.GetPhysicalDeviceProperties2(gpu.physicalDevice, &properties);
  EXPECT_TRUE(libraries.graphicsPipelineLibraryFastLinking);
  EXPECT_TRUE(libraries.graphicsPipelineLibraryIndependentInterpolationDecoration);
}

// The sequence of the extension's proposal: four libraries, a fast link, an optimised one.
TEST_P(LibraryApi, FastAndOptimisedLinks) {
  const LibraryState state;
  const Picture expected = scene->expected(state);
  EXPECT_TRUE(isPicture(expected));
  EXPECT_EQ(stored(), 6u);
  const std::vector<VkPipeline> libraries = fourLibraries(state);
  const VkPipeline fast = scene->link(libraries);
  EXPECT_EQ(scene->draw(fast), expected);
  EXPECT_EQ(stored(), 6u);
  EXPECT_EQ(scene->draw(scene->link(libraries, optimised)), expected);
  EXPECT_EQ(scene->draw(fast), expected);
  // The union of the libraries' layouts, which need not be said.
  if (gpu.isKiln()) {
    EXPECT_EQ(scene->draw(scene->link(libraries, 0, VkPipelineLayout(VK_NULL_HANDLE))), expected);
  }
}

// Every set of subsets as a library, and the rest as libraries, or as the pipeline's own.
TEST_P(LibraryApi, EverySubset) {
  const LibraryState state;
  const Picture expected = scene->expected(state);
  for (Subsets own = 1; own < everything; ++own) {
    const VkPipeline part = library(state, own);
    std::vector<VkPipeline> libraries = {part};
    for (Subsets other : each)
      if (!(own & other))
        libraries.push_back(library(state, other));
    EXPECT_EQ(scene->draw(scene->link(libraries)), expected) << own;
    LibraryOptions rest;
    rest.libraries = {part};
    EXPECT_EQ(scene->draw(scene->create(state, everything & ~own, rest)), expected) << own;
    rest.libraries.push_back(library(state, everything & ~own));
    EXPECT_EQ(scene->draw(scene->link(rest.libraries)), expected) << own;
  }
  // All subsets, said explicitly.
  EXPECT_EQ(scene->draw(scene->create(state, everything)), expected);
}

TEST_P(LibraryApi, LibrariesOfLibraries) {
  const LibraryState state;
  const Picture expected = scene->expected(state);
  const std::vector<VkPipeline> l = fourLibraries(state);
  const VkPipeline front = library({}, 0, retains, {l[0], l[1]});
  const VkPipeline back = library({}, 0, retains, {l[3], l[2]});
  EXPECT_EQ(scene->draw(scene->link({front, back})), expected);
  EXPECT_EQ(scene->draw(scene->link({front, back}, optimised)), expected);
  // One after another, with subsets of its own.
  const VkPipeline two = library(state, preRasterization, retains, {l[0]});
  const VkPipeline three = library(state, fragmentShader, retains, {two});
  EXPECT_EQ(scene->draw(scene->link({three, l[3]})), expected);
  LibraryOptions last;
  last.libraries = {three};
  EXPECT_EQ(scene->draw(scene->create(state, fragmentOutput, last)), expected);
}

// What a pipeline was linked of may be destroyed, before its code was ever needed.
TEST_P(LibraryApi, LibrariesMayGo) {
  // Others keep pointers to what is gone.
  if (!gpu.isKiln() || std::getenv("VK_INSTANCE_LAYERS"))
    GTEST_SKIP();
  const LibraryState state;
  const Picture expected = scene->expected(state);
  std::vector<VkPipeline> libraries;
  for (Subsets own : each) {
    LibraryOptions options;
    options.flags = retains;
    libraries.push_back(VK_NULL_HANDLE);
    VK_OK(scene->tryCreate(state, own, options, &libraries.back()));
  }
  LibraryOptions options;
  options.flags = retains;
  options.libraries = {libraries[0], libraries[1]};
  VkPipeline both = VK_NULL_HANDLE;
  VK_OK(scene->tryCreate({}, 0, options, &both));
  const VkPipeline pipeline = scene->link(libraries);
  const VkPipeline nested = scene->link({both, libraries[2], libraries[3]});
  for (VkPipeline one : libraries)
    gpu.vk.DestroyPipeline(gpu.device, one, nullptr);
  gpu.vk.DestroyPipeline(gpu.device, both, nullptr);
  EXPECT_EQ(scene->draw(pipeline), expected);
  EXPECT_EQ(scene->draw(nested), expected);
}

// One set of shaders with other vertex inputs and outputs, each of which needs glue of its own.
TEST_P(LibraryApi, SharedShaders) {
  const LibraryState first;
  std::vector<VkPipeline> libraries = fourLibraries(first);
  auto test = [&](const LibraryState &state, unsigned index) {
    std::vector<VkPipeline> changed = libraries;
    changed[index] = library(state, each[index]);
    const Picture expected = scene->expected(state);
    EXPECT_EQ(scene->draw(scene->link(changed)), expected) << index;
    EXPECT_EQ(scene->draw(scene->link(changed, optimised)), expected) << index;
  };
  LibraryState state;
  state.colorFormat = VK_FORMAT_A2B10G10R10_UNORM_PACK32;
  test(state, 0);
  for (VkPrimitiveTopology topology :
       {VK_PRIMITIVE_TOPOLOGY_POINT_LIST, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
        VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN}) {
    state = first;
    state.topology = topology;
    test(state, 0);
  }
  state = first;
  state.blend = false;
  test(state, 3);
  state.writeMask = 5;
  test(state, 3);
  state = first;
  const float more = 0.25F;
  const VkSpecializationMapEntry entry = {0, 0, 4};
  VkSpecializationInfo constants = {1, &entry, 4, &more};
  state.fragmentConstants = &constants;
  test(state, 2);
}

TEST_P(LibraryApi, NothingBehindTheRasteriser) {
  if (std::getenv("VK_INSTANCE_LAYERS"))
    GTEST_SKIP(); // the validation layer looks for the subsets that are not there, and crashes
  if (!gpu.canExecute())
    GTEST_SKIP();
  LibraryState state;
  const VkPipeline input = library(state, vertexInput);
  state.discard = true;
  const VkPipeline shaders = library(state, preRasterization);
  const Picture empty = scene->draw(scene->link({input, shaders}));
  EXPECT_EQ(stored(), 6u);
  EXPECT_FALSE(isPicture(empty));
  EXPECT_EQ(scene->draw(scene->link({input, shaders}, optimised)), empty);
  EXPECT_EQ(stored(), 6u);
}

TEST_P(LibraryApi, GeometryShaders) {
  auto features = vkStruct<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  gpu.vk.GetPhysicalDeviceFeatures2(gpu.physicalDevice, &features);
  if (!features.features.geometryShader)
    GTEST_SKIP() << "no geometry shaders";
  const LibraryState plain;
  // What goes through it stays as it is.
  LibraryState state;
  state.geometryGlsl = R"(#version 460
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 2) in vec4 color[];
layout(location = 0) flat in uint number[];
layout(location = 2) out vec4 colorOut;
layout(location = 0) flat out uint numberOut;
void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    colorOut = color[i];
    numberOut = number[i];
    EmitVertex();
  }
})";
  const Picture expected = scene->expected(plain);
  EXPECT_EQ(scene->expected(state), expected);
  const std::vector<VkPipeline> libraries = fourLibraries(state);
  EXPECT_EQ(scene->draw(scene->link(libraries)), expected);
  EXPECT_EQ(scene->draw(scene->link(libraries, optimised)), expected);
  // The same fragment shader behind the vertex shader alone.
  std::vector<VkPipeline> mixed = libraries;
  mixed[1] = library(plain, preRasterization);
  EXPECT_EQ(scene->draw(scene->link(mixed)), expected);
}

TEST_P(LibraryApi, TessellationShaders) {
  if (!hasTessellation(gpu))
    GTEST_SKIP() << "no tessellation shaders";
  const LibraryState state = tessellatedState();
  const Picture expected = scene->expected(state);
  EXPECT_TRUE(isPicture(expected));
  const std::vector<VkPipeline> libraries = fourLibraries(state);
  EXPECT_EQ(scene->draw(scene->link(libraries)), expected);
  EXPECT_EQ(scene->draw(scene->link(libraries, optimised)), expected);
  // The same fragment shader behind the vertex shader alone.
  const LibraryState plain;
  std::vector<VkPipeline> mixed = libraries;
  mixed[0] = library(plain, vertexInput);
  mixed[1] = library(plain, preRasterization);
  EXPECT_EQ(scene->draw(scene->link(mixed)), scene->expected(plain));
}

TEST_P(LibraryApi, NoFragmentShader) {
  if (!gpu.canExecute())
    GTEST_SKIP();
  LibraryState state;
  state.fragmentGlsl.clear();
  state.writeMask = 0;
  const std::vector<VkPipeline> libraries = fourLibraries(state);
  EXPECT_FALSE(isPicture(scene->draw(scene->link(libraries))));
  EXPECT_EQ(stored(), 6u);
  EXPECT_FALSE(isPicture(scene->draw(scene->link(libraries, optimised))));
  EXPECT_EQ(stored(), 6u);
}

// Dynamic state counts in libraries of the subset it belongs to only.
TEST_P(LibraryApi, DynamicStates) {
  LibraryState state;
  state.dynamicStates = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_CULL_MODE,
                         VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE};
  auto record = [&](VkCommandBuffer c) {
    const VkViewport viewport = {2, 1, 12, 13, 0, 1};
    gpu.vk.CmdSetViewport(c, 0, 1, &viewport);
    gpu.vk.CmdSetCullMode(c, VK_CULL_MODE_NONE);
    gpu.vk.CmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
    gpu.vk.CmdSetDepthTestEnable(c, VK_FALSE);
  };
  const Picture expected = scene->expected(state, record);
  const std::vector<VkPipeline> libraries = fourLibraries(state);
  EXPECT_EQ(scene->draw(scene->link(libraries), record), expected);
  EXPECT_EQ(scene->draw(scene->link(libraries, optimised), record), expected);

  // The cull mode is no state of the vertex input; there the topology is dynamic alone. The
  // validation layer takes all of them.
  if (std::getenv("VK_INSTANCE_LAYERS"))
    return;
  LibraryState fixed;
  std::vector<VkPipeline> mixed = fourLibraries(fixed);
  mixed[0] = library(state, vertexInput);
  auto strip = [&](VkCommandBuffer c) {
    gpu.vk.CmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
  };
  fixed.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  EXPECT_EQ(scene->draw(scene->link(mixed), strip), scene->expected(fixed));
}

TEST_P(LibraryApi, RenderPasses) {
  LibraryState state;
  state.renderPass = scene->makeRenderPass();
  const Picture expected = scene->expected(state);
  EXPECT_TRUE(isPicture(expected));
  const std::vector<VkPipeline> libraries = fourLibraries(state);
  EXPECT_EQ(scene->draw(scene->link(libraries), {}, state.renderPass), expected);
  EXPECT_EQ(scene->draw(scene->link(libraries, optimised), {}, state.renderPass), expected);
}

// Distances become attributes only where a fragment shader reads them, which parts cannot know.
TEST_P(LibraryApi, StagesThatCannotBeLinked) {
  LibraryState state;
  state.vertexGlsl.insert(state.vertexGlsl.find("void main"), "out float gl_ClipDistance[1];\n");
  state.vertexGlsl.insert(state.vertexGlsl.rfind('}'), "gl_ClipDistance[0] = place.x + 2.0; ");
  state.fragmentGlsl = R"(#version 460
layout(location = 2) in vec4 color;
in float gl_ClipDistance[1];
layout(set = 1, binding = 3) uniform Shade { vec4 shade; };
layout(location = 0) out vec4 result;
void main() { result = color * shade + gl_ClipDistance[0] * 0.125; })";
  const std::vector<VkPipeline> libraries = fourLibraries(state);
  const VkPipeline linked = scene->link(libraries);
  if (gpu.isKiln()) // no compile is left for the first draw
    scene->link(libraries, VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT);
  const Picture expected = scene->expected(state);
  EXPECT_EQ(scene->draw(linked), expected);
  EXPECT_EQ(scene->draw(scene->link(libraries, optimised)), expected);
}

TEST_P(LibraryApi, CreationControlAndFeedback) {
  if (!gpu.isKiln())
    GTEST_SKIP(); // others may have the code at hand, or not
  LibraryState state;
  state.vertexGlsl.insert(state.vertexGlsl.rfind('}'), " gl_Position.x += 0.01 * place.y; ");
  LibraryOptions options;
  options.flags = isLibrary | VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  VkPipeline made = VK_NULL_HANDLE;
  EXPECT_EQ(scene->tryCreate(state, preRasterization, options, &made),
            VK_PIPELINE_COMPILE_REQUIRED);
  EXPECT_EQ(made, VkPipeline(VK_NULL_HANDLE));
  const std::vector<VkPipeline> libraries = fourLibraries(state);
  // Now the part is there.
  library(state, preRasterization, options.flags);
  // So are parts and glue, after one link.
  const Picture expected = scene->draw(scene->link(libraries));
  EXPECT_EQ(expected, scene->expected(state));
  VkPipelineCreationFeedback feedback = {};
  options.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  options.libraries = libraries;
  options.feedback = &feedback;
  EXPECT_EQ(scene->draw(scene->create({}, 0, options)), expected);
  EXPECT_TRUE(feedback.flags & VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT);
}

/// Texts of what is executed.
std::string disassemblyOf(Gpu &gpu, VkPipeline pipeline) {
  std::string all;
  for (uint32_t executable = 0; executable < 2; ++executable) {
    VkPipelineExecutableInfoKHR info = {};
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR;
    info.pipeline = pipeline;
    info.executableIndex = executable;
    VkPipelineExecutableInternalRepresentationKHR texts[2] = {};
    for (auto &text : texts)
      text.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR;
    uint32_t count = 2;
    VK_OK(gpu.vk.GetPipelineExecutableInternalRepresentationsKHR(gpu.device, &info, &count, texts));
    std::string text(texts[1].dataSize, 0);
    texts[1].pData = text.data();
    texts[0].dataSize = 0;
    texts[0].pData = nullptr;
    VK_OK(gpu.vk.GetPipelineExecutableInternalRepresentationsKHR(gpu.device, &info, &count, texts));
    all += text;
  }
  return all;
}

TEST_P(LibraryApi, OptimisedLinksHaveTheMonolithicCode) {
  if (!gpu.isKiln())
    GTEST_SKIP(); // texts are ours
  const LibraryState state;
  LibraryOptions options;
  options.flags = VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
  const std::string whole = disassemblyOf(gpu, scene->create(state, everything, options));
  EXPECT_NE(whole.find("s_endpgm"), std::string::npos);
  std::vector<VkPipeline> libraries;
  for (Subsets own : each)
    libraries.push_back(library(state, own, retains | options.flags));
  EXPECT_EQ(disassemblyOf(gpu, scene->link(libraries, optimised | options.flags)), whole);
}

TEST_P(LibraryApi, ExecutablesOfLinkedPipelines) {
  if (!gpu.isKiln())
    GTEST_SKIP();
  const VkPipeline pipeline = scene->link(fourLibraries({}));
  VkPipelineInfoKHR info = {};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR;
  info.pipeline = pipeline;
  uint32_t count = 4;
  VkPipelineExecutablePropertiesKHR properties[4] = {};
  for (auto &one : properties)
    one.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR;
  VK_OK(gpu.vk.GetPipelineExecutablePropertiesKHR(gpu.device, &info, &count, properties));
  ASSERT_EQ(count, 2u);
  EXPECT_EQ(properties[0].stages | properties[1].stages,
            VkShaderStageFlags(VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT));
}

TEST_P(LibraryApi, ManyThreadsLinkTheSame) {
  const LibraryState state;
  const Picture expected = scene->expected(state);
  std::vector<VkPipeline> libraries = fourLibraries(state);
  LibraryState opaque;
  opaque.blend = false;
  const VkPipeline otherOutput = library(opaque, fragmentOutput);
  constexpr unsigned threadCount = 4, count = 40;
  std::vector<VkPipeline> pipelines(threadCount * count);
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < threadCount; ++thread)
    threads.emplace_back([&, thread] {
      for (unsigned i = 0; i < count; ++i) {
        LibraryOptions options;
        options.libraries = libraries;
        if (i & 1)
          options.libraries[3] = otherOutput;
        VK_OK(scene->tryCreate({}, 0, options, &pipelines[thread * count + i]));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  const Picture other = scene->expected(opaque);
  for (unsigned i : {0u, 1u, 79u, threadCount * count - 2})
    EXPECT_EQ(scene->draw(pipelines[i]), i & 1 ? other : expected);
  for (VkPipeline pipeline : pipelines)
    gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
}

// Not part of the tests: what a fast link costs.
TEST_P(LibraryApi, DISABLED_FastLinkTime) {
  const std::vector<VkPipeline> libraries = fourLibraries({});
  VkPipelineLibraryCreateInfoKHR linkInfo = {};
  linkInfo.sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR;
  linkInfo.libraryCount = 4;
  linkInfo.pLibraries = libraries.data();
  VkGraphicsPipelineCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
  info.pNext = &linkInfo;
  info.layout = scene->whole;
  constexpr unsigned rounds = 50, count = 200;
  double best = 1e9;
  std::vector<VkPipeline> pipelines(count);
  for (unsigned round = 0; round < rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (VkPipeline &pipeline : pipelines)
      gpu.vk.CreateGraphicsPipelines(gpu.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count() / count);
    for (VkPipeline pipeline : pipelines)
      gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
  }
  std::printf("fast link %.3f us\n", best);
}

} // namespace
} // namespace api
