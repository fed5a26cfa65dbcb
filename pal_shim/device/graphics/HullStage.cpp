//===- HullStage.cpp - patches to tessellation levels ----------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/HullStage.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/core/Launch.h"

using namespace llvm;

namespace pal::device {

/// What factors hold before a group runs: a NaN that no arithmetic makes.
static constexpr uint32_t unwritten = poisonPattern;

HullStage::HullStage(const GeometrySetup &setup, const HullRegisters &registers,
                     const TessellationMode &mode, std::vector<uint32_t> userSgprs)
    : mode(mode), setup(setup), registers(registers),
      runner(this->setup, *setup.program.graphics->stage(abi::HardwareStage::Hs),
             std::move(userSgprs)) {}

Expected<std::unique_ptr<HullStage>> HullStage::create(const GeometrySetup &setup) {
  const unsigned size = setup.input.verticesPerPrimitive();
  const HullRegisters registers = registersOfDraw(setup.program.graphics->hull, size);
  TessellationMode mode = KILN_TRY(modeOf(registers));
  if (setup.draw.input.topology != PrimitiveTopology::PatchList || size != registers.inputVertices)
    return make_error<DeviceFault>(DeviceFault::Kind::BadLaunch,
                                   ("program '" + setup.program.name() + "': primitives have " +
                                    Twine(size) + " vertices, its patches have " +
                                    Twine(registers.inputVertices))
                                       .str());
  const GraphicsStage &stage = *setup.program.graphics->stage(abi::HardwareStage::Hs);
  std::vector<uint32_t> sgprs = KILN_TRY(resolveUserData(stage.data, setup.userData));
  return std::unique_ptr<HullStage>(new HullStage(setup, registers, mode, std::move(sgprs)));
}

/// The latest group's part of the ring.
uint32_t *HullStage::factors() const {
  uint64_t offset = factorRingAddress(setup.userData) - setup.tables->address +
                    latest % tessellationGroups * factorBytes;
  return reinterpret_cast<uint32_t *>(setup.tables->host + offset);
}

Error HullStage::launch(ArrayRef<VertexGroup::Vertex> vertices) {
  HullGroup group{.registers = registers,
                  .vertices = vertices,
                  .userSgprs = runner.userSgprs,
                  .offChipBase = offChipBase(),
                  .factorBase = latest % tessellationGroups * factorBytes};
  StageLaunch launch;
  launch.waves = group.waves(runner.stage.data.launch.waveSize);
  launch.ldsBytes = runner.stage.data.launch.ldsBytes;
  launch.number = latest;
  auto fill = [&](Wave &wave, unsigned index) { group.fill(wave, index); };
  launch.fill = fill;
  auto describe = [&](unsigned wave, unsigned lane) {
    const size_t thread = size_t(wave) * runner.stage.data.launch.waveSize + lane;
    DrawInvocation invocation = describeVertex(setup, vertices, thread);
    invocation.primitive = group.controlPoint(thread);
    return invocation;
  };
  launch.describe = describe;
  return runner.launch(launch);
}

Error HullStage::readLevels() {
  unsigned dwords = factorDwords(mode.domain);
  for (size_t i = 0; i < groupPatches.size(); ++i) {
    ArrayRef<uint32_t> words(factors() + i * dwords, dwords);
    if (is_contained(words, unwritten))
      return make_error<DeviceFault>(DeviceFault::Kind::BadInstruction,
                                     ("kernel '" + runner.stage.data.name + "', group " +
                                      Twine(latest) + ": patch " + Twine(i) +
                                      " has no tessellation factors")
                                         .str());
    groupPatches[i].levels = levelsOf(mode.domain, words);
  }
  return Error::success();
}

Expected<uint64_t> HullStage::run(uint64_t first, uint64_t last) {
  InputAssembler &input = setup.input;
  last = std::min<uint64_t>(last, first + registers.patches);
  latest = next++;
  groupPatches.clear();
  std::vector<VertexGroup::Vertex> vertices;
  for (uint64_t number = first; number < last; ++number) {
    auto patch = uint32_t(number % input.primitives());
    auto instance = uint32_t(number / input.primitives());
    groupPatches.push_back({patch, {}});
    for (uint32_t id : input.primitive(patch).vertices())
      vertices.push_back({id, instance, patch});
  }
  if (vertices.empty())
    return last;
  std::fill_n(factors(), factorBytes / 4, unwritten);
  KILN_TRY(launch(vertices));
  KILN_TRY(readLevels());
  vertexInvocations += vertices.size();
  controlPatches += groupPatches.size();
  return last;
}

} // namespace pal::device
