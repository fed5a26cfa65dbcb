//===- LegacyVertexStage.cpp - the hardware VS of gfx10 --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Waves of vertices only; primitives are put together by the hardware behind. Registers at the
/// start (docs/hw-notes.md, "What graphics waves start with"):
///   s0 ..       user data, then the words of stream-out, then the scratch offset
///   v0 .. v3    vertex id, relative id, primitive id, instance id, as `.vs_vgpr_comp_cnt` loads
///   EXEC        lanes that have a vertex
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/graphics/VertexStage.h"

using namespace llvm;

namespace pal::device {

namespace {

class LegacyVertexStage : public VertexStage {
public:
  using VertexStage::VertexStage;

private:
  Error runGroup(GeometryOutput &output) override;
};

Error LegacyVertexStage::runGroup(GeometryOutput &output) {
  std::vector<VertexLane> vertices;
  for (const VertexGroup::Vertex &vertex : group.vertices())
    vertices.push_back({vertex.id, uint32_t(vertices.size()), vertex.primitiveId, vertex.instance});
  port.begin(unsigned(vertices.size()), 0, /*isNgg=*/false);
  setup.streamOut->count(0, group.primitives().size());
  SmallVector<uint32_t, 6> streamOut;
  if (setup.streamOut->isHardware())
    streamOut = setup.streamOut->place(0, unsigned(group.primitives().size()),
                                       group.primitives()[0].vertexCount);
  auto fill = [&](Wave &wave, unsigned) {
    fillVertexWave(wave, runner, setup.program.graphics->metadata, vertices, streamOut);
  };
  KILN_TRY(launch(1, fill));
  KILN_TRY(appendGroupPrimitives(output, /*wereExported=*/false));
  appendVertices(output);
  countVertices();
  return Error::success();
}

} // namespace

Expected<std::unique_ptr<GeometryStage>> createLegacyVertexStage(const GeometrySetup &setup) {
  StageParts parts = KILN_TRY(stagePartsOf(setup, abi::HardwareStage::Vs));
  VertexGroup::Limits limits = commonLimits(setup);
  limits.vertices = parts.stage.data.launch.waveSize;
  limits.primitives = 256;
  return std::unique_ptr<GeometryStage>(new LegacyVertexStage(setup, std::move(parts), limits));
}

} // namespace pal::device
