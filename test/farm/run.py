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

import servers
from harness import COUNT, HERE, ROOT, TARGETS, Farm, expect, names


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
    """.pipe files that the driver has written give amdllpc's code; of ray tracing pipelines, those that amdllpc has written."""
    dumps = farm.path("dumps")
    farm.program("kiln-replay", "--icd=kiln", "--read-only", farm.database(3))
    farm.program("kiln-replay", "--icd=kiln", farm.database(3), KILN_DUMP_DIR=dumps, KILN_DEVICES="gfx1100",
                 KILN_TIER="llvm", KILN_PARTS="off")
    rays = os.path.join(ROOT, "examples", "rays")
    farm.program("amdllpc", "-mcpu=gfx1100", *(os.path.join(rays, name) for name in ("camera.rgen", "sky.rmiss", "sphere.rint")),
                 f"-pipeline-dump-dir={dumps}", "-o", farm.path("rays.elf"))
    run = farm.plan("run", dumps, targets="gfx1100")
    farm.farm("run", run, "--quiet")
    farm.farm("merge", run, f"--elf={farm.path('code.tar')}")
    with open(os.path.join(run, "wanted.tsv"), encoding="utf-8") as file:
        wanted = dict(line.rstrip("\n").split("\t") for line in file)
    expect(len(wanted) == 4, wanted)
    with tarfile.open(farm.path("code.tar")) as archive:
        for item, pipe in wanted.items():
            farm.program("amdllpc", "-mcpu=gfx1100", pipe, "-o", farm.path("one.elf"))
            with open(farm.path("one.elf"), "rb") as file:
                expect(file.read() == archive.extractfile(f"{item}.gfx1100.elf").read(), f"{pipe}: other code")


def check_full(farm):
    """A disk without room: "try again", and what is there stays; with room everything is as it should be."""
    if subprocess.run(["unshare", "-rm", "true"], capture_output=True, check=False).returncode:
        print("farm: no file system can be mounted here")
        return 77
    return subprocess.run(["unshare", "-rm", sys.executable, "-B", os.path.join(HERE, "run.py"), "full_disk", farm.programs],
                          check=False).returncode


def check_full_disk(farm):
    """The same, where the test may mount one."""
    clean, run = farm.plan("clean"), farm.plan("run")
    farm.farm("run", clean, "--quiet")
    disk = farm.path("disk")
    os.makedirs(disk)
    # Not as much as the results take.
    needed = sum(os.path.getsize(os.path.join(run, name)) for name in ("pack", "plan.json", "wanted.tsv"))
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={needed // 4096 * 4 + 120}k", "none", disk], check=True)
    shutil.copytree(run, os.path.join(disk, "run"))
    run = os.path.join(disk, "run")
    expect("No space left" in farm.farm("run", run, "--quiet", code=75), "no word of the disk")
    before = names(os.path.join(run, "buckets"))
    farm.farm("run", run, "--quiet", "--attempt=2", code=1)
    expect(set(before) <= set(names(os.path.join(run, "buckets"))), "what was there is gone")
    farm.farm("merge", run, code=1)
    subprocess.run(["mount", "-o", "remount,size=100m", disk], check=True)
    text = farm.farm("run", run)
    expect(before and " 0 of 256 buckets were there" not in text, f"{len(before)} buckets, {text}")
    expect(farm.hash(run) == farm.hash(clean), "another hash")
    subprocess.run(["umount", disk], check=True)


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


def check_page(farm):
    """The status page in a browser: curves of all targets, nothing from elsewhere. FARM_PICTURE: where a picture of it goes."""
    browser = shutil.which("chromium")
    if not browser:
        print("farm: no chromium")
        return 77
    run = farm.plan("run")
    for task in range(2):
        farm.farm("run", run, f"--task={task}/2", "-j1", "--quiet")
    page = farm.path("status.html")
    with open(page, "w", encoding="utf-8") as file:
        file.write(farm.farm("status", run, "--format=html"))
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={farm.path('profile')}"]
    dom = subprocess.run([browser, *options, "--dump-dom", f"file://{page}"], capture_output=True, text=True, timeout=300,
                         check=False).stdout
    expect(not re.search(r"(src|href)=|<script|url\(", dom), "something that is not in the page")
    curves = re.findall(r'<polyline [^>]*points="([^"]*)"', dom)
    expect(len(curves) == 6, f"{len(curves)} curves")  # two targets and all, done and a second
    for curve in curves:
        points = [tuple(map(float, point.split(","))) for point in curve.split()]
        expect(len(points) == 121 and all(70 <= x <= 690 and 10 <= y <= 210 for x, y in points), curve)
    for curve in curves[:3]:
        heights = [float(point.split(",")[1]) for point in curve.split()]
        expect(heights == sorted(heights, reverse=True) and heights[0] == 210 and heights[-1] < 150, curve)
    for target in TARGETS.split(","):
        expect(f"<td>{target}</td><td>{COUNT}</td>" in dom, f"{target}: not all\n{dom}")
    picture = os.environ.get("FARM_PICTURE", farm.path("status.png"))
    subprocess.run([browser, *options, f"--screenshot={picture}", "--window-size=900,1300", f"file://{page}"],
                   capture_output=True, timeout=300, check=False)
    expect(os.path.getsize(picture) > 10000, "no picture")
    return 0


CHECKS = {**vars(servers), **globals()}


def main():
    check, programs = sys.argv[1], os.path.abspath(sys.argv[2])
    if not shutil.which("glslangValidator"):
        print("farm: there is no glslangValidator")
        return 77
    with tempfile.TemporaryDirectory(prefix="kiln-farm-") as work:
        return CHECKS[f"check_{check}"](Farm(programs, work)) or 0


if __name__ == "__main__":
    sys.exit(main())
