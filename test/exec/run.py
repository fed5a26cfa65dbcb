#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py CHECK --bin DIR [--icd FILE] [--work DIR] [--corpus DIR] [--all]: execution tests.

    references   test files and families on Mesa's CPU driver: the control, and the source of what
                 `compare` lines expect. Always green: what is wrong in the control stops no test
    lavapipe     whether that was right, but for what control-defects.txt lists
    gfxNNNN      the same on Kiln's driver for one family of GPUs
    corpus       the ready cases of the shader corpus on lavapipe and on every family
    diff         every compute shader of the corpus with generated inputs: Kiln's driver, all
                 families, against lavapipe
    pairs        every vertex, tessellation, geometry and fragment shader of the corpus, with those
                 that it belongs to, or with made neighbours, the same with generated scenes; and
                 scenes/, tests whose inputs make shaders of the corpus do what they are for
    parts        every pipeline made of parts where it can be (KILN_PARTS=sync), on every family: test
                 files as above, corpus against monolithic code (KILN_PARTS=off), bit by bit. A fifteenth
                 of them on each family, all with --all. Too few linked pipelines are a failure, and
                 so are linked ones of what must be monolithic
    captures     the same of captured pipelines, on two families, but for parts-exceptions.txt
    ngg          draws as primitive shaders where the driver has a choice (KILN_NGG): on gfx10, and
                 with culling on every family; pictures as above. A tenth of them (and the support
                 table's) and, on gfx10, half of the corpus in each mode; all with --all. What is
                 executed shows that the driver made the choice (ngg_proof.py)
    random       random shaders, the same files always; many more with --all
    levels       test files, families and random shaders at the levels of optimisation that are not the
                 default (KILN_OPT_LEVEL), of each kind a sample, of the former two a third; all with --all
    direct       a fifth of the test files on each family, a tenth of the families, the corpus (as diff and
                 pairs) and random compute and fragment shaders, with code of the direct tier (KILN_TIER),
                 which must make most pipelines; all with --all
    tiers        captured pipelines and the corpus, a fifth on each family: code of both tiers writes the same,
                 bit by bit, but for tier-exceptions.txt; all with --all
    recorded     ray tracing pipelines on every family give what another vendor's GPU gave (recorded/)
    layouts      a tenth of the test files on each family with the layouts and vertex buffers of AMD's driver
                 (amd_layouts.py); all with --all
    files        `./kiln diff FILE...`: the same for compute shaders, and for draws as STAGE+STAGE...
    validation   the test files with the validation layer on one family: no message

As ctest tests these are `exec-CHECK` (`corpus-exec` for the cases, `diff-corpus` for `diff`,
`diff-pairs` for `pairs`). Each driver runs in a process of
its own, chosen by VK_DRIVER_FILES; on Kiln's with KILN_POISON and KILN_STRICT.
Checks that need the corpus are skipped where none lies beside the checkout.
"""
import argparse
import glob
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "corpus"))
import graphics as corpus_graphics  # pylint: disable=wrong-import-position
import modules as corpus_modules  # pylint: disable=wrong-import-position
import ngg as corpus_ngg  # pylint: disable=wrong-import-position
import amd_layouts
import neighbours
import ngg_proof
import part_statistics
import random_kinds
import recorded
import references
import variants

SKIPPED = 77
FOUR_SAMPLES = "VK_SAMPLE_COUNT_4_BIT"
INTERRUPTED = 130  # exit code of kiln-exec after Ctrl-C
FAMILIES = ("gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201")
VALIDATION_FAMILY = "gfx1100"
# What opcode-coverage counts, beside the families; in CMakeLists.txt it depends on the same checks.
COUNTED = ("corpus", "diff", "pairs", "parts", "captures", "ngg", "random", "validation")
RANDOM_FILES, NGG_RANDOM_FILES = 25, 12  # of each kind; of geometry shaders
MIN_LINKED = 0.95  # of the pipelines of each run of `parts`; else it would prove nothing
# What stands around a shader that belongs to nothing.
NEIGHBOURS = {"geom": ("normal.vert", None, "normal.frag"),
              "tesc": ("normal.vert", None, "normal.tese", "normal.frag"),
              "tese": ("normal.vert", "normal.tesc", None, "plain.frag")}
# Others stand beside a stage that neighbours.py makes for them.
LONELY = ("vert", "frag")
# Test files whose fragment shaders read a built-in that the stages before write as no attribute.
WHOLE_SCRIPTS = ("layer-input", "primitive-id", "clip-distance-fragment", "geometry-layers",
                 "geometry-primitive-id", "tessellation-primitive-id-fragment",
                 "primitive-id-provoking", "tessellation-geometry-arrays", "mesh-layers",
                 "mesh-primitive-attributes")
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
        self.log = sys.stdout
        self.environment = dict(os.environ)
        manifest = options.icd if families else lavapipe_manifest()
        # VK_ICD_FILENAMES is what loaders older than 1.3.207 read.
        self.environment["VK_DRIVER_FILES"] = self.environment["VK_ICD_FILENAMES"] = manifest
        self.environment["VK_LOADER_LAYERS_DISABLE"] = "~implicit~"
        if families:
            self.environment["KILN_DEVICES"] = ",".join(families)
            if options.counts:
                self.environment["KILN_OPCODE_COUNTS"] = options.counts
            # What is executed must not depend on time; what nobody has written must not look like zeros.
            for variable, value in (("PARTS", "off"), ("CACHE", "off"), ("TIER", "llvm"), ("POISON", "1"),
                                    ("STRICT", "1")):
                self.environment.setdefault("KILN_" + variable, value)
        # Buffers of megabytes come and go: to fault their pages in again takes a quarter of the time.
        for threshold in ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_"):
            self.environment.setdefault(threshold, "1000000000")
        self.references = os.path.join(options.work, "references")
        os.makedirs(self.references, exist_ok=True)

    def run(self, command, *arguments):
        """Exit code of kiln-exec COMMAND; 0 is green."""
        line = [os.path.join(self.options.bin, "kiln-exec"), command,
                "--control-defects=" + references.DEFECTS, *arguments]
        if self.options.quiet:
            line.insert(2, "--quiet")
        self.log.flush()
        with subprocess.Popen(line, env=self.environment, stdout=self.log) as process:
            try:
                code = process.wait()
            except KeyboardInterrupt:  # kiln-exec has it, too, and ends with what it knows
                code = process.wait()
        if code == INTERRUPTED:
            sys.stdout.flush()
            sys.exit(code)
        if code not in (0, 1):
            print(f"kiln-exec {command}: ended with {code}", file=self.log)
        return code

    def run_scripts(self, *arguments):
        """The test files, with lavapipe's results at hand."""
        pictures = os.path.join(self.options.own, "pictures")
        os.makedirs(pictures, exist_ok=True)
        return self.run("scripts", f"--reference={self.references}", f"--output={pictures}", *arguments,
                        os.path.join(HERE, "scripts"))


def check_driver(driver):
    """Test files and families."""
    return [driver.run_scripts(), driver.run("families")]


def check_references(options):
    """The control. How it did is what the check `lavapipe` says."""
    references.record(Driver(options), run_draws, options)
    return []


def check_corpus(options):
    """The ready cases everywhere."""
    cases = os.path.join(options.corpus, "cases")
    if not os.path.isdir(cases):
        print(f"no corpus at {options.corpus}")
        sys.exit(SKIPPED)
    return [Driver(options).run("cases", cases), Driver(options, FAMILIES).run("cases", cases)]


def without_exceptions(named_inputs, list_name="diff-exceptions.txt"):
    """Inputs of [(name, input)] that the list does not leave out."""
    exceptions = []
    with open(os.path.join(HERE, list_name), encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                exceptions.append(line.partition(":")[0].strip())
    inputs = [text for name, text in named_inputs if not any(part in name for part in exceptions)]
    print(f"{len(inputs)} inputs; {len(named_inputs) - len(inputs)} left out by {list_name}")
    return inputs


def diff_inputs(options):
    """Arguments of `kiln-exec sample` for the corpus."""
    return without_exceptions([
        (module.path, ",".join((module.path, module.entry) + module.specs))
        for which in corpus_modules.SETS
        for module in corpus_modules.load(options.corpus, options.cache, which)])


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


def chains(cache, corpus, with_lonely=True):
    """[(name, stages)] of the manifest: vertex and fragment shaders, also with a geometry shader or
    tessellation shaders between. Shaders that belong to nothing get neighbours, from pairs/ or made
    by neighbours.py (LONELY)."""
    found = []
    for name, files in corpus_graphics.groups(corpus, cache):
        stages = [os.path.basename(file).split(".")[-2] for file in files]
        if stages in (["vert", "frag"], ["vert", "geom", "frag"], ["vert", "tesc", "tese", "frag"]):
            found.append((name, files))
        elif stages == ["vert", "geom"]:
            found.append((name, files + ("",)))
        elif set(stages) & set(NEIGHBOURS):
            sys.exit(f"{name}: no scene for {stages}")
    for name, (row, file) in corpus_graphics.shaders(corpus, cache).items():
        if row["stage"] in NEIGHBOURS and row["pipelines"] == "-":
            found.append((name, tuple(os.path.join(HERE, "pairs", other) if other else file
                                      for other in NEIGHBOURS[row["stage"]])))
        elif with_lonely and row["stage"] in LONELY and row["pipelines"] == "-":
            found.append((name, with_neighbour(file, row["stage"])))
    return found


def with_neighbour(file, stage):
    """The two stages of a vertex or fragment shader that belongs to no pipeline."""
    path, entry = file.rsplit(",", 1)
    neighbour = neighbours.text_for(path, entry, stage)
    if not neighbour:  # must be an exception; kiln-exec knows no such stages
        return (file,)
    beside = f"{path}.{neighbour[0]}"
    partial = f"{beside}.{os.getpid()}.part"  # other checks may be reading the one that is there
    with open(partial, "w", encoding="utf-8") as out:
        out.write(neighbour[1])
    os.replace(partial, beside)
    return (beside, file) if stage == "frag" else (file, beside)


def pair_inputs(options):
    """Arguments of `kiln-exec pairs` for the corpus."""
    pairs = captured_pairs(options.corpus)
    for name, files in chains(options.cache, options.corpus):
        pairs["+".join(files)] = name
    return without_exceptions([(name, text) for text, name in pairs.items()])


def check_diff(options):
    """The differential run over the corpus."""
    if not os.path.isdir(options.corpus):
        print(f"no corpus at {options.corpus}")
        sys.exit(SKIPPED)
    inputs = diff_inputs(options)
    return [run_diff(Driver(options), inputs), run_diff(Driver(options, FAMILIES), inputs)]


def run_scenes(driver, modules):
    """The tests of scenes/, which name modules of a folder that chains() has filled."""
    pictures = os.path.join(driver.options.own, "pictures")
    os.makedirs(pictures, exist_ok=True)
    return driver.run("scripts", f"--reference={driver.references}", f"--output={pictures}",
                      f"--modules={modules}", os.path.join(HERE, "scenes"))


def check_pairs(options):
    """The differential run over graphics shaders."""
    if not os.path.isdir(options.corpus):
        print(f"no corpus at {options.corpus}")
        sys.exit(SKIPPED)
    inputs = pair_inputs(options)
    inputs += ["+".join(os.path.join(HERE, "pairs", name) for name in files)
               for files in corpus_graphics.MESH_PAIRS]
    drivers = (Driver(options), Driver(options, FAMILIES))
    return [code for driver in drivers
            for code in (run_diff(driver, inputs, "pairs"),
                         run_scenes(driver, options.cache))]


def run_diff(driver, inputs, command="sample"):
    """One driver's half of a differential run: workgroups one after another, because generated
    strides may overlap, and lists that shaders append to are in the order of arrival."""
    driver.environment["KILN_THREADS"] = driver.environment["LP_NUM_THREADS"] = "1"
    pictures = os.path.join(driver.options.own, "pictures")
    os.makedirs(pictures, exist_ok=True)
    return driver.run(command, f"--reference={driver.references}", f"--output={pictures}", *inputs)


def run_mode(driver, mode, command, arguments, references):
    """kiln-exec with pipelines made in one way; (exit code, statistics)."""
    log = os.path.join(driver.options.own, f"parts-{mode}.txt")
    open(log, "w", encoding="utf-8").close()
    driver.environment.update(KILN_PARTS=mode, KILN_STATS="1", KILN_LOG=log, KILN_THREADS="1")
    pictures = os.path.join(driver.options.own, "pictures")
    for folder in (references, pictures):
        os.makedirs(folder, exist_ok=True)
    code = driver.run(command, f"--reference={references}", f"--output={pictures}", *arguments)
    return code, part_statistics.PartStatistics(log)


def script_runs(sample):
    """[(name, test files, least share of linked pipelines)]."""
    scripts = sorted(glob.glob(os.path.join(HERE, "scripts", "**", "*.*"), recursive=True))
    whole = [os.path.join(HERE, "scripts", "draw", name + ".draw") for name in WHOLE_SCRIPTS]
    draws = [path for path in scripts if path.endswith(".draw") and path not in whole]
    compute = [path for path in scripts if path.endswith((".comp", ".spvasm"))]
    return [("draw scripts", draws[sample], MIN_LINKED),
            ("compute scripts", compute[sample], MIN_LINKED), ("must be whole", whole, 0)]


def check_parts(options):
    """Parts against what the test files expect, and against monolithic compiles."""
    codes, corpus = [], {}
    if os.path.isdir(options.corpus):
        corpus = {"corpus pairs": ("pairs", pair_inputs(options)),
                  "corpus compute": ("sample", diff_inputs(options))}
    for number, family in enumerate(FAMILIES):
        driver = Driver(options, [family])
        own = os.path.join(options.own, "references-" + family)
        sample = slice(None) if options.all else slice(number, None, 3 * len(FAMILIES))
        for name, files, least in script_runs(sample):
            code, statistics = run_mode(driver, "sync", "scripts", files, driver.references)
            codes += [code, statistics.judge(f"{family}, {name}", least)]
        for name, (command, inputs) in corpus.items():
            codes.append(run_mode(driver, "off", command, ["--record"] + inputs[sample], own)[0])
            code, statistics = run_mode(driver, "sync", command, ["--exact"] + inputs[sample], own)
            codes += [code, statistics.judge(f"{family}, {name}", MIN_LINKED)]
    return codes


def ngg_driver(options, family, mode):
    """Kiln's driver with a value of KILN_NGG; empty: as it is without."""
    driver = Driver(options, [family])
    driver.environment["KILN_NGG"] = mode
    return driver


def prove_ngg(options, family, mode):
    """Exit codes of draws with a mode and without its last word, and whether they executed what they
    should (ngg_proof.py). Their counts are not those of opcode-coverage."""
    codes, counts = [], []
    for which in (mode.rpartition(",")[0], mode):
        driver = ngg_driver(options, family, which)
        own = os.path.join(options.own, f"proof-{family}-{which or 'none'}.txt")
        driver.environment["KILN_OPCODE_COUNTS"] = own
        counts.append({})
        for draw in ngg_proof.DRAWS:
            open(own, "w", encoding="utf-8").close()
            codes.append(run_draws(driver, [os.path.join(HERE, "scripts", "draw", draw)]))
            counts[-1][draw] = ngg_proof.read(own)
    return codes + [ngg_proof.judge(family, mode, *counts)]


def run_draws(driver, files):
    """Test files by name."""
    pictures = os.path.join(driver.options.own, "pictures")
    os.makedirs(pictures, exist_ok=True)
    return driver.run("scripts", f"--reference={driver.references}", f"--output={pictures}", *files)


def check_ngg(options):
    """Primitive shaders of gfx10, and culling ones, draw what others do, and are what is drawn with."""
    codes = []
    draws = sorted(glob.glob(os.path.join(HERE, "scripts", "draw", "*.draw")))
    inputs = without_exceptions([
        (name, "+".join(files)) for name, files in chains(options.cache, options.corpus, with_lonely=False)
        if corpus_ngg.has_stages(files)]) if os.path.isdir(options.corpus) else []
    random_files = random_kinds.write(os.path.join(options.own, "scripts"), NGG_RANDOM_FILES, ["geometry"])
    own = os.path.join(options.own, "references")  # those of other checks may not be there yet
    os.makedirs(own, exist_ok=True)
    runs = [(Driver(options), [])] + [
        (ngg_driver(options, family, mode), [family, mode])
        for family in FAMILIES for mode in corpus_ngg.modes(family)]
    for number, (driver, words) in enumerate(runs):
        if words:
            family, mode = words
            codes += prove_ngg(options, family, mode)
            sample = slice(None) if options.all else slice(FAMILIES.index(family), None, 2 * len(FAMILIES))
            named = [os.path.join(HERE, "scripts", "draw", name) for name in ngg_proof.named_draws(mode)]
            codes.append(run_draws(driver, sorted(set(draws[sample] + named))))
        driver.references = own
        if not words or "gfx10" in words[1]:
            codes.append(run_draws(driver, random_files))
        if inputs:
            halves = words and family.startswith("gfx10") and not options.all  # there are several modes
            sample = inputs[number % 2::2] if halves else inputs
            codes += [run_diff(driver, sample, "pairs"), run_scenes(driver, options.cache)]
    return codes


def check_random(options):
    """Random shaders of every stage."""
    files = random_kinds.write(os.path.join(options.own, "scripts"), RANDOM_FILES * (15 if options.all else 1))
    return [run_draws(driver, files)
            for driver in [Driver(options)] + [Driver(options, [family]) for family in FAMILIES]]


def check_captures(options):
    """Captured pipelines, linked and monolithic."""
    folder = os.path.join(options.corpus, "pipelines")
    if not os.path.isdir(folder):
        print(f"no captured pipelines at {folder}")
        sys.exit(SKIPPED)
    files = sorted(glob.glob(os.path.join(folder, "*", "compute", "*.json"))
                   + glob.glob(os.path.join(folder, "*", "graphics", "*.json")))
    inputs = without_exceptions([(path, path) for path in files], "parts-exceptions.txt")
    codes = []
    for number, family in enumerate(FAMILIES):
        driver = Driver(options, [family])
        own = os.path.join(options.own, "references-" + family)
        sample = inputs if options.all else inputs[number::5] + inputs[(number + 2) % 5::5]
        codes.append(run_mode(driver, "off", "captures", ["--record"] + sample, own)[0])
        code, statistics = run_mode(driver, "sync", "captures", sample, own)
        codes += [code, statistics.judge(f"{family}, captures", MIN_LINKED)]
    return codes


def check_files(options):
    """The differential run over files of the user: ./kiln diff."""
    families = [name for name in os.environ.get("KILN_DEVICES", "").split(",") if name]
    if not families and any(".mesh" in file for file in options.files):
        print("Not on gfx1010, which has no mesh shaders.", flush=True)
        families = FAMILIES[1:]
    codes = []
    for command, files in (("sample", [file for file in options.files if "+" not in file]),
                           ("pairs", [file for file in options.files if "+" in file])):
        if files:
            codes += [run_diff(Driver(options), files, command),
                      run_diff(Driver(options, families or FAMILIES), files, command)]
    if 1 in codes[1::2]:
        print("To see how a value is computed, choose a device, a workgroup and a lane:\n"
              "  KILN_DEVICES=gfx1100 KILN_TRACE='group=0,0,0;wave=0;lane=0' ./kiln diff FILE\n"
              "KILN_SEED=N shows a race, KILN_POISON=0 what nobody has written, KILN_ULP=1 rounding,\n"
              "KILN_OPT_LEVEL=0 the optimiser (docs/environment.md).")
    return codes


def check_validation(options):
    """The validation layer says nothing about the test files."""
    return [Driver(options, [VALIDATION_FAMILY]).run_scripts("--validation")]


CHECKS = {
    "references": check_references,
    "lavapipe": references.judge,
    "corpus": check_corpus,
    "diff": check_diff,
    "pairs": check_pairs,
    "parts": check_parts,
    "captures": check_captures,
    "ngg": check_ngg,
    "random": check_random,
    "levels": lambda options: variants.check_levels(sys.modules[__name__], options),
    "direct": lambda options: variants.check_direct(sys.modules[__name__], options),
    "tiers": lambda options: variants.check_tiers(sys.modules[__name__], options),
    "recorded": lambda options: recorded.check_recorded(sys.modules[__name__], options),
    "layouts": lambda options: amd_layouts.check_layouts(sys.modules[__name__], options),
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
    parser.add_argument("--cache", help="folder for modules made from the corpus' text, default WORK/corpus")
    parser.add_argument("--quiet", action="store_true", help="do not show how far it has come")
    parser.add_argument("--all", action="store_true", help="everything, of checks that take a sample")
    options = parser.parse_intermixed_args()
    # Other checks may run at the same time; what lavapipe computed is for all of them.
    options.cache = options.cache or os.path.join(options.work, "corpus")
    options.own = os.path.join(options.work, options.check + ("-all" if options.all else ""))
    os.makedirs(options.own, exist_ok=True)
    # What coverage.py reads: of this run alone, and only of what CMakeLists.txt lets it wait for. What
    # someone runs by hand (files), or ctest only sometimes (--all), would cover what no test does.
    options.counts = None
    if options.check in FAMILIES + COUNTED and not options.all:
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
