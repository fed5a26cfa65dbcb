# SPDX-License-Identifier: MIT
"""Random scenes and rays, and what the rays find.

A scene has structures of triangles and of boxes, and instances of these with random transforms, masks and flags. What
rays find is computed in double precision over all primitives, from the rules of Vulkan's chapter "Ray Traversal", not
with trees. Rays near a decision (edges, ends, equal distances) are not taken, because single precision may decide
otherwise there.
"""
import itertools
import math
import os
import random
import struct

import random_rays_shader

NONE = 0xFFFFFFFF
BOX32, INSTANCE, AABB = 5, 6, 7
OPAQUE, NO_OPAQUE, TERMINATE, CULL_BACK, CULL_FRONT, CULL_OPAQUE, CULL_NO_OPAQUE, SKIP_TRIANGLES, SKIP_AABBS = (
    0x1, 0x2, 0x4, 0x10, 0x20, 0x40, 0x80, 0x100, 0x200)
CONSTANTS = {}


def constants():
    """The constants of AccelerationStructure.def."""
    if not CONSTANTS:
        path = os.path.join(os.path.dirname(__file__), "..", "..", "lgc", "include", "lgc", "AccelerationStructure.def")
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.startswith("KILN_ACCEL("):
                    name, value = line[len("KILN_ACCEL("):].split(")")[0].split(",")
                    CONSTANTS[name] = int(value, 0)
    return CONSTANTS


