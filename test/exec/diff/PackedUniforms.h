//===- PackedUniforms.h - floats in uniform blocks of integers ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Some compilers declare every uniform block as an array of uvec4 and cast what they load: types
/// say nothing about the contents. This looks at the code instead.
#pragma once

#include "Layout.h"

namespace exec {

/// Overwrites what the module reads as floats from the block \p variable: constant places whose
/// loads are cast, and matrices that functions load from a constant byte offset.
///
///   %m = OpFunctionCall %mat4v4float %load %uint_64   ; -> a matrix at byte 64
void fillPackedUniforms(const llpc::spirv::Module &module, llpc::spirv::Id variable,
                        llpc::ConstantEval &constants, Random &random, Bytes &bytes);

} // namespace exec
