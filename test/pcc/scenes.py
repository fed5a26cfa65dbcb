# SPDX-License-Identifier: MIT
"""What each pipeline of pipelines.py is executed with, and what must come out: formulas, from the
shaders' sources and the specification. The format of scenes and results: execute/Scene.h."""
import math
import struct

SIDE, TEXELS = 64, 8  # of targets, and of images that are sampled
CLEAR = (0.2, 0.4, 0.6, 0.8)
BOTH_HALVES = [[3, 1, 0], [3, 1, 1]]  # vertices, instances, first: all pixels, each once


def floats(*values):
    return list(struct.unpack(f"<{len(values)}I", struct.pack(f"<{len(values)}f", *values)))


def packed(data):
    """Bytes as words."""
    data = bytes(data)
    return list(struct.unpack(f"<{len(data) // 4}I", data))


class Wrong(Exception):
    """A value that does not come from the formula."""


class Result:
    """What has come out."""

    def __init__(self, json):
        self.json = json

    def numbers(self, place, kind="I"):
        """A resource's contents; kind: as for struct."""
        data = bytes.fromhex(self.json["resources"][place] if place != "pointee" else self.json["pointee"])
        return list(struct.unpack(f"<{len(data) // struct.calcsize(kind)}{kind}", data))

    def pixels(self, target, kind, list_="targets"):
        """Tuples of a target's texels, all layers; kind: of one, as for struct."""
        return list(struct.iter_unpack("<" + kind, bytes.fromhex(self.json[list_][target])))


def expect_close(found, wanted, tolerance, where):
    for one, other in zip(found, wanted, strict=True):
        if not abs(one - other) <= tolerance:
            raise Wrong(f"{where}: {tuple(found)}, expected {tuple(wanted)}")


def expect_equal(found, wanted, where=""):
    if found != wanted:
        first = next((i for i, (a, b) in enumerate(zip(found, wanted)) if a != b), "the end")
        raise Wrong(f"{where} element {first}: {found[:80]}, expected {wanted[:80]}")


def scene(check, **members):
    """A scene, and a function of its Result that raises Wrong."""
    return members, check


# ---- Compute

def adds(amount, changed):
    """The first numbers of a buffer grow; two workgroups are dispatched."""
    start = [7 * i + 1 for i in range(256)]

    def check(result):
        wanted = [v + (amount if i < changed else 0) for i, v in enumerate(start)]
        expect_equal(result.numbers("0/0/0")[:256], wanted)
    return scene(check, groups=[2, 1, 1], resources={"0/0/0": start})


def scales(function, changed):
    start = [0.5 * i - 9 for i in range(256)]

    def check(result):
        wanted = [function(v) if i < changed else v for i, v in enumerate(start)]
        expect_equal(result.numbers("0/0/0", "f")[:256], wanted)
    return scene(check, groups=[2, 1, 1], resources={"0/0/0": floats(*start)})


def pushed():
    def check(result):
        wanted = [v + i if i < 50 else 0 for i in range(64) for v in (10, 20, 30, 40)]
        expect_equal(result.numbers("0/0/0")[:256], wanted)
    return scene(check, groups=[2, 1, 1], push=[9, 9, 9, 9, 10, 20, 30, 40, 50])


def sums(moved):
    """moved: words that dynamic offsets skip."""
    def check(result):
        wanted = [3 * i + 100 * (i & 3) for i in range(64)]
        expect_equal(result.numbers("2/5/0")[moved:moved + 64], wanted)
    skipped = [0xBAD] * moved
    return scene(check, groups=[2, 1, 1], resources={
        "0/5/0": skipped + [3 * i for i in range(64)],
        "3/1/0": skipped + [n for i in range(4) for n in (100 * i, 7, 7, 7)]})


def inline_block():
    scale, bias = (2.0, 0.5, -1.0, 4.0), (1.0, 2.0, 3.0, -4.0)

    def check(result):
        wanted = [i * s + b for i in range(32) for s, b in zip(scale, bias)]
        expect_equal(result.numbers("0/1/0", "f")[:128], wanted)
    return scene(check, resources={"0/0/0": floats(*scale, *bias),
                                   "0/1/0": floats(*(float(i) for i in range(32) for _ in scale))})


