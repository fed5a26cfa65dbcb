#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""slurm.py BIN: kiln-farm by Slurm, four nodes of which are processes of this machine; ctest `farm-slurm`.

All captures that there are, for three targets, by 1, 3 and 8 tasks, by 8 with a node killed, another one stopped and the
controller restarted, and without Slurm: one hash. 77: no Slurm here, or not allowed to start it (it runs as root, without systemd, cgroups or a database, and listens on 127.0.0.1 only).
"""
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import generate

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = os.path.join(ROOT, "examples", "farm", "slurm.sh")
COUNT, NODES = 24, 4  # of pipelines, where there are no captures
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol")
LIMIT = 900  # seconds, for all jobs of a round

CONFIGURATION = """ClusterName=farm
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={work}/run/munge,cred_expire=10
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation={work}/state
SlurmdSpoolDir={work}/spool-%n
SlurmdPidFile={work}/run/slurmd-%n.pid
SlurmdLogFile={work}/log/slurmd-%n
SlurmctldPidFile={work}/run/slurmctld.pid
SlurmctldLogFile={work}/log/slurmctld
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc={work}/log/jobcomp
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdTimeout=10
KillWait=5
JobRequeue=1
RequeueExit=75
MaxArraySize=100001
MaxJobCount=200000
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
NodeName=n[1-{nodes}] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{first}-{last}] CPUs=1 RealMemory=1000
PartitionName=farm Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class Cluster:
    def __init__(self, work, programs):
        self.work, self.munge = work, None
        for name, mode in (("run", 0o755), ("log", 0o755), ("state", 0o755), ("munge", 0o700)):
            os.makedirs(self.path(name), mode)
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("KILN_", "SLURM_", "SBATCH_"))}
        self.environment.update(SLURM_CONF=self.path("slurm.conf"), KILN_CACHE="off",
                                PATH=programs + os.pathsep + os.environ["PATH"])
        key = os.open(self.path("munge", "key"), os.O_WRONLY | os.O_CREAT, 0o600)
        os.write(key, secrets.token_bytes(128))
        os.close(key)
        ports = free_ports(NODES + 1)
        with open(self.path("slurm.conf"), "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(host=socket.gethostname().split(".")[0], work=work, port=ports[0],
                                            nodes=NODES, first=ports[1], last=ports[1] + NODES - 1))

    def path(self, *names):
        return os.path.join(self.work, *names)

    def call(self, *command, check=True, limit=60):
        return subprocess.run(command, env=self.environment, text=True, capture_output=True, check=check,
                              timeout=limit).stdout

    def start(self):
        self.call("munged", "--force", f"--socket={self.path('run', 'munge')}",
                  f"--key-file={self.path('munge', 'key')}", f"--pid-file={self.path('run', 'munged.pid')}",
                  f"--log-file={self.path('munge', 'log')}", f"--seed-file={self.path('munge', 'seed')}")
        self.start_controller("-c")
        for node in range(1, NODES + 1):
            self.start_node(node)
        wait_for(lambda: self.call("sinfo", "-h", "-o", "%T", check=False).split() == ["idle"], 60,
                 "the nodes do not come up")

    def start_controller(self, *options):
        self.call("slurmctld", *options, "-f", self.path("slurm.conf"))

    def start_node(self, node):
        self.call("slurmd", "-N", f"n{node}", "-f", self.path("slurm.conf"))

    def process(self, name):
        try:
            with open(self.path("run", name + ".pid"), encoding="utf-8") as file:
                return int(file.read())
        except (OSError, ValueError):
            return 0

    def kill(self, name, number=signal.SIGKILL):
        process = self.process(name)
        if process:
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass

    def stop(self):
        for node in range(1, NODES + 1):
            self.kill(f"slurmd-n{node}", signal.SIGCONT)
            self.kill(f"slurmd-n{node}")
        self.kill("slurmctld")
        self.kill("munged", signal.SIGTERM)

    def is_idle(self):
        done = subprocess.run(["squeue", "-h"], env=self.environment, text=True, capture_output=True, check=False,
                              timeout=60)
        return done.returncode == 0 and not done.stdout.strip()


def free_ports(count):
    """One, and COUNT - 1 in a row."""
    while True:
        first = 20000 + secrets.randbelow(20000)
        try:
            for port in range(first, first + count):
                with socket.socket() as one:
                    one.bind(("127.0.0.1", port))
            return list(range(first, first + count))
        except OSError:
            continue


def wait_for(condition, seconds, why):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"farm-slurm: {why}")
        time.sleep(0.5)


def processes_of(cluster, node):
    """Those of tasks and their watchers, by what Slurm tells them."""
    marks = (f"SLURMD_NODENAME={node}".encode(), f"SLURM_CONF={cluster.path('slurm.conf')}".encode())
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/environ", "rb") as file:
                variables = file.read().split(b"\0")
        except OSError:
            continue
        if all(mark in variables for mark in marks):
            yield int(process)