def single(value):
    """The nearest float."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def transformed(matrix, v, w):
    return [dot(row[:3], v) + row[3] * w for row in matrix]


def inverse(matrix):
    rows = [row[:3] for row in matrix]
    det = dot(rows[0], cross(rows[1], rows[2]))
    columns = [cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1])]
    result = [[columns[c][r] / det for c in range(3)] for r in range(3)]
    offset = [row[3] for row in matrix]
    return [row + [-dot(row, offset)] for row in result]


def bounds_of(points):
    return [min(p[i] for p in points) for i in range(3)] + [max(p[i] for p in points) for i in range(3)]


class Memory:
    """Words of one structure; the place of the next node."""

    def __init__(self):
        self.words = [0] * (constants()["leavesOffset"] // 4)

    def node(self, size):
        place = 4 * len(self.words)
        self.words += [0] * (size // 4)
        return place

    def put(self, place, values):
        for i, value in enumerate(values):
            self.words[place // 4 + i] = bits(value) if isinstance(value, float) else value & NONE

    def tree(self, rng, leaves, place=None):
        """A box node over (id, bounds) at \\p place; its id."""
        c = constants()
        if place is None:
            place = self.node(c["boxBytes"])
        rng.shuffle(leaves)
        axis = rng.randrange(4)
        if axis < 3:
            leaves.sort(key=lambda leaf: leaf[1][axis])
        ways = rng.randint(2, 4)
        groups = [g for g in (leaves[i * len(leaves) // ways:(i + 1) * len(leaves) // ways] for i in range(ways)) if g]
        children = []
        for group in groups:
            box = [min(b[i] for _, b in group) for i in range(3)] + [max(b[i] for _, b in group) for i in range(3, 6)]
            if len(group) == 1 and rng.random() < 0.9:
                children.append((group[0][0], box))
            elif len(leaves) == 1:
                children.append((group[0][0], box))
            else:
                children.append((self.tree(rng, list(group)), box))
        # Missing children are anywhere.
        slots = rng.sample(range(4), len(children))
        for slot in range(4):
            self.put(place + c["boxChildId"] + 4 * slot, [NONE])
            self.put(place + c["boxChildBounds"] + c["boxBoundsStride"] * slot, [float("nan")] * 6)
        for slot, (child, box) in zip(slots, children):
            self.put(place + c["boxChildId"] + 4 * slot, [child])
            self.put(place + c["boxChildBounds"] + c["boxBoundsStride"] * slot, [float(x) for x in box])
        return place >> 3 | BOX32


class Facet:
    """What is the same of a triangle for all rays."""

    def __init__(self, points):
        self.first = points[0]
        self.e1, self.e2 = sub(points[1], points[0]), sub(points[2], points[0])
        self.normal = cross(self.e1, self.e2)
        self.area = math.sqrt(dot(self.normal, self.normal))
        self.height = self.area / max(math.dist(*pair) for pair in itertools.combinations(points, 2))


class Bottom:
    """A structure of triangles or of boxes: (geometry, primitive, opaque, points)."""

    def __init__(self, rng):
        c = constants()
        self.is_boxes = rng.random() < 0.3
        self.primitives = []
        memory, leaves = Memory(), []
        for geometry in range(rng.randint(1, 3)):
            opaque = rng.random() < 0.5
            for primitive in range(rng.randint(1, 14)):
                points = self.points(rng)
                self.primitives.append((geometry, primitive, opaque, points))
                place = memory.node(c["leafBytes"])
                memory.put(place, [float(x) for p in points for x in p])
                memory.put(place + c["leafPrimitive"], [primitive, geometry | (c["geometryOpaque"] if opaque else 0)])
                memory.put(place + c["triangleId"],
                           [0 if self.is_boxes else c["triangleIdPlain"] | (c["triangleIdOpaque"] if opaque else 0)])
                leaves.append((place >> 3 | (AABB if self.is_boxes else 0), bounds_of(points)))
        memory.tree(rng, leaves, c["rootOffset"])
        self.words = memory.words
        self.facets = None if self.is_boxes else [Facet(primitive[3]) for primitive in self.primitives]
        self.bounds = bounds_of([p for primitive in self.primitives for p in primitive[3]])
        self.centre = [(a + b) / 2 for a, b in zip(self.bounds[:3], self.bounds[3:])]
        self.radius2 = dot(sub(self.bounds[3:], self.centre), sub(self.bounds[3:], self.centre))

    def is_far(self, origin, direction):
        """Does the line stay away from all primitives?"""
        way = sub(self.centre, origin)
        along = dot(way, direction)
        return dot(way, way) - along * along / dot(direction, direction) > 1.01 * self.radius2 + 0.01

    def points(self, rng):
        centre = [rng.uniform(-3, 3) for _ in range(3)]
        if self.is_boxes:
            size = [rng.uniform(0.3, 1.2) for _ in range(3)]
            return [[single(x - s) for x, s in zip(centre, size)], [single(x + s) for x, s in zip(centre, size)]]
        return [[single(x + rng.uniform(-1.5, 1.5)) for x in centre] for _ in range(3)]


class Instance:
    def __init__(self, rng, bottom, index):
        self.bottom, self.index = bottom, index
        self.custom, self.sbt = rng.getrandbits(24), rng.getrandbits(24)
        self.mask = rng.choice((0xFF, 0xFF, 0xF0, 0x0F, 0x55, 0))
        # VkGeometryInstanceFlagBitsKHR, of which FORCE_OPAQUE and FORCE_NO_OPAQUE exclude each other.
        self.flags = rng.choice((0, 4, 8)) | rng.getrandbits(2) if rng.random() < 0.6 else 0
        while True:
            matrix = [[rng.uniform(-1, 1) for _ in range(3)] for _ in range(3)]
            if rng.random() < 0.3:
                matrix = [[float(r == c) * rng.choice((-1, 1, 2, 0.5)) for c in range(3)] for r in range(3)]
            if abs(dot(matrix[0], cross(matrix[1], matrix[2]))) > 0.2:
                break
        matrix = [row + [rng.uniform(-6, 6)] for row in matrix]
        self.to_object = [[single(x) for x in row] for row in inverse(matrix)]
        self.to_world = [[single(x) for x in row] for row in matrix]

    def bounds(self):
        low, high = self.bottom.bounds[:3], self.bottom.bounds[3:]
        corners = [[(low, high)[i >> axis & 1][axis] for axis in range(3)] for i in range(8)]
        box = bounds_of([transformed(self.to_world, corner, 1) for corner in corners])
        slack = [1e-4 * (1 + abs(x)) for x in box]
        return [single(x + (s if i >= 3 else -s)) for i, (x, s) in enumerate(zip(box, slack))]

    def node(self, memory):
        c = constants()
        place = memory.node(c["instanceBytes"])
        flags = ((c["instanceNoFacingCull"] if self.flags & 1 else 0) | (c["instanceFlipFacing"] if self.flags & 2 else 0)
                 | (c["instanceForceOpaque"] if self.flags & 4 else 0)
                 | (0 if self.flags & 8 else c["instanceNotForcedNonOpaque"]))
        memory.put(place + c["instanceCustomIndex"], [self.custom | self.mask << 24, self.sbt | flags])
        memory.put(place + c["instanceWorldToObject"], [float(x) for row in self.to_object for x in row])
        memory.put(place + c["instanceIndex"], [self.index])
        memory.put(place + c["instanceObjectToWorld"], [float(x) for row in self.to_world for x in row])
        return place


class Doubtful(Exception):
    """Single precision may decide otherwise."""


def sure(value, scale=1.0):
    """The sign of a value that is not near 0."""
    if abs(value) < 1e-4 * scale:
        raise Doubtful
    return value > 0


class Ray:
    def __init__(self, rng, scene):
        target = rng.choice(scene.instances)
        box = target.bounds()
        aim = [rng.uniform(box[i], box[i + 3]) for i in range(3)]
        if rng.random() < 0.8:
            primitive = rng.choice(target.bottom.primitives)[3]
            weights = [rng.random() for _ in primitive]
            aim = transformed(target.to_world, [sum(w * p[i] for w, p in zip(weights, primitive)) / sum(weights)
                                                for i in range(3)], 1)
        self.origin = [single(rng.uniform(-12, 12)) for _ in range(3)]
        factor = rng.choice((1, 1, 0.1, 7))
        self.direction = [single((a - o) * factor) for a, o in zip(aim, self.origin)]
        if rng.random() < 0.1:
            axis = rng.randrange(3)
            self.direction = [0.0] * 3
            self.direction[axis] = rng.choice((-1.0, 1.0))
            self.origin = [x if i == axis else single(a) for i, (x, a) in enumerate(zip(self.origin, aim))]
        length = math.sqrt(dot(self.direction, self.direction))
        self.t_min = single(rng.choice((0, 0, 0, rng.uniform(0, 10) / length)))
        self.t_max = rng.choice((math.inf, 1e4, single(rng.uniform(5, 30) / length)))
        self.t_max = single(max(self.t_max, self.t_min))
        self.flags = 0
        if rng.random() < 0.6:
            for flag in rng.sample((OPAQUE, NO_OPAQUE, TERMINATE, CULL_BACK, CULL_FRONT, CULL_OPAQUE, CULL_NO_OPAQUE,
                                    SKIP_TRIANGLES, SKIP_AABBS), 2):
                self.flags |= flag
            # Of each of these sets at most one is allowed.
            for exclusive in ((OPAQUE, NO_OPAQUE, CULL_OPAQUE, CULL_NO_OPAQUE),
                              (CULL_BACK, CULL_FRONT, SKIP_TRIANGLES), (SKIP_TRIANGLES, SKIP_AABBS)):
                present = [flag for flag in exclusive if self.flags & flag]
                for flag in present[1:]:
                    self.flags &= ~flag
        self.mask = rng.choice((0xFF, 0xFF, 0x0F, 0xF0, 0x1FF, 0x3))
        self.length = length


def accepts(instance, geometry, primitive):
    """What the shader decides about triangles that are not opaque."""
    return (primitive * 7 + geometry * 3 + instance) % 4 != 0


def is_opaque(ray, instance, geometry_opaque):
    opaque = geometry_opaque
    if instance.flags & 4:
        opaque = True
    elif instance.flags & 8:
        opaque = False
    return True if ray.flags & OPAQUE else False if ray.flags & NO_OPAQUE else opaque


def hit_triangle(ray, instance, facet, origin, direction, length):
    """(t, u, v, front) or None; \p origin, \p direction, of \p length, in the space of the instance."""
    e3 = sub(origin, facet.first)
    det = -dot(facet.normal, direction)
    scale = facet.area * length
    side = cross(direction, e3)
    if abs(det) > 1e-2 * scale:
        u, v = -dot(facet.e2, side) / det, dot(facet.e1, side) / det
        if u < -1e-3 or v < -1e-3 or u + v > 1.001:
            return None
    front = sure(det, 100 * scale)
    t = dot(facet.normal, e3) / det
    # What single precision moves the origin by moves the weights of thin triangles that are seen from the side.
    if math.hypot(*origin) > 2e3 * facet.height * abs(det) / scale:
        raise Doubtful
    # Where (u, v) is the weight of the second and the third vertex.
    if not (sure(u, 5) and sure(v, 5) and sure(1 - u - v, 5)):
        return None
    size = 1 / ray.length
    if not sure(t - ray.t_min, size) or (math.isfinite(ray.t_max) and not sure(ray.t_max - t, size)):
        return None
    return t, u, v, front != bool(instance.flags & 2)


def hit_box(ray, points, origin, direction):
    """The place that the shader generates: the nearest to the box's centre; None: the box is missed."""
    entry, leave = ray.t_min, ray.t_max
    for low, high, o, d in zip(*points, origin, direction):
        if abs(d) < 1e-3 * ray.length:
            if d == 0:
                if not (sure(o - low) and sure(high - o)):
                    return None
                continue
            raise Doubtful
        a, b = (low - o) / d, (high - o) / d
        entry, leave = max(entry, min(a, b)), min(leave, max(a, b))
    size = 1 / ray.length
    if not sure(leave - entry, size):
        return None
    centre = [(a + b) / 2 for a, b in zip(*points)]
    t = dot(sub(centre, origin), direction) / dot(direction, direction)
    # Outside of the box, whether it is found depends on the order.
    if not (sure(t - entry, size) and sure(leave - t, size)):
        raise Doubtful
    return t


