#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""physicalDeviceStructs.py vk.xml Extensions.def OUT.h OUT.inc: feature and property structures.

Vulkan says the same thing in several structures (VkPhysicalDevice16BitStorageFeatures and
VkPhysicalDeviceVulkan11Features). OUT.h has one struct `Features` with a bool per name and one struct
`Properties` with a member per name; OUT.inc says which members of which Vulkan structure are which.
Only structures of core versions up to 1.4 and of the extensions in Extensions.def take part.
"""
import re
import sys
from registry import NEWER_HEADER, Registry, supported_extensions

CORE_MINOR = 4
# Lengths of arrays.
LIST_LENGTHS = ("copySrcLayoutCount", "copyDstLayoutCount", "layeredApiCount")
# Members that have another name in the structure of the core version.
RENAMED = {
    ("VkPhysicalDeviceSubgroupProperties", "supportedStages"): "subgroupSupportedStages",
    ("VkPhysicalDeviceSubgroupProperties", "supportedOperations"): "subgroupSupportedOperations",
    ("VkPhysicalDeviceSubgroupProperties", "quadOperationsInAllStages"):
        "subgroupQuadOperationsInAllStages",
}


def chosen_structs(registry, base, extensions):
    """Names of the structures that extend `base` and that we have, sorted."""
    chosen = []
    for name, struct in registry.structs.items():
        if base not in struct["extends"] or not struct["stype"]:
            continue
        if any((kind == "core" and what <= CORE_MINOR) or (kind == "extension" and what in extensions)
               for kind, what in registry.struct_providers(name)):
            chosen.append(name)
    return sorted(chosen)


def members_of(registry, structs):
    """({our member: declaration}, {struct: [(its member, our member)]}); pointers stay out, and so
    do the lengths of what they point to, which are the caller's."""
    ours, rows = {}, {}
    for struct in structs:
        rows[struct] = []
        for member, declared in registry.structs[struct]["members"]:
            if "*" in declared or member in LIST_LENGTHS:
                continue
            name = RENAMED.get((struct, member), member)
            declared = re.sub(rf"\b{member}\b", name, declared)
            if ours.setdefault(name, declared) != declared:
                raise SystemExit(f"{struct}::{member} is declared in two ways")
            rows[struct].append((member, name))
    return ours, rows


def write_rows(out, registry, prefix, rows):
    out.write(f"// KILN_{prefix}_MEMBER(structure, its type, its member, our member)\n"
              f"#ifdef KILN_{prefix}_MEMBER\n")
    for struct in sorted(rows):
        for member, name in rows[struct]:
            out.write(f"KILN_{prefix}_MEMBER({struct}, {registry.structs[struct]['stype']}, "
                      f"{member}, {name})\n")
    out.write(f"#undef KILN_{prefix}_MEMBER\n#endif\n")


def main():
    xml, definitions, header, tables = sys.argv[1:]
    registry = Registry(xml)
    extensions = set(sum(supported_extensions(definitions), []))
    features, feature_rows = members_of(
        registry, chosen_structs(registry, "VkPhysicalDeviceFeatures2", extensions))
    core = [member for member, _ in registry.structs["VkPhysicalDeviceFeatures"]["members"]]
    properties, property_rows = members_of(
        registry, chosen_structs(registry, "VkPhysicalDeviceProperties2", extensions))
    with open(header, "w", encoding="utf-8") as out:
        out.write("// SPDX-License-Identifier: MIT\n"
                  "// Generated from vk.xml by physicalDeviceStructs.py.\n#pragma once\n"
                  "#ifndef VK_NO_PROTOTYPES\n#define VK_NO_PROTOTYPES\n#endif\n"
                  f"#include <vulkan/vulkan.h>\n\n#include \"{NEWER_HEADER}\"\n\nnamespace icd {{\n\n"
                  "/// Every feature of every feature structure, by its name in Vulkan.\n"
                  "struct Features {\n")
        for name in core + sorted(features):
            out.write(f"  bool {name} = false;\n")
        out.write("};\n\n/// Every property of every property structure but"
                  " VkPhysicalDeviceProperties.\nstruct Properties {\n")
        for name in sorted(properties):
            out.write(f"  {properties[name]} = {{}};\n")
        out.write("};\n\n} // namespace icd\n")
    with open(tables, "w", encoding="utf-8") as out:
        out.write("// SPDX-License-Identifier: MIT\n"
                  "// Generated from vk.xml by physicalDeviceStructs.py.\n"
                  "#ifdef KILN_CORE_FEATURE\n")
        for name in core:
            out.write(f"KILN_CORE_FEATURE({name})\n")
        out.write("#undef KILN_CORE_FEATURE\n#endif\n#ifdef KILN_PROPERTY_NAME\n")
        for name in sorted(properties):
            out.write(f"KILN_PROPERTY_NAME({name})\n")
        out.write("#undef KILN_PROPERTY_NAME\n#endif\n")
        write_rows(out, registry, "FEATURE", feature_rows)
        write_rows(out, registry, "PROPERTY", property_rows)


if __name__ == "__main__":
    main()
