//===- LegacyGeometryStage.cpp - geometry shaders of gfx10 without NGG -----===//
// SPDX-License-Identifier: MIT
/// \file
/// Subgroups of vertices and primitives (MergedWave.h) write what they emit to the GS-VS ring and
/// send messages (GeometryMessages.h). Then the copy shader, a hardware VS, has a lane for each
/// vertex; v0 is the offset of the vertex in the ring, in dwords: the wave's part, that of the
/// lane's block of 16 (PalTables.h), the number of the vertex in its invocation times 16, the lane
/// in its block. The hardware makes primitives of the strips.
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/core/PalTables.h"
#include "pal_shim/device/graphics/GeometryMessages.h"
#include "pal_shim/device/graphics/VertexStage.h"

using namespace llvm;

namespace pal::device {

namespace {

constexpr unsigned ringLanes = 64;
/// Waves that have a part of the ring at the same time: a group's, twice, so that a shader which
/// ignores its offset shows.
constexpr unsigned wavesOfGroup = 4, ringWaves = 2 * wavesOfGroup;
constexpr unsigned maxGroupLanes = ringLanes * wavesOfGroup;

uint32_t ringBytesOfWave(const GeometryRegisters &geometry) {
  return geometry.ringItemDwords * ringLanes * 4;
}

class LegacyGeometryStage : public VertexStage {
public:
  LegacyGeometryStage(const GeometrySetup &setup, StageParts parts,
                      const VertexGroup::Limits &limits, std::vector<uint32_t> copySgprs)
      : VertexStage(setup, std::move(parts), limits), geometry(setup.program.graphics->geometry),
        copyStage(this->setup, std::move(copySgprs), /*isEvaluation=*/false),
        messages(geometry.maxVertices) {}

private:
  Error runGroup(GeometryOutput &output) override;
  void appendStrip(std::vector<PrimitiveOutput> &primitives, uint32_t first, unsigned count);
  uint32_t ringPlace(const MergedGroup &merged, size_t lane, unsigned stream) const;
  Error copyStream(const MergedGroup &merged, unsigned stream, GeometryOutput *output);

