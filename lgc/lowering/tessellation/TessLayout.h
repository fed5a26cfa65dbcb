//===- TessLayout.h - where tessellation keeps its data -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// One threadgroup of the hardware stage HS works on `patches` patches, or on fewer, where these
/// would have more than maxThreads vertices: the driver sees to it draw by draw where their number
/// of control points is dynamic, of which only the index of an input vertex depends then. Its
/// vertex half leaves what the control shader reads in LDS; the control shader leaves what the
/// evaluation shader reads in the off-chip buffer, and what other invocations read back, and the
/// tessellation levels, in LDS:
///
///   LDS, dwords      per input vertex    [inputRecords][inputStride]
///                    per output vertex   [patches * outputVertices][outputStride]
///                    per patch           [patches][patchStride]
///     A record is four dwords a slot plus one: odd strides keep the lanes of a wave, which access
///     the same slot of consecutive records, in different banks.
///   off-chip, bytes  per vertex  [vertex slots][patches * outputVertices][16]
///                    per patch   [patch slots][patches][16]
///     Slots outermost: the lanes of a wave store and load consecutive 16 bytes.
#pragma once

#include "lgc/Interface.h"
#include "lgc/Pipeline.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace llvm {
class CallInst;
class Function;
class Module;
class Value;
} // namespace llvm

namespace lgc {

/// What an input.load, output.load or output.store accesses.
struct SlotAccess {
  explicit SlotAccess(const llvm::CallInst &call);
  uint32_t slot;                  ///< the first one, constant elements included
  uint32_t slots;                 ///< that it may reach
  uint32_t component;             ///< the first one
  llvm::Value *element = nullptr; ///< null when constant
  llvm::Value *vertex = nullptr;  ///< null when absent
  llvm::Value *value = nullptr;   ///< of stores
};

/// Of tessellation shaders: Patch slots and the levels.
bool isPerPatchSlot(uint32_t slot);

/// A set of slots that are kept, in ascending order; neighbours have neighbouring positions.
class SlotSet {
public:
  void add(const SlotAccess &access);
  bool has(uint32_t slot) const;
  bool hasAny(const SlotAccess &access) const;
  /// Requires has(slot).
  unsigned position(uint32_t slot) const;
  unsigned size() const { return static_cast<unsigned>(slots.size()); }

private:
  llvm::SmallVector<uint32_t, 16> slots;
};

struct TessLayout {
  /// Bytes of the off-chip buffer that one threadgroup has. HW: the driver programs
  /// VGT_HS_OFFCHIP_PARAM with a granularity of 8 Ki dwords.
  static constexpr uint32_t offChipBytes = 32 * 1024;
  static constexpr uint32_t maxVertices = 32; ///< of a patch, maxTessellationPatchSize
  static constexpr uint32_t maxThreads = 256; ///< HW: of a threadgroup of HS

  uint32_t inputVertices = 0; ///< 0: dynamic, up to maxVertices
  uint32_t outputVertices = 0;
  uint32_t patches = 0; ///< per threadgroup, at most
  uint32_t waveSize = 0;
  bool outputsInWave = false; ///< all invocations of a patch are lanes of one wave
  bool inputsInWave = false;  ///< and their input vertices too

  SlotSet inputs;                        ///< in LDS
  SlotSet vertexReadBack, patchReadBack; ///< outputs in LDS
  SlotSet vertexOutputs, patchOutputs;   ///< outputs off-chip

  uint32_t inputStride() const { return recordStride(inputs); }
  uint32_t outputStride() const { return recordStride(vertexReadBack); }
  uint32_t patchStride() const { return recordStride(patchReadBack); }
  uint32_t inputRecords() const {
    return inputVertices ? patches * inputVertices : std::min(patches * maxVertices, maxThreads);
  }
  uint32_t outputStart() const { return inputRecords() * inputStride(); }
  uint32_t patchStart() const { return outputStart() + patches * outputVertices * outputStride(); }
  uint32_t ldsDwords() const { return patchStart() + patches * patchStride(); }
  uint32_t vertexSlotBytes() const { return patches * outputVertices * 16; }
  uint32_t patchSlotBytes() const { return patches * 16; }
  uint32_t patchSlotStart() const { return vertexOutputs.size() * vertexSlotBytes(); }
  uint32_t threads() const { return std::max(inputRecords(), patches * outputVertices); }

private:
  static uint32_t recordStride(const SlotSet &set) { return set.size() ? set.size() * 4 + 1 : 0; }
};

/// Looks at the shaders that the module has. A module without one of them is a part of a pipeline:
/// all that the shader before it stores is kept then. Errors: a state that Vulkan does not allow, a
/// patch that is larger than the hardware's buffers.
llvm::Expected<TessLayout> planTessellation(llvm::Module &module, const PipelineState &state);

} // namespace lgc
