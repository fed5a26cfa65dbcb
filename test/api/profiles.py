#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""profiles.py vk.xml OUT.inc PROFILES.json...: what profiles ask of a device, as rows.

Profiles are in Khronos' format (VP_KHR_roadmap.json of the registry; those of profiles/ are
written by hand). Rows:
  PROFILE_VERSION(profile, major, minor)
  PROFILE_EXTENSION(profile, name)
  PROFILE_FEATURE(profile, structure, its type, member)
  PROFILE_VALUE(profile, structure, its type, member, compare, value)   compare: AtLeast, AtMost,
                                                                        HasBits, Equals
What is optional in a profile is not looked at. Anything else in one is an error: features that must
not be there, and structures of a newer version than the headers know.
"""
import json
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "icd_glue", "generate"))
import registry  # noqa: E402

CORE = {"VkPhysicalDeviceFeatures": ("VkPhysicalDeviceFeatures2", "features."),
        "VkPhysicalDeviceProperties": ("VkPhysicalDeviceProperties2", "properties.")}
COMPARES = {"max": "AtLeast", "min": "AtMost", "bits": "AtLeast", "bitmask": "HasBits",
            "exact": "Equals", "not": "Equals"}


class Structures:
    def __init__(self, xml):
        self.nodes = {node.get("name"): node for node in
                      registry.read_xml(xml).findall("types/type[@category='struct']")}

    def resolve(self, name):
        if name not in self.nodes:
            raise SystemExit(f"profiles.py: {name} is not in the registry")
        node = self.nodes[name]
        return self.resolve(node.get("alias")) if node.get("alias") else node

    def member(self, struct, name):
        for member in self.resolve(struct).findall("member"):
            if member.find("name").text == name:
                return member
        raise SystemExit(f"profiles.py: {struct} has no member {name}")

    def type_of(self, struct):
        return next(m.get("values") for m in self.resolve(struct).findall("member")
                    if m.find("name").text == "sType")


def compare_of(member, value):
    if isinstance(value, bool):
        return "Equals"
    kind = (member.get("limittype") or "").split(",")[0]
    if kind not in COMPARES:
        raise SystemExit(f"profiles.py: {member.find('name').text}: limit of type '{kind}'")
    return COMPARES[kind]


def text_of(value):
    if isinstance(value, bool):
        return "VK_TRUE" if value else "VK_FALSE"
    return " | ".join(value) if isinstance(value, list) else str(value)


def rows_of_values(structures, struct, values, prefix=""):
    """(member path, compare, value) of everything under `values`."""
    for name, value in values.items():
        member = structures.member(struct, name)
        if isinstance(value, dict):
            yield from rows_of_values(structures, member.find("type").text, value,
                                      f"{prefix}{name}.")
        elif isinstance(value, list) and not isinstance(value[0], str):
            for index, element in enumerate(value):
                yield f"{prefix}{name}[{index}]", compare_of(member, element), text_of(element)
        else:
            yield prefix + name, compare_of(member, value), text_of(value)


def profile_rows(document, name, structures):
    profile = document["profiles"][name]
    major, minor = profile["api-version"].split(".")[:2]
    yield f"PROFILE_VERSION(\"{name}\", {major}, {minor})"
    for capability in profile["capabilities"]:
        wanted = document["capabilities"][capability]
        unknown = set(wanted) - {"extensions", "features", "properties"}
        if unknown:
            raise SystemExit(f"profiles.py: {name} asks for {', '.join(sorted(unknown))}")
        for extension in wanted.get("extensions", {}):
            yield f"PROFILE_EXTENSION(\"{name}\", \"{extension}\")"
        for struct, members in wanted.get("features", {}).items():
            where, prefix = CORE.get(struct, (struct, ""))
            for member, value in members.items():
                structures.member(struct, member)
                if value is not True:
                    raise SystemExit(f"profiles.py: {name}: {struct}.{member}: {value}")
                yield (f"PROFILE_FEATURE(\"{name}\", {where}, {structures.type_of(where)}, "
                       f"{prefix}{member})")
        for struct, values in wanted.get("properties", {}).items():
            where, prefix = CORE.get(struct, (struct, ""))
            for path, compare, value in rows_of_values(structures, struct, values, prefix):
                yield (f"PROFILE_VALUE(\"{name}\", {where}, {structures.type_of(where)}, {path}, "
                       f"{compare}, {value})")
    # What another profile asks for, in the name of this one.
    for base in profile.get("profiles", []):
        yield from (row.replace(f'"{base}"', f'"{name}"', 1) for row in
                    profile_rows(document, base, structures) if "_VERSION" not in row)


def main():
    xml, path, *files = sys.argv[1:]
    structures = Structures(xml)
    with open(path, "w", encoding="utf-8") as out:
        out.write("// SPDX-License-Identifier: MIT\n// Generated by profiles.py.\n")
        for file in files:
            with open(file, encoding="utf-8") as source:
                document = json.load(source)
            for name in document["profiles"]:
                for row in profile_rows(document, name, structures):
                    out.write(row + "\n")
        for kind in ("VERSION", "EXTENSION", "FEATURE", "VALUE"):
            out.write(f"#undef PROFILE_{kind}\n")


if __name__ == "__main__":
    main()
