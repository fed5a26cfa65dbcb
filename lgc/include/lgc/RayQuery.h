//===- RayQuery.h - memory of ray queries ----------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace lgc {

/// Dwords of private memory that the operations on a ray query work on: what it knows, and a stack
/// of nodes that are still to be visited (lgc/lowering/rays/RayQuery.def).
inline constexpr uint32_t rayQueryDwords = 546;

} // namespace lgc
