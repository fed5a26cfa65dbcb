//===- GeometryStage.cpp - which way a program goes to the rasteriser ------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/GeometryStage.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace pal::device {

namespace key = abi::key;

GeometryStage::~GeometryStage() = default;

static bool isEnabled(const GraphicsProgram &program, StringRef name) {
  return program.metadata.graphicsNumber({key::vgtShaderStagesEn, name}).value_or(0) != 0;
}

namespace {

/// HW(gfx10, gfx11): of VGT_GS_INSTANCE_CNT; fewer on gfx12.
constexpr unsigned maxInvocations = 127;

/// A way from vertices to the rasteriser: what a program must have for it, and who executes it.
struct Way {
  bool isTessellated, isGeometryShader, hasGs, hasVs;
  Expected<std::unique_ptr<GeometryStage>> (*create)(const GeometrySetup &setup);
};
constexpr Way ways[] = {
    {false, false, false, true, createLegacyVertexStage},
    {false, false, true, false, createNggVertexStage},
    {false, true, true, true, createLegacyGeometryStage},
    {false, true, true, false, createNggGeometryStage},
    {true, false, false, true, createLegacyEvaluationStage},
    {true, false, true, false, createNggVertexStage},
    {true, true, true, true, createLegacyGeometryStage},
    {true, true, true, false, createNggGeometryStage},
};

const Way *wayOf(const GraphicsProgram &program) {
  bool hasGs = program.stage(abi::HardwareStage::Gs), hasVs = program.stage(abi::HardwareStage::Vs);
  bool hasHs = program.stage(abi::HardwareStage::Hs);
  const Way *way = find_if(ways, [&](const Way &candidate) {
    return candidate.isTessellated == hasHs &&
           candidate.isGeometryShader == program.geometry.isGeometryShader &&
           candidate.hasGs == hasGs && candidate.hasVs == hasVs;
  });
  // A hardware GS alone is a primitive shader.
  bool isLegacy = hasGs && !hasVs && !program.geometry.isNgg;
  bool lacksHull = !hasHs && isEnabled(program, key::hsStageEn);
  return way == std::end(ways) || isLegacy || lacksHull ? nullptr : way;
}

} // namespace

Error GeometryStage::check(const LoadedProgram &program, const DrawInfo &draw) {
  const GraphicsProgram &graphics = *program.graphics;
  auto refuse = [&](const Twine &message) {
    return make_error<DeviceFault>(DeviceFault::Kind::BadLaunch,
                                   ("program '" + program.name() + "': " + message).str());
  };
  if (graphics.mesh.fastLaunch)
    return refuse("its workgroups have no vertices");
  if (graphics.stage(abi::HardwareStage::Cs))
    return refuse("a task shader without a mesh shader");
  if (draw.input.topology == PrimitiveTopology::PatchList &&
      !graphics.stage(abi::HardwareStage::Hs))
    return refuse("patches need a tessellation stage");
  if (!graphics.stage(abi::HardwareStage::Vs) && !graphics.stage(abi::HardwareStage::Gs))
    return refuse("no stage makes vertices");
  if (!wayOf(graphics))
    return refuse("the registers do not fit the hardware stages");
  if (graphics.geometry.invocations > maxInvocations)
    return refuse(Twine(graphics.geometry.invocations) +
                  " invocations of a geometry shader, the limit is " + Twine(maxInvocations));
  return Error::success();
}

Expected<std::unique_ptr<GeometryStage>> GeometryStage::create(const GeometrySetup &setup) {
  KILN_TRY(check(setup.program, setup.draw));
  return wayOf(*setup.program.graphics)->create(setup);
}

} // namespace pal::device
