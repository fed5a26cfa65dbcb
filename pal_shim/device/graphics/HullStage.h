//===- HullStage.h - patches to tessellation levels ------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Runs vertex and control shaders of patches, a group of waves at a time (HullWave.h), and reads
/// the levels that they wrote for the tessellator. What they leave for the evaluation shader stays
/// in the off-chip ring until the group after the next one.
#pragma once

#include "pal_shim/device/graphics/HullWave.h"
#include "pal_shim/device/graphics/StageRunner.h"

namespace pal::device {

class HullStage {
public:
  struct Patch {
    uint32_t id = 0; ///< in its instance
    TessellationLevels levels;
  };

  /// Errors: DeviceFault BadLaunch, as modeOf, for patches of another size than the program's, and
  /// for user data that the device does not have.
  static llvm::Expected<std::unique_ptr<HullStage>> create(const GeometrySetup &setup);

  /// Runs patches from number \p first on, up to \p last or until the group is full. Patch n is
  /// number n % count of instance n / count, the count being that of the input assembler. Returns
  /// the number after the last one that ran. Errors: DeviceFault; a patch without levels is one.
  llvm::Expected<uint64_t> run(uint64_t first, uint64_t last);

  /// Of the latest group; the patch in the group is the index.
  llvm::ArrayRef<Patch> patches() const { return groupPatches; }
  /// Where the latest group's part of the off-chip ring begins, bytes.
  uint32_t offChipBase() const { return latest % tessellationGroups * offChipBytes; }

  const TessellationMode mode;
  uint64_t vertexInvocations = 0, controlPatches = 0; ///< so far

private:
  HullStage(const GeometrySetup &setup, const HullRegisters &registers,
            const TessellationMode &mode, std::vector<uint32_t> userSgprs);
  uint32_t *factors() const;
  llvm::Error launch(llvm::ArrayRef<VertexGroup::Vertex> vertices);
  llvm::Error readLevels();

  const GeometrySetup setup;
  const HullRegisters registers;
  StageRunner runner;
  std::vector<Patch> groupPatches;
  uint32_t latest = 0, next = 0; ///< number of a group
};

} // namespace pal::device
