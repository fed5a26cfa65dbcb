#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""example.py PROGRAM MANIFEST BIN [TARGET...]: a program of examples/ draws the same picture everywhere.

The picture of each target, at a small size, is compared with that of Mesa's lavapipe; without
lavapipe, with that of the first target.
"""
import glob
import os
import subprocess
import sys
import tempfile

import pictures

SIZE = (160, 100)
TOLERANCE = 4  # of 255: the drivers round differently
OUTSIDE = 0.01  # share of pixels that may differ by more: an edge can miss a sample by a hair
COLORS = 1500  # that a picture has at least; it is one, not a sky


def draw(program, manifest, folder, **variables):
    """(complaint or None, what the program printed, rows of the picture)."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("VK_", "KILN_"))}
    environment.update(VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest,
                       NODEVICE_SELECT="1", KILN_CACHE="off",
                       **variables)
    file = os.path.join(folder, "picture.png")
    done = subprocess.run([program, file, *map(str, SIZE)], env=environment, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode or done.stderr:
        return f"exit code {done.returncode}, said: {done.stderr}", done.stdout, []
    rows = pictures.read_png(file)
    if (len(rows[0]), len(rows)) != SIZE:
        return f"the picture has the size {len(rows[0])} {len(rows)}", done.stdout, rows
    colors = {pixel for row in rows for pixel in row}
    if len(colors) < COLORS:
        return f"the picture has only {len(colors)} colours", done.stdout, rows
    return None, done.stdout, rows


def complaint_about(rows, reference):
    """How a picture differs from one of the same size, or None."""
    distances = [max(abs(a - b) for a, b in zip(one, other))
                 for row, wanted in zip(rows, reference) for one, other in zip(row, wanted)]
    share = sum(distance > TOLERANCE for distance in distances) / len(distances)
    if share > OUTSIDE:
        return (f"{share:.1%} of the pixels differ by more than {TOLERANCE}, "
                f"the worst by {max(distances)}")
    return None


def main():
    manifest, folder = map(os.path.abspath, sys.argv[2:4])
    program, manifests = os.path.join(folder, sys.argv[1]), glob.glob(pictures.LAVAPIPE)
    failed, reference = False, None
    with tempfile.TemporaryDirectory() as work:
        if manifests:
            complaint, _, reference = draw(program, manifests[0], work)
            if complaint:
                sys.exit(f"lavapipe: {complaint}")
        else:
            print("lavapipe is not here: the targets are compared with each other only")
        for target in sys.argv[4:] or pictures.FAMILIES:
            complaint, said, rows = draw(program, manifest, work, KILN_DEVICES=target)
            if not complaint and not said.startswith(f"device: Kiln {target} (software)\n"):
                complaint = f"printed: {said}"
            reference = reference or rows
            complaint = complaint or complaint_about(rows, reference)
            if complaint:
                failed = True
                print(f"{target}: {complaint}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
