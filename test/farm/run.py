#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py CHECK BIN: kiln-farm as its users run it; ctest `farm-CHECK`. 77: what the check needs is not there."""
import glob
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
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


def check_plan(farm):
    """The order of inputs and how often they are there do not matter."""
    database = farm.database()
    copy = shutil.copy(database, farm.path("copy.foz"))
    text = farm.farm("plan", "-o", farm.path("one"), f"--targets={TARGETS}", database)
    expect(f"{COUNT} pipelines, {COUNT} of them different, 3 modules, 2 targets, 256 buckets; 0 errors" in text, text)
    twice = farm.farm("plan", "-o", farm.path("two"), f"--targets={TARGETS}", copy, database)
    expect(f"{2 * COUNT} pipelines, {COUNT} of them different" in twice, twice)
    expect(text.splitlines()[-1] == twice.splitlines()[-1], "the same pipelines have plans with two hashes")
    other = farm.farm("plan", "-o", farm.path("three"), "--targets=gfx1100", database)
    expect(text.splitlines()[-1] != other.splitlines()[-1], "another target, the same hash")
    with open(farm.path("two", "wanted.tsv"), encoding="utf-8") as wanted:
        lines = [line.rstrip("\n").split("\t") for line in wanted]
    expect(len(lines) == 2 * COUNT and len({item for item, _ in lines}) == COUNT, f"{len(lines)} wanted")
    farm.farm("plan", "-o", farm.path("one"), database, code=1)  # there is one
    # A database that was cut off, and files that are none, are errors; what is good is planned.
    with open(database, "rb") as file:
        data = file.read()
    with open(farm.path("cut.foz"), "wb") as file:
        file.write(data[:-20])
    with open(farm.path("broken.json"), "w", encoding="utf-8") as file:
        file.write("{")
    text = farm.farm("plan", "-o", farm.path("four"), farm.path("cut.foz"), farm.path("broken.json"),
                     farm.path("nothing"), code=1)
    expect(f"{COUNT - 1} of them different" in text and "3 errors" in text, text)
    # Another compiler's plan is refused.
    with open(farm.path("one", "plan.json"), encoding="utf-8") as file:
        plan = json.load(file)
    plan["compiler"] += "x"
    with open(farm.path("one", "plan.json"), "w", encoding="utf-8") as file:
        json.dump(plan, file)
    expect("of another compiler" in farm.farm("run", farm.path("one"), code=1), "another compiler's plan")


def check_runs(farm):
    """Any number of tasks in any order, again and again: one hash."""
    hashes = set()
    for tasks in (1, 3, 8):
        run = farm.plan(f"run{tasks}")
        for task in reversed(range(tasks)):
            farm.farm("run", run, f"--task={task}/{tasks}", "-j2", "--quiet")
        hashes.add(farm.hash(run))
        text = farm.farm("run", run)
        expect("0 done" in text and "256 of 256 buckets were there" in text, text)
    expect(len(hashes) == 1, f"hashes {hashes}")
    expect("0 of 256" not in farm.farm("status", farm.path("run8")), "nothing is done")
    farm.farm("run", farm.path("run1"), "--all", "--quiet")  # compares
    for form in ("json", "prometheus", "html"):
        expect(f"{2 * COUNT}" in farm.farm("status", farm.path("run1"), f"--format={form}"), form)
    buckets = farm.path("run1", "buckets")
    filled = max(names(buckets), key=lambda name: os.path.getsize(os.path.join(buckets, name)))
    os.remove(os.path.join(buckets, filled))
    expect("1 of 256 buckets are missing" in farm.farm("merge", farm.path("run1"), code=1), "a missing bucket")
    farm.farm("merge", farm.path("run1"), "--partial")
    with open(os.path.join(buckets, filled), "wb") as file:
        file.write(b"no bucket")
    expect("no bucket" in farm.farm("merge", farm.path("run1"), code=1), "a damaged bucket")
    text = farm.farm("run", farm.path("run1"))
    expect("255 of 256 buckets were there" in text, text)
    expect(farm.hash(farm.path("run1")) in hashes, "another hash after damage")


def check_poison(farm):
    """Signal, hang and memory: everything else is there, poison is named and can be reproduced."""
    clean = farm.plan("clean")
    farm.farm("run", clean, "--quiet")
    run = farm.plan("run")
    faults = {"signal": "1:0", "hang": "4:1", "memory": "7:0"}
    text = farm.program("kiln-farm-faulty", "run", run, "-j2", "--seconds=15", "--memory=6000",
                        FARM_FAULTS=",".join(f"{how}:{where}" for how, where in faults.items()))
    expect(f"{2 * COUNT - 3} good" in text and "3 poison" in text, text)
    for why in ("signal 11", "took longer than 30 s", "poison: "):
        expect(why in text, text)
    reports = glob.glob(os.path.join(run, "poison", "*.txt"))
    expect(len(reports) == 3, reports)
    for report in reports:
        pipes = glob.glob(os.path.join(report[:-len(".txt")], "*.pipe"))
        expect(len(pipes) == 1, f"{report}: {pipes}")
        target = report.split(".")[-2]
        farm.program("amdllpc", f"-mcpu={target}", pipes[0], "-o", farm.path("poison.elf"))
    expect("3 poison" in farm.farm("merge", run), "merge does not say so")
    expect(farm.farm("status", run).count("poison: ") == 3, "status does not say so")
    expect("3 done: 3 good" in farm.farm("retry", run), "retry")
    expect(farm.hash(run) == farm.hash(clean), "another hash after retry")


