//===- VertexStage.cpp - what executors of vertex shaders share ------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/VertexStage.h"
#include "pal_shim/abi/AbiNames.h"

using namespace llvm;

namespace pal::device {

VertexGroup::Limits commonLimits(const GeometrySetup &setup) {
  const GraphicsProgram &program = *setup.program.graphics;
  VertexGroup::Limits limits;
  limits.reuse = !program.metadata.graphicsNumber({abi::key::vgtReuseOff}).value_or(0);
  limits.ownProvokingVertex =
      program.vertex.primitiveIdEnable || program.vertex.provokingReuseDisabled;
  return limits;
}

//===--- StageRunner -------------------------------------------------------===//

StageRunner::StageRunner(const GeometrySetup &setup, const GraphicsStage &stage,
                         std::vector<uint32_t> userSgprs)
    : stage(stage), userSgprs(std::move(userSgprs)), setup(setup),
      memory(setup.memory, setup.tables), runner(setup.context.takeRunner()) {
  runner->prepareStage(stage.data, setup.context, memory, setup.draw.borderColors);
}

StageRunner::~StageRunner() {
  runner->account(setup.program.context->counters);
  setup.context.giveBack(std::move(runner));
}

Error StageRunner::launch(const StageLaunch &launch) {
  if (runner->runStage(launch))
    return Error::success();
  return make_error<DeviceFault>(*runner->fault);
}

//===--- VertexStage -------------------------------------------------------===//

VertexStage::VertexStage(const GeometrySetup &setup, const GraphicsStage &stage,
                         const VertexGroup::Limits &limits, std::vector<uint32_t> userSgprs)
    : setup(setup), registers(setup.program.graphics->vertex),
      runner(this->setup, stage, std::move(userSgprs)),
      group(setup.stream, setup.draw.input.topology, limits),
      port(registers, stage.data.generation) {}

VertexStage::~VertexStage() = default;

Error VertexStage::fault(const Twine &what) const {
  return make_error<DeviceFault>(
      DeviceFault::Kind::BadInstruction,
      ("kernel '" + runner.stage.data.name + "', group " + Twine(groupNumber) + ": " + what).str());
}

Error VertexStage::launch(unsigned waves, function_ref<void(Wave &wave, unsigned index)> fill) {
  StageLaunch launch;
  launch.waves = waves;
  launch.ldsBytes = runner.stage.data.launch.ldsBytes;
  launch.port = &port;
  launch.number = groupNumber;
  launch.fill = fill;
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
    if (Error error = appendPrimitive(output, primitive,
                                      vertices.take_front(group.verticesPerPrimitive()), index))
      return error;
  }
  return Error::success();
}

Error VertexStage::finishGroup(GeometryOutput &output) {
  if (group.primitives().empty())
    return Error::success();
  if (Error error = runGroup(output))
    return error;
  ++groupNumber;
  group.clear();
  return Error::success();
}

Error VertexStage::run(uint64_t first, uint64_t last, GeometryOutput &output) {
  output.attributeCount = registers.attributeCount;
  output.clipMask = registers.clipMask;
  output.cullMask = registers.cullMask;
  for (uint64_t number = first; number < last; ++number) {
    if (group.add(number))
      continue;
    if (Error error = finishGroup(output))
      return error;
    if (!group.add(number))
      return make_error<DeviceFault>(DeviceFault::Kind::BadLaunch,
                                     "subgroups are too small for a primitive");
  }
  return finishGroup(output);
}

} // namespace pal::device
