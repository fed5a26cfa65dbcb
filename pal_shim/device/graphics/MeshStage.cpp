//===- MeshStage.cpp - workgroups to positions, attributes, primitives -----===//
// SPDX-License-Identifier: MIT
/// \file
/// One workgroup is one group of waves (MeshWave.h). It allocates space for the vertices and
/// primitives that leave; exports say by lane, from gfx11 on by row and lane, which one they are
/// of. Task workgroups run one at a time, in order, each with its mesh workgroups behind it.
#include "pal_shim/device/graphics/MeshStage.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/graphics/MergedWave.h"
#include "pal_shim/device/graphics/MeshWave.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace pal::device {

namespace {

/// Vertices that are kept before the rasteriser gets them.
constexpr size_t batchVertices = 16 * 1024;
/// Against absurd requests.
constexpr uint32_t maxScratchBytes = 1u << 20;
/// HW(gfx11+): ids of 16 bits.
constexpr uint64_t maxGroups = 65535, maxFlatGroups = 1ull << 32;

Error refuse(const LoadedProgram &program, const Twine &message) {
  return make_error<DeviceFault>(DeviceFault::Kind::BadLaunch,
                                 ("program '" + program.name() + "': " + message).str());
}

std::array<uint32_t, 3> idOf(uint64_t flat, const std::array<uint32_t, 3> &groups) {
  uint64_t row = flat / groups[0];
  return {uint32_t(flat % groups[0]), uint32_t(row % groups[1]), uint32_t(row / groups[1])};
}

/// How many workgroups these are.
Expected<uint64_t> totalOf(const LoadedProgram &program, const std::array<uint32_t, 3> &groups,
                           const char *kind) {
  uint64_t total = 1;
  for (uint32_t count : groups)
    total *= std::min<uint64_t>(count, maxGroups + 1);
  if (!total)
    return 0;
  if (*std::max_element(groups.begin(), groups.end()) > maxGroups || total > maxFlatGroups)
    return refuse(program, Twine(groups[0]) + " x " + Twine(groups[1]) + " x " + Twine(groups[2]) +
                               " " + kind + " workgroups");
  return total;
}

bool hasRows(const GraphicsStage &stage) { return !isGfx10(stage.data.generation); }

Error checkThreads(const LoadedProgram &program, const GraphicsStage &stage) {
  const GraphicsProgram &graphics = *program.graphics;
  const MeshRegisters &mesh = graphics.mesh;
  const GeometryRegisters &geometry = graphics.geometry;
  uint32_t lanes = meshLanes(graphics, stage.data.generation);
  if (lanes > maxGroupVertices)
    return refuse(program, Twine(lanes) + " lanes of a mesh workgroup, the limit is " +
                               Twine(maxGroupVertices));
  if (!hasRows(stage)) {
    if (geometry.groupVertices != 1 || geometry.groupPrimitives != 1)
      return refuse(program, "a mesh workgroup is one vertex and one primitive of its subgroup");
    return Error::success();
  }
  uint64_t threads = 1;
  for (uint64_t size : mesh.threads)
    threads = size > maxGroupVertices ? 0 : threads * size;
  if (threads != mesh.groupThreads)
    return refuse(program, "the mesh workgroup of " + Twine(mesh.groupThreads) +
                               " threads is not that of its dimensions");
  if (std::max(mesh.exportedVertices, mesh.exportedPrimitives) > maxGroupVertices)
    return refuse(program,
                  "export space of a mesh workgroup for more than " + Twine(maxGroupVertices));
  return Error::success();
}

/// User data that PAL must be able to write: its packets for task shaders name the registers.
Error checkTaskUserData(const LoadedProgram &program) {
  using abi::HardwareStage;
  constexpr std::pair<HardwareStage, uint32_t> needed[] = {
      {HardwareStage::Cs, abi::userdata::meshTaskDispatchDims},
      {HardwareStage::Cs, abi::userdata::meshTaskRingIndex},
      {HardwareStage::Gs, abi::userdata::meshTaskRingIndex}};
  for (auto [which, value] : needed) {
    const GraphicsStage *stage = program.graphics->stage(which);
    if (!is_contained(stage->data.launch.userDataRegMap, value))
      return refuse(program, "a task shader in front, but no register for " +
                                 abi::userdata::describe(value) + " in " +
                                 abi::hardwareStageKey(which));
  }
  return Error::success();
}

} // namespace

