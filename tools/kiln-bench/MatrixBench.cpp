//===- MatrixBench.cpp - code of shaders of machine learning --------------===//
// SPDX-License-Identifier: MIT
#include "MatrixBench.h"
#include "MatrixKernels.h"
#include "Timing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace bench {

bool isOfMachineLearning(StringRef name) {
  return name.starts_with("ggml/") || name.starts_with("ncnn/") || name.starts_with("uvkcompute/");
}

bool addMatrixKernels(std::vector<Shader> &shaders, const std::string &work) {
  for (const MatrixKernel &kernel : matrixKernels()) {
    Shader shader;
    shader.name = formatv("{0} steps: {1}", kernel.steps, kernel.name).str();
    shader.spirvFile = formatv("{0}/matrices-{1}.spv", work, shaders.size()).str();
    const auto *bytes = reinterpret_cast<const uint8_t *>(kernel.words.data());
    shader.spirv.assign(bytes, bytes + 4 * kernel.words.size());
    std::error_code error;
    raw_fd_ostream file(shader.spirvFile, error);
    if (error)
      return false;
    file << toStringRef(shader.spirv);
    shaders.push_back(std::move(shader));
  }
  return true;
}

static double ratio(const Shader &shader) {
  const bool isComparable = shader.peer && shader.peer->instructions;
  return isComparable ? double(shader.statistics.instructions) / shader.peer->instructions : 0;
}

static void printSteps(ArrayRef<Shader> kernels) {
  const std::vector<MatrixKernel> of = matrixKernels();
  outs() << formatv("{0,-52} {1,12} {2,7} {3,6} {4,6}\n", "a step of", "instructions", "peer",
                    "VGPRs", "peer");
  for (size_t i = 0; i + 1 < kernels.size(); i += 2) {
    const Shader &few = kernels[i], &many = kernels[i + 1];
    const double steps = of[i + 1].steps - of[i].steps;
    const bool havePeer = few.peer && many.peer;
    const double ours = double(many.statistics.instructions) - few.statistics.instructions;
    const double theirs = havePeer ? double(many.peer->instructions) - few.peer->instructions : 0;
    outs() << formatv("{0,-52} {1,12:f1} {2,7:f1} {3,6} {4,6}\n", of[i].name, ours / steps,
                      theirs / steps, many.statistics.vgprs, havePeer ? many.peer->vgprs : 0);
  }
}

void printMatrices(ArrayRef<Shader> shaders) {
  const ArrayRef<Shader> kernels = shaders.take_back(matrixKernels().size());
  std::vector<const Shader *> rows;
  for (const Shader &shader : shaders.drop_back(kernels.size()))
    rows.push_back(&shader);
  sort(rows, [](const Shader *a, const Shader *b) { return ratio(*a) > ratio(*b); });
  outs() << formatv("{0,-52} {1,12} {2,7} {3,6} {4,6} {5,6}\n", "shader", "instructions", "peer",
                    "ratio", "VGPRs", "peer");
  std::vector<double> ratios;
  for (const Shader *shader : rows) {
    outs() << formatv("{0,-52} {1,12} {2,7} {3,6:f2} {4,6} {5,6}\n", shader->name,
                      shader->statistics.instructions,
                      shader->peer ? shader->peer->instructions : 0, ratio(*shader),
                      shader->statistics.vgprs, shader->peer ? shader->peer->vgprs : 0);
    if (ratio(*shader) > 0)
      ratios.push_back(ratio(*shader));
  }
  if (!ratios.empty())
    outs() << formatv("instructions against the peer's: {0:f3}x geometric mean of {1}, median "
                      "{2:f3}x\n",
                      geometricMean(ratios), ratios.size(), median(ratios));
  printSteps(kernels);
}

} // namespace bench
