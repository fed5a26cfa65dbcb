// SPDX-License-Identifier: MIT
// VK_KHR_device_address_commands: commands that take addresses where older ones take buffers.
#include "FeedbackPrograms.h"
#include "Pipelines.h"
#include <cstring>
#include <optional>

namespace api {
namespace {

using vktest::GraphicsInfo;

class AddressCommandsApi : public ApiTest {
protected:
  static constexpr uint32_t side = 8;
  void SetUp() override {
    if (!gpu.hasExtension(VK_KHR_DEVICE_ADDRESS_COMMANDS_EXTENSION_NAME))
      GTEST_SKIP() << "no VK_KHR_device_address_commands";
    features = vkStruct<VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_ADDRESS_COMMANDS_FEATURES_KHR, &feedback);
    feedback.pNext = &mesh;
    if (!gpu.hasExtension(VK_EXT_MESH_SHADER_EXTENSION_NAME))
      feedback.pNext = nullptr;
    device.emplace(GetParam(), &features);
    ASSERT_TRUE(features.deviceAddressCommands);
    source = device->buffer(4096);
    target = device->buffer(4096);
    for (uint32_t i = 0; i < 1024; ++i)
      source.data[i] = 0x1000 + i;
  }
  template <typename T> static void put(const Buffer &buffer, uint32_t at, const T &value) {
    std::memcpy(reinterpret_cast<uint8_t *>(buffer.data) + at, &value, sizeof(value));
  }
  /// A compute pipeline that adds 1 to the first word of `target` in each invocation, bound.
  void bindCounter(VkCommandBuffer c);
  /// A target, and a pipeline that draws a white point to each pixel that a vertex has.
  void makeScene(bool hasDynamicStride);
  /// The pixels that \p record draws to, in order.
  std::vector<uint32_t> pixels(const std::function<void(VkCommandBuffer)> &record);

  VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR features = {};
  VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback =
      vkStruct<VkPhysicalDeviceTransformFeedbackFeaturesEXT>(
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT);
  VkPhysicalDeviceMeshShaderFeaturesEXT mesh = vkStruct<VkPhysicalDeviceMeshShaderFeaturesEXT>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT);
  std::optional<Gpu> device;
  Buffer source, target;
  Image image;
  VkPipeline pipeline = VK_NULL_HANDLE;
};
API_TESTS_ON_ALL_DEVICES(AddressCommandsApi);

void AddressCommandsApi::bindCounter(VkCommandBuffer c) {
  const std::vector<Binding> bindings = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};
  VkDescriptorSetLayout setLayout = device->setLayout(bindings);
  VkPipelineLayout layout = device->pipelineLayout({setLayout});
  VkPipeline compute = device->pipeline(R"(#version 450
layout(local_size_x = 4) in;
layout(binding = 0) buffer B { uint count; };
void main() { atomicAdd(count, 1); })",
                                        layout);
  VkDescriptorSet set = device->set(setLayout, bindings);
  device->write(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {target});
  device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, compute);
  device->vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                   nullptr);
}

void AddressCommandsApi::makeScene(bool hasDynamicStride) {
  image = device->target(VK_FORMAT_R8G8B8A8_UNORM, side, side);
  GraphicsInfo graphics(side);
  graphics.addStage(VK_SHADER_STAGE_VERTEX_BIT, device->module(R"(#version 450
layout(location = 0) in uint pixel;
void main() {
  gl_Position = vec4((vec2(pixel % 8, pixel / 8) + 0.5) / 4 - 1, 0, 1);
  gl_PointSize = 1;
})",
                                                               "vert"));
  graphics.addStage(VK_SHADER_STAGE_FRAGMENT_BIT, device->module(R"(#version 450
layout(location = 0) out vec4 color;
void main() { color = vec4(1); })",
                                                                 "frag"));
  graphics.bindings = {{0, 8, VK_VERTEX_INPUT_RATE_VERTEX}};
  graphics.attributes = {{0, 0, VK_FORMAT_R32_UINT, 0}};
  if (hasDynamicStride)
    graphics.dynamics = {VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE};
  graphics.assembly.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  graphics.info.layout = device->pipelineLayout({});
  pipeline = device->pipeline(graphics.done());
}

