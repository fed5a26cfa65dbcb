#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills processes that use the cache on disk, and looks for what is lost or wrong; ctest `cache-kill`.

    test/cache/kill.py PROGRAM FOLDER [--seconds N] [--seed N]

Four processes with two threads each share a cache (PROGRAM is kiln-cache-user) and are killed at
random moments, many of them while they open it; others take their place. In rounds of a few seconds,
each with a cache of its own: odd ones have room for everything, and nothing that a process reported
as stored may be missing at the end; in even ones entries are evicted all the time. No entry may ever
be wrong, no process may complain or end by itself, and SQLite must find the file to be in order.
"""
import argparse
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time

PROCESSES = 4
ROUND_SECONDS = 10


class Round:
    """One cache, used and killed until its time is over."""

    def __init__(self, program, path, max_mb, seed):
        self.program, self.path, self.max_mb = program, path, str(max_mb)
        self.random = random.Random(seed)
        self.lock = threading.Lock()
        self.stored, self.reports, self.kills, self.problems = set(), 0, 0, []

    def live_and_die(self):
        """Runs one process to its violent end."""
        with self.lock:
            seed = self.random.randrange(1 << 30)
            # Seconds from its first stored entry, or from its start.
            life, after_start = self.random.choice(
                [(self.random.uniform(0, 0.02), True), (self.random.uniform(0, 0.2), True),
                 (self.random.uniform(0, 0.1), False), (self.random.uniform(0, 1.5), False)])
        child = subprocess.Popen([self.program, self.path, self.max_mb, str(seed)],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        timer = threading.Timer(life, child.kill)
        if after_start:
            timer.start()
        lines = []
        for line in child.stdout:
            if not lines and not after_start:
                timer.start()
            lines.append(line)
        timer.join()
        error = child.stderr.read().decode(errors="replace")
        code = child.wait()
        child.stdout.close()
        child.stderr.close()
        with self.lock:
            self.kills += 1
            self.reports += len(lines)
            self.stored.update(int(line) for line in lines if line.endswith(b"\n"))
            if code != -signal.SIGKILL or error:
                self.problems.append(f"a process ended with code {code}: {error.strip()}")

    def run(self, seconds):
        end = time.monotonic() + seconds

        def work():
            while time.monotonic() < end and not self.problems:
                self.live_and_die()

        threads = [threading.Thread(target=work) for _ in range(PROCESSES)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def check(self, may_lose):
        numbers = "".join(f"{number}\n" for number in sorted(self.stored))
        done = subprocess.run([self.program, self.path, self.max_mb, "check"], input=numbers,
                              capture_output=True, text=True)
        if done.returncode or done.stderr:
            self.problems.append(f"check: code {done.returncode}: {done.stderr.strip()}")
        missing = done.stdout.split()
        if missing and not may_lose:
            self.problems.append(f"{len(missing)} of {len(self.stored)} stored entries are lost: "
                                 + " ".join(missing[:10]))
        with sqlite3.connect(self.path) as database:
            state = database.execute("PRAGMA integrity_check").fetchone()[0]
        database.close()
        if state != "ok":
            self.problems.append(f"integrity_check: {state}")
        return len(self.stored) - len(missing)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    start, number = time.monotonic(), 0
    kills = reports = stored = 0
    while time.monotonic() - start < options.seconds:
        number += 1
        shutil.rmtree(options.folder, ignore_errors=True)
        os.makedirs(options.folder)
        evicts = number % 2 == 0
        this = Round(options.program, os.path.join(options.folder, "cache.db"), 2 if evicts else 1024,
                     options.seed * 1000 + number)
        this.run(min(ROUND_SECONDS, options.seconds - (time.monotonic() - start)))
        found = this.check(evicts)
        kills, reports, stored = kills + this.kills, reports + this.reports, stored + found
        for problem in this.problems:
            print(f"round {number}: {problem}")
        if this.problems:
            return 1
    print(f"{number} rounds, {kills} processes killed, {reports} stores reported, "
          f"{stored} entries found at the end, none wrong, none lost")
    shutil.rmtree(options.folder, ignore_errors=True)
    return 0 if reports else 1


if __name__ == "__main__":
    sys.exit(main())