def candidates(scene, ray):
    """All intersections that are accepted: (t, instance, geometry, primitive, front, (u, v), is generated)."""
    for instance in scene.instances:
        if not instance.mask & ray.mask & 0xFF:
            continue
        origin = transformed(instance.to_object, ray.origin, 1)
        direction = transformed(instance.to_object, ray.direction, 0)
        boxes = instance.bottom.is_boxes
        if instance.bottom.is_far(origin, direction):
            continue
        if ray.flags & (SKIP_AABBS if boxes else SKIP_TRIANGLES):
            continue
        length = math.hypot(*direction)
        for number, (geometry, primitive, geometry_opaque, points) in enumerate(instance.bottom.primitives):
            opaque = is_opaque(ray, instance, geometry_opaque)
            if ray.flags & (CULL_OPAQUE if opaque else CULL_NO_OPAQUE):
                continue
            if boxes:
                t = hit_box(ray, points, origin, direction)
                if t is not None:
                    yield t, instance, geometry, primitive, False, (0.0, 0.0), True
                continue
            hit = hit_triangle(ray, instance, instance.bottom.facets[number], origin, direction, length)
            if not hit:
                continue
            t, u, v, front = hit
            if not instance.flags & 1 and ray.flags & (CULL_FRONT if front else CULL_BACK):
                continue
            if opaque or accepts(instance.index, geometry, primitive):
                yield t, instance, geometry, primitive, front, (u, v), False


