//===- StageRunner.cpp - hardware stages that run waves --------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/StageRunner.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace pal::device {

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

DrawInvocation describeVertex(const GeometrySetup &setup, ArrayRef<VertexGroup::Vertex> vertices,
                              size_t number) {
  DrawInvocation invocation;
  if (number >= vertices.size())
    return invocation;
  invocation.kind = DrawInvocation::Kind::Vertex;
  invocation.vertex = vertices[number].id + setup.userData.baseVertex;
  invocation.instance = vertices[number].instance + setup.draw.range.firstInstance;
  return invocation;
}

//===--- Hardware VS -------------------------------------------------------===//

void fillVertexWave(Wave &wave, const StageRunner &runner, const abi::PipelineMetadata &metadata,
                    ArrayRef<VertexLane> vertices, ArrayRef<uint32_t> systemSgprs) {
  uint32_t *next = std::copy(runner.userSgprs.begin(), runner.userSgprs.end(), wave.s);
  next = std::copy(systemSgprs.begin(), systemSgprs.end(), next);
  if (runner.stage.data.launch.scratchOffsetEnabled)
    *next = 0;
  wave.setS64(sreg::execLo, maskTrailingOnes<uint64_t>(unsigned(vertices.size())));
  unsigned loaded = unsigned(metadata.graphicsNumber({abi::key::vsVgprCompCnt}).value_or(0)) + 1;
  for (auto [lane, values] : enumerate(vertices))
    for (unsigned i = 0; i < std::min(loaded, 4u); ++i)
      wave.v[i].lane[lane] = values[i];
}

LastVertexStage::LastVertexStage(const GeometrySetup &setup, std::vector<uint32_t> userSgprs,
                                 bool isEvaluation)
    : setup(setup),
      runner(setup, *setup.program.graphics->stage(abi::HardwareStage::Vs), std::move(userSgprs)),
      port(setup.program.graphics->vertex, runner.stage.data.generation),
      isEvaluation(isEvaluation) {}

Error LastVertexStage::runWave(ArrayRef<VertexLane> vertices, ArrayRef<uint32_t> systemSgprs,
                               GeometryOutput *output) {
  port.begin(unsigned(vertices.size()), 0, /*isNgg=*/false);
  auto fill = [&](Wave &wave, unsigned) {
    fillVertexWave(wave, runner, setup.program.graphics->metadata, vertices, systemSgprs);
  };
  StageLaunch launch;
  launch.ldsBytes = runner.stage.data.launch.ldsBytes;
  launch.port = &port;
  launch.number = waveNumber;
  launch.fill = fill;
  auto describe = [&](unsigned, unsigned lane) {
    DrawInvocation invocation;
    if (isEvaluation && lane < vertices.size()) {
      const auto &[u, v, patchInGroup, patch] = vertices[lane];
      invocation.point = {patch, llvm::bit_cast<float>(u), llvm::bit_cast<float>(v)};
    }
    return invocation;
  };
  launch.describe = describe;
  KILN_TRY(runner.launch(launch));
  for (size_t i = 0; output && i < vertices.size(); ++i)
    if (!port.hasPosition[i])
      return make_error<DeviceFault>(DeviceFault::Kind::BadInstruction,
                                     ("kernel '" + runner.stage.data.name + "', group " +
                                      Twine(waveNumber) + ": vertex " + Twine(i) +
                                      " has no position")
                                         .str());
  ++waveNumber;
  if (output) {
    output->vertices.insert(output->vertices.end(), port.vertices.begin(), port.vertices.end());
    output->attributes.insert(output->attributes.end(), port.attributes.begin(),
                              port.attributes.end());
  }
  return Error::success();
}

Error LastVertexStage::run(ArrayRef<VertexLane> vertices, ArrayRef<uint32_t> systemSgprs,
                           GeometryOutput &output) {
  size_t lanes = runner.stage.data.launch.waveSize;
  for (; !vertices.empty(); vertices = vertices.drop_front(std::min(lanes, vertices.size())))
    KILN_TRY(runWave(vertices.take_front(lanes), systemSgprs, &output));
  return Error::success();
}

Error LastVertexStage::runStreamOut(unsigned stream, unsigned verticesPerPrimitive,
                                    ArrayRef<VertexLane> vertices, ArrayRef<uint32_t> systemSgprs,
                                    GeometryOutput *output) {
  size_t lanes = runner.stage.data.launch.waveSize;
  lanes -= lanes % verticesPerPrimitive;
  while (!vertices.empty()) {
    ArrayRef<VertexLane> wave = vertices.take_front(lanes);
    vertices = vertices.drop_front(wave.size());
    SmallVector<uint32_t, 6> sgprs = setup.streamOut->place(
        stream, unsigned(wave.size() / verticesPerPrimitive), verticesPerPrimitive);
    sgprs.append(systemSgprs.begin(), systemSgprs.end());
    KILN_TRY(runWave(wave, sgprs, output));
  }
  return Error::success();
}

} // namespace pal::device