std::vector<uint32_t>
AddressCommandsApi::pixels(const std::function<void(VkCommandBuffer)> &record) {
  const Buffer picture = device->buffer(side * side * 4);
  auto attachment =
      vkStruct<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
  attachment.imageView = image.view;
  attachment.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  auto rendering = vkStruct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
  rendering.renderArea = {{0, 0}, {side, side}};
  rendering.layerCount = rendering.colorAttachmentCount = 1;
  rendering.pColorAttachments = &attachment;
  device->run([&](VkCommandBuffer c) {
    device->vk.CmdBeginRendering(c, &rendering);
    device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    record(c);
    device->vk.CmdEndRendering(c);
    device->readBack(c, image, picture, side);
  });
  std::vector<uint32_t> drawn;
  for (uint32_t i = 0; i < side * side; ++i)
    if (picture.data[i])
      drawn.push_back(i);
  return drawn;
}

//===--- Memory -----------------------------------------------------------===//

TEST_P(AddressCommandsApi, CopiesUpdatesFills) {
  VkDeviceMemoryCopyKHR regions[2];
  regions[0] = regions[1] =
      vkStruct<VkDeviceMemoryCopyKHR>(VK_STRUCTURE_TYPE_DEVICE_MEMORY_COPY_KHR);
  regions[0].srcRange = {source.address + 4, 8};
  regions[0].dstRange = {target.address, 100}; // may be larger
  regions[1].srcRange = {source.address + 400, 400};
  regions[1].dstRange = {target.address + 100, 400};
  auto copy = vkStruct<VkCopyDeviceMemoryInfoKHR>(VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_INFO_KHR);
  copy.regionCount = 2;
  copy.pRegions = regions;
  const uint32_t words[3] = {7, 8, 9};
  const VkDeviceAddressRangeKHR updated = {target.address + 1000, 64};
  const VkDeviceAddressRangeKHR filled = {target.address + 2000, 16};
  // A barrier for a range is one for all.
  auto range = vkStruct<VkMemoryRangeBarrierKHR>(VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIER_KHR);
  range.srcStageMask = range.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  range.srcAccessMask = range.dstAccessMask =
      VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
  range.srcQueueFamilyIndex = range.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  range.addressRange = {target.address, target.size};
  auto ranges =
      vkStruct<VkMemoryRangeBarriersInfoKHR>(VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR);
  ranges.memoryRangeBarrierCount = 1;
  ranges.pMemoryRangeBarriers = &range;
  const auto dependency = vkStruct<VkDependencyInfo>(VK_STRUCTURE_TYPE_DEPENDENCY_INFO, &ranges);
  device->run([&](VkCommandBuffer c) {
    device->vk.CmdFillMemoryKHR(c, &filled, 0, 5);
    device->vk.CmdPipelineBarrier2(c, &dependency);
    device->vk.CmdUpdateMemoryKHR(c, &updated, 0, sizeof(words), words);
    device->vk.CmdCopyMemoryKHR(c, &copy);
    device->vk.CmdPipelineBarrier2(c, &dependency);
    const VkDeviceAddressRangeKHR part = {target.address + 2004, 4};
    device->vk.CmdFillMemoryKHR(c, &part, 0, 6);
  });
  for (uint32_t i = 0; i < 1024; ++i) {
    const uint32_t expected = i < 2                 ? 0x1001 + i
                              : i >= 25 && i < 125  ? 0x1000 + 100 + i - 25
                              : i >= 250 && i < 253 ? 7 + i - 250
                              : i == 501            ? 6
                              : i >= 500 && i < 504 ? 5
                                                    : 0;
    ASSERT_EQ(target.data[i], expected) << i;
  }
}

TEST_P(AddressCommandsApi, MarkersAreWritten) {
  if (!device->hasExtension(VK_AMD_BUFFER_MARKER_EXTENSION_NAME))
    GTEST_SKIP();
  auto info = vkStruct<VkMemoryMarkerInfoAMD>(VK_STRUCTURE_TYPE_MEMORY_MARKER_INFO_AMD);
  info.stage = VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT;
  info.dstRange = {target.address + 12, 64};
  info.marker = 0xABCD;
  device->run([&](VkCommandBuffer c) { device->vk.CmdWriteMarkerToMemoryAMD(c, &info); });
  EXPECT_EQ(target.data[3], 0xABCDu);
  EXPECT_EQ(target.data[4], 0u);
}

