//===- VertexFetchGlue.h - fetch of attributes in front of a part ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// The glue of a pre-rasterization part that was compiled without vertex formats (lgc/Part.h): a
/// function that has all registers of the wave's start as arguments, returns them where they are,
/// and the attributes behind them. LLVM ends such a function by falling through.
///   define amdgpu_gs { i32 x sgprs, float x (vgprs + attributes) }
///       @_amdgpu_gs_main(i32 inreg x sgprs, float x vgprs)
#pragma once

#include "lgc/Part.h"

namespace lgc {

/// Part information comes from caches: is this a signature that a compilation could have made?
/// Errors: InvalidInput.
llvm::Error checkFetchSignature(const FetchSignature &signature);

/// Adds the function to an empty module. Of \p state, the target, the vertex bindings and
/// attributes, dynamicVertexStride, robustUnboundVertex and unalignedVertexFetch count. Problems
/// are reported to the context: Unsupported for formats that vertex buffers cannot have.
void buildVertexFetchGlue(llvm::Module &module, const FetchSignature &signature,
                          const PipelineState &state);

} // namespace lgc
