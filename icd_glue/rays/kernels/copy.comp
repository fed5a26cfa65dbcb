// SPDX-License-Identifier: MIT
// A copy of a structure, with all of its memory or what of it is used (`step`).
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "copy.glsl"
layout(local_size_x = 256) in;

void main() {
  uint granule = gl_GlobalInvocationID.x;
  uint links = load(args.source + headerLinksStart);
  uint granules = links;
  if (args.step == copyCompact)
    granules = load(args.source + headerBoxStart) +
               (load(args.source + headerBoxCount) - 1) * (boxBytes / nodeGranule);
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