  const GeometryRegisters &geometry;
  LastVertexStage copyStage;
  GeometryMessages messages;
};

/// The primitives of a strip of \p count vertices from \p first on. Vulkan specification, "Triangle
/// Strips": every other triangle has two vertices exchanged, but not the provoking one.
void LegacyGeometryStage::appendStrip(std::vector<PrimitiveOutput> &primitives, uint32_t first,
                                      unsigned count) {
  unsigned size = geometry.verticesOut;
  bool isLast = setup.draw.raster.provokingVertexLast;
  for (unsigned i = 0; i + size <= count; ++i) {
    PrimitiveOutput primitive;
    primitive.vertexCount = uint8_t(size);
    primitive.provoking = isLast ? uint8_t(size - 1) : 0;
    primitive.continuesLine = i != 0;
    for (unsigned v = 0; v < size; ++v)
      primitive.vertices[v] = first + i + v;
    if (size == 3 && i & 1)
      std::swap(primitive.vertices[isLast ? 0 : 1], primitive.vertices[isLast ? 1 : 2]);
    primitives.push_back(primitive);
    ++geometryPrimitives;
  }
}

/// Where the first vertex of a lane is, in dwords.
uint32_t LegacyGeometryStage::ringPlace(const MergedGroup &merged, size_t lane,
                                        unsigned stream) const {
  unsigned waveSize = runner.stage.data.launch.waveSize;
  auto inWave = uint32_t(lane % waveSize);
  uint32_t wave = merged.ringOffset + uint32_t(lane / waveSize) * merged.ringBytesPerWave;
  uint32_t laneDwords = geometry.ringVertexDwords[stream] * geometry.maxVertices;
  return wave / 4 + geometry.ringStreamDwords[stream] * ringLanes +
         inWave / gsVsBlockLanes * gsVsBlockLanes * laneDwords + inWave % gsVsBlockLanes;
}

/// \p output: null if the stream is not rasterised. HW: all primitives are counted, but only those
/// of streams that something becomes of have waves.
Error LegacyGeometryStage::copyStream(const MergedGroup &merged, unsigned stream,
                                      GeometryOutput *output) {
  std::vector<VertexLane> copies;
  std::vector<PrimitiveOutput> primitives;
  for (size_t lane = 0; lane < merged.lanes.size(); ++lane) {
    const GeometryMessages::Strips &strips = messages.strips(lane, stream);
    uint32_t place = ringPlace(merged, lane, stream);
    unsigned begin = 0;
    auto endStrip = [&](unsigned end) {
      appendStrip(primitives, uint32_t(copies.size()) + begin, end - begin);
      begin = end;
    };
    for (unsigned cut : strips.cuts)
      endStrip(cut);
    endStrip(strips.vertices);
    for (unsigned vertex = 0; vertex < strips.vertices; ++vertex)
      copies.push_back({place + vertex * gsVsBlockLanes, 0, 0, 0});
  }
  setup.streamOut->count(stream, primitives.size());
  if (!setup.streamOut->usesStream(stream))
    return Error::success();
  // HW: with stream-out each primitive has vertices of its own.
  if (setup.streamOut->isHardware()) {
    std::vector<VertexLane> own;
    for (PrimitiveOutput &primitive : primitives)
      for (unsigned v = 0; v < primitive.vertexCount; ++v) {
        own.push_back(copies[primitive.vertices[v]]);
        primitive.vertices[v] = uint32_t(own.size() - 1);
      }
    copies = std::move(own);
  }
  auto base = uint32_t(output ? output->vertices.size() : 0);
  for (PrimitiveOutput &primitive : primitives)
    for (unsigned v = 0; v < primitive.vertexCount; ++v)
      primitive.vertices[v] += base;
  if (output)
    output->primitives.insert(output->primitives.end(), primitives.begin(), primitives.end());
  return setup.streamOut->isHardware()
             ? copyStage.runStreamOut(stream, geometry.verticesOut, copies, {}, output)
             : copyStage.run(copies, {}, *output);
}

Error LegacyGeometryStage::runGroup(GeometryOutput &output) {
  std::vector<GeometryLane> lanes = lanesOf(group, geometry.invocations);
  uint32_t waveBytes = ringBytesOfWave(geometry);
  unsigned waveSize = runner.stage.data.launch.waveSize;
  MergedGroup merged{.registers = geometry,
                     .group = group,
                     .lanes = lanes,
                     .userSgprs = runner.userSgprs,
                     .number = groupNumber,
                     .isEvaluation = hull != nullptr,
                     .offChipBase = offChipBase(),
                     .ringOffset = groupNumber % 2 * wavesOfGroup * waveBytes,
                     .ringBytesPerWave = waveBytes};
  messages.begin(merged, waveSize);
  StageLaunch launch;
  launch.waves = merged.waves(waveSize);
  launch.ldsBytes = runner.stage.data.launch.ldsBytes;
  launch.port = &messages;
  launch.number = groupNumber;
  auto fill = [&](Wave &wave, unsigned index) { merged.fill(wave, index); };
  launch.fill = fill;
  auto describeLane = [&](unsigned wave, unsigned lane) { return describe(wave, lane); };
  launch.describe = describeLane;
  geometryLanes = lanes;
  KILN_TRY(runner.launch(launch));
  if (std::optional<unsigned> wave = messages.unfinishedWave())
    return fault("wave " + Twine(*wave) + " did not say that it is done");

  for (unsigned stream = 0; stream < GeometryMessages::streams; ++stream) {
    bool isRastered = stream == setup.streamOut->rasterStream();
    KILN_TRY(copyStream(merged, stream, isRastered ? &output : nullptr));
  }
  countVertices();
  geometryInvocations += lanes.size();
  return Error::success();
}

} // namespace

uint32_t gsVsRingBytes(const LoadedProgram &program) {
  const GraphicsProgram &graphics = *program.graphics;
  bool hasCopyShader = graphics.geometry.isGeometryShader && graphics.stage(abi::HardwareStage::Vs);
  // What is beyond is refused by the executor.
  uint64_t bytes = uint64_t(graphics.geometry.ringItemDwords) * ringLanes * 4 * ringWaves;
  return hasCopyShader && bytes < (1u << 28) ? uint32_t(bytes) : 0;
}

Expected<std::unique_ptr<GeometryStage>> createLegacyGeometryStage(const GeometrySetup &setup) {
  const GraphicsProgram &program = *setup.program.graphics;
  const GeometryRegisters &geometry = program.geometry;
  StageParts parts = KILN_TRY(stagePartsOf(setup, abi::HardwareStage::Gs));
  auto copySgprs =
      KILN_TRY(resolveUserData(program.stage(abi::HardwareStage::Vs)->data, setup.userData));
  auto refuse = [&](const Twine &message) {
    return make_error<DeviceFault>(DeviceFault::Kind::BadLaunch,
                                   ("program '" + setup.program.name() + "': " + message).str());
  };
  if (parts.stage.data.launch.waveSize != ringLanes)
    return refuse("the ring of legacy geometry shaders is for waves of 64 lanes");
  if (!gsVsRingBytes(setup.program))
    return refuse("the ring of the geometry shader has no size that is possible");
  VertexGroup::Limits limits = commonLimits(setup);
  limits.adjacency = true;
  limits.countsAfterwards = true; // HW
  limits.vertices = std::min(geometry.groupVertices, maxGroupVertices);
  limits.primitives =
      std::min({geometry.groupPrimitives, geometry.groupInstancePrimitives / geometry.invocations,
                maxGroupLanes / geometry.invocations});
  return std::unique_ptr<GeometryStage>(
      new LegacyGeometryStage(setup, std::move(parts), limits, std::move(copySgprs)));
}

} // namespace pal::device
