// SPDX-License-Identifier: MIT
// Copies of structures: an invocation copies a granule.

void copyGranule(uint64_t target, uint64_t source, uint granule) {
  for (uint offset = 0; offset < nodeGranule; offset += 16)
    Quad(target + uint64_t(granule) * nodeGranule + offset).value =
        Quad(source + uint64_t(granule) * nodeGranule + offset).value;
}

/// Where the structure is in a serialized one.
uint64_t serialBody(uint64_t serial, uint64_t handles) {
  return serial + (serialHandles + handles * 8 + nodeGranule - 1) / nodeGranule * nodeGranule;
}
uint64_t instanceAt(uint64_t structure, uint instance) {
  return structure + leavesOffset + uint64_t(instanceBytes) * instance;
}
