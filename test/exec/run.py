#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py CHECK --bin DIR [--icd FILE] [--work DIR] [--corpus DIR]: execution tests.

    lavapipe     test files and families on Mesa's CPU driver: the control, and the source of what
                 `compare` lines expect
    gfxNNNN      the same on Kiln's driver for one family of GPUs
    corpus       the ready cases of the shader corpus on lavapipe and on every family
    validation   the test files with VK_LAYER_KHRONOS_validation on one family: no message

As ctest tests these are `exec-CHECK` (`corpus-exec` for the cases). Each driver runs in a process of
its own, chosen by VK_DRIVER_FILES. Where no corpus lies beside the checkout, its check is skipped.
"""
import argparse
import glob
import os
import subprocess
import sys

SKIPPED = 77
FAMILIES = ("gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201")
VALIDATION_FAMILY = "gfx1100"
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
        return self.run("scripts", f"--reference={self.references}", *arguments,
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


def check_validation(options):
    """The validation layer says nothing about the test files."""
    return [Driver(options, [VALIDATION_FAMILY]).run_scripts("--validation")]


def main():
    """See the text at the top."""
    root = os.path.dirname(os.path.dirname(HERE))
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("check", choices=("lavapipe", "corpus", "validation") + FAMILIES)
    parser.add_argument("--bin", required=True, help="folder of kiln-exec")
    parser.add_argument("--icd", help="manifest of Kiln's driver")
    parser.add_argument("--work", required=True, help="folder for results of lavapipe and opcode counts")
    parser.add_argument("--corpus", default=os.path.join(os.path.dirname(root), "shared", "corpus"))
    options = parser.parse_args()
    # What coverage.py reads: of this run alone.
    options.counts = os.path.join(options.work, "counts", options.check + ".txt")
    os.makedirs(os.path.dirname(options.counts), exist_ok=True)
    if os.path.exists(options.counts):
        os.remove(options.counts)
    if options.check == "lavapipe":
        codes = check_driver(Driver(options))
    elif options.check in FAMILIES:
        codes = check_driver(Driver(options, [options.check]))
    elif options.check == "corpus":
        codes = check_corpus(options)
    else:
        codes = check_validation(options)
    sys.stdout.flush()
    sys.exit(1 if any(codes) else 0)


if __name__ == "__main__":
    main()