Error MeshStage::check(const LoadedProgram &program) {
  const GraphicsProgram &graphics = *program.graphics;
  const GraphicsStage *stage = graphics.stage(abi::HardwareStage::Gs);
  if (!stage || graphics.stage(abi::HardwareStage::Vs) || graphics.stage(abi::HardwareStage::Hs) ||
      !graphics.geometry.isNgg)
    return refuse(program, "the registers do not fit the hardware stages");
  const abi::GpuTarget &target = program.context->target;
  if (target.major == 10 && target.minor < 3)
    return refuse(program, "there are no mesh shaders on " + target.name);
  if (graphics.mesh.fastLaunch != (target.major == 11 ? 2 : 1))
    return refuse(program,
                  "fast launch mode " + Twine(graphics.mesh.fastLaunch) + " on " + target.name);
  if (graphics.mesh.scratchBytes > maxScratchBytes || graphics.mesh.scratchBytes % 4)
    return refuse(program, Twine(graphics.mesh.scratchBytes) + " bytes of mesh scratch");
  if (graphics.stage(abi::HardwareStage::Cs))
    KILN_TRY(checkTaskUserData(program));
  return checkThreads(program, *stage);
}

MeshStage::MeshStage(const GeometrySetup &setup, std::unique_ptr<TaskStage> tasks)
    : setup(setup), program(*setup.program.graphics),
      runner(this->setup, *program.stage(abi::HardwareStage::Gs), {}),
      port(program.vertex, runner.stage.data.generation),
      ring(this->setup, runner.stage.data.generation), scratch(this->setup),
      tasks(std::move(tasks)), values(setup.userData) {
  output.attributeCount = program.vertex.attributeCount;
  output.primitiveAttributeCount = program.vertex.primitiveAttributeCount;
  output.clipMask = program.vertex.clipMask;
  output.cullMask = program.vertex.cullMask;
}

Expected<std::unique_ptr<MeshStage>> MeshStage::create(const GeometrySetup &setup) {
  std::unique_ptr<TaskStage> tasks;
  if (setup.program.graphics->stage(abi::HardwareStage::Cs))
    tasks = KILN_TRY(TaskStage::create(setup));
  return std::unique_ptr<MeshStage>(new MeshStage(setup, std::move(tasks)));
}

Error MeshStage::fault(const Twine &what) const {
  return make_error<DeviceFault>(DeviceFault::Kind::BadInstruction,
                                 ("kernel '" + runner.stage.data.name + "', mesh workgroup " +
                                  Twine(groupNumber) + ": " + what)
                                     .str());
}

Error MeshStage::flush(Sink sink) {
  if (output.primitives.empty()) {
    output.clear();
    return Error::success();
  }
  Error error = sink(output);
  output.clear();
  return error;
}

//===--- What leaves -------------------------------------------------------===//

Error MeshStage::checkAllocation() {
  if (!port.hasAllocated)
    return fault("no wave has allocated export space");
  if (port.allocatedVertices > program.geometry.maxGroupVerticesOut)
    return fault(Twine(port.allocatedVertices) + " vertices leave, the limit is " +
                 Twine(program.geometry.maxGroupVerticesOut));
  std::string what;
  return port.close(what) ? Error::success() : fault(what);
}

/// HW: layer in bits 12:0, on gfx10.3 19:17; viewport in 23:20; rate in 31:28.
static void takePayload(uint32_t payload, bool isGfx103, PrimitiveOutput &primitive) {
  primitive.layer = isGfx103 ? payload >> 17 & 7 : payload & 0x1FFF;
  primitive.viewport = payload >> 20 & 0xF;
  primitive.shadingRate = payload >> 28;
  primitive.hasOwnLayer = primitive.hasOwnViewport = primitive.hasOwnRate = true;
}

Error MeshStage::appendPrimitive(size_t index) {
  const VertexPort::Primitive &exported = port.primitives[index];
  PrimitiveOutput primitive;
  primitive.vertexCount = uint8_t(program.geometry.verticesOut);
  primitive.provoking =
      setup.draw.raster.provokingVertexLast ? uint8_t(primitive.vertexCount - 1) : 0;
  auto base = uint32_t(output.vertices.size());
  for (unsigned i = 0; i < primitive.vertexCount; ++i) {
    uint16_t vertex = exported.vertices[i];
    if (vertex >= port.vertices.size() || !port.hasPosition[vertex])
      return fault("primitive " + Twine(index) + " has vertex " + Twine(vertex) +
                   ", which has no position");
    primitive.vertices[i] = base + vertex;
  }
  if (program.mesh.hasPayload)
    takePayload(exported.payload, !hasRows(runner.stage), primitive);
  output.primitives.push_back(primitive);
  ++meshPrimitives;
  return Error::success();
}

