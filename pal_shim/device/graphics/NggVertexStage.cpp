//===- NggVertexStage.cpp - primitive shaders without a geometry shader ----===//
// SPDX-License-Identifier: MIT
/// \file
/// Subgroups of vertices and primitives (MergedWave.h), each with a lane of its own: those of the
/// draw, or those that the tessellator makes. What leaves is what came, but for primitives that the
/// shader makes empty.
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/graphics/AttributeRing.h"
#include "pal_shim/device/graphics/MergedWave.h"
#include "pal_shim/device/graphics/VertexStage.h"

using namespace llvm;

namespace pal::device {

namespace {

class NggVertexStage : public VertexStage {
public:
  NggVertexStage(const GeometrySetup &setup, StageParts parts, const VertexGroup::Limits &limits)
      : VertexStage(setup, std::move(parts), limits),
        ring(this->setup, runner.stage.data.generation),
        needsMessage(
            !setup.program.graphics->metadata
                 .graphicsNumber({abi::key::vgtShaderStagesEn, abi::key::primgenPassthruNoMsg})
                 .value_or(0)) {}

private:
  Error runGroup(GeometryOutput &output) override;

  AttributeRing ring;
  bool needsMessage;
};

Error NggVertexStage::runGroup(GeometryOutput &output) {
  std::vector<GeometryLane> lanes = lanesOf(group);
  MergedGroup merged{.registers = setup.program.graphics->geometry,
                     .group = group,
                     .lanes = lanes,
                     .userSgprs = runner.userSgprs,
                     .number = groupNumber,
                     .isPassthrough = registers.isPassthrough,
                     .isEvaluation = hull != nullptr,
                     .offChipBase = offChipBase(),
                     .attributeRingBase = ring.base(groupNumber)};
  size_t vertices = group.vertices().size();
  port.begin(unsigned(vertices), unsigned(lanes.size()), /*isNgg=*/true);
  ring.clear(groupNumber, vertices);
  auto fill = [&](Wave &wave, unsigned index) { merged.fill(wave, index); };
  KILN_TRY(launch(merged.waves(runner.stage.data.launch.waveSize), fill));
  if (needsMessage && !port.hasAllocated)
    return fault("no wave has allocated export space");
  KILN_TRY(appendGroupPrimitives(output, /*wereExported=*/true));
  appendVertices(output);
  ring.append(groupNumber, vertices, output);
  countVertices();
  return Error::success();
}

} // namespace

Expected<std::unique_ptr<GeometryStage>> createNggVertexStage(const GeometrySetup &setup) {
  const GeometryRegisters &geometry = setup.program.graphics->geometry;
  StageParts parts = KILN_TRY(stagePartsOf(setup, abi::HardwareStage::Gs));
  VertexGroup::Limits limits = commonLimits(setup);
  limits.vertices = std::min(geometry.groupVertices, maxGroupVertices);
  limits.primitives = std::min(geometry.groupPrimitives, maxGroupPrimitives);
  return std::unique_ptr<GeometryStage>(new NggVertexStage(setup, std::move(parts), limits));
}

} // namespace pal::device
