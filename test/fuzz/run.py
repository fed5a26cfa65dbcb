#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py PROGRAM NAME [SECONDS]: one timed run of a libFuzzer target, as a ctest test.

Seeds are the shaders of examples/ (for pal-* as code objects, for pipe-file its .pipe files, else as SPIR-V;
`cache-blob`, `link`, `pcc-cache`, `rays` and `scale` make their own, `pcc-json` has the pipelines of test/pcc, and
`pcc-commands` caches of some of them; for `kernels` those of test/kernel, as clang's own writer of SPIR-V has them), more inputs (test/fuzz/NAME/seeds: *.hex as text,
others as they are) and, for targets that read
SPIR-V, the graphics pipelines of test/fuzz/compile/pipelines, each as one module, and the compute modules of
the shader corpus, if there is one beside the checkout. A crash, a leak, an input that takes longer than 100 s
or 4 GB is a failure; the input is left in PROGRAM's folder under work/NAME/found.
KILN_FUZZ_SECONDS is the length (before SECONDS; default 4), KILN_FUZZ_SEED (default 1) the random seed: a fixed
one, so that two runs of the test suite differ only by the machine's speed.
"""
import os
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
SPIRV_TARGETS = ("compile", "module-block", "spirv-reader")
MAX_CORPUS_SEED_BYTES = 64 * 1024


def corpus_modules(root):
    """The small compute modules of the corpus beside the checkout, smallest first."""
    corpus = os.path.join(os.path.dirname(root), "shared", "corpus")
    if not os.path.isdir(corpus) or not shutil.which("glslangValidator"):
        return []
    sys.path.insert(0, os.path.join(root, "test", "corpus"))
    import modules  # pylint: disable=import-outside-toplevel,import-error
    cache = os.path.join(root, "build", "test", "corpus")  # as test/corpus and test/exec
    files = [module.path for name in modules.SETS for module in modules.load(corpus, cache, name)]
    sized = sorted((os.path.getsize(file), file) for file in files)
    return [file for size, file in sized if size <= MAX_CORPUS_SEED_BYTES]


def example_seeds(root, name, folder):
    """Compiles the examples into `folder`."""
    examples = os.path.join(root, "examples")
    for file in sorted(os.listdir(examples)):
        source, target = os.path.join(examples, file), os.path.join(folder, file)
        if name == "pipe-file":
            if file.endswith(".pipe"):
                shutil.copyfile(source, target)
            continue
        if name.startswith("pal-"):
            command = [os.path.join(root, "build", "bin", "amdllpc"), source, "-o", target + ".elf"]
        else:
            command = ["glslangValidator", "-V", "--target-env", "vulkan1.3", source, "-o", target + ".spv"]
        if file.endswith(".comp") and shutil.which(command[0]):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def pipeline_seeds(root, folder):
    """Each folder of shaders as one module with all their entry points, and each shader alone."""
    pipelines = os.path.join(root, "test", "fuzz", "compile", "pipelines")
    if not shutil.which("glslangValidator") or not shutil.which("spirv-link"):
        return
    for name in sorted(os.listdir(pipelines)):
        stages = []
        for file in sorted(os.listdir(os.path.join(pipelines, name))):
            stages.append(os.path.join(folder, f"{name}-{file}.spv"))
            subprocess.run(["glslangValidator", "-V", "--target-env", "vulkan1.3",
                            os.path.join(pipelines, name, file), "-o", stages[-1]],
                           check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["spirv-link", *stages, "-o", os.path.join(folder, name + ".spv")], check=True)


def pcc_seeds(root, folder):
    """The JSON of every pipeline of kiln-pcc's tests, good or bad."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.join(root, "test", "pcc"))
    import pipelines  # pylint: disable=import-outside-toplevel,import-error
    import rejects  # pylint: disable=import-outside-toplevel,import-error
    for file, text in (*pipelines.all_texts(), *rejects.all_rejects()):
        with open(os.path.join(folder, file), "w", encoding="utf-8") as seed:
            seed.write(text)


