#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts the files of the report's page together, as a C++ header.

    embed.py OUTPUT page.html style.css SCRIPT.js...

Scripts become one, in the order of the command line. The page's policy names the hashes of the script and the style, so that
a browser runs nothing else, whatever the data holds. The data's place is the word DATA.
"""
import base64
import hashlib
import re
import sys

CHUNK = 12000  # MSVC and others limit literals; so does the patience of editors


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def digest(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def literal(text):
    parts = [text[i:i + CHUNK] for i in range(0, len(text), CHUNK)]
    return "\n".join(f'R"page({part})page"' for part in parts)


def main():
    output, page, style, *scripts = sys.argv[1:]
    css = re.sub(r"^/\* SPDX.*?\*/\n", "", read(style))
    code = '"use strict";\n' + "".join(re.sub(r"^// SPDX.*\n", "", read(path), flags=re.M) for path in scripts)
    html = read(page)
    for name, text in (("STYLEHASH", digest(css)), ("SCRIPTHASH", digest(code)), ("STYLE", css), ("SCRIPT", code)):
        html = html.replace(f"%{name}%", text)
    start, end = html.split("%DATA%")
    with open(output, "w", encoding="utf-8") as file:
        file.write("// Made by tools/report/page/embed.py.\n#pragma once\n#include <string>\n\nnamespace report {\n"
                   f"inline std::string pageStart() {{\n  return std::string({literal(start)});\n}}\n"
                   f"inline std::string pageEnd() {{\n  return std::string({literal(end)});\n}}\n}} // namespace report\n")


main()