def disturb(cluster):
    """A node is gone, another one says nothing for a while, and the controller forgets what it was doing."""
    time.sleep(3)
    cluster.kill("slurmd-n1")
    for process in processes_of(cluster, "n1"):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass
    cluster.kill("slurmd-n2", signal.SIGSTOP)
    cluster.kill("slurmctld")
    time.sleep(1)
    cluster.start_controller()
    time.sleep(15)
    cluster.kill("slurmd-n2", signal.SIGCONT)
    cluster.start_node(1)


def said_by_merge(run):
    try:
        with open(os.path.join(run, "log", "merge"), encoding="utf-8") as file:
            said = file.read()
    except FileNotFoundError:
        return ""
    return said if "hash" in said else ""


def release(cluster):
    """Nodes that were slow to start a task are drained, and its jobs held, until somebody says otherwise."""
    for job in cluster.call("squeue", "--noheader", "--format=%i %r", check=False).splitlines():
        number, _, reason = job.partition(" ")
        if "held" in reason:
            cluster.call("scontrol", "release", number, check=False)
    if "drain" in cluster.call("sinfo", "--noheader", "--format=%T", check=False):
        cluster.call("scontrol", "update", "NodeName=n[1-4]", "State=RESUME", check=False)


def wait_for_merge(cluster, run, again):
    """An engine that has lost its jobs is told once more, as a user would: nothing is compiled twice."""
    end, idle_since, released = time.monotonic() + LIMIT, time.monotonic(), time.monotonic()
    while not said_by_merge(run):
        if time.monotonic() - released > 10:
            release(cluster)
            released = time.monotonic()
        if time.monotonic() > end:
            raise SystemExit(f"farm-slurm: {run} does not end\n{cluster.call('squeue', check=False)}")
        if not cluster.is_idle():
            idle_since = time.monotonic()
        elif time.monotonic() - idle_since > 30:
            again()
            idle_since = time.monotonic()
        time.sleep(0.5)
    return said_by_merge(run)


def inputs(cluster):
    """Captures of the corpus, if it is there."""
    shared = os.path.join(os.path.dirname(ROOT), "shared")
    folders = [os.path.join(shared, "corpus", "pipelines"), os.path.join(shared, "cases", "captures")]
    folders = [folder for folder in folders if os.path.isdir(folder)]
    if folders:
        return folders
    generate.write(cluster.path("made.foz"), COUNT)
    return [cluster.path("made.foz")]


def plan(cluster, name, files):
    """The folder, and how many results there will be. Pipeline libraries are no pipelines, and errors."""
    run = cluster.path(name)
    done = subprocess.run(["kiln-farm", "plan", "-o", run, "--targets=gfx1030,gfx1100,gfx1201", *files], text=True,
                          env=cluster.environment, capture_output=True, check=False, timeout=300)
    unknown = [line for line in done.stderr.splitlines() if not line.endswith(": pipeline libraries")]
    items = re.search(r"(\d+) of them different", done.stdout)
    if unknown or not items:
        raise SystemExit(f"farm-slurm: plan: {done.stdout}{done.stderr}")
    return run, 3 * int(items.group(1))


def compile_all(cluster, files, name, tasks, disturbed=False):
    run, results = plan(cluster, name, files)
    cluster.call(SCRIPT, run, str(tasks))
    if disturbed:
        disturb(cluster)
    said = wait_for_merge(cluster, run, lambda: cluster.call(SCRIPT, run, str(tasks)))
    return hash_of(name, said, results)


def compile_alone(cluster, files):
    run, results = plan(cluster, "alone", files)
    cluster.call("kiln-farm", "run", run, "-j2", "--quiet", limit=LIMIT)
    return hash_of("alone", cluster.call("kiln-farm", "merge", run, "--quiet"), results)


def hash_of(name, said, results):
    if f"{results} good, 0 failed" not in said:
        raise SystemExit(f"farm-slurm: {name}: {said}")
    print(f"{name}: {results} results, {said.splitlines()[-1]}", flush=True)
    return said.splitlines()[-1]


def main():
    programs = sys.argv[1]
    missing = [name for name in PROGRAMS if not shutil.which(name)]
    if missing or os.geteuid():
        print(f"farm-slurm: {', '.join(missing)} not installed" if missing else "farm-slurm: must run as root")
        return 77
    with tempfile.TemporaryDirectory(prefix="kiln-slurm-") as work:
        os.chmod(work, 0o755)  # munge wants folders that all may enter
        os.umask(0o022)
        cluster = Cluster(work, programs)
        try:
            cluster.start()
            files = inputs(cluster)
            hashes = {compile_all(cluster, files, f"run{tasks}", tasks) for tasks in (1, 3, 8)}
            hashes.add(compile_all(cluster, files, "disturbed", 8, disturbed=True))
            hashes.add(compile_alone(cluster, files))
        finally:
            cluster.stop()
    if len(hashes) != 1:
        raise SystemExit(f"farm-slurm: hashes {hashes}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
