#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py CHECK --bin DIR [--icd FILE] [--work DIR] [--corpus DIR]: execution tests.

    lavapipe     test files and families on Mesa's CPU driver: the control, and the source of what
                 `compare` lines expect
    gfxNNNN      the same on Kiln's driver for one family of GPUs
    corpus       the ready cases of the shader corpus on lavapipe and on every family
    diff         every compute shader of the corpus with generated inputs: Kiln's driver, all
                 families, against lavapipe
    pairs        every vertex and fragment shader of the corpus that belong together, the same with
                 generated scenes
    parts        captured pipelines made of parts (KILN_PARTS=sync) against the same compiled whole
                 (KILN_PARTS=off): the same bits, on every family. A fifth of them on each family;
                 all with --all
    files        `./kiln diff FILE...`: the same for files, or VERTEX+FRAGMENT
    validation   the test files with VK_LAYER_KHRONOS_validation on one family: no message

As ctest tests these are `exec-CHECK` (`corpus-exec` for the cases, `diff-corpus` for `diff`,
`diff-pairs` for `pairs`; `parts` is run by hand). Each driver runs in a process of
its own, chosen by VK_DRIVER_FILES. Where no corpus lies beside the checkout, its check is skipped.
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "corpus"))
import graphics as corpus_graphics  # pylint: disable=wrong-import-position
import modules as corpus_modules  # pylint: disable=wrong-import-position

SKIPPED = 77
FOUR_SAMPLES = "VK_SAMPLE_COUNT_4_BIT"
FAMILIES = ("gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201")
VALIDATION_FAMILY = "gfx1100"
MIN_LINKED = 0.9  # of the pipelines of the check `parts`; else it would compare nothing with itself
HERE = os.path.dirname(os.path.abspath(__file__))


