# SPDX-License-Identifier: MIT
"""One scene for each kind of graphics pipeline (kinds.py), as scripts of test/exec: the same modules and state, with resources."""
import os

COMMON = """//! buffer 0.0 uniform f32 : 0.9 0.1 0 0  -0.1 0.8 0 0  0 0 0.9 0  0.05 -0.1 0.05 1
//! image image r8g8b8a8_unorm 2d 8x8 : u8 {texels}
//! sampler sampler filter={filter} wrap=repeat
//! bind 0.1 combined image sampler
//! push f32 : 0.9 0.8 0.7 {alpha}
"""
VERTICES = """//! buffer positions none f32 : -0.9 -0.8 0.1  0.9 -0.6 0.5  -0.3 0.9 0.9  0.8 0.9 0.2  -0.7 0.6 0.3  0.1 -0.9 0.8
//! buffer coordinates none i16 : 0 0 9000 20000  0 0 25000 4000  0 0 14000 31000
//! vertex 0 positions 12
//! vertex 1 coordinates 8 instance=1
//! attribute 0 0 r32g32b32_sfloat 0
//! attribute 1 1 r16g16_snorm 4
"""
BLEND = "srca,1-srca,add,one,zero,add"
DRAW = "draw 6 instances=3"
NEAR = "~abs=2 ~outliers=48"


def scene(shaders, state="topology=triangles", samples=1, layers=1, formats=("r8g8b8a8_unorm",), blends=None, lines=(), filtered="linear",
          draw=DRAW, compares=None, texels="random(5,256)", alpha=0.6):
    """The lines of a script; `formats` of colour targets, of which the first is compared."""
    kind = "2d-array" if layers > 1 else "2d"
    size = f"32x32 layers={layers}" if layers > 1 else "32x32"
    more = f" layers={layers}" if layers > 1 else ""
    text = COMMON.format(filter=filtered, texels=texels, alpha=alpha) + ("" if "mesh.mesh" in shaders else VERTICES)
    for number, name in enumerate(formats):
        sampled = f" samples={samples}" if samples > 1 else ""
        text += f"//! image target{number} {name} {kind} {size}{sampled}\n"
        resolve = ""
        if samples > 1:
            text += f"//! image resolved{number} {name} 2d 32x32\n"
            resolve = f" resolve=resolved{number}"
        text += f"//! color {number} target{number} clear=0.1,0.2,0.3,1{resolve}{more}\n"
        text += f"//! blend {number} {(blends or {}).get(number, BLEND + ' mask=rgba')}\n"
    text += f"//! image depth d32_sfloat {kind} {size}" + (f" samples={samples}" if samples > 1 else "") + "\n"
    text += f"//! depth depth clear=1{more}\n"
    text += f"//! state {state} depth=less depthwrite=1\n"
    text += "".join(f"//! {line}\n" for line in lines) + f"//! {draw}\n"
    compares = compares or [f"{'resolved' if samples > 1 else 'target'}0 u8 {NEAR}"]
    text += "".join(f"//! compare {line}\n" for line in compares)
    return text, shaders


VF = ["plain.vert", "plain.frag"]
FOUR = "topology=triangles samples=4"
SCENES = {
    "vertex-fragment": scene(VF),
    "samples-4": scene(VF, FOUR + " sampleshading=1", samples=4),
    "multiview": scene(["view.vert", "plain.frag"], layers=2, lines=["requires multiview", "pass dynamic views=3 layers=2"]),
    "vertex-only": scene(["plain.vert"], formats=(), compares=["depth f32 ~abs=1e-5 ~outliers=16"]),
    "tessellation": scene(["plain.vert", "tess.tesc", "tess.tese", "plain.frag"], "topology=patches patch=3"),
    "geometry": scene(["plain.vert", "geom.geom", "plain.frag"]),
    "tessellation-geometry": scene(["plain.vert", "tess.tesc", "tess.tese", "geom.geom", "plain.frag"], "topology=patches patch=3"),
    "transform-feedback": scene(["xfb.vert", "plain.frag"], lines=[
        "requires transformFeedback", "buffer captured none u32 : 0xDEADBEEF*48", "feedback 0 captured"],
        compares=[f"target0 u8 {NEAR}", "captured f32 ~abs=1e-6"]),
    "task-mesh": scene(["task.task", "mesh.mesh", "plain.frag"], "", lines=["requires taskShader meshShader"], draw="mesh 3 2 1"),
    "gather": scene(["plain.vert", "gather.frag"], filtered="nearest"),
    "dynamic-topology-stride": scene(VF, "topology=triangle-strip"),
    "dynamic-samples-blend": scene(VF, FOUR, samples=4, blends={0: "one,one,sub,one,one,max mask=rba"}),
    # Coverage by alphas of 0 and 1, between which devices may choose.
    "alpha-to-coverage": scene(VF, FOUR + " alphatocoverage=1", samples=4, formats=("r16g16b16a16_sfloat", "r8g8b8a8_unorm"),
                               blends={1: BLEND + " mask=none"}, filtered="nearest", alpha=1,
                               texels="eval 256 { i % 4 != 3 ? i * 37 % 256 : i / 4 % 3 == 0 ? 0 : 255 }", compares=["resolved0 f16 ~abs=2e-3 ~outliers=48"]),
    "dynamic-vertex-input": scene(VF),
}
# Not here: "compute-subgroups", which kiln-exec makes inputs for, and "ycbcr", whose planes amdTests binds.


def write(folder, modules):
    """Writes all of them into `folder`. Returns their paths by kind; `modules`: SPIR-V files by name."""
    os.makedirs(folder, exist_ok=True)
    paths = {}
    for name, (text, shaders) in SCENES.items():
        paths[name] = os.path.join(folder, name + ".draw")
        with open(paths[name], "w", encoding="utf-8") as file:
            file.write(text)
            for shader in shaders:
                file.write(f"[{shader.split('.')[1]} file {modules[shader]}]\n")
    return paths
