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

VertexStage::VertexStage(const GeometrySetup &setup, const GraphicsStage &stage,
                         const VertexGroup::Limits &limits, std::vector<uint32_t> userSgprs)
    : setup(setup), stage(stage), registers(setup.program.graphics->vertex),
      userSgprs(std::move(userSgprs)), group(setup.stream, setup.draw.input.topology, limits),
      port(registers, stage.data.generation), memory(setup.memory, setup.tables),
      runner(setup.context.takeRunner()) {
  runner->prepareStage(stage.data, setup.context, memory, setup.draw.borderColors);
}

VertexStage::~VertexStage() {
  runner->account(setup.program.context->counters);
  setup.context.giveBack(std::move(runner));
}

Error VertexStage::launch(StageLaunch &launch) {
  launch.port = &port;
  launch.number = groupNumber;
  if (runner->runStage(launch))
    return Error::success();
  return make_error<DeviceFault>(*runner->fault);
}

/// A primitive that the shader left must refer to vertices that have a position.
Error VertexStage::appendPrimitives(GeometryOutput &output) {
  auto base = uint32_t(output.vertices.size());
  unsigned count = group.verticesPerPrimitive();
  auto broken = [&](size_t index, const Twine &what) {
    return make_error<DeviceFault>(DeviceFault::Kind::BadInstruction,
                                   ("kernel '" + stage.data.name + "', group " +
                                    Twine(groupNumber) + ": primitive " + Twine(index) + " " + what)
                                       .str());
  };
  for (auto [index, source] : enumerate(group.primitives())) {
    std::array<uint16_t, 3> vertices = source.vertices;
    if (isNgg()) {
      const VertexPort::Primitive &exported = port.primitives[index];
      if (!exported.exported)
        return broken(index, "was not exported");
      if (exported.culled)
        continue;
      vertices = exported.vertices;
    }
    PrimitiveOutput primitive;
    primitive.vertexCount = uint8_t(count);
    primitive.provoking = source.provoking;
    primitive.continuesLine = source.continuesLine;
    primitive.primitiveId = source.id;
    for (unsigned i = 0; i < count; ++i) {
      if (vertices[i] >= port.vertices.size() || !port.hasPosition[vertices[i]])
        return broken(index, "has vertex " + Twine(vertices[i]) + ", which has no position");
      primitive.vertices[i] = base + vertices[i];
    }
    output.primitives.push_back(primitive);
  }
  return Error::success();
}

Error VertexStage::finishGroup(GeometryOutput &output) {
  if (group.primitives().empty())
    return Error::success();
  port.begin(unsigned(group.vertices().size()), unsigned(group.primitives().size()), isNgg());
  if (Error error = runGroup())
    return error;
  if (Error error = appendPrimitives(output))
    return error;
  output.vertices.insert(output.vertices.end(), port.vertices.begin(), port.vertices.end());
  if (Error error = appendAttributes(output))
    return error;
  vertexInvocations += group.vertices().size();
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
