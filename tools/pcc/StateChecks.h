//===- StateChecks.h - what drivers take for granted ----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "ScDecoder.h"
#include "llpc/spirv/Module.h"
#include "tools/replay/Capture.h"

namespace pcc {

inline constexpr char noRayTracing[] = "ray tracing is not supported: Vulkan SC has none";

bool isDynamic(const VkGraphicsPipelineCreateInfo &info, VkDynamicState state);

/// Vulkan leaves to the application what these check: indices, sizes and counts that a driver uses
/// as they are. \p place: of the create info in the JSON. \p passPlace: of its render pass. All
/// faults are noted, with the member.
void checkState(ScDecoder &decoder, const replay::Capture &capture, const Place &place,
                const Place &passPlace);

/// Every location that a vertex shader reads has an attribute of the same kind of numbers, and what
/// a shader uses of the layout is there for its stage. \p place: of the state. Faults are noted.
/// Errors: the module's.
llvm::Error checkShader(ScDecoder &decoder, const replay::Capture &capture,
                        const llpc::spirv::Module &module, const llpc::spirv::EntryPoint &entry,
                        const VkPipelineShaderStageCreateInfo &stage, const Place &place);

} // namespace pcc
