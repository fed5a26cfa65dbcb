#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A scripted editor debugs steps.comp, memory.comp and draws, with `kiln-debug --dap`, on every family; what it finds follows from the shader by hand. Then the
same as text, and messages that nobody should send. A ctest test (`debug`).

    dap.py --program kiln-debug
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SHADER = os.path.join(HERE, "Inputs", "steps.comp")
DRAW = [os.path.join(HERE, "Inputs", name) for name in ("draw.vert", "draw.frag")]
MEMORY = os.path.join(HERE, "Inputs", "memory.comp")
STAGES = os.path.join(HERE, "Inputs", "stages.pipe")
MESH = os.path.join(HERE, "Inputs", "mesh.pipe")
SAMPLES = os.path.join(HERE, "Inputs", "samples.pipe")
TARGETS = ("gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201")
problems = []


def expect(what, found, wanted):
    if found != wanted:
        problems.append(f"{what}: {found!r}, not {wanted!r}")


class Client:
    def __init__(self, program):
        self.process = subprocess.Popen([program, "--dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.sequence = 0
        self.events = []

    def read(self):
        length = 0
        while True:
            line = self.process.stdout.readline()
            if not line:
                return None
            if line == b"\r\n":
                return json.loads(self.process.stdout.read(length))
            length = int(line.split(b":")[1])

    def request(self, command, success=True, **arguments):
        self.sequence += 1
        text = json.dumps({"seq": self.sequence, "type": "request", "command": command, "arguments": arguments}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        self.process.stdin.flush()
        while True:
            message = self.read()
            if message is None:
                problems.append(f"{command}: no answer")
                return {}
            if message["type"] == "event":
                self.events.append(message)
                continue
            expect(f"{command}: success", message["success"], success)
            expect(f"{command}: request_seq", message["request_seq"], self.sequence)
            return message.get("body", {})

    def event(self, name):
        while True:
            for i, event in enumerate(self.events):
                if event["event"] == name:
                    return self.events.pop(i)["body"]
            message = self.read()
            if message is None:
                problems.append(f"event {name}: none")
                return {}
            self.events.append(message)

    def stopped(self, reason, line, function, path=SHADER):
        body = self.event("stopped")
        expect("reason", body.get("reason"), reason)
        frames = self.request("stackTrace", threadId=body["threadId"])["stackFrames"]
        expect("place", (frames[0]["name"], frames[0]["line"]), (function, line))
        expect("file", frames[0]["source"]["path"], path)
        return body["threadId"], frames

    def variables(self, frame):
        scope = self.request("scopes", frameId=frame)["scopes"][0]
        return {v["name"]: v for v in self.request("variables", variablesReference=scope["variablesReference"])["variables"]}

    def value(self, frame, expression):
        return self.request("evaluate", expression=expression, frameId=frame).get("result")


def start(program, target, lines, shader=SHADER, file=SHADER, **more):
    client = Client(program)
    expect("configurationDone", client.request("initialize", adapterID="kiln")["supportsConfigurationDoneRequest"], True)
    client.request("launch", program=shader, target=target, **more)
    client.event("initialized")
    found = client.request("setBreakpoints", source={"path": file}, breakpoints=[{"line": line} for line in lines])["breakpoints"]
    client.request("configurationDone")
    return client, found


def finish(client):
    client.request("disconnect")
    expect("exit code", client.process.wait(timeout=60), 0)


def debug(program, target):
    client, found = start(program, target, [7, 27, 99], invocation=[5, 0, 0])
    expect("breakpoints", [(b["verified"], b.get("line")) for b in found], [(True, 8), (True, 27), (False, None)])
    thread, frames = client.stopped("breakpoint", 8, "scaled")
    expect("stack", [(f["name"], f["line"]) for f in frames], [("scaled", 8), ("main", 24)])
    names = {t["name"] for t in client.request("threads")["threads"]}
    expect("invocations", ("invocation (5, 0, 0)" in names, "invocation (4, 1, 0)" in names, len(names)), (True, True, 16))
    inner, outer = frames[0]["id"], frames[1]["id"]
    expect("x", client.value(inner, "x"), "0")
    expect("by", client.value(inner, "by"), "(2, 1.5)")
    values = client.variables(outer)
    expect("types", [values[n]["type"] for n in ("i", "v", "m", "light", "k")], ["uint", "vec4", "mat2x3", "Light", "int"])
    expect("v", values["v"]["value"], "(5, 1.5, -2, 0.125)")
    expect("m", values["m"]["value"], "((1, 2, 3), (4, 5, 5))")
    light = {v["name"]: v for v in client.request("variables", variablesReference=values["light"]["variablesReference"])["variables"]}
    expect("light", {n: v["value"] for n, v in light.items()}, {"color": "(0.25, 5, 4)", "power": "3", "ids": "(7, 2, -1)", "on": "true"})
    expect("a part", client.value(outer, "light.ids[1]"), "2")
    expect("a component", client.value(outer, "m[1].z"), "5")
    client.request("evaluate", success=False, expression="light.nothing", frameId=outer)
    expect("another invocation", client.value(outer - 4096, "v.x"), "4")

    client.request("next", threadId=thread)
    _, frames = client.stopped("step", 9, "scaled")
    expect("result", client.value(frames[0]["id"], "result"), "0")
    client.request("next", threadId=thread)
    _, frames = client.stopped("step", 10, "scaled")
    expect("result", client.value(frames[0]["id"], "result"), "1.5")
    client.request("stepOut", threadId=thread)
    _, frames = client.stopped("step", 24, "main")
    expect("counter", client.value(frames[0]["id"], "counter"), "1.5")
    client.request("setBreakpoints", source={"path": SHADER}, breakpoints=[{"line": 27}])
    client.request("continue", threadId=thread)
    _, frames = client.stopped("breakpoint", 27, "main")
    expect("sum", client.value(frames[0]["id"], "sum"), "10.5")
    client.request("stepIn", threadId=thread)
    _, frames = client.stopped("step", 31, "main")
    expect("sum", client.value(frames[0]["id"], "sum"), "-10.5")
    expect("lanes that are here", len(client.request("threads")["threads"]), 16)
    client.request("continue", threadId=thread)
    client.event("terminated")
    client.request("disconnect")
    expect("exit code", client.process.wait(timeout=60), 0)


def debug_divergence(program, target):
    """Only odd invocations come to line 27; without a chosen one the first that comes stops. A step into a function goes through it."""
    client, _ = start(program, target, [27])
    _, frames = client.stopped("breakpoint", 27, "main")
    expect("odd lanes", len(client.request("threads")["threads"]), 8)
    expect("i", client.value(frames[0]["id"], "i"), "1")
    client.request("disconnect")
    expect("exit code", client.process.wait(timeout=60), 0)
    client, _ = start(program, target, [24], invocation=[2, 1, 0])
    thread, _ = client.stopped("breakpoint", 24, "main")
    client.request("stepIn", threadId=thread)
    _, frames = client.stopped("step", 8, "scaled")
    client.request("disconnect")
    expect("exit code", client.process.wait(timeout=60), 0)


def debug_draw(program, target):
    """A triangle over the whole picture of 64 x 64 pixels: everything follows from the place of a pixel, or the number of a vertex."""
    vertex, fragment = DRAW
    client, _ = start(program, target, [13], DRAW, fragment, pixel=[40, 10])
    thread, frames = client.stopped("breakpoint", 13, "main", fragment)
    names = {t["id"]: t["name"] for t in client.request("threads")["threads"]}
    expect("pixel", names[thread], "pixel (40, 10), sample 0")
    expect("neighbour", "pixel (41, 10), sample 0" in names.values(), True)
    frame = frames[0]["id"]
    expect("inputs", [client.value(frame, n) for n in ("place", "first", "pixel")], ["(0.6328125, 0.1640625)", "7", "(40.5, 10.5)"])
    client.request("next", threadId=thread)
    client.stopped("step", 14, "main", fragment)
    client.request("stepIn", threadId=thread)
    client.stopped("step", 7, "shadeOf", fragment)
    client.request("next", threadId=thread)
    _, frames = client.stopped("step", 8, "shadeOf", fragment)
    expect("in a function", [client.value(frames[0]["id"], n) for n in ("x", "half_")], ["40.5", "20.25"])
    client.request("stepOut", threadId=thread)
    client.stopped("step", 14, "main", fragment)
    for line in (18, 19):
        client.request("next", threadId=thread)
        _, frames = client.stopped("step", line, "main", fragment)
    expect("output", client.value(frames[0]["id"], "color"), "(40.5, 10.5, 21.25, 7)")
    client.request("continue", threadId=thread)
    client.event("terminated")
    finish(client)

    client, _ = start(program, target, [16], DRAW, fragment, pixel=[8, 5])
    _, frames = client.stopped("breakpoint", 16, "main", fragment)
    expect("pixel", client.value(frames[0]["id"], "pixel"), "(8.5, 5.5)")
    finish(client)

    client, _ = start(program, target, [11], DRAW, vertex, vertex=1)
    _, frames = client.stopped("breakpoint", 11, "main", vertex)
    expect("inputs at the begin", client.value(frames[0]["id"], "gl_VertexIndex"), "1")
    finish(client)

    client, _ = start(program, target, [12], DRAW, vertex, vertex=2)
    thread, frames = client.stopped("breakpoint", 12, "main", vertex)
    names = {t["id"]: t["name"] for t in client.request("threads")["threads"]}
    expect("vertices", sorted(names.values()), [f"vertex {n}, instance 0" for n in range(3)])
    expect("vertex", [client.value(frames[0]["id"], n) for n in ("gl_VertexIndex", "at", "place")], ["2", "(-1, 3)", "(0, 0)"])
    client.request("next", threadId=thread)
    _, frames = client.stopped("step", 13, "main", vertex)
    expect("output", client.value(frames[0]["id"], "place"), "(0, 2)")
    expect("block without a name", client.value(frames[0]["id"], "gl_Position.x"), "0")
    finish(client)

    client, _ = start(program, target, [17], SAMPLES, SAMPLES, pixel=[20, 30], sample=2)
    _, frames = client.stopped("breakpoint", 17, "main", SAMPLES)
    # Standard position of sample 2 of four: (0.125, 0.625).
    expect("sample", client.value(frames[0]["id"], "shade"), "(20.125, 30.625, 2, 1)")
    finish(client)


def debug_stages(program, target):
    """Tessellation and geometry shaders, task and mesh shaders: a variable follows from the numbers that choose the invocation."""
    cases = [(STAGES, 19, {"control": [1, 2]}, "patch 1, invocation 2", "scaled", "120"),
             (STAGES, 19, {"control": [3]}, "patch 3, invocation 0", "scaled", "300"),
             (STAGES, 31, {"evaluation": [1, 0.5, 0.5]}, "patch 1, point (0.5000, 0.5000)", "at", "(2, 2)"),
             (STAGES, 31, {"evaluation": [2, 0, 1]}, "patch 2, point (0.0000, 1.0000)", "at", "(0, 4)"),
             (STAGES, 43, {"geometry": [1, 1]}, "primitive 1, invocation 1", "which", "11")]
    if target != "gfx1010":  # RDNA1 has no mesh shaders
        cases += [(MESH, 15, {"task": [2, 0, 0, 5]}, "workgroup (2, 0, 0), invocation 5", "number", "21"),
                  (MESH, 27, {"mesh": [1, 0, 0, 2]}, "workgroup (1, 0, 0), invocation 2", "place", "102")]
    for file, line, choice, name, variable, value in cases:
        client, _ = start(program, target, [line], file, file, **choice)
        thread, frames = client.stopped("breakpoint", line, "main", file)
        expect("one function", len(frames), 1)
        expect("invocation", {t["id"]: t["name"] for t in client.request("threads")["threads"]}.get(thread), name)
        expect(variable, client.value(frames[0]["id"], variable), value)
        finish(client)
    # Nobody is at such a point, and what chooses in one stage stops no other one.
    for line, choice in ((31, {"evaluation": [1, 0.25, 0.5]}), (43, {"control": [0]})):
        client, _ = start(program, target, [line], STAGES, STAGES, **choice)
        client.event("terminated")
        finish(client)


def debug_memory(program, target):
    """Buffers, push constants and memory of the workgroup, when all invocations have written there."""
    client, _ = start(program, target, [28], MEMORY, MEMORY, invocation=[3, 0, 0])
    _, frames = client.stopped("breakpoint", 28, "main", MEMORY)
    frame = frames[0]["id"]
    for expression, value in (("total", "12.5"), ("items[3]", "{at = (3, 2, 3), kind = 2}"), ("items[7].at.x", "7"),
                              ("m.turn", "((1, 2), (3, 4), (5, 6))"), ("m.rows", "((1, 2, 3), (4, 5, 6))"),
                              ("m.weights", "(7, 8, 9)"), ("count", "9"), ("tile[6]", "(6, 0.5)")):
        expect(expression, client.value(frame, expression), value)
    for expression, variable in (("push.scale", "scale"), ("push.size.x", "width")):
        expect(expression, client.value(frame, expression), client.value(frame, variable))
    values = client.variables(frame)
    expect("types", [values[n]["type"] for n in ("items", "m", "push", "tile", "count")], ["Item[]", "M", "P", "vec2[8]", "uint"])
    finish(client)
    # At the first statement of a function, too.
    client, _ = start(program, target, [11], MEMORY, MEMORY, invocation=[3, 0, 0])
    _, frames = client.stopped("breakpoint", 11, "keep", MEMORY)
    expect("types at the begin", [client.variables(f["id"])["items"]["type"] for f in frames], ["Item[]", "Item[]"])
    expect("arguments", client.value(frames[0]["id"], "i"), "3")
    finish(client)


ATTRIBUTE = """[VsGlsl]
#version 450
layout(location = 0) in vec4 place;
layout(location = 1) in vec4 value;
void main() {
  gl_Position = place + value;
}
[FsGlsl]
#version 450
layout(location = 0) out vec4 color;
void main() {
  color = vec4(0.5);
}
[GraphicsPipelineState]
colorBuffer[0].format = VK_FORMAT_TARGET
[VertexInputState]
binding[0].binding = 0
binding[0].stride = 64
attribute[0].location = 0
attribute[0].binding = 0
attribute[0].format = VK_FORMAT_R32G32B32A32_SFLOAT
attribute[1].location = 1
attribute[1].binding = 0
attribute[1].format = VK_FORMAT_ATTRIBUTE
attribute[1].offset = 16
"""
# What a component becomes in these formats: the range and the step that it has.
FORMATS = [("A2B10G10R10_SNORM_PACK32", [(-1, 1, 511)] * 3 + [(-1, 1, 1)]), ("A2R10G10B10_UNORM_PACK32", [(0, 1, 1023)] * 3 + [(0, 1, 3)]),
           ("B8G8R8A8_UNORM", [(0, 1, 255)] * 4), ("A8B8G8R8_SNORM_PACK32", [(-1, 1, 127)] * 4), ("R16G16B16A16_SNORM", [(-1, 1, 32767)] * 4),
           ("R8G8B8A8_SSCALED", [(-128, 127, 1)] * 4)]


def debug_formats(program, work):
    """Attributes in formats with fewer bits have the nearest of the values that they have as floats; targets in formats of all orders."""
    def stop(attribute, target, line):
        with open(work, "w", encoding="utf-8") as file:
            file.write(ATTRIBUTE.replace("ATTRIBUTE", attribute).replace("TARGET", target))
        choice = ["--vertex=5"] if line == 6 else []
        return subprocess.run([program, f"--break={line}", *choice, work], capture_output=True, text=True, timeout=60, check=False)

    def value(run):
        lines = [line for line in run.stdout.splitlines() if line.startswith("    vec4 value = ")]
        return [float(part) for part in lines[0].split("(")[1].rstrip(")").split(",")] if lines else []

    exact = value(stop("R32G32B32A32_SFLOAT", "R8G8B8A8_UNORM", 6))
    expect("floats", len(exact), 4)
    for name, ranges in FORMATS:
        found = value(stop(name, "R8G8B8A8_UNORM", 6))
        wanted = [round(min(max(x, low), high) * steps) / steps for x, (low, high, steps) in zip(exact, ranges)]
        expect(name, [round(x, 6) for x in found], [round(x, 6) for x in wanted])
    for target in ("B8G8R8A8_UNORM", "B8G8R8A8_SRGB", "R5G6B5_UNORM_PACK16", "B10G11R11_UFLOAT_PACK32", "A2B10G10R10_UNORM_PACK32"):
        run = stop("R32G32B32A32_SFLOAT", target, 12)
        expect(target, (run.returncode, run.stderr), (0, ""))
    # What is not there is said, by its name.
    run = stop("R32G32B32A32_SFLOAT", "B4G4R4A4_UNORM_PACK16", 12)
    expect("no such target", (run.returncode, "unsupported: debugging with generated inputs: " in run.stderr), (3, True))
    # The push constants of a function are those of its call; those of a mesh shader are there at its first statement, too.
    examples = os.path.join(HERE, "..", "..", "examples")
    run = subprocess.run([program, "--break=25", os.path.join(examples, "terrain.pipe")], capture_output=True, text=True, timeout=60, check=False)
    inner = run.stdout.partition("  main, ")[0]
    expect("push constants", ("    vec2 eye = (" in inner, "vec2 eye = (0, 0)" in inner), (True, False))
    run = subprocess.run([program, "--break=64", os.path.join(examples, "meshlets.pipe")], capture_output=True, text=True, timeout=60, check=False)
    expect("at the first statement", ("Meshlet[] meshlets = ({" in run.stdout, "uint meshletCount = 0" in run.stdout), (True, False))


def debug_badly(program):
    client = Client(program)
    client.request("threads")
    for command in ("setBreakpoints", "configurationDone", "continue", "fly"):
        client.request(command, success=False)
    client.request("launch", success=False, program="/nowhere.comp")
    client.request("launch", success=False, program=7)
    client.request("launch", program=SHADER, invocation="all")
    client.request("launch", success=False, program=SHADER)
    client.request("variables", success=False, variablesReference=10)
    client.request("evaluate", success=False, expression="", frameId=0)
    client.request("scopes", frameId=2 ** 63)
    client.process.stdin.close()
    expect("exit code", client.process.wait(timeout=60), 0)
    for text in (b"Content-Length: 99999999999999999999\r\n\r\n", b"Content-Length: 4\r\n\r\n[{]}", b"\r\n", b"Content-Length: 50\r\n\r\n{"):
        expect("exit code", subprocess.run([program, "--dap"], input=text, capture_output=True, timeout=60, check=False).returncode, 0)


def debug_as_text(program):
    run = subprocess.run([program, "--break=steps.comp:27", "--invocation=5,0,0", SHADER], capture_output=True, text=True, check=False)
    expect("exit code", run.returncode, 0)
    for line in ("    float sum = 10.5", "    Light light = {color = (0.25, 5, 4), power = 3, ids = (7, 2, -1), on = true}",
                 "  main, line 27"):
        expect(f"text {line}", line in run.stdout.splitlines(), True)
    run = subprocess.run([program, "--break=draw.frag:18", "--pixel=40,10", "--steps=1", *DRAW], capture_output=True, text=True, check=False)
    for line in ("    vec4 color = (40.5, 10.5, 21.25, 7)", "    float shade = 21.25"):
        expect(f"text {line}", line in run.stdout.splitlines(), True)
    expect("pixel", "draw.frag:18: pixel (40, 10), sample 0, " in run.stdout, True)
    nested = os.path.join(HERE, "Inputs", "nested-types.spvasm")
    run = subprocess.run([program, "--break=1", nested], capture_output=True, timeout=60, check=False)
    expect("exit code without lines", run.returncode, 1)
    for arguments, code in ((["--break=27", "--invocation=4,0,0", SHADER], 1), ([SHADER], 2), (["--break=x", SHADER], 2),
                            (["--break=18", "--pixel=4", *DRAW], 2), (["--break=18", "--sample=x", *DRAW], 2),
                            (["--break=18", "--pixel=64,0", *DRAW], 1),
                            (["--break=31", "--evaluation=1,0.5", STAGES], 2), (["--break=31", "--evaluation=1,x,0", STAGES], 2),
                            (["--break=19", "--control=1,2.5", STAGES], 2), (["--break=15", "--task=0,0", MESH], 2),
                            (["--break=27", "--mesh=0,0,0,-1", MESH], 2), (["--break=43", "--geometry=1,2", STAGES], 1), (["--break=18", DRAW[1]], 3),
                            (["--break=18", "--vertex=1", *DRAW], 1), (["--break=200", SHADER], 1), (["--break=3", os.path.join(HERE, "none.comp")], 1)):
        run = subprocess.run([program, *arguments], capture_output=True, check=False)
        expect(f"exit code of {arguments}", run.returncode, code)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    options = parser.parse_args()
    for target in TARGETS:
        before = len(problems)
        debug(options.program, target)
        debug_divergence(options.program, target)
        debug_draw(options.program, target)
        debug_stages(options.program, target)
        debug_memory(options.program, target)
        for text in problems[before:]:
            print(f"{target}: {text}")
    before = len(problems)
    debug_badly(options.program)
    debug_as_text(options.program)
    with tempfile.TemporaryDirectory() as work:
        debug_formats(options.program, os.path.join(work, "formats.pipe"))
    for text in problems[before:]:
        print(text)
    print(f"{len(problems)} problems")
    return 1 if problems else 0


sys.exit(main())
