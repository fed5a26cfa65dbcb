# SPDX-License-Identifier: MIT
"""Random scenes and rays (random_rays_scene.py) as ray tracing pipelines: text_of(seed), like random_rays.py.

Each instance has one of several hit records, whose data the closest hit shader returns; triangles that are not opaque
are accepted by an any hit shader, boxes are hit where an intersection shader says.
"""
import random

import random_ray_pipelines_shader
from random_rays import box_words, built_lines, expected_lines, hexadecimal, ray_count, ray_words
from random_rays_scene import Scene, rays_of

RECORDS = 6  # of triangles, and then of boxes: four offsets of instances and two more geometries


def group_lines():
    lines = ["//! group make general shader=rgen", "//! group miss general shader=rmiss",
             "//! group triangles triangles closest=rchit any=rahit",
             "//! group boxes procedural closest=boxhit intersection=rint",
             "//! record raygen make", "//! record miss miss"]
    return lines + [f"//! record hit {'triangles' if i < RECORDS else 'boxes'} : u32 {i}" for i in range(2 * RECORDS)]


def text_of(seed):
    rng = random.Random(f"pipeline {seed}")
    scene = Scene(rng)
    for instance in scene.instances:
        instance.sbt = rng.randrange(4) + RECORDS * instance.bottom.is_boxes
    rays = rays_of(rng, scene, ray_count(seed))
    buffers, expected = expected_lines(rays)
    lines = [f"// Random rays of a pipeline {seed}: {len(scene.instances)} instances",
             "//! requires accelerationStructure rayTracingPipeline rayTraversalPrimitiveCulling"]
    lines += built_lines(scene, random.Random(f"motion {seed}"))
    lines += [f"//! buffer 0.1 u32 : {hexadecimal(ray_words(rays))}", *buffers,
              f"//! buffer 0.5 u32 : {hexadecimal(box_words(scene))}", *group_lines(), f"//! trace {len(rays)}", *expected]
    return "\n".join(lines) + "\n" + random_ray_pipelines_shader.SHADERS
