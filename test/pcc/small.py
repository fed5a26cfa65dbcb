# SPDX-License-Identifier: MIT
"""Any number of small pipelines, and what a run over them takes."""
import json
import os
import struct
import subprocess
import time

import pipelines
import support
import template as t


def texts(count):
    """(file name, text) of pipelines whose code differs."""
    for i in range(count):
        if i % 2:
            value = t.compute("special.comp.spv", pipelines.BUFFER, constants=t.specialization(
                [(1, 0, 4), (9, 4, 4)], struct.pack("<II", i, 1)))
        else:
            value = t.graphics({"VERTEX": "special.vert.spv", "FRAGMENT": "special.frag.spv"}, constants={
                "VERTEX": t.specialization([(4, 0, 4)], struct.pack("<f", i)),
                "FRAGMENT": t.specialization([(4, 0, 4)], struct.pack("<i", i % 5))})
        yield f"p{i:05}.json", json.dumps(value)


def busiest_thread(process):
    """Seconds of a processor that the busiest thread of a running process has had when it ends: how
    long it would take on a machine that has nothing else to do."""
    folder, busiest = f"/proc/{process.pid}/task", 0
    while not os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        for thread in os.listdir(folder):
            try:
                with open(f"{folder}/{thread}/schedstat", encoding="ascii") as file:
                    busiest = max(busiest, int(file.read().split()[0]))
            except (OSError, IndexError):
                pass  # it has just ended
        time.sleep(0.01)
    return busiest / 1e9


def measured(folder, out, *arguments):
    """(seconds, of them needed by the busiest thread, KiB) of a run over a folder."""
    start = time.monotonic()
    with subprocess.Popen([support.KILN_PCC, "--path", folder, "--out", out, "--quiet", *arguments]) as process:
        busiest = busiest_thread(process)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"kiln-pcc ended with {process.returncode}")
    return time.monotonic() - start, busiest, usage.ru_maxrss
