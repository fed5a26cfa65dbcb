//===- SceneSample.h - a generated scene for graphics shaders --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Makes a draw out of nothing but the shaders of a pipeline: a mesh over the whole picture
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

/// By stage; none: the pipeline has no such stage.
struct SceneModules {
  std::optional<SampleModule> vertex, control, evaluation, geometry, task, mesh, fragment;
};

/// Errors: an interface that this does not know how to feed, or a resource that cannot be made.
/// The sample's resources are those of the shaders; what it is judged by are the attachments.
llvm::Expected<Sample> makeSceneSample(const SceneModules &modules, const std::string &name,
                                       bool isMultisampled, uint64_t seed);

} // namespace exec
