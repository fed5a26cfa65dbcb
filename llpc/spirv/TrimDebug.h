//===- TrimDebug.h - a module's words without debug information -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Two builds of a shader that differ only in debug information should share a cache entry. The
/// words returned here are what the cache hash is taken of, and what -trim-debug-info compiles.
#pragma once

#include "llpc/spirv/Module.h"

namespace llpc::spirv {

/// The module's words (header first, host order) without OpSource, OpSourceContinued,
/// OpSourceExtension, OpMemberName, OpLine, OpNoLine, OpNop, OpModuleProcessed, without the
/// NonSemantic.Shader.DebugInfo.100 import and its instructions, and without names and decorations
/// of what goes with them. OpName and OpString stay. Parses again, unless the module
/// uses a debug instruction as an operand of something else.
///   before: OpSource GLSL 450; OpName %1 "main"; OpLine %2 7 1; %3 = OpLoad ...
///   after:  OpName %1 "main"; %3 = OpLoad ...
std::vector<uint32_t> trimDebugInfo(const Module &module);

} // namespace llpc::spirv