def check_kill(farm):
    """kill -9 of the parent and of its children at random moments."""
    clean, run = farm.plan("clean"), farm.plan("run")
    farm.farm("run", clean, "--quiet")
    seed = int(time.time())
    dice = random.Random(seed)
    program = os.path.join(farm.programs, "kiln-farm")
    for _ in range(6):
        task = subprocess.Popen([program, "run", run, "-j2", "--quiet"], env=farm.environment,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(dice.uniform(0.05, 1.5))
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(task.pid)], text=True,
                                  capture_output=True, check=False).stdout.split()
        if children and dice.random() < 0.5:
            try:
                os.kill(int(dice.choice(children)), signal.SIGKILL)
            except ProcessLookupError:
                pass
            time.sleep(dice.uniform(0.05, 0.5))
        task.kill()
        task.wait()
    text = farm.farm("run", run)
    expect(farm.hash(run) == farm.hash(clean), f"another hash, seed {seed}\n{text}")


def created(farm, disk, parts):
    """What the driver says that makes all pipelines; the number of those that it found."""
    said = farm.program("kiln-replay", "--icd=kiln", "--device=all", farm.database(), KILN_CACHE="readonly",
                        KILN_CACHE_DIR=farm.path("none"), KILN_CACHE_READ_ONLY=disk, KILN_DEVICES=TARGETS,
                        KILN_STATS="1", KILN_PARTS=parts)
    return said, len(re.findall(r" created cached ", said))


def check_merge(farm):
    """Drivers that are started with what was merged compile nothing."""
    run = farm.plan("run")
    farm.farm("run", run, "--quiet")
    os.makedirs(farm.path("none"), mode=0o700)
    for parts in ("off", "on"):
        disk = farm.path(f"{parts}-1.db")
        farm.farm("merge", run, f"--disk-cache={disk}", KILN_PARTS=parts)
        said, cached = created(farm, disk, parts)
        expect(cached == 2 * COUNT and said.count("compiled monolithically 0") == 2, f"{cached} cached\n{said}")
        # Where parts are made of modules, that is done in the background, whatever becomes of them.
        expect(parts == "on" or said.count(" 0 made") == 2, f"something was made\n{said}")
        said, cached = created(farm, farm.path("nothing.db"), parts)
        expect(cached == 0, f"{cached} cached without a cache\n{said}")
    farm.farm("merge", run, f"--disk-cache={disk}", code=1)  # it is there
    elf = farm.path("code.tar")
    farm.farm("merge", run, f"--elf={elf}", f"--pipeline-cache={farm.path('data.bin')}")
    with tarfile.open(elf) as archive:
        members = archive.getmembers()
        expect(len(members) == 2 * COUNT, f"{len(members)} code objects")
        archive.extractall(farm.path("elf"))
    farm.program("pal-verify", *glob.glob(farm.path("elf", "*.elf")))
    # Again: the same bytes of what has no times in it.
    farm.farm("merge", run, f"--elf={farm.path('again.tar')}", f"--pipeline-cache={farm.path('again.bin')}")
    for one, two in (("code.tar", "again.tar"), ("data.gfx1100.bin", "again.gfx1100.bin")):
        with open(farm.path(one), "rb") as first, open(farm.path(two), "rb") as second:
            expect(first.read() == second.read(), f"{one} and {two} differ")
    check_data(farm, farm.path("data.gfx1100.bin"))


def check_data(farm, data):
    """Data of a VkPipelineCache, as the driver takes it."""
    said = farm.program("kiln-farm-data", data, farm.database(), KILN_DEVICES="gfx1100")
    expect(f"{COUNT} created, 0 not there" in said, said)


def check_vulkansc(farm):
    """The cache is that of kiln-pcc, byte for byte."""
    folder = farm.path("json")
    shutil.copytree(os.path.join(ROOT, "examples", "vulkansc", "pipelines"), folder)
    for shader in glob.glob(os.path.join(ROOT, "examples", "vulkansc", "shaders", "*")):
        name = os.path.basename(shader) + ".spv"
        subprocess.run(["glslangValidator", "-V", "--quiet", shader, "-o", os.path.join(folder, name)],
                       check=True, stdout=subprocess.DEVNULL)
    run = farm.plan("run", folder)
    farm.farm("run", run, "--quiet")
    farm.farm("merge", run, f"--vulkan-sc={farm.path('farm.bin')}")
    farm.program("kiln-pcc", "--path", folder, "--out", farm.path("pcc.bin"), "--chip", TARGETS)
    for target in TARGETS.split(","):
        with open(farm.path(f"farm.{target}.bin"), "rb") as first, open(farm.path(f"pcc.{target}.bin"), "rb") as second:
            expect(first.read() == second.read(), f"{target}: not what kiln-pcc writes")


