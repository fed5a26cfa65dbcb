#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""vkcube.py MANIFEST [TARGET...]: the program vkcube draws its cube on the driver.

Three frames on each target, in a window of an X server without a screen. vkcube turns the cube by the
same angle from frame to frame, so what the pictures (KILN_PRESENT_DIR) must be like is known: the
background's grey all around, the cube in the middle, its texture's colours, and a different picture
each time.
"""
import os
import struct
import subprocess
import sys
import tempfile
import zlib

import xvfb

FAMILIES = ("gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201")
FRAMES = 3
GREETING = "Selected GPU 0: Kiln {} (software), type: Cpu"
BACKGROUND = (51, 51, 51)  # 0.2 of 255


def paeth(left, up, corner):
    """The predictor of PNG's filter 4: the neighbour closest to left + up - corner."""
    estimate = left + up - corner
    distances = [(abs(estimate - value), order, value)
                 for order, value in enumerate((left, up, corner))]
    return min(distances)[2]


def read_png(path):
    """(width, rows of (red, green, blue)) of a PNG file with 8 bits and without alpha."""
    with open(path, "rb") as file:
        data = file.read()
    packed, at, width, height = b"", 8, 0, 0
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height = struct.unpack_from(">II", body)
            if body[8:10] != b"\x08\x02":
                sys.exit(f"{path}: not 8 bits of red, green and blue")
        elif kind == b"IDAT":
            packed += body
        at += length + 12
    raw, stride, above, rows = zlib.decompress(packed), 3 * width, bytearray(3 * width), []
    for y in range(height):
        method, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:][:stride])
        for i in range(stride if method else 0):
            left, corner = (line[i - 3], above[i - 3]) if i >= 3 else (0, 0)
            up = above[i]
            line[i] = line[i] + (left, up, (left + up) // 2,
                                 paeth(left, up, corner) if method == 4 else 0)[method - 1] & 255
        rows.append([tuple(line[3 * x:3 * x + 3]) for x in range(width)])
        above = line
    return width, rows


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


def run(manifest, target, folder):
    """A list of complaints about vkcube on a target."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("VK_", "KILN_"))}
    environment.update(VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest, NODEVICE_SELECT="1",
                       KILN_DEVICES=target, KILN_PRESENT_DIR=folder)
    done = subprocess.run(["vkcube", "--c", str(FRAMES)], env=environment, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)
    complaints = [f"exit code {done.returncode}"] if done.returncode else []
    if done.stderr.strip() != GREETING.format(target):
        complaints.append(f"said: {done.stderr}")
    names = sorted(os.listdir(folder))
    if names != [f"swapchain0-frame{i:06}.png" for i in range(FRAMES)]:
        return complaints + [f"files: {' '.join(names) or 'none'}"]
    pictures = [read_png(os.path.join(folder, name))[1] for name in names]
    complaints += [f"{name}: {text}" for name, text in zip(names, map(complaint_about, pictures))
                   if text]
    if any(one == next_one for one, next_one in zip(pictures, pictures[1:])):
        complaints.append("two frames are alike")
    return complaints


def main():
    manifest, targets = os.path.abspath(sys.argv[1]), sys.argv[2:] or FAMILIES
    server, os.environ["DISPLAY"] = xvfb.start_server()
    failed = False
    try:
        for target in targets:
            with tempfile.TemporaryDirectory() as folder:
                for complaint in run(manifest, target, folder):
                    failed = True
                    print(f"{target}: {complaint}")
    finally:
        server.terminate()
        server.wait()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
