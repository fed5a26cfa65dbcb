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


def measured(folder, out, *arguments):
    """(seconds, seconds of processors, KiB) of a run over a folder."""
    start = time.monotonic()
    with subprocess.Popen([support.KILN_PCC, "--path", folder, "--out", out, "--quiet", *arguments]) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"kiln-pcc ended with {process.returncode}")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss
