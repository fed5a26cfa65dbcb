// SPDX-License-Identifier: MIT
// A copy of a structure, with all of its memory or what of it is used (`step`). What its header says holds
// as far as the memory of both goes: `indices` bytes of the source, `range` of the target.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "copy.glsl"
layout(local_size_x = 256) in;

/// Granules that have room with their links.
uint granulesIn(uint64_t bytes) { return uint(min(bytes / (nodeGranule + 4), 0xFFFFFFFFul)); }

void main() {
  uint granule = gl_GlobalInvocationID.x;
  uint links = min(load(args.source + headerLinksStart), granulesIn(args.indices));
  uint granules = links;
  if (args.step == copyCompact)
    granules = min(load(args.source + headerBoxStart) +
                       (load(args.source + headerBoxCount) - 1) * (boxBytes / nodeGranule),
                   links);
  granules = min(granules, granulesIn(args.range));
  if (granule >= granules)
    return;
  copyGranule(args.structure, args.source, granule);
  store(linkAt(args.structure + uint64_t(granules) * nodeGranule, granule),
        load(linkAt(args.source + uint64_t(links) * nodeGranule, granule)));
  if (args.step != copyCompact)
    return;
  // Each word by the invocation that has copied its granule.
  uint64_t size = uint64_t(granules) * (nodeGranule + 4);
  if (granule == headerLinksStart / nodeGranule)
    store(args.structure + headerLinksStart, granules);
  if (granule == headerSize / nodeGranule)
    store64(args.structure + headerSize, size);
  if (granule == headerSerializedSize / nodeGranule)
    store64(args.structure + headerSerializedSize,
            load64(args.source + headerSerializedSize) - load64(args.source + headerSize) + size);
}
