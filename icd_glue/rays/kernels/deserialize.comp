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
  uint64_t size = min(load64(args.source + serialSize), args.range) & ~3ul;
  uint64_t handles = min(load64(args.source + serialHandleCount), size / instanceBytes);
  uint64_t body = serialBody(args.source, handles);
  uint64_t leaves = isWide ? uint64_t(load(body + headerLeavesStart)) * nodeGranule : leavesOffset;
  uint bytes = isWide ? wideInstanceBytes : instanceBytes;
  uint64_t node = uint64_t(granule) * nodeGranule;
  uint64_t instance = (node - leaves) / bytes;
  bool isInstance = node >= leaves && instance < handles && (node - leaves) % bytes == 0 && node + bytes <= size;
  if (isWide && isInstance) // in the order of the tree
    instance = load(body + node + wideInstanceIndex);
  isInstance = isInstance && instance < handles;
  for (uint offset = 0; offset < nodeGranule; offset += 4) {
    uint64_t place = node + offset;
    if (place < size && !(isInstance && offset - baseInInstance < 8))
      store(args.structure + place, load(body + place));
  }
  if (isInstance)
    store64(args.structure + node + baseInInstance, load64(args.source + serialHandles + 8 * instance) >> 3);
}
