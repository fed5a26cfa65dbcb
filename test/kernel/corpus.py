#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""OpenCL kernels of Debian's packages: corpus.py --program amdllpc --own FOLDER [--root FOLDER] [--all] [PACKAGE...]

Every .cl file of a package that is a program of its own is compiled for every family: by clang and the program llvm-spirv to
SPIR-V, which stays in --own, and by amdllpc. A file counts when all of its kernels compile for all families. What a package must
reach is listed here, and may only grow. Packages are looked for where apt puts them, or in --root, a folder of unpacked ones
(dpkg-deb -x PACKAGE.deb FOLDER); those that are absent, and all without a translator, are skipped with a message. Of packages
that take long a sample is compiled; --all: all files that are listed.
"""
import argparse
import array
import collections
import glob
import hashlib
import json
import os
import shutil
import subprocess
import sys

from run import FAMILIES, find_translator

LIMIT = 600  # seconds for a program, with all its kernels
CLANG = ("clang-22", "-x", "cl", "-O0", "-Xclang", "-disable-O0-optnone", "-fgnu89-inline", "--target=spirv64", "-w", "-c", "-emit-llvm")

# What hashcat gives every module, for a device of a vendor that it does not know.
HASHCAT = ("-I{folder}", "-DINCLUDE_PATH={folder}", "-DXM2S(x)=#x", "-DM2S(x)=XM2S(x)", "-DKERNEL_STATIC", "-DVECT_SIZE=1",
           "-DLOCAL_MEM_TYPE=1", "-DVENDOR_ID=2147483648", "-DCUDA_ARCH=0", "-DDEVICE_TYPE=4", "-DDGST_R0=0", "-DDGST_R1=1",
           "-DDGST_R2=2", "-DDGST_R3=3", "-DDGST_ELEM=4", "-DKERN_TYPE=0", "-DATTACK_EXEC=11", "-DATTACK_KERN=0", "-D_unroll",
           "-DMAX_THREADS_PER_BLOCK=1024", "-DFIXED_LOCAL_SIZE=64")

# Sizes that silx and pyFAI give their kernels; files that they put in front of them, of silx; and a file that they leave out.
SILX = ("-I{own}", "-DIMAGE_DIMS=2", "-DFILTER_DIMS=1", "-DUSED_CONV_MODE=0", "-DMAX_CONST_SIZE=16384", "-DIMAGE_WIDTH=64",
        "-DDTYPE=float", "-DIDX_DTYPE=int", "-DNBINS=1000", "-DNIMAGE=1000", "-DNLUT=10", "-DON_CPU=0", "-DBLOCK_SIZE=32",
        "-DWORKGROUP_SIZE=32")
EMPTY_FILE = "for_eclipse.h"
IN_FRONT = {
    "medfilt.cl": ("bitonic.cl",),
    "ocl_azim_CSR.cl": ("doubleword.cl",),
    "ocl_azim_LUT.cl": ("doubleword.cl",),
    "peak_finder.cl": ("doubleword.cl",),
    "peakfinder8.cl": ("doubleword.cl",),
    "preprocess.cl": ("doubleword.cl",),
    "separate.cl": ("doubleword.cl", "bitonic.cl"),
    "sigma_clip.cl": ("doubleword.cl", "bitonic.cl"),
    "statistics.cl": ("doubleword.cl",),
}

# folder: of the files, in the package; step: every how many files; must: files that compile; sample: every how many of these files
# without --all, and must of them.
Package = collections.namedtuple("Package", "folder pattern step standard options must sample", defaults=[(1, None)])
PACKAGES = {
    "darktable": Package("usr/share/darktable/kernels", "*.cl", 1, "CL1.2", ("-I{folder}",), 36),
    "hashcat-data": Package("usr/share/hashcat/OpenCL", "m*.cl", 12, "CL1.2", HASHCAT, 100, (10, 10)),
    "pocl-tests": Package("usr/share/pocl-tests", "**/*.cl", 1, "CL1.2", (), 45),
    "python3-silx": Package("usr/lib/python3/dist-packages/silx/resources/opencl", "**/*.cl", 1, "CL1.2", SILX, 17),
    "python3-pyfai": Package("usr/lib/python3/dist-packages/pyFAI/resources/openCL", "**/*.cl", 1, "CL1.2", SILX, 12),
    "python3-pyopencl": Package("usr/lib/python3/dist-packages/pyopencl/cl", "**/*.cl", 1, "CL1.2", (), 0),
}


def find_folder(name, root):
    for base in ([os.path.join(root, name), root] if root else []) + ["/"]:
        folder = os.path.join(base, PACKAGES[name].folder)
        if os.path.isdir(folder):
            return folder
    return None


def run(arguments):
    try:
        return subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(arguments, 124, "", f"not done in {LIMIT} seconds")


def first_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    wrong = [line for line in lines if "error" in line]
    return (wrong or lines or ["no message"])[0].strip()


def files_in_front(path, options):
    """What -include adds to the kernels of silx and pyFAI."""
    folder = find_folder("python3-silx", options.root)
    names = IN_FRONT.get(os.path.basename(path), ()) if folder else ()
    return [word for name in names for word in ("-include", os.path.join(folder, name))]


def to_spirv(path, package, folder, translator, run_options):
    """(SPIR-V's path, "") or (None, why not)"""
    own = run_options.own
    options = [option.format(folder=folder, own=own) for option in package.options]
    if package.options is SILX:
        options += files_in_front(path, run_options)
    command = [*CLANG, f"-cl-std={package.standard}", *options, path]
    with open(path, "rb") as file:
        key = hashlib.sha256(file.read() + "\0".join(command).encode()).hexdigest()[:16]
    made = os.path.join(own, f"{os.path.basename(path)[:-3]}-{key}")
    if os.path.exists(made + ".spv"):
        return made + ".spv", ""
    if os.path.exists(made + ".txt"):
        with open(made + ".txt", encoding="utf-8") as file:
            return None, file.read()
    done = run([*command, "-o", made + ".bc"])
    if not done.returncode:
        done = run([translator, "--spirv-max-version=1.4", made + ".bc", "-o", made + ".new"])
        os.remove(made + ".bc")
    if done.returncode:
        message = "not by clang or the translator: " + first_line(done.stderr)
        with open(made + ".txt", "w", encoding="utf-8") as file:
            file.write(message)
        return None, message
    os.rename(made + ".new", made + ".spv")
    return made + ".spv", ""


def kernels_of(path):
    """Names of the module's entry points."""
    words = array.array("I")
    with open(path, "rb") as file:
        words.frombytes(file.read())
    names, at = [], 5
    while at < len(words):
        count, opcode = words[at] >> 16, words[at] & 0xffff
        if opcode == 15:  # OpEntryPoint
            names.append(words[at + 3:at + count].tobytes().split(b"\0")[0].decode())
        if opcode == 54 or not count:  # OpFunction
            break
        at += count
    return names


def compile_file(program, spirv, families):
    """The reasons why kernels fail; empty: all compile; None: there is none."""
    kernels = kernels_of(spirv)
    if not kernels:
        return None
    done = run([program, "-quiet", "-format=json", "-j", "1", f"-gfxip={','.join(families)}", "-local-size=64",
                "-local-memory=" + ",".join(["256"] * 16), *(f"{spirv},{kernel}" for kernel in kernels)])
    try:
        shaders = json.loads(done.stdout)["shaders"]
    except ValueError:
        return [f"amdllpc ended with {done.returncode}: {first_line(done.stderr)}"]
    reasons = collections.OrderedDict()
    for shader in shaders:
        if shader["status"] != "ok":
            reasons.setdefault(f"{shader['entry']}: {shader['message']}", []).append(shader["target"])
    return [f"{reason} [{', '.join(targets)}]" for reason, targets in reasons.items()]


def check_package(name, options, translator):
    package = PACKAGES[name]
    folder = find_folder(name, options.root)
    if not folder:
        print(f"{name}: skipped, not installed (--root is a folder of unpacked packages)")
        return 0
    step, must = (package.step, package.must)
    if not options.all and package.sample[1] is not None:
        step, must = step * package.sample[0], package.sample[1]
    files = sorted(glob.glob(os.path.join(folder, package.pattern), recursive=True))[::step]
    good, no_kernel, no_spirv, unfinished = 0, 0, [], []
    for path in files:
        spirv, message = to_spirv(path, package, folder, translator, options)
        if not spirv:
            no_spirv.append((path, [message]))
            continue
        reasons = compile_file(options.program, spirv, options.families.split(","))
        if reasons is None:
            no_kernel += 1
        elif reasons:
            unfinished.append((path, reasons))
        else:
            good += 1
    for path, reasons in no_spirv + unfinished:
        for reason in reasons:
            print(f"  {os.path.relpath(path, folder)}: {reason}")
    print(f"{name}: {good} of {good + len(unfinished)} files compile, {must} are listed; of {len(files)} {no_kernel} have "
          f"no kernel, {len(no_spirv)} are refused by clang or the translator", flush=True)
    return 1 if good < must else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--own", required=True, help="a folder for files of the test's own")
    parser.add_argument("--root", help="a folder of unpacked packages, each in a folder of its name")
    parser.add_argument("--translator", help="the program llvm-spirv")
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--all", action="store_true", help="also what takes long")
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=", ".join(PACKAGES))
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    translator = options.translator or find_translator(options.program)
    if not translator or not shutil.which(CLANG[0]):
        print(f"skipped: no {CLANG[0]}, or no program llvm-spirv (--translator)")
        return 0
    os.makedirs(options.own, exist_ok=True)
    with open(os.path.join(options.own, EMPTY_FILE), "w", encoding="utf-8"):
        pass
    return 1 if sum(check_package(name, options, translator) for name in options.packages or PACKAGES) else 0


if __name__ == "__main__":
    sys.exit(main())
