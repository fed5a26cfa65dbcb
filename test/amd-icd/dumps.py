# SPDX-License-Identifier: MIT
"""What the driver told the compiler, judged from outside: the state of each pipeline beside what Kiln's own driver makes of the same
capture (whose pictures are compared with lavapipe's), and its code beside what amdllpc makes of the dump."""
import filecmp
import glob
import os
import shutil
import subprocess

# Sections that differ because layouts do, and keys that AMD's driver sets otherwise, with the value that it gives.
OTHER_SECTIONS = ("[ResourceMapping",)
OTHER_KEYS = {
    "options.clientHash": (),  # names of shaders, which are any
    "options.forwardPropagateNoContract": ("1",),
    "options.wgpMode": ("0",),
    "options.waveSize": ("64", "32"),
    "useSoftwareVertexBufferDescriptors": ("1",),
    "options.enableMeshShaderQueries": ("absent",),  # queries that it does not count in shaders
    "nggState.enableNgg": ("0",),  # of geometry shaders, which are primitive shaders on gfx11 in any case
}
# These go together: vertex input from memory in place of what is compiled in. Kiln's driver compiles when it draws.
UBER_FETCH = "enableUberFetchShader"


def sections(path):
    """The .pipe file: section -> key -> value; other lines are keys without values."""
    found, current = {}, None
    with open(path, encoding="utf-8") as file:
        for line in map(str.strip, file):
            if line.startswith("["):
                current = found.setdefault(line, {})
            elif line and not line.startswith(";") and current is not None:
                key, _, value = line.partition(" = ")
                current[key] = value
    return found


def modules(pipe):
    """The names of its SPIR-V files, which are hashes of their content."""
    return tuple(sorted(value for section in pipe.values() for value in section.values() if value.endswith(".spv")))


def read(folder):
    return {modules(pipe): pipe for pipe in map(sections, glob.glob(os.path.join(folder, "*.pipe")))}


def differences(theirs, ours):
    for name in sorted(theirs.keys() | ours.keys()):
        if name.startswith(OTHER_SECTIONS):
            continue
        there, here = theirs.get(name, {}), ours.get(name, {})
        for key in sorted(there.keys() | here.keys()):
            value = there.get(key, "absent")
            if value == here.get(key, "absent") or (key in OTHER_KEYS and (not OTHER_KEYS[key] or value in OTHER_KEYS[key])):
                continue
            yield f"{name} {key}: {value} from AMD's driver, {here.get(key, 'absent')} from Kiln's"


def compare(amd_folder, kiln_folder):
    """Messages about one capture, of which both folders have the dump, among internal ones."""
    ours, theirs = read(kiln_folder), read(amd_folder)
    if not ours:
        return []  # made when something is drawn
    for key, pipe in ours.items():
        if key not in theirs:
            return ["no dump from AMD's driver"]
        if UBER_FETCH not in theirs[key].get("[GraphicsPipelineState]", {}):
            return list(differences(theirs[key], pipe))
    return []


def reproduce(amdllpc, target, folder):
    """Messages about dumps whose code is not what amdllpc makes of them."""
    messages = []
    for pipe in sorted(glob.glob(os.path.join(folder, "*.pipe"))):
        elf, again = pipe[:-len("pipe")] + "elf", os.path.join(folder, "again.elf")
        done = subprocess.run([amdllpc, f"-gfxip={target}", pipe, "-o", again], capture_output=True, text=True, check=False)
        if done.returncode:
            messages.append(f"{os.path.basename(pipe)}: amdllpc: {done.stderr.strip()[:200]}")
        elif not os.path.exists(elf):
            messages.append(f"{os.path.basename(pipe)}: the driver got no code")
        elif not filecmp.cmp(elf, again, shallow=False):
            messages.append(f"{os.path.basename(pipe)}: amdllpc makes other code of it")
    return messages


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    return folder
