// SPDX-License-Identifier: MIT
// Boxes of gfx12's nodes: planes at steps of powers of two from the node's origin on. Whatever a plane
// is rounded to, it is not inside of what it bounds: steps are counted exactly.

struct Grid {
  vec3 origin;
  uvec3 exponents;
};

/// Steps from the origin to \p value: of those around it the first, or the last.
float stepsTo(float origin, float value, uint exponent, bool isLow) {
  // The difference, and what its rounding has left out (Knuth).
  precise double a = double(value), b = double(origin);
  precise double difference = a - b;
  precise double back = difference - a;
  precise double rest = (a - (difference - back)) - (b + back);
  // By 2^(139 - exponent).
  double steps = difference * packDouble2x32(uvec2(0, (1023 + 139 - exponent) << 20));
  double whole = isLow ? floor(steps) : ceil(steps);
  if (whole == steps)
    whole += isLow ? (rest < 0.0lf ? -1.0lf : 0.0lf) : (rest > 0.0lf ? 1.0lf : 0.0lf);
  return float(clamp(whole, -1.0lf, double(2 * wideSteps)));
}

/// Of boxes in \p all.
Grid gridOf(Bounds all) {
  Grid grid;
  grid.origin = all.low;
  for (uint axis = 0; axis < 3; ++axis) {
    // Halves: the size may be infinite. What is too large for any exponent is open: such planes are infinite.
    float radius = all.high[axis] * 0.5 - all.low[axis] * 0.5;
    uint exponent = clamp(((floatBitsToUint(radius) + 0x7FFFFFu) >> 23) + 1, wideLeastExponent, 255u);
    if (exponent < 255 && stepsTo(all.low[axis], all.high[axis], exponent, false) > float(wideSteps))
      ++exponent;
    grid.exponents[axis] = exponent;
  }
  return grid;
}

void storeGrid(uint64_t address, Grid grid, uint children) {
  storeFloat3(address, grid.origin);
  store(address + 12, grid.exponents.x | grid.exponents.y << 8 | grid.exponents.z << 16 |
                          (max(children, 1u) - 1) << wideCountShift);
}

void storeNoChild(uint64_t address) {
  store(address, wideNoChild0);
  store(address + 4, wideNoChild1);
  store(address + 8, wideNoChild2);
}

/// \p typeAndNodes: bits 31:24 of its last word. Bounds of no numbers: never hit, but in its place.
void storeChild(uint64_t address, Grid grid, Bounds bounds, uint typeAndNodes) {
  if (hasNan(bounds.low)) {
    storeNoChild(address);
    store(address + 8, typeAndNodes);
    return;
  }
  uvec3 low, high;
  for (uint axis = 0; axis < 3; ++axis) {
    float first = stepsTo(grid.origin[axis], bounds.low[axis], grid.exponents[axis], true);
    float last = stepsTo(grid.origin[axis], bounds.high[axis], grid.exponents[axis], false) - 1;
    low[axis] = uint(clamp(first, 0, float(wideSteps - 1)));
    // Not less than the lowest, which would be no child: of what is flat, and at a step.
    high[axis] = max(low[axis], uint(clamp(last, 0, float(wideSteps - 1))));
  }
  store(address, low.x | low.y << 12);
  store(address + 4, low.z | high.x << 12 | 0xFFu << 24);
  store(address + 8, high.y | high.z << 12 | typeAndNodes);
}

/// Bits of storeChild(): a child's type, and how many nodes it is.
uint childKind(bool isLeaf) {
  return isLeaf ? typeOfLeaf(args.kind) << 24 | bytesOfLeaf(args.kind) / wideNodeBytes << 28 : nodeBox32 << 24 | 1u << 28;
}

/// All of a box node but its children. Bases: offsets of the first box and leaf, in granules.
void storeWideBox(uint64_t box, Grid grid, uint children, uint boxBase, uint leafBase) {
  store(box + wideBoxBase, boxBase << 3);
  store(box + wideLeafBase, leafBase << 3);
  store(box + wideParent, 0);
  storeGrid(box + wideOrigin, grid, children);
  store(box + wideOriented, wideNotOriented);
}
uint64_t childAt(uint64_t box, uint child) { return box + wideChild + wideChildBytes * child; }
