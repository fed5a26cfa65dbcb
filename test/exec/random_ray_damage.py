# SPDX-License-Identifier: MIT
"""Structures and rays of which most are none, as test files of kiln-exec: text_of(seed).

Instances, triangles and boxes with numbers that are infinite, none, or out of all proportion, and rays of such
numbers: builds and traversal touch nothing but what they are given (else the device is lost) and come to an end, and
among all that a sound instance is found by sound rays.
"""
import random
import struct

from random_rays import hexadecimal
from random_rays_scene import bits, single

SOUND_MASK = 0x80  # of no other instance
RAYS = 128


def any_number(rng):
    kind = rng.randrange(4)
    if kind == 0:
        return rng.choice((float("nan"), float("inf"), float("-inf"), 0.0, -0.0, single(3e38), single(-3e38), single(1e-42)))
    if kind == 1:
        return struct.unpack("<f", struct.pack("<I", rng.getrandbits(32)))[0]
    return single(rng.uniform(-10, 10))


def numbers(values):
    return " ".join(repr(x) for x in values)


def boxes(rng, count):
    """Minimum and maximum are in this order, as far as they are numbers."""
    values = []
    for _ in range(count):
        pairs = [sorted((any_number(rng), any_number(rng))) for _ in range(3)]
        values += [pair[0] for pair in pairs] + [pair[1] for pair in pairs]
    return values


def sound_ray(rng):
    """Into the triangle (0 0 0, 4 0 0, 0 4 0)."""
    weights = [rng.uniform(0.2, 1) for _ in range(3)]
    x, y = (4 * weights[i] / sum(weights) for i in (1, 2))
    direction = [rng.uniform(-1, 1), rng.uniform(-1, 1), rng.choice((-1, 1))]
    distance = rng.uniform(1, 9)
    origin = [p - distance * d for p, d in zip((x, y, 0), direction)]
    return [*origin, 0.0, *direction, 100.0], SOUND_MASK


def text_of(seed):
    rng = random.Random(f"damage {seed}")
    lines = [f"// Random damage {seed}", "//! requires accelerationStructure rayQuery",
             "//! skip lavapipe: it does not find the sound instance beside some of the others", "//! skip validation: nothing of this is valid",
             "//! buffer sound none f32 : 0 0 0 4 0 0 0 4 0", "//! accel sound bottom", "//! geometry triangles sound 1"]
    names = ["sound", "null"]
    for number in range(rng.randrange(1, 4)):
        count = rng.randrange(1, 20)
        is_boxes = rng.random() < 0.4
        values = boxes(rng, count) if is_boxes else [any_number(rng) for _ in range(9 * count)]
        names.append(f"damaged{number}")
        lines += [f"//! buffer {names[-1]} none f32 : {numbers(values)}", f"//! accel {names[-1]} bottom",
                  f"//! geometry {'aabbs' if is_boxes else 'triangles'} {names[-1]} {count} opaque={rng.randrange(2)}"]
    count = rng.randrange(2, 30)
    place = rng.randrange(count)
    lines.append("//! accel top top")
    for number in range(count):
        if number == place:
            lines.append(f"//! instance sound mask={SOUND_MASK} index={number}")
            continue
        transform = ",".join(repr(any_number(rng)) for _ in range(12))
        lines.append(f"//! instance {rng.choice(names)} transform={transform} mask={rng.randrange(SOUND_MASK)} "
                     f"flags={rng.randrange(16)} index={rng.getrandbits(24)} offset={rng.getrandbits(24)}")
    words, expected = [], []
    for number in range(RAYS):
        if number % 2:
            values, mask = sound_ray(rng)
            expected += [1, place]
        else:
            values, mask = [any_number(rng) for _ in range(8)], rng.getrandbits(32)
            expected += [0, 0]
        words += [bits(single(x)) if abs(x) < 1e38 else struct.unpack("<I", struct.pack("<f", x))[0] for x in values]
        words += [mask, 0 if number % 2 else rng.getrandbits(10), 0, 0]
    return "\n".join(lines + ["//! bind 0.0 accel top", f"//! buffer 0.1 u32 : {hexadecimal(words)}",
                              f"//! buffer 0.2 u32 : 9*{2 * RAYS}", f"//! dispatch {RAYS // 64}",
                              f"//! expect 0.2 u32 : {' '.join(str(x) for x in expected)}"]) + """
#version 460
#extension GL_EXT_ray_query : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform accelerationStructureEXT top;
struct Ray { vec4 origin, direction; uint mask, flags, pad0, pad1; };
layout(set = 0, binding = 1) readonly buffer Rays { Ray rays[]; };
layout(set = 0, binding = 2) buffer Result { uint results[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  Ray ray = rays[i];
  rayQueryEXT query;
  rayQueryInitializeEXT(query, top, ray.flags, ray.mask, ray.origin.xyz, ray.origin.w, ray.direction.xyz, ray.direction.w);
  while (rayQueryProceedEXT(query)) {
    if (rayQueryGetIntersectionTypeEXT(query, false) == gl_RayQueryCandidateIntersectionTriangleEXT)
      rayQueryConfirmIntersectionEXT(query);
    else
      rayQueryGenerateIntersectionEXT(query, rayQueryGetIntersectionTEXT(query, true));
  }
  bool isSound = (i & 1) != 0, isHit = rayQueryGetIntersectionTypeEXT(query, true) == 1;
  // What else is found is not known, but that there are no other types.
  results[2 * i] = isSound ? uint(isHit) : uint(rayQueryGetIntersectionTypeEXT(query, true) > 2);
  results[2 * i + 1] = isSound && isHit ? rayQueryGetIntersectionInstanceCustomIndexEXT(query, true) : 0;
}
"""
