# SPDX-License-Identifier: MIT
"""Every pipeline of pipelines.py is executed out of the cache. What comes out is what the driver's own
compile gives, bit by bit, and what scenes.py says; and that is checked with another driver."""
import glob
import json
import os
import subprocess

import scenes
import support
from support import Case, names_of_all, read

FAMILIES = ("gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201")
# Its subgroups have one size.
NOT_ON_LAVAPIPE = {"compute-subgroup-size-64.json", "compute-subgroup-size-32-alias.json"}
# They are about what is refused and what is not: other scenes draw the same.
COMPILED_ONLY = {f"graphics-{name}.json" for name in (
    "depth-only", "no-target-is-used", "no-attachments", "push-constants-to-the-last-byte",
    "lengths-of-specialization", "wide-inputs", "custom-border-color-of-quiet-nan",
    "custom-border-color-of-negative-nan", "custom-border-color-of-signalling-nan",
    "samples-of-dynamic-state")}


def executed():
    return [name for name in names_of_all() if name not in COMPILED_ONLY]


class Execute(Case):
    """The pipelines that kiln-pcc reads, on drivers."""

    def execute(self, names, *arguments, devices="gfx1100"):
        """Results by pipeline."""
        all_scenes = scenes.all_scenes()
        support.write(self.path("scenes"), json.dumps([all_scenes[name][0] for name in names]))
        program = os.path.join(os.path.dirname(support.KILN_PCC), "kiln-pcc-execute")
        done = subprocess.run(
            [program, self.inputs, self.path("scenes"), self.path("results"), *arguments], check=False,
            capture_output=True, text=True, timeout=1800, env={
                **os.environ, "KILN_DEVICES": devices, "KILN_CACHE": "off", "KILN_PARTS": "off", "KILN_POISON": "1", "KILN_STRICT": "1"})
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(read(self.path("results")))

    def check(self, results):
        wrong = []
        for name, (_, check) in scenes.all_scenes().items():
            if name in results:
                try:
                    check(scenes.Result(results[name]))
                except scenes.Wrong as error:
                    wrong.append(f"{name}: {error}")
        self.assertFalse(wrong, "\n".join(wrong))

    def test_scenes_are_complete(self):
        self.assertEqual(sorted(scenes.all_scenes()), executed())
        self.assertLessEqual(COMPILED_ONLY, set(names_of_all()))

    def test_every_family(self):
        self.add_all()
        for family in FAMILIES:
            self.compile_for(family)
            cached = self.execute(executed(), "--cache", self.path(family), devices=family)
            own = self.execute(executed(), devices=family)
            self.assertEqual([name for name in executed() if cached[name] != own[name]], [], family)
            with self.subTest(family):
                self.check(cached)

    def compile_for(self, family):
        done = support.run("--path", self.inputs, "--out", self.path(family), "--chip", family, "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_formulas_on_lavapipe(self):
        manifests = glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json")
        if not manifests:
            self.skipTest("no lavapipe")
        library = json.loads(read(manifests[0]))["ICD"]["library_path"]
        self.add_all()
        names = [name for name in executed() if name not in NOT_ON_LAVAPIPE]
        self.check(self.execute(names, "--driver", library))
