#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""newerHeader.py vk.xml OUT.h: declarations of what newer.xml has and vk.xml has not, for C++.

They are the C API's, so that they mean the same when the headers know them by themselves. Enumerators are
constants: the enumerations themselves are those of the headers.
"""
import re
import sys
import xml.etree.ElementTree as ElementTree
from registry import NEWER, declaration, name_of


def constant(node):
    """The line of an enumerant that extends an enumeration."""
    name, kind = node.get("name"), node.get("extends")
    if node.get("alias"):
        return f"#define {name} {node.get('alias')}"
    if re.search(r"FlagBits[2-4](KHR)?$", kind):
        return f"constexpr VkFlags64 {name} = 1ull << {node.get('bitpos')};"
    if node.get("bitpos"):
        return f"constexpr VkFlags {name} = 1u << {node.get('bitpos')};"
    return f"constexpr {kind} {name} = static_cast<{kind}>({node.get('value')});"


def type_lines(node, enums):
    name = name_of(node)
    if node.get("alias"):
        return [f"typedef {node.get('alias')} {name};"]
    if node.get("category") == "bitmask":
        return [f"typedef {node.find('type').text} {name};"]
    if node.get("category") == "enum":
        return [f"enum {name} {{", *(f"  {each.get('name')} = {each.get('value')}," for each in enums[name]),
                f"  {name}_MAX_ENUM = 0x7FFFFFFF", "};"]
    return [f"struct {name} {{", *(f"  {declaration(member)};" for member in node.findall("member")), "};"]


def command_lines(node):
    name = name_of(node)
    if node.get("alias"):
        return [f"typedef PFN_{node.get('alias')} PFN_{name};"]
    parameters = ", ".join(declaration(parameter) for parameter in node.findall("param"))
    return [f"typedef {node.find('proto/type').text}(VKAPI_PTR *PFN_{name})({parameters});"]


def extension_lines(extension, types, commands, enums):
    """Takes the types out of types: extensions may share them."""
    yield f"#ifndef {extension.get('name')}"
    yield f"#define {extension.get('name')} 1"
    for node in extension.findall("require/enum"):
        yield constant(node) if node.get("extends") else f"#define {node.get('name')} {node.get('value')}"
    for node in extension.findall("require/type"):
        if node.get("name") in types:
            yield from type_lines(types.pop(node.get("name")), enums)
    for node in extension.findall("require/command"):
        yield from command_lines(commands[node.get("name")])
    yield "#endif"


def main():
    xml, header = sys.argv[1:]
    root = ElementTree.parse(xml).getroot()
    known = {node.get("name") for node in root.findall("extensions/extension")}
    known_types = {name_of(node) for node in root.find("types")}
    newer = ElementTree.parse(NEWER).getroot()
    types = {name_of(node): node for node in newer.find("types") if name_of(node) not in known_types}
    commands = {name_of(node): node for node in newer.find("commands")}
    enums = {node.get("name"): node.findall("enum") for node in newer.findall("enums")}
    with open(header, "w", encoding="utf-8") as out:
        out.write("// SPDX-License-Identifier: MIT\n// Generated from newer.xml by newerHeader.py.\n#pragma once\n"
                  "#include <vulkan/vulkan_core.h>\n")
        for extension in newer.find("extensions"):
            if extension.get("name") not in known:
                out.write("\n".join(extension_lines(extension, types, commands, enums)) + "\n")


if __name__ == "__main__":
    main()
