# SPDX-License-Identifier: MIT
"""The driver's code on the software device: Kiln's own driver runs a capture or scene with the code that AMD's driver got for it, and
binds resources where AMD's layout has them (KILN_REPLACE_DIR, docs/environment.md). What comes out must be what lavapipe makes of the
same inputs."""
import glob
import os
import re
import subprocess

# Pipelines whose result lavapipe cannot judge, compared with Kiln's own code bit by bit: part of the name, and why.
OWN_REFERENCE = {
    "vkbasalt/graphics/bb7240823fc642dc": "its noise makes the last bit of a texture coordinate visible",
}
# Kinds whose resources nothing here makes: amdTests executes them.
NOT_EXECUTED = ("ycbcr",)
SETTINGS = {"KILN_PARTS": "off", "KILN_CACHE": "off", "KILN_TIER": "llvm", "KILN_POISON": "1", "KILN_STRICT": "1",
            "VK_LOADER_LAYERS_DISABLE": "~implicit~"}


def name_of(capture):
    return "/".join(capture.removesuffix(".json").split("/")[-3:])


class Execution:
    """Runs captures, and `scenes`: scripts of kinds by the path of their capture."""

    def __init__(self, options, scenes, kinds):
        self.options, self.scenes, self.kinds = options, scenes, kinds
        self.references = os.path.join(options.work, "references")
        self.executed = self.empty = 0
        control = sorted(glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json"))
        self.control = control[0] if control else None

    def kiln_exec(self, manifest, gpu, command, *arguments, **variables):
        environment = dict(os.environ, **SETTINGS, VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest, **variables)
        if gpu:
            environment["KILN_DEVICES"] = gpu
        return subprocess.run([os.path.join(self.options.bin, "kiln-exec"), command, f"--reference={self.references}", "--modules=/",
                               f"--output={self.options.work}", *arguments],
                              env=environment, capture_output=True, text=True, errors="replace", check=False)

    def record(self, captures):
        """What lavapipe makes of all of them."""
        captures = [path for path in captures if path not in self.scenes and self.kinds.get(path) not in NOT_EXECUTED
                    and name_of(path) not in OWN_REFERENCE]
        for command, inputs in (("captures", ["--near", *captures]), ("scripts", list(self.scenes.values()))):
            done = self.kiln_exec(self.control, None, command, *inputs)
            if done.returncode:
                return [f"lavapipe, {command}: {line}" for line in done.stdout.splitlines()[-5:]]
        return []

    def run(self, gpu, capture, folder):
        """Executes the code of `capture` that `folder` has the dump of. Returns messages."""
        name, kind = name_of(capture), self.kinds.get(capture)
        if kind in NOT_EXECUTED:
            return []
        command, inputs = ("scripts", [self.scenes[capture]]) if capture in self.scenes else ("captures", ["--near", capture])
        own = self.options.kiln_manifest
        if name in OWN_REFERENCE:
            inputs = ["--exact", *inputs]
            self.kiln_exec(own, gpu, command, "--record", *inputs)
        done = self.kiln_exec(own, gpu, command, *inputs, KILN_REPLACE_DIR=folder)
        self.executed += 1
        self.empty += bool(re.search(r"\b1 of 1 captured pipelines change nothing", done.stdout))
        messages = []
        if done.returncode or "0 skipped" not in done.stdout:
            messages.append(f"{gpu} {kind or name}: executed: {(done.stdout + done.stderr).strip()[-600:]}")
        elif "KILN_REPLACE_DIR: " not in done.stderr:
            messages.append(f"{gpu} {kind or name}: the driver's code was not executed")
        return messages

    def summary(self):
        """What shows nothing proves nothing."""
        return [f"{self.empty} of {self.executed} pipelines change nothing"] if self.empty * 4 > self.executed else []
