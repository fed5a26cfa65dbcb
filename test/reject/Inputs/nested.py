#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""nested.py KIND COUNT > FILE.spv: compute shaders that are COUNT levels deep in one respect."""
import struct
import sys

VOID, FUNCTION_TYPE, UINT, ONE, POINTER_CLASS = 2, 3, 4, 5, 7
SPEC = 9


def string_words(text):
    """A literal string."""
    data = text.encode() + b"\0"
    data += b"\0" * (-len(data) % 4)
    return list(struct.unpack(f"<{len(data) // 4}I", data))


class Builder:
    """Instructions as lists: opcode, operands. Ids from 20 on are free."""

    def __init__(self):
        self.next = 20
        self.words = [[17, 1], [14, 0, 1], [15, 5, 1] + string_words("main"), [16, 1, 17, 1, 1, 1],
                      [71, SPEC, 1, 0], [19, VOID], [33, FUNCTION_TYPE, VOID], [21, UINT, 32, 0],
                      [43, UINT, ONE, 1], [50, UINT, SPEC, 1]]

    def new_id(self):
        """An unused id."""
        self.next += 1
        return self.next - 1

    def begin(self):
        """Start of the entry point."""
        self.words += [[54, VOID, 1, 0, FUNCTION_TYPE], [248, 6]]

    def end(self):
        """Its end."""
        self.words += [[253], [56]]

    def store(self, type_id, value):
        """An entry point that stores a constant to a variable."""
        pointer, variable = self.new_id(), self.new_id()
        self.words.append([32, pointer, POINTER_CLASS, type_id])
        self.begin()
        self.words += [[59, pointer, variable, POINTER_CLASS], [62, variable, value]]
        self.end()

    def binary(self):
        """The module."""
        data = struct.pack("<5I", 0x07230203, 0x10300, 0, self.next, 0)
        return data + b"".join(struct.pack(f"<{len(w)}I", len(w) << 16 | w[0], *w[1:]) for w in self.words)


def spec_op(b, count):
    """%n = OpSpecConstantOp IAdd %n-1 %spec"""
    last = SPEC
    for _ in range(count):
        current = b.new_id()
        b.words.append([52, UINT, current, 128, last, SPEC])
        last = current
    b.store(UINT, last)


def array(b, count):
    """Arrays of arrays of one element."""
    last = UINT
    for _ in range(count):
        current = b.new_id()
        b.words.append([28, current, last, ONE])
        last = current
    b.begin()
    b.end()


def calls(b, count):
    """Functions that call the next one twice."""
    ids = [b.new_id() for _ in range(count)]
    b.begin()
    b.words.append([57, VOID, b.new_id(), ids[0]])
    b.end()
    for index, function in enumerate(ids):
        b.words += [[54, VOID, function, 0, FUNCTION_TYPE], [248, b.new_id()]]
        for callee in ids[index + 1:index + 2] * 2:
            b.words.append([57, VOID, b.new_id(), callee])
        b.end()


def recursion(b, count):
    """A cycle of calls."""
    ids = [b.new_id() for _ in range(count)]
    b.begin()
    b.words.append([57, VOID, b.new_id(), ids[0]])
    b.end()
    for index, function in enumerate(ids):
        b.words += [[54, VOID, function, 0, FUNCTION_TYPE], [248, b.new_id()],
                    [57, VOID, b.new_id(), ids[(index + 1) % count]]]
        b.end()


def blocks(b, count):
    """A chain of blocks."""
    labels = [b.new_id() for _ in range(count)]
    b.begin()
    for label in labels:
        b.words += [[249, label], [248, label]]
    b.end()


def members(b, count):
    """A structure with many members."""
    struct_type = b.new_id()
    b.words.append([30, struct_type] + [UINT] * count)
    b.begin()
    b.end()


def huge_array(b, count):
    """A variable of COUNT elements."""
    length, array_type, pointer = b.new_id(), b.new_id(), b.new_id()
    b.words += [[43, UINT, length, count], [28, array_type, UINT, length],
                [32, pointer, POINTER_CLASS, array_type]]
    b.begin()
    b.words.append([59, pointer, b.new_id(), POINTER_CLASS])
    b.end()


def main():
    kinds = {f.__name__: f for f in (spec_op, array, calls, recursion, blocks, members, huge_array)}
    builder = Builder()
    kinds[sys.argv[1]](builder, int(sys.argv[2]))
    sys.stdout.buffer.write(builder.binary())


if __name__ == "__main__":
    main()
