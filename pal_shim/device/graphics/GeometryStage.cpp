//===- GeometryStage.cpp - which way a program goes to the rasteriser ------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/GeometryStage.h"
#include "pal_shim/abi/AbiNames.h"

using namespace llvm;

namespace pal::device {

namespace key = abi::key;

GeometryStage::~GeometryStage() = default;

/// The stage that this device cannot execute, or nothing.
static StringRef unsupportedStage(const GraphicsProgram &program) {
  auto enabled = [&](StringRef name) {
    return program.metadata.graphicsNumber({key::vgtShaderStagesEn, name}).value_or(0) != 0;
  };
  auto isSet = [&](StringRef name) {
    return program.metadata.graphicsNumber({name}).value_or(0) != 0;
  };
  if (program.stage(abi::HardwareStage::Cs))
    return "task";
  if (enabled(key::gsFastLaunch))
    return "mesh";
  if (program.stage(abi::HardwareStage::Hs) || enabled(key::hsStageEn))
    return "tessellation";
  bool hasCopyShader =
      program.stage(abi::HardwareStage::Gs) && program.stage(abi::HardwareStage::Vs);
  if (enabled(key::gsStageEn) || hasCopyShader)
    return "geometry";
  if (isSet(key::vsStreamoutEn))
    return "stream-out";
  return "";
}

Expected<std::unique_ptr<GeometryStage>> GeometryStage::create(const GeometrySetup &setup) {
  const GraphicsProgram &program = *setup.program.graphics;
  auto refuse = [&](const Twine &message) {
    return make_error<DeviceFault>(DeviceFault::Kind::BadLaunch,
                                   ("program '" + setup.program.name() + "': " + message).str());
  };
  if (StringRef stage = unsupportedStage(program); !stage.empty())
    return refuse("the " + stage + " stage is not executed");
  if (setup.draw.input.topology == PrimitiveTopology::PatchList)
    return refuse("patches need a tessellation stage");
  if (program.stage(abi::HardwareStage::Vs))
    return createLegacyVertexStage(setup);
  if (program.stage(abi::HardwareStage::Gs))
    return createNggVertexStage(setup);
  return refuse("no stage makes vertices");
}

} // namespace pal::device