TEST_P(AddressCommandsApi, ImagesAndMemory) {
  const Image texels = device->image(VK_FORMAT_R32_UINT, 8, 8, nullptr, 2);
  VkDeviceMemoryImageCopyKHR in[2], out;
  in[0] = in[1] = out =
      vkStruct<VkDeviceMemoryImageCopyKHR>(VK_STRUCTURE_TYPE_DEVICE_MEMORY_IMAGE_COPY_KHR);
  // All of both layers from tight rows, then 3x2 texels at (2, 5) of layer 1 from rows of 16.
  in[0].addressRange = {source.address, 512};
  in[0].imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 2};
  in[0].imageExtent = {8, 8, 1};
  in[1].addressRange = {source.address + 1024, 19 * 4};
  in[1].addressRowLength = 16;
  in[1].imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 1};
  in[1].imageOffset = {2, 5, 0};
  in[1].imageExtent = {3, 2, 1};
  out.addressRange = {target.address + 64, 512};
  out.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 2};
  out.imageExtent = {8, 8, 1};
  auto info =
      vkStruct<VkCopyDeviceMemoryImageInfoKHR>(VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_IMAGE_INFO_KHR);
  info.image = texels.handle;
  info.regionCount = 1;
  device->run([&](VkCommandBuffer c) {
    for (VkDeviceMemoryImageCopyKHR &region : in) {
      region.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
      info.pRegions = &region;
      device->vk.CmdCopyMemoryToImageKHR(c, &info);
      device->barrier(c);
    }
    out.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    info.pRegions = &out;
    device->vk.CmdCopyImageToMemoryKHR(c, &info);
    device->barrier(c);
  });
  for (uint32_t i = 0; i < 128; ++i) {
    const uint32_t x = i % 8, y = i / 8 % 8;
    const bool isInside = i >= 64 && x >= 2 && x < 5 && y >= 5 && y < 7;
    EXPECT_EQ(target.data[16 + i], isInside ? 0x1100 + (y - 5) * 16 + x - 2 : 0x1000 + i) << i;
  }
}

/// What lies outside of the range is an error, as what lies outside of a buffer is.
TEST_P(AddressCommandsApi, RangesOfImagesEnd) {
  if (!gpu.isKiln())
    GTEST_SKIP(); // not valid usage
  const Image texels = device->image(VK_FORMAT_R32_UINT, 8, 8);
  auto region =
      vkStruct<VkDeviceMemoryImageCopyKHR>(VK_STRUCTURE_TYPE_DEVICE_MEMORY_IMAGE_COPY_KHR);
  region.addressRange = {source.address, 255};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  region.imageExtent = {8, 8, 1};
  auto info =
      vkStruct<VkCopyDeviceMemoryImageInfoKHR>(VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_IMAGE_INFO_KHR);
  info.image = texels.handle;
  info.regionCount = 1;
  info.pRegions = &region;
  allowsMessages = true;
  VkCommandBuffer c = device->begin();
  device->vk.CmdCopyMemoryToImageKHR(c, &info);
  EXPECT_EQ(device->finish(c), VK_ERROR_DEVICE_LOST);
}

//===--- Dispatches, queries, conditions ----------------------------------===//

