// SPDX-License-Identifier: MIT
// Counters of children of box nodes, no two of which are less than two granules apart.
uint64_t visitsAt(uint granule) { return scratchArray(placePairs) + 4ul * (granule / 2); }
