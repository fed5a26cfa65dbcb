#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py --bin FOLDER TESTS: tests of kiln-pcc, one of the modules of this folder that begin with
test_ (run.py --bin build/bin caches)."""
import argparse
import importlib
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import support  # pylint: disable=wrong-import-position


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True)
    parser.add_argument("tests")
    options = parser.parse_args()
    support.use(options.bin)
    return support.main(importlib.import_module("test_" + options.tests))


if __name__ == "__main__":
    sys.exit(main())