TEST_P(AddressCommandsApi, DispatchesAreCountedIfTheConditionHolds) {
  put(source, 64, VkDispatchIndirectCommand{3, 2, 1});
  auto dispatch =
      vkStruct<VkDispatchIndirect2InfoKHR>(VK_STRUCTURE_TYPE_DISPATCH_INDIRECT_2_INFO_KHR);
  dispatch.addressRange = {source.address + 64, 12};
  auto begin = vkStruct<VkConditionalRenderingBeginInfo2EXT>(
      VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_2_EXT);
  begin.addressRange = {source.address + 128, 4};
  auto create = vkStruct<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
  create.queryType = VK_QUERY_TYPE_TIMESTAMP;
  create.queryCount = 3;
  VkQueryPool pool = VK_NULL_HANDLE;
  VK_OK(device->vk.CreateQueryPool(device->device, &create, nullptr, &pool));
  for (uint32_t predicate : {0u, 2u}) {
    source.data[32] = predicate;
    std::memset(target.data, 0, target.size);
    device->run([&](VkCommandBuffer c) {
      bindCounter(c);
      device->vk.CmdResetQueryPool(c, pool, 0, 3);
      device->vk.CmdBeginConditionalRendering2EXT(c, &begin);
      device->vk.CmdDispatchIndirect2KHR(c, &dispatch);
      device->vk.CmdEndConditionalRenderingEXT(c);
      for (uint32_t query : {0u, 2u})
        device->vk.CmdWriteTimestamp(c, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, query);
      device->barrier(c);
      const VkStridedDeviceAddressRangeKHR range = {target.address + 64, 3 * 24, 24};
      device->vk.CmdCopyQueryPoolResultsToMemoryKHR(
          c, pool, 0, 3, &range, 0, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
      device->barrier(c);
    });
    EXPECT_EQ(target.data[0], predicate ? 24u : 0u);
    // Two words of time and two of availability, six words apart.
    EXPECT_NE(target.data[16] | target.data[17], 0u);
    EXPECT_EQ(target.data[18], 1u);
    EXPECT_EQ(target.data[24], 0u); // of query 1, which nobody wrote
    EXPECT_EQ(target.data[30], 1u);
  }
  device->vk.DestroyQueryPool(device->device, pool, nullptr);
}

//===--- Draws ------------------------------------------------------------===//

TEST_P(AddressCommandsApi, VertexAndIndexBuffers) {
  for (bool hasDynamicStride : {false, true}) {
    makeScene(hasDynamicStride);
    // Pixels of vertices of 8 bytes; every other one of 16 bytes.
    const Buffer vertices = device->buffer(256);
    for (uint32_t i = 0; i < 8; ++i)
      vertices.data[4 + 2 * i] = 10 + i;
    const uint16_t indices[4] = {0, 3, 1, 2};
    const Buffer indexBuffer = device->buffer(64);
    put(indexBuffer, 6, indices);
    auto vertexInfo =
        vkStruct<VkBindVertexBuffer3InfoKHR>(VK_STRUCTURE_TYPE_BIND_VERTEX_BUFFER_3_INFO_KHR);
    // Of 8 bytes: 4 vertices; of 16 bytes: 3 (the last one has no end, as vertices need not).
    vertexInfo.addressRange = {vertices.address + 16, hasDynamicStride ? 36u : 32u,
                               hasDynamicStride ? 16u : 0u};
    vertexInfo.setStride = hasDynamicStride;
    auto indexInfo =
        vkStruct<VkBindIndexBuffer3InfoKHR>(VK_STRUCTURE_TYPE_BIND_INDEX_BUFFER_3_INFO_KHR);
    indexInfo.addressRange = {indexBuffer.address + 6, 8};
    indexInfo.indexType = VK_INDEX_TYPE_UINT16;
    auto drawn = [&](uint32_t first, uint32_t count) {
      return pixels([&](VkCommandBuffer c) {
        device->vk.CmdBindVertexBuffers3KHR(c, 0, 1, &vertexInfo);
        device->vk.CmdBindIndexBuffer3KHR(c, &indexInfo);
        device->vk.CmdDrawIndexed(c, count, 1, first, 0, 0);
      });
    };
    using Pixels = std::vector<uint32_t>;
    // Vertices outside of the range read 0, indices outside of theirs are 0.
    EXPECT_EQ(drawn(0, 2), hasDynamicStride ? (Pixels{0, 10}) : (Pixels{10, 13}));
    EXPECT_EQ(drawn(2, 2), hasDynamicStride ? (Pixels{12, 14}) : (Pixels{11, 12}));
    indexInfo.addressRange.size = 6;
    EXPECT_EQ(drawn(2, 2), hasDynamicStride ? (Pixels{10, 12}) : (Pixels{10, 11}));
    vertexInfo.addressRange = {0, 0, 0};
    vertexInfo.setStride = VK_FALSE;
    EXPECT_EQ(drawn(0, 2), Pixels{0});
  }
}

TEST_P(AddressCommandsApi, IndirectDraws) {
  makeScene(false);
  const Buffer vertices = device->buffer(1024), list = device->buffer(256);
  for (uint32_t i = 0; i < 64; ++i)
    vertices.data[2 * i] = i;
  const uint32_t indices[4] = {8, 9, 10, 11};
  put(list, 0, indices);
  // Draws 40 bytes apart, and how many there are.
  put(list, 16, VkDrawIndirectCommand{2, 1, 5, 0});
  put(list, 56, VkDrawIndirectCommand{1, 1, 20, 0});
  put(list, 96, VkDrawIndexedIndirectCommand{2, 1, 1, 10, 0});
  put(list, 136, VkDrawIndexedIndirectCommand{1, 1, 0, 40, 0});
  list.data[50] = 1;
  auto vertexInfo =
      vkStruct<VkBindVertexBuffer3InfoKHR>(VK_STRUCTURE_TYPE_BIND_VERTEX_BUFFER_3_INFO_KHR);
  vertexInfo.addressRange = {vertices.address, vertices.size, 0};
  auto indexInfo =
      vkStruct<VkBindIndexBuffer3InfoKHR>(VK_STRUCTURE_TYPE_BIND_INDEX_BUFFER_3_INFO_KHR);
  indexInfo.addressRange = {list.address, 16};
  indexInfo.indexType = VK_INDEX_TYPE_UINT32;
  auto info = vkStruct<VkDrawIndirect2InfoKHR>(VK_STRUCTURE_TYPE_DRAW_INDIRECT_2_INFO_KHR);
  info.addressRange = {list.address + 16, 80, 40};
  info.drawCount = 2;
  auto indexed = info;
  indexed.addressRange = {list.address + 96, 80, 40};
  auto counted =
      vkStruct<VkDrawIndirectCount2InfoKHR>(VK_STRUCTURE_TYPE_DRAW_INDIRECT_COUNT_2_INFO_KHR);
  counted.addressRange = info.addressRange;
  counted.countAddressRange = {list.address + 200, 4};
  counted.maxDrawCount = 2;
  auto countedIndexed = counted;
  countedIndexed.addressRange = indexed.addressRange;
  auto drawn = [&](const std::function<void(VkCommandBuffer)> &draw) {
    return pixels([&](VkCommandBuffer c) {
      device->vk.CmdBindVertexBuffers3KHR(c, 0, 1, &vertexInfo);
      device->vk.CmdBindIndexBuffer3KHR(c, &indexInfo);
      draw(c);
    });
  };
  using Pixels = std::vector<uint32_t>;
  const Functions &vk = device->vk;
  EXPECT_EQ(drawn([&](VkCommandBuffer c) { vk.CmdDrawIndirect2KHR(c, &info); }),
            (Pixels{5, 6, 20}));
  EXPECT_EQ(drawn([&](VkCommandBuffer c) { vk.CmdDrawIndexedIndirect2KHR(c, &indexed); }),
            (Pixels{19, 20, 48}));
  EXPECT_EQ(drawn([&](VkCommandBuffer c) { vk.CmdDrawIndirectCount2KHR(c, &counted); }),
            (Pixels{5, 6}));
  EXPECT_EQ(
      drawn([&](VkCommandBuffer c) { vk.CmdDrawIndexedIndirectCount2KHR(c, &countedIndexed); }),
      (Pixels{19, 20}));
}

TEST_P(AddressCommandsApi, IndirectMeshDraws) {
  if (!mesh.meshShader)
    GTEST_SKIP() << "no VK_EXT_mesh_shader";
  image = device->target(VK_FORMAT_R8G8B8A8_UNORM, side, side);
  GraphicsInfo graphics(side);
  graphics.addStage(VK_SHADER_STAGE_MESH_BIT_EXT, device->module(R"(#version 460
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 1) in;
layout(points, max_vertices = 1, max_primitives = 1) out;
void main() {
  SetMeshOutputsEXT(1, 1);
  uint pixel = gl_DrawID * 16 + gl_WorkGroupID.y * 8 + gl_WorkGroupID.x;
  gl_MeshVerticesEXT[0].gl_Position = vec4((vec2(pixel % 8, pixel / 8) + 0.5) / 4 - 1, 0, 1);
  gl_MeshVerticesEXT[0].gl_PointSize = 1;
  gl_PrimitivePointIndicesEXT[0] = 0;
})",
                                                                 "mesh"));
  graphics.addStage(VK_SHADER_STAGE_FRAGMENT_BIT, device->module(R"(#version 450
layout(location = 0) out vec4 color;
void main() { color = vec4(1); })",
                                                                 "frag"));
  graphics.info.layout = device->pipelineLayout({});
  pipeline = device->pipeline(graphics.done());
  put(source, 4, VkDrawMeshTasksIndirectCommandEXT{2, 1, 1});
  put(source, 20, VkDrawMeshTasksIndirectCommandEXT{1, 2, 1});
  source.data[16] = 1;
  auto info = vkStruct<VkDrawIndirect2InfoKHR>(VK_STRUCTURE_TYPE_DRAW_INDIRECT_2_INFO_KHR);
  info.addressRange = {source.address + 4, 32, 16};
  info.drawCount = 2;
  auto counted =
      vkStruct<VkDrawIndirectCount2InfoKHR>(VK_STRUCTURE_TYPE_DRAW_INDIRECT_COUNT_2_INFO_KHR);
  counted.addressRange = info.addressRange;
  counted.countAddressRange = {source.address + 64, 4};
  counted.maxDrawCount = 2;
  EXPECT_EQ(pixels([&](VkCommandBuffer c) { device->vk.CmdDrawMeshTasksIndirect2EXT(c, &info); }),
            (std::vector<uint32_t>{0, 1, 16, 24}));
  EXPECT_EQ(
      pixels([&](VkCommandBuffer c) { device->vk.CmdDrawMeshTasksIndirectCount2EXT(c, &counted); }),
      (std::vector<uint32_t>{0, 1}));
}

