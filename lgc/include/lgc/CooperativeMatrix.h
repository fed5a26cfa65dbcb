//===- CooperativeMatrix.h - where the lanes of a wave have a matrix ------===//
// SPDX-License-Identifier: MIT
/// \file
/// A matrix, or a tile, of 16 x 16 components lies across a wave: each lane has some of its
/// components, as a vector. Which ones is what the target's matrix instructions want; where there
/// are none, what their replacement wants (lgc/lowering/arithmetic/LowerMatrices.cpp).
#pragma once

#include "lgc/Pipeline.h"

namespace lgc {

/// What a matrix is in A x B + C; numbers are those of SPIR-V's CooperativeMatrixUse.
enum class MatrixUse : uint32_t { A, B, Accumulator };

inline constexpr uint32_t matrixSide = 16;
/// Of a matrix of several tiles of that side (llpc/translate/CooperativeMatrix.h), which the driver
/// tells applications, too.
inline constexpr uint32_t maxMatrixSide = 256;
/// Invocations of a workgroup that has matrices together, and the shared memory that these may
/// need: a tile of 32-bit components for each wave of 32.
inline constexpr uint32_t maxMatrixInvocations = 256;
inline constexpr uint32_t maxMatrixMemoryBytes =
    maxMatrixInvocations / 32 * matrixSide * matrixSide * 4;

/// Component i of lane l lies at
///     inner = (l % 16 + (rotates ? first : 0)) % 16,  outer = first + i * step.
/// A has `inner` as row and `outer` as column, B and accumulators the other way.
struct MatrixLayout {
  uint32_t components = 0; ///< of each lane
  uint32_t step = 1;
  enum class First : uint8_t {
    Zero,  ///< each 16 lanes have all of the matrix
    Group, ///< l / 16
    Block, ///< (l & 16) / 2 + (l & 32) / 8
  } first = First::Zero;
  bool rotates = false; ///< inner begins at what Block would say
};

/// Sources: docs/hw-notes.md#matrices.
MatrixLayout matrixLayout(uint32_t gfxMajor, uint32_t waveSize, MatrixUse use);
/// Of the compute shader of \p state, whose target, options and workgroup size are set.
MatrixLayout matrixLayout(const PipelineState &state, MatrixUse use);

/// Does the target have instructions that multiply matrices?
inline bool hasMatrixInstructions(uint32_t gfxMajor) { return gfxMajor >= 11; }

} // namespace lgc
