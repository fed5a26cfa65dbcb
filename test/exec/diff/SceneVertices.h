//===- SceneVertices.h - a scene's vertices for a pipeline's vertex input --===//
// SPDX-License-Identifier: MIT
#pragma once

#include "../job/Job.h"

namespace exec {

/// Puts the values that the scene of \p job has for its attributes into the formats, strides and
/// buffers of a pipeline. Errors: a format that this does not know how to fill.
llvm::Error setVertexInput(Job &job, llvm::ArrayRef<VkVertexInputBindingDescription> bindings,
                           llvm::ArrayRef<VkVertexInputAttributeDescription> attributes);

} // namespace exec
