//===- ItemCompiler.h - items on the driver of this program ---------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Child.h"
#include "Plan.h"
#include "Planner.h"

namespace farm {

/// For children: starts the driver with the plan's targets. Both must live as long.
StartCompiler compilerOf(const Plan &plan, const Pack &pack);

/// What PlanOptions::readSc is in a program with kiln-pcc's parts.
llvm::Error readScPipeline(const std::string &name, const std::string &json, LoadFile load);

/// A pipeline of Vulkan SC, as a payload of PayloadKind::Sc has it:
///     identifier, 16 bytes | u32 VkShaderStageFlags | hash of the inputs, 16 bytes | ELF
inline constexpr size_t scHeadBytes = 36;

} // namespace farm
