// SPDX-License-Identifier: MIT
// Counters of children of box nodes, no two of which are less than two granules apart.
uint64_t visitsAt(uint granule) { return scratchArray(placePairs) + 4ul * (granule / 2); }
/// Behind them the bounds of nodes of a wide structure, for as many.
uint64_t boundsAt(uint granule) {
  uint64_t counters = load(args.structure + headerLinksStart) / 2 + 1;
  return scratchArray(placePairs) + 4ul * counters + 24ul * (granule / 2);
}
