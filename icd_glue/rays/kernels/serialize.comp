// SPDX-License-Identifier: MIT
// A structure as the application may keep it: `source`, of `range` bytes at most, to `scratch`.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "copy.glsl"
layout(local_size_x = 256) in;

void main() {
  uint granule = gl_GlobalInvocationID.x;
  uint64_t serial = args.scratch;
  uint64_t size = min(load64(args.source + headerSize), args.range) & ~3ul;
  uint64_t handles = min(load64(args.source + headerHandleCount),
                         (max(size, uint64_t(leavesOffset)) - leavesOffset) / instanceBytes);
  uint64_t body = serialBody(serial, handles);
  // The links are no multiple of granules.
  for (uint offset = 0; offset < nodeGranule; offset += 4) {
    uint64_t place = uint64_t(granule) * nodeGranule + offset;
    if (place < size)
      store(body + place, load(args.source + place));
  }
  if (granule < handles)
    store64(serial + serialHandles + 8ul * granule, addressInInstance(args.source, granule));
  if (granule != 0)
    return;
  for (uint word = 0; word < 8; ++word)
    store(serial + 4 * word, args.identity.words[word]);
  store64(serial + serialTotalSize, body - serial + size);
  store64(serial + serialSize, size);
  store64(serial + serialHandleCount, handles);
}
