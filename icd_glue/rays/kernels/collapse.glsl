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

/// How many children nodes of a level may have.
uint widthOf(uint level) { return isWide && level < wideLevels ? wideChildren : boxChildren; }

/// Opens the children of a node, the largest first, until there are \p width.
uint childrenOf(uint node, uint width, out uint children[wideChildren]) {
  children[0] = load(treeAt(node) + treeLeft);
  children[1] = load(treeAt(node) + treeRight);
  uint number = 2;
  while (number < width) {
    uint best = wideChildren;
    float most = 0;
    for (uint child = 0; child < number; ++child) {
      if ((children[child] & treeLeaf) != 0)
        continue;
      float surface = surfaceOf(children[child]);
      if (best == wideChildren || surface > most) {
        best = child;
        most = surface;
      }
    }
    if (best == wideChildren)
      break;
    uint64_t opened = treeAt(children[best]);
    children[best] = load(opened + treeLeft);
    children[number++] = load(opened + treeRight);
  }
  return number;
}

/// Places of the next box and leaf among the children of a node.
struct Places {
  uint box, leaf;
};
Places takePlaces(uint children[wideChildren], uint number) {
  uint leaves = 0;
  for (uint child = 0; child < number; ++child)
    leaves += (children[child] & treeLeaf) != 0 ? 1 : 0;
  Places places = Places(0, 0);
  if (leaves < number)
    places.box = atomicAdd(Word(args.scratch + stateBoxes).value, number - leaves);
  if (isWide && leaves != 0)
    places.leaf = atomicAdd(Word(args.scratch + stateLeaves).value, leaves);
  return places;
}
uint granuleOfBox(uint place) {
  return load(args.structure + headerBoxStart) + place * (boxBytes / nodeGranule);
}

/// The id of a child's node; a box node is for the next level to write.
uint placeChild(uint child, uint level, inout Places places) {
  if ((child & treeLeaf) != 0) {
    if (isWide)
      store(idOfLeafAt(args.structure, leafOf(child)), idOfPlace(places.leaf++));
    return leafId(leafOf(child));
  }
  uint granule = granuleOfBox(places.box++);
  store2(entryAt(level + 1, append(level)), uvec2(child, granule));
  return granule << 3 | nodeBox32;
}

void writeNarrowBox(uint64_t box, uint children[wideChildren], uint ids[wideChildren], uint number) {
  for (uint child = 0; child < boxChildren; ++child) {
    uint id = nodeNone;
    Bounds bounds = Bounds(vec3(noNumber), vec3(noNumber));
    if (child < number) {
      bounds = boundsOf(children[child]);
      id = ids[child];
    }
    store(box + boxChildId + 4 * child, id);
    storeBounds(box + boxChildBounds + boxBoundsStride * child, bounds);
  }
  for (uint offset = boxFlags; offset < boxBytes; offset += 4)
    store(box + offset, 0);
}

/// \p places: of the first children.
void writeWideBox(uint64_t box, uint children[wideChildren], uint number, Places places) {
  Bounds all = boundsOf(children[0]);
  for (uint child = 1; child < number; ++child)
    all = merged(all, boundsOf(children[child]));
  Grid grid = gridOf(all);
  storeWideBox(box, grid, number, granuleOfBox(places.box), granuleOf(idOfPlace(places.leaf)));
  for (uint child = 0; child < wideChildren; ++child)
    if (child < number)
      storeChild(childAt(box, child), grid, boundsOf(children[child]), childKind((children[child] & treeLeaf) != 0));
    else
      storeNoChild(childAt(box, child));
}

/// The box node at \p granule.
void writeBoxOf(uint granule, uint level, uint children[wideChildren], uint number) {
  uint64_t box = args.structure + uint64_t(granule) * nodeGranule;
  uint64_t links = linksOf(args.structure);
  Places places = takePlaces(children, number);
  Places first = places;
  uint ids[wideChildren];
  for (uint child = 0; child < number; ++child) {
    ids[child] = placeChild(children[child], level, places);
    store(linkAt(links, granuleOf(ids[child])), granule << 3 | nodeBox32);
  }
  if (isWide)
    writeWideBox(box, children, number, first);
  else
    writeNarrowBox(box, children, ids, number);
}

void writeBox(uint level, uint entry) {
  uvec2 work = load2(entryAt(level, entry));
  uint children[wideChildren];
  uint number = childrenOf(work.x, widthOf(level), children);
  writeBoxOf(work.y, level, children, number);
}
