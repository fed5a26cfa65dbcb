//===- MatrixBench.h - code of shaders of machine learning ----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "BenchShader.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace bench {

/// Is a shader of the corpus one that --matrices looks at?
bool isOfMachineLearning(llvm::StringRef name);
/// Appends the modules of MatrixKernels.h, with files in the folder \p work. False: one could not
/// be written.
bool addMatrixKernels(std::vector<Shader> &shaders, const std::string &work);
/// Instructions and registers of shaders of which the last are those kernels, beside the peer's:
/// the worst first, then what a step of a kernel costs.
void printMatrices(llvm::ArrayRef<Shader> shaders);

} // namespace bench
