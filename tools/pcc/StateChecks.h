//===- StateChecks.h - what drivers take for granted ----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "ScDecoder.h"
#include "tools/replay/Capture.h"

namespace pcc {

/// Vulkan leaves to the application what these check: indices, sizes and counts that a driver uses
/// as they are. \p place: of the create info in the JSON. All faults are noted, with the member.
void checkState(ScDecoder &decoder, const replay::Capture &capture, const Place &place);

} // namespace pcc
