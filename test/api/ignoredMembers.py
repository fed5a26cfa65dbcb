#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ignoredMembers.py vk.xml Extensions.def OUT.inc: pointers and handles that may be ignored.

vk.xml marks members and parameters whose validity cannot be told from their type alone as
"noautovalidity"; most pointers and handles that are ignored in some circumstances are among them (not
those that are "optional": pAttachments of the blend state, pSampleMask, pColorWriteEnables). OUT.inc
has those of Vulkan 1.4 and of the driver's extensions: API_MAY_BE_IGNORED(owner, member).
"""
import os
import sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../icd_glue/generate"))
from registry import Registry, declaration, supported_extensions, supports_vulkan  # noqa: E402

CORE_MINOR = 4


def is_provided(providers, extensions):
    return any((kind == "core" and what <= CORE_MINOR) or
               (kind == "extension" and what in extensions) for kind, what in providers)


def ignorable(nodes, handles):
    for node in nodes:
        follows = "*" in declaration(node) or node.find("type").text in handles
        if (supports_vulkan(node, "api") and node.get("noautovalidity") and follows and
                node.find("name").text != "pNext"):
            yield node.find("name").text


def main():
    xml, definitions, path = sys.argv[1:]
    registry = Registry(xml)
    extensions = set(sum(supported_extensions(definitions), []))
    root = registry.root
    handles = {node.get("name") or node.find("name").text
               for node in root.findall("types/type[@category='handle']")}
    rows = []
    for node in root.findall("types/type[@category='struct']"):
        name = node.get("name")
        if (name in registry.structs and not node.get("returnedonly") and
                is_provided(registry.struct_providers(name), extensions)):
            rows += [(name, member) for member in ignorable(node.findall("member"), handles)]
    for node in root.findall("commands/command"):
        if node.get("alias") or not supports_vulkan(node, "api"):
            continue
        name = node.find("proto/name").text
        if is_provided(registry.providers.get(name, []), extensions):
            rows += [(name, member) for member in ignorable(node.findall("param"), handles)]
    with open(path, "w", encoding="utf-8") as out:
        out.write("// SPDX-License-Identifier: MIT\n// Generated from vk.xml by ignoredMembers.py.\n")
        for owner, member in sorted(set(rows)):
            out.write(f"API_MAY_BE_IGNORED({owner}, {member})\n")
        out.write("#undef API_MAY_BE_IGNORED\n")


if __name__ == "__main__":
    main()
