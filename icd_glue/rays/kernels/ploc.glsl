// SPDX-License-Identifier: MIT
// Parallel locally-ordered clustering (Meister, Bittner: "Parallel Locally-Ordered Clustering for Bounding Volume
// Hierarchy Construction", 2018): of clusters in the order of their keys, those merge that are each other's nearest
// among neighbours, again and again, until one is left.
//
// Nearest is who makes the smallest box; of those alike, by the exclusive or of the two places. So both agree, at least
// two clusters merge each time, and of what is all alike a balanced tree comes.

/// Lists are numbered by the round whose input they are.
uint64_t clusterAt(uint round, uint place) {
  return scratchArray(placeLists) + 4ul * args.leafCount * (round & 1u) + 4ul * place;
}
uint loadCluster(uint round, uint place) { return round == 0 ? treeLeaf | place : load(clusterAt(round, place)); }
uint64_t nearestAt(uint place) { return leafParentAt(place); }
uint depthOf(uint cluster) { return (cluster & treeLeaf) != 0 ? 0 : load(treeAt(cluster) + treeDepth); }

float costOf(Bounds a, Bounds b) {
  Bounds both = merged(a, b);
  vec3 size = both.high - both.low;
  float area = size.x * size.y + size.y * size.z + size.z * size.x;
  return area >= 0 ? area : largest; // 0 times infinity
}

void findNearest(uint round, uint place, uint count) {
  Bounds own = boundsOf(loadCluster(round, place));
  uint best = nodeNone;
  float least = 0;
  uint last = min(place + plocRadius, count - 1);
  for (uint other = place - min(place, plocRadius); other <= last; ++other) {
    if (other == place)
      continue;
    float cost = costOf(own, boundsOf(loadCluster(round, other)));
    if (best == nodeNone || cost < least || (cost == least && (other ^ place) < (best ^ place))) {
      best = other;
      least = cost;
    }
  }
  store(nearestAt(place), best);
}

/// Whether the cluster is there in the next round, merged with another or not.
bool isKept(uint place) {
  uint other = load(nearestAt(place));
  return other > place || load(nearestAt(other)) != place;
}

/// What a cluster that is kept is in the next round.
uint mergedCluster(uint round, uint place) {
  uint left = loadCluster(round, place);
  uint other = load(nearestAt(place));
  if (load(nearestAt(other)) != place)
    return left;
  uint right = loadCluster(round, other);
  // The last one to be made is the root.
  uint node = load(args.scratch + stateActive) - 2 - atomicAdd(Word(args.scratch + stateMerged).value, 1u);
  uint depth = max(depthOf(left), depthOf(right)) + 1;
  store(treeAt(node) + treeLeft, left);
  store(treeAt(node) + treeRight, right);
  store(treeAt(node) + treeDepth, depth);
  storeBounds(treeAt(node) + treeBounds, merged(boundsOf(left), boundsOf(right)));
  if (depth > maxTreeDepth)
    store(args.scratch + stateTooDeep, 1);
  return node;
}

/// Of a round: how many clusters there are. 0: it does not take place.
uint64_t countOfRoundAt(uint round) { return args.scratch + stateClusters + 4ul * (round & 1u); }
uint countOfRound(uint round) { return load(round == 0 ? args.scratch + stateActive : countOfRoundAt(round)); }
uint64_t blockCountAt(uint block) { return scratchArray(placeCounts) + 4ul * block; }

shared uint sums[groupSize];

/// The sum of all invocations' values before this one, and of all. All invocations of the workgroup call it.
uint sumBefore(uint value, out uint total) {
  uint within = subgroupExclusiveAdd(value);
  barrier();
  if (gl_SubgroupInvocationID == gl_SubgroupSize - 1)
    sums[gl_SubgroupID] = within + value;
  barrier();
  uint earlier = 0;
  total = 0;
  for (uint group = 0; group < gl_NumSubgroups; ++group) {
    if (group == gl_SubgroupID)
      earlier = total;
    total += sums[group];
  }
  return earlier + within;
}
