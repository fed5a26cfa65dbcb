//===- PortAccess.h - from an instruction to its group's port --------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/core/StagePort.h"

namespace pal::device {

/// The port of the wave's group, with the host's default floating-point mode set, since ports
/// compute as the host does; the wave sets its own again when it needs it. Null after a fault, when
/// the group has none. \p what: the instruction, for the fault's message.
StagePort *portFor(Wave &wave, const char *what);

} // namespace pal::device
