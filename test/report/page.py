#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Opens reports in Chromium without a window and lets them show everything that they hold; a ctest test (`report-page`).

    page.py --bin FOLDER --work FOLDER [--all]

Reports of the examples, of names and texts that would be markup if they were not kept apart, and of the shader corpus if it
is there: a sixth of its shaders, with --all each of them, which takes minutes. Exit code 77 without Chromium.
"""
import argparse
import html
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HOSTILE = """#version 450
// </script><script>document.documentElement.dataset.state = "injected"</script><img src=x onerror=alert(1)>
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { float b[]; };
void main() { b[gl_GlobalInvocationID.x] *= 2.0; }
"""


def state_of(browser, page, work):
    """What the page says of itself after it has shown everything."""
    with tempfile.TemporaryDirectory(dir=work) as profile:
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
                   "--virtual-time-budget=1000", "--dump-dom", f"file://{page}#check"]
        text = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False).stdout
    match = re.search(r'<html[^>]* data-state="([^"]*)"', text)
    return html.unescape(match.group(1)) if match else "no state: the script did not run"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    browser = shutil.which("chromium")
    if not browser:
        print("no chromium: skipped")
        return 77
    os.makedirs(options.work, exist_ok=True)
    hostile = os.path.join(options.work, "<img src=x onerror=alert(1)>.comp")
    with open(hostile, "w", encoding="utf-8") as file:
        file.write(HOSTILE)
    inputs = {"examples": [os.path.join(ROOT, "examples")], "hostile": [hostile]}
    corpus = os.path.join(os.path.dirname(ROOT), "shared", "corpus")
    for name in sorted(os.listdir(corpus)) if os.path.isdir(corpus) else []:
        folder = os.path.join(corpus, name)
        shaders = [os.path.join(folder, file) for file in sorted(os.listdir(folder) if os.path.isdir(folder) else [])
                   if re.search(r"\.(comp|vert|frag|spvasm|mesh|geom|tesc|tese)$", file)]
        if shaders:
            inputs[name] = ["-separate", *shaders[::1 if options.all else 6]]
    failed = 0
    for name, arguments in inputs.items():
        page = os.path.join(options.work, name + ".html")
        subprocess.run([os.path.join(options.bin, "amdllpc"), "-gfxip=gfx1100", f"--report={page}", *arguments],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        state = state_of(browser, page, options.work)
        print(f"{name}: {state}, {os.path.getsize(page)} bytes")
        failed += not state.startswith("checked ")
    return 1 if failed else 0


sys.exit(main())
