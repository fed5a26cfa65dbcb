//===- AccelerationStructure.h - acceleration structures in memory --------===//
// SPDX-License-Identifier: MIT
/// \file
/// What an acceleration structure is in memory. Kernels (icd_glue/rays) write it, traversal code
/// reads it, and the instructions of gfx10.3 and gfx11 read its box and triangle nodes
/// (docs/hw-notes.md#ray-tracing). All targets have the same structures.
///
///   A          header
///   A + 128    root: a box32 node
///   A + 256    leaves: node i is primitive i, counted over all geometries; inactive ones have a
///              place, but no parent
///   behind     other box32 nodes (headerBoxStart), as many as there are
///   at the end parent links (headerLinksStart): u32 for every granule of nodes from A on; at the
///              granule of a node's start its parent's id; nodeNone for the root and inactive
///              leaves
///
/// A is a multiple of 256. An id is (byte offset from A) >> 3 | type; the instructions' pointer to
/// a node is (A >> 3) + id. Nothing but instances holds addresses, so a structure may be moved.
///
/// A descriptor of an acceleration structure is A itself, 8 bytes at the start of its place in a
/// set (16 bytes aligned, as every descriptor); 0 is the null descriptor. A structure of address 0
/// has no intersections.
#pragma once

#include <cstdint>

namespace lgc::accel {

#define KILN_ACCEL(name, value) inline constexpr uint32_t name = value;
#include "lgc/AccelerationStructure.def"
#undef KILN_ACCEL

static_assert(rootId == ((rootOffset >> 3) | nodeBox32));

} // namespace lgc::accel