class Scene:
    def __init__(self, rng):
        bottoms = [Bottom(rng) for _ in range(rng.randint(1, 3))]
        self.bottoms = bottoms
        self.instances = [Instance(rng, rng.choice(bottoms), i) for i in range(rng.randint(1, 6))]
        memory, leaves = Memory(), []
        self.places = []
        for instance in self.instances:
            place = instance.node(memory)
            self.places.append(place)
            leaves.append((place >> 3 | INSTANCE, instance.bounds()))
        memory.tree(rng, leaves, constants()["rootOffset"])
        # All structures in one buffer, the one with the instances first.
        self.words = list(memory.words)
        starts = {}
        for bottom in bottoms:
            self.words += [0] * (-len(self.words) % 64)
            starts[id(bottom)] = 4 * len(self.words)
            self.words += bottom.words
        for instance, place in zip(self.instances, self.places):
            self.words[place // 4] = starts[id(instance.bottom)] >> 3

    def answer(self, ray):
        """Numbers and floats that the shader writes."""
        found = sorted(candidates(self, ray), key=lambda hit: hit[0])
        if ray.flags & TERMINATE:
            return [int(bool(found))] + [0] * 7, [0.0] * 3
        if not found:
            return [0] * 8, [0.0] * 3
        t, instance, geometry, primitive, front, weights, generated = found[0]
        if len(found) > 1:
            sure(found[1][0] - t, 1 / ray.length)
        return ([2 if generated else 1, instance.index, instance.custom, geometry, primitive, int(front), instance.sbt, 1],
                [t, *weights])


def rays_of(rng, scene, count):
    """\p count rays that are not doubtful, with what they find: (ray, integers, floats)."""
    found = []
    while len(found) < count:
        ray = Ray(rng, scene)
        try:
            found.append((ray, *scene.answer(ray)))
        except Doubtful:
            continue
    return found
