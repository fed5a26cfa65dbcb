# SPDX-License-Identifier: MIT
"""Dumps of the driver's pipelines (KILN_DUMP_DIR) as AMD's driver would word them: its layouts of resources and of vertex buffers.
Executed by way of KILN_REPLACE_DIR they must do what the original does."""
import glob
import os
import re
import shutil
import zlib

NODE = re.compile(r"userDataNode\[(\d+)\](?:\.next\[(\d+)\])?\.(\w+) = (.*)")
INTERNAL_SET, UBER_BINDING = "4294967280", "5"
# Formats that the driver describes in memory.
DESCRIBED = re.compile(r"VK_FORMAT_((R\d+(G\d+)?(B\d+)?(A\d+)?|B8G8R8A8)_[A-Z]+|A2[RB]10G10[BR]10_[A-Z]+_PACK32|B10G11R11_UFLOAT_PACK32)")
KERNEL_ARGUMENTS = "userDataNode[0].sizeInDwords = 34\n"  # BuildArguments of icd_glue/rays/Kernels.h
# What cannot be bound, or is not worded so.
REFUSED = ("DescriptorYCbCrSampler",)


def sections_of(text):
    """[(name, lines)], the first one without a name."""
    found = [("", [])]
    for line in text.splitlines():
        if line.startswith("["):
            found.append((line, []))
        else:
            found[-1][1].append(line)
    return found


def nodes_of(lines):
    """Root nodes, each a dictionary, of tables with a list `next`; and the other lines."""
    roots, others = {}, []
    for line in lines:
        match = NODE.match(line)
        if not match:
            others.append(line)
            continue
        root, inner, key, value = match.groups()
        node = roots.setdefault(int(root), {"next": {}})
        if inner is not None:
            node = node["next"].setdefault(int(inner), {})
        node[key] = value
    return [{**root, "next": list(root["next"].values())} for root in roots.values()], others


def text_of(roots):
    lines = []
    for number, root in enumerate(roots):
        keys = [(f"userDataNode[{number}].{key}", value) for key, value in root.items() if key != "next"]
        for place, inner in enumerate(root["next"]):
            keys += [(f"userDataNode[{number}].next[{place}].{key}", value) for key, value in inner.items() if key != "next"]
        lines += [f"{key} = {value}" for key, value in keys]
    return lines


def table(nodes, gap):
    """A table of nodes in the reverse order of their numbers, `gap` dwords apart."""
    offset, placed = gap, []
    for node in reversed(nodes):
        placed.append({**node, "offsetInDwords": str(offset)})
        offset += int(node.get("sizeInDwords", 0)) + gap
    return {"type": "DescriptorTableVaPtr", "sizeInDwords": "1", "set": nodes[0].get("set", "0"), "next": placed}


def layout(roots, is_uber, hash32):
    """The root as the driver has it: the tables of vertex buffers and of stream-out, push constants, then set by set dynamic buffers, or a
    table of them (layouts with independent sets), and the pointer to the rest."""
    gap = 4 * (hash32 % 3)
    dynamic_in_tables = hash32 >> 4 & 1
    sets, first, last = {}, [], []
    for root in roots:
        if root["type"] == "PushConst":
            first.append({**root, "set": INTERNAL_SET})
        elif root.get("set") == INTERNAL_SET:
            last.append(root)
        else:
            sets.setdefault(int(root.get("set", 0)), []).append(root)
    if is_uber:
        first.append({"type": "DescriptorTableVaPtr", "sizeInDwords": "1", "set": INTERNAL_SET, "next": [
            {"type": "InlineBuffer", "sizeInDwords": "258", "offsetInDwords": "0", "set": INTERNAL_SET, "binding": UBER_BINDING}]})
    for nodes in sets.values():
        dynamic = [node for node in nodes if node["type"] != "DescriptorTableVaPtr"]
        pointers = [node for node in nodes if node["type"] == "DescriptorTableVaPtr" and node["next"]]
        first += [table(dynamic, 0)] if dynamic and dynamic_in_tables else dynamic
        first += [table(node["next"], gap) for node in pointers]
    offset, placed = 1 + (hash32 >> 6 & 3), []
    for node in first + last:
        placed.append({**node, "offsetInDwords": str(offset)})
        offset += int(node["sizeInDwords"])
    return placed


def may_be_uber(sections):
    for name, lines in sections:
        if name == "[GraphicsPipelineState]" and any(line.startswith(("dynamicVertexStride", "unalignedVertexFetch")) for line in lines):
            return False
        if name == "[VertexInputState]" and not all(DESCRIBED.fullmatch(line.split(" = ")[1]) for line in lines if ".format = " in line):
            return False
    return any(name == "[VertexInputState]" for name, _ in sections)


