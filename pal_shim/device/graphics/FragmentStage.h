//===- FragmentStage.h - quads to fragment shader waves to pixels ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Packs quads into waves of the hardware's PS stage, starts them with the registers that the
/// metadata asks for (SPI_PS_INPUT_ENA and _ADDR), serves parameter loads, collects exports, and
/// sends what comes out through the output merger in the order of the API. Early tests happen when
/// a quad arrives, late ones when it is merged (DB_SHADER_CONTROL).
#pragma once

#include "pal_shim/device/core/Dispatch.h"
#include "pal_shim/device/core/GraphicsProgram.h"
#include "pal_shim/device/graphics/OutputMerger.h"
#include "pal_shim/device/graphics/Raster.h"

namespace pal::device {

class FragmentStage {
public:
  /// \p geometry: what the RasterPrimitives of add() refer to until the next flush().
  FragmentStage(DispatchContext &context, const LoadedProgram &program, const DrawInfo &draw,
                const OutputMerger &merger, std::shared_ptr<const RegionTable> memory);
  ~FragmentStage();

  /// What add() refers to from now on. Nothing may be pending.
  void setGeometry(const GeometryOutput &geometry);
  /// What the user SGPRs of the PS stage hold, in order, and the region of tables that they point
  /// into; null: none. Nothing may be pending.
  void setUserData(std::vector<uint32_t> sgprs, std::shared_ptr<const Region> tables);
  /// Tests (early, if that is the program's way) and keeps for flush(). Trouble is reported there.
  void add(const RasterPrimitive &primitive, const RasterQuad &quad);
  /// Shades and merges all that was added. Errors: DeviceFault.
  llvm::Error flush();
  /// Fragment invocations and samples passed so far.
  void addCounts(DrawStatistics &statistics) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace pal::device