def texel_buffers():
    def check(result):
        expect_equal(result.numbers("0/1/0")[:64], [10 * i + 3 * (63 - i) for i in range(64)])
    return scene(check, resources={"0/0/0": floats(*(3.0 * i for i in range(64))),
                                   "0/1/0": [10 * i for i in range(64)]})


def subgroups(*sizes):
    start = [i * i for i in range(128)]

    def check(result):
        wanted = []
        for size in sizes:
            wanted.append([sum(start[i // size * size:i // size * size + size]) + size for i in range(128)])
        if result.numbers("0/0/0")[:128] not in wanted:
            raise Wrong(f"{result.numbers('0/0/0')[:128]}, expected one of {wanted}")
    return scene(check, resources={"0/0/0": start})


def descriptor_array():
    def check(result):
        expect_equal(result.numbers("0/0/0")[:64], [1000 * (i & 7) + i for i in range(64)])
    return scene(check, groups=[2, 1, 1], resources={
        f"0/3/{k}": [1000 * k + i for i in range(64)] for k in range(8)})


def addresses():
    values = [(1 << 40) + i for i in range(100)]

    def check(result):
        expect_equal(result.numbers("pointee", "Q"), [v * 3 if i < 64 else v for i, v in enumerate(values)])
    return scene(check, groups=[2, 1, 1], pointee=packed(struct.pack("<100Q", *values)), pointerAt=0)


# ---- Sampling

def texel(x, y):
    """RGBA of an image, different everywhere."""
    return (10 * x + y, 5 * y + 7, 3 * x + 4 * y, 90 - x)


IMAGE = packed(c for y in range(TEXELS) for x in range(TEXELS) for c in texel(x, y))
BLACK = packed([0] * TEXELS * TEXELS * 4)


def bilinear(at, fetch):
    """Linear filtering at (u, v) in 0 to 1; fetch(x, y) also of places outside."""
    u, v = at[0] * TEXELS - 0.5, at[1] * TEXELS - 0.5
    x, y = math.floor(u), math.floor(v)
    parts = [((1 - abs(u - i)) * (1 - abs(v - j)), fetch(i, j)) for i in (x, x + 1) for j in (y, y + 1)]
    return tuple(sum(weight * value[c] for weight, value in parts) for c in range(len(parts[0][1])))


def edge(value):
    return min(max(value, 0), TEXELS - 1)


def unorm(x, y):
    return tuple(c / 255 for c in texel(edge(x), edge(y)))


def unorm_with_border(border):
    """Where u is clamped to the border."""
    return lambda x, y: unorm(x, y) if 0 <= x < TEXELS else border


def sampled():
    """Twice the image in the middle of its first texels, the second time by the array's element 1."""
    def check(result):
        found = result.numbers("0/2/0", "B")
        for i in range(64):
            at = (i % 8 + 0.5) / 64, (i // 8 + 0.5) / 64
            wanted = [2 * c for c in bilinear(at, unorm)]
            expect_close([c / 255 for c in found[4 * i:4 * i + 4]], wanted, 2.5 / 255, f"texel {i}")
    return scene(check, resources={"0/0/0": IMAGE, "0/1/0": BLACK, "0/1/1": IMAGE})


CB, CR = 90, 170


def luma(x, y):
    return (60 + 8 * edge(x) + 3 * edge(y),)


def rgb_of(y):
    """BT.709, narrow range."""
    kr, kb = 0.2126, 0.0722
    y, cb, cr = (y - 16) / 219, (CB - 128) / 224, (CR - 128) / 224
    return (y + 2 * (1 - kr) * cr,
            y - (2 * kb * (1 - kb) * cb + 2 * kr * (1 - kr) * cr) / (1 - kr - kb),
            y + 2 * (1 - kb) * cb, 1.0)


LUMA = [luma(x, y)[0] for y in range(TEXELS) for x in range(TEXELS)]


def converted():
    planes = packed(LUMA + [CB, CR] * (TEXELS * TEXELS // 4))

    def check(result):
        found = result.numbers("0/1/0", "f")
        for i in range(64):
            wanted = rgb_of(bilinear((i % 8 / 8, i // 8 / 8), luma)[0])
            expect_close(found[4 * i:4 * i + 4], wanted, 0.012, f"element {i}")
    return scene(check, resources={"0/0/0": planes})


# ---- Draws. Functions of pixels get their places in 0 to 1, and give None where any value is right.

def places():
    for y in range(SIDE):
        for x in range(SIDE):
            yield (x + 0.5) / SIDE, (y + 0.5) / SIDE


def check_target(result, color, target=0, tolerance=1.01 / 255, layer=0):
    found = result.pixels(target, "4B")[layer * SIDE * SIDE:(layer + 1) * SIDE * SIDE]
    for at, pixel in zip(places(), found, strict=True):
        wanted = color(*at)
        if wanted is not None:
            expect_close([c / 255 for c in pixel], [min(max(c, 0), 1) for c in wanted], tolerance,
                         f"target {target}, layer {layer}, {at}")


def draw(color, draws=None, tolerance=1.01 / 255, **members):
    return scene(lambda result: check_target(result, color, tolerance=tolerance),
                 draws=draws or BOTH_HALVES, clears=[floats(*CLEAR)], **members)


def plain(x, y):
    return (x, y, 0, 1)


def is_edge(*values):
    return any(abs(value) < 1e-3 for value in values)


def twice_by_geometry(x, y):
    if is_edge(x + y - 1, x - 0.5 + y - 1):
        return None
    if x > 0.5 and x - 0.5 + y < 1:
        return (x - 0.5, y, 0, 1)
    return plain(x, y) if x + y < 1 else CLEAR


def wedge(x, y):
    """Vertices (0, 0), (1, 1), (2, 4) in normalized device coordinates."""
    x, y = 2 * x - 1, 2 * y - 1
    if min(abs(x - y), abs(2 * x - y)) < 0.05:
        return None
    return (1, 0.5, 0.5, 1) if x < y < 2 * x else CLEAR


def sines(x, y):
    x, y = 2 * x - 1, 2 * y - 1
    if not (0 < x < 0.25 and 0 < y < 0.25):
        return CLEAR
    return (math.sin(x) + math.sin(2 * x), math.sin(y) + math.sin(2 * y), 0, 1)


def second_half(x, y):
    return None if is_edge(x + y - 1) else plain(x, y) if x + y > 1 else CLEAR


def diagonal_line(x, y):
    if x < 0.05 or y < 0.05:
        return None  # ends of lines
    return plain(x, y) if is_edge(x + y - 1) else CLEAR


def vertex_inputs():
    """Three instances with the numbers (1, 1), and one, in front of them, with (0, 1)."""
    corners = b"".join(struct.pack("<3fI", 2 * (i & 1) - 1, 2 * (i >> 1) - 1, 0.5,
                                   1023 * (i & 1) | 3 << 30) for i in range(4))
    instances = struct.pack("<IHHI", 0, 1, 1, 0) + struct.pack("<IHHI", 0, 0, 1, 0)
    return draw(lambda x, y: (x, 1, 0, 1), [[3, 4, 0], [3, 4, 1]],
                vertexBuffers={"0": packed(corners), "2": packed(instances)})


def nothing_drawn():
    def check(result):
        expect_equal(result.numbers("0/0/0", "f")[:32], [1.0 if i % 4 == 0 and i < 20 else 8.0 for i in range(32)])
        check_target(result, lambda x, y: CLEAR)
    return scene(check, draws=[[5, 1, 0]], clears=[floats(*CLEAR)], resources={"0/0/0": floats(*[8.0] * 32)})


def pushed_transform():
    tint = (0.5, 1.0, 0.75, 0.25)
    transform = (2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, -1, -1, 0.5, 1)
    return draw(lambda x, y: (tint[0] * x, tint[1] * y, tint[2] * x, tint[3] * y),
                push=floats(*transform, *tint))


def views(*numbers):
    def check(result):
        for view in numbers:
            def color(x, y, view=view):
                x, y = 2 * x - 1, 2 * y - 1
                return (view, 0, 0, 1) if -0.5 * view < x < 1 - 0.5 * view and y > 0 else CLEAR
            check_target(result, color, layer=view)
    return scene(check, draws=BOTH_HALVES, clears=[floats(*CLEAR)])


def input_attachment():
    def check(result):
        check_target(result, lambda x, y: CLEAR)
        check_target(result, lambda x, y: tuple(c * x for c in CLEAR), target=1)
    return scene(check, draws=BOTH_HALVES, clears=[floats(*CLEAR), floats(0, 0, 0, 0)])


def dynamic_rendering():
    def check(result):
        for at, color, depth in zip(places(), result.pixels(0, "4f"), result.pixels(2, "f"), strict=True):
            if is_edge(sum(at) - 1):
                continue
            expect_close(color, plain(*at) if sum(at) < 1 else CLEAR, 1e-4, at)
            expect_close(depth, [0.5 if sum(at) < 1 else 1.0], 1e-6, at)
    return scene(check, draws=[[3, 1, 0]], clears=[floats(*CLEAR), [0] * 4, floats(1, 0, 0, 0)])


def multisampling():
    """Of the four samples the first and third may be covered, if alpha says so, which devices are
    free in; what is resolved is their mean."""
    def check(result):
        covered = 0
        for at, pixel in zip(places(), result.pixels(1, "4B"), strict=True):
            if is_edge(sum(at) - 1):
                continue
            pixel = [c / 255 for c in pixel]
            blues = {(): CLEAR[2], (0,): CLEAR[2] * 3 / 4, (2,): CLEAR[2] * 3 / 4 + 0.25,
                     (0, 2): CLEAR[2] / 2 + 0.25}
            samples = min(blues, key=lambda s, blue=pixel[2]: abs(blues[s] - blue))
            part = len(samples) / 4
            covered += len(samples)
            wanted = [c * (1 - part) + new * part for c, new in zip(CLEAR, (*at, 0, 0.5))]
            wanted[2] = blues[samples]
            expect_close(pixel, wanted, 0.02, at)
        if not SIDE * SIDE / 2 < covered < 2 * SIDE * SIDE:
            raise Wrong(f"{covered} samples are covered")
    return scene(check, draws=BOTH_HALVES, clears=[floats(*CLEAR), floats(*CLEAR)])


def depth_and_stencil():
    def check(result):
        check_target(result, lambda x, y: (1, 1, 1, 1) if x < 0.75 else CLEAR)
        for at, depth, stencil in zip(places(), result.pixels(1, "f"), result.pixels(1, "B", "stencils"),
                                      strict=True):
            expect_close(depth, [0.5 * at[1] if at[0] < 0.75 else 1.0], 1e-4, at)
            expect_equal(stencil, (7,), at)
    return scene(check, draws=BOTH_HALVES, clears=[floats(*CLEAR), [*floats(1.0), 7, 0, 0]])


def dual_source(x, y):
    color, factor = (x, y, x, y), (y, x, 0.5, 0.5)
    return tuple(c * f + old * (1 - f) for c, f, old in zip(color, factor, CLEAR))


def small_floats(word):
    """VK_FORMAT_B10G11R11_UFLOAT_PACK32"""
    def one(bits, mantissa):
        exponent, part = bits >> mantissa, (bits & ((1 << mantissa) - 1)) / (1 << mantissa)
        return part * 2.0 ** -14 if exponent == 0 else (1 + part) * 2.0 ** (exponent - 15)
    return one(word & 0x7FF, 6), one(word >> 11 & 0x7FF, 6), one(word >> 22, 5)


def srgb(value):
    return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055


def many_targets():
    def check(result):
        for at, one, two, four in zip(places(), result.pixels(0, "I"), result.pixels(1, "2B"),
                                      result.pixels(3, "2e"), strict=True):
            expect_close(small_floats(one[0]), (*at, at[0]), 0.02, at)
            expect_close(two, [math.floor(c * 255) for c in at], 1, at)
            expect_close(four, [0.25 + c * 0.5 for c in at], 2e-3, at)
        encoded = tuple(srgb(c) for c in CLEAR[:3]) + (CLEAR[3],)
        check_target(result, lambda x, y: encoded, target=2)
    return scene(check, draws=BOTH_HALVES, clears=[
        floats(*CLEAR), [1, 2, 3, 4], floats(*CLEAR), floats(0.25, 0.25, 0, 0)])


def exclusive_or(x, y):
    return tuple((math.floor(c * 255 + 0.5) ^ math.floor(old * 255 + 0.5)) / 255
                 for c, old in zip(plain(x, y), CLEAR))


def textured(fetch=unorm):
    return draw(lambda x, y: bilinear((x, y), fetch), tolerance=3 / 255, resources={"1/2/0": IMAGE})


def textured_with_conversion():
    planes = packed(LUMA + [CB] * TEXELS * TEXELS + [CR] * TEXELS * TEXELS)
    return draw(lambda x, y: rgb_of(bilinear((x, y), luma)[0]), tolerance=4 / 255,
                resources={"1/2/0": planes})


def compute_scenes():
    for name in ("plain", "robustness-of-stage", "robustness-of-device", "features-behind-others",
                 "flags-and-identifier-in-chain", "null-for-all-that-is-empty", "trailing-commas",
                 "file name, with blanks", "uuid-and-another-in-the-chain", "zeros-in-the-chain"):
        yield name, adds(3, 128)
    yield "entry-one-of-two", adds(1, 128)
    yield "entry-two-of-two", adds(2, 64)
    for name in ("array", "base64"):
        yield "specialization-" + name, scales(lambda v: 5 * v + 1.25, 96)
    yield "specialization-none", scales(lambda v: 0.0, 2)
    for name in ("push-constants", "numbers-as-strings", "zeros-in-another-chain"):
        yield name, pushed()
    yield "one-layout-for-two-sets", sums(0)
    yield "dynamic-buffers", sums(64)
    yield "inline-uniform-block", inline_block()
    yield "immutable-samplers", sampled()
    yield "ycbcr", converted()
    yield "texel-buffers", texel_buffers()
    yield "subgroup-size-64", subgroups(64)
    yield "subgroup-size-32-alias", subgroups(32)
    yield "subgroup-size-varying", subgroups(8, 32, 64)
    yield "descriptor-array", descriptor_array()
    yield "buffer-addresses", addresses()


def graphics_scenes():
    for name in ("plain", "render-pass-2", "viewports-of-dynamic-state", "robustness-of-pipeline",
                 "old-files", "numbers-as-strings", "tessellation", "queries-of-device"):
        yield name, draw(plain)
    yield "vertex-input", vertex_inputs()
    # One patch of three points, and one of four whose first point is left out.
    yield "dynamic-control-points", draw(plain, [[3, 1, 0], [4, 1, 0]], patches=[3, 4])
    yield "geometry", draw(twice_by_geometry, [[3, 1, 0]])
    yield "nothing-is-drawn", nothing_drawn()
    yield "two-stages-in-a-module", draw(wedge, [[3, 1, 0]])
    yield "push-constants", pushed_transform()
    yield "specialization", draw(sines)
    yield "multiview-of-render-pass-1", views(0, 2)
    yield "multiview-of-render-pass-2", views(0, 1)
    for number in "12":
        yield "input-attachments-of-render-pass-" + number, input_attachment()
    yield "dynamic-rendering", dynamic_rendering()
    yield "multisampling", multisampling()
    yield "depth-and-stencil", depth_and_stencil()
    yield "dual-source-blending", draw(dual_source, tolerance=2.01 / 255)
    yield "many-targets", many_targets()
    yield "logic-operation", draw(exclusive_or, tolerance=0)
    yield "immutable-sampler", textured(unorm_with_border((1, 1, 1, 1)))
    yield "custom-border-color", textured(unorm_with_border((0.25, 0.5, 0.75, 1)))
    yield "ycbcr", textured_with_conversion()
    for name in ("border-color-that-nobody-sees", "infinities", "infinities-as-short-as-can-be",
                 "infinities-of-400-digits"):
        yield name, textured()
    yield "rasterization-chain", draw(second_half)
    yield "line-stipple", draw(diagonal_line, [[2, 1, 1]])


def all_scenes():
    """(scene for kiln-pcc-execute, check) of every pipeline by the name of its file."""
    scenes = {}
    for kind, each in (("compute", compute_scenes()), ("graphics", graphics_scenes())):
        for name, (members, check) in each:
            file = f"{kind}-{name}.json"
            scenes[file] = {"file": file, **members}, check
    return scenes
