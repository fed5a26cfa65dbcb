//===- StageKey.h - what code depends on in a shader stage ----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Object.h"
#include "llpc/Hasher.h"
#include <optional>

namespace icd {

/// Names SPIR-V: the XXH3-128 of its bytes as given, which is also
/// VK_EXT_shader_module_identifier's identifier.
llpc::Hash128 moduleHashOf(const VkShaderModuleCreateInfo &info);
/// Of the stage's VkShaderModule, of SPIR-V in its chain, or the identifier in its chain, in this
/// order. Nothing: the stage has none of them, or an identifier that is not of this driver.
std::optional<llpc::Hash128> moduleHashOf(const VkPipelineShaderStageCreateInfo &stage);
/// Whether the stage has an identifier instead of SPIR-V, so that it cannot be compiled.
bool isIdentifierOnly(const VkPipelineShaderStageCreateInfo &stage);

/// Encodes the stage; false: it has no module hash. Constants count by their number, not by their
/// place in the application's list. Robustness is in the pipeline's options. \p viewIsDevice:
/// ViewIndex is DeviceIndex.
bool encodeStage(llpc::Hasher &key, const VkPipelineShaderStageCreateInfo &stage,
                 bool viewIsDevice = false);
/// The same of a stage whose module is known: what \p stage says of it is not looked at.
void encodeStage(llpc::Hasher &key, const llpc::Hash128 &module,
                 const VkPipelineShaderStageCreateInfo &stage, bool viewIsDevice = false);

} // namespace icd
