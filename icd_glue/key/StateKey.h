//===- StateKey.h - state of pipelines in keys ----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Encodings of what code depends on besides shaders, in the compiler's words: what is ignored, and
/// what the same, is decided once, where Vulkan's words become these (state/GraphicsBuild.h).
#pragma once

#include "icd_glue/key/KeyWriter.h"

namespace icd {

void encode(KeyWriter &key, const lgc::ResourceMapping &mapping);
void encode(KeyWriter &key, const llpc::PipelineOptions &options);
/// Of a graphics pipeline, without shaders, options and mapping.
void encodeState(KeyWriter &key, const llpc::GraphicsPipelineBuildInfo &info);

} // namespace icd
