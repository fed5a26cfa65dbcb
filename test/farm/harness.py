# SPDX-License-Identifier: MIT
"""What the checks of run.py share: programs, inputs, and the driver."""
import os
import re
import subprocess
import time

import generate

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TARGETS = "gfx1030,gfx1100"
COUNT = 12


class Farm:
    def __init__(self, programs, work):
        self.programs, self.work = programs, work
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("KILN_", "VK_", "XDG_", "HOME"))}
        self.environment["KILN_CACHE"] = "off"

    def path(self, *names):
        return os.path.join(self.work, *names)

    def program(self, name, *arguments, code=0, **variables):
        done = subprocess.run([os.path.join(self.programs, name), *arguments], text=True, check=False,
                              env=self.environment | variables, stdin=subprocess.DEVNULL,
                              capture_output=True)
        said = done.stdout + done.stderr
        expect(done.returncode == code, f"{name} {' '.join(arguments)}: exit code {done.returncode}\n{said}")
        return said

    def farm(self, *arguments, code=0, **variables):
        return self.program("kiln-farm", *arguments, code=code, **variables)

    def database(self, count=COUNT):
        path = self.path(f"made{count}.foz")
        if not os.path.exists(path):
            generate.write(path, count)
        return path

    def plan(self, name, *inputs, targets=TARGETS):
        self.farm("plan", "-o", self.path(name), f"--targets={targets}", *(inputs or [self.database()]))
        return self.path(name)

    def hash(self, run):
        return re.search(r"^hash (\w{64})$", self.farm("merge", run, "--quiet"), re.M).group(1)


def expect(condition, why):
    if not condition:
        raise SystemExit(f"farm: {why}")


def names(folder):
    return sorted(os.listdir(folder))


def driven(farm, what, cached, **variables):
    """The driver makes all pipelines, and says WHAT of the server; CACHED of them it does not compile."""
    began = time.monotonic()
    said = farm.program("kiln-replay", "--icd=kiln", "--device=all", farm.database(), KILN_DEVICES=TARGETS, KILN_STATS="1",
                        KILN_PARTS="off", **variables)
    expect(len(re.findall(r" created cached ", said)) == cached, f"not {cached} cached\n{said}")
    expect(len(re.findall(r" created ", said)) == 2 * COUNT, f"not all were made\n{said}")
    expect(not what or len(re.findall(what, said)) == len(TARGETS.split(",")), f"{what}\n{said}")
    return said, time.monotonic() - began
