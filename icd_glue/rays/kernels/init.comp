// SPDX-License-Identifier: MIT
// The header, the state of the build, and parent links that say "none".
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
layout(local_size_x = 256) in;

void clearState() {
  for (uint offset = 0; offset < stateBytes; offset += 4)
    store(args.scratch + offset, 0);
  for (uint axis = 0; axis < 3; ++axis)
    store(args.scratch + stateMinimum + 4 * axis, 0xFFFFFFFFu);
  for (uint level = 0; level < maxLevels; ++level)
    store2(args.scratch + stateLevelGroups + 12 * level + 4, uvec2(1, 1));
  for (uint round = 0; round < 2; ++round)
    store2(args.scratch + statePlocGroups + 12 * round + 4, uvec2(1, 1));
}

void main() {
  uint boxStart = uint((leavesStart() + uint64_t(bytesOfLeaf(args.kind)) * args.leafCount) / nodeGranule);
  // What every node with two children or more takes: see BuildSizes.cpp.
  uint linksStart = boxStart + args.step * (boxBytes / nodeGranule);
  uint64_t links = args.structure + uint64_t(linksStart) * nodeGranule;
  uint granule = gl_GlobalInvocationID.x;
  if (granule < linksStart)
    store(linkAt(links, granule), nodeNone);
  if (isWide && granule < args.leafCount)
    store(idOfLeafAt(args.structure, granule), nodeNone);
  if (granule != 0)
    return;
  uint64_t header = args.structure;
  store(header + headerMagic, formatMagic);
  store(header + headerKind, args.kind);
  store(header + headerLeafCount, args.leafCount);
  store(header + headerActiveCount, 0);
  store(header + headerBoxCount, 1);
  store(header + headerBoxStart, boxStart);
  store(header + headerLinksStart, linksStart);
  store(header + headerGeometryCount, args.geometry);
  store(header + headerBuildFlags, args.flags);
  for (uint offset = headerBuildFlags + 4; offset < headerBytes; offset += 4)
    store(header + offset, 0);
  if (isWide)
    store(header + headerLeavesStart, uint(leavesStart() / nodeGranule));
  clearState();
}
