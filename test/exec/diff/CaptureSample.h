//===- CaptureSample.h - generated inputs for a captured pipeline ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// The sample of a captured pipeline's shaders (Sample.h, PairSample.h) with everything else as the
/// program had it: set layouts with the bindings that the shaders do not use, push constants,
/// immutable samplers, vertex buffers, formats of attachments, blending, samples, raster, depth and
/// stencil state. What is not the program's: contents of resources, a mesh of our own, no culling,
/// so that there is something to see, and robust access, because contents are no indices of the
/// program's.
#pragma once

#include "Sample.h"
#include "tools/replay/Capture.h"

namespace exec {

/// Errors: a module that cannot be read, or state that this does not know how to make.
llvm::Expected<Sample> makeCaptureSample(const replay::Capture &capture, uint64_t seed);

} // namespace exec
