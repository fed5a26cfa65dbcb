//===- LegacyVertexStage.cpp - the hardware VS of gfx10 --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Waves of vertices only; primitives are put together by the hardware behind. Registers at the
/// start (docs/hw-notes.md, "What graphics waves start with"):
///   s0 ..       user data, then the scratch offset
///   v0 .. v3    vertex id, relative id, primitive id, instance id, as `.vs_vgpr_comp_cnt` loads
///   EXEC        lanes that have a vertex
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/device/graphics/VertexStage.h"

using namespace llvm;

namespace pal::device {

void fillVertexWave(Wave &wave, const StageRunner &runner, const abi::PipelineMetadata &metadata,
                    ArrayRef<std::array<uint32_t, 4>> vertices) {
  std::copy(runner.userSgprs.begin(), runner.userSgprs.end(), wave.s);
  if (runner.stage.data.launch.scratchOffsetEnabled)
    wave.s[runner.userSgprs.size()] = 0;
  wave.setS64(sreg::execLo, maskTrailingOnes<uint64_t>(unsigned(vertices.size())));
  unsigned loaded = unsigned(metadata.graphicsNumber({abi::key::vsVgprCompCnt}).value_or(0)) + 1;
  for (auto [lane, values] : enumerate(vertices))
    for (unsigned i = 0; i < std::min(loaded, 4u); ++i)
      wave.v[i].lane[lane] = values[i];
}

namespace {

class LegacyVertexStage : public VertexStage {
public:
  using VertexStage::VertexStage;

private:
  Error runGroup(GeometryOutput &output) override;
};

Error LegacyVertexStage::runGroup(GeometryOutput &output) {
  std::vector<std::array<uint32_t, 4>> vertices;
  for (const VertexGroup::Vertex &vertex : group.vertices())
    vertices.push_back({vertex.id, uint32_t(vertices.size()), vertex.primitiveId, vertex.instance});
  port.begin(unsigned(vertices.size()), 0, /*isNgg=*/false);
  auto fill = [&](Wave &wave, unsigned) {
    fillVertexWave(wave, runner, setup.program.graphics->metadata, vertices);
  };
  if (Error error = launch(1, fill))
    return error;
  if (Error error = appendGroupPrimitives(output, /*wereExported=*/false))
    return error;
  appendVertices(output);
  vertexInvocations += vertices.size();
  return Error::success();
}

} // namespace

Expected<std::unique_ptr<GeometryStage>> createLegacyVertexStage(const GeometrySetup &setup) {
  const GraphicsStage &stage = *setup.program.graphics->stage(abi::HardwareStage::Vs);
  Expected<std::vector<uint32_t>> sgprs = resolveUserData(stage.data.launch, setup.userData);
  if (!sgprs)
    return sgprs.takeError();
  VertexGroup::Limits limits = commonLimits(setup);
  limits.vertices = stage.data.launch.waveSize;
  limits.primitives = 256;
  return std::unique_ptr<GeometryStage>(
      new LegacyVertexStage(setup, stage, limits, std::move(*sgprs)));
}

} // namespace pal::device
