#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a file as the numbers of a C++ array: embed.py INPUT OUTPUT."""
import sys


def main():
    data = open(sys.argv[1], "rb").read()
    lines = [", ".join(str(byte) for byte in data[i:i + 32]) + "," for i in range(0, len(data), 32)]
    with open(sys.argv[2], "w", encoding="ascii") as output:
        output.write("\n".join(lines) + "\n")


main()
