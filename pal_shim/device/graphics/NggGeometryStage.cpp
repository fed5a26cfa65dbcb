//===- NggGeometryStage.cpp - primitive shaders with a geometry shader -----===//
// SPDX-License-Identifier: MIT
/// \file
/// Subgroups of vertices and primitives (MergedWave.h). The shader allocates space for as many
/// vertices and primitives as leave, at most one of each for a lane of the subgroup; lane i exports
/// primitive and vertex i. Besides lanes for what comes in, a subgroup has `.prim_amp_factor` lanes
/// for each invocation.
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/graphics/AttributeRing.h"
#include "pal_shim/device/graphics/MergedWave.h"
#include "pal_shim/device/graphics/VertexStage.h"

using namespace llvm;

namespace pal::device {

namespace {

constexpr unsigned maxGroupLanes = 256;

bool isGfx101(const GeometrySetup &setup) {
  const abi::GpuTarget &target = setup.program.context->target;
  return target.major == 10 && target.minor < 3;
}

class NggGeometryStage : public VertexStage {
public:
  NggGeometryStage(const GeometrySetup &setup, StageParts parts, const VertexGroup::Limits &limits)
      : VertexStage(setup, std::move(parts), limits), geometry(setup.program.graphics->geometry),
        ring(this->setup, runner.stage.data.generation), hangsWhenEmpty(isGfx101(setup)) {}

private:
  Error runGroup(GeometryOutput &output) override;
  Error runSubgroup(ArrayRef<GeometryLane> lanes, GeometryOutput &output);
  Error checkAllocation();
  Error appendExports(GeometryOutput &output);

  const GeometryRegisters &geometry;
  AttributeRing ring;
  bool hangsWhenEmpty; ///< HW(gfx10.1): on subgroups that export nothing
};

Error NggGeometryStage::checkAllocation() {
  if (!port.hasAllocated)
    return fault("no wave has allocated export space");
  if (port.allocatedVertices > geometry.maxGroupVerticesOut)
    return fault(Twine(port.allocatedVertices) + " vertices leave, the limit is " +
                 Twine(geometry.maxGroupVerticesOut));
  if (hangsWhenEmpty && !(port.allocatedVertices && port.allocatedPrimitives))
    return fault("a subgroup that exports nothing hangs");
  std::string what;
  return port.close(what) ? Error::success() : fault(what);
}

/// HW: a line that begins where the one before ended goes on with its stipple pattern.
static bool continues(const VertexPort::Primitive *before, const VertexPort::Primitive &line) {
  return before && before->vertices[1] == line.vertices[0];
}

Error NggGeometryStage::appendExports(GeometryOutput &output) {
  const VertexPort::Primitive *before = nullptr;
  for (auto [index, exported] : enumerate(port.primitives)) {
    if (!exported.exported)
      return fault("primitive " + Twine(index) + " was not exported");
    if (exported.culled)
      continue;
    PrimitiveOutput primitive;
    primitive.provoking =
        setup.draw.raster.provokingVertexLast ? uint8_t(geometry.verticesOut - 1) : 0;
    primitive.continuesLine = geometry.verticesOut == 2 && continues(before, exported);
    before = &exported;
    auto vertices = ArrayRef(exported.vertices).take_front(geometry.verticesOut);
    KILN_TRY(appendPrimitive(output, primitive, vertices, index));
    ++geometryPrimitives;
  }
  return Error::success();
}

Error NggGeometryStage::runSubgroup(ArrayRef<GeometryLane> lanes, GeometryOutput &output) {
  MergedGroup merged{.registers = geometry,
                     .group = group,
                     .lanes = lanes,
                     .userSgprs = runner.userSgprs,
                     .number = groupNumber,
                     .isEvaluation = hull != nullptr,
                     .offChipBase = offChipBase(),
                     .attributeRingBase = ring.base(groupNumber)};
  unsigned waveSize = runner.stage.data.launch.waveSize;
  size_t exporting = std::min<size_t>(lanes.size() * geometry.lanesPerPrimitive, maxGroupLanes);
  unsigned waves =
      std::max(merged.waves(waveSize), unsigned((exporting + waveSize - 1) / waveSize));
  unsigned allLanes = std::min(waves * waveSize, maxGroupLanes);
  port.beginOpen(allLanes);
  ring.clear(groupNumber, allLanes);
  auto fill = [&](Wave &wave, unsigned index) { merged.fill(wave, index); };
  geometryLanes = lanes;
  KILN_TRY(launch(waves, fill));
  KILN_TRY(checkAllocation());
  KILN_TRY(appendExports(output));
  appendVertices(output);
  ring.append(groupNumber, port.allocatedVertices, output);
  countVertices();
  geometryInvocations += lanes.size();
  return Error::success();
}

Error NggGeometryStage::runGroup(GeometryOutput &output) {
  std::vector<GeometryLane> lanes = lanesOf(group, geometry.invocations);
  if (!geometry.invocationPerGroup)
    return runSubgroup(lanes, output);
  for (size_t i = 0; i < lanes.size(); ++i) {
    groupNumber += i != 0;
    KILN_TRY(runSubgroup(ArrayRef(lanes).slice(i, 1), output));
  }
  return Error::success();
}

} // namespace

Expected<std::unique_ptr<GeometryStage>> createNggGeometryStage(const GeometrySetup &setup) {
  const GeometryRegisters &geometry = setup.program.graphics->geometry;
  StageParts parts = KILN_TRY(stagePartsOf(setup, abi::HardwareStage::Gs));
  unsigned invocations = geometry.invocationPerGroup ? 1 : geometry.invocations;
  VertexGroup::Limits limits = commonLimits(setup);
  limits.adjacency = true;
  limits.countsAfterwards = isGfx101(setup); // HW
  limits.vertices = std::min(geometry.groupVertices, maxGroupVertices);
  limits.primitives =
      geometry.invocationPerGroup
          ? 1
          : std::min({geometry.groupPrimitives, geometry.groupInstancePrimitives / invocations,
                      maxGroupPrimitives / invocations});
  return std::unique_ptr<GeometryStage>(new NggGeometryStage(setup, std::move(parts), limits));
}

} // namespace pal::device
