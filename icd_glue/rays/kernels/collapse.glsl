// SPDX-License-Identifier: MIT
// Box nodes out of the binary tree, from the root down, a level after the other. An entry of a
// level's list is a node of the tree and the place of its box node.
//
// Whoever includes this defines append(): a place in the next level's list.

uint append(uint level);

uint64_t entryAt(uint level, uint entry) {
  uint place = placeLists + (level & 1u) * listBytes;
  return scratchArray(place) + uint64_t(listBytes) * entry;
}

float surfaceOf(uint child) {
  Bounds bounds = boundsOf(child);
  vec3 size = bounds.high - bounds.low;
  return size.x * size.y + size.y * size.z + size.z * size.x;
}

/// Opens the children of a node, the largest first, until there are four.
uint childrenOf(uint node, out uint children[boxChildren]) {
  children = uint[boxChildren](load(treeAt(node) + treeLeft), load(treeAt(node) + treeRight), 0, 0);
  uint number = 2;
  while (number < boxChildren) {
    uint best = boxChildren;
    float most = 0;
    for (uint child = 0; child < number; ++child) {
      if ((children[child] & treeLeaf) != 0)
        continue;
      float surface = surfaceOf(children[child]);
      if (best == boxChildren || surface > most) {
        best = child;
        most = surface;
      }
    }
    if (best == boxChildren)
      break;
    uint64_t opened = treeAt(children[best]);
    children[best] = load(opened + treeLeft);
    children[number++] = load(opened + treeRight);
  }
  return number;
}

/// The id of a child's node; of a box node, which gets a place, the next level writes it.
uint placeChild(uint child, uint level) {
  if ((child & treeLeaf) != 0)
    return leafId(leafOf(child));
  uint box = atomicAdd(Word(args.scratch + stateBoxes).value, 1u);
  uint granule = load(args.structure + headerBoxStart) + box * (boxBytes / nodeGranule);
  store2(entryAt(level + 1, append(level)), uvec2(child, granule));
  return granule << 3 | nodeBox32;
}

void writeBox(uint level, uint entry) {
  uvec2 work = load2(entryAt(level, entry));
  uint64_t box = args.structure + uint64_t(work.y) * nodeGranule;
  uint64_t links = linksOf(args.structure);
  uint children[boxChildren];
  uint number = childrenOf(work.x, children);
  for (uint child = 0; child < boxChildren; ++child) {
    uint id = nodeNone;
    Bounds bounds = Bounds(vec3(noNumber), vec3(noNumber));
    if (child < number) {
      bounds = boundsOf(children[child]);
      id = placeChild(children[child], level);
      store(linkAt(links, granuleOf(id)), work.y << 3 | nodeBox32);
    }
    store(box + boxChildId + 4 * child, id);
    storeBounds(box + boxChildBounds + boxBoundsStride * child, bounds);
  }
  for (uint offset = boxFlags; offset < boxBytes; offset += 4)
    store(box + offset, 0);
}
