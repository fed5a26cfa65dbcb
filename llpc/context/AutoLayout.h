//===- AutoLayout.h - a resource mapping made from what a shader uses -----===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Pipeline.h"
#include "llpc/reflect/ResourceUsage.h"

namespace llpc {

/// Array elements that a runtime array gets.
inline constexpr uint32_t autoLayoutRuntimeArraySize = 16;
/// The largest table.
inline constexpr uint64_t autoLayoutMaxDwords = 1u << 26;

/// Builds the mapping of \p usage. See AutoLayout.cpp for the rules.
/// Error: LimitExceeded when a table would be larger than 2^26 dwords.
llvm::Expected<lgc::ResourceMapping> buildAutoLayout(const ResourceUsage &usage);

} // namespace llpc
