//===- NggVertexStage.cpp - primitive shaders without a geometry shader ----===//
// SPDX-License-Identifier: MIT
/// \file
/// Subgroups of vertices and primitives (MergedWave.h), each with a lane of its own. What leaves is
/// what came, but for primitives that the shader makes empty.
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/device/graphics/AttributeRing.h"
#include "pal_shim/device/graphics/MergedWave.h"
#include "pal_shim/device/graphics/VertexStage.h"

using namespace llvm;

namespace pal::device {

namespace {

class NggVertexStage : public VertexStage {
public:
  NggVertexStage(const GeometrySetup &setup, const GraphicsStage &stage,
                 const VertexGroup::Limits &limits, std::vector<uint32_t> userSgprs)
      : VertexStage(setup, stage, limits, std::move(userSgprs)),
        ring(this->setup, stage.data.generation),
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
                     .attributeRingBase = ring.base(groupNumber)};
  size_t vertices = group.vertices().size();
  port.begin(unsigned(vertices), unsigned(lanes.size()), /*isNgg=*/true);
  ring.clear(groupNumber, vertices);
  auto fill = [&](Wave &wave, unsigned index) { merged.fill(wave, index); };
  if (Error error = launch(merged.waves(runner.stage.data.launch.waveSize), fill))
    return error;
  if (needsMessage && !port.hasAllocated)
    return fault("no wave has allocated export space");
  if (Error error = appendGroupPrimitives(output, /*wereExported=*/true))
    return error;
  appendVertices(output);
  ring.append(groupNumber, vertices, output);
  vertexInvocations += vertices;
  return Error::success();
}

} // namespace

Expected<std::unique_ptr<GeometryStage>> createNggVertexStage(const GeometrySetup &setup) {
  const GraphicsProgram &program = *setup.program.graphics;
  const GraphicsStage &stage = *program.stage(abi::HardwareStage::Gs);
  Expected<std::vector<uint32_t>> sgprs = resolveUserData(stage.data.launch, setup.userData);
  if (!sgprs)
    return sgprs.takeError();
  VertexGroup::Limits limits = commonLimits(setup);
  limits.vertices = std::min(program.geometry.groupVertices, maxGroupVertices);
  limits.primitives = std::min(program.geometry.groupPrimitives, maxGroupPrimitives);
  return std::unique_ptr<GeometryStage>(
      new NggVertexStage(setup, stage, limits, std::move(*sgprs)));
}

} // namespace pal::device
