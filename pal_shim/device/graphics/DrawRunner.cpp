//===- DrawRunner.cpp - one draw from vertices to surfaces -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// For each view: input assembly and geometry stage, or mesh stage, then rasteriser and fragment
/// stage, in batches of primitives, so that what lies between the stages stays small whatever the
/// draw. A batch is finished before the next begins, which keeps the order of the API.
#include "pal_shim/device/graphics/DrawRunner.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/Draw.h"
#include "pal_shim/device/graphics/FragmentStage.h"
#include "pal_shim/device/graphics/GeometryStage.h"
#include "pal_shim/device/graphics/MeshStage.h"
#include "pal_shim/device/graphics/OutputMerger.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace pal::device {

namespace {

/// Primitives whose vertices are kept at the same time; of those that geometry shaders or the
/// tessellator may make many of, fewer.
constexpr uint64_t batchPrimitives = 8192, batchAmplified = 512, batchPatches = 64;

class DrawRunner {
public:
  DrawRunner(DispatchContext &context, const LoadedProgram &program, const DrawInfo &draw,
             std::shared_ptr<const RegionTable> memory)
      : context(context), program(program), draw(draw), memory(std::move(memory)) {}

  Error run();

private:
  bool isMesh() const { return program.graphics->mesh.fastLaunch != 0; }
  Error runView(uint32_t view, const OutputMerger &merger);
  Error runGeometry(const GeometrySetup &setup, FragmentStage &fragments);
  Error runMeshes(const GeometrySetup &setup, FragmentStage &fragments);
  Error rasterizeBatch(const GeometryOutput &geometry, FragmentStage &fragments);

