# SPDX-License-Identifier: MIT
"""Runs lists of conformance cases in processes of the suite's program, some at a time.

A process works through a list until it ends, crashes, or one case takes too long; what is left then
goes to a new process. Results come from the log, which the suite flushes behind each line, so a crash
loses none.
"""
import os
import re
import signal
import subprocess
import threading
import time

POLL_SECONDS = 0.05
GOOD = ("Pass", "NotSupported", "QualityWarning", "CompatibilityWarning", "CapabilityWarning", "Waiver")
RESULT = re.compile(r'<Result StatusCode="(\w+)">(.*?)(</Result>|$)')
NAMED_CHARACTERS = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&"))


class LogReader:
    """Follows a log while it is written. `results` is [(case, status, text)], in order."""

    def __init__(self, path):
        self.path = path
        self.offset = 0
        self.rest = b""
        self.results = []
        self.running = None  # the case that has begun and not ended
        self.begun = 0.0
        self.last = None  # (status, text) of the running case

    def poll(self):
        """Takes what is new."""
        if not os.path.exists(self.path):
            return
        with open(self.path, "rb") as file:
            file.seek(self.offset)
            data = file.read()
        self.offset += len(data)
        lines = (self.rest + data).split(b"\n")
        self.rest = lines.pop()
        for line in lines:
            self._take(line.decode("utf-8", "replace").strip())

    def _take(self, line):
        if line.startswith("#beginTestCaseResult "):
            self.running, self.begun, self.last = line.split(" ", 1)[1], time.monotonic(), None
        elif line.startswith("#endTestCaseResult"):
            self.end(*(self.last or ("InternalError", "no result in the log")))
        elif line.startswith("#terminateTestCaseResult"):
            self.end(line.partition(" ")[2] or "Crash", "ended by the suite")
        elif self.running:
            found = RESULT.search(line)
            if found:
                text = found.group(2)
                for name, character in NAMED_CHARACTERS:
                    text = text.replace(name, character)
                self.last = (found.group(1), text)

    def end(self, status, text):
        """The running case has ended."""
        if self.running is not None:
            self.results.append((self.running, status, " ".join(text.split())))
        self.running = None


class Runner:
    """Runs cases on one driver."""

    def __init__(self, program, environment, work, seconds, options=()):
        self.program = os.path.abspath(program)
        self.environment = environment
        self.work = work
        self.seconds = seconds
        self.options = list(options)
        self.running = set()  # processes
        self.is_stopped = False
        os.makedirs(work, exist_ok=True)

    def stop(self):
        """Ends all processes, and begins no others. What has a result is reported all the same."""
        self.is_stopped = True
        for process in list(self.running):
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def run_shard(self, number, cases, report):
        """All `cases`; `report(case, status, text)` is called once for each, in their order of ending."""
        left, attempt = list(cases), 0
        while left and not self.is_stopped:
            results = self._run_process(f"{number}-{attempt}", left)
            wanted = set(left)
            for case, status, text in results:
                if case in wanted:
                    wanted.discard(case)
                    report(case, status, text)
            if self.is_stopped:
                return
            if len(wanted) == len(left):  # a process that does not come to any case will not the next time
                for case in left:
                    report(case, "Missing", "the suite did not run this case")
                return
            left = [case for case in left if case in wanted]
            attempt += 1

    def _run_process(self, name, cases):
        """One process; returns the results it came to, the crash or time limit that ended it included."""
        base = os.path.join(self.work, name)
        with open(base + ".txt", "w", encoding="utf-8") as file:
            file.writelines(case + "\n" for case in cases)
        log = LogReader(base + ".qpa")
        if os.path.exists(log.path):
            os.remove(log.path)
        command = [self.program, f"--deqp-caselist-file={base}.txt", f"--deqp-log-filename={log.path}",
                   "--deqp-log-images=disable", "--deqp-log-shader-sources=disable",
                   "--deqp-shadercache=disable", *self.options]
        with open(base + ".out", "wb") as output, subprocess.Popen(
                command, cwd=os.path.dirname(self.program), env=self.environment, stdin=subprocess.DEVNULL,
                stdout=output, stderr=subprocess.STDOUT, start_new_session=True) as process:
            self.running.add(process)
            if self.is_stopped:
                self.stop()
            late = self._watch(process, log)
            self.running.discard(process)
        log.poll()
        if self.is_stopped:
            return log.results
        code = process.returncode
        ending = f"signal {-code}" if code < 0 else f"ended with {code}"
        if log.running is not None:
            log.end(*(("Timeout", f"no result after {self.seconds} s") if late else ("Crash", ending)))
        elif log.results and (late or code < 0 or (code and all(status in GOOD for _, status, _ in log.results))):
            # Between two cases or at the end: the case before is the nearest to name.
            case, status, text = log.results.pop()
            log.results.append((case, "Timeout" if late else "Crash",
                                f"behind the case, which had {status} ({text}): " +
                                (f"nothing for {self.seconds} s" if late else ending)))
        if all(status in GOOD for _, status, _ in log.results):
            for ending in (".txt", ".qpa", ".out"):
                if os.path.exists(base + ending):
                    os.remove(base + ending)
        return log.results

    def _watch(self, process, log):
        """Waits for the end; True if a case had to be stopped. Before the first case, starting counts as one."""
        log.begun = time.monotonic()
        while True:
            try:
                process.wait(POLL_SECONDS)
                return False
            except subprocess.TimeoutExpired:
                log.poll()
                if time.monotonic() - log.begun > self.seconds:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
                    return True


def run_all(runner, cases, jobs, shard_size, report):
    """Runs `cases` in shards of at most `shard_size`, `jobs` at a time; `report` is called under a lock."""
    shards = [(index, cases[start:start + shard_size])
              for index, start in enumerate(range(0, len(cases), shard_size))]
    shards.reverse()
    lock = threading.Lock()

    def locked_report(*result):
        with lock:
            report(*result)

    def work():
        while True:
            with lock:
                if not shards:
                    return
                number, part = shards.pop()
            runner.run_shard(number, part, locked_report)

    threads = [threading.Thread(target=work) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):  # join() alone lets no signal in
        for thread in threads:
            thread.join(POLL_SECONDS)
