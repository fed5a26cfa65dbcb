//===- StateChecks.h - what drivers take for granted ----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "ScDecoder.h"
#include "llpc/reflect/StageInterface.h"
#include "tools/replay/Capture.h"

namespace pcc {

/// Vulkan leaves to the application what these check: indices, sizes and counts that a driver uses
/// as they are. \p place: of the create info in the JSON. All faults are noted, with the member.
void checkState(ScDecoder &decoder, const replay::Capture &capture, const Place &place);

/// Every location that the vertex shader reads has an attribute whose format is of the same kind of
/// numbers. \p place: of the create info. Faults are noted.
void checkVertexInput(ScDecoder &decoder, const VkGraphicsPipelineCreateInfo &info,
                      llvm::ArrayRef<llpc::InterfaceSlot> inputs, const Place &place);

} // namespace pcc