def lavapipe_manifest():
    """Mesa's manifest; `./kiln setup` installs it."""
    found = sorted(glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json"))
    if not found:
        sys.exit("no lavapipe (mesa-vulkan-drivers): run ./kiln setup")
    return found[0]


class Driver:
    """One Vulkan driver and how to run kiln-exec on it."""

    def __init__(self, options, families=None):
        self.options = options
        self.environment = dict(os.environ)
        manifest = options.icd if families else lavapipe_manifest()
        # VK_ICD_FILENAMES is what loaders older than 1.3.207 read.
        self.environment["VK_DRIVER_FILES"] = self.environment["VK_ICD_FILENAMES"] = manifest
        self.environment["VK_LOADER_LAYERS_DISABLE"] = "~implicit~"
        if families:
            self.environment["KILN_DEVICES"] = ",".join(families)
            self.environment["KILN_OPCODE_COUNTS"] = options.counts
            # What is executed must not depend on time; the tests exec-parts-* ask for `sync`.
            self.environment.setdefault("KILN_PARTS", "off")
        self.references = os.path.join(options.work, "references")
        os.makedirs(self.references, exist_ok=True)

    def run(self, command, *arguments):
        """Exit code of kiln-exec COMMAND; 0 is green."""
        line = [os.path.join(self.options.bin, "kiln-exec"), command, *arguments]
        code = subprocess.run(line, env=self.environment, check=False).returncode
        if code not in (0, 1):
            print(f"kiln-exec {command}: ended with {code}")
        return code

    def run_scripts(self, *arguments):
        """The test files, with lavapipe's results at hand."""
        pictures = os.path.join(self.options.work, "pictures")
        os.makedirs(pictures, exist_ok=True)
        return self.run("scripts", f"--reference={self.references}", f"--output={pictures}", *arguments,
                        os.path.join(HERE, "scripts"))


def check_driver(driver):
    """Test files and families."""
    return [driver.run_scripts(), driver.run("families")]


def check_corpus(options):
    """The ready cases everywhere."""
    cases = os.path.join(options.corpus, "cases")
    if not os.path.isdir(cases):
        print(f"no corpus at {options.corpus}")
        sys.exit(SKIPPED)
    return [Driver(options).run("cases", cases), Driver(options, FAMILIES).run("cases", cases)]


def without_exceptions(named_inputs):
    """Inputs of [(name, input)] that diff-exceptions.txt does not leave out."""
    exceptions = []
    with open(os.path.join(HERE, "diff-exceptions.txt"), encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                exceptions.append(line.partition(":")[0].strip())
    inputs = [text for name, text in named_inputs if not any(part in name for part in exceptions)]
    print(f"{len(inputs)} inputs; {len(named_inputs) - len(inputs)} left out by diff-exceptions.txt")
    return inputs


def diff_inputs(options):
    """Arguments of `kiln-exec sample` for the corpus."""
    return without_exceptions([
        (module.path, ",".join((module.path, module.entry) + module.specs))
        for which in corpus_modules.SETS
        for module in corpus_modules.load(options.corpus, os.path.join(options.work, "corpus"), which)])


def captured_pairs(corpus):
    """{VERTEX+FRAGMENT: name} of the captured pipelines; several may share one."""
    pairs = {}
    for path in sorted(glob.glob(os.path.join(corpus, "pipelines", "*", "graphics", "*.json"))):
        with open(path, encoding="utf-8") as file:
            pipeline = json.load(file)
        stages = pipeline["stages"]
        folder = os.path.dirname(os.path.dirname(path))
        by_stage = {stage["stage"]: ",".join(
            (os.path.join(folder, "modules", stage["module"] + ".spv"), stage["name"])
            + corpus_modules.specialization_of(stage)) for stage in stages}
        if len(stages) == 2:
            text = (by_stage["VK_SHADER_STAGE_VERTEX_BIT"] + "+"
                    + by_stage["VK_SHADER_STAGE_FRAGMENT_BIT"])
            if pipeline.get("multisampleState", {}).get("rasterizationSamples") == FOUR_SAMPLES:
                text = "4x:" + text
            pairs.setdefault(text, path)
    return pairs


def pair_inputs(options):
    """Arguments of `kiln-exec pairs` for the corpus."""
    pairs = captured_pairs(options.corpus)
    for name, files in corpus_graphics.groups(options.corpus, os.path.join(options.work, "corpus")):
        if len(files) == 2 and ".vert." in files[0] and ".frag." in files[1]:
            pairs["+".join(files)] = name
    return without_exceptions([(name, text) for text, name in pairs.items()])


def check_diff(options):
    """The differential run over the corpus."""
    if not os.path.isdir(options.corpus):
        print(f"no corpus at {options.corpus}")
        sys.exit(SKIPPED)
    inputs = diff_inputs(options)
    return [run_diff(Driver(options), inputs), run_diff(Driver(options, FAMILIES), inputs)]


def check_pairs(options):
    """The differential run over vertex and fragment shaders."""
    if not os.path.isdir(options.corpus):
        print(f"no corpus at {options.corpus}")
        sys.exit(SKIPPED)
    inputs = pair_inputs(options)
    return [run_diff(Driver(options), inputs, "pairs"),
            run_diff(Driver(options, FAMILIES), inputs, "pairs")]


def run_diff(driver, inputs, command="sample"):
    """One driver's half of a differential run: workgroups one after another, because generated
    strides may overlap, and lists that shaders append to are in the order of arrival."""
    driver.environment["KILN_THREADS"] = driver.environment["LP_NUM_THREADS"] = "1"
    pictures = os.path.join(driver.options.work, "pictures")
    os.makedirs(pictures, exist_ok=True)
    return driver.run(command, f"--reference={driver.references}", f"--output={pictures}", *inputs)


def captured_compute(corpus):
    """{inputs of `kiln-exec sample`: name} of the captured compute pipelines."""
    found = {}
    for path in sorted(glob.glob(os.path.join(corpus, "pipelines", "*", "compute", "*.json"))):
        with open(path, encoding="utf-8") as file:
            stage = json.load(file)["stages"][0]
        module = os.path.join(os.path.dirname(os.path.dirname(path)), "modules", stage["module"] + ".spv")
        text = ",".join((module, stage["name"]) + corpus_modules.specialization_of(stage))
        found.setdefault(text, path)
    return found


def parts_inputs(options):
    """[(command, inputs)]: captures, and with --all also the pairs of the corpus."""
    pairs = captured_pairs(options.corpus)
    compute = captured_compute(options.corpus)
    if options.all:
        return [("pairs", pair_inputs(options)), ("sample", diff_inputs(options))]
    return [("pairs", without_exceptions([(name, text) for text, name in pairs.items()])),
            ("sample", without_exceptions([(name, text) for text, name in compute.items()]))]


def run_mode(options, family, mode, command, arguments):
    """kiln-exec with pipelines made in one way; (exit code, pipelines linked, compiled whole)."""
    driver = Driver(options, [family])
    log = os.path.join(options.work, f"parts-{family}-{mode}.txt")
    if os.path.exists(log):
        os.remove(log)
    driver.environment.update(KILN_PARTS=mode, KILN_STATS="1", KILN_LOG=log, KILN_THREADS="1")
    references = os.path.join(options.work, "references-" + family)
    pictures = os.path.join(options.work, "pictures")
    for folder in (references, pictures):
        os.makedirs(folder, exist_ok=True)
    code = driver.run(command, f"--reference={references}", f"--output={pictures}", *arguments)
    text = ""
    if os.path.exists(log):
        with open(log, encoding="utf-8", errors="replace") as file:
            text = file.read()
    counts = [sum(map(int, re.findall(pattern, text)))
              for pattern in (r"pipelines linked (\d+)", r"pipelines compiled whole (\d+)")]
    return code, *counts


def check_parts(options):
    """Parts against whole compiles, each family with itself."""
    if not os.path.isdir(options.corpus):
        print(f"no corpus at {options.corpus}")
        sys.exit(SKIPPED)
    codes = []
    for command, inputs in parts_inputs(options):
        for number, family in enumerate(FAMILIES):
            chosen = inputs if options.all else inputs[number::len(FAMILIES)]
            code, linked, whole = run_mode(options, family, "off", command, ["--record"] + chosen)
            codes.append(code)
            if linked:
                print(f"FAIL {family}: KILN_PARTS=off has linked {linked} pipelines")
                codes.append(1)
            code, linked, whole = run_mode(options, family, "sync", command, ["--exact"] + chosen)
            print(f"{family}: {linked} pipelines linked of parts, {whole} compiled whole")
            codes += [code, int(linked < MIN_LINKED * (linked + whole) or not linked)]
    return codes


def check_files(options):
    """The differential run over files of the user: ./kiln diff."""
    families = [name for name in os.environ.get("KILN_DEVICES", "").split(",") if name]
    command = "pairs" if "+" in options.files[0] else "sample"
    codes = [run_diff(Driver(options), options.files, command)]
    codes.append(run_diff(Driver(options, families or FAMILIES), options.files, command))
    if codes[1] == 1:
        print("To see how a value is computed, choose a device, a workgroup and a lane:\n"
              "  KILN_DEVICES=gfx1100 KILN_TRACE='group=0,0,0;wave=0;lane=0' ./kiln diff FILE\n"
              "KILN_SEED=N shows a race, KILN_POISON=1 what nobody has written, KILN_ULP=1 rounding,\n"
              "KILN_OPT_LEVEL=0 the optimiser (docs/environment.md).")
    return codes


def check_validation(options):
    """The validation layer says nothing about the test files."""
    return [Driver(options, [VALIDATION_FAMILY]).run_scripts("--validation")]


CHECKS = {
    "lavapipe": lambda options: check_driver(Driver(options)),
    "corpus": check_corpus,
    "diff": check_diff,
    "pairs": check_pairs,
    "parts": check_parts,
    "files": check_files,
    "validation": check_validation,
}


def main():
    """See the text at the top."""
    root = os.path.dirname(os.path.dirname(HERE))
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("check", choices=tuple(CHECKS) + FAMILIES)
    parser.add_argument("files", nargs="*", help="shaders, for the check `files`")
    parser.add_argument("--bin", required=True, help="folder of kiln-exec")
    parser.add_argument("--icd", help="manifest of Kiln's driver")
    parser.add_argument("--work", required=True, help="folder for results of lavapipe and opcode counts")
    parser.add_argument("--corpus", default=os.path.join(os.path.dirname(root), "shared", "corpus"))
    parser.add_argument("--all", action="store_true", help="everything, for the check `parts`")
    options = parser.parse_intermixed_args()
    # What coverage.py reads: of this run alone.
    options.counts = os.path.join(options.work, "counts", options.check + ".txt")
    os.makedirs(os.path.dirname(options.counts), exist_ok=True)
    if os.path.exists(options.counts):
        os.remove(options.counts)
    if options.check in FAMILIES:
        codes = check_driver(Driver(options, [options.check]))
    else:
        codes = CHECKS[options.check](options)
    sys.stdout.flush()
    sys.exit(1 if any(codes) else 0)


if __name__ == "__main__":
    main()
