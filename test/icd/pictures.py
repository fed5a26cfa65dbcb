# SPDX-License-Identifier: MIT
"""What tests that look at pictures share: the drivers and a reader of PNG files."""
import struct
import sys
import zlib

FAMILIES = ("gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201")
LAVAPIPE = "/usr/share/vulkan/icd.d/lvp_icd*.json"


def paeth(left, up, corner):
    """The predictor of PNG's filter 4: the neighbour closest to left + up - corner."""
    estimate = left + up - corner
    distances = [(abs(estimate - value), order, value)
                 for order, value in enumerate((left, up, corner))]
    return min(distances)[2]


def read_png(path):
    """Rows of (red, green, blue) of a PNG file with 8 bits and without alpha."""
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
    return rows
