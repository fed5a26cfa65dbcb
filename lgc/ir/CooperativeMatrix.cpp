//===- CooperativeMatrix.cpp - where the lanes of a wave have a matrix ----===//
// SPDX-License-Identifier: MIT
#include "lgc/CooperativeMatrix.h"
#include "lgc/Shader.h"
#include "pal_shim/abi/TargetInfo.h"

namespace lgc {

MatrixLayout matrixLayout(uint32_t gfxMajor, uint32_t waveSize, MatrixUse use) {
  using First = MatrixLayout::First;
  MatrixLayout layout;
  const uint32_t part = matrixSide * matrixSide / waveSize;
  if (gfxMajor >= 12) {
    layout.components = part;
    layout.first = First::Block;
  } else if (use != MatrixUse::Accumulator) {
    layout.components = matrixSide;
    layout.rotates = use == MatrixUse::A && !hasMatrixInstructions(gfxMajor);
  } else {
    layout.components = part;
    const bool interleaves = hasMatrixInstructions(gfxMajor);
    layout.first = interleaves ? First::Group : First::Block;
    layout.step = interleaves ? waveSize / matrixSide : 1;
  }
  return layout;
}

MatrixLayout matrixLayout(const PipelineState &state, MatrixUse use) {
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
  return matrixLayout(target ? target->major : 0,
                      chooseWaveSize(state, pal::abi::HardwareStage::Cs), use);
}

} // namespace lgc
