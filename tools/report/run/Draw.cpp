//===- Draw.cpp - a draw with generated inputs ----------------------------===//
// SPDX-License-Identifier: MIT
#include "tools/report/run/Draw.h"
#include "llpc/Formats.h"
#include "pal_shim/abi/Try.h"
#include "test/exec/diff/SampleResources.h"
#include "test/exec/diff/SceneVertices.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

using exec::failure;
using llpc::GraphicsPipelineBuildInfo;
using llvm::Error;
using llvm::Expected;
using pal::device::Heap;

namespace report {

static constexpr uint32_t width = exec::pictureExtent.width, height = exec::pictureExtent.height;
static constexpr float clearDepth = 1;

Error setVertexInput(exec::Job &scene, const llpc::VertexInputInfo &input) {
  std::vector<VkVertexInputBindingDescription> bindings;
  for (const lgc::VertexBinding &binding : input.bindings)
    bindings.push_back({binding.binding, binding.stride,
                        binding.inputRate == lgc::VertexInputRate::Instance
                            ? VK_VERTEX_INPUT_RATE_INSTANCE
                            : VK_VERTEX_INPUT_RATE_VERTEX});
  std::vector<VkVertexInputAttributeDescription> attributes;
  for (const llpc::VertexAttributeInfo &attribute : input.attributes)
    attributes.push_back({attribute.location, attribute.binding,
                          static_cast<VkFormat>(attribute.format), attribute.offset});
  return exec::setVertexInput(scene, bindings, attributes);
}

/// State that commands set has no value here.
Error Draw::checkState(const GraphicsPipelineBuildInfo &info) const {
  struct Row {
    bool isSet;
    const char *what;
  };
  const Row rows[] = {
      {info.iaState.dynamicTopology, "a topology that commands set"},
      {info.iaState.dynamicPatchControlPoints, "patches whose size commands set"},
      {info.rsState.dynamicSampleInfo, "a number of samples that commands set"},
      {info.cbState.dualSourceBlendDynamic, "blending that commands set"},
      {info.enableUberFetchShader, "vertex input that commands set"},
      {info.useSoftwareVertexBufferDescriptors, "vertex buffers without descriptors"},
      {scene.draws.empty(), "no draw"},
  };
  for (const Row &row : rows)
    if (row.isSet)
      return failure(row.what);
  return Error::success();
}

Error Draw::setVertices(const GraphicsPipelineBuildInfo &info) {
  const exec::DrawCall &call = scene.draws.front();
  draw.groups = call.groups;
  draw.range.vertexCount = call.vertices;
  draw.range.instanceCount = call.instances;
  draw.input.topology = static_cast<pal::device::PrimitiveTopology>(info.iaState.topology);
  draw.input.patchControlPoints =
      info.iaState.patchControlPoints ? info.iaState.patchControlPoints : scene.patchControlPoints;
  if (call.indexed) {
    const pal::device::Allocation &indices = inputs.buffer(*scene.indexBuffer);
    draw.input.indexType = pal::device::IndexType::U16;
    draw.input.indexBuffer = indices.address();
    draw.input.indexBytes = indices.size();
  }
  uint32_t slots = 0;
  for (const exec::VertexBuffer &buffer : scene.vertexBuffers)
    slots = std::max(slots, buffer.binding + 1);
  if (!slots)
    return Error::success();
  constexpr uint32_t mostSlots = 64;
  if (slots > mostSlots)
    return failure("a vertex buffer binding beyond the " + llvm::Twine(mostSlots) + "th");
  std::unique_ptr<pal::device::Allocation> table = KILN_TRY(device.allocate(
      {.size = slots * 16, .heap = Heap::DescriptorTables, .name = "vertex buffer table"}));
  for (const exec::VertexBuffer &buffer : scene.vertexBuffers) {
    pal::srd::BufferSrdInfo srd;
    srd.address = inputs.buffer(buffer.buffer).address();
    srd.sizeBytes = job.buffers[buffer.buffer].size();
    srd.stride = buffer.stride;
    if (buffer.stride)
      srd.outOfBounds = pal::srd::OutOfBounds::IndexOnly;
    uint32_t words[4];
    pal::srd::buildBufferSrd(*pal::abi::findTarget(device.options().target), srd, words);
    std::memcpy(table->host() + size_t(buffer.binding) * 16, words, sizeof(words));
  }
  draw.vertexBufferTable = table->address();
  memory.push_back(std::move(table));
  return Error::success();
}

Expected<pal::device::Surface> Draw::createSurface(pal::formats::Format format, bool isDepth) {
  pal::device::Surface surface;
  surface.format = format;
  surface.width = width;
  surface.height = height;
  surface.slices = scene.layers;
  surface.samples = samples;
  surface.layout = pal::srd::LinearLayout({.format = format,
                                           .width = width,
                                           .height = height,
                                           .slices = scene.layers,
                                           .samples = samples});
  std::unique_ptr<pal::device::Allocation> texels = KILN_TRY(
      device.allocate({.size = surface.layout.totalBytes(), .alignment = 4096, .name = "target"}));
  for (uint64_t place = 0; isDepth && place + sizeof(clearDepth) <= texels->size();
       place += sizeof(clearDepth))
    std::memcpy(texels->host() + place, &clearDepth, sizeof(clearDepth));
  surface.address = texels->address();
  memory.push_back(std::move(texels));
  return surface;
}

Error Draw::setTargets(const GraphicsPipelineBuildInfo &info) {
  for (unsigned i = 0; i < llpc::maxColorTargets; ++i) {
    const llpc::ColorTargetState &target = info.cbState.target[i];
    draw.blend.targets[i].writeMask = static_cast<uint8_t>(target.channelWriteMask);
    if (!target.format)
      continue;
    const TexelFormat format = KILN_TRY(texelFormatOf(static_cast<VkFormat>(target.format)));
    draw.targets.colors[i] = KILN_TRY(createSurface(format.format, /*isDepth=*/false));
    draw.targets.colors[i].swizzle = format.swizzle;
  }
  draw.targets.depth = KILN_TRY(createSurface(pal::formats::Format::X32_Float, /*isDepth=*/true));
  draw.depthStencil.depthTest = draw.depthStencil.depthWrite = true;
  draw.depthStencil.depthCompare = pal::device::CompareOp::LessOrEqual;
  return Error::success();
}

void Draw::setRaster(const GraphicsPipelineBuildInfo &info) {
  pal::device::RasterState &raster = draw.raster;
  raster.viewports.fill({0, 0, width, height, 0, 1});
  for (size_t i = 0; i < std::min(scene.viewports.size(), raster.viewports.size()); ++i) {
    const VkViewport &from = scene.viewports[i];
    raster.viewports[i] = {from.x, from.y, from.width, from.height, from.minDepth, from.maxDepth};
  }
  raster.scissors.fill({0, 0, width, height});
  raster.renderArea = {0, 0, width, height};
  raster.rasterizerDiscard = info.rsState.rasterizerDiscardEnable;
  raster.depthClipEnable = info.vpState.depthClipEnable;
  raster.provokingVertexLast = info.rsState.provokingVertexMode == llpc::ProvokingVertexMode::Last;
  raster.samples = samples;
  raster.shaderSamples = info.rsState.perSampleShading ? info.rsState.pixelShaderSamples : 0;
  raster.samplePositions = pal::device::standardSamplePositions(samples);
  raster.shadingRate.onePixel = info.rsState.perSampleShading;
}

Error Draw::prepare(const GraphicsPipelineBuildInfo &info) {
  KILN_TRY(checkState(info));
  samples = std::max(info.rsState.numSamples, 1u);
  draw.userData = inputs.userData();
  draw.viewMask = info.iaState.enableMultiView ? 1 : 0;
  KILN_TRY(setVertices(info));
  KILN_TRY(setTargets(info));
  setRaster(info);
  return Error::success();
}

Error Draw::run(const pal::device::Program &program) {
  draw.program = &program;
  return device.draw(draw);
}

std::vector<std::pair<std::string, std::string>> Draw::describe() const {
  const exec::DrawCall &call = scene.draws.front();
  std::vector<std::pair<std::string, std::string>> rows;
  if (!call.isMesh)
    rows.push_back({"draw", llvm::utostr(call.vertices) +
                                (call.indexed ? " indices, " : " vertices, ") +
                                llvm::utostr(call.instances) +
                                (call.instances == 1 ? " instance" : " instances")});
  rows.push_back({"picture", llvm::utostr(width) + " x " + llvm::utostr(height) + " pixels" +
                                 (samples > 1 ? ", " + llvm::utostr(samples) + " samples" : "")});
  return rows;
}

} // namespace report
