//===- PairSample.h - a generated scene for shader files ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Shaders of files, to be drawn with as SceneSample.h has it.
#pragma once

#include "Sample.h"

namespace exec {

/// VS+FS, VS+GS+FS, VS+TCS+TES+FS, MS+FS, TS+MS+FS or, without a fragment shader, VS+GS+ and MS+;
/// each as SampleInput has it. Files of task and mesh shaders are named so: FILE.mesh,
/// FILE.mesh.spv. 4x:VS+FS draws with four samples and blends, and what counts is the resolved
/// picture.
struct PairInput {
  std::string text; ///< as written
  bool isMultisampled = false;
  std::optional<SampleInput> vertex, control, evaluation, geometry, task, mesh, fragment;
};
llvm::Expected<PairInput> parsePairInput(llvm::StringRef text);

/// Errors: as makeSceneSample(), and modules that cannot be read.
llvm::Expected<Sample> makePairSample(const PairInput &input, uint64_t seed);

} // namespace exec
