#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""debian.py CPACK BUILD WORK ROOT: the Debian packages, unpacked and used; ctest `packages`.

Nothing is installed: the packages' files lie in a folder, and programs find them there by their places to each other.
"""
import glob
import os
import shutil
import subprocess
import sys

NAMES = ("kiln-tools", "kiln-vulkan-driver", "libkiln-dev", "libkiln0.1")


def run(*command, **variables):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("VK_", "KILN_"))}
    done = subprocess.run(command, env={**environment, **variables}, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def expect(text, *parts):
    for part in parts:
        if part not in text:
            sys.exit(f"no '{part}' in:\n{text}")


def make_packages(cpack, build, work):
    run(cpack, "-G", "DEB", "--config", os.path.join(build, "CPackConfig.cmake"), "-B", work)
    files = sorted(glob.glob(os.path.join(work, "*.deb")))
    if [os.path.basename(file).split("_")[0] for file in files] != list(NAMES):
        sys.exit(f"packages: {files}")
    root = os.path.join(work, "root")
    owners = {}
    for file in files:
        head = run("dpkg-deb", "--info", file)
        # Every file belongs to one package, so that removing all leaves nothing.
        for line in run("dpkg-deb", "--contents", file).splitlines():
            name = line.split()[5]
            if not name.endswith("/") and owners.setdefault(name, file) != file:
                sys.exit(f"{name} is in {file} and in {owners[name]}")
        expect(head, " Depends: ", "llvm-22-dev" if "libkiln-dev" in file else "libllvm22")
        run("dpkg", "-x", file, root)
    return os.path.join(root, "usr")


def try_tools(usr):
    for tool in ("amdllpc", "kiln-replay", "kiln-cache", "kiln-pcc", "kiln-farm", "pal-verify", "kiln-bench", "kiln-cl", "kiln-debug", "isa-opcodes", "lgc-opt"):
        run(os.path.join(usr, "bin", tool), "--help")
        expect(run(os.path.join(usr, "bin", tool), "--version"), f"{tool} (Kiln ", ", LLVM ")
        with open(os.path.join(usr, "share/man/man1", f"{tool}.1"), encoding="utf-8") as page:
            expect(page.read(), ".SH NAME", f"{tool} \\- ", ".SH DESCRIPTION")
    script = ('source "$0"; COMP_WORDS=("$1" "$2"); COMP_CWORD=1; compopt() { :; }; _kiln; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    completion = os.path.join(usr, "share/bash-completion/completions/amdllpc")
    for word, wanted in (("-gfx", "-gfxip"), ("--llpc-o", "--llpc-opt=")):
        expect(run("bash", "-c", script, completion, os.path.join(usr, "bin/amdllpc"), word), wanted)


def try_copyright(usr):
    """Our licence, and those of what is linked in."""
    for package, *linked in (("libkiln0.1", "libxxhash-dev"), ("libkiln-dev", "libxxhash-dev"),
                             ("kiln-vulkan-driver", "libsqlite3-dev", "libzstd-dev"),
                             ("kiln-tools", "libsqlite3-dev", "libzstd-dev", "glslang-dev", "spirv-tools")):
        with open(os.path.join(usr, "share/doc", package, "copyright"), encoding="utf-8") as file:
            expect(file.read(), "SPDX-License-Identifier: MIT", "Permission is hereby granted, free of charge",
                   *(f"Contains code of {name}, whose terms are:" for name in linked))


def try_driver(usr):
    manifest = os.path.join(usr, "share/vulkan/icd.d/kiln_icd.json")
    expect(run("vulkaninfo", "--summary", VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest, KILN_DEVICES="gfx1100"),
           "deviceName         = Kiln gfx1100 (software)")


def try_libraries(usr, work, root):
    """examples/library, built with CMake and with pkg-config."""
    example, shader = os.path.join(root, "examples/library"), os.path.join(work, "blur.spv")
    run("glslangValidator", "--target-env", "vulkan1.3", "-o", shader, os.path.join(root, "examples/blur.comp"))
    run("cmake", "-S", example, "-B", os.path.join(work, "build"), "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={usr}",
        f"-DCMAKE_CXX_COMPILER={os.environ.get('CXX', 'c++')}")
    run("cmake", "--build", os.path.join(work, "build"))
    programs = [os.path.join(work, "build", "compile")]
    for name in ("kiln", "kiln-static"):
        flags = run("pkg-config", "--cflags", "--libs", name, PKG_CONFIG_PATH=os.path.join(usr, "lib/pkgconfig")).split()
        programs.append(os.path.join(work, "compile-" + name))
        run(os.environ.get("CXX", "c++"), os.path.join(example, "main.cpp"), "-o", programs[-1], *flags)
    # With the shared library, which a package of its own brings.
    expect(run("readelf", "-d", programs[1]), "[libkiln.so.0.1]")
    for program in programs:
        elf = program + ".elf"
        expect(run(program, shader, elf, LD_LIBRARY_PATH=os.path.join(usr, "lib")), " VGPRs, ")
        run(os.path.join(usr, "bin/pal-verify"), "--target", "gfx1100", elf)


def main():
    cpack, build, work, root = map(os.path.abspath, sys.argv[1:5])
    shutil.rmtree(work, ignore_errors=True)
    usr = make_packages(cpack, build, work)
    try_tools(usr)
    try_copyright(usr)
    try_driver(usr)
    try_libraries(usr, work, root)


if __name__ == "__main__":
    main()
