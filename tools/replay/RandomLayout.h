//===- RandomLayout.h - other layouts for the same shaders ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What a shader was captured with is one of many layouts that fit it. This makes another: sets and
/// bindings that it does not use, more array elements, push constant ranges that reach further, and
/// with some probability dynamic buffers instead of plain ones. What a shader names keeps its
/// number.
#pragma once

#include "Capture.h"

namespace replay {

struct RandomLayoutOptions {
  double dynamicBuffers = 0; ///< probability that a layout has its plain buffers dynamic
};

/// Deterministic in the seed. The result has no hashes and refers to \p layout's samplers' chains.
PipelineLayoutDesc randomiseLayout(const PipelineLayoutDesc &layout, uint64_t seed,
                                   const RandomLayoutOptions &options = {});

} // namespace replay
