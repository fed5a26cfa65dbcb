//===- StateChecks.h - what drivers take for granted ----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "ScDecoder.h"
#include "llpc/reflect/ResourceUsage.h"
#include "llpc/reflect/StageInterface.h"
#include "tools/replay/Capture.h"

namespace pcc {

/// Vulkan leaves to the application what these check: indices, sizes and counts that a driver uses
/// as they are. \p place: of the create info in the JSON. \p passPlace: of its render pass. All
/// faults are noted, with the member.
void checkState(ScDecoder &decoder, const replay::Capture &capture, const Place &place,
                const Place &passPlace);

/// Every location that the vertex shader reads has an attribute whose format is of the same kind of
/// numbers. \p place: of the create info. Faults are noted.
void checkVertexInput(ScDecoder &decoder, const VkGraphicsPipelineCreateInfo &info,
                      llvm::ArrayRef<llpc::InterfaceSlot> inputs, const Place &place);

/// What a shader uses of a layout is there for its stage: push constants, and descriptors as far as
/// they are in the layout at all. \p place: of PipelineLayout. Faults are noted.
void checkLayout(ScDecoder &decoder, const replay::PipelineLayoutDesc &layout,
                 VkShaderStageFlagBits stage, const llpc::ResourceUsage &usage, const Place &place);

} // namespace pcc
