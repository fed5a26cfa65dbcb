// SPDX-License-Identifier: MIT
// VK_EXT_graphics_pipeline_library with targets of several samples, with several views, and with
// what geometry shaders take.
#include "LibraryScene.h"
#include <set>

namespace api {
namespace {

using Picture = LibraryScene::Picture;
constexpr VkPipelineCreateFlags retains =
    VK_PIPELINE_CREATE_LIBRARY_BIT_KHR |
    VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
constexpr VkPipelineCreateFlags optimised = VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT;
constexpr Subsets each[] = {vertexInput, preRasterization, fragmentShader, fragmentOutput};

class LibraryTargetsApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME))
      GTEST_SKIP();
  }
  /// What libraries are linked to draws what the monolithic pipeline draws, which comes back.
  Picture test(LibraryScene &scene, const LibraryState &state) {
    const Picture expected = scene.expected(state);
    LibraryOptions options;
    options.flags = retains;
    std::vector<VkPipeline> libraries;
    for (Subsets own : each)
      libraries.push_back(scene.create(state, own, options));
    EXPECT_EQ(scene.draw(scene.link(libraries)), expected);
    EXPECT_EQ(scene.draw(scene.link(libraries, optimised)), expected);
    return expected;
  }
};
API_TESTS_ON_ALL_DEVICES(LibraryTargetsApi);

TEST_P(LibraryTargetsApi, SeveralSamples) {
  const Picture single = [&] {
    LibraryScene scene(gpu);
    return test(scene, {});
  }();
  LibraryScene scene(gpu);
  scene.samples = VK_SAMPLE_COUNT_4_BIT;
  const Picture smooth = test(scene, {});
  if (!gpu.canExecute())
    return;
  // Edges are mixed of what lies on both sides.
  EXPECT_NE(smooth, single);
  // An invocation for each sample, of which every other one is black.
  LibraryState state;
  state.fragmentGlsl.insert(state.fragmentGlsl.rfind('}'), "result.rgb *= float(gl_SampleID & 1);");
  EXPECT_NE(test(scene, state), smooth);
}

TEST_P(LibraryTargetsApi, SeveralViews) {
  LibraryScene scene(gpu);
  scene.viewMask = 3;
  LibraryState state;
  const std::string extension = "\n#extension GL_EXT_multiview : require\n";
  state.vertexGlsl.insert(state.vertexGlsl.find('\n'), extension);
  state.vertexGlsl.insert(state.vertexGlsl.rfind('}'), "gl_Position.x += 0.5 * gl_ViewIndex;");
  state.fragmentGlsl.insert(state.fragmentGlsl.find('\n'), extension);
  state.fragmentGlsl.insert(state.fragmentGlsl.rfind('}'), "result.b = float(gl_ViewIndex);");
  const Picture picture = test(scene, state);
  if (!gpu.canExecute())
    return;
  constexpr size_t size = size_t(LibraryScene::side) * LibraryScene::side;
  ASSERT_EQ(picture.size(), 2 * size);
  const Picture first(picture.begin(), picture.begin() + size),
      second(picture.begin() + size, picture.end());
  EXPECT_GT(std::set<uint32_t>(first.begin(), first.end()).size(), 4u);
  EXPECT_GT(std::set<uint32_t>(second.begin(), second.end()).size(), 4u);
  EXPECT_NE(first, second);
}

/// What a geometry shader takes is known without the vertex input.
TEST_P(LibraryTargetsApi, InputsOfGeometryShaders) {
  auto features = vkStruct<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  gpu.vk.GetPhysicalDeviceFeatures2(gpu.physicalDevice, &features);
  if (!features.features.geometryShader)
    GTEST_SKIP() << "no geometry shaders";
  static constexpr std::pair<VkPrimitiveTopology, const char *> rows[] = {
      {VK_PRIMITIVE_TOPOLOGY_POINT_LIST, "points"},
      {VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, "lines"},
      {VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY, "lines_adjacency"},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY, "triangles_adjacency"}};
  for (auto [topology, name] : rows) {
    SCOPED_TRACE(name);
    LibraryState state;
    state.topology = topology;
    state.geometryGlsl = "#version 460\nlayout(" + std::string(name) + R"() in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 2) in vec4 color[];
layout(location = 0) flat in uint number[];
layout(location = 2) out vec4 colorOut;
layout(location = 0) flat out uint numberOut;
void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[0].gl_Position * 0.5 + vec4(i & 1, i >> 1, 0, 0);
    colorOut = color[gl_in.length() - 1];
    numberOut = number[0];
    EmitVertex();
  }
})";
    LibraryScene scene(gpu);
    test(scene, state);
  }
}

} // namespace
} // namespace api
