//===- ColorExportGlue.h - exports behind a fragment part -----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Part.h"

namespace lgc {

/// Adds the function that exports what a fragment part leaves in VGPRs to an empty module, and
/// notes the registers that follow from the export. Of \p state, the target, `targets`,
/// alphaToCoverage, dualSourceBlend and dualSourceBlendDynamic count. Problems are reported to the
/// context: Unsupported for formats that cannot be rendered to, and for what the glue cannot know.
///   define amdgpu_ps void @_amdgpu_ps_main(float %c0.r, float %c0.g, ..., float %depth ...)
void buildColorExportGlue(llvm::Module &module, const ExportSignature &signature,
                          const PipelineState &state);

} // namespace lgc