  DispatchContext &context;
  const LoadedProgram &program;
  const DrawInfo &draw;
  std::shared_ptr<const RegionTable> memory;
  InputAssembler input;
  RasterCounts rasterCounts;
  DrawStatistics counts;
};

Error DrawRunner::rasterizeBatch(const GeometryOutput &geometry, FragmentStage &fragments) {
  if (draw.raster.rasterizerDiscard)
    return Error::success();
  fragments.setGeometry(geometry);
  auto sink = [&](const RasterPrimitive &primitive, const RasterQuad &quad) {
    fragments.add(primitive, quad);
  };
  KILN_TRY(rasterize(geometry, draw.raster, draw.targets.depth.format, sink, rasterCounts));
  return fragments.flush();
}

Error DrawRunner::runGeometry(const GeometrySetup &setup, FragmentStage &fragments) {
  std::unique_ptr<GeometryStage> geometry = KILN_TRY(GeometryStage::create(setup));
  uint64_t total = input.primitives() * draw.range.instanceCount;
  GeometryOutput output;
  uint64_t batch = program.graphics->stage(abi::HardwareStage::Hs) ? batchPatches
                   : program.graphics->geometry.isGeometryShader   ? batchAmplified
                                                                   : batchPrimitives;
  for (uint64_t first = 0; first < total; first += batch) {
    output.clear();
    KILN_TRY(geometry->run(first, std::min(first + batch, total), output));
    KILN_TRY(rasterizeBatch(output, fragments));
  }
  setup.streamOut->finish(counts);
  counts.inputVertices += input.vertices() * draw.range.instanceCount;
  counts.inputPrimitives += total;
  counts.vertexInvocations += geometry->vertexInvocations;
  counts.geometryInvocations += geometry->geometryInvocations;
  counts.geometryPrimitives += geometry->geometryPrimitives;
  counts.tessControlPatches += geometry->controlPatches;
  counts.tessEvaluationInvocations += geometry->evaluationInvocations;
  return Error::success();
}

Error DrawRunner::runMeshes(const GeometrySetup &setup, FragmentStage &fragments) {
  std::unique_ptr<MeshStage> meshes = KILN_TRY(MeshStage::create(setup));
  auto sink = [&](const GeometryOutput &output) { return rasterizeBatch(output, fragments); };
  KILN_TRY(meshes->run(sink));
  counts.taskInvocations += meshes->taskInvocations;
  counts.meshInvocations += meshes->meshInvocations;
  counts.meshPrimitives += meshes->meshPrimitives;
  return Error::success();
}

/// Rings have no initial content either. What a stage expects there before its first wave it writes
/// itself.
void poisonRings(const Region &tables) {
  for (uint64_t at = attributeRingAddress() - tables.address; at < tables.size; at += 4)
    support::endian::write32le(tables.host + at, poisonPattern);
}

Error DrawRunner::runView(uint32_t view, const OutputMerger &merger) {
  UserDataValues values = drawUserData(program, draw, view);
  std::shared_ptr<const Region> tables = makeTables(program.context->target, values);
  if (context.options.poison)
    poisonRings(*tables);
  StreamOutUnit streamOut(program, draw, *tables);
  GeometrySetup setup{context, program, draw, memory, tables, input, values, &streamOut};
  FragmentStage fragments(context, program, draw, merger, memory);
  if (const GraphicsStage *stage = program.graphics->stage(abi::HardwareStage::Ps)) {
    std::vector<uint32_t> sgprs = KILN_TRY(resolveUserData(stage->data, values));
    fragments.setUserData(std::move(sgprs), tables);
  }
  KILN_TRY(isMesh() ? runMeshes(setup, fragments) : runGeometry(setup, fragments));
  fragments.addCounts(counts);
  return Error::success();
}

Error DrawRunner::run() {
  KILN_TRY(checkDraw(draw));
  KILN_TRY(isMesh() ? MeshStage::check(program) : GeometryStage::check(program, draw));
  MemoryView view(memory);
  if (!isMesh()) {
    Expected<InputAssembler> assembler =
        InputAssembler::create(draw.input, draw.range, draw.raster.provokingVertexLast, view);
    if (!assembler)
      return assembler.takeError();
    input = std::move(*assembler);
  }
  OutputMerger merger = KILN_TRY(OutputMerger::create(draw, view));
  // Without multiview there is one view, number 0.
  for (uint32_t views = draw.viewMask ? draw.viewMask : 1; views; views &= views - 1)
    KILN_TRY(runView(uint32_t(llvm::countr_zero(views)), merger));
  counts.clippingInvocations += rasterCounts.clippingInvocations;
  counts.clippingPrimitives += rasterCounts.clippingPrimitives;
  if (draw.statistics) {
    DrawStatistics &to = *draw.statistics;
    to.inputVertices += counts.inputVertices;
    to.inputPrimitives += counts.inputPrimitives;
    to.vertexInvocations += counts.vertexInvocations;
    to.geometryInvocations += counts.geometryInvocations;
    to.tessControlPatches += counts.tessControlPatches;
    to.tessEvaluationInvocations += counts.tessEvaluationInvocations;
    to.geometryPrimitives += counts.geometryPrimitives;
    to.clippingInvocations += counts.clippingInvocations;
    to.clippingPrimitives += counts.clippingPrimitives;
    to.fragmentInvocations += counts.fragmentInvocations;
    to.taskInvocations += counts.taskInvocations;
    to.meshInvocations += counts.meshInvocations;
    to.meshPrimitives += counts.meshPrimitives;
    to.samplesPassed += counts.samplesPassed;
    for (unsigned i = 0; i < vertexStreams; ++i) {
      to.primitivesGenerated[i] += counts.primitivesGenerated[i];
      to.primitivesNeeded[i] += counts.primitivesNeeded[i];
      to.primitivesWritten[i] += counts.primitivesWritten[i];
    }
  }
  return Error::success();
}

} // namespace

Error runDraw(DispatchContext &context, const LoadedProgram &program, const DrawInfo &draw,
              std::shared_ptr<const RegionTable> memory) {
  return DrawRunner(context, program, draw, std::move(memory)).run();
}

} // namespace pal::device
