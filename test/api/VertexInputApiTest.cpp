// SPDX-License-Identifier: MIT
// VK_EXT_vertex_input_dynamic_state: pipelines whose vertex input commands set, however they are
// made, draw what pipelines with that input draw.
#include "Binaries.h"
#include "LibraryScene.h"
#include <optional>
#include <thread>

namespace api {
namespace {

using Picture = LibraryScene::Picture;
constexpr Subsets each[] = {vertexInput, preRasterization, fragmentShader, fragmentOutput};
constexpr VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8_UNORM,
                                VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R16G16_UNORM,
                                VK_FORMAT_R8G8B8A8_SNORM, VK_FORMAT_R8G8B8A8_UNORM};

class VertexInputApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME))
      GTEST_SKIP() << "no VK_EXT_vertex_input_dynamic_state";
    if (!gpu.canExecute())
      GTEST_SKIP() << "no GPU";
    scene.emplace(gpu);
  }

  static LibraryState dynamic(LibraryState state = {}) {
    state.dynamicStates.push_back(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT);
    return state;
  }
  /// Sets the input that pipelines of the scene have, with \p format for colours.
  void setInput(VkCommandBuffer c, VkFormat format, uint32_t stride = 12,
                VkVertexInputRate rate = VK_VERTEX_INPUT_RATE_VERTEX) const {
    auto binding = vkStruct<VkVertexInputBindingDescription2EXT>(
        VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT);
    binding.stride = stride;
    binding.inputRate = rate;
    binding.divisor = 1;
    VkVertexInputAttributeDescription2EXT attributes[2];
    for (uint32_t i = 0; i < 2; ++i) {
      attributes[i] = vkStruct<VkVertexInputAttributeDescription2EXT>(
          VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT);
      attributes[i].location = i;
      attributes[i].format = i ? format : VK_FORMAT_R32G32_SFLOAT;
      attributes[i].offset = i * 8;
    }
    gpu.vk.CmdSetVertexInputEXT(c, 1, &binding, 2, attributes);
  }
  Picture draw(VkPipeline pipeline, VkFormat format) {
    return scene->draw(pipeline, [&](VkCommandBuffer c) { setInput(c, format); });
  }
  Picture expected(LibraryState state, VkFormat format) {
    state.colorFormat = format;
    return scene->expected(state);
  }
  /// \p pipeline draws with every format what \p state does.
  void check(VkPipeline pipeline, const LibraryState &state = {}) {
    for (VkFormat format : formats)
      EXPECT_EQ(draw(pipeline, format), expected(state, format)) << format;
  }
  VkPipeline linked(const LibraryState &state, VkPipelineCreateFlags flags = 0) {
    LibraryOptions options;
    options.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR |
                    VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
    std::vector<VkPipeline> libraries;
    for (Subsets own : each)
      libraries.push_back(scene->create(state, own, options));
    return scene->link(libraries, flags);
  }

  std::optional<LibraryScene> scene;
};
API_TESTS_ON_ALL_DEVICES(VertexInputApi);

TEST_P(VertexInputApi, PipelinesDrawWithAnyInput) {
  check(scene->create(dynamic(), everything));
  EXPECT_NE(expected({}, formats[0]), expected({}, formats[1]));
}

TEST_P(VertexInputApi, LinkedPipelines) {
  check(linked(dynamic()));
  check(linked(dynamic(), VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT));
}

TEST_P(VertexInputApi, Tessellation) {
  if (!hasTessellation(gpu))
    GTEST_SKIP() << "no tessellation shaders";
  check(scene->create(dynamic(tessellatedState()), everything), tessellatedState());
}

// Two pieces of state that are compiled in.
TEST_P(VertexInputApi, WithDynamicControlPoints) {
  if (!hasTessellation(gpu) || !gpu.isKiln())
    GTEST_SKIP() << "no dynamic number of control points";
  allowsMessages = true; // the feature is not enabled
  LibraryState state = dynamic(tessellatedState());
  state.dynamicStates.push_back(VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT);
  const VkPipeline pipeline = scene->create(state, everything);
  for (VkFormat format : formats)
    EXPECT_EQ(scene->draw(pipeline,
                          [&](VkCommandBuffer c) {
                            setInput(c, format);
                            gpu.vk.CmdSetPatchControlPointsEXT(c, 3);
                          }),
              expected(tessellatedState(), format));
}

// What a command has set stays until another one sets it, whichever such pipeline is bound.
TEST_P(VertexInputApi, InputStays) {
  const VkPipeline pipeline = scene->create(dynamic(), everything);
  LibraryState masked = dynamic();
  masked.writeMask = 1;
  const VkPipeline other = scene->create(masked, everything);
  EXPECT_EQ(scene->draw(other,
                        [&](VkCommandBuffer c) {
                          setInput(c, formats[1]);
                          gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
                        }),
            expected({}, formats[1]));
}