def cache_seeds(root, folder):
    """Caches of some of these, one in each, with and without debug information."""
    compiler = os.path.join(root, "build", "bin", "kiln-pcc")
    if not os.path.exists(compiler) or not shutil.which("glslangValidator"):
        return
    with tempfile.TemporaryDirectory() as inputs:
        pcc_seeds(root, inputs)
        import support  # pylint: disable=import-outside-toplevel,import-error
        support.use(os.path.dirname(compiler))
        support.copy_shaders(inputs)
        for prefix in ("compute-plain.", "compute-ycbcr.", "graphics-plain.", "graphics-geometry."):
            for suffix, more in (("", []), ("debug", ["--debug"])):
                subprocess.run([compiler, "--path", inputs, "--prefix", prefix, "--quiet", *more,
                                "--out", os.path.join(folder, prefix + suffix)], check=True)


def kernel_seeds(root, folder):
    """The kernels of test/kernel that clang can write as SPIR-V by itself, those that are text of it, and the target's own."""
    kernels, own = os.path.join(root, "test", "kernel"), os.path.join(root, "test", "fuzz", "kernels", "modules")
    for file in sorted(os.listdir(kernels)) + [os.path.join(own, name) for name in sorted(os.listdir(own))]:
        source, seed = os.path.join(kernels, file), os.path.join(folder, os.path.basename(file) + ".spv")
        if file.endswith(".spvasm") and shutil.which("spirv-as"):
            subprocess.run(["spirv-as", source, "-o", seed], check=True)
        elif file.endswith(".cl") and shutil.which("clang-22"):
            subprocess.run(["clang-22", "-x", "cl", "-cl-std=CL2.0", "-O0", "-Xclang", "-disable-O0-optnone", "-w",
                            "--target=spirv64", "-c", source, "-o", seed], check=False)


def gather_seeds(root, name, folder):
    """Fills one folder with all seeds: libFuzzer writes what it finds to the first of its folders."""
    if name == "pcc-json":
        pcc_seeds(root, folder)
    elif name == "pcc-commands":
        cache_seeds(root, folder)
    elif name == "kernels":
        kernel_seeds(root, folder)
    elif name not in ("cache-blob", "link", "pcc-cache", "rays", "scale"):
        example_seeds(root, name, folder)
    if name in SPIRV_TARGETS:
        pipeline_seeds(root, folder)
    own = os.path.join(root, "test", "fuzz", name, "seeds")
    for file in sorted(os.listdir(own)) if os.path.isdir(own) else []:
        with open(os.path.join(own, file), "rb") as content:
            data = content.read()
        if file.endswith(".hex"):
            data = bytes.fromhex(data.decode("ascii"))
        with open(os.path.join(folder, file), "wb") as seed:
            seed.write(data)
    for index, file in enumerate(corpus_modules(root) if name in SPIRV_TARGETS else []):
        shutil.copyfile(file, os.path.join(folder, f"{index:04}-{os.path.basename(file)}"))
    return len(os.listdir(folder))


def main():
    program, name = sys.argv[1:3]
    if not os.path.exists(program):
        print(f"skipped: {os.path.basename(program)} is not built (./kiln build --preset fuzz)")
        return SKIPPED
    seconds = os.environ.get("KILN_FUZZ_SECONDS", sys.argv[3] if len(sys.argv) > 3 else "4")
    seed = os.environ.get("KILN_FUZZ_SEED", "1")
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    found = os.path.join(os.path.dirname(os.path.dirname(program)), "work", name, "found")
    os.makedirs(found, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        count = gather_seeds(root, name, folder)
        print(f"{count} seeds, {seconds} s, seed {seed}", flush=True)
        env = dict(os.environ)
        env.setdefault("ASAN_OPTIONS", "detect_container_overflow=0:detect_odr_violation=0")
        code = subprocess.call(
            [program, folder, f"-max_total_time={seconds}", "-timeout=100", "-rss_limit_mb=4096",
             f"-seed={seed}", f"-artifact_prefix={found}{os.sep}", "-print_final_stats=1",
             f"-max_len={MAX_CORPUS_SEED_BYTES}", "-verbosity=1"],
            env=env, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT)
    if code:
        print(f"failed with exit code {code}; inputs are in {found}")
    return 1 if code else 0


if __name__ == "__main__":
    sys.exit(main())
