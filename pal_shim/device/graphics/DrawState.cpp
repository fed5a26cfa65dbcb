//===- DrawState.cpp - checks of a draw's state; its user data -------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/device/Draw.h"
#include "pal_shim/device/graphics/DrawRunner.h"
#include "pal_shim/device/graphics/GeometryStage.h"
#include "pal_shim/device/graphics/StreamOutUnit.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace pal::device {

namespace {

Error badLaunch(const Twine &message) {
  return make_error<DeviceFault>(DeviceFault::Kind::BadLaunch, message.str());
}

/// A value of an enumeration whose last one is \p last.
struct EnumCheck {
  const char *what;
  unsigned value, last;
};

/// PA_SU_SC_MODE_CNTL.
enum : uint32_t { cullFront = 1, cullBack = 2, frontClockwise = 4, polygonModeShift = 3 };

std::array<uint32_t, culling::Dwords> cullingData(const RasterState &raster) {
  std::array<uint32_t, culling::Dwords> data = {};
  uint32_t mode = 0;
  mode |= raster.cullFront ? uint32_t(cullFront) : 0;
  mode |= raster.cullBack ? uint32_t(cullBack) : 0;
  mode |= raster.frontClockwise ? uint32_t(frontClockwise) : 0;
  // POLY_MODE: both faces have modes of their own.
  mode |= raster.polygonMode != PolygonMode::Fill ? 1u << polygonModeShift : 0;
  data[culling::ScMode] = mode;
  for (unsigned i = 0; i < maxViewports; ++i) {
    const Viewport &viewport = raster.viewports[i];
    uint32_t *place = &data[culling::Viewports + i * culling::ViewportDwords];
    auto put = [&](unsigned field, float value) { place[field] = llvm::bit_cast<uint32_t>(value); };
    put(culling::XScale, viewport.width / 2);
    put(culling::XOffset, viewport.x + viewport.width / 2);
    put(culling::YScale, viewport.height / 2);
    put(culling::YOffset, viewport.y + viewport.height / 2);
  }
  data[culling::Conservative] = raster.conservativeOverestimate;
  return data;
}

} // namespace

Error checkDraw(const DrawInfo &draw) {
  const RasterState &raster = draw.raster;
  if (draw.userData.size() > abi::userdata::maxEntries)
    return badLaunch(Twine(draw.userData.size()) + " user-data entries, the limit is " +
                     Twine(abi::userdata::maxEntries));
  const DepthStencilState &depth = draw.depthStencil;
  const ShadingRateState &rates = raster.shadingRate;
  const EnumCheck checks[] = {
      {"topology", unsigned(draw.input.topology), unsigned(PrimitiveTopology::PatchList)},
      {"index type", unsigned(draw.input.indexType), unsigned(IndexType::U32)},
      {"polygon mode", unsigned(raster.polygonMode), unsigned(PolygonMode::Point)},
      {"line mode", unsigned(raster.lineMode), unsigned(LineMode::RectangularSmooth)},
      {"depth comparison", unsigned(depth.depthCompare), unsigned(CompareOp::Always)},
      {"stencil comparison", unsigned(depth.front.compare), unsigned(CompareOp::Always)},
      {"stencil comparison", unsigned(depth.back.compare), unsigned(CompareOp::Always)},
      {"logic operation", unsigned(draw.blend.logicOp), unsigned(LogicOp::Set)},
      {"combiner of rates", unsigned(rates.primitive), unsigned(RateCombiner::Multiply)},
      {"combiner of rates", unsigned(rates.attachment), unsigned(RateCombiner::Multiply)},
      {"log2 of a fragment's width", rates.pipeline.log2Width, 2},
      {"log2 of a fragment's height", rates.pipeline.log2Height, 2},
  };
  for (const EnumCheck &check : checks)
    if (check.value > check.last)
      return badLaunch(Twine(check.what) + " " + Twine(check.value));
  if (!raster.samples || raster.samples > maxSamples || !llvm::has_single_bit(raster.samples))
    return badLaunch(Twine(raster.samples) + " samples");
  return Error::success();
}

UserDataValues drawUserData(const LoadedProgram &program, const DrawInfo &draw, uint32_t view) {
  UserDataValues values;
  values.entries = draw.userData;
  for (const std::unique_ptr<GraphicsStage> &stage : program.graphics->stages)
    if (stage)
      values.spillThreshold = std::min(values.spillThreshold, stage->data.launch.spillThreshold);
  values.isDraw = true;
  bool isIndexed = draw.input.indexType != IndexType::None;
  values.baseVertex = isIndexed ? uint32_t(draw.range.vertexOffset) : draw.range.firstVertex;
  values.baseInstance = draw.range.firstInstance;
  values.drawIndex = draw.range.drawIndex;
  values.viewId = view;
  values.compositeData = draw.compositeData;
  // Vertices of a primitive: those that the rasteriser gets.
  if (const GeometryRegisters &geometry = program.graphics->geometry; geometry.isGeometryShader)
    values.compositeData = (draw.compositeData & ~3u) | geometry.verticesOut;
  values.sampleInfo = draw.sampleInfo;
  values.vertexBufferTable = draw.vertexBufferTable;
  values.streamOut = streamOutTables(program, draw);
  values.cullingData = cullingData(draw.raster);
  values.samples = draw.raster.samples;
  values.samplePositions = draw.raster.samplePositions;
  values.attributeRingBytes = attributeRingBytes(program);
  values.gsVsRingBytes = gsVsRingBytes(program);
  values.isTessellated = program.graphics->stage(abi::HardwareStage::Hs) != nullptr;
  values.groups = draw.groups;
  values.hasTasks = program.graphics->stage(abi::HardwareStage::Cs) != nullptr;
  if (uint32_t own = program.graphics->mesh.scratchBytes)
    values.meshScratchBytes = own + meshScratchGap;
  return values;
}

} // namespace pal::device
