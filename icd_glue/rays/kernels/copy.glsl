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
const uint baseInInstance = isWide ? wideInstanceBase : instanceBase;
/// The address in an instance of a structure of `range` bytes; 0: there is none.
uint64_t addressInInstance(uint64_t structure, uint instance) {
  uint64_t node = structure + leavesOffset + uint64_t(instanceBytes) * instance;
  if (isWide) {
    uint id = load(idOfLeafAt(structure, instance));
    if (id == nodeNone || uint64_t(granuleOf(id)) * nodeGranule + wideInstanceBytes > args.range)
      return 0;
    node = nodeAt(structure, id);
  }
  return load64(node + baseInInstance) << 3;
}