Error MeshStage::appendPrimitives() {
  unsigned attributes = program.vertex.primitiveAttributeCount;
  for (size_t index = 0; index < port.primitives.size(); ++index) {
    if (!port.primitives[index].exported)
      return fault("primitive " + Twine(index) + " was not exported");
    if (port.primitives[index].culled)
      continue;
    KILN_TRY(appendPrimitive(index));
    ring.appendPrimitive(groupNumber, index, output);
    if (!port.primitiveAttributes.empty()) {
      auto first = port.primitiveAttributes.begin() + ptrdiff_t(index * attributes);
      output.primitiveAttributes.insert(output.primitiveAttributes.end(), first,
                                        first + attributes);
    }
  }
  return Error::success();
}

//===--- Workgroups --------------------------------------------------------===//

Error MeshStage::runGroup(const MeshGroup &group) {
  const WaveLaunch &stage = runner.stage.data.launch;
  uint32_t lanes = meshLanes(program, runner.stage.data.generation);
  StageLaunch launch;
  launch.waves = (lanes + stage.waveSize - 1) / stage.waveSize;
  launch.ldsBytes = stage.ldsBytes;
  launch.port = &port;
  launch.number = groupNumber;
  auto fill = [&](Wave &wave, unsigned index) { group.fill(wave, index); };
  launch.fill = fill;
  auto describe = [&](unsigned, unsigned) {
    DrawInvocation invocation;
    invocation.workgroup = group.id;
    return invocation;
  };
  launch.describe = describe;
  uint32_t vertices = lanes, primitives = lanes;
  if (hasRows(runner.stage)) {
    vertices = program.mesh.exportedVertices;
    primitives = program.mesh.exportedPrimitives;
  }
  port.beginMesh(vertices, primitives);
  ring.clear(groupNumber, std::max(vertices, primitives));
  scratch.begin(groupNumber);
  KILN_TRY(runner.launch(launch));
  if (std::optional<size_t> at = scratch.strayByte(groupNumber))
    return fault("writes byte " + Twine(*at) + " of the scratch ring, which is not its own");
  KILN_TRY(checkAllocation());
  KILN_TRY(appendPrimitives());
  output.vertices.insert(output.vertices.end(), port.vertices.begin(), port.vertices.end());
  output.attributes.insert(output.attributes.end(), port.attributes.begin(), port.attributes.end());
  ring.append(groupNumber, port.allocatedVertices, output);
  meshInvocations += lanes;
  return Error::success();
}

Error MeshStage::runLaunch(const std::array<uint32_t, 3> &groups, Sink sink) {
  uint64_t total = KILN_TRY(totalOf(setup.program, groups, "mesh"));
  values.groups = groups;
  std::vector<uint32_t> sgprs = KILN_TRY(resolveUserData(runner.stage.data, values));
  for (uint64_t flat = 0; flat < total; ++flat) {
    MeshGroup group{.program = program,
                    .userSgprs = sgprs,
                    .number = groupNumber,
                    .id = idOf(flat, groups),
                    .flatId = uint32_t(flat),
                    .attributeRingBase = ring.base(groupNumber)};
    KILN_TRY(runGroup(group));
    ++groupNumber;
    if (output.vertices.size() < batchVertices)
      continue;
    KILN_TRY(flush(sink));
  }
  return Error::success();
}

Error MeshStage::runTasks(Sink sink) {
  const std::array<uint32_t, 3> &groups = setup.draw.groups;
  uint64_t total = KILN_TRY(totalOf(setup.program, groups, "task"));
  for (uint64_t flat = 0; flat < total; ++flat) {
    auto number = uint32_t(flat);
    std::array<uint32_t, 3> launched = KILN_TRY(tasks->run(idOf(flat, groups), number));
    taskInvocations += tasks->invocationsPerGroup();
    values.ringIndex = TaskStage::ringIndex(number);
    KILN_TRY(runLaunch(launched, sink));
  }
  return Error::success();
}

void MeshStage::takeCounts() {
  if (hasRows(runner.stage))
    return;
  const uint8_t *counts = meshStatisticsOf(*setup.tables);
  meshInvocations = support::endian::read64le(counts);
  meshPrimitives = support::endian::read64le(counts + 8);
  taskInvocations = support::endian::read64le(counts + 16);
}

Error MeshStage::run(Sink sink) {
  KILN_TRY(tasks ? runTasks(sink) : runLaunch(setup.draw.groups, sink));
  takeCounts();
  return flush(sink);
}

} // namespace pal::device
