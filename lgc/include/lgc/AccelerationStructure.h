//===- AccelerationStructure.h - acceleration structures in memory --------===//
// SPDX-License-Identifier: MIT
/// \file
/// What an acceleration structure is in memory. Kernels (icd_glue/rays) write it, traversal code
/// reads it, and the instructions of gfx10.3 and gfx11 read its box and triangle nodes
/// (docs/hw-notes.md#ray-tracing). All targets but gfx12 have the same structures:
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
/// gfx12's structures, "wide" ones, have the nodes that its instructions read, and so another
/// order: boxes hold no ids of their children, which lie one after the other instead.
///
///   A          header
///   A + 128    root: a box of eight
///   A + 256    u32 for each leaf, counted as above: its id, or nodeNone
///   behind     leaves (headerLeavesStart), in the order of boxes, then other boxes and parent
///              links as above
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
static_assert(wideTriangleHead == (31 | 31 << 5 | 31 << 10 | 14 << 20 | 14 << 24));
static_assert(wideIdHead == (29 | 29 << 5 | 384 << 10));

/// Does a target have wide structures? \p major: of its version.
constexpr bool hasWideStructures(unsigned major) { return major >= 12; }

} // namespace lgc::accel
