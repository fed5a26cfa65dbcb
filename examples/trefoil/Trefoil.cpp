//===- Trefoil.cpp - a Vulkan program that draws a picture ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// trefoil [FILE.png [WIDTH HEIGHT]]: draws a trefoil knot on a ground that reflects it, with
/// ../trefoil.vert and ../trefoil.frag, and writes the picture as a PNG. Plain Vulkan 1.3 through
/// the loader, on the first physical device, whatever that is:
///
///   shadow map   knot, depth only, as the light sees it
///   picture      knot mirrored; ground, blended; knot: four samples per pixel, then resolved
///   buffer       a copy of the picture
#include "Device.h"
#include "Pipelines.h"
#include "Scene.h"
#include <cstdio>
#include <cstdlib>
#include <png.h>

namespace {

constexpr VkExtent2D shadowExtent = {1024, 1024};

/// All that is drawn with and to.
struct Frame {
  VkExtent2D extent;
  Buffer vertices, indices, block, pixels;
  uint32_t knotIndices, groundIndices;
  Image shadowMap, colour, depth, picture;
};

Frame createFrame(const Device &d, VkExtent2D extent) {
  Mesh mesh = makeMesh();
  SceneBlock block = makeSceneBlock(float(extent.width) / float(extent.height));
  Frame f = {extent};
  f.vertices = createBuffer(d, mesh.vertices.size() * sizeof(Vertex),
                            VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, mesh.vertices.data());
  f.indices = createBuffer(d, mesh.indices.size() * sizeof(uint16_t),
                           VK_BUFFER_USAGE_INDEX_BUFFER_BIT, mesh.indices.data());
  f.block = createBuffer(d, sizeof(block), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, &block);
  f.pixels = createBuffer(d, VkDeviceSize(extent.width) * extent.height * 4,
                          VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  f.knotIndices = mesh.knotIndices;
  f.groundIndices = uint32_t(mesh.indices.size()) - mesh.knotIndices;
  f.shadowMap =
      createImage(d, shadowFormat, shadowExtent, VK_SAMPLE_COUNT_1_BIT,
                  VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
  f.colour = createImage(d, colourFormat, extent, sampleCount, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
  f.depth =
      createImage(d, depthFormat, extent, sampleCount, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
  f.picture = createImage(d, colourFormat, extent, VK_SAMPLE_COUNT_1_BIT,
                          VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
  return f;
}

void destroy(const Device &d, const Frame &f) {
  for (const Image &image : {f.shadowMap, f.colour, f.depth, f.picture})
    destroy(d, image);
  for (const Buffer &buffer : {f.vertices, f.indices, f.block, f.pixels})
    destroy(d, buffer);
}

/// Waits for all that was recorded before, with the image in a new layout afterwards. The picture
/// is drawn once, so finer dependencies would gain nothing.
void transition(VkCommandBuffer commands, const Image &image, VkImageLayout from,
                VkImageLayout to) {
  VkImageMemoryBarrier2 barrier = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
  barrier.srcStageMask = barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  barrier.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
  barrier.oldLayout = from;
  barrier.newLayout = to;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image.image;
  barrier.subresourceRange = {image.aspect, 0, 1, 0, 1};
  VkDependencyInfo info = {VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  info.imageMemoryBarrierCount = 1;
  info.pImageMemoryBarriers = &barrier;
  vkCmdPipelineBarrier2(commands, &info);
}

VkRenderingAttachmentInfo attachment(const Image &image, VkImageLayout layout, VkClearValue clear) {
  VkRenderingAttachmentInfo info = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  info.imageView = image.view;
  info.imageLayout = layout;
  info.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  info.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  info.clearValue = clear;
  return info;
}

void beginRendering(VkCommandBuffer commands, VkExtent2D extent,
                    const VkRenderingAttachmentInfo *colour,
                    const VkRenderingAttachmentInfo &depth) {
  VkRenderingInfo info = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea.extent = extent;
  info.layerCount = 1;
  info.colorAttachmentCount = colour ? 1 : 0;
  info.pColorAttachments = colour;
  info.pDepthAttachment = &depth;
  vkCmdBeginRendering(commands, &info);
  VkViewport viewport = {0, 0, float(extent.width), float(extent.height), 0, 1};
  vkCmdSetViewport(commands, 0, 1, &viewport);
  vkCmdSetScissor(commands, 0, 1, &info.renderArea);
}

/// \p up is -1 for a mirrored knot, whose triangles turn the other way.
void drawKnot(VkCommandBuffer commands, const Frame &f, const Pipelines &p, float up) {
  vkCmdSetCullMode(commands, up < 0 ? VK_CULL_MODE_FRONT_BIT : VK_CULL_MODE_BACK_BIT);
  vkCmdPushConstants(commands, p.layout, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
                     0, sizeof(up), &up);
  vkCmdDrawIndexed(commands, f.knotIndices, 1, 0, 0, 0);
}

void drawShadowMap(VkCommandBuffer commands, const Frame &f, const Pipelines &p) {
  transition(commands, f.shadowMap, VK_IMAGE_LAYOUT_UNDEFINED,
             VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL);
  VkClearValue farAway = {};
  farAway.depthStencil.depth = 1;
  beginRendering(commands, shadowExtent, nullptr,
                 attachment(f.shadowMap, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, farAway));
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, p.shadow);
  drawKnot(commands, f, p, 1);
  vkCmdEndRendering(commands);
  transition(commands, f.shadowMap, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
             VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL);
}

void drawPicture(VkCommandBuffer commands, const Frame &f, const Pipelines &p) {
  constexpr VkImageLayout colourLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  transition(commands, f.colour, VK_IMAGE_LAYOUT_UNDEFINED, colourLayout);
  transition(commands, f.picture, VK_IMAGE_LAYOUT_UNDEFINED, colourLayout);
  transition(commands, f.depth, VK_IMAGE_LAYOUT_UNDEFINED,
             VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL);
  const auto &fog = static_cast<const SceneBlock *>(f.block.mapped)->fog;
  VkClearValue sky = {}, farAway = {};
  sky.color = {{fog[0], fog[1], fog[2], 1}};
  farAway.depthStencil.depth = 1;
  VkRenderingAttachmentInfo colour = attachment(f.colour, colourLayout, sky);
  colour.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
  colour.resolveImageView = f.picture.view;
  colour.resolveImageLayout = colourLayout;
  beginRendering(commands, f.extent, &colour,
                 attachment(f.depth, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, farAway));
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, p.knot);
  drawKnot(commands, f, p, -1);
  drawKnot(commands, f, p, 1); // before the ground, most of which it hides
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, p.ground);
  vkCmdDrawIndexed(commands, f.groundIndices, 1, f.knotIndices, 0, 0);
  vkCmdEndRendering(commands);
  transition(commands, f.picture, colourLayout, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
}

void copyPicture(VkCommandBuffer commands, const Frame &f) {
  VkBufferImageCopy copy = {};
  copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  copy.imageExtent = {f.extent.width, f.extent.height, 1};
  vkCmdCopyImageToBuffer(commands, f.picture.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         f.pixels.buffer, 1, &copy);
  VkMemoryBarrier2 toHost = {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  toHost.srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
  toHost.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
  toHost.dstStageMask = VK_PIPELINE_STAGE_2_HOST_BIT;
  toHost.dstAccessMask = VK_ACCESS_2_HOST_READ_BIT;
  VkDependencyInfo info = {VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  info.memoryBarrierCount = 1;
  info.pMemoryBarriers = &toHost;
  vkCmdPipelineBarrier2(commands, &info);
}

/// Records and runs everything; the pixels are in f.pixels afterwards.
void render(const Device &d, const Frame &f, const Pipelines &p, VkDescriptorSet set) {
  VkCommandPoolCreateInfo poolInfo = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  poolInfo.queueFamilyIndex = d.queueFamily;
  VkCommandPool pool;
  CHECK(vkCreateCommandPool(d.device, &poolInfo, nullptr, &pool));
  VkCommandBufferAllocateInfo allocateInfo = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocateInfo.commandPool = pool;
  allocateInfo.commandBufferCount = 1;
  VkCommandBuffer commands;
  CHECK(vkAllocateCommandBuffers(d.device, &allocateInfo, &commands));
  VkCommandBufferBeginInfo beginInfo = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  CHECK(vkBeginCommandBuffer(commands, &beginInfo));
  VkDeviceSize start = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &f.vertices.buffer, &start);
  vkCmdBindIndexBuffer(commands, f.indices.buffer, 0, VK_INDEX_TYPE_UINT16);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, p.layout, 0, 1, &set, 0,
                          nullptr);
  drawShadowMap(commands, f, p);
  drawPicture(commands, f, p);
  copyPicture(commands, f);
  CHECK(vkEndCommandBuffer(commands));

  VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  CHECK(vkQueueSubmit(d.queue, 1, &submit, VK_NULL_HANDLE));
  CHECK(vkQueueWaitIdle(d.queue));
  vkDestroyCommandPool(d.device, pool, nullptr);
}

/// The bytes of an sRGB image are what a PNG has, but for the alpha.
bool writePng(const char *path, const Frame &f) {
  const auto *rgba = static_cast<const uint8_t *>(f.pixels.mapped);
  std::vector<uint8_t> rgb;
  rgb.reserve(size_t(f.extent.width) * f.extent.height * 3);
  for (size_t i = 0; i < size_t(f.extent.width) * f.extent.height; ++i)
    rgb.insert(rgb.end(), rgba + 4 * i, rgba + 4 * i + 3);
  png_image png = {};
  png.version = PNG_IMAGE_VERSION;
  png.width = f.extent.width;
  png.height = f.extent.height;
  png.format = PNG_FORMAT_RGB;
  return png_image_write_to_file(&png, path, 0, rgb.data(), 0, nullptr) != 0;
}

} // namespace

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : "trefoil.png";
  VkExtent2D extent = {640, 400};
  if (argc > 3)
    extent = {uint32_t(std::atoi(argv[2])), uint32_t(std::atoi(argv[3]))};
  if (argc == 3 || argc > 4 || extent.width - 1 >= 4096 || extent.height - 1 >= 4096) {
    std::fprintf(stderr, "usage: trefoil [FILE.png [WIDTH HEIGHT]], at most 4096 each\n");
    return 2;
  }
  Device d = createDevice();
  Pipelines p = createPipelines(d);
  Frame frame = createFrame(d, extent);
  BoundSet set = createSet(d, p, frame.block.buffer, frame.shadowMap.view);
  render(d, frame, p, set.set);
  bool written = writePng(path, frame);
  std::printf(written ? "wrote %s\n" : "cannot write %s\n", path);

  destroy(d, set);
  destroy(d, frame);
  destroy(d, p);
  destroy(d);
  return written ? 0 : 1;
}
