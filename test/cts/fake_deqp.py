#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stands in for the suite's program in tests: writes its log format. The last part of a case's name says
what happens; on a driver whose manifest is called control.json everything but `fail-everywhere` passes."""
import os
import signal
import sys
import time

GROUPS = {"dEQP-VK.one.first": ["pass0", "pass1", "fail", "crash", "pass2", "hang", "pass3", "leave", "pass4"],
          "dEQP-VK.one.second": ["unsupported", "pass0", "fail-everywhere", "lost", "pass1", "text"],
          "dEQP-VK.two.only": [f"pass{number}" for number in range(60)],
          "dEQP-VK.two.ends": ["pass0", "pass-crash-behind", "pass1", "pass-leave-at-end"]}
CASES = [f"{group}.{case}" for group, cases in GROUPS.items() for case in cases]


def value(name):
    """An option's value."""
    return next((argument.split("=", 1)[1] for argument in sys.argv if argument.startswith(f"--{name}=")), None)


def is_control():
    return os.environ["VK_DRIVER_FILES"].endswith("control.json")


def run(case, log):
    """One case; the log is flushed behind every line, as the suite's."""
    def write(text):
        log.write(text)
        log.flush()

    what = case.split(".")[-1]
    if is_control() and what != "fail-everywhere":
        what = "pass"
    write(f"\n#beginTestCaseResult {case}\n<TestCaseResult CasePath=\"{case}\">\n")
    if what == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif what == "hang":
        time.sleep(1000)
    elif what == "leave":
        sys.exit(3)
    elif what == "lost":
        write("\n#terminateTestCaseResult DeviceLost\n")
        return
    status, text = {"fail": ("Fail", "Wrong"), "fail-everywhere": ("Fail", "Wrong"), "unsupported":
                    ("NotSupported", "no"), "text": ("Fail", "1 &lt; 2 &amp;")}.get(what, ("Pass", "ok"))
    write(f" <Result StatusCode=\"{status}\">{text}</Result>\n</TestCaseResult>\n\n#endTestCaseResult\n")


def main():
    if value("deqp-runmode") == "stdout-caselist":
        print("GROUP: dEQP-VK.one", *(f"TEST: {case}" for case in CASES), sep="\n")
        return
    with open(value("deqp-caselist-file"), encoding="utf-8") as file:
        wanted = set(file.read().split())
    with open(value("deqp-log-filename"), "w", encoding="utf-8") as log:
        log.write("#sessionInfo releaseName fake\n#beginSession\n")
        ran = [case for case in CASES if case in wanted]
        for case in ran:
            run(case, log)
            if case.endswith("crash-behind") and not is_control():
                os.kill(os.getpid(), signal.SIGSEGV)
    if ran and ran[-1].endswith("leave-at-end") and not is_control():
        sys.exit(7)


if __name__ == "__main__":
    main()
