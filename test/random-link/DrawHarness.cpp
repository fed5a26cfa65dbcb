//===- DrawHarness.cpp - draws of random pipelines ------------------------===//
// SPDX-License-Identifier: MIT
#include "Harness.h"
#include "lgc/CompileError.h"
#include <cstring>

using namespace llvm;

namespace randomlink {

namespace {

constexpr uint8_t cleared = 0x11;

uint32_t texelBytes(const IntegerFormat &format) { return format.bytes * format.components; }

} // namespace

Result expectedResult(const RandomModule &module) {
  Result result;
  result.output = expectedOutput(module);
  if (!module.draw)
    return result;
  const RandomDraw &draw = *module.draw;
  for (const RandomDraw::Output &output : draw.outputs) {
    const IntegerFormat &format = integerFormats()[output.format];
    Bytes &target = result.targets.emplace_back(
        output.hasTarget ? size_t(texelBytes(format)) * laneCount : 0, cleared);
    for (uint32_t lane = 0; lane < laneCount && output.hasTarget; ++lane) {
      if (draw.ends(lane))
        continue;
      const uint32_t value = fragmentValue(module, lane);
      for (uint32_t c = 0; c < format.components; ++c) {
        if (!(output.writeMask >> c & 1))
          continue;
        const uint32_t component = value >> c & output.mask();
        for (uint32_t i = 0; i < format.bytes; ++i)
          target[size_t(lane) * texelBytes(format) + c * format.bytes + i] =
              static_cast<uint8_t>(component >> (8 * i));
      }
    }
  }
  return result;
}

Error Executor::draw(const pal::device::Program &program, const RandomDraw &random,
                     ArrayRef<uint32_t> userData, std::vector<Bytes> &targets) {
  pal::device::DrawInfo info;
  info.program = &program;
  info.userData = userData;
  info.input.topology = pal::device::PrimitiveTopology::PointList;
  info.range.vertexCount = laneCount;
  info.raster.viewports[0] = {0, 0, imageSize, imageSize, 0, 1};
  info.raster.scissors[0] = info.raster.renderArea = {0, 0, imageSize, imageSize};
  info.raster.samplePositions = pal::device::standardSamplePositions(1);

  // Behind the tables of the sets, which begin at the other end.
  const uint64_t tableOffset = tables->size() - 256;
  info.vertexBufferTable = tables->address() + tableOffset;
  for (const lgc::VertexBinding &binding : random.bindings) {
    pal::srd::BufferSrdInfo srd;
    srd.address = vertices->address() + binding.binding * vertexBindingBytes;
    srd.stride = binding.stride;
    srd.sizeBytes = vertexBindingBytes;
    srd.outOfBounds = pal::srd::OutOfBounds::IndexOnly;
    uint32_t words[4];
    pal::srd::buildBufferSrd(*target, srd, words);
    std::memcpy(tables->host() + tableOffset + size_t(binding.binding) * 16, words, sizeof(words));
  }

  std::memset(images->host(), cleared, images->size());
  uint64_t place = 0;
  for (const RandomDraw::Output &output : random.outputs) {
    if (!output.hasTarget)
      continue;
    pal::device::Surface &surface = info.targets.colors[output.location];
    surface.format = integerFormats()[output.format].target;
    surface.width = surface.height = imageSize;
    surface.layout =
        pal::srd::LinearLayout({.format = surface.format, .width = imageSize, .height = imageSize});
    surface.address = images->address() + place;
    place += surface.layout.totalBytes();
    info.blend.targets[output.location].writeMask = static_cast<uint8_t>(output.writeMask);
  }
  if (place > images->size())
    return lgc::internalError("the harness has too little memory");
  if (Error fault = device->draw(info))
    return fault;
  for (const RandomDraw::Output &output : random.outputs) {
    Bytes &target = targets.emplace_back();
    const pal::device::Surface &surface = info.targets.colors[output.location];
    const uint32_t rowBytes = texelBytes(integerFormats()[output.format]) * imageSize;
    for (uint32_t y = 0; y < imageSize && output.hasTarget; ++y) {
      const uint8_t *row = images->host() + (surface.address - images->address()) +
                           surface.layout.offset(0, 0, y, 0);
      target.insert(target.end(), row, row + rowBytes);
    }
  }
  return Error::success();
}

} // namespace randomlink
