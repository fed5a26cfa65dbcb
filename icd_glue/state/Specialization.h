//===- Specialization.h - VkSpecializationInfo for the compiler -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Apart from ShaderStage.h, for tools that read pipelines without a device.
#pragma once

#include "llpc/Compiler.h"
#include "llvm/ADT/SmallVector.h"
#include <vulkan/vulkan_core.h>

namespace icd {

/// What specializes the shader, in the application's order. Entries that are not valid are left
/// out.
llvm::SmallVector<llpc::SpecConstant, 8> specializationOf(const VkSpecializationInfo *info);

} // namespace icd
