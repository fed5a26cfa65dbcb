#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""commands.py vk.xml OUT.inc: every command of Vulkan, and what it takes to have it.

API_COMMAND(name, isDevice, provider, needs): one row for each way. provider: "VK_VERSION_1_1" or an
extension; needs: what else must be there, names with spaces between them, "platform:xcb" among them. isDevice: the command's
first parameter is a device or a child of one. Made of the registry alone, of all extensions on all
platforms, whatever the driver has.
"""
import os
import re
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "icd_glue", "generate"))
import registry  # noqa: E402

DEVICE_TYPES = ("VkDevice", "VkQueue", "VkCommandBuffer")


def supports_vulkan(node, attribute):
    return "vulkan" in node.get(attribute, "vulkan").split(",")


def alternatives(expression):
    """A "depends" expression as a list of sets of names: , is or, + is and."""
    tokens = re.findall(r"[\w:]+|[,+()]", expression)

    def parse():
        left = term()
        while tokens and tokens[0] in ",+":
            operator = tokens.pop(0)
            right = term()
            left = left + right if operator == "," else [a | b for a in left for b in right]
        return left

    def term():
        if tokens[0] == "(":
            tokens.pop(0)
            inner = parse()
            tokens.pop(0)
            return inner
        return [{tokens.pop(0)}]

    return parse()


def levels(root):
    """{command: does it belong to a device}, aliases included."""
    found, aliases = {}, {}
    for node in root.findall("commands/command"):
        if not supports_vulkan(node, "api"):
            continue
        if node.get("alias"):
            aliases[node.get("name")] = node.get("alias")
        else:
            first = node.find("param/type")
            found[node.find("proto/name").text] = first is not None and first.text in DEVICE_TYPES
    for name, target in aliases.items():
        while target in aliases:
            target = aliases[target]
        if target in found:
            found[name] = found[target]
    return found


def main():
    xml, path = sys.argv[1:]
    root = registry.read_xml(xml)
    is_device = levels(root)
    rows = set()

    def add(node, provider, platform=None):
        for require in node.findall("require"):
            if not supports_vulkan(require, "api"):
                continue
            ways = alternatives(require.get("depends")) if require.get("depends") else [set()]
            for command in require.findall("command"):
                name = command.get("name")
                for needs in ways:
                    if name in is_device:
                        everything = needs | ({"platform:" + platform} if platform else set())
                        rows.add((name, is_device[name], provider, " ".join(sorted(everything))))

    for node in root.findall("feature"):
        if supports_vulkan(node, "api"):
            add(node, node.get("name"))
    for node in root.findall("extensions/extension"):
        if supports_vulkan(node, "supported"):
            add(node, node.get("name"), node.get("platform"))
    with open(path, "w", encoding="utf-8") as out:
        out.write("// SPDX-License-Identifier: MIT\n// Generated from vk.xml by commands.py.\n")
        for name, device, provider, needs in sorted(rows):
            out.write(f'API_COMMAND("{name}", {str(device).lower()}, "{provider}", "{needs}")\n')
        out.write("#undef API_COMMAND\n")


if __name__ == "__main__":
    main()