// Strides are set by the input, and where they are dynamic too, by whatever comes last.
TEST_P(VertexInputApi, Strides) {
  LibraryState state = dynamic();
  const VkPipeline byInput = scene->create(state, everything);
  state.dynamicStates.push_back(VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE);
  const VkPipeline byBoth = scene->create(state, everything);
  LibraryState strided;
  strided.dynamicStates = {VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE};
  auto bindWith = [&](VkCommandBuffer c, VkDeviceSize stride) {
    const VkDeviceSize offset = 0;
    gpu.vk.CmdBindVertexBuffers2(c, 0, 1, &scene->vertexBuffer().handle, &offset, nullptr, &stride);
  };
  for (uint32_t stride : {12u, 24u, 0u}) {
    const auto wanted = scene->expected(strided, [&](VkCommandBuffer c) { bindWith(c, stride); });
    EXPECT_EQ(scene->draw(byInput, [&](VkCommandBuffer c) { setInput(c, formats[0], stride); }),
              wanted)
        << stride;
    EXPECT_EQ(scene->draw(byBoth,
                          [&](VkCommandBuffer c) {
                            setInput(c, formats[0], 36);
                            bindWith(c, stride);
                          }),
              wanted)
        << stride;
    EXPECT_EQ(scene->draw(byBoth,
                          [&](VkCommandBuffer c) {
                            bindWith(c, 36);
                            setInput(c, formats[0], stride);
                          }),
              wanted)
        << stride;
  }
}

TEST_P(VertexInputApi, NoAttributes) {
  LibraryState state;
  state.vertexGlsl = R"(#version 460
layout(location = 2) out vec4 color;
layout(location = 0) flat out uint number;
void main() {
  gl_Position = vec4(vec2(gl_VertexIndex & 2, gl_VertexIndex << 1 & 2) * 2.0 - 1.0, 0.5, 1);
  color = vec4(0.5);
  number = 0;
})";
  const VkPipeline pipeline = scene->create(dynamic(state), everything);
  EXPECT_EQ(scene->draw(
                pipeline,
                [&](VkCommandBuffer c) { gpu.vk.CmdSetVertexInputEXT(c, 0, nullptr, 0, nullptr); }),
            scene->expected(state));
}

// Recorded at the same time: each draw has its own input.
TEST_P(VertexInputApi, Threads) {
  allowsMessages = true; // these draws are recorded only, and have nothing to draw to
  const VkPipeline pipeline = scene->create(dynamic(), everything);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      auto poolInfo = vkStruct<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
      VkCommandPool pool = VK_NULL_HANDLE;
      VK_OK(gpu.vk.CreateCommandPool(gpu.device, &poolInfo, nullptr, &pool));
      auto info =
          vkStruct<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
      info.commandPool = pool;
      info.commandBufferCount = 1;
      VkCommandBuffer c = VK_NULL_HANDLE;
      VK_OK(gpu.vk.AllocateCommandBuffers(gpu.device, &info, &c));
      auto begin = vkStruct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
      VK_OK(gpu.vk.BeginCommandBuffer(c, &begin));
      auto rendering = vkStruct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
      rendering.renderArea = {{0, 0}, {1, 1}};
      rendering.layerCount = 1;
      gpu.vk.CmdBeginRendering(c, &rendering);
      gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      for (unsigned i = 0; i < 40; ++i) {
        setInput(c, formats[(i + t) % std::size(formats)], 12 + i % 3 * 4);
        gpu.vk.CmdDraw(c, 3, 1, 0, 0);
      }
      gpu.vk.CmdEndRendering(c);
      VK_OK(gpu.vk.EndCommandBuffer(c));
      gpu.vk.DestroyCommandPool(gpu.device, pool, nullptr);
    });
  for (std::thread &thread : threads)
    thread.join();
  check(pipeline);
}

TEST_P(VertexInputApi, ComesFromBinaries) {
  if (!gpu.hasExtension(VK_KHR_PIPELINE_BINARY_EXTENSION_NAME))
    GTEST_SKIP() << "no VK_KHR_pipeline_binary";
  LibraryOptions capturing;
  capturing.flags2 = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR;
  const VkPipeline captured = scene->create(dynamic(), everything, capturing);
  Binaries made(gpu), again(gpu);
  VK_OK(made.fromPipeline(captured));
  VK_OK(again.fromKept(made.keep()));
  LibraryOptions options;
  options.source = Source::None;
  options.binaries = again.info();
  const VkPipeline pipeline = scene->create(dynamic(), everything, options);
  check(pipeline);
  // The key tells it from a pipeline without an input.
  Key keys[2];
  for (bool isDynamic : {false, true})
    scene->withInfo(isDynamic ? dynamic() : LibraryState(), everything, {},
                    [&](const VkGraphicsPipelineCreateInfo &info) {
                      auto copy = info;
                      auto none = vkStruct<VkPipelineVertexInputStateCreateInfo>(
                          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO);
                      copy.pVertexInputState = &none;
                      keys[isDynamic] = pipelineKey(gpu, &copy);
                    });
  EXPECT_NE(keys[0], keys[1]);
}

