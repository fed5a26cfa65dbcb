//===- MeshRegisters.cpp - workgroups of mesh shaders as the hardware's ---===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/mesh/MeshRegisters.h"
#include "lgc/CompileError.h"
#include "lgc/Shader.h"
#include "lgc/lowering/entry/PalRegisters.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace lgc {

namespace key = pal::abi::key;

/// HW: lanes of a primitive shader's workgroup.
constexpr uint32_t maxLanes = 256;

MeshThreads planMeshThreads(const PipelineState &state, uint32_t waveSize) {
  MeshThreads threads;
  threads.waveSize = waveSize;
  threads.shader = 1;
  for (uint32_t size : state.shader(ShaderStage::Mesh).workgroupSize)
    threads.shader = SaturatingMultiply<uint64_t>(threads.shader, size);
  const MeshModes &modes = state.graphics.mesh;
  threads.hardware = std::max(
      {static_cast<uint32_t>(threads.shader), modes.outputVertices, modes.outputPrimitives});
  threads.shaderWaves = static_cast<uint32_t>(divideCeil(threads.shader, waveSize));
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
  bool hasRows = target && target->major >= 11;
  threads.waves =
      hasRows ? threads.shaderWaves : static_cast<uint32_t>(divideCeil(threads.hardware, waveSize));
  return threads;
}

Error checkMeshLimits(const PipelineState &state, const MeshThreads &threads) {
  const MeshModes &modes = state.graphics.mesh;
  if (threads.shader > maxLanes)
    return limitExceeded("workgroup of the mesh shader: " + Twine(threads.shader) +
                         " invocations, limit " + Twine(maxLanes));
  if (modes.outputVertices > maxLanes)
    return limitExceeded("mesh shader: " + Twine(modes.outputVertices) +
                         " output vertices, limit " + Twine(maxLanes));
  if (modes.outputPrimitives > maxLanes)
    return limitExceeded("mesh shader: " + Twine(modes.outputPrimitives) +
                         " output primitives, limit " + Twine(maxLanes));
  return Error::success();
}

static void writeMeshlet(Module &module, const PipelineState &state, const MeshThreads &threads) {
  // HW: numbers of threads are stored less one.
  constexpr StringLiteral sizes[] = {key::numThreadX, key::numThreadY, key::numThreadZ};
  for (unsigned i = 0; i < 3; ++i)
    setGraphics(module, key::spiShaderGsMeshletDim, sizes[i],
                uint64_t(state.shader(ShaderStage::Mesh).workgroupSize[i] - 1));
  setGraphics(module, key::spiShaderGsMeshletDim, key::threadgroupSize, threads.shader - 1);
  const MeshModes &modes = state.graphics.mesh;
  setGraphics(module, key::spiShaderGsMeshletExpAlloc, key::maxExpVerts,
              uint64_t(modes.outputVertices));
  setGraphics(module, key::spiShaderGsMeshletExpAlloc, key::maxExpPrims,
              uint64_t(modes.outputPrimitives));
}

void writeMeshRegisters(Module &module, const PipelineState &state, const MeshThreads &threads,
                        uint32_t scratchBytes, bool linearTask) {
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
  const MeshModes &modes = state.graphics.mesh;
  auto number = [&](StringRef name, uint64_t value) { setGraphics(module, name, value); };
  auto field = [&](StringRef name, StringRef part, uint64_t value) {
    setGraphics(module, name, part, value);
  };
  // HW: 2 is gfx11's name of the mode; the older one of gfx10.3 has other inputs.
  field(key::vgtShaderStagesEn, key::gsFastLaunch, target->major == 11 ? 2 : 1);
  // HW: what primitive shaders always have; scenario G, not on chip.
  field(key::vgtGsMode, key::mode, 3);
  field(key::vgtGsMode, key::onchip, 1);
  field(key::vgtGsMode, key::gsWriteOptimize, 1);
  constexpr StringLiteral types[] = {"PointList", "LineStrip", "TriStrip"};
  setGraphics(module, key::vgtGsOutPrimType, key::outprimType,
              StringRef(types[static_cast<size_t>(modes.output)]));
  number(key::vgtGsMaxVertOut, std::max(modes.outputVertices, 1u));
  number(key::maxVertsPerSubgroup, modes.outputVertices);
  // One input "vertex" and "primitive" stand for a workgroup.
  field(key::vgtGsOnchipCntl, key::esVertsPerSubgroup, 1);
  field(key::vgtGsOnchipCntl, key::gsPrimsPerSubgroup, 1);
  field(key::vgtGsOnchipCntl, key::gsInstPrimsPerSubgrp, 1);
  setRegister(module, {key::nggSubgroupSize}, uint64_t(1));
  field(key::geNggSubgrpCntl, key::primAmpFactor, threads.hardware);
  field(key::geNggSubgrpCntl, key::threadsPerSubgroup, threads.hardware);
  if (target->major >= 11)
    writeMeshlet(module, state, threads);
  if (state.graphics.has(ShaderStage::Task))
    number(key::meshLinearDispatchFromTask, linearTask);
  if (scratchBytes) {
    setRegister(module, {key::meshScratchMemorySize}, uint64_t(scratchBytes));
    field(key::vgtShaderStagesEn, key::nggWaveIdEn, 1); // the entry's number
  }
}

Function &takeMeshBody(Function &shader, unsigned lanes) {
  auto *function = Function::Create(shader.getFunctionType(), GlobalValue::ExternalLinkage,
                                    hardwareFunctionName(pal::abi::HardwareStage::Gs));
  shader.getParent()->getFunctionList().insert(shader.getIterator(), function);
  function->setAttributes(shader.getAttributes());
  std::string size = std::to_string(lanes);
  // Why: LLVM drops barriers of workgroups that it takes for one wave, and only those.
  function->addFnAttr("amdgpu-flat-work-group-size", size + "," + size);
  function->splice(function->begin(), &shader);
  function->setSubprogram(shader.getSubprogram());
  shader.setSubprogram(nullptr);
  shader.eraseFromParent();
  return *function;
}

} // namespace lgc
