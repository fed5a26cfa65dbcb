//===- PairSample.h - a generated scene for two shaders -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Makes a draw out of nothing but a vertex and a fragment shader: a mesh over the whole picture
/// in attributes of the types that the vertex shader reads, resources of both (SampleResources.h,
/// with matrices close to the identity so that most of the mesh stays in view), a colour attachment
/// for each output of the fragment shader and a depth buffer. State is the plainest: one sample,
/// no blending, no culling, depth test less or equal. A geometry shader between them decides about
/// the topology; attachments have layers, and there are viewports, if it chooses among them. With
/// tessellation shaders the mesh's cells are patches, of as many points as the control shader
/// makes.
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

/// Errors: a module that cannot be read, or an interface that this does not know how to feed.
/// The sample's resources are those of the shaders; what it is judged by are the attachments.
llvm::Expected<Sample> makePairSample(const PairInput &input, uint64_t seed);

} // namespace exec
