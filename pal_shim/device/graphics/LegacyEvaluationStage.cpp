//===- LegacyEvaluationStage.cpp - evaluation shaders of gfx10, no NGG -----===//
// SPDX-License-Identifier: MIT
/// \file
/// Groups of patches run their vertex and control shaders (HullStage.h). Then the evaluation
/// shader, a hardware VS, has a lane for each point that the tessellator makes of a patch; the
/// hardware puts the primitives together. Registers at the start (docs/hw-notes.md, "What graphics
/// waves start with"):
///   s0 ..       user data, then the words of stream-out (a 0 without it), where the group's part
///   of
///               the off-chip ring begins, the scratch offset
///   v0 .. v3    u, v, patch in the group, patch id, as `.vs_vgpr_comp_cnt` loads
///   EXEC        lanes that have a point
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/graphics/HullStage.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace pal::device {

namespace {

class LegacyEvaluationStage : public GeometryStage {
public:
  LegacyEvaluationStage(const GeometrySetup &setup, std::unique_ptr<HullStage> hull,
                        std::vector<uint32_t> userSgprs)
      : setup(setup), registers(setup.program.graphics->vertex), hull(std::move(hull)),
        evaluation(this->setup, std::move(userSgprs), /*isEvaluation=*/true) {}
  Error run(uint64_t first, uint64_t last, GeometryOutput &output) override;

private:
  Error runPatch(uint32_t number, GeometryOutput &output);
  Error runEvaluation(ArrayRef<VertexLane> points, GeometryOutput &output);

  const GeometrySetup setup;
  const VertexRegisters &registers;
  std::unique_ptr<HullStage> hull;
  LastVertexStage evaluation;
  TessellatedPatch patch;
};

/// \p points: a lane for each. HW: with stream-out each primitive has vertices of its own.
Error LegacyEvaluationStage::runEvaluation(ArrayRef<VertexLane> points, GeometryOutput &output) {
  if (!setup.streamOut->isHardware()) {
    constexpr uint32_t streamOutWord = 0;
    evaluationInvocations += points.size();
    return evaluation.run(points, {streamOutWord, hull->offChipBase()}, output);
  }
  std::vector<VertexLane> lanes;
  for (uint32_t index : patch.indices)
    lanes.push_back(points[index]);
  evaluationInvocations += lanes.size();
  return evaluation.runStreamOut(0, patch.verticesPerPrimitive, lanes, hull->offChipBase(),
                                 &output);
}

Error LegacyEvaluationStage::runPatch(uint32_t number, GeometryOutput &output) {
  const HullStage::Patch &source = hull->patches()[number];
  tessellate(hull->mode, source.levels, patch);
  auto base = uint32_t(output.vertices.size());
  std::vector<VertexLane> lanes;
  for (DomainPoint point : patch.points) {
    auto [u, v] = point.coordinates();
    lanes.push_back({llvm::bit_cast<uint32_t>(u), llvm::bit_cast<uint32_t>(v), number, source.id});
  }
  KILN_TRY(runEvaluation(lanes, output));
  PrimitiveOutput primitive;
  primitive.vertexCount = uint8_t(patch.verticesPerPrimitive);
  primitive.provoking =
      setup.draw.raster.provokingVertexLast ? uint8_t(primitive.vertexCount - 1) : 0;
  primitive.primitiveId = source.id;
  bool isShared = !setup.streamOut->isHardware();
  for (size_t first = 0; first < patch.indices.size(); first += primitive.vertexCount) {
    for (unsigned corner = 0; corner < primitive.vertexCount; ++corner)
      primitive.vertices[corner] =
          base + (isShared ? patch.indices[first + corner] : uint32_t(first + corner));
    output.primitives.push_back(primitive);
  }
  setup.streamOut->count(0, patch.count());
  return Error::success();
}

Error LegacyEvaluationStage::run(uint64_t first, uint64_t last, GeometryOutput &output) {
  output.attributeCount = registers.attributeCount;
  output.clipMask = registers.clipMask;
  output.cullMask = registers.cullMask;
  while (first < last) {
    uint64_t done = KILN_TRY(hull->run(first, last));
    first = done;
    for (uint32_t number = 0; number < hull->patches().size(); ++number)
      KILN_TRY(runPatch(number, output));
  }
  vertexInvocations = hull->vertexInvocations;
  controlPatches = hull->controlPatches;
  return Error::success();
}

} // namespace

Expected<std::unique_ptr<GeometryStage>> createLegacyEvaluationStage(const GeometrySetup &setup) {
  std::unique_ptr<HullStage> hull = KILN_TRY(HullStage::create(setup));
  const GraphicsStage &stage = *setup.program.graphics->stage(abi::HardwareStage::Vs);
  std::vector<uint32_t> sgprs = KILN_TRY(resolveUserData(stage.data, setup.userData));
  return std::unique_ptr<GeometryStage>(
      new LegacyEvaluationStage(setup, std::move(hull), std::move(sgprs)));
}

} // namespace pal::device