//===--- Transform feedback -----------------------------------------------===//

/// Captures in two pieces, which a counter connects, and draws as many vertices as it says.
TEST_P(AddressCommandsApi, TransformFeedback) {
  if (!feedback.transformFeedback)
    GTEST_SKIP() << "no VK_EXT_transform_feedback";
  image = device->target(VK_FORMAT_R32G32B32A32_UINT, side, side);
  const Program program = vertexProgram();
  GraphicsInfo graphics(side);
  graphics.formats = {VK_FORMAT_R32G32B32A32_UINT};
  graphics.assembly.topology = program.topology;
  for (const Program::Stage &stage : program.stages)
    graphics.addStage(stage.stage, device->module(stage.glsl, stage.name));
  graphics.info.layout = device->pipelineLayout({});
  pipeline = device->pipeline(graphics.done());
  const Buffer captured = device->buffer(256);
  const Buffer counter =
      device->buffer(64, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT);
  auto range = vkStruct<VkBindTransformFeedbackBuffer2InfoEXT>(
      VK_STRUCTURE_TYPE_BIND_TRANSFORM_FEEDBACK_BUFFER_2_INFO_EXT);
  range.addressRange = {captured.address + 8, 16}; // of four values
  VkBindTransformFeedbackBuffer2InfoEXT counters[2] = {range, range};
  counters[0].addressRange = {0, 0};
  counters[1].addressRange = {counter.address + 4, 4};
  const Functions &vk = device->vk;
  device->run([&](VkCommandBuffer c) {
    auto attachment =
        vkStruct<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
    attachment.imageView = image.view;
    attachment.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    auto rendering = vkStruct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
    rendering.renderArea = {{0, 0}, {side, side}};
    rendering.layerCount = rendering.colorAttachmentCount = 1;
    rendering.pColorAttachments = &attachment;
    for (uint32_t piece = 0; piece < 2; ++piece) {
      vk.CmdBeginRendering(c, &rendering);
      vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      vk.CmdBindTransformFeedbackBuffers2EXT(c, 1, 1, &range);
      vk.CmdBeginTransformFeedback2EXT(c, 0, piece ? 2 : 0, piece ? counters : nullptr);
      vk.CmdDraw(c, 3, 1, 4 * piece, 0);
      vk.CmdEndTransformFeedback2EXT(c, 0, 2, counters);
      vk.CmdEndRendering(c);
      device->barrier(c);
    }
    range.addressRange = {captured.address + 64, 64};
    vk.CmdBeginRendering(c, &rendering);
    vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vk.CmdBindTransformFeedbackBuffers2EXT(c, 1, 1, &range);
    vk.CmdBeginTransformFeedback2EXT(c, 0, 0, nullptr);
    vk.CmdDrawIndirectByteCount2EXT(c, 1, 0, &counters[1], 4, 4); // 16 bytes less 4
    vk.CmdEndTransformFeedback2EXT(c, 0, 0, nullptr);
    vk.CmdEndRendering(c);
  });
  const std::vector<uint32_t> expected = {0, 0, 1, 11, 21, 41, 0, 0,  0,  0,
                                          0, 0, 0, 0,  0,  0,  1, 11, 21, 0};
  EXPECT_EQ(std::vector<uint32_t>(captured.data, captured.data + 20), expected);
  EXPECT_EQ(counter.data[1], 16u);
  EXPECT_EQ(counter.data[0], 0u);
}

} // namespace
} // namespace api
