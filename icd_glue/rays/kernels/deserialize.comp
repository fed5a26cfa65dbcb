// SPDX-License-Identifier: MIT
// The way back: `source` to the structure, with the addresses that the application has put there.
// What it says of sizes holds as far as the structure's memory goes, `range` bytes.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "copy.glsl"
layout(local_size_x = 256) in;

void main() {
  uint granule = gl_GlobalInvocationID.x;
  uint64_t size = min(load64(args.source + serialSize), args.range);
  uint64_t handles = min(load64(args.source + serialHandleCount), size / instanceBytes);
  uint64_t body = serialBody(args.source, handles);
  uint64_t first = leavesOffset / nodeGranule;
  uint64_t instance = (granule - first) / (instanceBytes / nodeGranule);
  bool isInstance = granule >= first && instance < handles &&
                    (granule - first) % (instanceBytes / nodeGranule) == 0;
  for (uint offset = 0; offset < nodeGranule; offset += 4) {
    uint64_t place = uint64_t(granule) * nodeGranule + offset;
    if (place < size && !(isInstance && offset < 8))
      store(args.structure + place, load(body + place));
  }
  if (isInstance)
    store64(instanceAt(args.structure, uint(instance)) + instanceBase,
            load64(args.source + serialHandles + 8 * instance) >> 3);
}
