#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs an installed Vulkan conformance suite (deqp-vk of VK-GL-CTS) on Kiln's driver.

Cases run in processes of some hundred, each case with a time limit; a crash or a case that does not end
costs that case only. What fails runs again on lavapipe, and is compared with a list of exceptions with
reasons. Fails if any case failed, crashed or did not end without such a reason.

Results: results.tsv in the folder of --results (case, status, text, lavapipe's status), and the logs of
processes in which something went wrong.
"""
import argparse
import fnmatch
import glob
import os
import signal
import subprocess
import sys

import shards

HERE = os.path.dirname(os.path.abspath(__file__))
DEFAULT_RESULTS = os.path.join(HERE, os.pardir, os.pardir, "build", "cts-results")
SHARD = 200  # cases of a process at most
GROUP_DEPTH = 3  # dEQP-VK.api.info: what a sample takes at least one case of, and the summary's lines


def parse_arguments():
    parser = argparse.ArgumentParser(prog="./kiln cts", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deqp", required=True, metavar="PATH", help="the program deqp-vk")
    parser.add_argument("--icd", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--caselist", metavar="FILE", action="append", default=[],
                        help="cases, a name a line, or names of such files (a must-pass list of the suite); "
                        "without, the program is asked for all it has")
    parser.add_argument("--filter", metavar="GLOB", action="append", default=[], help="only these cases")
    parser.add_argument("--exclude", metavar="GLOB", action="append", default=[], help="not these cases")
    parser.add_argument("--sample", metavar="N", type=int,
                        help="about N of them, evenly taken, at least one of each group")
    parser.add_argument("--offset", metavar="N", type=int, default=0, help="another sample of the same size")
    parser.add_argument("--target", default="gfx1100", help="family of GPUs; default gfx1100")
    parser.add_argument("--jobs", metavar="N", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--timeout", metavar="S", type=float, default=60, help="seconds for a case; default 60")
    parser.add_argument("--results", metavar="DIR", default=DEFAULT_RESULTS, help="default build/cts-results")
    parser.add_argument("--resume", action="store_true", help="go on where results.tsv ends")
    parser.add_argument("--control", choices=("failures", "all", "none"), default="failures",
                        help="what also runs on lavapipe")
    parser.add_argument("--control-icd", metavar="FILE", help="another driver than lavapipe for that")
    parser.add_argument("--exceptions", metavar="FILE", default=os.path.join(HERE, "exceptions.txt"))
    return parser.parse_args()


def read_cases(path, depth=0):
    """Names of cases of a file; lines that name files (relative to it) are read as well."""
    if depth > 4:
        sys.exit(f"{path}: case lists that name each other")
    cases = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.strip()
            if line.endswith(".txt"):
                cases += read_cases(os.path.join(os.path.dirname(path), line), depth + 1)
            elif line and not line.startswith("#"):
                cases.append(line)
    return cases


def ask_for_cases(program, environment):
    """All cases that the program has."""
    program = os.path.abspath(program)
    output = subprocess.run([program, "--deqp-runmode=stdout-caselist"], cwd=os.path.dirname(program),
                            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False)
    cases = [line[6:].strip() for line in output.stdout.decode("utf-8", "replace").splitlines()
             if line.startswith("TEST: ")]
    if output.returncode or not cases:
        sys.exit(f"{program} lists no cases (ended with {output.returncode})")
    return cases


def group_of(case):
    return ".".join(case.split(".")[:GROUP_DEPTH])


def sample(cases, count, offset):
    """About `count` cases, the same share of each group, evenly over its list."""
    if count is None or count >= len(cases):
        return cases
    groups = {}
    for case in cases:
        groups.setdefault(group_of(case), []).append(case)
    chosen = []
    for members in groups.values():
        share = max(1, round(len(members) * count / len(cases)))
        chosen += [members[(index * len(members) // share + offset) % len(members)] for index in range(share)]
    return chosen


def choose_cases(options, environment):
    """The cases of this run, in their order."""
    cases = [case for path in options.caselist for case in read_cases(path)]
    cases = cases or ask_for_cases(options.deqp, environment)
    if options.filter:
        cases = [case for case in cases if any(fnmatch.fnmatchcase(case, glob_) for glob_ in options.filter)]
    cases = [case for case in cases if not any(fnmatch.fnmatchcase(case, glob_) for glob_ in options.exclude)]
    if not cases:
        sys.exit("no case is left to run")
    return sample(list(dict.fromkeys(cases)), options.sample, options.offset)


def read_exceptions(path):
    """[(glob, statuses, reason)] of lines `GLOB [STATUS...]: REASON`; without a status, Fail alone is excepted."""
    exceptions = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if line and not line.startswith("#"):
                pattern, colon, reason = line.partition(": ")
                if not colon or not reason.strip():
                    sys.exit(f"{path}:{number}: an exception needs a reason (GLOB [STATUS...]: REASON)")
                pattern, *statuses = pattern.split()
                exceptions.append((pattern, statuses or ["Fail"], reason.strip()))
    return exceptions


def reason_for(case, status, exceptions):
    """Why the case may have this status; None: it may not. A good one (status None) may be excepted for any."""
    return next((reason for pattern, statuses, reason in exceptions
                 if fnmatch.fnmatchcase(case, pattern) and (status is None or status in statuses)), None)


def environments(options):
    """Environment variables of the driver and of the control."""
    base = {**os.environ, "VK_LOADER_LAYERS_DISABLE": "~implicit~"}
    ours = {**base, "VK_DRIVER_FILES": options.icd, "VK_ICD_FILENAMES": options.icd,
            "KILN_DEVICES": options.target}
    ours.setdefault("KILN_CACHE", "off")  # what fails must not depend on runs before
    ours.setdefault("KILN_THREADS", str(max(1, (os.cpu_count() or 1) // options.jobs)))
    control = options.control_icd or next(iter(sorted(glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json"))), None)
    if options.control != "none" and control is None:
        sys.exit("no lavapipe (mesa-vulkan-drivers): run ./kiln setup, or --control=none")
    return ours, {**base, "VK_DRIVER_FILES": control or "", "VK_ICD_FILENAMES": control or ""}


class Results:
    """What is known, and the file where it is kept as it comes."""

    def __init__(self, path, resume):
        self.path = path
        self.status = {}  # case: (status, text)
        if resume and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    fields = line.rstrip("\n").split("\t")
                    if len(fields) >= 3:
                        self.status[fields[0]] = (fields[1], fields[2])
        self.file = open(path, "a" if resume else "w", encoding="utf-8")  # pylint: disable=consider-using-with

    def add(self, case, status, text):
        """One result of Kiln's driver."""
        self.status[case] = (status, text)
        self.file.write(f"{case}\t{status}\t{text}\n")
        self.file.flush()
        if status not in shards.GOOD:
            print(f"{status}: {case}: {text}", flush=True)
        elif len(self.status) % 1000 == 0:
            print(f"{len(self.status)} cases", flush=True)

    def close(self, cases, control):
        """Writes the file in the order of `cases`, with the control's results."""
        self.file.close()
        with open(self.path, "w", encoding="utf-8") as file:
            for case in cases:
                status, text = self.status[case]
                file.write(f"{case}\t{status}\t{text}\t{control.get(case, '')}\n")


def print_summary(cases, results, control):
    """A line for each group that has anything but what is not supported, and the totals."""
    groups, total = {}, {}
    for case in cases:
        status = results.status[case][0]
        for counts in (groups.setdefault(group_of(case), {}), total):
            counts[status] = counts.get(status, 0) + 1
    groups["total"] = total
    for name, counts in groups.items():
        if set(counts) != {"NotSupported"}:
            print(f"{name}: " + ", ".join(f"{counts[status]} {status}" for status in sorted(counts)))
    compared = [case for case in cases if case in control]
    if compared:
        worse = [case for case in compared
                 if control[case] in shards.GOOD and results.status[case][0] not in shards.GOOD]
        better = [case for case in compared if control[case] not in shards.GOOD and
                  results.status[case][0] in shards.GOOD]
        print(f"the control ran {len(compared)} of them: {len(worse)} fail here only, {len(better)} there only")


def judge(cases, results, control, exceptions):
    """Names what failed; returns how many of them have no reason."""
    unexplained = 0
    for case in cases:
        status, text = results.status[case]
        good = status in shards.GOOD
        reason = reason_for(case, None if good else status, exceptions)
        if good:
            if reason and status != "NotSupported":
                print(f"no longer an exception? {case}: {status}")
            continue
        if not reason:
            unexplained += 1
        seen = f"; the control: {control[case]}" if case in control else ""
        print(f"{'expected' if reason else 'FAILED'}: {case}: {status}: {text}{seen}"
              + (f" [{reason}]" if reason else ""))
    return unexplained


def run_unless_stopped(runner, cases, jobs, report):
    """Runs the cases. At SIGTERM and SIGINT the suite's processes end, too, and what they came to is kept."""
    stopped = []

    def stop(number, _):
        stopped.append(number)
        runner.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    shards.run_all(runner, cases, jobs, SHARD, report)
    if stopped:
        sys.exit(128 + stopped[0])


def main():
    options = parse_arguments()
    exceptions = read_exceptions(options.exceptions)
    ours, theirs = environments(options)
    os.makedirs(options.results, exist_ok=True)
    cases = choose_cases(options, ours)
    results = Results(os.path.join(options.results, "results.tsv"), options.resume)
    left = [case for case in cases if case not in results.status]
    print(f"{len(cases)} cases on {options.target}" + (f", {len(left)} of them left" if options.resume else ""),
          flush=True)
    work = os.path.abspath(options.results)
    runner = shards.Runner(options.deqp, ours, os.path.join(work, "kiln"), options.timeout)
    run_unless_stopped(runner, left, options.jobs, results.add)

    control = {}
    if options.control != "none":
        again = [case for case in cases
                 if options.control == "all" or results.status[case][0] not in shards.GOOD]
        runner = shards.Runner(options.deqp, theirs, os.path.join(work, "control"), options.timeout)
        run_unless_stopped(runner, again, options.jobs,
                           lambda case, status, _: control.setdefault(case, status))
    results.close(cases, control)
    print_summary(cases, results, control)
    unexplained = judge(cases, results, control, exceptions)
    print(f"{len(cases)} cases, {unexplained} failures without an explained exception")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
