// SPDX-License-Identifier: MIT
// Members and parameters that the specification says are ignored hold garbage: Ignored*.cpp have
// the cases, by what looks at them.
#include "Ignored.h"
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>
#include <sstream>

namespace api {

//===--- Canvas -----------------------------------------------------------===//

Canvas::Canvas(Gpu &gpu)
    : gpu(gpu), target(gpu.target(format, side, side)), layout(gpu.pipelineLayout({})),
      vertex(gpu.module(R"(#version 460
void main() {
  gl_Position = vec4(vec2(gl_VertexIndex & 2, gl_VertexIndex << 1 & 2) * 2.0 - 1.0, 0.5, 1);
})",
                        "vert")),
      fragment(gpu.module(R"(#version 460
layout(location = 0) out vec4 color;
void main() { color = vec4(0, 1, 0, 1); })",
                          "frag")) {}

void Canvas::addShaders(vktest::GraphicsInfo &graphics) {
  graphics.addStage(VK_SHADER_STAGE_VERTEX_BIT, vertex);
  graphics.addStage(VK_SHADER_STAGE_FRAGMENT_BIT, fragment);
  graphics.info.layout = layout;
}

void Canvas::expect(uint32_t word, const std::function<void(VkCommandBuffer)> &record) {
  gpu.run([&](VkCommandBuffer c) {
    auto color =
        vktest::vkStruct<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
    color.imageView = target.view;
    color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    auto info = vktest::vkStruct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
    info.renderArea = {{0, 0}, {side, side}};
    info.layerCount = info.colorAttachmentCount = 1;
    info.pColorAttachments = &color;
    gpu.vk.CmdBeginRendering(c, &info);
    record(c);
    gpu.vk.CmdEndRendering(c);
  });
  expectTarget(word);
}

void Canvas::expectGreen(VkPipeline pipeline, const std::function<void(VkCommandBuffer)> &record) {
  expect(green, [&](VkCommandBuffer c) {
    gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    if (record)
      record(c);
    gpu.vk.CmdDraw(c, 3, 1, 0, 0);
  });
}

void Canvas::expectTarget(uint32_t word) {
  Buffer result = gpu.buffer(side * side * 4);
  gpu.run([&](VkCommandBuffer c) { gpu.readBack(c, target, result, side); });
  for (uint32_t i = 0; i < side * side; ++i)
    ASSERT_EQ(result.data[i], word) << "pixel " << i;
}

namespace {

//===--- The cases --------------------------------------------------------===//

const std::vector<IgnoredCase> &allCases() {
  static const std::vector<IgnoredCase> cases = [] {
    std::vector<IgnoredCase> all;
    for (auto list : {ignoredByPipelines, ignoredByDescriptors, ignoredByCommands})
      for (const IgnoredCase &one : list())
        all.push_back(one);
    return all;
  }();
  return cases;
}

class IgnoredApi : public testing::TestWithParam<std::tuple<unsigned, size_t>> {};

TEST_P(IgnoredApi, Garbage) {
  if (std::getenv("VK_INSTANCE_LAYERS"))
    GTEST_SKIP() << "layers copy what is ignored";
  const auto [device, number] = GetParam();
  Gpu gpu(device);
  allCases()[number].run(gpu, device);
}

std::string nameOf(const testing::TestParamInfo<std::tuple<unsigned, size_t>> &info) {
  const auto [device, number] = info.param;
  return Gpu::deviceNames()[device] + std::to_string(device) + "_" + allCases()[number].name;
}

INSTANTIATE_TEST_SUITE_P(
    Device, IgnoredApi,
    testing::Combine(testing::Range(0u, static_cast<unsigned>(Gpu::deviceNames().size())),
                     testing::Range(size_t(0), allCases().size())),
    nameOf);

//===--- The registry -----------------------------------------------------===//

/// Of commands and extensions that the driver has (ignoredMembers.py).
const char *const mayBeIgnored[] = {
#define API_MAY_BE_IGNORED(owner, member) #owner "::" #member,
#include "IgnoredMembers.inc"
};

/// Members that are never ignored here.
struct AlwaysUsed {
  const char *member;
  const char *why;
};
const AlwaysUsed alwaysUsed[] = {
    {"VkWaylandSurfaceCreateInfoKHR::display", "a connection, always used"},
    {"VkWaylandSurfaceCreateInfoKHR::surface", "always used"},
    {"VkXcbSurfaceCreateInfoKHR::connection", "a connection, always used"},
    {"VkXlibSurfaceCreateInfoKHR::dpy", "a connection, always used"},
    {"VkPhysicalDeviceSurfaceInfo2KHR::surface", "null with VK_GOOGLE_surfaceless_query only"},
    {"VkBindImageMemoryInfo::memory", "must be null beside a swapchain"},
    {"vkFreeDescriptorSets::pDescriptorSets", "elements may be null"},
    {"vkFreeCommandBuffers::pCommandBuffers", "elements may be null"},
    {"vkCmdClearColorImage::pColor", "a union, always used"},
    {"vkUpdateDescriptorSetWithTemplate::pData", "untyped, always used"},
    {"vkCmdPushDescriptorSetWithTemplate::pData", "untyped, always used"},
    {"VkRenderingAttachmentLocationInfo::pColorAttachmentLocations",
     "may be null, else always used"},
    {"vkCmdBindTransformFeedbackBuffersEXT::pSizes", "may be null, else always used"},
};

TEST(IgnoredMembers, EachHasACase) {
  std::set<std::string> known;
  for (const IgnoredCase &one : allCases()) {
    std::istringstream words(one.members);
    known.insert(std::istream_iterator<std::string>(words), {});
  }
  for (const AlwaysUsed &one : alwaysUsed) {
    EXPECT_EQ(known.count(one.member), 0u) << one.member << ": " << one.why;
    known.insert(one.member);
  }
  EXPECT_GT(std::size(mayBeIgnored), 30u);
  for (const char *member : mayBeIgnored)
    EXPECT_EQ(known.count(member), 1u) << "Ignored*.cpp have no case for " << member;
}

} // namespace
} // namespace api
