//===- FragmentValues.h - hardware values and built-ins of fragment shaders ==//
// SPDX-License-Identifier: MIT
/// \file
/// Makes the values that a fragment shader gets from hardware and driver: registers at entry,
/// barycentric coordinates, built-ins. Remembers what of it the PAL metadata must ask for.
#pragma once

#include "lgc/Interface.h"
#include "lgc/OpEnums.h"
#include "lgc/Pipeline.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/Error.h"
#include <map>

namespace pal::abi {
struct GpuTarget;
}

namespace lgc {

/// Vertices of the primitives that reach the rasteriser.
enum class RasterPrimitive : uint8_t { Points, Lines, Triangles, Dynamic };
RasterPrimitive rasterPrimitive(const GraphicsState &graphics);

class FragmentValues {
public:
  /// Values are made in the entry block, before the first instruction that is no alloca, each once.
  /// \p everySample: the shader asks to run for each sample, whatever the pipeline says.
  FragmentValues(llvm::Function &function, const PipelineState &state, bool everySample);

  llvm::Value *hw(HwValue value);
  /// Weights i, j of an interpolation. What depends on \p argument (AtOffset, AtSample) is made at
  /// \p b.
  llvm::Value *barycentric(llvm::IRBuilder<> &b, BaryMode mode, bool linear, llvm::Value *argument);
  /// The coordinates that belong to them, of the primitive's vertices in the order of the API.
  llvm::Expected<llvm::Value *> baryCoord(llvm::IRBuilder<> &at, BaryMode mode, bool linear,
                                          llvm::Value *argument);
  /// Null when it is no built-in of fragment shaders that is made here (PointCoord is an input).
  llvm::Expected<llvm::Value *> builtin(BuiltIn builtin);
  /// Words of a special user data value, i32.
  llvm::Value *specialUserData(uint32_t value);

  llvm::IRBuilder<> &entry() { return b; }
  const pal::abi::GpuTarget &gpu() const { return target; }

  const bool everySample;
  const bool perSample; ///< an invocation shades some of a pixel's samples
  bool readsSampleMask = false;
  bool readsFullyCovered = false;

private:
  struct Gradient {
    llvm::Value *base, *dx, *dy; ///< of pixel positions
  };
  llvm::Value *make(BuiltIn builtin);
  llvm::Value *field(HwValue value, unsigned lowestBit, unsigned bits);
  llvm::Value *centroid(bool linear);
  const Gradient &gradient(bool linear);
  llvm::Value *inFragments(llvm::IRBuilder<> &at, llvm::Value *pixels, unsigned rateBit);
  llvm::Value *atOffset(llvm::IRBuilder<> &at, bool linear, llvm::Value *offset);
  llvm::Value *samplePosition(llvm::IRBuilder<> &at, llvm::Value *sample);
  llvm::Value *sampleCount();
  llvm::Value *sampleMask();
  llvm::Value *fragCoord();
  llvm::Value *triangleCoord(llvm::IRBuilder<> &at, llvm::Value *i, llvm::Value *j, llvm::Value *k);
  llvm::Value *laneId();

  llvm::Function &function;
  const PipelineState &state;
  const pal::abi::GpuTarget &target;
  llvm::IRBuilder<> b;
  std::map<HwValue, llvm::Value *> hwCache;
  std::map<BuiltIn, llvm::Value *> builtinCache;
  std::map<uint32_t, llvm::Value *> userDataCache;
  std::map<bool, Gradient> gradients;
  std::map<bool, llvm::Value *> centroids;
};

} // namespace lgc