// Of libraries, with stages of its own: there are as many binaries as pieces, behind the code.
TEST_P(VertexInputApi, OwnStagesComeFromBinaries) {
  if (!gpu.hasExtension(VK_KHR_PIPELINE_BINARY_EXTENSION_NAME))
    GTEST_SKIP() << "no VK_KHR_pipeline_binary";
  constexpr Subsets own = preRasterization | fragmentShader | fragmentOutput;
  LibraryOptions library;
  library.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
  LibraryOptions capturing;
  capturing.flags2 = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR;
  capturing.libraries = {scene->create(dynamic(), vertexInput, library)};
  const VkPipeline captured = scene->create(dynamic(), own, capturing);
  check(captured);
  Binaries made(gpu), again(gpu);
  VK_OK(made.fromPipeline(captured));
  VK_OK(again.fromKept(made.keep()));
  LibraryOptions options;
  options.source = Source::None;
  options.binaries = again.info();
  options.libraries = capturing.libraries;
  check(scene->create(dynamic(), own, options));
}

// Without SPIR-V draws link parts, which binaries have, too.
TEST_P(VertexInputApi, IdentifiersThenBinaries) {
  if (!gpu.hasExtension(VK_KHR_PIPELINE_BINARY_EXTENSION_NAME) || !gpu.isKiln())
    GTEST_SKIP() << "no VK_KHR_pipeline_binary of ours";
  auto info = vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
  LibraryOptions capturing;
  VK_OK(gpu.vk.CreatePipelineCache(gpu.device, &info, nullptr, &capturing.cache));
  scene->create(dynamic(), everything, capturing);
  capturing.flags2 = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR |
                     VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT_KHR;
  capturing.source = Source::Identifier;
  const VkPipeline captured = scene->create(dynamic(), everything, capturing);
  check(captured);
  Binaries made(gpu), again(gpu);
  VK_OK(made.fromPipeline(captured));
  VK_OK(again.fromKept(made.keep()));
  LibraryOptions options;
  options.source = Source::None;
  options.binaries = again.info();
  check(scene->create(dynamic(), everything, options));
  gpu.vk.DestroyPipelineCache(gpu.device, capturing.cache, nullptr);
}

// A device that has compiled nothing itself has all from the application's data.
TEST_P(VertexInputApi, ComesFromCacheDataOfAnotherDevice) {
  if (!gpu.isKiln())
    GTEST_SKIP() << "other drivers may call anything a compile";
  std::vector<char> data;
  {
    Gpu first(GetParam());
    LibraryScene made(first);
    auto info = vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
    LibraryOptions options;
    VK_OK(first.vk.CreatePipelineCache(first.device, &info, nullptr, &options.cache));
    made.create(dynamic(), everything, options);
    size_t size = 0;
    VK_OK(first.vk.GetPipelineCacheData(first.device, options.cache, &size, nullptr));
    data.resize(size);
    VK_OK(first.vk.GetPipelineCacheData(first.device, options.cache, &size, data.data()));
    first.vk.DestroyPipelineCache(first.device, options.cache, nullptr);
  }
  auto info = vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
  info.initialDataSize = data.size();
  info.pInitialData = data.data();
  LibraryOptions options;
  VK_OK(gpu.vk.CreatePipelineCache(gpu.device, &info, nullptr, &options.cache));
  options.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  check(scene->create(dynamic(), everything, options));
  gpu.vk.DestroyPipelineCache(gpu.device, options.cache, nullptr);
}

// What a cache has is found by pipelines that may not compile.
TEST_P(VertexInputApi, ComesFromACache) {
  if (!gpu.isKiln())
    GTEST_SKIP() << "other drivers may call anything a compile";
  auto info = vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
  LibraryOptions options;
  VK_OK(gpu.vk.CreatePipelineCache(gpu.device, &info, nullptr, &options.cache));
  options.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(scene->tryCreate(dynamic(), everything, options, &pipeline),
            VK_PIPELINE_COMPILE_REQUIRED);
  options.flags = 0;
  check(scene->create(dynamic(), everything, options));
  options.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  check(scene->create(dynamic(), everything, options));
  gpu.vk.DestroyPipelineCache(gpu.device, options.cache, nullptr);
}

} // namespace
} // namespace api
