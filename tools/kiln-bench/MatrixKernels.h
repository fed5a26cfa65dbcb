//===- MatrixKernels.h - products of large matrices -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What applications do with cooperative matrices, without the rest: a subgroup has 2 x 2 sums of
/// 16 x 16, and each step loads two matrices of each factor and multiplies them all.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

struct MatrixKernel {
  std::string name; ///< of the types
  unsigned steps;   ///< one after the other, without a loop
  std::vector<uint32_t> words;
};

/// Each with few steps and with twice as many, in this order, so that the difference tells what a
/// step costs. The factors lie as they are read best: rows of the first, columns of the second.
std::vector<MatrixKernel> matrixKernels();

} // namespace bench
