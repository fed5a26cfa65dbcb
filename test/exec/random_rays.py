# SPDX-License-Identifier: MIT
"""Random ray queries as test files of kiln-exec: text_of(seed); with many rays if the seed is at least MANY.

Of odd seeds the API builds the structures, half of them elsewhere first, and an update moves them; else they are
written as memory (lgc/AccelerationStructure.def) with random trees. random_rays_scene.py says what rays find.
"""
import random

import random_rays_shader
from random_rays_scene import Scene, bits, constants, rays_of, single


def hexadecimal(words):
    return " ".join(f"0x{word:x}" for word in words)


def box_words(scene):
    """For each box: minimum with its name in w, maximum."""
    words = []
    for instance in scene.instances:
        if instance.bottom.is_boxes:
            for geometry, primitive, _, (low, high) in instance.bottom.primitives:
                words += [bits(x) for x in low] + [instance.index << 16 | geometry << 8 | primitive]
                words += [bits(x) for x in high] + [0]
    return words or [0] * 8


def written_lines(scene):
    """The structures as memory that the script fills; a workgroup of its own makes addresses of places."""
    return ["//! requires bufferDeviceAddress rayQuery rayTracingPositionFetch",
            "//! skip lavapipe: the structure is Kiln's",
            "//! skip gfx1201: its structures are others",
            "//! skip validation: the structure is made without the API",
            f"//! buffer structure u32 : {hexadecimal(scene.words)}",
            "//! bind 0.4 storage structure",
            "//! buffer 0.0 u32 : 0*4", "//! address 0.0@0 structure",
            "//! dispatch 1 base=1000,0,0"]


def geometry_lines(bottom, name, points_of):
    """Lines with the points of a structure, and those that say what it is built of."""
    geometries = {}
    for geometry, _, opaque, points in bottom.primitives:
        geometries.setdefault(geometry, (opaque, []))[1].append(points_of(points))
    kind = "aabbs" if bottom.is_boxes else "triangles"
    buffers, lines = [], []
    for geometry, (opaque, points) in geometries.items():
        buffers.append(f"//! buffer {name}_{geometry} none f32 : " + " ".join(repr(x) for p in points for q in p for x in q))
        lines.append(f"//! geometry {kind} {name}_{geometry} {len(points)} opaque={int(opaque)}")
    return buffers, lines


def instance_lines(scene, names, matrix_of):
    lines = []
    for instance in scene.instances:
        matrix = ",".join(repr(x) for row in matrix_of(instance) for x in row)
        lines.append(f"//! instance {names[scene.bottoms.index(instance.bottom)]} transform={matrix} "
                     f"index={instance.custom} mask={instance.mask} offset={instance.sbt} flags={instance.flags}")
    return lines


def built_lines(scene, rng):
    """The structures as the API builds them; some of them elsewhere at first, and updated."""
    lines, names = [], []
    for number, bottom in enumerate(scene.bottoms):
        buffers, build = geometry_lines(bottom, f"points{number}", lambda points: points)
        names.append(f"bottom{number}")
        if rng.random() < 0.5:
            lines += buffers + [f"//! accel {names[-1]} bottom{rng.choice(('', ' flags=trace'))}"] + build
            continue
        shift = [rng.uniform(-4, 4) for _ in range(3)]
        # Also inside out and in another order: what moves keeps nothing but its number.
        scale = 1 if bottom.is_boxes else rng.choice((1, -0.5, 3))
        old, old_build = geometry_lines(bottom, f"old{number}", lambda points, shift=shift, scale=scale: [
            [single(x * scale + rng.uniform(-1, 1) * (not bottom.is_boxes) + s) for x, s in zip(p, shift)] for p in points])
        lines += old + [f"//! accel first{number} bottom flags=update"] + old_build
        lines += buffers + [f"//! accel {names[-1]} update first{number}"] + build
    own = instance_lines(scene, names, lambda instance: instance.to_world)
    if rng.random() < 0.5:
        lines += [f"//! accel top top{rng.choice(('', ' flags=trace'))}"] + own
    else:
        lines += ["//! accel firsttop top flags=update"]
        lines += instance_lines(scene, names, lambda instance: [row[:3] + [rng.uniform(-9, 9)] for row in instance.to_world])
        lines += ["//! accel top update firsttop"] + own
    return lines + ["//! bind 0.0 accel top"]


MANY = 175  # seeds from here on have 10,000 rays


def ray_words(rays):
    """Rays as both shaders read them."""
    words = []
    for ray, _, _ in rays:
        words += [bits(x) for x in (*ray.origin, ray.t_min, *ray.direction, ray.t_max)]
        words += [ray.flags, ray.mask, 0, 0]
    return words


def expected_lines(rays):
    """Buffers that the shaders write, and what they must have."""
    numbers = [x for _, integers, _ in rays for x in integers]
    distances = [x for _, _, floats in rays for x in floats]
    return ([f"//! buffer 0.2 u32 : 9*{len(numbers)}", f"//! buffer 0.3 f32 : 9*{len(distances)}"],
            [f"//! expect 0.2 u32 : {hexadecimal(numbers)}",
             "//! expect 0.3 f32 ~rel=0.001 ~abs=0.0005 : " + " ".join(repr(x) for x in distances)])


def ray_count(seed):
    return 10000 if seed >= MANY else 128


def text_of(seed):
    rng = random.Random(seed)
    scene = Scene(rng)
    rays = rays_of(rng, scene, ray_count(seed))
    buffers, expected = expected_lines(rays)
    lines = [f"// Random rays {seed}: {len(scene.instances)} instances"]
    if seed % 2:
        lines += ["//! requires accelerationStructure rayQuery rayTracingPositionFetch",
                  # What it finds is the same.
                  "//! skip lavapipe: its object rays, matrices and positions contradict each other"]
        lines += built_lines(scene, random.Random(f"motion {seed}"))
    else:
        lines += written_lines(scene)
    lines += [f"//! buffer 0.1 u32 : {hexadecimal(ray_words(rays))}", *buffers,
              f"//! buffer 0.5 u32 : {hexadecimal(box_words(scene))}",
              f"//! dispatch {(len(rays) + 63) // 64}", *expected]
    source = random_rays_shader.SHADER.replace("INSTANCES", str(len(scene.instances)))
    source = source.replace("PLACE", str(scene.places[0])).replace("BUILT", str(seed % 2))
    return "\n".join(lines) + "\n" + source.replace("STEP", str(constants()["instanceBytes"]))
