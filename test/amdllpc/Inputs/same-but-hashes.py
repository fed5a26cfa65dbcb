# SPDX-License-Identifier: MIT
"""Exit code 0 if two code objects are the same but for the numbers of `.internal_pipeline_hash`."""
import sys

KEY = b".internal_pipeline_hash"
first, second = (open(path, "rb").read() for path in sys.argv[1:3])
at = first.index(KEY) + len(KEY)
behind = at + 1 + 2 * 9  # an array of two numbers of 64 bits, each with a byte in front
same = first[:at] == second[:at] and first[behind:] == second[behind:]
sys.exit(0 if same and first != second else "other bytes differ")
