// SPDX-License-Identifier: MIT
// A binary tree over the sorted keys: each node finds its range of keys by itself (Karras,
// "Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d Trees", 2012). Equal keys
// are told apart by their places.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "tree.glsl"
layout(local_size_x = 256) in;

uint leaves;

/// How many leading bits the keys at two places share; -1 outside.
int sharedBits(int a, int b) {
  if (b < 0 || b >= int(leaves))
    return -1;
  uint first = load(pairAt(a)), second = load(pairAt(b));
  return first == second ? 63 - findMSB(uint(a ^ b)) : 31 - findMSB(first ^ second);
}

void storeChild(uint node, uint field, int place, bool isLeaf) {
  store(treeAt(node) + field, uint(place) | (isLeaf ? treeLeaf : 0));
  store(isLeaf ? leafParentAt(place) : treeAt(place) + treeParent, node);
}

void makeNode(int node) {
  int direction = sharedBits(node, node + 1) > sharedBits(node, node - 1) ? 1 : -1;
  int least = sharedBits(node, node - direction);
  int reach = 2;
  while (sharedBits(node, node + reach * direction) > least)
    reach *= 2;
  int length = 0;
  for (int step = reach / 2; step >= 1; step /= 2)
    if (sharedBits(node, node + (length + step) * direction) > least)
      length += step;
  int end = node + length * direction;
  int within = sharedBits(node, end);
  int split = 0;
  int step = length;
  do {
    step = (step + 1) / 2;
    if (sharedBits(node, node + (split + step) * direction) > within)
      split += step;
  } while (step > 1);
  int left = node + split * direction + min(direction, 0);
  storeChild(node, treeLeft, left, min(node, end) == left);
  storeChild(node, treeRight, left + 1, max(node, end) == left + 1);
  store(treeAt(node) + treeVisits, 0);
}

void main() {
  leaves = load(args.scratch + stateActive);
  uint node = gl_GlobalInvocationID.x;
  if (node == 0) {
    if (leaves < 2) {
      store(leafParentAt(0), nodeNone);
      return;
    }
    store(treeAt(0) + treeParent, nodeNone);
    store(args.scratch + stateLevelCount, 1);
    store(args.scratch + stateLevelGroups, 1);
    store2(scratchArray(placeLists), uvec2(0, rootOffset / nodeGranule));
  }
  if (node + 1 < leaves && isRadixTree())
    makeNode(int(node));
}
