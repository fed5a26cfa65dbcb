# SPDX-License-Identifier: MIT
"""Rays at edges and vertices of random closed meshes as test files of kiln-exec: text_of(seed).

From a point that sees the whole mesh from inside every ray meets one triangle, and only one, wherever it goes and
however its arithmetic is rounded (Vulkan, "Watertightness"). Rays go through vertices, along edges and anywhere.
"""
import math
import random

from random_rays import hexadecimal
from random_rays_scene import bits, cross, dot, single, transformed

RAYS = 512


def divided(triangles):
    """Each triangle in four; the middle of an edge is the same for both of its triangles."""
    result = []
    for a, b, c in triangles:
        ab, bc, ca = (tuple(x + y for x, y in zip(p, q)) for p, q in ((a, b), (b, c), (c, a)))
        a, b, c = (tuple(2 * x for x in p) for p in (a, b, c))
        result += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    return result


def mesh(rng):
    """Triangles, counter-clockwise as seen from outside of an octahedron whose points moved in and out."""
    triangles = []
    for x in (1, -1):
        for y in (1, -1):
            for z in (1, -1):
                points = ((x, 0, 0), (0, y, 0), (0, 0, z))
                triangles.append(points if x * y * z > 0 else points[::-1])
    for _ in range(rng.randrange(4)):
        triangles = divided(triangles)
    is_round = rng.random() < 0.7
    moved = {}
    for point in {point for triangle in triangles for point in triangle}:
        size = rng.uniform(0.5, 2) / math.hypot(*point) if is_round else 1 / 8
        moved[point] = [single(x * size) for x in point]
    return [[moved[point] for point in triangle] for triangle in triangles]


def matrix(rng):
    """Exact or not."""
    if rng.random() < 0.5:
        order = rng.sample(range(3), 3)
        rows = [[float(c == order[r]) * rng.choice((-1, 1, 2, 0.5)) for c in range(3)] for r in range(3)]
        return [row + [float(rng.randrange(-4, 5))] for row in rows]
    while True:
        rows = [[rng.uniform(-1, 1) for _ in range(3)] for _ in range(3)]
        if abs(dot(rows[0], cross(rows[1], rows[2]))) > 0.2:
            return [[single(x) for x in row] + [single(rng.uniform(-4, 4))] for row in rows]


def aim(rng, triangles):
    """A vertex, a place on an edge, or on a triangle."""
    points = rng.choice(triangles)
    kind = rng.randrange(3)
    if kind == 0:
        return points[0]
    weights = [rng.choice((1, 1, 3, rng.random())) if i <= kind else 0 for i in range(3)]
    return [sum(w * p[i] for w, p in zip(weights, points)) / sum(weights) for i in range(3)]


def text_of(seed):
    rng = random.Random(f"edges {seed}")
    triangles = mesh(rng)
    to_world = matrix(rng)
    origin = [row[3] for row in to_world]
    words = []
    for _ in range(RAYS):
        direction = transformed(to_world, aim(rng, triangles), 0)
        words += [bits(single(x)) for x in origin] + [0] + [bits(single(x)) for x in direction] + [0]
    lines = [f"// Random edges {seed}: {len(triangles)} triangles",
             "//! requires accelerationStructure rayQuery", "//! skip lavapipe: it hits all triangles of an edge",
             "//! buffer points none f32 : " + " ".join(repr(x) for triangle in triangles for p in triangle for x in p),
             "//! accel mesh bottom", f"//! geometry triangles points {len(triangles)}", "//! accel top top",
             "//! instance mesh transform=" + ",".join(repr(x) for row in to_world for x in row),
             "//! bind 0.0 accel top", f"//! buffer 0.1 u32 : {hexadecimal(words)}", f"//! buffer 0.2 u32 : 9*{2 * RAYS}",
             f"//! dispatch {RAYS // 64}",
             # Of triangles, and where they are.
             f"//! expect 0.2 u32 : 1*{2 * RAYS}"]
    return "\n".join(lines) + """
#version 460
#extension GL_EXT_ray_query : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform accelerationStructureEXT top;
struct Ray { vec4 origin, direction; };
layout(set = 0, binding = 1) readonly buffer Rays { Ray rays[]; };
layout(set = 0, binding = 2) buffer Result { uint results[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, count = 0;
  float t = 0;
  rayQueryEXT query;
  rayQueryInitializeEXT(query, top, gl_RayFlagsNoOpaqueEXT, 0xff, rays[i].origin.xyz, 0, rays[i].direction.xyz, 100);
  while (rayQueryProceedEXT(query)) {
    ++count;
    t = rayQueryGetIntersectionTEXT(query, false); // not confirmed: what is behind it counts, too
  }
  results[2 * i] = count;
  results[2 * i + 1] = uint(abs(t - 1) < 1e-4);
}
"""
