#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ray-captures.py BUILD FOLDER: ray tracing pipelines for `kiln-bench --pipelines --corpus=FOLDER` (docs/replay.md).

FOLDER/pipelines/scripts           of test/exec/scripts/rays and of a random scene, as kiln-exec creates them
FOLDER/pipelines/materials         made up: a path tracer with a shadow ray, whose surfaces have 1, 4, 16 and 64 shaders
FOLDER/example/pipelines/examples  of examples/rays, at which RADV 25.0.7 crashes
"""
import glob
import hashlib
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
STAGES = {"rgen": "RAYGEN", "rmiss": "MISS", "rchit": "CLOSEST_HIT", "rint": "INTERSECTION"}
UNUSED = 0xffffffff

HEAD = """#version 460
#extension GL_EXT_ray_tracing : require
struct Path { vec3 light, weight, origin, direction; uint seed; bool isDone; };
"""
PATHS = HEAD + """layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1) buffer Pixels { vec4 pixels[]; };
layout(push_constant) uniform Camera { mat4 view; uint bounces, frame; };
layout(location = 0) rayPayloadEXT Path path;
layout(location = 1) rayPayloadEXT float shadow;
void main() {
  uvec2 at = gl_LaunchIDEXT.xy;
  vec2 screen = (vec2(at) + 0.5) / vec2(gl_LaunchSizeEXT.xy) * 2 - 1;
  path = Path(vec3(0), vec3(1), view[3].xyz, normalize(mat3(view) * vec3(screen, -1)), at.x * 9781u + at.y * 6271u + frame, false);
  for (uint i = 0; i < bounces && !path.isDone; ++i) {
    traceRayEXT(scene, gl_RayFlagsNoneEXT, 0xff, 0, 0, 0, path.origin, 1e-3, path.direction, 1e4, 0);
    if (path.isDone) break;
    shadow = 0;
    vec3 sun = normalize(vec3(0.4, 0.8, 0.3));
    traceRayEXT(scene, gl_RayFlagsTerminateOnFirstHitEXT | gl_RayFlagsSkipClosestHitShaderEXT, 0xff, 0, 0, 1, path.origin,
                1e-3, sun, 1e4, 1);
    path.light += path.weight * shadow * max(dot(sun, path.direction), 0);
  }
  pixels[at.y * gl_LaunchSizeEXT.x + at.x] = vec4(path.light, 1);
}"""
SKY = HEAD + """layout(location = 0) rayPayloadInEXT Path path;
void main() {
  path.light += path.weight * mix(vec3(0.8, 0.85, 0.9), vec3(0.2, 0.4, 0.8), sqrt(max(gl_WorldRayDirectionEXT.y, 0)));
  path.isDone = true;
}"""
SUN = HEAD + "layout(location = 1) rayPayloadInEXT float shadow;\nvoid main() { shadow = 1; }"
MATERIAL = HEAD + """layout(location = 0) rayPayloadInEXT Path path;
layout(set = 0, binding = 2) readonly buffer Normals { vec4 normals[]; };
layout(set = 0, binding = 3) uniform sampler2D albedo;
layout(shaderRecordEXT) buffer Record { vec4 colour; float roughness, metal; };
hitAttributeEXT vec2 weights;
float random() {
  path.seed = path.seed * 747796405u + 2891336453u;
  return float((path.seed >> ((path.seed >> 28u) + 4u) ^ path.seed) >> 8) / 16777216.0;
}
void main() {
  vec3 b = vec3(1 - weights.x - weights.y, weights);
  vec3 normal = normals[gl_PrimitiveID * 3].xyz * b.x + normals[gl_PrimitiveID * 3 + 1].xyz * b.y +
                normals[gl_PrimitiveID * 3 + 2].xyz * b.z;
  normal = normalize(mat3(gl_ObjectToWorldEXT) * normal);
  vec3 at = gl_WorldRayOriginEXT + gl_HitTEXT * gl_WorldRayDirectionEXT;
  vec3 base = colour.rgb * textureLod(albedo, at.xz * NUMBER.0, 0).rgb;
  float pattern = 0;
  for (int i = 0; i < NUMBER % 3 + 1; ++i) pattern += sin(dot(at, vec3(1.0 + i, NUMBER.5, 2.25)) * (i + 1)) / (i + 1);
  float cosine = max(dot(-gl_WorldRayDirectionEXT, normal), 0);
  vec3 fresnel = mix(vec3(0.04), base, metal) + (1 - mix(vec3(0.04), base, metal)) * pow(1 - cosine, 5);
  float z = random() * 2 - 1, angle = random() * 6.2831853;
  vec3 diffuse = normalize(normal + vec3(sqrt(1 - z * z) * vec2(cos(angle), sin(angle)), z));
  vec3 mirror = reflect(gl_WorldRayDirectionEXT, normal);
  bool isMirror = random() < mix(0.04, 1.0, metal);
  path.direction = isMirror ? normalize(mix(mirror, diffuse, roughness * roughness)) : diffuse;
  path.weight *= isMirror ? fresnel : base * (0.75 + 0.25 * pattern);
  path.light += path.weight * (NUMBER % 5 == 0 ? vec3(2, 1.5, 1) : vec3(0));
  path.origin = at + normal * 1e-3;
  path.isDone = max(path.weight.x, max(path.weight.y, path.weight.z)) < 0.01;
}"""


class Folder:
    def __init__(self, path):
        self.path = path
        for name in ("modules", "raytracing"):
            os.makedirs(os.path.join(path, name), exist_ok=True)

    def module(self, kind, file):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "a.spv")
            subprocess.run(["glslangValidator", "--quiet", "--target-env", "vulkan1.3", "-S", kind, file, "-o", out],
                           check=True)
            with open(out, "rb") as words:
                data = words.read()
        name = hashlib.sha256(data).hexdigest()[:16]
        with open(os.path.join(self.path, "modules", name + ".spv"), "wb") as words:
            words.write(data)
        return name

    def add(self, shaders, groups, bindings, depth, push=0):
        """shaders: (kind, file); groups: of numbers of general, closest hit and intersection shaders."""
        stages = [f"VK_SHADER_STAGE_{STAGES[kind]}_BIT_KHR" for kind, _ in shaders]
        pipeline = {
            "kind": "raytracing", "flags": [], "maxPipelineRayRecursionDepth": depth,
            "stages": [{"flags": [], "stage": stage, "name": "main", "module": self.module(*shader)}
                       for stage, shader in zip(stages, shaders)],
            "groups": [{"type": "VK_RAY_TRACING_SHADER_GROUP_TYPE_" +
                                ("GENERAL" if general is not None else "PROCEDURAL_HIT_GROUP" if box is not None
                                 else "TRIANGLES_HIT_GROUP") + "_KHR",
                        "anyHitShader": UNUSED, "generalShader": UNUSED if general is None else general,
                        "closestHitShader": UNUSED if closest is None else closest,
                        "intersectionShader": UNUSED if box is None else box} for general, closest, box in groups],
            "layout": {"flags": [], "pushConstantRanges": [{"offset": 0, "size": push, "stageFlags": stages[:1]}] * bool(push),
                       "setLayouts": [{"flags": [], "bindings": [
                           {"binding": number, "descriptorCount": 1, "descriptorType": "VK_DESCRIPTOR_TYPE_" + kind,
                            "stageFlags": sorted(set(stages))} for number, kind in enumerate(bindings)]}]}}
        text = json.dumps(pipeline, indent=1)
        with open(os.path.join(self.path, "raytracing", hashlib.sha256(text.encode()).hexdigest()[:16] + ".json"), "w",
                  encoding="utf-8") as file:
            file.write(text)


def add_scripts(build, folder):
    sys.path.insert(0, os.path.join(ROOT, "test", "exec"))
    import random_ray_pipelines  # pylint: disable=import-outside-toplevel,import-error
    with tempfile.TemporaryDirectory() as made:
        with open(os.path.join(made, "random.rays"), "w", encoding="utf-8") as file:
            file.write(random_ray_pipelines.text_of(1))
        environment = os.environ | {"VK_DRIVER_FILES": os.path.join(build, "icd", "kiln_icd.json"), "KILN_DEVICES": "gfx1100"}
        subprocess.run([os.path.join(build, "bin", "kiln-exec"), "scripts", "--quiet", "--captures=" + folder,
                        *glob.glob(os.path.join(ROOT, "test", "exec", "scripts", "rays", "*.rays")), made],
                       env=environment, check=True)


def add_example(folder):
    names = ("camera.rgen", "sky.rmiss", "light.rmiss", "mesh.rchit", "sphere.rint", "sphere.rchit")
    Folder(folder).add([(name.split(".")[1], os.path.join(ROOT, "examples", "rays", name)) for name in names],
                       [(0, None, None), (1, None, None), (2, None, None), (None, 3, None), (None, 5, 4)],
                       ("ACCELERATION_STRUCTURE_KHR", "STORAGE_BUFFER"), depth=5)


def add_materials(folder):
    with tempfile.TemporaryDirectory() as made:
        def file_of(kind, text):
            path = os.path.join(made, f"{len(os.listdir(made))}.{kind}")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return kind, path
        fixed = [file_of("rgen", PATHS), file_of("rmiss", SKY), file_of("rmiss", SUN)]
        surfaces = [file_of("rchit", MATERIAL.replace("NUMBER", str(i + 1))) for i in range(64)]
        for count in (1, 4, 16, 64):
            Folder(folder).add(fixed + surfaces[:count],
                               [(i, None, None) for i in range(3)] + [(None, 3 + i, None) for i in range(count)],
                               ("ACCELERATION_STRUCTURE_KHR", "STORAGE_BUFFER", "STORAGE_BUFFER", "COMBINED_IMAGE_SAMPLER"),
                               depth=1, push=72)


def main():
    build, folder = sys.argv[1:]
    add_scripts(build, os.path.join(folder, "pipelines", "scripts"))
    add_materials(os.path.join(folder, "pipelines", "materials"))
    add_example(os.path.join(folder, "example", "pipelines", "examples"))


if __name__ == "__main__":
    main()
