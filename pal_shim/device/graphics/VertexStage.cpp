//===- VertexStage.cpp - what executors of vertex shaders share ------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/VertexStage.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace pal::device {

VertexGroup::Limits commonLimits(const GeometrySetup &setup) {
  const GraphicsProgram &program = *setup.program.graphics;
  VertexGroup::Limits limits;
  // HW(gfx10): the waves of stream-out have whole primitives.
  limits.reuse = !setup.streamOut->isHardware() &&
                 !program.metadata.graphicsNumber({abi::key::vgtReuseOff}).value_or(0);
  // Of a geometry shader the id comes in a register of the primitive's own lane.
  limits.ownProvokingVertex =
      program.vertex.provokingReuseDisabled ||
      (program.vertex.primitiveIdEnable && !program.geometry.isGeometryShader);
  return limits;
}

Expected<StageParts> stagePartsOf(const GeometrySetup &setup, abi::HardwareStage which) {
  const GraphicsProgram &program = *setup.program.graphics;
  const GraphicsStage &stage = *program.stage(which);
  std::vector<uint32_t> sgprs = KILN_TRY(resolveUserData(stage.data, setup.userData));
  if (!program.stage(abi::HardwareStage::Hs))
    return StageParts{stage, std::move(sgprs), nullptr};
  std::unique_ptr<HullStage> hull = KILN_TRY(HullStage::create(setup));
  return StageParts{stage, std::move(sgprs), std::move(hull)};
}

VertexStage::VertexStage(const GeometrySetup &setup, StageParts parts,
                         const VertexGroup::Limits &limits)
    : setup(setup), registers(setup.program.graphics->vertex), hull(std::move(parts.hull)),
      runner(this->setup, parts.stage, std::move(parts.userSgprs)),
      group(setup.input, setup.draw.input.topology, limits),
      port(registers, parts.stage.data.generation) {
  port.streamOut = setup.streamOut;
}

VertexStage::~VertexStage() = default;

Error VertexStage::fault(const Twine &what) const {
  return make_error<DeviceFault>(
      DeviceFault::Kind::BadInstruction,
      ("kernel '" + runner.stage.data.name + "', group " + Twine(groupNumber) + ": " + what).str());
}

/// Vertices that the tessellator made have no numbers.
DrawInvocation VertexStage::describe(unsigned wave, unsigned lane) const {
  const size_t number = size_t(wave) * runner.stage.data.launch.waveSize + lane;
  DrawInvocation invocation;
  if (!hull) {
    invocation = describeVertex(setup, group.vertices(), number);
  } else if (number < group.vertices().size()) {
    const VertexGroup::Vertex &vertex = group.vertices()[number];
    const auto [u, v] = vertex.point.coordinates();
    invocation.point = {vertex.primitiveId, u, v};
  }
  if (number < geometryLanes.size()) {
    const GeometryLane &from = geometryLanes[number];
    invocation.primitive = {group.primitives()[from.primitive].id, from.invocation};
  }
  return invocation;
}

Error VertexStage::launch(unsigned waves, function_ref<void(Wave &wave, unsigned index)> fill) {
  StageLaunch launch;
  launch.waves = waves;
  launch.ldsBytes = runner.stage.data.launch.ldsBytes;
  launch.port = &port;
  launch.number = groupNumber;
  launch.fill = fill;
  auto describeLane = [&](unsigned wave, unsigned lane) { return describe(wave, lane); };
  launch.describe = describeLane;
  return runner.launch(launch);
}

Error VertexStage::appendPrimitive(GeometryOutput &output, PrimitiveOutput primitive,
                                   ArrayRef<uint16_t> vertices, size_t index) {
  auto base = uint32_t(output.vertices.size());
  primitive.vertexCount = uint8_t(vertices.size());
  for (auto [i, vertex] : enumerate(vertices)) {
    if (vertex >= port.vertices.size() || !port.hasPosition[vertex])
      return fault("primitive " + Twine(index) + " has vertex " + Twine(vertex) +
                   ", which has no position");
    primitive.vertices[i] = base + vertex;
  }
  output.primitives.push_back(primitive);
  return Error::success();
}

void VertexStage::appendVertices(GeometryOutput &output) {
  output.vertices.insert(output.vertices.end(), port.vertices.begin(), port.vertices.end());
  output.attributes.insert(output.attributes.end(), port.attributes.begin(), port.attributes.end());
}

void VertexStage::countVertices() {
  (hull ? evaluationInvocations : vertexInvocations) += group.vertices().size();
}

Error VertexStage::appendGroupPrimitives(GeometryOutput &output, bool wereExported) {
  for (auto [index, source] : enumerate(group.primitives())) {
    ArrayRef<uint16_t> vertices = source.vertices;
    if (wereExported) {
      const VertexPort::Primitive &exported = port.primitives[index];
      if (!exported.exported)
        return fault("primitive " + Twine(index) + " was not exported");
      if (exported.culled)
        continue;
      vertices = exported.vertices;
    }
    PrimitiveOutput primitive;
    primitive.provoking = source.provoking;
    primitive.continuesLine = source.continuesLine;
    primitive.primitiveId = source.id;
    if (Error error =
            appendPrimitive(output, primitive, vertices.take_front(source.vertexCount), index))
      return error;
  }
  return Error::success();
}

Error VertexStage::finishGroup(GeometryOutput &output) {
  if (group.primitives().empty())
    return Error::success();
  KILN_TRY(runGroup(output));
  ++groupNumber;
  group.clear();
  return Error::success();
}

Error VertexStage::addPrimitive(GeometryOutput &output, function_ref<bool()> add) {
  if (add())
    return Error::success();
  KILN_TRY(finishGroup(output));
  if (add())
    return Error::success();
  return make_error<DeviceFault>(DeviceFault::Kind::BadLaunch,
                                 "subgroups are too small for a primitive");
}

/// A group has patches of one group of the hull stage, whose off-chip data has one place.
Error VertexStage::runPatches(uint64_t first, uint64_t last, GeometryOutput &output) {
  while (first < last) {
    uint64_t done = KILN_TRY(hull->run(first, last));
    first = done;
    for (auto [number, source] : enumerate(hull->patches())) {
      tessellate(hull->mode, source.levels, patch);
      const VertexGroup::Patch parts = {patch, source.id, uint32_t(number),
                                        setup.draw.raster.provokingVertexLast};
      for (size_t index = 0; index < patch.count(); ++index)
        KILN_TRY(addPrimitive(output, [&] { return group.add(parts, index); }));
    }
    KILN_TRY(finishGroup(output));
  }
  vertexInvocations = hull->vertexInvocations;
  controlPatches = hull->controlPatches;
  return Error::success();
}

Error VertexStage::run(uint64_t first, uint64_t last, GeometryOutput &output) {
  output.attributeCount = registers.attributeCount;
  output.clipMask = registers.clipMask;
  output.cullMask = registers.cullMask;
  if (hull)
    return runPatches(first, last, output);
  for (uint64_t number = first; number < last; ++number)
    KILN_TRY(addPrimitive(output, [&] { return group.add(number); }));
  return finishGroup(output);
}

} // namespace pal::device
