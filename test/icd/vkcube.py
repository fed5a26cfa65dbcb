#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""vkcube.py MANIFEST WINDOW_SHOT [TARGET...]: the program vkcube draws its cube on the driver.

Three frames on each target, in a window of an X server without a screen. vkcube turns the cube by the
same angle from frame to frame, so what the pictures (KILN_PRESENT_DIR) must be like is known: the
background's grey all around, the cube in the middle, its texture's colours, and a different picture
each time. The window must show the last one (WindowShot.cpp), and so must that of Mesa's lavapipe.
"""
import glob
import os
import subprocess
import sys
import tempfile

import pictures
import xvfb

FRAMES = 3
TOLERANCE = 2  # of 255: the drivers round differently
GREETING = "Selected GPU 0: Kiln {} (software), type: Cpu"
BACKGROUND = (51, 51, 51)  # 0.2 of 255


def complaint_about(rows):
    """What is wrong with a picture, or None."""
    height, width = len(rows), len(rows[0])
    border = rows[0] + rows[-1] + [row[0] for row in rows] + [row[-1] for row in rows]
    if any(pixel != BACKGROUND for pixel in border):
        return "the border is not the background"
    cube = [(x, y) for y, row in enumerate(rows) for x, pixel in enumerate(row)
            if pixel != BACKGROUND]
    share = len(cube) / (width * height)
    if not 0.1 < share < 0.6:
        return f"the cube covers {share:.1%} of the picture"
    middle = [sum(axis) / len(cube) / size for axis, size in zip(zip(*cube), (width, height))]
    if any(abs(place - 0.5) > 0.05 for place in middle):
        return f"the cube's middle is at {middle}"
    colors = {rows[y][x] for x, y in cube}
    if len(colors) < 200:
        return f"the cube has only {len(colors)} colours"
    return None


def run_vkcube(manifest, shot, folder, **variables):
    """(exit code, standard error, pixels of the window at the end) of vkcube on a driver."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("VK_", "KILN_"))}
    file = os.path.join(folder, "window")
    environment.update(VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest,
                       NODEVICE_SELECT="1", KILN_CACHE="off",
                       LD_PRELOAD=shot, WINDOW_SHOT=file, **variables)
    done = subprocess.run(["vkcube", "--c", str(FRAMES)], env=environment, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)
    pixels = b""
    if os.path.exists(file):
        with open(file, "rb") as window:
            window.readline()
            pixels = window.read()
        os.remove(file)
    return done.returncode, done.stderr, pixels


def run(manifest, shot, target, folder):
    """(a list of complaints about vkcube on a target, the window's pixels)."""
    code, said, window = run_vkcube(manifest, shot, folder, KILN_DEVICES=target,
                                    KILN_PRESENT_DIR=folder)
    complaints = [f"exit code {code}"] if code else []
    if said.strip() != GREETING.format(target):
        complaints.append(f"said: {said}")
    names = sorted(os.listdir(folder))
    if names != [f"swapchain0-frame{i:06}.png" for i in range(FRAMES)]:
        return complaints + [f"files: {' '.join(names) or 'none'}"], window
    frames = [pictures.read_png(os.path.join(folder, name)) for name in names]
    complaints += [f"{name}: {text}" for name, text in zip(names, map(complaint_about, frames))
                   if text]
    if any(one == next_one for one, next_one in zip(frames, frames[1:])):
        complaints.append("two frames are alike")
    if window != bytes(value for row in frames[-1] for pixel in row for value in pixel):
        complaints.append("the window does not show the last picture")
    return complaints, window


def differs(one, other):
    return len(one) != len(other) or any(abs(a - b) > TOLERANCE for a, b in zip(one, other))


def differs_from_lavapipe(shot, window, folder):
    """Lavapipe may drop the last frame when the window goes away, so it has some tries."""
    manifests = glob.glob(pictures.LAVAPIPE)
    return manifests and all(differs(window, run_vkcube(manifests[0], shot, folder)[2])
                             for _ in range(10))


def main():
    manifest, shot = map(os.path.abspath, sys.argv[1:3])
    server, os.environ["DISPLAY"] = xvfb.start_server()
    failed, windows = False, []
    try:
        for target in sys.argv[3:] or pictures.FAMILIES:
            with tempfile.TemporaryDirectory() as folder:
                complaints, window = run(manifest, shot, target, folder)
            # Nearly always the families agree to the bit, and lavapipe need not run again.
            if not complaints and window not in windows:
                with tempfile.TemporaryDirectory() as folder:
                    if differs_from_lavapipe(shot, window, folder):
                        complaints.append("the window is not like lavapipe's")
                windows.append(window)
            for complaint in complaints:
                failed = True
                print(f"{target}: {complaint}")
    finally:
        server.terminate()
        server.wait()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