def has_own_bindings(sections):
    """Attributes that reach beyond the stride: the driver gives each a binding of its own in what it tells the compiler."""
    values = {}
    for name, lines in sections:
        if name in ("[VertexInputState]", "[GraphicsPipelineState]"):
            values.update(line.split(" = ", 1) for line in lines if " = " in line)
    if "dynamicVertexStride" in values:
        return False
    numbers = [key.removesuffix(".stride") for key in values if key.endswith(".stride")]
    strides = {values[key + ".binding"]: int(values[key + ".stride"]) for key in numbers}
    for key in (key.removesuffix(".format") for key in values if re.match(r"attribute.*\.format$", key)):
        bits = sum(map(int, re.findall(r"\d+", values[key + ".format"].split("_")[2])))
        if int(values[key + ".offset"]) + bits // 8 > strides[values[key + ".binding"]]:
            return True
    return False


def is_kernel(text):
    """One of the driver's own kernels, which build acceleration structures: its arguments are where the driver's layout has them."""
    nodes = [line for line in text.splitlines() if line.startswith("userDataNode") and ".type" in line]
    return "[CsInfo]" in text and nodes == ["userDataNode[0].type = PushConst"] and KERNEL_ARGUMENTS in text


def rewrite(text):
    """The file in AMD's words; None where there are none."""
    if is_kernel(text) or any(word in text for word in REFUSED) or has_own_bindings(sections_of(text)):
        return None
    sections, hash32 = sections_of(text), zlib.crc32(text.encode())
    is_uber = may_be_uber(sections) and hash32 >> 8 & 1
    result = []
    for name, lines in sections:
        if name == "[ResourceMapping]":
            roots, others = nodes_of(lines)
            lines = text_of(layout(roots, is_uber, hash32)) + others
        elif name.endswith("Info]"):
            lines = ["options.wgpMode = 0", "options.forwardPropagateNoContract = 1", *lines]
        elif name == "[GraphicsPipelineState]":
            lines = ["useSoftwareVertexBufferDescriptors = 1"] + (["enableUberFetchShader = 1"] if is_uber else []) + lines
        elif name == "[VertexInputState]" and is_uber:
            continue
        elif name == "[RayTracingPipelineState]":
            lines = [line for line in lines if not line.startswith("launchUserData")]  # behind all nodes
        result.append((name, lines))
    if is_uber and not any(name == "[ResourceMapping]" for name, _ in sections):
        result.append(("[ResourceMapping]", text_of(layout([], True, hash32))))
    return "\n".join(line for name, lines in result for line in ([name] if name else []) + lines) + "\n"


def rewrite_all(folder, to):
    """Files of one folder into another. Returns how many; those that have no such words stay as they are."""
    os.makedirs(to, exist_ok=True)
    rewritten = 0
    for path in glob.glob(os.path.join(folder, "*")):
        name = os.path.join(to, os.path.basename(path))
        if not path.endswith(".pipe"):
            shutil.copyfile(path, name)
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        other = rewrite(text)
        rewritten += other is not None
        with open(name, "w", encoding="utf-8") as file:
            file.write(text if other is None else other)
    return rewritten


# One name in dumps for several required sizes of a subgroup.
SIZES = re.compile(r"^\W*! *(subgroup|fullsubgroups)", re.M)

def script_files(run):
    files = sorted(glob.glob(os.path.join(run.HERE, "scripts", "**", "*.*"), recursive=True))
    texts = {}
    for path in files:
        with open(path, encoding="utf-8") as file:
            texts[path] = file.read()
    return [path for path in files if not SIZES.search(texts[path])]


# Dynamic buffers that get a table of their own.
ALWAYS = ("arrays-of-one.comp",)


def check_layouts(run, options):
    """Test files with the pipelines that AMD's driver would have asked for."""
    codes, scripts = [], script_files(run)
    for number, family in enumerate(run.FAMILIES):
        sample = [path for place, path in enumerate(scripts)
                  if options.all or place % (2 * len(run.FAMILIES)) == number or os.path.basename(path) in ALWAYS]
        own, others, log = (os.path.join(options.own, name + family) for name in ("dumps-", "others-", "log-"))
        for folder in (own, others):
            shutil.rmtree(folder, ignore_errors=True)
        driver = run.Driver(options, [family])
        # Where a script fails as it is, that is said by the check that runs it so.
        driver.log = open(os.devnull, "w", encoding="utf-8")
        driver.environment["KILN_DUMP_DIR"] = own
        run.run_draws(driver, sample)
        driver.log.close()
        made = rewrite_all(own, others)
        driver = run.Driver(options, [family])
        open(log, "w", encoding="utf-8").close()
        driver.environment.update(KILN_REPLACE_DIR=others, KILN_LOG=log)
        codes.append(run.run_draws(driver, sample))
        with open(log, encoding="utf-8") as file:
            replaced = sum("KILN_REPLACE_DIR: " in line for line in file)
        print(f"{family}: {made} pipelines in other words, {replaced} creations had their code", flush=True)
        codes.append(0 if made and replaced >= made else 1)
    return codes
