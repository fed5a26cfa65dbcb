// SPDX-License-Identifier: MIT
// Reading the binary tree.

uint leafOf(uint child) { return load(pairAt(child & ~treeLeaf) + 4); }
Bounds boundsOf(uint child) {
  bool isLeaf = (child & treeLeaf) != 0;
  return loadBounds(isLeaf ? leafBoundsAt(leafOf(child)) : treeAt(child) + treeBounds);
}
/// Not if clusters have made a tree (`step` 1), but one that is too deep.
bool isRadixTree() { return args.step == 0 || load(args.scratch + stateTooDeep) != 0; }