def check_pipe(farm):
    """.pipe files that the driver has written give amdllpc's code."""
    dumps = farm.path("dumps")
    farm.program("kiln-replay", "--icd=kiln", "--read-only", farm.database(3))
    farm.program("kiln-replay", "--icd=kiln", farm.database(3), KILN_DUMP_DIR=dumps, KILN_DEVICES="gfx1100",
                 KILN_TIER="llvm", KILN_PARTS="off")
    run = farm.plan("run", dumps, targets="gfx1100")
    farm.farm("run", run, "--quiet")
    farm.farm("merge", run, f"--elf={farm.path('code.tar')}")
    with open(os.path.join(run, "wanted.tsv"), encoding="utf-8") as file:
        wanted = dict(line.rstrip("\n").split("\t") for line in file)
    expect(len(wanted) == 3, wanted)
    with tarfile.open(farm.path("code.tar")) as archive:
        for item, pipe in wanted.items():
            farm.program("amdllpc", "-mcpu=gfx1100", pipe, "-o", farm.path("one.elf"))
            with open(farm.path("one.elf"), "rb") as file:
                expect(file.read() == archive.extractfile(f"{item}.gfx1100.elf").read(), f"{pipe}: other code")


def check_server(farm):
    """A real server: what one run has stored another one takes; without rights, full, stopped, killed."""
    program = shutil.which("valkey-server") or shutil.which("redis-server")
    if not program:
        print("farm: neither valkey-server nor redis-server")
        return 77
    path = farm.path("socket")
    with open(farm.path("server.conf"), "w", encoding="utf-8") as file:
        file.write(f'port 0\nunixsocket {path}\nsave ""\nappendonly no\ndir {farm.work}\nmaxmemory 100mb\n'
                   "user default off\nuser farm on >secret ~kiln:* -@all +get +mget +set +ping\n")
    server = subprocess.Popen([program, farm.path("server.conf")], stdout=subprocess.DEVNULL)
    try:
        for _ in range(100):
            if os.path.exists(path):
                break
            time.sleep(0.1)
        for name, password in (("keys", "secret"), ("wrong", "other")):
            with open(os.open(farm.path(name), os.O_CREAT | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
                file.write(f"name {'12' * 32}\nseal {'34' * 32}\nuser farm\npassword {password}\n")
        runs(farm, server, [f"--server=unix:{path}", f"--keys={farm.path('keys')}"],
             [f"--server=unix:{path}", f"--keys={farm.path('wrong')}"])
    finally:
        server.kill()
        server.wait()
    return 0


def runs(farm, server, options, wrong):
    plain = farm.plan("plain")
    farm.farm("run", plain, "--quiet")

    def again(name, what, options):
        run = farm.plan(name)
        text = farm.farm("run", run, *options)
        expect(what in text, f"{name}: {text}")
        expect(farm.hash(run) == farm.hash(plain), f"{name}: another hash")

    units = 2 * COUNT
    again("first", f"server: 0 hits, {units} misses, 0 forged, 0 without an answer, 0 failures, {units} stored", options)
    again("second", f"server: {units} hits, 0 misses", [*options, "--audit=0"])
    again("audited", f"{units} audited", [*options, "--audit=1"])
    again("denied", f"server: 0 hits, 0 misses, 0 forged, {units} without an answer", wrong)
    server.send_signal(signal.SIGSTOP)
    again("stopped", f"server: 0 hits, 0 misses, 0 forged, {units} without an answer, 3 failures", options)
    server.send_signal(signal.SIGCONT)
    server.kill()
    server.wait()
    again("killed", f"server: 0 hits, 0 misses, 0 forged, {units} without an answer, 3 failures", options)


def check_parallel(farm):
    """examples/farm/parallel.sh."""
    if not shutil.which("parallel"):
        print("farm: no GNU parallel")
        return 77
    plain, run = farm.plan("plain"), farm.plan("run")
    farm.farm("run", plain, "--quiet")
    script = os.path.join(ROOT, "examples", "farm", "parallel.sh")
    environment = farm.environment | {"PATH": farm.programs + os.pathsep + os.environ["PATH"], "HOME": farm.work}
    done = subprocess.run([script, run, "5", "-j2"], env=environment, text=True, capture_output=True, check=False)
    expect(done.returncode == 0, done.stdout + done.stderr)
    expect(farm.hash(run) == farm.hash(plain), "another hash")
    return 0


def main():
    check, programs = sys.argv[1], os.path.abspath(sys.argv[2])
    if not shutil.which("glslangValidator"):
        print("farm: there is no glslangValidator")
        return 77
    with tempfile.TemporaryDirectory(prefix="kiln-farm-") as work:
        return globals()[f"check_{check}"](Farm(programs, work)) or 0


if __name__ == "__main__":
    sys.exit(main())
