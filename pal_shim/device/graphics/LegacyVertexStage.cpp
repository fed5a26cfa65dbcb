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

namespace {

class LegacyVertexStage : public VertexStage {
public:
  using VertexStage::VertexStage;

private:
  bool isNgg() const override { return false; }
  Error runGroup() override;
  Error appendAttributes(GeometryOutput &output) override {
    output.attributes.insert(output.attributes.end(), port.attributes.begin(),
                             port.attributes.end());
    return Error::success();
  }
  void fill(Wave &wave) const;
};

void LegacyVertexStage::fill(Wave &wave) const {
  std::copy(userSgprs.begin(), userSgprs.end(), wave.s);
  if (stage.data.launch.scratchOffsetEnabled)
    wave.s[userSgprs.size()] = 0;
  ArrayRef<VertexGroup::Vertex> vertices = group.vertices();
  wave.setS64(sreg::execLo, maskTrailingOnes<uint64_t>(unsigned(vertices.size())));
  unsigned loaded =
      unsigned(
          setup.program.graphics->metadata.graphicsNumber({abi::key::vsVgprCompCnt}).value_or(0)) +
      1;
  for (auto [lane, vertex] : enumerate(vertices)) {
    const uint32_t values[] = {vertex.id, uint32_t(lane), vertex.primitiveId, vertex.instance};
    for (unsigned i = 0; i < std::min(loaded, 4u); ++i)
      wave.v[i].lane[lane] = values[i];
  }
}

Error LegacyVertexStage::runGroup() {
  StageLaunch launch;
  launch.ldsBytes = stage.data.launch.ldsBytes;
  auto fillWave = [&](Wave &wave, unsigned) { fill(wave); };
  launch.fill = fillWave;
  return this->launch(launch);
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
